"""Sound conversations of Responses, and their judge."""

from typing import Any

from faults import responses_checker
from faults.judge import Judge
from faults.payload.openai_responses import PAPER, PICTURE, Responses, fn, free, gave, heard, spoken, thought, tools

from .turns import model, user

KEYS = ("instructions", "input", "tools", "tool_choice", *Responses.CONTINUES)

JUDGE = Judge(
    wire="openai_responses",
    sdk="openai",
    body={"model": "m"},
    check=responses_checker.check,
    sift=responses_checker.sift,
    types={"input_text", "input_image", "input_file", "output_text", "refusal"},
    narrower=(("type", r"tools\[\]\.strict", "OpenAI serves a function that does not say whether it is strict"),),
)

LINK = {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "auto"}
GREETING = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "phase": "final_answer"}

OWN: list[Any] = [
    {"instructions": "Be brief.", "input": [user("What is this?"), model("A test."), user("Thank you.")]},
    {
        "input": [
            {"role": "developer", "content": [heard("Look closely.")]},
            user([heard("Two pictures."), PICTURE, LINK]),
            {**GREETING, "content": [spoken("I see."), spoken("And more.")]},
            user([heard("And this?"), PAPER]),
        ]
    },
    {
        "instructions": "Use tools.",
        "input": [
            user("Look twice."),
            fn("look", "call_1", id="fc_1", status="completed"),
            fn("find", "call_2", '{"q": "y", "n": [1, {"a": null}]}'),
            gave("call_1", "first"),
            gave("call_2", [heard("second")]),
            model("Both are there."),
            user("Once more."),
            model("Of course."),
            fn("look", "call_3", "{}"),
            gave("call_3", "third"),
        ],
        "tools": tools("look", "find"),
        "tool_choice": "auto",
    },
    {
        "input": [
            {"role": "system", "content": "Think."},
            user("Begin."),
            user("At once."),
            thought("rs_1"),
            fn("look", "call_a", id="fc_a"),
            gave("call_a", "one"),
            thought("rs_2", "Now all."),
            fn("look", "call_b"),
            fn("look", "call_c"),
            fn("look", "call_d"),
            gave("call_c", [heard("a picture"), PICTURE]),
            gave("call_b", "two"),
            gave("call_d", "four"),
            thought("rs_3", "Done?"),
            {**GREETING, "id": "msg_2", "content": [spoken("Done.")]},
            model("Really."),
            user("Good."),
        ],
        "tools": tools("look"),
    },
    {
        "input": [
            user("Write a poem, freely."),
            model("Here it goes."),
            free("write", "call_w"),
            fn("look", "call_l"),
            gave("call_w", "written", "custom_tool_call"),
            gave("call_l", "seen"),
            user("Nice."),
        ],
        "tools": [{"type": "custom", "name": "write", "description": "To write."}, *tools("look")],
    },
    {"input": "Just this."},
    {
        "input": [
            user("Search."),
            {
                "type": "web_search_call",
                "id": "ws_1",
                "status": "completed",
                "action": {"type": "search", "query": "all of it"},
            },
            {**GREETING, "id": "msg_3", "content": [{"type": "refusal", "refusal": "No."}]},
            user("Why not?"),
            model("It is late."),
            user("I see."),
        ],
        "tools": [{"type": "web_search"}],
    },
]
