"""Streams written for any client: their content, however they are cut, and how they end where the source breaks."""

import json
import re
from functools import cache
from itertools import takewhile
from random import Random

import plain_replies as plain
import pytest
import sdk_clients
import stream_makers as makers
import stream_readers as readers
import turnwire as tw
from random_runs import CI, some, tries
from test_replies import records

TARGETS = list(readers.READERS)
# No traffic of front ends was recorded.
FRONT_ENDS = ("ag-ui", "ai-sdk-ui")
RECORDED = [
    (source, target) for source in makers.MAKERS for target in TARGETS if source != target and source not in FRONT_ENDS
]
PAIRS = [(source, target) for source in makers.MAKERS for target in TARGETS if source != target]


def converted(source, target, chunks, **more):
    converter = tw.replies.StreamConverter(source=source, target=target, **more)
    events = [event for chunk in chunks for event in converter.feed(chunk)]
    return [*events, *converter.finish()], converter


def expected(said, target):
    """What a client of the target reads of it. Losses report the rest."""
    without = ("mistral", "cohere", "ollama", "gemini-interactions", "ag-ui")
    finish = "stop" if said.finish == "refusal" and target in without else said.finish
    # A run that ends well has one word for it, and losses report the rest.
    finish = "stop" if finish == "length" and target == "ag-ui" else finish
    reasoning = "" if target == "openai" else said.reasoning
    return said.text, reasoning, said.calls, finish, said.usage


#: Targets with one key for all thoughts of a reply, which keep them apart by a blank line.
ONE_KEY = ("ollama",)


def thoughts_of(source, chunks):
    """The thoughts of a streamed reply, each by itself."""
    assembler = tw.StreamAssembler(source)
    for chunk in chunks:
        assembler.feed(chunk)
    parts = [part for turn in assembler.finish().turns for part in turn.parts]
    return [part.text for part in parts if isinstance(part, tw.parts.Reasoning)]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_was_made_is_what_is_read(source, target):
    for seed in range(tries(40)):
        chunks, said = makers.MAKERS[source](Random(seed))
        events, converter = converted(source, target, chunks)
        got = readers.read(target, events)
        text, reasoning, calls, *rest = expected(said, target)
        if target in ONE_KEY:
            thoughts = thoughts_of(source, chunks)
            assert "".join(thoughts) == reasoning, seed
            reasoning = "\n\n".join(thoughts)
        if target == "mistral":
            # Its requests take only such ids. `test_whole_and_stream.py` compares them with those of whole replies.
            ids = [one[0] for one in got.calls]
            assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in ids) and len({*ids}) == len(ids), seed
            calls = [(made, *one[1:]) for made, one in zip(ids, calls, strict=True)]
        assert (got.text, got.reasoning, got.calls) == (text, reasoning, calls), seed
        assert [got.finish, got.usage] == rest, seed
        assert not converter.abort
        if said.reasoning and target == "openai":
            assert "reasoning" in {loss.code for loss in converter.receipt}


def told(losses):
    """Codes and paths."""
    return sorted((loss.kind, loss.code, loss.path) for loss in losses)


def tells_what_a_whole_reply_tells(source, target, chunks):
    assembler = tw.StreamAssembler(source)
    for chunk in chunks:
        assembler.feed(chunk)
    reply = assembler.finish()
    if reply.finish == "error":
        return False
    # A broken stream reports nothing. No stream has media, and the end has its own words.
    apart = {"media", "finish"}
    if source == "ag-ui":
        # A run names its model at its end, when a stream has begun.
        apart.add("stand_in")
    whole = [loss for loss in reply.render(target).receipt if loss.code not in apart]
    _, converter = converted(source, target, chunks)
    assert told(loss for loss in converter.receipt if loss.code not in apart) == told(whole)
    return True


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_stream_reports_the_losses_of_the_whole_reply(source, target):
    assert all(
        tells_what_a_whole_reply_tells(source, target, makers.MAKERS[source](Random(seed))[0]) for seed in range(40)
    )


@pytest.mark.parametrize(("source", "target"), RECORDED)
def test_a_recorded_stream_reports_the_losses_of_the_whole_reply(source, target):
    streams = [plain.chunks(record["stream"]) for record in records(source) if record["stream"]]
    assert sum(tells_what_a_whole_reply_tells(source, target, chunks) for chunks in streams)


