"""Sound histories, and their judge."""

from typing import Any

from judges import stored

from faults.judge import Judge
from faults.payload import Json, text
from faults.payload.anthropic import IMAGE, use

from .turns import model, user

JUDGE = Judge(check=stored.check)


def kept(call_id: str, content: Any, name: str = "look") -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "tool_name": name, "content": content}


OWN: list[Any] = [
    [user("Read it."), model([text("I read.")]), user("Thank you.")],
    [
        user("Read both."),
        model([text("I read both."), use("look", "call_1"), use("find", "call_2", {"q": "y"})]),
        user([kept("call_1", "first"), kept("call_2", "second", "find")]),
        model([text("Read.")]),
        user("Again."),
        model([use("look", "call_3")]),
        user([kept("call_3", "third")]),
    ],
    [
        {"id": "m1", "body": {"role": "system", "content": "Be brief."}},
        {"id": "m2", "body": user("Look.")},
        {"id": "m3", "body": model([use("look", "call_a")])},
        {"id": "m4", "body": {"role": "tool", "content": [{"tool_use_id": "call_a", "content": "seen"}]}},
        {"id": "m5", "body": model([text("It is there.")])},
        {"id": "m6", "body": user([text("Good."), IMAGE])},
    ],
    [
        user("Go."),
        model("", toolCalls=[{"id": "call_x", "name": "look", "arguments": {"q": "x"}}]),
        user([kept("call_x", [text("done")])]),
        model("There."),
    ],
]
