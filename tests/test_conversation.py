"""`Conversation` and `Turn`: reading, growing, equality, pickling, pending calls."""

import copy
import json
import pickle
from collections import UserDict
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{ "a": 1 }'}}
PAYLOAD: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"content": "Look. 見て", "role": "user", "name": "ann"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}},
        }
    ],
    "tool_choice": "auto",
}


def parsed() -> tw.Conversation:
    return tw.Conversation.parse(PAYLOAD, "openai")


def test_parse_and_render_are_equal_with_the_same_key_order() -> None:
    assert repr(parsed().render("openai").payload) == repr(PAYLOAD)
    data = json.dumps(PAYLOAD).encode()
    assert tw.Conversation.parse(data, "openai").render_json("openai").payload == data
    assert tw.Conversation.parse(data.decode(), "openai") == parsed()


def test_parse_copies_containers_and_keeps_strings() -> None:
    payload = copy.deepcopy(PAYLOAD)
    text = payload["messages"][1]["content"]
    conversation = tw.Conversation.parse(payload, "openai")
    payload["messages"][1]["content"] = "changed"
    payload["messages"].pop()
    assert len(conversation) == 4
    assert conversation.turns[1].parts[0].text is text
    assert conversation.render("openai").payload["messages"][1]["content"] is text


def test_what_a_conversation_shows() -> None:
    conversation = parsed()
    assert [turn.role for turn in conversation] == ["system", "user", "assistant", "tool"]
    assert conversation.system is None
    assert conversation.tools[0]["parameters"] == {"type": "object", "properties": {}}
    match conversation[2]:
        case tw.Turn("assistant", (tw.parts.AssistantToolUse() as use,)):
            assert (use.id, use.name, use.args, use.args_text) == ("c1", "f", {"a": 1}, '{ "a": 1 }')
        case other:
            raise AssertionError(other)
    assert repr(conversation.turns[1]) == "Turn(\"user\", [Text('Look. 見て')])"


def test_built_by_hand() -> None:
    conversation = tw.Conversation(
        [
            "Hello",
            tw.Turn("assistant", [tw.parts.Text("One moment."), tw.parts.AssistantToolUse("c1", "f", {"a": 1})]),
            tw.ToolUseResult("c1", "done"),
        ],
        system="Be kind.",
        tools=[{"name": "f", "parameters": {"type": "object"}}],
    )
    rendered = conversation.render("openai").payload
    assert rendered["messages"][0] == {"role": "system", "content": "Be kind."}
    assert rendered["messages"][1] == {"role": "user", "content": "Hello"}
    assert json.loads(rendered["messages"][2]["tool_calls"][0]["function"]["arguments"]) == {"a": 1}
    assert rendered["messages"][3] == {"role": "tool", "tool_call_id": "c1", "content": "done"}
    assert rendered["tools"] == [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    anthropic = conversation.render("anthropic").payload
    assert anthropic["tools"][0]["input_schema"] == {"type": "object"}
    assert tw.Conversation.parse(rendered, "openai").turns[1:] == conversation.turns


def test_typed_messages_are_turns() -> None:
    use = tw.parts.AssistantToolUse("c1", "f", {"a": 1})
    conversation = tw.Conversation(
        [
            tw.spec.UserMessage.new_prompt("Hello"),
            tw.spec.AssistantMessage.new_tool_use("m1", "Looking.", [use]),
            tw.spec.UserMessage.new_tool_use_results([tw.ToolUseResult("c1", "done")]),
        ]
    )
    messages = conversation.render("openai").payload["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool"]
    assert messages[0]["content"] == "Hello"


def test_extended_shares_and_leaves_the_old_one_alone() -> None:
    conversation = parsed()
    more = conversation.extended("And now?").extended([tw.ToolUseResult("c2", "x")])
    assert (len(conversation), len(more)) == (4, 6)
    assert more.turns[:4] == conversation.turns
    assert repr(more.render("openai").payload["messages"][:4]) == repr(PAYLOAD["messages"])
    assert conversation.extended([]) == conversation


@given(steps=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 3), st.booleans()), max_size=90))
def test_extended_from_any_of_many_is_their_turns_in_order(steps: list[tuple[int, int, bool]]) -> None:
    grown = [(parsed(), parsed().turns)]
    for number, (of, count, looked_at) in enumerate(steps):
        before, turns = grown[of % len(grown)]
        added = [tw.Turn("user", [tw.parts.Text(f"{number} {one}")]) for one in range(count)]
        after = before.extended(added)
        grown.append((after, (*turns, *added)))
        assert len(after) == len(grown[-1][1])
        if looked_at:
            assert after.turns == grown[-1][1]
    for conversation, turns in grown:
        assert conversation.turns == turns
        assert conversation == tw.Conversation(turns) or not turns


