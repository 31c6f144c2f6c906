"""The commands together, and what becomes of whatever they raise."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from turnwire import __version__
from turnwire.errors import TurnwireError

from . import UNREADABLE, check, detect, dialects, rewrite, stats
from .screen import problem, said

app = typer.Typer(
    name="turnwire",
    help="Check, repair and convert conversations with language models: files, folders, globs, Parquet; `-` is stdin.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
for command in (
    *(check.check, rewrite.repair, rewrite.convert, rewrite.prepare, rewrite.truncate),
    *(stats.stats, detect.detect, dialects.dialects),
):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str] | None) -> int:
    """Run one command, and return its exit code."""
    try:
        code = app(arguments, prog_name="turnwire", standalone_mode=False)
    except typer.Abort:
        return UNREADABLE
    except BrokenPipeError:
        # Whoever read us has read enough; nothing more may be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (TurnwireError, OSError, ImportError, TypeError) as error:
        problem(said(error))
        return UNREADABLE
    except Exception as error:
        # Wrong options are click's to say, whichever copy of it typer brings.
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        return UNREADABLE
    return code if isinstance(code, int) else 0
