"""What a target refuses of its own format, and what a build for it writes instead: by hand, a case for each rule."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

PNG = "iVBORw0KGgo="


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def model(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def said(text: str) -> Json:
    return {"text": text}


def use(name: str, **more: Any) -> Json:
    return {"toolUse": {"toolUseId": name, "name": "f", **({"input": {}} | more)}}


def result(name: str, *blocks: Json, **more: Any) -> Json:
    return {"toolResult": {"toolUseId": name, "content": list(blocks), **more}}


def image(kind: str) -> Json:
    return {"image": {"format": kind, "source": {"bytes": PNG}}}


def document(name: str, **more: Any) -> Json:
    return {"document": {"format": "pdf", "name": name, "source": {"bytes": "JVBERi0xLjQK"}, **more}}


FILM = {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://b/v"}}}}
SOUND = {"audio": {"format": "mp3", "source": {"bytes": "SUQz"}}}

BEDROCK: dict[str, tuple[list[Json], list[Json], list[str]]] = {
    "sides that do not alternate": (
        [user(said("a")), user(said("b")), model(said("c")), model(said("d")), user(said("e"))],
        [user(said("a"), said("b")), model(said("c"), said("d")), user(said("e"))],
        ["merged_turn", "merged_turn"],
    ),
    "a document whose neighbour brings the text": (
        [user(document("n")), user(said("q"))],
        [user(document("n"), said("q"))],
        ["merged_turn"],
    ),
    "documents of one name, one in a result, and a name that is refused": (
        [
            user(said("q"), document("n"), document("n", context="c"), document("a.b")),
            model(use("c1")),
            user(result("c1", document("n"), document("m"))),
        ],
        [
            user(said("q"), document("n"), document("n 2", context="c"), document("a-b")),
            model(use("c1")),
            user(result("c1", document("n 3"), document("m"))),
        ],
        ["wrong_media", "wrong_media", "wrong_media"],
    ),
    "blank text, calls without arguments or with a list, JSON that is no object": (
        [
            user(said("q"), said("  ")),
            model({"toolUse": {"toolUseId": "c1", "name": "f"}}, use("c2", input={"a": 1})),
            user(result("c1", {"json": [1]}), result("c2", {"json": {"a": 1}})),
        ],
        [
            user(said("q")),
            model(use("c1"), use("c2", input={"a": 1})),
            user(result("c1", said("[1]")), result("c2", {"json": {"a": 1}})),
        ],
        ["blank_text", "reshaped", "reshaped"],
    ),
    "an image of another format, film from the assistant, sound in a result": (
        [user(said("q"), image("jpeg")), model(said("a"), FILM, use("c1")), user(result("c1", SOUND))],
        [
            user(said("q"), image("png")),
            model(said("a"), use("c1")),
            user(result("c1"), said("Media from the result of tool call c1:"), SOUND),
        ],
        ["wrong_media", "misplaced_media", "misplaced_media"],
    ),
}


@pytest.mark.parametrize("name", BEDROCK)
def test_converse(name: str) -> None:
    messages, expected, changes = BEDROCK[name]
    built = tw.MessageBuilder().set_messages(messages, "bedrock").build(target="bedrock")
    assert [entry.code for entry in built.receipt] == changes
    assert built.render("bedrock").payload == {"messages": expected}
    again = tw.MessageBuilder().set_messages(expected, "bedrock").build(target="bedrock")
    assert not again.receipt
    assert tw.MessageBuilder().set_messages(built).build(target="bedrock") == built


def test_converse_around_the_list() -> None:
    spec = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
    mark = {"cachePoint": {"type": "default"}}
    body = {
        "system": [said("s"), mark, image("png"), said(" ")],
        "messages": [user(said("q"))],
        "toolConfig": {
            "tools": [spec, mark, {"toolSpec": {"name": "g", "description": ""}}, {"name": "h", "parameters": {}}],
            "toolChoice": "required",
        },
    }
    built = tw.MessageBuilder().set_messages(body, "bedrock").build(target="bedrock")
    changes = ["blank_text", "moved_system", "reshaped", "reshaped", "reshaped"]
    assert sorted(entry.code for entry in built.receipt) == changes
    empty = {"json": {"type": "object"}}
    assert built.render("bedrock").payload == {
        "system": [said("s"), mark],
        "messages": [user(said("q"))],
        "toolConfig": {
            "tools": [
                spec,
                mark,
                {"toolSpec": {"name": "g", "inputSchema": empty}},
                {"toolSpec": {"name": "h", "inputSchema": empty}},
            ],
            "toolChoice": {"any": {}},
        },
    }
