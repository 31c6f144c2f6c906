"""Calls whose pieces have odd places, ids and names, whole in the order of their events or not: each runs once.

The judge of what a client of each format sees is a plain reader of that format.
"""

import json
from typing import Any

import pytest
import stream_readers as readers
import turnwire as tw

Json = Any
Call = tuple[str, Json]


def told(source: Any, chunks: list[Json]) -> list[Call]:
    """The calls that a program is told of, which are those of the reply."""
    stream = tw.StreamAssembler(source)
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    reply = stream.finish()
    named = [event["content"] for event in (*events, *reply.events) if event["type"] == "tool_call"]
    whole = [(use.name, use.args) for use in reply.tool_uses]
    assert sorted(map(str, whole)) == sorted(str((call["name"], call["arguments"])) for call in named)
    return whole


def written(source: Any, target: Any, chunks: list[Json], as_bytes: bool = False) -> readers.Said:
    """What a client of the target reads."""
    converter = tw.replies.StreamConverter(source=source, target=target)
    if as_bytes:
        body = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
        return readers.read(target, readers.events_of(target, converter.feed_bytes(body) + converter.finish()))
    events = [event for chunk in chunks for event in converter.feed(chunk)]
    return readers.read(target, [*events, *converter.finish()])


def check(source: str, chunks: list[Json], expected: list[Call]) -> None:
    """Whether a program and a client of each format get exactly these calls."""
    assert told(source, chunks) == expected
    for target in readers.READERS:
        if target != source:
            for as_bytes in (False, True):
                got = written(source, target, chunks, as_bytes)
                assert [(call[1], call[2]) for call in got.calls] == expected, (target, as_bytes)


def delta(delta: Json, reason: str | None = None) -> Json:
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def piece(place: int | None = None, id: str | None = None, name: str | None = None, args: str | None = None) -> Json:
    function = {key: said for key, said in (("name", name), ("arguments", args)) if said is not None}
    beside = {key: said for key, said in (("index", place), ("id", id)) if said is not None}
    return delta({"tool_calls": [{**beside, "function": function}]})


END = delta({}, "tool_calls")

PIECES: dict[str, tuple[list[Json], list[Call]]] = {
    "continuations without an index under foreign ids": (
        [
            piece(None, "A", "r", ""),
            piece(None, "null", None, '{"p":1}'),
            piece(None, "B", "s", ""),
            piece(None, "null", None, '{"p":2}'),
        ],
        [("r", {"p": 1}), ("s", {"p": 2})],
    ),
    "a late name with another id": (
        [piece(0, "A", None, '{"p":3}'), piece(0, "B", "c", "")],
        [("c", {"p": 3})],
    ),
    "a late name with another id in the middle of the arguments": (
        [piece(0, "A", None, '{"p":'), piece(0, "B", "c", "3}")],
        [("c", {"p": 3})],
    ),
    "a late id": ([piece(0, None, "r", '{"p":1}'), piece(0, "A")], [("r", {"p": 1})]),
    "a late id with empty arguments": ([piece(0, None, "r", '{"p":1}'), piece(0, "A", None, "")], [("r", {"p": 1})]),
    "another id at the end": ([piece(0, "A", "r", '{"p":1}'), piece(0, "B")], [("r", {"p": 1})]),
    "a late name with the id of an earlier call": (
        [piece(0, "X", "b", '{"q":1}'), piece(1, "C", None, '{"p":'), piece(1, "X", "c", "3}")],
        [("b", {"q": 1}), ("c", {"p": 3})],
    ),
    "pieces whose index stays at the first call": (
        [
            piece(0, "A", "r", ""),
            piece(1, "B", "s", ""),
            piece(0, "A", None, '{"a":1}'),
            piece(0, "B", None, '{"b":1}'),
        ],
        [("r", {"a": 1}), ("s", {"b": 1})],
    ),
    "calls whose ids are all the same word": (
        [piece(0, "null", "r", '{"a":1}'), piece(1, "null", "s", '{"b":1}')],
        [("r", {"a": 1}), ("s", {"b": 1})],
    ),
}


@pytest.mark.parametrize("kind", PIECES)
def test_the_place_of_a_piece_decides_and_never_its_id(kind: str) -> None:
    chunks, expected = PIECES[kind]
    check("openai", [*chunks, END], expected)


ARGS = '{"c":"git push"}'


def item(call_id: str | None, args: str, **more: Json) -> Json:
    call = {} if call_id is None else {"call_id": call_id}
    return {"type": "function_call", "id": "fc_1", **call, "name": "run", "arguments": args, **more}


def event(kind: str, **said: Json) -> Json:
    return {"type": f"response.{kind}", **said}


def response(**said: Json) -> Json:
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress", "output": []}
    return head | said


def ended(*output: Json) -> Json:
    return event("completed", response=response(status="completed", output=list(output)))


BEGUN = event("created", response=response())


def added(index: int, item: Json) -> Json:
    return event("output_item.added", output_index=index, item=item)


def done(index: int, item: Json) -> Json:
    return event("output_item.done", output_index=index, item=item)


def grown(index: int) -> Json:
    return event("function_call_arguments.delta", item_id="fc_1", output_index=index, delta=ARGS)


