"""Sound training sets of Hugging Face, and their judge."""

from typing import Any

from judges import training

from faults.judge import Judge
from faults.payload import PNG, Json, text
from faults.payload.openai import tools

from .turns import model, user

JUDGE = Judge(check=training.hugging_face)


def fn(name: str, args: Json, **more: Any) -> Json:
    return {"type": "function", "function": {"name": name, "arguments": args}, **more}


def said(name: str, content: Any, **more: Any) -> Json:
    return {"role": "tool", "name": name, "content": content, **more}


OWN: list[Any] = [
    {"messages": [{"role": "system", "content": "Be brief."}, user("What is this?"), model("A test."), user("Good.")]},
    {
        "messages": [
            user([text("A picture."), {"type": "image", "base64": PNG}]),
            model([text("I see.")], thinking="It is small."),
            user("And?"),
        ]
    },
    {
        "messages": [
            user("Look twice."),
            {"role": "assistant", "tool_calls": [fn("look", {"q": "x"}), fn("find", {"q": "y", "n": [1, None]})]},
            said("look", "first"),
            said("find", "second"),
            model("Both are there."),
            user("Once more."),
            model("Of course.", tool_calls=[fn("look", {})]),
            said("look", "third"),
        ],
        "tools": tools("look", "find"),
    },
    {
        "messages": [
            user("By its id."),
            model("", tool_calls=[fn("look", {"q": "x"}, id="call_1"), fn("look", {"q": "y"}, id="call_2")]),
            said("look", "first", tool_call_id="call_1"),
            said("look", "second", tool_call_id="call_2"),
            model("Done."),
            user("Good."),
        ],
        "tools": tools("look"),
    },
]
