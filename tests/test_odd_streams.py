"""Streams of servers that leave their format: foreign ids, late names, damaged events, bytes behind the end."""

import itertools
import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
TARGETS = ("openai", "anthropic", "gemini", "bedrock", "ollama", "cohere", "gemini-interactions")


def chunk(delta: Json, reason: str | None = None, **head: Any) -> Json:
    return {
        "id": "x",
        "model": "m",
        "created": 7,
        **head,
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


def piece(index: int, id: str | None = None, name: str | None = None, args: str | None = None) -> Json:
    function = {key: value for key, value in (("name", name), ("arguments", args)) if value is not None}
    return chunk({"tool_calls": [{"index": index, "function": function} | ({} if id is None else {"id": id})]})


END = chunk({}, "tool_calls")


def calls(chunks: list[Json], source: str = "openai") -> list[tuple[str | None, str, Any]]:
    """The calls of a stream, which are the same in its events, and those of a client of another format."""
    stream = tw.StreamAssembler(source)  # type: ignore[arg-type]
    events = [event for one in chunks for event in stream.feed(one)]
    reply = stream.finish()
    told = [event["content"]["arguments"] for event in (*events, *reply.events) if event["type"] == "tool_call"]
    # An event comes when its call is whole, a reply has them in the order of their indices.
    assert sorted(told, key=str) == sorted((use.args for use in reply.tool_uses), key=str)
    converter = tw.replies.StreamConverter(source=source, target="anthropic")  # type: ignore[arg-type]
    client = tw.StreamAssembler("anthropic")
    for event in [*itertools.chain.from_iterable(map(converter.feed, chunks)), *converter.finish()]:
        client.feed(event)
    assert [(use.name, use.args) for use in client.finish().tool_uses] == [
        (use.name, use.args) for use in reply.tool_uses
    ]
    return [(use.id, use.name, use.args) for use in reply.tool_uses]


@pytest.mark.parametrize("foreign", ["null", "z", "B"])
def test_the_index_says_more_than_a_foreign_id_of_later_pieces(foreign: str) -> None:
    parallel = [piece(0, "A", "read", ""), piece(0, foreign, None, '{"p":'), piece(0, foreign, None, "1}")]
    parallel += [piece(1, "B", "read", ""), piece(1, foreign, None, '{"p":'), piece(1, foreign, None, "2}"), END]
    assert calls(parallel) == [("A", "read", {"p": 1}), ("B", "read", {"p": 2})]
    both = [piece(0, "A", "read", ""), piece(1, "C", "read", "")]
    both += [piece(1, foreign, None, '{"p":2}'), piece(0, foreign, None, '{"p":1}'), END]
    if foreign != "B":
        assert calls(both) == [("A", "read", {"p": 1}), ("C", "read", {"p": 2})]


def test_a_name_may_come_late_with_more_arguments() -> None:
    late = [piece(0, "A", None, '{"q":'), piece(0, None, "lookup", '"x"}'), END]
    assert calls(late) == [("A", "lookup", {"q": "x"})]
    two = [
        piece(0, "A", None, '{"q":'),
        piece(0, None, "f", "1}"),
        piece(1, "B", None, "{"),
        piece(1, "B", "g", "}"),
        END,
    ]
    assert calls(two) == [("A", "f", {"q": 1}), ("B", "g", {})]
    # Another call of the same index is none of the first.
    again = [piece(0, "A", "f", '{"q":1}'), piece(0, "B", "g", '{"q":2}'), END]
    assert calls(again) == [("A", "f", {"q": 1}), ("B", "g", {"q": 2})]


def responses(done: list[Json], final: list[Json]) -> list[Json]:
    """The events of calls that have their own, and the final response."""
    events: list[Json] = [{"type": "response.created", "response": {"id": "r", "output": []}}]
    for index, item in enumerate(done):
        at = {"output_index": index, "item_id": item["id"]}
        events += [
            {"type": "response.output_item.added", "output_index": index, "item": {**item, "arguments": ""}},
            {"type": "response.function_call_arguments.delta", **at, "delta": item["arguments"]},
            {"type": "response.function_call_arguments.done", **at, "arguments": item["arguments"]},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]
    return [*events, {"type": "response.completed", "response": {"id": "r", "status": "completed", "output": final}}]


def item(call: str, id: str = "fc_1", args: str = '{"a":1}') -> Json:
    return {"type": "function_call", "id": id, "call_id": call, "name": "f", "arguments": args, "status": "completed"}


def test_the_final_response_may_have_made_its_ids_anew() -> None:
    one = {"a": 1}
    for final in ("fc_1", "fc_9"):
        made = calls(responses([item("a")], [item("b", final)]), "openai-responses")
        assert made == [("a", "f", one)]
    two = responses([item("a"), item("b", "fc_2")], [item("c"), item("d", "fc_2")])
    assert calls(two, "openai-responses") == [("a", "f", one), ("b", "f", one)]
    # Other arguments, or another place, are another call.
    other = responses([item("a")], [item("a"), item("b", "fc_2")])
    assert calls(other, "openai-responses") == [("a", "f", one), ("b", "f", one)]
    other = responses([item("a")], [item("b", "fc_2", '{"a":2}')])
    assert [id for id, _, _ in calls(other, "openai-responses")] == ["a", "b"]


def as_bytes(*chunks: Json) -> bytes:
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks)


