"""Every function accepts every conversation object of ours."""

import json

import pytest
import turnwire as tw

CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}
ASKED = {"role": "user", "content": "find it"}
ANSWERED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
FOUND = {"role": "tool", "tool_call_id": "c1", "content": "here"}
MESSAGES = [ASKED, ANSWERED, FOUND]
TARGETS = [name for name in tw.dialects() if ":" not in name]


def history():
    return tw.MessageHistory(MESSAGES, "openai")


OURS = {
    "history": history,
    "subclass": lambda: type("Mine", (tw.MessageHistory,), {})(MESSAGES, "openai"),
    "conversation": lambda: tw.Conversation.parse(MESSAGES, "openai"),
    "turns": lambda: list(tw.Conversation.parse(MESSAGES, "openai")),
    "list": lambda: MESSAGES,
    "payload": lambda: {"messages": MESSAGES},
    "body": lambda: {"model": "m", "messages": MESSAGES},
    "json": lambda: json.dumps({"messages": MESSAGES}),
    "rendered": lambda: tw.convert(MESSAGES, "openai", source="openai"),
    "rendered bytes": lambda: tw.convert_json(MESSAGES, "openai", source="openai"),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("form", OURS)
def test_every_form_is_the_same_to_every_function(form, target):
    given = OURS[form]
    expected = tw.prepare(MESSAGES, target, source="openai").payload
    assert tw.prepare(given(), target, source="openai").payload == expected
    assert json.loads(tw.prepare_json(given(), target, source="openai").payload) == expected
    assert tw.spec.MessageBuilder().set_messages(given(), "openai").build(target).render(target).payload == expected
    plain = tw.convert(MESSAGES, target, source="openai").payload
    assert tw.convert(given(), target, source="openai").payload == plain
    assert json.loads(tw.convert_json(given(), target, source="openai").payload) == plain
    codes = [finding.code for finding in tw.check(MESSAGES, target, source="openai")]
    # Only a body has settings.
    found = [
        finding.code for finding in tw.check(given(), target, source="openai") if finding.code != "foreign_setting"
    ]
    assert found == codes


@pytest.mark.parametrize("form", [form for form in OURS if form != "turns"])
def test_detect_names_the_dialect(form):
    assert tw.detect(OURS[form]()) == "openai"


def test_a_reply_is_a_conversation():
    answer = {"role": "assistant", "content": [{"type": "text", "text": "hello"}], "type": "message"}
    reply = tw.parse_reply(answer, "anthropic")
    for given in (reply, list(reply)):
        assert tw.convert(given, "openai").payload["messages"] == [{"role": "assistant", "content": "hello"}]
        ready = tw.prepare(given, "openai")
        assert json.loads(tw.prepare_json(given, "openai").payload) == ready.payload
        assert {one.code for one in tw.check(given)} <= {"starts_with_assistant"}
    assert tw.detect(reply) == "anthropic"


def test_a_conversation_takes_another():
    whole = tw.Conversation.parse(MESSAGES, "openai")
    assert tw.Conversation(history()) == tw.Conversation(list(whole))
    assert list(tw.Conversation(["first"]).extended(history()))[1:] == list(whole)
    assert tw.Conversation.parse(whole) is whole


def test_detect_of_what_was_read_from_several():
    mixed = tw.MessageHistory()
    mixed.add_user_message("hello")
    mixed.add_raw_message(ANSWERED)
    assert tw.detect(mixed) == "openai"
    with pytest.raises(tw.UnknownDialectError) as failed:
        tw.detect(tw.Conversation(["hello"]))
    assert failed.value.code == "no_dialect"


def test_a_foreign_object_is_read_like_any_other():
    class Broken:
        @property
        def conversation(self):
            raise RuntimeError("not now")

        def to_dict(self):
            return {"messages": MESSAGES}

    assert tw.prepare(Broken(), "openai").payload["messages"] == MESSAGES
