"""Turns any list of LLM messages into one that the provider accepts, within a byte budget, with a receipt."""

from ._core import (
    Budget,
    Change,
    Conversation,
    Media,
    Receipt,
    Rendered,
    Reply,
    StreamAssembler,
    ToolUseResult,
    Turn,
    __version__,
    check,
    convert,
    convert_json,
    detect,
    dialects,
    diff,
    parse_reply,
    prepare,
    prepare_json,
    truncate,
)
from .errors import BuildError, ParseError, RenderError, TurnwireError, UnknownDialectError

__all__ = [
    "Budget",
    "BuildError",
    "Change",
    "Conversation",
    "DialectName",
    "Ledger",
    "Lesson",
    "Media",
    "MessageHistory",
    "ParseError",
    "Receipt",
    "RenderError",
    "Rendered",
    "Reply",
    "Server",
    "StreamAssembler",
    "ToolUseResult",
    "Turn",
    "TurnwireError",
    "UnknownDialectError",
    "__version__",
    "check",
    "convert",
    "convert_json",
    "detect",
    "dialects",
    "diff",
    "explain",
    "learn",
    "learned",
    "parse_reply",
    "prepare",
    "prepare_json",
    "server",
    "servers",
    "truncate",
    "wrap",
]

# Modules that need `logging` or `typing` load when one of their names is first used, because importing these two takes
# longer than everything else.
_LATER = {
    "DialectName": "types",
    "Ledger": "ledger",
    "Lesson": "lessons",
    "MessageHistory": "history",
    "Server": "_servers",
    "explain": "answers",
    "learn": "lessons",
    "learned": "wrapping",
    "server": "_servers",
    "servers": "_servers",
    "wrap": "wrapping",
}
_MODULES = (
    "adapters",
    "arrow",
    "batch",
    "codes",
    "constants",
    "parts",
    "replies",
    "settings",
    "spec",
    "structured",
    "text",
    "tools",
    "types",
)


def __getattr__(name: str) -> object:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name in _LATER:
        value: object = getattr(import_module(f".{_LATER[name]}", __name__), name)
    elif name in _MODULES:
        value = import_module(f".{name}", __name__)
    else:
        from ._hints import elsewhere

        value = elsewhere(name, __all__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