def thinking(*blocks):
    """An Anthropic stream of blocks, each with its pieces."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    chunks = [{"type": "message_start", "message": message}]
    for index, (block, *deltas) in enumerate(blocks):
        chunks.append({"type": "content_block_start", "index": index, "content_block": block})
        chunks += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        chunks.append({"type": "content_block_stop", "index": index})
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
    return [*chunks, end, {"type": "message_stop"}]


def test_signatures_reach_the_other_wire_of_their_models():
    """Both wires of Claude verify its reasoning when it comes back, also where its text is left out."""
    for seed in range(tries(200)):
        rng = Random(seed)
        blocks, wanted = [], []
        for number in range(rng.randint(1, 4)):
            text = rng.choice(["", "hm", "one, two"])
            signature = f"c2ln{number}"
            pieces = [{"type": "thinking_delta", "thinking": piece} for piece in makers.cut(rng, text)] if text else []
            # Some servers send the signature with the start of its block.
            early = signature if rng.random() < 0.3 else ""
            signed = [] if early else [{"type": "signature_delta", "signature": signature}]
            blocks.append(({"type": "thinking", "thinking": "", "signature": early}, *pieces, *signed))
            wanted.append((text, signature))
        chunks = thinking(*blocks)
        there, converter = converted("anthropic", "bedrock", chunks)
        # No stream has the latency, and none of Bedrock's the model.
        assert [loss.code for loss in converter.receipt] == ["stand_in"], seed
        back, converter = converted("bedrock", "anthropic", there)
        assert [loss.code for loss in converter.receipt] == ["stand_in"], seed
        assembler = tw.StreamAssembler("anthropic")
        for event in back:
            assembler.feed(event)
        [message] = tw.Conversation(assembler.finish()).render("anthropic").payload["messages"]
        content = message["content"]
        assert [(block["thinking"], block["signature"]) for block in content] == wanted, seed


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "anthropic"])
def test_reasoning_that_no_other_wire_has_is_reported(target):
    words = {"type": "thinking_delta", "thinking": "hm"}
    signed = {"type": "signature_delta", "signature": "c2ln"}
    hidden = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
    chunks = thinking(({"type": "thinking", "thinking": "", "signature": ""}, words, signed), (hidden,))
    _, converter = converted("anthropic", target, chunks)
    codes = [loss.code for loss in converter.receipt if loss.kind == "lost"]
    first = {"bedrock": [], "openai": ["reasoning"]}.get(target, ["signature"])
    assert codes == [*first, "reasoning"]


def asking(source):
    """A request with tools whose names the wire refuses, and the names that went out."""
    owns = [f"my.tool number {number} {'x' * 130}" for number in range(3)]
    tools = [{"type": "function", "function": {"name": own, "parameters": {"type": "object"}}} for own in owns]
    sent = tw.prepare({"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": tools}, source)
    return sent, {own: wire for wire, own in sent.names.items()}


def renamed(value, names):
    """The same chunks with other names of tools, by text: nothing else in them looks like a name."""
    text = json.dumps(value)
    for old, new in names.items():
        text = text.replace(json.dumps(old), json.dumps(new))
    return json.loads(text)


@pytest.mark.parametrize("source", sorted({*makers.MAKERS} - {"ag-ui", "ai-sdk-ui"}))
def test_only_names_change_in_a_stream_for_its_own_wire(source):
    request, wires = asking(source)
    ours = {f"tool_{number}": own for number, own in enumerate(sorted(wires))}
    theirs = {f"tool_{number}": wires[own] for number, own in enumerate(sorted(wires))}
    assert len(set(theirs.values())) == 3
    called = 0
    for seed in range(60):
        rng = Random(seed)
        chunks, said = makers.MAKERS[source](rng)
        called += len(said.calls)
        came, wanted = renamed(chunks, theirs), renamed(chunks, ours)
        events, converter = converted(source, source, came, request=request)
        assert (events, (*converter.receipt,)) == (wanted, ()), seed
        texts = [json.dumps(chunk, ensure_ascii=rng.random() < 0.5) for chunk in came]
        assert converted(source, source, texts, request=request)[0] == wanted, seed
        # Everything except the names is the same, byte for byte.
        body, told = (makers.as_bytes(source, part, Random(seed)) for part in (came, wanted))
        cuts = sorted(rng.randint(0, len(body)) for _ in range(rng.randint(0, 40)))
        converter = tw.replies.StreamConverter(source=source, target=source, request=request)
        pieces = [
            converter.feed_bytes(body[start:end]) for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)
        ]
        assert b"".join([*pieces, converter.finish()]) == told, seed
    assert called > 20


def test_a_name_inside_arguments_is_the_models_own_word():
    request, wires = asking("gemini")
    own, wire = next(iter(wires.items()))
    call = {"functionCall": {"name": wire, "args": {"name": wire, "in": [{"name": wire}]}}, "thoughtSignature": "c2ln"}
    chunk = {"candidates": [{"content": {"role": "model", "parts": [call]}, "finishReason": "STOP"}]}
    [event], converter = converted("gemini", "gemini", [chunk], request=request)
    [part] = event["candidates"][0]["content"]["parts"]
    assert part == {**call, "functionCall": {**call["functionCall"], "name": own}}
    assert not converter.receipt.changed


def test_ids_are_what_the_target_takes():
    for seed in range(tries(20)):
        chunks, said = makers.MAKERS["openai"](Random(seed))
        events, _ = converted("openai", "mistral:v3", chunks)
        got = readers.read("mistral", events)
        assert [call[1:] for call in got.calls] == [call[1:] for call in said.calls]
        assert len({id for id, *_ in got.calls}) == len(got.calls)
        assert all(len(id) == 9 and id.isalnum() for id, *_ in got.calls)
        # A generated id is written only where the target needs one.
        bare = [json.loads(json.dumps(chunk).replace('"id": "call_', '"no": "call_')) for chunk in chunks]
        events, _ = converted("openai", "anthropic", bare)
        assert all(id for id, *_ in readers.read("anthropic", events).calls)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_bytes_cut_anywhere_are_the_same_events(source, target):
    for seed in range(40, 46):
        rng = Random(seed)
        chunks, _ = makers.MAKERS[source](rng)
        body = makers.as_bytes(source, chunks, rng)
        whole = tw.replies.StreamConverter(source=source, target=target)
        written = whole.feed_bytes(body) + whole.finish()
        cuts = sorted(rng.randint(0, len(body)) for _ in range(rng.randint(0, 40)))
        by_piece = tw.replies.StreamConverter(source=source, target=target)
        pieces = [
            by_piece.feed_bytes(body[start:end]) for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)
        ]
        assert b"".join([*pieces, by_piece.finish()]) == written
        events, _ = converted(source, target, chunks)
        assert readers.events_of(target, written) == events


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_text_is_written_with_the_chunk_that_brought_it(source, target):
    for seed in range(tries(20)):
        chunks, said = makers.MAKERS[source](Random(seed))
        if said.calls:
            continue
        converter, assembler = tw.replies.StreamConverter(source=source, target=target), tw.StreamAssembler(source)
        for chunk in chunks:
            told = "".join(event["content"] for event in assembler.feed(chunk) if event["type"] == "text")
            written = converter.feed(chunk)
            assert json.dumps(told)[1:-1] in json.dumps(written)


@pytest.mark.parametrize(("source", "target"), [*PAIRS, *((wire, wire) for wire in makers.MAKERS)])
def test_a_source_that_breaks_is_noticed(source, target):
    """Broken off before each event, and in the middle of it, until the source has ended; and with its own error."""
    for seed in range(60, 66):
        chunks, _ = makers.MAKERS[source](Random(seed))
        for at in range(len(chunks)):
            for behind in ([], [makers.ERRORS[source]]):
                fed = [*chunks[:at], *behind]
                if not fed:
                    continue
                assembler = tw.StreamAssembler(source)
                for chunk in fed:
                    assembler.feed(chunk)
                if assembler.finish().finish != "error":
                    assert not behind
                    continue
                events, converter = converted(source, target, fed)
                if source == target:
                    assert events[: len(fed)] == fed
                    assert behind or len(events) > len(fed) or converter.abort
                    continue
                got = readers.read(target, events)
                assert got.failed
                assert got.finish is None
                assert converter.abort is (target in ("cohere", "gemini-interactions"))
                if behind:
                    assert "Overloaded" in json.dumps(events)
            body = makers.as_bytes(source, chunks[:at], mark=False)
            half = makers.as_bytes(source, chunks[at : at + 1])
            converter = tw.replies.StreamConverter(source=source, target=target)
            written = converter.feed_bytes(body + half[: len(half) // 2])
            try:
                rest = converter.finish()
            except tw.ParseError:
                continue
            if source == target:
                assert converter.abort or rest == b"" or at == len(chunks) - 1
            elif tw.StreamAssembler(source).finish().finish == "error" and at < len(chunks) - 2:
                assert readers.read(target, readers.events_of(target, written + rest)).failed


# The last chunk but for what follows it, where the provider holds an answer back: what it is in place of the usual one.
REFUSED = {
    "openai": lambda chunk: [choice.update(finish_reason="content_filter") for choice in chunk["choices"]],
    "openai-responses": lambda chunk: (
        chunk.update(type="response.incomplete"),
        chunk["response"].update(status="incomplete", incomplete_details={"reason": "content_filter"}),
    ),
    "anthropic": lambda chunk: chunk["delta"].update(stop_reason="refusal"),
    "gemini": lambda chunk: chunk["candidates"][0].update(finishReason="SAFETY"),
    "bedrock": lambda chunk: chunk["messageStop"].update(stopReason="guardrail_intervened"),
    "ai-sdk-ui": lambda chunk: chunk.update(finishReason="content-filter"),
}
USUAL = ('"finish_reason": "', '"response.completed"', '"response.incomplete"', '"stop_reason": "', '"finishReason"')
USUAL += ('"stopReason"',)


def refused(source, seed):
    """A stream whose answer, or whose call, the provider holds back at its end without a word."""
    chunks, said = makers.MAKERS[source](Random(seed))
    last = [chunk for chunk in chunks if any(mark in json.dumps(chunk) for mark in USUAL)][-1]
    REFUSED[source](last)
    return chunks, said


@pytest.mark.parametrize(("source", "target"), [pair for pair in PAIRS if pair[0] in REFUSED])
def test_a_refusal_without_words_is_kept_or_reported(source, target):
    """Whole replies say the same as their streams."""
    sorts = set()
    for seed in range(tries(60)):
        chunks, said = refused(source, seed)
        sorts.add((bool(said.text), bool(said.calls)))
        events, converter = converted(source, target, chunks)
        got = readers.read(target, events)
        codes = {loss.code for loss in converter.receipt}
        assert got.finish == "refusal" or "finish" in codes, (seed, got.finish, codes)
        calls = [] if got.failed else [call[1:] for call in said.calls]
        assert (got.text, [call[1:] for call in got.calls]) == (said.text, calls), seed
        stream = tw.StreamAssembler(source)
        for chunk in chunks:
            stream.feed(chunk)
        reply = stream.finish()
        assert reply.finish in ("refusal", "filtered"), seed
        whole = reply.render(target)
        assert "finish" in {loss.code for loss in whole.receipt} or got.finish == "refusal", seed
    assert len(sorts) == 4


# --- The official clients ---


def of_sdks(pairs):
    """The pairs with an SDK for the target here; the package that reads `ai-sdk-ui` is in the adapters' environment."""
    return [(source, target) for source, target in pairs if target != "ai-sdk-ui"]


