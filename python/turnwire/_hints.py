"""Errors for names and arguments that do not exist: each writes the call that works. Loads where one is raised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["elsewhere", "missing_target", "no_attribute", "unexpected"]

_REPAIR: Final = (
    'prepare(messages, "same") repairs a list in its own dialect; prepare(messages, "anthropic") for an API'
)
_FIT: Final = "prepare(messages, target, 300_000) fits a list to a budget; truncate(text, 10_000) cuts a text"
_COUNT: Final = "turnwire counts bytes; pass Budget(max_tokens=100_000, count=your_tokenizer)"
_SEND: Final = 'turnwire sends nothing: client.chat.completions.create(model=MODEL, **prepare(messages, "openai"))'

_MEANT: Final = {
    **dict.fromkeys(("repair", "fix", "clean", "sanitize", "sanitise", "normalize", "normalise"), _REPAIR),
    **dict.fromkeys(("trim", "trim_messages", "fit", "compress", "shorten"), _FIT),
    "to_openai": 'convert(messages, "openai")',
    "to_anthropic": 'convert(messages, "anthropic")',
    "to_gemini": 'convert(messages, "gemini")',
    "translate": 'convert(messages, "openai")',
    **dict.fromkeys(("count", "count_tokens", "token_count"), _COUNT),
    **dict.fromkeys(("validate", "lint", "verify"), 'check(messages, "openai")'),
    **dict.fromkeys(("completion", "chat", "Client", "send"), _SEND),
    "parse": "Conversation.parse(messages)",
    "load": "Conversation.parse(messages)",
    "render": 'Conversation.parse(messages).render("openai")',
    "dumps": 'convert_json(messages, "openai").payload',
    **dict.fromkeys(("stream", "Stream"), 'StreamAssembler("openai")'),
    **dict.fromkeys(("History", "Memory"), "MessageHistory()"),
    "Builder": "turnwire.spec.MessageBuilder()",
}
"""What a name means that is no name of the package: the call that does it."""

_GONE: Final = {
    **dict.fromkeys(("change_codes", "loss_codes", "finding_codes"), "turnwire.codes.CHANGES"),
    "error_codes": "turnwire.codes.ERRORS",
    "diff_codes": "turnwire.codes.DIFFS",
    **dict.fromkeys(("Finding", "Loss", "ReceiptEntry"), "turnwire.Change"),
    "Answer": "an element of what explain returns",
    "Explanation": "what explain returns",
    "Diff": "what diff returns",
}
"""Names of 0.1, each with what it is now."""

_ARGUMENTS: Final = {
    **dict.fromkeys(("to", "provider", "format"), "pass target="),
    **dict.fromkeys(("from_", "read_as"), "pass source="),
    **dict.fromkeys(("max_result_bytes", "max_result_tokens"), "pass budget=Budget(…, per_result=…)"),
    **dict.fromkeys(("reserve", "on_cut", "summarise", "summarize"), "pass budget=Budget(…, {name}=…)"),
    "count": "pass budget=Budget(max_tokens=…, count=your_tokenizer)",
    "keep_open": 'pass end="calls"',
    "row": 'pass end="row"',
    "prefill": 'pass end="prefill"',
    **dict.fromkeys(("opening", "bridge", "omitted", "missing_result", "cut"), 'pass wording={{"{name}": …}}'),
    **dict.fromkeys(("defaults", "effort_budgets"), 'pass settings={{"{name}": …}}'),
    "rest": "pass settings=",
    "thinking": "pass reasoning=",
    "after": "use a Ledger: Ledger.load(state).prepare(messages)",
    "max_chars": "truncate counts UTF-8 bytes: pass max_bytes=",
    "keep": "pass budget=Budget(…, reserve=…), the share that a cut frees",
    "over": "pass on_full=",
    "stream": "set it where you send the request",
    "on_losses": "pass on_receipt=, which gets everything",
}
"""What an argument is called that had another name, or that other libraries have."""

_ATTRIBUTES: Final = {
    ("Receipt", "entries"): "the receipt itself: it is a sequence of changes",
    ("Receipt", "warnings"): 'receipt.only("warning")',
    ("Rendered", "needs"): "ready.headers",
    ("Rendered", "state"): "Ledger.state()",
    ("Change", "text"): "change.reason",
    ("Change", "message"): "change.reason",
    ("Change", "would"): "change.action",
    ("Change", "before"): "change.bytes_before",
    ("Change", "after"): "change.bytes_after",
    **{
        (name, "losses"): 'receipt.only("lost"); receipt.only("restated") is what has another form'
        for name in ("Rendered", "RenderedReply", "Reply", "StreamConverter")
    },
}
"""Attributes of 0.1, each with what it is now."""

_READERS: Final = {"parse_reply", "parse", "StreamAssembler", "add_raw_message", "MessageHistory", "truncate_file"}
"""Functions that only read, so that a dialect is their `source`."""


def missing_target(caller: str) -> str:
    """The message for a call that does not say what to write."""
    apis = '"openai", "openai-responses", "anthropic", "gemini", "bedrock", …'
    same = '; "same" repairs a list in its own dialect' if caller.startswith("prepare") else ""
    return f"{caller}() needs a target, the API that you call: {apis}{same}"


def unexpected(caller: str, name: str, value: object) -> str:
    """The message for an argument, or a key of an option, that a function does not have."""
    if caller in ("wording", "settings"):
        keys = {"wording": "opening, bridge, omitted, missing_result, cut", "settings": "defaults, effort_budgets"}[
            caller
        ]
        return f"{caller}: expected the keys {keys}, got {name!r}"
    said = f"{caller}() got an unexpected keyword argument {name!r}"
    return f"{said}: {hint}" if (hint := _argument(caller, name, value)) else said


def no_attribute(owner: str, name: str) -> str:
    """The message for an attribute that a class does not have."""
    said = f"{owner!r} object has no attribute {name!r}"
    return f"{said}: it is {hint}" if (hint := _ATTRIBUTES.get((owner, name))) else said


def _argument(caller: str, name: str, value: object) -> str:
    if name == "dialect":
        return "pass source=" if caller in _READERS else "pass target="
    if name == "max_bytes":
        return f"pass budget={value!r}"
    if name == "max_tokens":
        if caller.startswith("truncate"):
            return "truncate counts UTF-8 bytes: pass max_bytes="
        return f"pass budget=Budget(max_tokens={value!r}, count=your_tokenizer)"
    if name in ("system", "tools") and value in ("append", "freeze", "break"):
        return f"pass on_{name}_change="
    return _ARGUMENTS.get(name, "").format(name=name)


def elsewhere(name: str, known: Iterable[str]) -> object:
    """What a name means that is not at the top of the package: a name of the specifications, which stands in `spec`.

    Raises:
        AttributeError: The name is in another module, or nowhere. The message says what to write.
    """
    from importlib import import_module

    for module in ("spec", "parts", "replies", "text", "constants", "types", "codes"):
        holder = import_module(f".{module}", __package__)
        if name in holder.__all__:
            if module == "spec":
                value: object = getattr(holder, name)
                return value
            raise AttributeError(f"module 'turnwire' has no attribute {name!r}: it is in turnwire.{module}")
    said = f"module 'turnwire' has no attribute {name!r}"
    if name in _GONE:
        raise AttributeError(f"{said}: it is {_GONE[name]}")
    if name in _MEANT:
        raise AttributeError(f"{said}: {_MEANT[name]}")
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1)
    raise AttributeError(f"{said}. Did you mean: {close[0]!r}?" if close else said)
