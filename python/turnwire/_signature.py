"""Says what functions are called and take, as `help()`, `inspect.signature` and errors show it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, TypeVar

__all__ = ["DEFAULTS", "named_after", "spelled_out"]

_C = TypeVar("_C", bound=type)
_F = TypeVar("_F", bound=Callable[..., object])
_UNPACK: Final = "Unpack["

DEFAULTS: Final[dict[str, object]] = {
    "source": "auto",
    "end": "request",
    "reasoning": "valid",
    "server_tools": "drop",
    "pinned": (),
    "strict": False,
    "settings": "omit",
    "blobs": "raw",
    "tool_results": False,
    "ledger": False,
    "on_error": "raise",
}
"""The defaults of options that are not None."""


def spelled_out(function: _F) -> _F:
    """The same function. Its signature has the keys of the `TypedDict` that annotates its `**options`."""
    shown = inspect.signature(function)
    *given, last = shown.parameters.values()
    options: Any = function.__globals__[str(last.annotation).removeprefix(_UNPACK).removesuffix("]")]
    known = {one.name for one in given}
    for name, kind in options.__annotations__.items():
        if name in known:
            continue
        default, written = DEFAULTS.get(name), getattr(kind, "__forward_arg__", kind)
        given.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=written))
    vars(function)["__signature__"] = shown.replace(parameters=given)
    return function


def named_after(owner: _C) -> _C:
    """The same class. Errors name the functions of its private parts after it, because nobody knows those parts."""
    room = owner.__module__.rpartition(".")[0]
    for part in owner.__mro__[1:]:
        for function in vars(part).values() if part.__module__.startswith(room) else ():
            if inspect.isfunction(function):
                function.__qualname__ = f"{owner.__name__}.{function.__name__}"
    return owner
