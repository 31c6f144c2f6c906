"""Sound conversations of Anthropic's Messages, and their judge."""

from typing import Any

from faults.judge import Judge
from faults.payload import text
from faults.payload.anthropic import DOCUMENT, IMAGE, THOUGHT, got, tools, use

from .turns import model, user

KEYS = ("system", "messages", "tools", "tool_choice")

JUDGE = Judge(
    wire="anthropic",
    sdk="anthropic",
    body={"model": "m", "max_tokens": 4096},
    types={"text", "image", "document", "search_result", "thinking", "redacted_thinking"}
    | {"tool_use", "tool_result", "server_tool_use", "container_upload"},
    narrower=(("text.empty", "system", "recorded requests with an empty system text were answered"),),
)

BOTH = [use("look", "toolu_1"), use("find", "toolu_2", {"q": "y", "n": [1, {"a": None}]})]

OWN: list[Any] = [
    {"system": "Be brief.", "messages": [user("What is this?"), model("A test."), user("Thank you.")]},
    {
        "system": [{**text("Look closely."), "cache_control": {"type": "ephemeral"}}],
        "messages": [
            user([text("Two things."), IMAGE, DOCUMENT]),
            model([text("I see."), text("And more.")]),
            user([text("And this?"), {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}]),
        ],
    },
    {
        "messages": [
            user("Look twice."),
            model([text("I will look."), *BOTH]),
            user([got("toolu_1", "first"), got("toolu_2", [text("second")]), text("Go on.")]),
            model([text("Both are there.")]),
            user("Once more."),
            model([use("look", "toolu_3", {})]),
            user([got("toolu_3", "third")]),
        ],
        "tools": tools("look", "find"),
        "tool_choice": {"type": "auto"},
    },
    {
        "system": "Think.",
        "messages": [
            user("Begin."),
            user([text("At once.")]),
            model([THOUGHT, text("First."), use("look", "toolu_a")]),
            user([got("toolu_a", "it failed", is_error=True)]),
            model([use("look", "toolu_b"), use("look", "toolu_c"), use("look", "toolu_d")]),
            user([got("toolu_c", [text("a picture"), IMAGE]), got("toolu_b", "two"), got("toolu_d", "four")]),
            model("Done."),
            model([text("Really.")]),
            user("Good."),
        ],
        "tools": tools("look"),
    },
    {"messages": [user("Just this.")]},
]
