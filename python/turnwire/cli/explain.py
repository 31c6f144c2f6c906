"""`turnwire explain`: what a code means, with an example before and after, and what to do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from turnwire.answers import explain as explained

from .options import Json
from .screen import write_json


def explain(
    code: Annotated[
        str, typer.Argument(help="The code of an error, a change, a loss, a finding or a diff.", show_default=False)
    ],
    as_json: Json = False,
) -> int:
    """Explain a code: what happened, an example before and after, and what to do. Exit code 2 for an unknown code."""
    answers = explained(code)
    if as_json:
        for answer in answers:
            write_json(asdict(answer))
    else:
        print(answers)
    return 0
