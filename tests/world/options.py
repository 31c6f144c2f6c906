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
    "rest": ("caller", "convert"),
    "reserve": (0.25, 0.0),
    "keep_open": (False, True),
    "model": (None, "claude-sonnet-4-5"),
    "prefill": (False, True),
    "opening": (None, "(begin)"),
    "omitted": (None, "(left out)"),
    "missing_result": (None, "(no result)"),
    "strict": (False, True),
    "reasoning": ("valid", "keep", "drop", "text"),
    "cache": (None, "auto"),
    "pinned": ((), (0,)),
    "row": (False, True),
}

FACTORS = MADE | {"result_cap": (None, 40)} | PASSED

#: What keeps a promise from being asked: a request that is refused, a row, a list that is still open.
BLUNT = ("strict", "row", "keep_open")

#: The parameters of `prepare` that a factor above gives, and those that are tried elsewhere.
GIVEN_BY = {
    "messages": "u1",
    "target": "target",
    "source": "said_source",
    "system": "system",
    "tools": "tools",
    "max_bytes": "budget",
    "max_tokens": "unit",
    "count": "unit",
    "max_result_bytes": "result_cap",
    "max_result_tokens": "result_cap",
}
#: What is tried in a file, and not in pairs: of all doors, and of each.
ELSEWHERE = {
    "blobs": "test_dialects.py",
    "assistant_role": "vectors/structured.json",
    "defaults": "test_settings.py",
    "effort_budgets": "test_settings.py",
    "summary": "test_summarise.py",
    "summarise": "test_summarise.py",
    "on_cut": "test_cap.py",
}
#: The parameters of each door that no factor gives, but its promise.
DOORS = {
    "prepare": {"after": "world/runs.py"},
    "prepare_json": {"after": "test_check_after.py"},
    "convert": {"payload": "world/conversions.py"},
    "convert_json": {"data": "test_convert.py"},
    "convert_reply": dict.fromkeys(("payload", "request", "status"), "test_convert_reply.py"),
    "convert_reply_json": dict.fromkeys(("data", "request", "status"), "test_convert_reply.py"),
    "Ledger": dict.fromkeys(("keep", "over"), "test_ledger.py"),
    "Ledger.prepare": {},
    "Ledger.prepare_json": {},
    "check": {"dialect": "world/promises.py", "after": "test_check_after.py"},
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
    if case["result_cap"]:
        made["max_result_tokens" if in_tokens else "max_result_bytes"] = case["result_cap"]
    if size is not None:
        made["max_tokens" if in_tokens else "max_bytes"] = size
        made["pinned"] = case["pinned"]
    if in_tokens and (size is not None or case["result_cap"]):
        made["count"] = count
    # Both say something only of a budget.
    for name in ("reserve", "omitted"):
        if size is None:
            made.pop(name, None)
    return made
