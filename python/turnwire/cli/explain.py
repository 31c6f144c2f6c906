"""`turnwire explain`: what a code means, with an example before and after, and what to do."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from turnwire.answers import explain as explained

from .options import Json
from .screen import write_json


def explain(
    code: Annotated[
        str,
        typer.Argument(
            help="The code of an error, a change, a loss, a finding or a diff; or a provider's message in quotes. "
            "With -, the message or a whole traceback is read from stdin, so that the shell does not see its quotes.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> int:
    """Explain a code or a provider's message: what happened, and what to do. Exit code 2 if it is not known."""
    answers = explained(sys.stdin.read() if code == "-" else code)
    if as_json:
        if answers.said is not None:
            write_json({"kind": type(answers.said).__name__.lower()} | asdict(answers.said))
        for answer in answers:
            write_json(asdict(answer))
    else:
        print(answers)
    return 0
