"""What the tests share."""

import sys
from pathlib import Path

# The plain player that the package is compared with.
sys.path.insert(0, str(Path(__file__).parent))
