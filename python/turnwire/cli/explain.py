"""`turnwire explain`: what a code means, with an example before and after, and what to do."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict

from turnwire.answers import explain as explained

from .screen import note_terminal
from .tables import write_json


def explain(given: Namespace) -> int:
    """Explains a code or a provider's message: what happened, and what to do."""
    if given.what == "-":
        note_terminal()
    answers = explained(sys.stdin.read() if given.what == "-" else given.what)
    if given.format == "json":
        if answers.said is not None:
            write_json({"kind": type(answers.said).__name__.lower()} | asdict(answers.said))
        for answer in answers:
            write_json(asdict(answer))
    else:
        print(answers)
    return 0
