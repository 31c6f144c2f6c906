"""Sound steps of Interactions, and their judge."""

from typing import Any

from judges import gemini_interactions

from faults.judge import Judge
from faults.payload.gemini_interactions import PAPER, PICTURE, fn, gave, model, thought, tools, user

JUDGE = Judge(check=gemini_interactions.check, types={"text", "image", "audio", "video", "document"})

OWN: list[Any] = [
    {
        "system_instruction": "Be brief.",
        "input": [user("What is this?"), model("A test."), user("Good.", PICTURE, PAPER)],
    },
    {
        "input": [
            user("Look twice."),
            thought(),
            fn("look", "call_1", q="x"),
            fn("find", "call_2", q="y"),
            gave("call_2", "second"),
            gave("call_1", "first"),
            model("Both are there."),
            user("Once more."),
            fn("look", "call_3"),
            gave("call_3", "no such place", is_error=True),
        ],
        "tools": tools("look", "find"),
    },
    {"input": "Just this."},
]
