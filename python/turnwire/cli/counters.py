"""The function that counts tokens: `--count my_module:count`."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from .usage_error import UsageError

__all__ = ["counted", "counter"]


def counter(how: str) -> str:
    """Takes `module:function`. It is imported when the command runs."""
    module, _, name = how.partition(":")
    if not (module and name):
        raise ArgumentTypeError(f"expected module:function, got {how!r}")
    return how


def _imported(how: str) -> Callable[[str], int]:
    """The function of `module:function`, also of a module in this folder."""
    module, _, name = how.partition(":")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        found: Any = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"turnwire prepare: --count: expected module:function, got {how!r}: {error}") from None
    return lambda text: int(found(text))


def counted(given: Namespace) -> Callable[[str], int] | None:
    """The function that counts a budget in tokens; None for one in bytes."""
    if given.max_tokens is None:
        if given.count is not None:
            raise UsageError("turnwire prepare: --count needs --max-tokens: --budget counts bytes")
        return None
    if given.count is None:
        text = "turnwire prepare: --max-tokens needs --count module:function, because each model counts otherwise"
        raise UsageError(f"{text}; three bytes a token are safe: --budget {3 * given.max_tokens}")
    if given.budget is not None:
        raise UsageError("turnwire prepare: expected --budget or --max-tokens, got both")
    return _imported(given.count)
