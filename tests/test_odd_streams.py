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
    assert calls(both) == [("A", "read", {"p": 1}), ("C", "read", {"p": 2})]


def test_a_later_piece_with_the_id_of_another_call_belongs_to_its_index() -> None:
    begun = [piece(0, "A", "read", ""), piece(1, "B", "write", "")]
    swapped = [*begun, piece(1, "A", None, '{"p":2}'), piece(0, "B", None, '{"p":1}'), END]
    assert calls(swapped) == [("A", "read", {"p": 1}), ("B", "write", {"p": 2})]
    # Where all calls have one index, only the id is left.
    alike = [piece(0, "A", "read", ""), piece(0, "B", "write", "")]
    alike += [piece(0, "A", None, '{"p":1}'), piece(0, "B", None, '{"p":2}'), END]
    assert calls(alike) == [("A", "read", {"p": 1}), ("B", "write", {"p": 2})]


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
    # So does the stream of a program that goes on: what was damaged is missing.
    converter, written = tw.replies.StreamConverter(source="openai", target=target), b""  # type: ignore[arg-type]
    for part in (as_bytes(chunk({"content": "a"})), damaged, as_bytes(chunk({}, "stop"))):
        try:
            written += converter.feed_bytes(part)
        except tw.ParseError:
            continue
    reader = tw.StreamAssembler(target)  # type: ignore[arg-type]
    reader.feed_bytes(written + converter.finish())
    assert reader.finish().finish == "error"


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
    assert [written for event in COMPLETE for written in late.feed(event)] == []
    assert "late_text" in [change.code for change in late.receipt]


def test_the_id_and_the_model_may_come_after_a_first_chunk_without_them() -> None:
    first = {"id": "", "model": "", "created": 0, "choices": [], "prompt_filter_results": []}
    chunks = [first, chunk({"content": "hi"}), chunk({}, "stop")]
    for target, ids in (("anthropic", "msg_x"), ("openai-responses", "resp_x"), ("mistral", "x")):
        converter = tw.replies.StreamConverter(source="openai", target=target)  # type: ignore[arg-type]
        events = [event for one in chunks for event in converter.feed(one)] + converter.finish()
        first_event = events[0].get("message", events[0].get("response", events[0]))
        assert (first_event["id"], first_event["model"]) == (ids, "m")
        assert not [loss for loss in converter.receipt if "model" in loss.reason]


def numbered(*deltas: Json) -> list[Json]:
    """Chunks of a server that counts them where the index of the choice belongs. The last one ends the reply."""
    ends = {len(deltas) - 1: "stop"}
    each = [{"index": at, "delta": delta, "finish_reason": ends.get(at)} for at, delta in enumerate(deltas)]
    return [{"id": "x", "model": "m", "choices": [choice]} for choice in each]


def read(chunks: list[Json]) -> tuple[str, str | None, list[str]]:
    """Text, finish and losses of a stream, which a client of another format sees, too."""
    stream = tw.StreamAssembler("openai")
    for one in chunks:
        stream.feed(one)
    reply = stream.finish()
    converter, client = tw.replies.StreamConverter(source="openai", target="anthropic"), tw.StreamAssembler("anthropic")
    for event in [*itertools.chain.from_iterable(map(converter.feed, chunks)), *converter.finish()]:
        client.feed(event)
    seen = client.finish()
    assert (seen.text, seen.finish) == (reply.text, reply.finish)
    lost = [loss.path for loss in converter.receipt if loss.code == "choice"]
    return reply.text, reply.finish, lost


def said(text: str, **more: str) -> Json:
    return {"content": text, **more}


@pytest.mark.parametrize("role", [{}, {"role": "assistant"}])
def test_an_index_that_counts_chunks_numbers_no_choices(role: Json) -> None:
    for end in ({}, {"content": "", **role}):
        assert read(numbered(said("a", **role), said("b", **role), said("c", **role), end)) == ("abc", "stop", [])
    # The last piece may end the reply, and the first one may say nothing.
    assert read(numbered(said("a", **role), said("b", **role))) == ("ab", "stop", [])
    assert read(numbered({"role": "assistant"}, said("a", **role), said("b", **role), {})) == ("ab", "stop", [])
    late = numbered(said("a", **role), said("b", **role), said("c", **role), {})
    for one in late:
        one["choices"][0]["index"] += 1
    assert read(late) == ("abc", "stop", [])


def chosen(*pieces: tuple[int, Json, str | None]) -> list[Json]:
    return [
        {"id": "x", "model": "m", "choices": [{"index": at, "delta": delta, "finish_reason": end}]}
        for at, delta, end in pieces
    ]


