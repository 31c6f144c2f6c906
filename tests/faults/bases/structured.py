"""Sound structured content, and its judge."""

from typing import Any

from judges import training

from faults.judge import Judge
from faults.payload import Json
from faults.payload.structured import call, got, part

from .turns import user

JUDGE = Judge(check=training.structured)


def model(*parts: Json, role: str = "gemini") -> Json:
    return {"role": role, "content": list(parts)}


def tool(*results: Json) -> Json:
    return {"role": "tool", "content": list(results)}


OWN: list[Any] = [
    [
        {"role": "system", "content": "Be brief."},
        user("What is this?"),
        {"role": "chatgpt", "content": "A test."},
        user("Good."),
    ],
    [
        user([part("Look twice.")]),
        model(part("I look."), call("look", "call_1"), call("find", "call_2", {"q": "y", "n": [1, None]})),
        tool(got("look", "first", "call_1"), got("find", {"rows": ["second", 2]}, "call_2")),
        model(part("Both are there.")),
        user([part("Once"), part("more.")]),
        model({"type": "reasoning", "content": "Hm."}, call("look", "call_3", {})),
        tool(got("look", "third", "call_3")),
    ],
    [
        user("Go."),
        model(call("look"), role="chatgpt"),
        tool(got("look", "seen")),
        model(part("There."), role="chatgpt"),
        user("Again."),
        model(call("look"), role="chatgpt"),
        tool(got("look", "again")),
    ],
]