@pytest.mark.parametrize(("source", "target"), of_sdks(RECORDED))
def test_clients_read_what_was_recorded(source, target):
    client_reads_what_was_recorded(source, target)


def client_reads_what_was_recorded(source, target):
    streams = [record["stream"] for record in records(source) if record["stream"]]
    for stream in some(streams, TARGETS.index(target)):
        chunks = plain.chunks(stream)
        assembler = tw.StreamAssembler(source)
        for chunk in chunks:
            assembler.feed(chunk)
        reply = assembler.finish()
        converter = tw.replies.StreamConverter(source=source, target=target)
        got = sdk_clients.read(target, [converter.feed_bytes(makers.as_bytes(source, chunks)), converter.finish()])
        if reply.finish == "error":
            assert got.error
            continue
        assert got.error is None
        assert got.text == reply.text
        assert [call[1:] for call in got.calls] == [
            (use.name, use.args if use.args is not None else use.args_text) for use in reply.tool_uses
        ]
        if reply.tokens.input is not None and reply.tokens.output is not None:
            assert got.usage == (reply.tokens.input, reply.tokens.output)
        if finish_of(got, target) != reply.finish:
            # A meaning for which the target has no word is reported.
            assert reply.finish in ("paused", "other", "refusal", *(["length"] if target == "ag-ui" else []))
            assert "finish" in {loss.code for loss in converter.receipt}