@pytest.mark.parametrize("target", [one for one in TARGETS if one != "openai"])
def test_a_damaged_event_never_ends_like_a_complete_reply(target: str) -> None:
    damaged = b'data: {"id":"2","object":"chat.cdata: {"a"\n\n'
    body = as_bytes(chunk({"content": "The answer is "})) + damaged + as_bytes(chunk({}, "stop")) + b"data: [DONE]\n\n"
    for step in (5, len(body)):
        converter, written = tw.replies.StreamConverter(source="openai", target=target), b""  # type: ignore[arg-type]
        with pytest.raises(tw.ParseError):
            for at in range(0, len(body), step):
                written += converter.feed_bytes(body[at : at + step])
        written += converter.finish()
        reader = tw.StreamAssembler(target)  # type: ignore[arg-type]
        reader.feed_bytes(written)
        assert reader.finish().finish == "error"
    # A program that goes on has seen the error.
    converter, written = tw.replies.StreamConverter(source="openai", target=target), b""  # type: ignore[arg-type]
    for part in (as_bytes(chunk({"content": "a"})), damaged, as_bytes(chunk({}, "stop"))):
        try:
            written += converter.feed_bytes(part)
        except tw.ParseError:
            continue
    reader = tw.StreamAssembler(target)  # type: ignore[arg-type]
    reader.feed_bytes(written + converter.finish())
    assert reader.finish().finish == "stop"


COMPLETE = responses([item("a")], [item("a")])
TAILS = [
    b"data: [DONE]\n\n",
    b"event: done\n\n",
    b"event: done\ndata: {}\n\n",
    b": ping\n\n",
    b'event: ping\ndata: {"type": "ping"}\n\n',
    as_bytes({"type": "error", "error": {"type": "x", "message": "late"}}),
    b"\n\n",
    b"nonsense",
]


@pytest.mark.parametrize("tail", TAILS, ids=repr)
@pytest.mark.parametrize("step", [1, 3, 1000])
def test_what_follows_the_end_is_ignored_however_it_is_split(tail: bytes, step: int) -> None:
    for source, body in (
        ("openai-responses", as_bytes(*COMPLETE)),
        ("openai", as_bytes(chunk({"content": "a"}), chunk({}, "stop")) + b"data: [DONE]\n\n"),
    ):
        whole = tw.replies.StreamConverter(source=source, target="anthropic")  # type: ignore[arg-type]
        wanted = whole.feed_bytes(body) + whole.finish()
        converter = tw.replies.StreamConverter(source=source, target="anthropic")  # type: ignore[arg-type]
        written = converter.feed_bytes(body)
        for at in range(0, len(tail), step):
            assert converter.feed_bytes(tail[at : at + step]) == b""
        assert written + converter.finish() == wanted
    late = tw.replies.StreamConverter(source="openai-responses", target="anthropic")
    for event in COMPLETE:
        late.feed(event)
    assert late.feed({"type": "error", "error": {"type": "x", "message": "late"}}) == []
    with pytest.raises(tw.TurnwireError, match="finished"):
        for event in COMPLETE:
            late.feed(event)


def test_the_id_and_the_model_may_come_after_a_first_chunk_without_them() -> None:
    first = {"id": "", "model": "", "created": 0, "choices": [], "prompt_filter_results": []}
    chunks = [first, chunk({"content": "hi"}), chunk({}, "stop")]
    for target, ids in (("anthropic", "msg_x"), ("openai-responses", "resp_x"), ("mistral", "x")):
        converter = tw.replies.StreamConverter(source="openai", target=target)  # type: ignore[arg-type]
        events = [event for one in chunks for event in converter.feed(one)] + converter.finish()
        first_event = events[0].get("message", events[0].get("response", events[0]))
        assert (first_event["id"], first_event["model"]) == (ids, "m")
        assert not [loss for loss in converter.receipt if "model" in loss.reason]
