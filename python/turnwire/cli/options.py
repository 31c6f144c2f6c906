"""The arguments and options that commands share, each declared once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Optional

import typer

from turnwire import dialects


def _names(start: str) -> list[str]:
    return [name for name in ("auto", *dialects()) if name.startswith(start)]


class Severity(StrEnum):
    """The severity of a finding."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Paths = Annotated[
    list[str],
    typer.Argument(
        help="Files, folders, globs; `-` is stdin. JSON Lines (also packed), JSON, Parquet.", show_default=False
    ),
]
Dialect = Annotated[
    str, typer.Option("--dialect", "-d", help="The dialect of the conversations.", autocompletion=_names)
]
From = Annotated[str, typer.Option("--from", "-f", help="The dialect to read.", autocompletion=_names)]
Results = Annotated[
    bool,
    typer.Option("--tool-results", help='Read a user\'s text `{"tool_result": …}` in lines of `llama` as a result.'),
]
To = Annotated[str, typer.Option("--to", "-t", help="The dialect to write.", autocompletion=_names, show_default=False)]
For = Annotated[
    Optional[str],  # noqa: UP045 typer reads it so on every Python
    typer.Option("--target", "-t", help="A dialect whose limits shall hold.", autocompletion=_names),
]
Out = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--out", "-o", help="A file; a folder where there are several inputs. Stdout without it."),
]
At = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--at",
        help="Where in a row the conversation is: a key, or several with dots between.",
    ),
]
Column = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--column", help="The column of a Parquet file that holds the conversations."),
]
Json = Annotated[bool, typer.Option("--json", help="JSON Lines on stdout, for programs.")]
Threads = Annotated[int, typer.Option("--threads", help="How many; 0 for as many as there are cores.")]
Bytes = Annotated[int, typer.Option("--max-bytes", "-b", help="The budget, in bytes of UTF-8.", show_default=False)]
Rest = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--rest",
        help="The body's other keys: the `caller`'s own, `keep` them, or `convert` them to the target's. "
        "Without it, training rows keep them.",
    ),
]
Row = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option("--row/--no-row", help="Whether each is a training row or a request. Without it, each decides."),
]
Defaults = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--defaults", help="With `--rest convert`: keys of the target that bodies lack, as a JSON object."),
]
Model = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--model", help="The model that the requests are for."),
]