def test_of_several_choices_the_first_one_stays() -> None:
    role = {"role": "assistant", "content": ""}
    ends = [(0, {}, "stop"), (1, {}, "length")]
    begun = [(0, role, None), (1, role, None)]
    mixed = chosen(*begun, (0, said("a"), None), (1, said("x"), None), (0, said("b"), None), *ends)
    assert read(mixed) == ("ab", "stop", ["$.choices[1]"])
    # A second choice whose first piece says something waits until the first one goes on.
    spoken = chosen((0, said("a"), None), (1, said("x"), None), (0, said("b"), None), (1, said("y"), None), *ends)
    assert read(spoken) == ("ab", "stop", ["$.choices[1]"])
    behind = chosen((0, said("ab"), "stop"), (1, said("xy"), None), (1, {}, "stop"))
    assert read(behind) == ("ab", "stop", ["$.choices[1]"])
    at_once = {"id": "x", "model": "m", "choices": [mixed[2]["choices"][0], mixed[3]["choices"][0]]}
    assert read([at_once, *mixed[5:]]) == ("a", "stop", ["$.choices[1]"])


WHOLE = {
    "role": "assistant",
    "content": "hi",
    "tool_calls": [{"id": "B", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}],
}


def test_a_whole_message_at_the_end_says_what_no_piece_has_said() -> None:
    end = {"id": "x", "model": "m", "choices": [{"index": 0, "message": WHOLE, "finish_reason": "tool_calls"}]}
    made = piece(0, "A", "f", '{"a":1}')
    for pieces, call in (
        ([], "B"),
        ([chunk({"content": "hi"})], "B"),
        ([made], "A"),
        ([chunk({"content": "hi"}), made], "A"),
    ):
        for delta in ({}, {"role": "assistant", "content": ""}):
            end["choices"][0]["delta"] = delta
            stream = tw.StreamAssembler("openai")
            for one in [*pieces, end]:
                stream.feed(one)
            reply = stream.finish()
            assert (reply.text, [use.id for use in reply.tool_uses]) == ("hi", [call])
    # Some servers send each piece under both keys.
    both = [chunk({"content": text}) for text in ("a", "b", "")]
    for one in both:
        one["choices"][0]["message"] = one["choices"][0]["delta"]
    both[-1]["choices"][0]["finish_reason"] = "stop"
    assert read(both) == ("ab", "stop", [])


@pytest.mark.parametrize("args", [{}, {"args": {}}, {"args": None}, {"args": {"q": 1}}])
@pytest.mark.parametrize("target", [one for one in TARGETS if one != "gemini"])
def test_text_behind_a_call_of_gemini_stays_behind_it(target: str, args: Json) -> None:
    def part(part: Json, **more: Any) -> Json:
        return {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0, **more}]}

    parts = [{"functionCall": {"name": "f", **args}}, {"text": "behind"}]
    chunks = [*map(part, parts), {"candidates": [{"index": 0, "finishReason": "STOP"}]}]
    whole = part({}, finishReason="STOP")
    whole["candidates"][0]["content"]["parts"] = parts
    converter, client = tw.replies.StreamConverter(source="gemini", target=target), tw.StreamAssembler(target)  # type: ignore[arg-type]
    events = [converter.feed(one) for one in chunks]
    assert "behind" in json.dumps(events[1])
    for event in [*itertools.chain.from_iterable(events), *converter.finish()]:
        client.feed(event)
    made = tw.replies.convert_reply(whole, target, source="gemini")  # type: ignore[arg-type]
    sorts = [
        [type(part).__name__ for turn in reply for part in turn.parts]
        for reply in (client.finish(), tw.parse_reply(made.payload, target))  # type: ignore[arg-type]
    ]
    assert sorts[0] == sorts[1]
    told = [
        [change.code for change in receipt if change.code == "order"] for receipt in (converter.receipt, made.receipt)
    ]
    assert told[0] == told[1]
    assert sorts[0] == ["AssistantToolUse", "Text"] or told[0] == ["order"]


@pytest.mark.parametrize("target", ["openai-responses", "openai:groq", "ollama"])
def test_a_chunk_before_the_reply_has_no_time(target: str) -> None:
    """Azure sends one with what its filters say of the prompt."""
    said = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 7, "model": "m"}
    chunks: list[Any] = [
        {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": []},
        {**said, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "hi"}, "finish_reason": None}]},
        {**said, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    out = converted_chunks(chunks, target)
    times = [one.get("created", one.get("created_at")) for event in out for one in (event, event.get("response") or {})]
    assert {time for time in times if time is not None} & {7, "1970-01-01T00:00:07Z"}
    if target != "openai:groq":
        assert 0 not in times


def converted_chunks(chunks: list[Any], target: str) -> list[Any]:
    converter = tw.replies.StreamConverter(source="openai", target=target)
    return [event for chunk in chunks for event in converter.feed(chunk)] + list(converter.finish())
