"""Sound conversations of Ollama, and their judge."""

from typing import Any

from faults import chat_checker
from faults.judge import Judge
from faults.payload.ollama import fn, said
from faults.payload.openai import tools
from faults.payload.view import PNG

from .turns import model, user

JUDGE = Judge(
    wire="ollama",
    sdk="ollama",
    body={"model": "m"},
    read=chat_checker.read,
    messages={"role", "content", "images", "thinking", "tool_calls", "tool_name", "tool_call_id"},
)

OWN: list[Any] = [
    {
        "messages": [
            {"role": "system", "content": "Be brief."},
            user("What is this?"),
            model("A test."),
            user("Thank you."),
        ]
    },
    {"messages": [user("A picture.") | {"images": [PNG]}, model("I see.", thinking="It is small."), user("And?")]},
    {
        "messages": [
            user("Look twice."),
            model("", tool_calls=[fn("look", {"q": "x"}), fn("find", {"q": "y", "n": [1, None]})]),
            said("look", "first"),
            said("find", "second"),
            model("Both are there."),
            user("Once more."),
            model("Of course.", tool_calls=[fn("look", {}) | {"type": "function"}]),
            said("look", "third"),
        ],
        "tools": tools("look", "find"),
    },
    {
        "messages": [
            user("By its id."),
            model("", thinking="Hm.", tool_calls=[fn("look", {"q": "x"}, "call_1"), fn("look", {"q": "y"}, "call_2")]),
            said("look", "first", "call_1"),
            said("look", "second", "call_2"),
            model("Done."),
            user("Good."),
        ],
        "tools": tools("look"),
    },
]