def finish_of(got, target):
    """The meaning of a client's word for the end."""
    if got.calls and got.stop in ("STOP", "completed", "stop", "success"):
        return "tool_calls"
    return readers.WORD.get(got.stop, got.stop)


@pytest.mark.parametrize(("source", "target"), of_sdks(PAIRS))
def test_clients_notice_what_broke(source, target):
    client_notices_what_broke(source, target)


def client_notices_what_broke(source, target):
    chunks, _ = makers.MAKERS[source](Random(7))
    for at in some(range(len(chunks)), TARGETS.index(target)):
        assembler = tw.StreamAssembler(source)
        for chunk in chunks[:at]:
            assembler.feed(chunk)
        if assembler.finish().finish != "error":
            continue
        converter = tw.replies.StreamConverter(source=source, target=target)
        writes = [converter.feed_bytes(makers.as_bytes(source, [chunk], mark=False)) for chunk in chunks[:at]]
        writes.append(converter.finish())
        got = sdk_clients.read(target, writes, cut=converter.abort)
        assert got.error or converter.abort


@pytest.mark.parametrize(("source", "target"), RECORDED)
def test_a_recorded_stream_that_breaks_is_noticed(source, target):
    """Broken off before any event until the source has ended; the official client reads a few of these."""
    rng, seen = Random(f"{source} {target}"), 0
    for chunks, broken in some(recorded_breaks(source), TARGETS.index(target)):
        asked = set(rng.sample(broken, min(2, len(broken)))) if sdk_clients.has_client(target) else set()
        # Long streams have hundreds of such places. CI breaks them at each, a run by hand at some.
        for at in broken if CI else asked.union(rng.sample(broken, min(20, len(broken)))):
            events, converter = converted(source, target, chunks[:at])
            got = readers.read(target, events)
            assert (got.failed or converter.abort) and got.finish is None
            seen += 1
            if at in asked:
                converter = tw.replies.StreamConverter(source=source, target=target)
                body = makers.as_bytes(source, chunks[:at], mark=False)
                writes = [converter.feed_bytes(body), converter.finish()]
                assert sdk_clients.read(target, writes, cut=converter.abort).error or converter.abort
    assert seen


@cache
def recorded_breaks(source):
    """The chunks of each recorded stream, and the places before its end."""
    found = []
    for chunks in (plain.chunks(record["stream"]) for record in records(source) if record["stream"]):
        prefixes = (chunks[:at] for at in range(1, len(chunks)))
        found.append((chunks, list(map(len, takewhile(lambda fed: not ended(source, fed), prefixes)))))
    return [(chunks, broken) for chunks, broken in found if broken]


def ended(source, chunks):
    """Whether the source's own client accepts these chunks as a whole reply."""
    assembler = tw.StreamAssembler(source)
    for chunk in chunks:
        assembler.feed(chunk)
    return assembler.finish().finish != "error"