def test_pending_tool_uses() -> None:
    calls = [{**CALL, "id": name} for name in ("a", "b", "c")]
    calls[2] = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"cut": "sho'}}
    conversation = tw.Conversation.parse([{"role": "assistant", "content": None, "tool_calls": calls}], "openai")
    assert [use.id for use in conversation.pending_tool_uses] == ["a", "b"]
    answered = conversation.extended(tw.ToolUseResult("a", "x"))
    assert [use.id for use in answered.pending_tool_uses] == ["b"]
    assert parsed().pending_tool_uses == ()


def test_equality_is_by_what_is_said() -> None:
    there = parsed().render("anthropic").payload
    home = tw.Conversation.parse(there, "anthropic").render("openai").payload
    assert tw.Conversation.parse(home, "openai").turns[1:3] == parsed().turns[1:3]
    assert parsed() == tw.Conversation.parse(copy.deepcopy(PAYLOAD), "openai")
    assert parsed() != parsed().extended("x")
    assert parsed() != "x"
    assert hash(parsed()) == hash(tw.Conversation.parse(copy.deepcopy(PAYLOAD), "openai"))


COPIES = [lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("door", ["objects", "bytes"])
@pytest.mark.parametrize("copied", COPIES)
def test_pickling_replays(door: str, copied: Any) -> None:
    payload: Any = PAYLOAD if door == "objects" else json.dumps(PAYLOAD).encode()
    conversation = tw.Conversation.parse(payload, "openai").extended(["more", tw.ToolUseResult("zz", "late")])
    again = copied(conversation)
    assert again == conversation
    assert repr(again.render("openai").payload) == repr(conversation.render("openai").payload)
    assert repr(again.render("anthropic").payload) == repr(conversation.render("anthropic").payload)
    assert again.turns[1] == conversation.turns[1]


def test_pickling_keeps_hand_made_conversations() -> None:
    conversation = tw.Conversation(
        ["a\ud800", tw.Turn("user", [tw.Media(b"\x89PNG", media_type="image/png", name="x.png")])],
        system=["s", "t"],
        tools=[
            {"name": "f", "parameters": {}},
            {"type": "function", "function": {"name": "g", "strict": True}, "cache_control": {"type": "ephemeral"}},
            {"type": "custom", "custom": {"name": "run", "description": "Runs it."}},
        ],
    )
    again = pickle.loads(pickle.dumps(conversation))
    assert again == conversation
    for target in ("openai", "anthropic"):
        there, back = conversation.render(target), again.render(target)
        assert (back.payload, back.receipt) == (there.payload, there.receipt)
    # The image's name, and the tools.
    places = ["$.tools[0]", "$.tools[1]", "$.tools[1].cache_control", "$.tools[2]", "$[1]"]
    assert [loss.path for loss in there.receipt] == places
    assert there.payload["tools"][2]["input_schema"]["required"] == ["input"]
    assert (again.system, again.tools) == ("s\nt", conversation.tools)


@pytest.mark.parametrize("copied", COPIES)
def test_copies_know_that_an_id_was_made_up(copied: Any) -> None:
    legacy = [
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "ok"},
        {"role": "user", "content": [{"type": "odd"}]},
    ]
    (call,), (result,), (odd,) = (turn.parts for turn in tw.Conversation.parse(legacy, "openai"))
    made = tw.Conversation(["go", tw.Turn("assistant", [copied(call)])]).render("anthropic")
    assert [(loss.code, loss.reason) for loss in made.receipt] == [("renamed_id", "the call came without an id")]
    # With a part from Chat Completions in the turn, a result is written in that format: by the name of its function.
    there = tw.Conversation([tw.Turn("tool", [copied(result), odd])]).render("openai")
    assert there.payload["messages"][0] == legacy[1]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("whole", [True, False])
