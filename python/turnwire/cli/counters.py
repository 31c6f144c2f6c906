"""The function that counts tokens: `--count my_module:count`, or `--count tiktoken:o200k_base`."""

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
    """Takes `module:function`, or an encoding of tiktoken. It is imported when the command runs."""
    module, _, name = how.partition(":")
    if not (module and name):
        raise ArgumentTypeError(f"expected module:function, got {how!r}")
    return how


def _imported(how: str, command: str) -> Callable[[str], int]:
    """The function of `module:function`, also of a module in this folder."""
    module, _, name = how.partition(":")
    if module == "tiktoken":
        return _encoding(name, command)
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        found: Any = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"turnwire {command}: --count: expected module:function, got {how!r}: {error}") from None
    return lambda text: int(found(text))


def _encoding(name: str, command: str) -> Callable[[str], int]:
    """Counts with an encoding of tiktoken, which is not installed with turnwire."""
    try:
        from tiktoken import get_encoding, list_encoding_names
    except ImportError:
        raise UsageError(f"turnwire {command}: --count tiktoken:{name} needs tiktoken: pip install tiktoken") from None
    if name not in (names := list_encoding_names()):
        raise UsageError(f"turnwire {command}: --count: expected one of {', '.join(names)} of tiktoken, got {name!r}")
    encoding = get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))


def counted(given: Namespace) -> Callable[[str], int] | None:
    """The function that counts a budget in tokens; None for one in bytes."""
    if given.max_tokens is None:
        if given.count is not None:
            raise UsageError(f"turnwire {given.command}: --count needs --max-tokens: --budget counts bytes")
        return None
    if given.count is None:
        text = "--max-tokens needs --count module:function, because each model counts otherwise"
        raise UsageError(
            f"turnwire {given.command}: {text}; three bytes a token are safe: --budget {3 * given.max_tokens}"
        )
    if given.budget is not None:
        raise UsageError(f"turnwire {given.command}: expected --budget or --max-tokens, got both")
    return _imported(given.count, given.command)
