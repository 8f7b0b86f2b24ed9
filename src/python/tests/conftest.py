"""Shared set-up of the tests."""

import signal
import sys
from pathlib import Path

# For `plain`, the player in plain Python that the package is compared with.
sys.path.insert(0, str(Path(__file__).parent))

# The tests send Ctrl-C, which a shell ignores for background jobs.
signal.signal(signal.SIGINT, signal.default_int_handler)
