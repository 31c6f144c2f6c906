"""Collects the commands, and turns their exceptions into messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from turnwire import __version__
from turnwire.errors import TurnwireError

from . import batches, check, detect, dialects, diff, explain, rewrite, stats
from .exit_codes import UNREADABLE
from .screen import problem, said

app = typer.Typer(
    name="turnwire",
    help="Check, repair and convert conversations with language models: files, folders, globs, Parquet; `-` is stdin.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
for command in (
    *(check.check, rewrite.repair, rewrite.convert, batches.results, rewrite.prepare, rewrite.truncate),
    *(stats.stats, diff.diff, detect.detect, dialects.dialects, explain.explain),
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


def _no_more() -> None:
    """Discards output that could not be written, so that Python does not try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: Sequence[str] | None) -> int:
    """Run one command, and return its exit code."""
    if sys.stdout is None:
        problem("stdout is closed: nothing can be said")
        return UNREADABLE
    for stream in (sys.stdout, sys.stderr):
        # Characters that the encoding cannot write are escaped.
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(arguments, prog_name="turnwire", standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        problem("stopped before its end")
        return UNREADABLE
    except BrokenPipeError:
        # The reader of the output closed the pipe.
        _no_more()
        return 1
    except (TurnwireError, OSError, ImportError) as error:
        problem(said(error))
        _no_more()
        return UNREADABLE
    except Exception as error:
        # click reports wrong options. `show` works with any copy of click that typer brings.
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        return UNREADABLE
    return code if isinstance(code, int) else 0