def test_agents_get_the_sequences_that_they_need():
    chunks, said = makers.MAKERS["openai"](Random(3))
    # Codex reads items only from their end events, and the response's id from the last event.
    events, _ = converted("openai", "openai-responses", chunks)
    assert [event["type"] for event in events[:2]] == ["response.created", "response.in_progress"]
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert sorted((item["call_id"], item["name"]) for item in done if item["type"] == "function_call") == [
        call[:2] for call in said.calls
    ]
    last = events[-1]["response"]
    assert last["id"] == events[0]["response"]["id"] == "resp_c1"
    assert {"input_tokens", "output_tokens", "total_tokens"} <= set(last["usage"])
    assert {"parallel_tool_calls", "tool_choice", "tools"} <= set(last)
    # Claude Code: counts in the first event, the true ones at the end.
    events, _ = converted("openai", "anthropic", chunks)
    assert events[0]["message"]["usage"] == {"input_tokens": 0, "output_tokens": 0}
    assert events[-2]["usage"]["input_tokens"] == said.usage[0]
    assert events[-1] == {"type": "message_stop"}


# --- Effects of the request ---


TOOLS = [{"type": "function", "function": {"name": "look up", "parameters": {"type": "object"}}}]


def test_calls_have_the_callers_names():
    request = {"messages": [{"role": "user", "content": "x"}], "tools": TOOLS}
    ready = tw.prepare([{"role": "user", "content": "x"}], "anthropic", tools=TOOLS)
    (wire_name,) = [tool["name"] for tool in ready.payload["tools"]]
    assert wire_name != "look up"
    begun = {"id": "msg_1", "model": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 1}}
    chunks = [
        {"type": "message_start", "message": begun},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "a", "name": wire_name},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    for asked in (request, ready):
        for target in ("openai", "anthropic"):
            events, _ = converted("anthropic", target, chunks, request=asked)
            assert readers.read(target, events).calls == [("a", "look up", {})]


@pytest.mark.parametrize("source", list(makers.MAKERS))
def test_calls_of_tools_that_take_free_text_are_free_text_again(source):
    """However their pieces are cut; the calls of other tools do not change."""
    body = {"model": "m", "input": "x", "tools": [{"type": "custom", "name": "tool_1"}]}
    for seed in range(tries(40)):
        chunks, said = makers.MAKERS[source](Random(seed))
        events, _ = converted(source, "openai-responses", chunks, request=body)
        if source == "openai-responses":
            assert events == chunks
            continue
        wanted = {id: args for id, name, args in said.calls if name == "tool_1"}
        got = [event["item"] for event in events if event["type"] == "response.output_item.done"]
        custom = {item["call_id"]: item["input"] for item in got if item["type"] == "custom_tool_call"}
        assert {id: json.loads(text or "{}") for id, text in custom.items()} == wanted
        deltas = [event for event in events if event["type"] == "response.custom_tool_call_input.delta"]
        assert len(deltas) <= len(wanted)
        others = [item["call_id"] for item in got if item["type"] == "function_call"]
        assert sorted([*others, *wanted]) == sorted(call[0] for call in said.calls)


def test_counts_come_where_the_client_asks_for_them():
    chunks, _ = makers.MAKERS["anthropic"](Random(1))
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True}
    for request, wanted in [
        (None, True),
        (body, False),
        ({**body, "stream_options": {"include_usage": True}}, True),
        ({**body, "stream_options": {"include_usage": False}}, False),
        (json.dumps(body).encode(), False),
    ]:
        events, _ = converted("anthropic", "openai", chunks, request=request)
        assert (events[-1]["choices"] == []) is wanted


def test_a_response_repeats_its_request():
    chunks, _ = makers.MAKERS["anthropic"](Random(1))
    body = {"model": "m", "input": "x", "instructions": "Be brief.", "temperature": 0.5, "tool_choice": "none"}
    events, _ = converted("anthropic", "openai-responses", chunks, request=body)
    for event in (events[0], events[-1]):
        response = event["response"]
        assert {key: response[key] for key in ("instructions", "temperature", "tool_choice", "tools")} == {
            "instructions": "Be brief.",
            "temperature": 0.5,
            "tool_choice": "none",
            "tools": [],
        }


# --- Bad input ---


def test_an_error_instead_of_a_stream():
    body = b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'
    for target in TARGETS:
        converter = tw.replies.StreamConverter(source="anthropic", target=target)
        written = converter.feed_bytes(body) + converter.finish()
        if target == "anthropic":
            # Its own client reads events.
            assert written == b"event: error\ndata: " + body.replace(b": ", b":").replace(b", ", b",") + b"\n\n"
        else:
            assert readers.read(target, readers.events_of(target, written)).failed
            assert b"Overloaded" in written


