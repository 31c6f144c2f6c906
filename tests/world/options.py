"""Each option of `prepare`, with the values that cases give it, and the keyword arguments of a case."""

from typing import Any

import turnwire as tw

from .conversation import tools
from .faults import FAULTS
from .parts import MODEL, RESULT, USER, Json
from .spell import FORMATS

TARGETS = tw.dialects()
SOURCES = tuple(FORMATS)

#: What a conversation is made of.
MADE: dict[str, tuple[Any, ...]] = {
    "source": SOURCES,
    "target": TARGETS,
    "u1": USER,
    "u2": USER,
    "m1": MODEL,
    "m2": MODEL,
    "res": RESULT,
    "fault": tuple(FAULTS),
    "system": ("none", "first", "beside", "argument"),
    "tools": ("body", "argument", "none"),
    #: What is wrong in the spelling of the format. With "odd", a request may be refused.
    "wire": ("none", "keys"),
    "said_source": (True, False),
    #: A share of the size of what is written without a budget.
    "budget": (None, 1.0, 0.6, 0.3),
    #: Tokens are counted by a function that says bytes, so both must agree.
    "unit": ("bytes", "tokens"),
}

#: The options that are passed as they are. The first value is the default.
PASSED: dict[str, tuple[Any, ...]] = {
    "tool_results": (False, True),
    "settings": ("omit", "convert"),
    "end": ("request", "calls", "prefill", "row"),
    "model": (None, "claude-opus-5"),
    "strict": (False, True),
    "reasoning": ("valid", "keep", "drop", "text"),
    "cache": (None, "auto"),
    "pinned": ((), (0,)),
}

#: The texts of `wording`.
WORDS: dict[str, tuple[Any, ...]] = {
    "opening": (None, "(begin)"),
    "bridge": (None, "(between)"),
    "omitted": (None, "(left out)"),
    "missing_result": (None, "(no result)"),
}

FACTORS = MADE | {"per_result": (None, 40), "reserve": (None, 0.0)} | WORDS | PASSED

#: What keeps a promise from being asked: a request that is refused, a row, a list that is still open.
BLUNT = ("strict", "end")

#: The parameters of `prepare` that a factor above gives, and those that are tried elsewhere.
GIVEN_BY = {
    "messages": "u1",
    "target": "target",
    "budget": "budget",
    "source": "said_source",
    "system": "system",
    "tools": "tools",
    "wording": "opening",
}
#: What is tried in a file, and not in pairs: of all doors, and of each.
ELSEWHERE = {
    "blobs": "test_dialects.py",
    "assistant_role": "vectors/structured.json",
    "server_tools": "test_server_tools.py",
    "summary": "test_summarise.py",
    "options": "test_dialects.py",
}
#: The parameters of each door that no factor gives, but its promise.
DOORS = {
    "prepare": {"share": "test_share.py"},
    "prepare_json": {},
    "convert": {},
    "convert_json": {},
    "replies.convert_reply": dict.fromkeys(("payload", "request", "status"), "test_convert_reply.py"),
    "replies.convert_reply_json": dict.fromkeys(("payload", "request", "status"), "test_convert_reply.py"),
    "Ledger": dict.fromkeys(("on_full", "on_system_change", "on_tools_change"), "test_ledger.py"),
    "Ledger.prepare": {},
    "Ledger.prepare_json": {},
    "check": {"after": "test_check_after.py"},
}


def count(text: str) -> int:
    """A token is a byte."""
    return len(text.encode())


def keywords(case: Json, size: int | None = None) -> Json:
    """The keyword arguments of `prepare` for a case. `size`: its budget."""
    made: Json = {name: case[name] for name, values in PASSED.items() if case[name] != values[0] and name != "pinned"}
    in_tokens = case["unit"] == "tokens"
    if case["system"] == "argument":
        made["system"] = "w900z"
    if case["tools"] == "argument":
        made["tools"] = tools(case["target"])
    if case["said_source"]:
        made["source"] = case["source"]
    if case["target"].startswith("bedrock"):
        # As in JSON, so that one judge reads both.
        made["blobs"] = "base64"
    limits: Json = {"per_result": case["per_result"]}
    if size is not None:
        made["pinned"] = case["pinned"]
        limits |= {"max_tokens" if in_tokens else "max_bytes": size, "reserve": case["reserve"]}
    limits = {name: value for name, value in limits.items() if value is not None}
    if limits:
        made["budget"] = tw.Budget(**limits, **({"count": count} if in_tokens else {}))
    # This note says something only of a budget.
    words = {name: case[name] for name in WORDS if case[name] is not None and (size is not None or name != "omitted")}
    if words:
        made["wording"] = words
    return made