def test_copies_know_that_a_result_is_a_stand_in(copied: Any, whole: bool) -> None:
    cut = {**CALL, "id": "c", "function": {"name": "f", "arguments": '{"cut": "sho'}}
    given = [{"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [cut]}]
    user, asked, stand_in = tw.spec.MessageBuilder().set_messages(given, source="openai").build()
    (result,) = stand_in.parts
    late = tw.Conversation([user, asked, copied(stand_in if whole else result), tw.ToolUseResult("c", "real")])
    built = tw.spec.MessageBuilder().set_messages(late).build()
    assert [message["content"] for message in built.render("openai").payload["messages"][2:]] == ["real"]


def test_media() -> None:
    media = tw.Media(b"abc", media_type="image/png")
    assert (media.kind, media.data, media.media_type) == ("image", "YWJj", "image/png")
    linked = tw.Media(url="data:image/gif;base64,AAAA")
    assert (linked.kind, linked.data, linked.media_type) == ("image", "AAAA", "image/gif")
    assert tw.Media(file_id="f").kind == "document"
    with pytest.raises(TypeError):
        tw.Media()
    with pytest.raises(TypeError):
        tw.Media(b"x", url="y")
    with pytest.raises(TypeError):
        tw.Media(5)  # type: ignore[arg-type]


def test_values_are_frozen() -> None:
    for value in (parsed(), parsed().turns[0], tw.parts.Text("x"), tw.Media(b"")):
        with pytest.raises(AttributeError):
            value.role = "x"


def test_bad_turns() -> None:
    with pytest.raises(tw.TurnwireError) as failure:
        tw.Turn("robot", "x")  # type: ignore[arg-type]
    assert failure.value.code == "unknown_role"
    for call in (
        lambda: tw.Turn("user", [5]),
        lambda: tw.Conversation([{"role": "user"}]),
        lambda: tw.Conversation("x", tools=5),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(tw.TurnwireError) as nameless:
        tw.Conversation(tools=[{"description": "d"}])
    assert (nameless.value.code, nameless.value.path) == ("missing_key", "$.tools[0]")


@pytest.mark.parametrize(
    "take",
    [
        lambda: tw.Conversation({"role": "user", "content": "x"}),
        lambda: tw.Conversation([{"role": "user", "content": "x"}]),
        lambda: tw.Conversation(["hi"]).extended({"role": "assistant", "content": "yo"}),
        lambda: tw.Conversation(["hi"]).extended([{"role": "assistant", "content": "yo"}]),
        lambda: tw.Conversation(["hi"]).extended(UserDict(role="assistant", content="yo")),
        lambda: tw.Conversation(["hi"], system={"text": "be kind"}),
        lambda: tw.Conversation(["hi"], system=["be kind", 5]),
        lambda: tw.Conversation(["hi"], tools={"name": "f"}),
        lambda: tw.Conversation(["hi"], tools="f"),
        lambda: tw.Turn("user", {"type": "text", "text": "x"}),
        lambda: tw.Turn("user", [{"type": "text", "text": "x"}]),
        lambda: tw.Turn("user", b"x"),
        lambda: tw.Turn("user", 5),
        lambda: tw.Conversation(b"hi"),
        lambda: tw.Conversation(5),
    ],
)
def test_what_would_fall_apart_into_keys_or_numbers_is_refused(take):
    with pytest.raises(TypeError, match=r"^((items|parts|tools|system): expected .+, got|a dict has no dialect here)"):
        take()


def test_one_item_and_any_iterable_are_items():
    user, assistant = tw.spec.UserMessage.new_prompt("q"), tw.spec.AssistantMessage.new_response(None, "a")
    result = tw.ToolUseResult("c", "r")
    for one in ("q", user, assistant, result, tw.Turn("user", "q")):
        alone = tw.Conversation(one)
        assert alone == tw.Conversation([one]) == tw.Conversation(item for item in (one,))
        assert len(alone) == 1
        assert tw.Conversation().extended(one) == alone
    assert tw.Turn("user", (word for word in "ab")) == tw.Turn("user", ["a", "b"])


LONE = "a\ud83d"


def test_lone_surrogates_in_names_are_errors_of_ours():
    for take in (
        lambda: tw.Conversation.parse([], LONE),
        lambda: tw.Conversation().render(LONE),
        lambda: tw.convert([], LONE, source="openai"),
        lambda: tw.convert_json([], "openai", source=LONE),
        lambda: tw.spec.MessageBuilder().set_messages([{"role": "user", "content": "q"}]).build(LONE),
    ):
        with pytest.raises(tw.UnknownDialectError, match="\ufffd"):
            take()
    with pytest.raises(tw.ParseError) as raised:
        tw.Turn(LONE, "x")
    assert raised.value.code == "unknown_role"


def test_json_text_may_hold_lone_surrogates():
    text = '[{"role": "user", "content": "a\ud83d \ud83d\ude80 \\\\\udc00"}]'
    said = "a\ud83d 🚀 \\\udc00"
    assert tw.convert(text, "openai", source="openai").payload["messages"][0]["content"] == said
    assert tw.Conversation.parse(text, "openai").turns[0].parts[0].text == said
    rendered = tw.convert_json(text, "anthropic", source="openai")
    assert json.loads(rendered.payload)["messages"][0]["content"] == "a\ufffd 🚀 \\\ufffd"
    assert [loss.code for loss in rendered.receipt] == ["lone_surrogate"]
    for bad in ("[\ud83d]", '["\\\ud83d"]', '["\\\\\\\ud83d"]'):
        with pytest.raises(tw.ParseError) as raised:
            tw.convert(bad, "openai", source="openai")
        assert raised.value.code == "invalid_json"


def test_a_summary_with_a_lone_surrogate_is_repaired_and_reported():
    messages = [{"role": "user", "content": "q", "id": str(n)} for n in range(3)]
    summary = {"summary": f"so {LONE}", "startMessageId": "1", "messageIds": ["0", LONE]}
    built = tw.spec.MessageBuilder().set_messages(messages).set_compression_summary(summary).build()
    assert built.turns[0].parts[0].text.endswith("so a\ufffd")
    assert "lone_surrogate" in [entry.code for entry in built.receipt if entry.kind != "warning"]
    again = tw.spec.MessageBuilder().set_messages(built).set_compression_summary(summary).build()
    assert again == built
