"""Sound conversations of Chat Completions, and their judge."""

from typing import Any

from faults.judge import Judge
from faults.payload import text
from faults.payload.openai import LINK, PAPER, PICTURE, fn, free, said, tools

from .turns import model, user

KEYS = ("messages", "tools", "tool_choice")

JUDGE = Judge(
    wire="openai_chat",
    sdk="openai",
    body={"model": "m"},
    messages={"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio", "function_call"},
    types={"text", "image_url", "input_audio", "file", "refusal"},
    narrower=(
        ("type", r"messages\[\]\.name", "OpenAI serves a name on a message of any role, a tool's too"),
        *(
            (
                "type",
                rf"messages\[\]\.(tool_calls\[\]\.)?((function|custom)\.)?{key}",
                "OpenAI serves what its SDK's replies hold",
            )
            for key in ("annotations", "audio", "function_call", "index", "parsed", "parsed_arguments", "refusal")
        ),
    ),
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
    {
        "messages": [
            {"role": "developer", "content": [text("Look closely.")]},
            user([text("Two pictures."), PICTURE, LINK]),
            model([text("I see."), text("And more.")]),
            user([text("And this?"), PAPER]),
        ]
    },
    {
        "messages": [
            {"role": "system", "content": "Use tools."},
            user("Look twice."),
            model(None, tool_calls=[fn("look", "call_1"), fn("find", "call_2", '{"q": "y", "n": [1, {"a": null}]}')]),
            said("call_1", "first"),
            said("call_2", [text("second")]),
            model("Both are there."),
            user("Once more."),
            model("Of course.", tool_calls=[fn("look", "call_3", "{}")]),
            said("call_3", "third"),
        ],
        "tools": tools("look", "find"),
        "tool_choice": "auto",
    },
    {
        "messages": [
            user("Begin."),
            user("At once."),
            {"role": "assistant", "tool_calls": [fn("look", "call_a")]},
            said("call_a", "one"),
            model(None, tool_calls=[fn("look", "call_b"), fn("look", "call_c"), fn("look", "call_d")]),
            said("call_c", "three"),
            said("call_b", "two"),
            said("call_d", "four"),
            model("Done."),
            model("Really."),
            user("Good."),
        ],
        "tools": tools("look"),
    },
    {
        "messages": [
            user("Write a poem, freely."),
            model("Here it goes.", tool_calls=[free("write", "call_w"), fn("look", "call_l")]),
            said("call_w", "written"),
            said("call_l", "seen"),
            user("Nice."),
        ],
        "tools": [{"type": "custom", "custom": {"name": "write", "description": "To write."}}, *tools("look")],
    },
    {"messages": [user("Just this.")]},
    {"messages": [user("May I?"), model(None, refusal="No."), user("Why not?"), model("It is late."), user("I see.")]},
]
