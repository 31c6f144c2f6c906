"""The chats of Mistral, Ollama and Cohere: recorded traffic, unchanged, and prepared payloads, judged."""

import json

import pytest
import recordings
import turnwire as tw
from judges import wire

KEYS = ("messages", "tools", "tool_choice")
CHATS = ("mistral", "ollama", "cohere")
SOURCES = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "cohere", "mistral")
#: Mistral's traffic was recorded by a client of Chat Completions.
FILES = {"mistral": "openai"}
#: Mistral's own validator knows a tokenizer by its name.
TOKENIZERS = {"mistral": "v13", "mistral:v3": "v3", "mistral:v7": "v7", "mistral:v11": "v11", "mistral:v15": "v15"}
#: What cannot be sent: nothing that the target accepts is left, or the assistant is first, which Mistral refuses.
UNSENDABLE = {"empty_messages", "ends_with_assistant", "starts_with_assistant"}


def requests(dialect):
    records = recordings.records(FILES.get(dialect, dialect))
    return [one["request"] for one in records if dialect != "mistral" or one["host"] == "api.mistral.ai"]


@pytest.mark.parametrize("dialect", ["mistral", "cohere"])
def test_recorded_requests_replay(dialect):
    found = requests(dialect)
    assert len(found) == {"mistral": 34, "cohere": 1}[dialect]
    for request in found:
        expected = json.dumps({key: value for key, value in request.items() if key in KEYS})
        rendered = tw.convert(request, dialect, source=dialect)
        assert json.dumps(rendered.payload) == expected
        text = tw.convert_json(json.dumps(request), dialect, source=dialect)
        assert json.dumps(json.loads(text.payload)) == expected
        assert not rendered.receipt.changed and not text.receipt.changed


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", [*TOKENIZERS, "ollama", "cohere"])
def test_what_is_prepared_is_accepted(source, target):
    # Every third is enough for the profiles, which differ in a few columns.
    step = 3 if ":" in target else 1
    findings, sent = [], 0
    for number, request in enumerate(requests(source)[::step]):
        try:
            ready = tw.prepare(request, target, source=source)
        except tw.BuildError as error:
            assert error.code in UNSENDABLE, f"request {number}: {error}"
            continue
        sent += 1
        findings += [f"request {number}: {problem}" for problem in wire.refused(target, ready.payload)]
        by_text = json.dumps(request, separators=(",", ":"))
        assert ready.payload == json.loads(tw.prepare_json(by_text, target, source=source).payload)
    assert findings == []
    assert sent > 0


def test_a_thought_of_mistral_that_is_one_text_is_read_in_a_stream_as_in_a_whole_reply():
    thought = {"type": "thinking", "thinking": "hm"}
    chunks = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": [thought]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"content": "said"}, "finish_reason": "stop"}]},
    ]
    stream = tw.StreamAssembler("mistral")
    events = [event for chunk in chunks for event in stream.feed({"id": "1", "model": "m", **chunk})]
    assert events == [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "said"}]
    message = {"role": "assistant", "content": [thought, {"type": "text", "text": "said"}]}
    whole = tw.parse_reply({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}, "mistral")
    for reply in (stream.finish(), whole):
        [turn] = reply
        assert [getattr(part, "text", None) for part in turn.parts] == ["hm", "said"]


def test_a_result_of_a_legacy_call_names_its_tool_also_where_it_is_added_later():
    asked = [{"role": "user", "content": "q"}]
    asked.append({"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}})
    conversation = tw.Conversation.parse(asked, "openai")
    [call] = conversation.pending_tool_uses
    answered = conversation.extended([tw.ToolUseResult(call.id, "r")])
    function = {"role": "function", "name": "f", "content": "r"}
    assert answered.render("openai").payload == {"messages": [*asked, function]}
    tool = {"role": "tool", "tool_call_id": call.id, "content": "r"}
    for messages in ([*asked, function], [*asked, tool]):
        assert tw.prepare(messages, "openai").payload == {"messages": [*asked, function]}