def test_nothing_at_all_is_no_reply():
    for source in makers.MAKERS:
        for target in TARGETS:
            converter = tw.replies.StreamConverter(source=source, target=target)
            written = converter.finish()
            assert converter.abort or readers.read(target, readers.events_of(target, written)).failed


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_nothing_follows_the_end(source, target):
    chunks, _ = makers.MAKERS[source](Random(2))
    body = makers.as_bytes(source, chunks)
    converter = tw.replies.StreamConverter(source=source, target=target)
    written = converter.feed_bytes(body)
    if source != "gemini":
        # The source itself has ended: so does the target, and another stream needs another converter.
        got = readers.read(target, readers.events_of(target, written))
        assert got.finish
        assert converter.feed_bytes(body) == converter.feed_bytes(b"data: [DONE]\n\n") == b""
        told = [change.code for change in converter.receipt].count("late_text")
        assert told == bool(got.text or got.calls) or (told == 1 and not got.text)
        assert converter.finish() == b""
    else:
        assert readers.read(target, readers.events_of(target, written + converter.finish())).finish
    for again in (converter.finish, lambda: converter.feed_bytes(b""), lambda: converter.feed({})):
        with pytest.raises(tw.TurnwireError) as caught:
            again()
        assert caught.value.code == "finished"


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_a_second_reply_after_the_mark_of_the_end_is_not_read(step):
    body = b'data: {"type":"response.output_text.delta","delta":"one"}\n\ndata: [DONE]\n\n'
    converter, written = tw.replies.StreamConverter(source="openai-responses", target="openai"), b""
    both = body + body.replace(b"one", b"two") + b"data: {torn"
    for at in range(0, len(both), step):
        written += converter.feed_bytes(both[at : at + step])
    assert "late_text" in [change.code for change in converter.receipt]
    written += converter.finish()
    assert readers.read("openai", readers.events_of("openai", written)).text == "one"


def test_text_that_only_the_end_has_is_reported():
    def delta(text):
        return {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}

    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello world."}]}
    end = {"type": "response.completed", "response": {"id": "r", "status": "completed", "output": [said]}}
    for target in set(TARGETS) - {"openai-responses"}:
        for pieces, told in (["Hello", " world."], False), (["Hello"], False), ([" world."], True):
            converter = tw.replies.StreamConverter(source="openai-responses", target=target)
            for chunk in [*map(delta, pieces), end]:
                converter.feed(chunk)
            converter.finish()
            assert ("late_text" in {loss.code for loss in converter.receipt}) is told


def test_a_chunk_that_cannot_be_read_is_an_error_and_so_is_the_end():
    for target in set(TARGETS) - {"openai"}:
        converter = tw.replies.StreamConverter(source="openai", target=target)
        chunk = {"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": None}]}
        events = converter.feed(chunk)
        for bad in (b"{", {"choices": 7}, [1]):
            with pytest.raises(tw.ParseError):
                converter.feed(bad)
        chunk["choices"][0] = {"index": 0, "delta": {"content": "b"}, "finish_reason": "stop"}
        events += converter.feed(chunk)
        events += converter.finish()
        pieces = [str(event) for event in events if "'a'" in str(event) or "'b'" in str(event)]
        assert len(pieces) >= 2
        assert readers.read(target, events).failed


def test_what_is_no_wire_with_replies():
    for pair in (("openai", "sharegpt"), ("llama", "openai"), ("openai", "nobody")):
        with pytest.raises(tw.UnknownDialectError):
            tw.replies.StreamConverter(source=pair[0], target=pair[1])
    with pytest.raises(TypeError, match="source"):
        tw.replies.StreamConverter(source=3, target="openai")
    with pytest.raises(TypeError, match="data"):
        tw.replies.StreamConverter(source="openai", target="anthropic").feed_bytes("text")
    converter = tw.replies.StreamConverter(source="openai", target="anthropic")
    assert repr(converter) == 'StreamConverter("openai", "anthropic")'
    assert ((*converter.receipt,), converter.abort) == ((), False)


