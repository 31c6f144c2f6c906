"""Every value can be pickled and copied, and is equal to what it was; nothing claims to know a foreign type."""

import copy
import pickle
from typing import Any
from unittest import mock

import pytest
import turnwire as tw

USE = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "["}}
MESSAGES: list[Any] = [
    {"role": "user", "content": [{"type": "text", "text": "x", "odd key": 1}], "name": "ann"},
    {"role": "assistant", "content": "", "tool_calls": [USE]},
    {"role": "tool", "tool_call_id": "zz", "content": "nobody asked"},
    {"role": "user", "content": "half \ud83d"},
]
PLAIN = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}, "title": "t"}


def plain_document() -> Any:
    turns = tw.Conversation.parse([{"role": "user", "content": [PLAIN]}], "anthropic").turns
    return turns[0].parts[0]


BUILT = tw.spec.MessageBuilder().set_messages(MESSAGES).build("anthropic")
RENDERED = tw.convert(MESSAGES, "anthropic", source="openai")
CHECKED = tw.check([*MESSAGES, {"role": "assistant", "content": "x"}], target="anthropic")
USER = tw.spec.UserMessage.new_prompt("x", "2026-01-02T03:04:05Z")
CALL = tw.parts.AssistantToolUse("c", "f", {"a": 1})
VALUES: dict[str, Any] = {
    "Receipt": BUILT.receipt,
    "Change": BUILT.receipt[-1],
    "renamed": tw.spec.MessageBuilder().set_messages([MESSAGES[0], *MESSAGES[1:3] * 2]).build("anthropic").receipt,
    "what is lost": RENDERED.receipt[0],
    "what is refused": CHECKED[-1],
    "Diff": tw.diff(MESSAGES, MESSAGES[1:]),
    "checked": CHECKED,
    "Conversation": BUILT,
    "Turn": BUILT.turns[0],
    "Text": tw.parts.Text("x"),
    "Media": tw.Media(b"\x89PNG", media_type="image/png", name="p.png"),
    "Media by url": tw.Media(url="https://example.org/a.png"),
    "Media as a data url": tw.Media(url="data:image/png;base64,iVBORw0KGgo="),
    "Media by id": tw.Media(file_id="file-1"),
    "plain document": plain_document(),
    "result with a plain document": tw.ToolUseResult("c", [tw.parts.ToolUseResultBlock.Media(plain_document())]),
    "UserMessage": USER,
    "UserMessageContent": USER.content,
    "UserEnvContext": USER.env_context,
    "EnvState": tw.spec.EnvState("linux", "/"),
    "AssistantMessage": tw.spec.AssistantMessage.new_tool_use("m", "x", [CALL]),
    "AssistantToolUse": CALL,
    "ToolUseResult": tw.ToolUseResult("c", {"a": 1}, status="error"),
    "ToolUseResultBlock": tw.parts.ToolUseResultBlock.Json([1]),
    "ImageBlock": tw.parts.ImageBlock("png", b"\x89PNG"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_survive_pickling_and_copying(name: str) -> None:
    value = VALUES[name]
    for made in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert made == value
        assert hash(made) == hash(value)
        assert (str(made), repr(made)) == (str(value), repr(value))


def test_rendered_survives_pickling_and_copying() -> None:
    for made in (pickle.loads(pickle.dumps(RENDERED)), copy.copy(RENDERED), copy.deepcopy(RENDERED)):
        assert made == RENDERED
        assert repr(made) == repr(RENDERED)
    assert copy.copy(RENDERED).payload is RENDERED.payload
    assert copy.deepcopy(RENDERED).payload is not RENDERED.payload


def test_rendered_is_equal_only_where_all_of_it_is() -> None:
    plain = tw.convert([{"role": "user", "content": "hi"}], "anthropic", source="openai")
    other = tw.convert([{"role": "user", "content": "hi", "odd": 1}], "anthropic", source="openai")
    assert plain.payload == other.payload
    assert plain != other, "their losses differ"
    assert plain == mock.ANY
    assert type(plain).__eq__(plain, 5) is NotImplemented
    with pytest.raises(TypeError):
        hash(plain)


def test_a_plain_document_stays_plain() -> None:
    document = pickle.loads(pickle.dumps(plain_document()))
    (turn,) = tw.Conversation([tw.Turn("user", [document])]).render("anthropic").payload["messages"]
    assert turn["content"] == [PLAIN]
    assert document.kind == "document"


def test_a_receipt_says_the_same_after_pickling() -> None:
    summary = {"summary": "s", "startMessageId": "nobody", "messageIds": []}
    receipt = tw.spec.MessageBuilder().set_messages(MESSAGES).set_compression_summary(summary).build().receipt
    assert [told.reason for told in receipt.only("warning")]
    assert pickle.loads(pickle.dumps(receipt)).to_dict() == receipt.to_dict()


@pytest.mark.parametrize("name", VALUES)
def test_foreign_types_have_their_say_in_equality(name: str) -> None:
    value = VALUES[name]
    assert value == mock.ANY
    assert value == mock.ANY
    assert type(value).__eq__(value, 5) is NotImplemented
    assert value != 5
    assert value != object()


def test_a_streamed_reply_keeps_the_keys_beside_its_turns() -> None:
    stream = tw.StreamAssembler("openai")
    stream.feed({"id": "r", "vendor": {"a": 1}, "choices": [{"index": 0, "delta": {"content": "A"}}]})
    stream.feed({"id": "r", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    reply = stream.finish()
    again = pickle.loads(pickle.dumps(reply))
    made, remade = reply.render("anthropic"), again.render("anthropic")
    assert [loss.path for loss in made.receipt if loss.kind == "lost"] == ["$.vendor"]
    assert (remade.payload, remade.receipt) == (made.payload, made.receipt)
