"""Sound conversations of Cohere, and their judge."""

from typing import Any

from faults import chat_checker
from faults.judge import Judge
from faults.payload import text
from faults.payload.openai import LINK, PICTURE, fn, said, tools

from .turns import model, user

KEYS = ("messages", "tools", "tool_choice")

JUDGE = Judge(
    wire="cohere",
    sdk="cohere",
    body={"model": "m"},
    read=chat_checker.read,
    messages={"role", "content", "tool_calls", "tool_call_id", "tool_plan", "citations"},
    types={"text", "image_url", "document", "thinking"},
    foreign={("thinking", "signature")},
)

FOUND = {"type": "document", "document": {"data": {"found": "it"}, "id": "d1"}}

OWN: list[Any] = [
    {
        "messages": [
            {"role": "system", "content": "Be brief."},
            user("What is this?"),
            model("A test."),
            user("Thank you."),
        ]
    },
    {
        "messages": [
            user([text("Two pictures."), PICTURE, LINK]),
            model([{"type": "thinking", "thinking": "It is small."}, text("I see.")]),
            user("And?"),
        ]
    },
    {
        "messages": [
            user("Look twice."),
            {
                "role": "assistant",
                "content": None,
                "tool_plan": "I look.",
                "tool_calls": [fn("look", "call_1"), fn("find", "call_2", '{"q": "y", "n": [1, {"a": null}]}')],
            },
            said("call_1", [FOUND]),
            said("call_2", [text("second")]),
            model("Both are there."),
            user("Once more."),
            model("", tool_calls=[fn("look", "call_3", "{}")]),
            said("call_3", '{"third": 1}'),
        ],
        "tools": tools("look", "find"),
        "tool_choice": "REQUIRED",
    },
]
