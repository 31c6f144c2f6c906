"""Runs the command that the words of a command line name, and turns exceptions into messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from turnwire import __version__
from turnwire.errors import TurnwireError

from .exit_codes import UNREADABLE
from .usage_error import UsageError


def _answered(words: Sequence[str]) -> int:
    """Does what the words say. What a command needs is imported no earlier than when its words have been parsed."""
    if not words or words[0] in ("-h", "--help"):
        from .parser import overview

        print(overview())
        return 0 if words else UNREADABLE
    if words[0] in ("-V", "--version"):
        print(__version__)
        return 0
    from .parser import parsed

    command, given = parsed(words)
    stated = getattr(given, "servers", None) or os.environ.get("TURNWIRE_SERVERS")
    if stated and hasattr(given, "servers"):
        from turnwire import servers

        servers(stated)
    module, _, name = command.runs.partition(":")
    code = getattr(import_module(f".{module}", __package__), name)(given)
    assert isinstance(code, int)
    return code


def _no_more() -> None:
    """Discards output that could not be written, so that Python does not try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _wrong(text: str) -> int:
    """Says on stderr why a command cannot be run."""
    from .screen import problem

    problem(text)
    return UNREADABLE


def run(arguments: Sequence[str] | None) -> int:
    """Run one command, and return its exit code."""
    if sys.stdout is None:
        return _wrong("stdout is closed: nothing can be said")
    for stream in (sys.stdout, sys.stderr):
        # Characters that the encoding cannot write are escaped.
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _answered(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except SystemExit:
        # argparse has printed the help.
        sys.stdout.flush()
        return 0
    except UsageError as wrong:
        return _wrong(str(wrong))
    except BrokenPipeError:
        # The reader of the output closed the pipe.
        _no_more()
        return 1
    except (TurnwireError, OSError, ImportError) as error:
        from .screen import said

        _wrong(said(error))
        _no_more()
        return UNREADABLE
    return code
