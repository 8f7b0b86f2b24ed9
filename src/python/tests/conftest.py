"""What the tests share."""

import signal
import sys
from pathlib import Path

# The plain player that the package is compared with.
sys.path.insert(0, str(Path(__file__).parent))

# A shell starts what runs in its background with Ctrl-C ignored; tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)
