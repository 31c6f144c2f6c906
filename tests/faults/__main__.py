"""`python -m tests.faults` from the root of the checkout prints the table."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults.table import main

main()
