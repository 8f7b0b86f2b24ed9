"""A small share of what `fuzz.py` does."""

import subprocess
import sys
from pathlib import Path


def test_hostile_calls_do_no_harm(tmp_path):
    fuzz = Path(__file__).with_name("fuzz.py")
    command = [sys.executable, str(fuzz), "--calls", "4000", "--seed", "7", "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fuzz: 0 faults" in done.stdout and "panicked" not in done.stderr
