"""Sound conversations of Mistral, and their judge."""

from dataclasses import replace
from typing import Any

from faults import chat_checker
from faults.judge import Judge
from faults.payload import Json, text
from faults.payload.openai import LINK, PICTURE, fn, said, tools
from faults.payload.view import PDF

from .turns import model, user

JUDGE = Judge(
    wire="mistral",
    sdk="mistralai",
    body={"model": "m"},
    read=chat_checker.read,
    messages={"role", "content", "tool_calls", "tool_call_id", "prefix"},
    narrower=(
        ("type", r"messages\[\]\.content\[\]\.thinking", "the vendor's own validator takes a thought that is one text"),
    ),
    types={"text", "image_url", "document_url", "file", "reference", "input_audio", "thinking"},
)

THOUGHT = {"type": "thinking", "thinking": [text("It is small.")]}
PAPER = {"type": "document_url", "document_url": f"data:application/pdf;base64,{PDF}", "document_name": "a.pdf"}

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
            {"role": "system", "content": [text("Look closely.")]},
            user([text("Two pictures."), PICTURE, LINK]),
            model([THOUGHT, text("I see.")]),
            user([text("And this?"), PAPER]),
        ]
    },
    {
        "messages": [
            user("Look twice."),
            model(
                "", tool_calls=[fn("look", "a12345678"), fn("find", "b12345678", '{"q": "y", "n": [1, {"a": null}]}')]
            ),
            said("a12345678", "first") | {"name": "look"},
            said("b12345678", [text("second")]),
            model("Both are there."),
            user("Once more."),
            model("Of course.", tool_calls=[fn("look", "c12345678", "{}")]),
            said("c12345678", "third"),
        ],
        "tools": tools("look", "find"),
        "tool_choice": "auto",
    },
    {
        "messages": [user("Go on."), model("It goes", prefix=True)],
        "tools": tools("look"),
        "tool_choice": {"type": "function", "function": {"name": "look"}},
    },
]


def thinks(turn: Json) -> bool:
    return isinstance(turn["content"], list) and THOUGHT in turn["content"]


def calls_alone(turn: Json) -> Json:
    return turn | {"content": turn["content"] and None} if "tool_calls" in turn else turn


# By their tokenizers: an assistant's thoughts came with v11, text beside calls with v5.
SILENT = [body for body in OWN if not any(map(thinks, body["messages"]))]
CALLS_ALONE = [body | {"messages": [calls_alone(turn) for turn in body["messages"]]} for body in SILENT]


def tokenizer(version: str) -> Judge:
    return replace(JUDGE, options={"tokenizer": version})


PROFILES: dict[str, tuple[Judge, list[Any]]] = {
    "v3": (tokenizer("v3"), CALLS_ALONE),
    "v7": (tokenizer("v7"), SILENT),
    "v11": (tokenizer("v11"), OWN),
    "v15": (tokenizer("v15"), OWN),
}
