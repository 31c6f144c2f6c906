"""Sound conversations to spoil: written here for each dialect, and recorded with real servers where those are."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from .payload import PDF, PNG, Json, Payload, text

SHARED = Path(__file__).resolve().parents[3] / "shared"

# The keys of a request body that are turnwire's; what else a request holds is its caller's.
KEYS = {
    "openai": ("messages", "tools", "tool_choice"),
    "anthropic": ("system", "messages", "tools", "tool_choice"),
}
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}


def user(content: Any) -> Json:
    return {"role": "user", "content": content}


def model(content: Any, **more: Any) -> Json:
    return {"role": "assistant", "content": content, **more}


# --- OpenAI ---


def fn(name: str, call_id: str, args: str = '{"q": "x"}') -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}


def free(name: str, call_id: str) -> Json:
    """A call of a tool that takes free text."""
    return {"id": call_id, "type": "custom", "custom": {"name": name, "input": "roses are red"}}


def said(call_id: str, content: Any) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def openai_tools(*names: str) -> list[Json]:
    return [
        {"type": "function", "function": {"name": name, "description": f"To {name}.", "parameters": SCHEMA}}
        for name in names
    ]


PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}}
LINK = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
PAPER = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}}

OPENAI = [
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
        "tools": openai_tools("look", "find"),
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
        "tools": openai_tools("look"),
    },
    {
        "messages": [
            user("Write a poem, freely."),
            model("Here it goes.", tool_calls=[free("write", "call_w"), fn("look", "call_l")]),
            said("call_w", "written"),
            said("call_l", "seen"),
            user("Nice."),
        ],
        "tools": [{"type": "custom", "custom": {"name": "write", "description": "To write."}}, *openai_tools("look")],
    },
    {"messages": [user("Just this.")]},
    {"messages": [user("May I?"), model(None, refusal="No."), user("Why not?"), model("It is late."), user("I see.")]},
]

# --- Anthropic ---


def use(name: str, call_id: str, args: Any = None) -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": args if args is not None else {"q": "x"}}


def got(call_id: str, content: Any, **more: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def anthropic_tools(*names: str) -> list[Json]:
    return [{"name": name, "description": f"To {name}.", "input_schema": SCHEMA} for name in names]


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
DOCUMENT = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
THOUGHT = {"type": "thinking", "thinking": "Let me see.", "signature": "c2lnbmF0dXJl"}
BOTH = [use("look", "toolu_1"), use("find", "toolu_2", {"q": "y", "n": [1, {"a": None}]})]

ANTHROPIC = [
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
        "tools": anthropic_tools("look", "find"),
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
        "tools": anthropic_tools("look"),
    },
    {"messages": [user("Just this.")]},
]

# --- Stored histories ---


def kept(call_id: str, content: Any, name: str = "look") -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "tool_name": name, "content": content}


HISTORY: list[list[Json]] = [
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

# --- Amazon Q ---


def asks(content: str, **context: Any) -> Json:
    message: Json = {"content": content}
    if context:
        message["userInputMessageContext"] = context
    return {"userInputMessage": message}


def answers(content: str, *uses: Json) -> Json:
    message: Json = {"messageId": "m-1", "content": content}
    if uses:
        message["toolUses"] = list(uses)
    return {"assistantResponseMessage": message}


def runs(name: str, call_id: str) -> Json:
    return {"toolUseId": call_id, "name": name, "input": {"q": "x"}}


def ran(call_id: str, *content: Json, status: str = "success") -> Json:
    return {"toolUseId": call_id, "content": list(content), "status": status}


AMAZON_Q: list[list[Json]] = [
    [asks("What is this?"), answers("A test."), asks("Thank you.")],
    [
        asks("Look twice.", envState={"operatingSystem": "linux", "currentWorkingDirectory": "/tmp"}),
        answers("I look.", runs("look", "tooluse_1"), runs("find", "tooluse_2")),
        asks("", toolResults=[ran("tooluse_1", {"text": "first"}), ran("tooluse_2", {"json": {"second": [2]}})]),
        answers("Both are there."),
        asks("Once more."),
        answers("", runs("look", "tooluse_3")),
        asks("", toolResults=[ran("tooluse_3", {"text": "it failed"}, status="error")]),
    ],
    [
        {"userInputMessage": {"content": "See.", "images": [{"format": "png", "source": {"bytes": PNG}}]}},
        answers("I see.", runs("look", "tooluse_a")),
        asks("And?", toolResults=[ran("tooluse_a", {"text": "done"}, {"text": "and more"})]),
    ],
    [asks("Just this.")],
]

OWN: dict[str, list[Any]] = {"openai": OPENAI, "anthropic": ANTHROPIC, "history": HISTORY, "amazon-q": AMAZON_Q}


def _marked(dialect: str, body: Any) -> Any:
    payload = Payload(dialect, body, random.Random(0))
    payload.mark()
    return payload.body


@cache
def own(dialect: str) -> list[Any]:
    """What this file writes."""
    return [_marked(dialect, body) for body in OWN[dialect]]


@cache
def recorded(dialect: str) -> list[Any]:
    """Requests that a server has accepted, without the caller's keys; none where the recordings are not."""
    path = SHARED / f"data/wire/{dialect}.jsonl"
    if dialect not in KEYS or not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        requests = [record["request"] for record in map(json.loads, lines) if record["status"] == 200]
    bodies = [{key: request[key] for key in KEYS[dialect] if key in request} for request in requests]
    return [_marked(dialect, body) for body in bodies]