HEAD = [BEGUN, added(0, item("call_a", "")), grown(0)]
SHELL = {"type": "shell_call", "id": "sh_1", "action": {"commands": ["ls"]}, "status": "completed"}
LAST_WORDS: dict[str, tuple[list[Json], list[Call]]] = {
    "the end of the item has another id": (
        [*HEAD, done(0, item("call_b", ARGS)), ended(item("call_b", ARGS))],
        [("run", {"c": "git push"})],
    ),
    "only the response has an end": ([*HEAD, ended(item("call_b", ARGS))], [("run", {"c": "git push"})]),
    "the ends have blank ids": (
        [*HEAD, done(0, item("", ARGS)), ended(item("", ARGS))],
        [("run", {"c": "git push"})],
    ),
    "the ends have no ids": (
        [*HEAD, done(0, item(None, ARGS)), ended(item(None, ARGS))],
        [("run", {"c": "git push"})],
    ),
    "the response lacks an earlier item": (
        [BEGUN, added(1, item("call_a", "")), grown(1), done(1, item("call_a", ARGS)), ended(item("call_b", ARGS))],
        [("run", {"c": "git push"})],
    ),
    "the arguments are spelled otherwise": (
        [*HEAD, done(0, item("call_a", ARGS)), ended(item("call_b", '{ "c": "git push" }', id="fc_9"))],
        [("run", {"c": "git push"})],
    ),
    "two equal calls stay two": (
        [*HEAD, done(0, item("call_a", ARGS)), ended(item("call_b", ARGS), item("call_c", ARGS, id="fc_2"))],
        [("run", {"c": "git push"})] * 2,
    ),
    "a call of a client's own kind": (
        [
            BEGUN,
            added(0, {**SHELL, "call_id": "a"}),
            done(0, {**SHELL, "call_id": "a"}),
            ended({**SHELL, "call_id": "b"}),
        ],
        [("shell", {"commands": ["ls"]})],
    ),
}


@pytest.mark.parametrize("kind", LAST_WORDS)
def test_the_last_word_replaces_a_call_whatever_its_id(kind: str) -> None:
    check("openai-responses", *LAST_WORDS[kind])
    # The client knows the call by the id that came first.
    stream = tw.StreamAssembler("openai-responses")
    events = [event for chunk in LAST_WORDS[kind][0] for event in stream.feed(chunk)]
    ids = [event["content"]["tool_call_id"] for event in events if event["type"] == "tool_call"]
    assert [use.id for use in stream.finish().tool_uses][: len(ids)] == ids


USAGE = {"input_tokens": 3, "output_tokens": 1}


def anthropic(*pieces: str | None) -> list[Json]:
    """A call with pieces of its arguments; None stands for the end of its block."""
    begun = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": USAGE}
    call = {"type": "tool_use", "id": "A", "name": "wipe", "input": {}}

    def one(text: str | None) -> Json:
        if text is None:
            return {"type": "content_block_stop", "index": 0}
        piece = {"type": "input_json_delta", "partial_json": text}
        return {"type": "content_block_delta", "index": 0, "delta": piece}

    return [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": call},
        *map(one, pieces),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]


def interactions(*pieces: str | None) -> list[Json]:
    """The same in Interactions."""

    def one(text: str | None) -> Json:
        if text is None:
            return {"event_type": "step.stop", "index": 0}
        delta = {"type": "arguments_delta", "arguments": text}
        return {"event_type": "step.delta", "index": 0, "delta": delta}

    call = {"type": "function_call", "id": "A", "name": "wipe", "arguments": {}}
    whole = {"id": "v1_1", "status": "requires_action", "model": "m"}
    return [
        {"event_type": "step.start", "index": 0, "step": call},
        *map(one, pieces),
        {"event_type": "interaction.completed", "interaction": whole},
    ]


@pytest.mark.parametrize(("source", "spelled"), [("anthropic", anthropic), ("gemini-interactions", interactions)])
def test_arguments_may_come_behind_the_end_of_their_block(source: str, spelled: Any) -> None:
    for pieces in ((None, '{"path":"/x"}'), ('{"path":"/x"', None, "}"), ('{"path"', None, ':"/x', '"}')):
        check(source, spelled(*pieces), [("wipe", {"path": "/x"})])
    check(source, spelled(None), [("wipe", {})])


def test_arguments_behind_a_call_that_has_begun_another_are_an_error() -> None:
    begun, call, stop, late, *rest = anthropic(None, '{"path":"/x"}')
    other = {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "Done."}}
    stream = tw.replies.StreamConverter(source="anthropic", target="gemini")
    for one in (begun, call, stop, other):
        stream.feed(one)
    with pytest.raises(tw.TurnwireError, match="expected no arguments behind a call that has ended") as caught:
        stream.feed(late)
    assert caught.value.code == "unexpected_chunk"
    assert readers.read("gemini", [event for one in rest for event in stream.feed(one)]).failed


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock", "cohere", "ollama", "mistral"])
def test_text_does_not_wait_for_a_call_without_arguments(target: Any) -> None:
    stream = tw.replies.StreamConverter(source="openai", target=target)
    for one in (piece(0, "A", "r", ""), piece(1, "B", "s", '{"b":1}')):
        stream.feed(one)
    assert "hi" in json.dumps(stream.feed(delta({"content": "hi"})), default=str)
    assert "you" in json.dumps(stream.feed(delta({"content": " you"})), default=str)
    chunks = [piece(0, "A", "r", ""), piece(1, "B", "s", '{"b":1}'), delta({"content": "hi"}), END]
    got = written("openai", target, chunks)
    assert got.text == "hi"
    assert [(call[1], call[2]) for call in got.calls] == [("r", {}), ("s", {"b": 1})]
