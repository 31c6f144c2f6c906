"""What the command line does without its extra: `turnwire explain CODE`, which every error recommends."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from turnwire.answers import explain
from turnwire.errors import TurnwireError

from .exit_codes import UNREADABLE


def explain_only(arguments: Sequence[str]) -> int:
    """Explain a code or a message; say what every other command needs. Returns the exit code."""
    match arguments:
        case ["explain", code] if code == "-" or not code.startswith("-"):
            try:
                print(explain(sys.stdin.read() if code == "-" else code))
            except TurnwireError as error:
                print(error, file=sys.stderr)
                return UNREADABLE
            return 0
    print(
        "only `turnwire explain CODE` works without the extra cli: pip install 'turnwire[cli]' (or typer and rich)",
        file=sys.stderr,
    )
    return UNREADABLE
