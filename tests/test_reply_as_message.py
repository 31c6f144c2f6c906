"""A whole reply where a message or a list belongs: the error says which part to pass, and that works."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import turnwire as tw

CHAT = {"role": "assistant", "content": "hi"}
REPLIES: dict[str, tuple[dict[str, Any], str, Callable[[Any], Any]]] = {
    "openai": (
        {"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": CHAT}]},
        "pass response.choices[0].message",
        lambda reply: [reply["choices"][0]["message"]],
    ),
    "openai-responses": (
        {
            "id": "resp_1",
            "object": "response",
            "status": "completed",
            "output": [
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": "hi", "annotations": []}],
                }
            ],
        },
        "pass response.output",
        lambda reply: reply["output"],
    ),
    "gemini": (
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "hi"}]}, "finishReason": "STOP"}]},
        "pass response.candidates[0].content",
        lambda reply: [reply["candidates"][0]["content"]],
    ),
    "bedrock": (
        {"output": {"message": {"role": "assistant", "content": [{"text": "hi"}]}}, "stopReason": "end_turn"},
        "pass response.output.message",
        lambda reply: [reply["output"]["message"]],
    ),
    "ollama": (
        {"model": "m", "created_at": "2026-11-24T00:00:00Z", "message": CHAT, "done": True},
        "pass response.message",
        lambda reply: [reply["message"]],
    ),
    "cohere": (
        {
            "id": "x",
            "finish_reason": "COMPLETE",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
        },
        "pass response.message",
        lambda reply: [reply["message"]],
    ),
    "anthropic": (
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": "hi"}],
            "stop_reason": "end_turn",
            "usage": {},
        },
        "which is a reply of anthropic: put it into a list",
        lambda reply: [reply],
    ),
}

DOORS: dict[str, Callable[[Any], Any]] = {
    "prepare": lambda given: tw.prepare(given, "openai"),
    "prepare_json": lambda given: tw.prepare_json(json.dumps(given), "openai"),
    "convert": lambda given: tw.convert(given, "openai"),
    "check": lambda given: tw.check(given, "openai"),
    "parse": tw.Conversation.parse,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("dialect", REPLIES)
def test_a_reply_alone(dialect: str, door: str) -> None:
    reply, way_out, message = REPLIES[dialect]
    with pytest.raises(tw.ParseError) as raised:
        DOORS[door](reply)
    assert way_out in str(raised.value)
    # The part that the error names works.
    DOORS[door](message(reply) if door != "prepare" else [{"role": "user", "content": "q"}, *message(reply)])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("dialect", [name for name in REPLIES if name != "anthropic"])
def test_a_reply_among_messages(dialect: str, door: str) -> None:
    reply, way_out, _ = REPLIES[dialect]
    with pytest.raises(tw.ParseError) as raised:
        DOORS[door]([{"role": "user", "content": "q"}, reply])
    assert way_out in str(raised.value) and raised.value.path == "$[1]"


@pytest.mark.parametrize("source", ["openai", "anthropic", "openai-responses"])
def test_a_reply_among_messages_of_a_named_dialect(source: Any) -> None:
    reply, way_out, _ = REPLIES["openai"]
    with pytest.raises(tw.TurnwireError) as raised:
        tw.convert([{"role": "user", "content": "q"}, reply], "openai", source=source)
    assert way_out in str(raised.value)


@pytest.mark.parametrize(
    "given",
    [
        {"choice": 1},
        {"id": "x"},
        {"output": []},
        {"message": CHAT},
        {"role": "user", "choices": 1},
        {"role": "assistant", "message": "m", "done": True},
        {"type": "function_call_output", "output": "x", "status": "completed"},
        {"type": "function_call_output", "output": "x", "object": "o"},
    ],
)
@pytest.mark.parametrize("source", ["auto", "openai", "anthropic", "openai-responses"])
def test_what_is_no_reply_is_called_none(given: dict[str, Any], source: Any) -> None:
    for payload in ([given], given):
        try:
            tw.convert(payload, "openai", source=source)
        except tw.TurnwireError as error:
            assert "response" not in str(error).replace("openai-responses", "")


@pytest.mark.parametrize("dialect", [name for name in REPLIES if name != "anthropic"])
def test_a_reply_added_to_a_history_or_a_builder(dialect: str) -> None:
    reply, way_out, _ = REPLIES[dialect]
    history = tw.MessageHistory()
    adds: list[Callable[[], object]] = [
        lambda: history.add_raw_message(reply),
        lambda: history.add_raw_message(reply, "openai"),
        lambda: tw.MessageHistory([reply]),
        lambda: tw.spec.MessageBuilder().set_messages([reply]),
        lambda: tw.detect(reply),
        lambda: tw.detect([reply]),
    ]
    for add in adds:
        with pytest.raises(tw.TurnwireError) as raised:
            add()
        assert way_out in str(raised.value)
    assert not history.get_messages()


def test_objects_of_the_sdks() -> None:
    openai = pytest.importorskip("openai.types.chat", reason="the openai SDK is not here")
    anthropic = pytest.importorskip("anthropic.types", reason="the anthropic SDK is not here")
    choice = {"index": 0, "finish_reason": "stop", "message": CHAT}
    completion = openai.ChatCompletion.model_validate(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    )
    message = anthropic.Message.model_validate(
        {
            **REPLIES["anthropic"][0],
            "model": "m",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )
    question = {"role": "user", "content": "q"}
    for given in (completion, [question, completion]):
        with pytest.raises(tw.ParseError, match=r"pass response\.choices\[0\]\.message"):
            tw.prepare(given, "openai")
    assert tw.prepare([question, completion.choices[0].message, question], "openai").payload
    with pytest.raises(tw.ParseError, match="which is a reply of anthropic: put it into a list"):
        tw.prepare(message, "anthropic")
    assert tw.prepare([question, message, question], "anthropic").payload


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("antropic", "anthropic"),
        ("claude", "anthropic"),
        ("google", "gemini"),
        ("gpt-4o", "openai"),
        ("opanai", "openai"),
    ],
)
def test_a_name_of_no_dialect_leads_to_one(wrong: Any, right: str) -> None:
    for call in (
        lambda: tw.prepare([], wrong),
        lambda: tw.convert([], wrong, source="openai"),
        lambda: tw.check([], target=wrong),
        lambda: tw.Conversation.parse([], wrong),
    ):
        with pytest.raises(tw.UnknownDialectError, match=f"(did you mean|the API that you call:) .*{right}"):
            call()
