"""Names every option of `**options` in a function's signature, as `help()` and `inspect.signature` show it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, TypeVar

from .options import DEFAULTS

__all__ = ["spelled_out"]

_F = TypeVar("_F", bound=Callable[..., object])
_UNPACK: Final = "Unpack["


def spelled_out(function: _F) -> _F:
    """The same function. Its signature has the keys of the `TypedDict` that annotates its `**options`."""
    shown = inspect.signature(function)
    *given, last = shown.parameters.values()
    options: Any = function.__globals__[str(last.annotation).removeprefix(_UNPACK).removesuffix("]")]
    for name, kind in options.__annotations__.items():
        default, written = DEFAULTS.get(name), getattr(kind, "__forward_arg__", kind)
        given.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=written))
    vars(function)["__signature__"] = shown.replace(parameters=given)
    return function