def test_halves_of_a_character_and_control_characters_stay():
    delta = [
        {"delta": {"content": text}, "index": 0, "finish_reason": None}
        for text in ("\ud83d", "\ude00", "\x00", "\udc00")
    ]
    chunks = [{"id": "c", "model": "m", "choices": [choice]} for choice in delta]
    end = {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    # Responses repeats a text as a whole, where the two halves are one character.
    for target in set(TARGETS) - {"openai", "openai-responses"}:
        events, _ = converted("openai", target, [*chunks, end])
        assert readers.read(target, events).text in ("\ud83d\ude00\x00\udc00", "😀\x00\udc00")


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "anthropic"])
def test_what_the_target_cannot_express_is_reported(target):
    """No other stream can express searches that the provider ran, and citations."""
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    cited = {"type": "web_search_result_location", "url": "https://e.org", "title": "t", "cited_text": "c"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    chunks = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": search},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Oslo"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": cited}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    events, converter = converted("anthropic", target, chunks)
    assert readers.read(target, events).text == "Oslo"
    told = {(loss.code, loss.path.rpartition(".")[2]) for loss in converter.receipt if loss.kind == "lost"}
    assert {("opaque", "content[0]"), ("key", "citations")} <= told


USED = {"input_tokens": 1, "output_tokens": 1}
CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
# Chunks whose last one has keys beside the message, and the paths of these keys in the whole reply.
BESIDE = [
    (
        "anthropic",
        [
            {
                "type": "message_start",
                "message": {
                    "id": "m",
                    "type": "message",
                    "role": "assistant",
                    "model": "m",
                    "content": [],
                    "usage": USED,
                },
            },
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "container": {"id": "c", "expires_at": "t"}},
                "usage": USED,
                "context_management": {"applied_edits": [{"type": "clear_tool_uses_20250919"}]},
            },
            {"type": "message_stop"},
        ],
        ["$.container", "$.context_management"],
    ),
    (
        "openai",
        [
            {**CHUNK, "obfuscation": "x", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}]},
            {
                **CHUNK,
                "moderation": {"flagged": True},
                "choices": [
                    {"index": 0, "delta": {}, "finish_reason": "stop", "logprobs": {"content": [{"token": "a"}]}}
                ],
            },
        ],
        ["$.choices[0].logprobs", "$.moderation"],
    ),
    (
        "gemini",
        [
            {"modelVersion": "m", "candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}, "index": 0}]},
            {
                "modelVersion": "m",
                "modelStatus": {"message": "old"},
                "candidates": [
                    {
                        "content": {"role": "model", "parts": [{"text": "b"}]},
                        "finishReason": "STOP",
                        "groundingMetadata": {"webSearchQueries": ["q"]},
                    }
                ],
            },
        ],
        ["$.candidates[0].groundingMetadata", "$.modelStatus"],
    ),
    (
        "bedrock",
        [
            {"messageStart": {"role": "assistant"}},
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "a"}}},
            {"contentBlockStop": {"contentBlockIndex": 0}},
            {"messageStop": {"stopReason": "end_turn", "additionalModelResponseFields": {"stop_sequence": "s"}}},
            {
                "metadata": {
                    "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
                    "metrics": {"latencyMs": 1},
                    "trace": {"guardrail": {"actionReason": "r"}},
                }
            },
        ],
        ["$.additionalModelResponseFields", "$.trace"],
    ),
]


@pytest.mark.parametrize(("source", "chunks", "paths"), BESIDE, ids=[source for source, _, _ in BESIDE])
@pytest.mark.parametrize("target", ["openai-responses", "cohere", "mistral"])
def test_keys_beside_the_message_are_told_as_of_a_whole_reply(source, chunks, paths, target):
    converter, assembler = tw.replies.StreamConverter(source=source, target=target), tw.StreamAssembler(source)
    for chunk in chunks:
        converter.feed(chunk)
        assembler.feed(chunk)
    converter.finish()
    for losses in (converter.receipt, assembler.finish().render(target).receipt):
        assert sorted(loss.path for loss in losses if loss.code == "key") == paths


FREE = 'print("\u00fc\n")'
ITEM = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "run", "input": FREE}
ANSWER = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [ITEM]}
FREE_TEXT = [
    {"type": "response.created", "response": {**ANSWER, "status": "in_progress", "output": []}},
    {"type": "response.output_item.added", "output_index": 0, "item": {**ITEM, "input": ""}},
    *(
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "item_id": "ctc_1", "delta": piece}
        for piece in FREE
    ),
    {"type": "response.custom_tool_call_input.done", "output_index": 0, "item_id": "ctc_1", "input": FREE},
    {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
    {"type": "response.completed", "response": ANSWER},
]


@pytest.mark.parametrize("target", [one for one in TARGETS if one != "openai-responses"])
def test_free_text_of_a_call_is_under_a_key_where_the_target_has_no_such_calls(target):
    events, converter = converted("openai-responses", target, FREE_TEXT)
    whole = tw.parse_reply(tw.replies.convert_reply(ANSWER, target, source="openai-responses").payload, target)
    assembler = tw.StreamAssembler(target)
    for event in events:
        assembler.feed(event)
    streamed = assembler.finish()
    assert [(call.name, call.args) for call in streamed.tool_uses] == [
        (call.name, call.args) for call in whole.tool_uses
    ]
    assert streamed.tool_uses[0].args == ({"input": FREE} if target != "openai" else None)
    assert [loss.path for loss in converter.receipt if loss.code == "arguments"] == (
        ["$.output[0]"] if target != "openai" else []
    )


CALL = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": ""}


def damaged_call(pieces, whole, last):
    """A Responses stream whose pieces are not the beginning of the arguments that come whole."""
    at = {"output_index": 0, "item_id": "fc"}
    done = {**CALL, "arguments": whole}
    ends = {
        "arguments": {"type": "response.function_call_arguments.done", **at, "arguments": whole},
        "item": {"type": "response.output_item.done", "output_index": 0, "item": done},
    }
    return [
        {"type": "response.created", "response": {"id": "r", "model": "m", "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": CALL},
        *({"type": "response.function_call_arguments.delta", **at, "delta": piece} for piece in pieces),
        ends[last],
        {
            "type": "response.completed",
            "response": {"id": "r", "model": "m", "status": "completed", "output": [done]},
        },
    ]


@pytest.mark.parametrize("last", ["arguments", "item"])
@pytest.mark.parametrize("pieces", [['{"q":', "X}"], ['{"q":"much longer', "..."], ["{", '"p":1}}']])
@pytest.mark.parametrize("target", [target for source, target in PAIRS if source == "openai-responses"])
def test_whole_arguments_replace_damaged_pieces_or_are_a_loss(target, pieces, last):
    events, converter = converted("openai-responses", target, damaged_call(pieces, '{"q":1}', last))
    reader = tw.StreamAssembler(target)
    for event in events:
        reader.feed(event)
    [call] = reader.finish().tool_uses
    lost = [loss.path for loss in converter.receipt if loss.code == "late_text"]
    if target in ("gemini", "mistral", "ollama", "ai-sdk-ui"):
        assert (call.args_state, call.args) == ("object", {"q": 1})
        assert lost == []
    else:
        assert call.args_state != "object"
        assert lost == ["$.output[0]"]


def test_events_tell_the_whole_arguments_of_a_call_with_damaged_pieces():
    stream = tw.StreamAssembler("openai-responses", events="full")
    told = [event for chunk in damaged_call(['{"q":', "X}"], '{"q":1}', "item") for event in stream.feed(chunk)]
    assert {"type": "call_whole", "content": {"call": 0, "arguments": '{"q":1}'}} in told
    [call] = stream.finish().tool_uses
    assert call.args == {"q": 1}
    other = tw.StreamAssembler("openai-responses", events="full")
    sound = damaged_call(['{"q"', ":1}"], '{"q":1}', "item")
    assert "call_whole" not in [event["type"] for chunk in sound for event in other.feed(chunk)]


@pytest.mark.parametrize("arguments", ['{"path": "lib', '{"path": "lib"}'])
@pytest.mark.parametrize("target", ["gemini", "mistral", "ollama"])
def test_a_call_that_was_cut_is_a_loss_where_calls_are_written_whole(target, arguments):
    chunks = [
        {"type": "message_start", "message": {"id": "msg_1", "model": "m", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c", "name": "f"}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": arguments},
        },
    ]
    for ending in ([], [makers.ERRORS["anthropic"]]):
        events, converter = converted("anthropic", target, [*chunks, *ending])
        assert "lib" not in json.dumps(events)
        assert (converter.receipt[-1].code, converter.receipt[-1].path) == ("empty_turn", "$")


def test_a_plan_and_an_answer_come_in_one_order_from_cohere():
    """As a whole reply and as a stream, and as parts of their own."""
    said = {
        "role": "assistant",
        "tool_plan": "I look.",
        "content": [{"type": "text", "text": "Wait."}],
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    }
    whole = {"id": "i", "finish_reason": "TOOL_CALL", "message": said, "usage": {}}
    chunks = [
        {"type": "message-start", "id": "i", "delta": {"message": {"role": "assistant", "content": []}}},
        {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I "}}},
        {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "look."}}},
        {
            "type": "content-start",
            "index": 0,
            "delta": {"message": {"content": {"type": "text", "text": ""}}},
        },
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Wait."}}}},
        {"type": "content-end", "index": 0},
        {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": said["tool_calls"][0]}}},
        {"type": "tool-call-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": {}}},
    ]
    for target, expected in (("anthropic", ["I look.", "Wait."]), ("openai", ["I look.Wait."])):
        events, _ = converted("cohere", target, chunks)
        reader = tw.StreamAssembler(target)
        for event in events:
            reader.feed(event)
        answer = tw.parse_reply(tw.replies.convert_reply(whole, target, source="cohere").payload, target)
        for reply in (answer, reader.finish()):
            assert [
                part.text for turn in reply.turns for part in turn.parts if isinstance(part, tw.parts.Text)
            ] == expected


@pytest.mark.parametrize("given", [{}, {"arguments": None}, {"arguments": "{}"}, {"arguments": {}}])
@pytest.mark.parametrize("target", [target for target in TARGETS if target != "ollama"])
def test_each_call_of_ollama_is_one_also_without_arguments_or_an_id(target, given):
    calls = [{"function": {"name": "f", **given}}, {"function": {"name": "f", "arguments": {"a": 1}}}]
    message = {"role": "assistant", "content": "", "tool_calls": calls}
    end = {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
    events, _ = converted("ollama", target, [{"model": "m", "message": message, "done": False}, end])
    reader = tw.StreamAssembler(target)
    for event in events:
        reader.feed(event)
    assert [(call.name, call.args) for call in reader.finish().tool_uses] == [("f", {}), ("f", {"a": 1})]


@pytest.mark.parametrize("target", [target for source, target in PAIRS if source == "openai"])
def test_a_call_whose_name_comes_after_another_call_keeps_it(target):
    def piece(more, **function):
        return {"choices": [{"index": 0, "delta": {"tool_calls": [{**more, "function": function}]}}]}

    chunks = [
        piece({"id": "a"}),
        piece({"id": "b"}, name="f"),
        piece({}, arguments='{"q":"b"}'),
        piece({"id": "a"}, name="g"),
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    events, _ = converted("openai", target, chunks)
    reader = tw.StreamAssembler(target)
    for event in events:
        reader.feed(event)
    assert [(call.name, call.args) for call in reader.finish().tool_uses] == [("g", {}), ("f", {"q": "b"})]
