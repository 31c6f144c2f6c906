"""The message builder: vectors from the field, spec 001's interface, random broken histories, recorded requests."""

import copy
import json
import pickle
import uuid
from pathlib import Path

import pytest
import recordings
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import wire

ROOT = Path(__file__).resolve().parents[1]
ALL_VECTORS = json.loads((ROOT / "tests/vectors/builder.json").read_text(encoding="utf-8"))
VECTORS = ALL_VECTORS["build"]
BODY = {"openai": {"model": "m"}, "anthropic": {"model": "m", "max_tokens": 4096}}
CHECKS = {"openai": "openai_chat", "anthropic": "anthropic"}
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]


def ask(text="q"):
    return {"role": "user", "content": text}


def call(*ids, arguments="{}", content=None):
    calls = [{"id": one, "type": "function", "function": {"name": "f", "arguments": arguments}} for one in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def answer(one, text="r"):
    return {"role": "tool", "tool_call_id": one, "content": text}


def prepared(vector):
    """A builder with the vector's messages, and the arguments of its build."""
    given = dict(vector.get("build", {}))
    messages = vector["messages"]
    if ids := given.pop("ids", None):
        messages = [{"id": one, "body": body} for one, body in zip(ids, messages, strict=True)]
    made = tw.spec.MessageBuilder().set_messages(messages, vector.get("dialect", "openai"))
    made.set_system_prompts(given.pop("system_prompts", []))
    if summary := given.pop("summary", None):
        renamed = {"summary": summary["text"], "startMessageId": summary["start_id"], "messageIds": summary["ids"]}
        made.set_compression_summary(renamed)
    made.set_budget(given.pop("budget", None))
    return made, given


def paired(built):
    """Whether every call has exactly one result after its run of assistant turns, and every result its call."""
    calls, results = [], []
    for turn in [*built.turns, tw.Turn("assistant", "")]:
        if turn.role == "assistant" and results:
            if sorted(calls) != sorted(results):
                return False
            calls, results = [], []
        results += [part.tool_use_id for part in turn.parts if isinstance(part, tw.ToolUseResult)]
        calls += [part.id for part in turn.parts if isinstance(part, tw.parts.AssistantToolUse)]
    return not calls


def changed(receipt):
    """The codes of what changed. Their order is that of the payload, whatever a vector lists first."""
    return sorted(change.code for change in receipt if change.kind != "warning")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vectors(vector):
    dialect = vector.get("dialect", "openai")
    before = copy.deepcopy(vector["messages"])
    made, options = prepared(vector)
    if code := vector.get("error"):
        with pytest.raises(tw.BuildError) as caught:
            made.build(**options)
        assert caught.value.code == code
        assert changed(caught.value.receipt) == sorted(vector["changes"])
        assert str(vector.get("needed", "")) in str(caught.value)
        assert code in {finding.code for finding in made.check(options.get("target"))}
        return
    built = made.build(**options)
    receipt = built.receipt
    assert changed(receipt) == sorted(vector["changes"])
    assert receipt.first_changed_index == vector.get("first_changed_index")
    assert len([told.reason for told in receipt.only("warning")]) == len(vector.get("warnings", []))
    assert vector["messages"] == before
    assert receipt.changed == bool(vector["changes"])
    assert paired(built) or options.get("end") == "calls"
    expected = vector.get("written") or vector["expect"]
    expected = before if expected == "same" else expected
    if isinstance(expected, list):
        rendered = built.render(dialect).payload
        assert expected in (rendered, *(rendered.values() if isinstance(rendered, dict) else ()))


def test_spec_001_reads_like_this():
    messages = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "f", "input": {}}]},
        {"role": "tool", "content": [{"tool_use_id": "call_1", "content": "r"}]},
        {"role": "tool", "content": [{"tool_use_id": "call_2", "content": "stray"}]},
    ]
    built = tw.spec.MessageBuilder().set_messages(messages, "history").build()
    assert [turn.role for turn in built.turns].count("tool") == 1
    assert built.render("history").payload == messages[:2]


def test_entities_and_a_summary():
    entities = [{"id": str(n), "body": ask(f"m{n}")} for n in range(5)]
    summary = {"summary": "gist", "start_message_id": "2", "message_ids": ["0", "1"]}
    built = tw.spec.MessageBuilder().set_messages(entities).set_compression_summary(summary).build()
    texts = [message["content"] for message in built.render("openai").payload["messages"]]
    assert texts == ["[Previous conversation summary (2 messages compressed)]\n\ngist", "m2", "m3", "m4"]
    again = tw.spec.MessageBuilder().set_messages(entities).set_compression_summary(None).build()
    assert not again.receipt.changed


def stored(keys):
    """Messages in entities with these ids."""
    return [{"id": key, "body": ask(f"m{at}"), "saved": at} for at, key in enumerate(keys)]


UUIDS = [uuid.UUID(int=number) for number in range(5)]
FORMS = {
    "list": (stored("abcde"), "abcde"),
    "body": ({"messages": stored("abcde")}, "abcde"),
    "bytes": (json.dumps(stored("abcde")).encode(), "abcde"),
    "bytes of a body": (json.dumps({"messages": stored("abcde")}).encode(), "abcde"),
    "conversation": (tw.Conversation.parse(stored("abcde"), "openai"), "abcde"),
    "pickled": (pickle.loads(pickle.dumps(tw.Conversation.parse(stored("abcde"), "openai"))), "abcde"),
    "numbers": (stored(range(5)), range(5)),
    "numbers in bytes": (json.dumps(stored(range(5))).encode(), range(5)),
    "UUIDs": (stored(UUIDS), UUIDS),
    "messages with ids": ([{**ask(f"m{at}"), "id": key} for at, key in enumerate(UUIDS)], UUIDS),
    "a mixture": ([*stored("ab"), ask("m2"), *stored("xyzde")[3:]], "ab-de"),
}


@pytest.mark.parametrize("dialect", ["openai", "auto"])
@pytest.mark.parametrize("form", FORMS)
def test_ids_are_found_in_every_form(form, dialect):
    messages, keys = FORMS[form]
    summary = {"summary": "gist", "start_message_id": keys[3], "message_ids": [keys[0], keys[1]]}
    builder = tw.spec.MessageBuilder().set_messages(messages, dialect).set_compression_summary(summary)
    built = builder.set_system_prompts(["be brief"]).build()
    said = [message["content"] for message in built.render("openai").payload["messages"]]
    left = ["m2"] if form == "a mixture" else []
    assert said == ["be brief", "[Previous conversation summary (2 messages compressed)]\n\ngist", *left, "m3", "m4"]
    again = builder.set_messages(built).build()
    assert again == built and not again.receipt.changed


def test_paths_lead_into_entities():
    entities = [{"id": "1", "body": ask()}, {"id": "2", "body": answer("zz")}]
    for messages, path in ((entities, "$[1].body.content"), ({"messages": entities}, "$.messages[1].body.content")):
        (entry,) = tw.spec.MessageBuilder().set_messages(messages).build().receipt
        assert (entry.code, entry.path) == ("orphan_result", path)
    with pytest.raises(tw.ParseError) as caught:
        tw.Conversation.parse([{"id": "1", "body": {"role": "user", "content": 1}}], "openai")
    assert caught.value.path == "$[0].body.content"


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
def test_an_entity_is_its_message(dialect):
    entities = [{"id": at, "body": ask(f"m{at}"), "more": {"saved": True}} for at in range(3)]
    for door in (entities, json.dumps({"messages": entities})):
        given = tw.Conversation.parse(door, dialect)
        assert given == tw.Conversation.parse([entity["body"] for entity in entities], dialect)
        rendered = given.render(dialect)
        assert rendered.payload == {"messages": [entity["body"] for entity in entities]}
        # Only a stored history has entities: in other formats, the envelope of the message is lost.
        lost = [(loss.code, loss.path.removeprefix("$.messages").removeprefix("$")) for loss in rendered.receipt]
        assert lost == [(code, f"[{at}].{key}") for at in range(3) for code, key in (("id", "id"), ("key", "more"))]
        kept = given.render("history")
        assert (kept.payload, (*kept.receipt,)) == (entities, ())
        again = pickle.loads(pickle.dumps(given))
        assert again.render("history").payload == entities


@pytest.mark.parametrize("summary", [{}, {"summary": "x"}, {"summary": 1, "startMessageId": "", "messageIds": []}])
def test_a_summary_of_another_shape(summary):
    with pytest.raises(TypeError):
        tw.spec.MessageBuilder().set_compression_summary(summary)


@pytest.mark.parametrize("prompts", ["one str", [1], 5])
def test_prompts_of_another_type(prompts):
    with pytest.raises(TypeError):
        tw.spec.MessageBuilder().set_system_prompts(prompts)


def test_arguments_of_another_kind():
    made = tw.spec.MessageBuilder().set_messages([ask()])
    with pytest.raises(tw.UnknownDialectError):
        made.build(target="smoke-signals")
    with pytest.raises(tw.TurnwireError, match="keep"):
        made.build(reasoning="sometimes")
    with pytest.raises(tw.TurnwireError) as caught:
        made.set_budget(-1)
    assert caught.value.code == "negative_budget"
    with pytest.raises(TypeError):
        made.set_budget("much")
    with pytest.raises(tw.UnknownDialectError):
        made.set_messages([{"role": "robot"}])
    with pytest.raises(tw.ParseError):
        made.set_messages([{"role": "robot"}], "openai")


def test_a_target_that_cannot_be_written_yet_is_built_for():
    built = (
        tw.spec.MessageBuilder()
        .set_messages([ask(), call("call_123456789"), answer("call_123456789")])
        .build("mistral:v3")
    )
    (entry,) = built.receipt
    assert (entry.code, entry.id) == ("renamed_id", "call_123456789")
    assert len(entry.new_id) == 9
    assert entry.new_id.isalnum()


def test_nothing_to_change_gives_the_same_turns_back():
    given = tw.Conversation.parse([ask(), call("c1"), answer("c1")], "openai")
    built = tw.spec.MessageBuilder().set_messages(given).build()
    assert not built.receipt.changed
    assert built.receipt.first_changed_index is None
    assert all(new is old for new, old in zip(built.turns, given.turns, strict=True))
    assert not given.receipt.changed


def test_the_receipt_reads_and_serialises():
    built = tw.spec.MessageBuilder().set_messages([ask(), call("c1"), ask("x")]).build()
    assert str(built.receipt).startswith("  added     missing_result  $[1].tool_calls[0] (c1), 0 -> ")
    assert json.loads(json.dumps(built.receipt.to_dict()))["changes"][0]["code"] == "missing_result"
    (entry,) = built.receipt
    assert (entry.index, entry.bytes_before, entry.bytes_after, entry.severity) == (
        1,
        0,
        len(tw.constants.MISSING_RESULT),
        "error",
    )
    assert {entry.code for entry in built.receipt if entry.kind != "warning"} <= set(tw.codes.CHANGES)


def test_check_says_what_build_would_do():
    findings = tw.check([ask(), answer("zz"), call("c1")])
    assert [(found.code, found.severity, found.path, found.id) for found in findings] == [
        ("orphan_result", "error", "$[1].content", "zz"),
        ("missing_result", "error", "$[2].tool_calls[0]", "c1"),
    ]
    assert all(found.reason and found.action for found in findings)
    assert not tw.check([ask()])


def test_lone_surrogates_are_replaced_and_reported():
    broken = "half \ud83d"
    built = (
        tw.spec.MessageBuilder()
        .set_messages([ask(broken), call("c1", content=broken), answer("c1", broken), ask()])
        .build()
    )
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["lone_surrogate"] * 3
    assert "\ud83d" not in json.dumps(built.render("openai").payload, ensure_ascii=False)
    assert built.render_json("openai").payload.decode().count("\ufffd") == 3


def test_lone_surrogates_of_media_and_message_ids_are_replaced_and_reported():
    half = "half\ud83d"
    image = {"type": "image", "source": {"type": "url", "url": f"https://e.org/{half}"}}
    history = [{"id": half, "body": {"role": "user", "content": "hi"}}, {"role": "user", "content": [image]}]
    built = tw.spec.MessageBuilder().set_messages(tw.Conversation.parse(history, "history")).build()
    assert [(entry.code, entry.path) for entry in built.receipt if entry.kind != "warning"] == [
        ("lone_surrogate", f"$[{at}]") for at in (0, 1)
    ]
    assert built.render("history").payload == json.loads(json.dumps(history).replace("\\ud83d", "\ufffd"))


def test_lone_surrogates_that_are_escaped_in_arguments_are_replaced_and_reported():
    # In escaped form they are good JSON text; decoded, one is a lone surrogate.
    text = r'{"q": "\ud83d", "whole": "\ud83d\ude42", "path": "c:\\ud83d", "upper": "\uDE42\ud83d"}'
    use = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": text}}
    asked = {"role": "assistant", "content": None, "tool_calls": [use]}
    free = {"id": "c2", "type": "custom", "custom": {"name": "run", "input": r"\ud83d"}}
    said = {"role": "assistant", "content": None, "tool_calls": [free]}
    messages = [ask(), asked, answer("c1"), said, answer("c2"), ask()]
    for door in (messages, json.dumps(messages).encode()):
        built = tw.spec.MessageBuilder().set_messages(tw.Conversation.parse(door, "openai")).build()
        (entry,) = built.receipt
        assert (entry.code, entry.path) == ("lone_surrogate", "$[1]")
        there = built.render("openai").payload["messages"]
        expected = r'{"q": "\ufffd", "whole": "\ud83d\ude42", "path": "c:\\ud83d", "upper": "\ufffd\ufffd"}'
        assert there[1]["tool_calls"][0]["function"]["arguments"] == expected
        assert there[3] == said
        assert not tw.spec.MessageBuilder().set_messages(built).build().receipt


def test_lone_surrogates_around_the_turns_are_replaced_and_reported():
    half = "half \ud83d"
    body = {
        "system": [{"type": "text", "text": "whole"}, {"type": "text", "text": half, "x": 1}],
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [
            {"name": "f", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}},
            {
                "name": "g",
                "description": half,
                "input_schema": {"type": "object", half: [half], "additionalProperties": False},
                "strict": True,
            },
            {
                "type": "web_search_20250305",
                "name": "web_search",
                "user_location": {"type": "approximate", "city": half},
            },
        ],
        "tool_choice": {"type": "tool", "name": "g", "x": half},
    }
    given = tw.Conversation.parse(body, "anthropic")
    built = tw.spec.MessageBuilder().set_messages(given).build(target="anthropic")
    paths = ["$.system[1]", "$.tool_choice", "$.tools[1]", "$.tools[2]"]
    assert [(entry.code, entry.path) for entry in built.receipt if entry.kind != "warning"] == [
        ("lone_surrogate", path) for path in paths
    ]
    assert built.receipt.first_changed_index == 0
    rendered = built.render("anthropic")
    assert rendered.payload == json.loads(json.dumps(body).replace("\\ud83d", "\ufffd"))
    assert rendered.receipt == built.render_json("anthropic").receipt == built.receipt
    again = tw.spec.MessageBuilder().set_messages(built).build(target="anthropic")
    assert again == built and not again.receipt.changed


def test_lone_surrogates_of_hand_made_prompts_and_tools_are_replaced_and_reported():
    half = "half \ud83d"
    given = tw.Conversation(["hi"], system=["whole", half], tools=[{"name": "g", "description": half}])
    builder = tw.spec.MessageBuilder().set_messages(given).set_system_prompts([half, "whole"])
    built = builder.build()
    paths = ["$.system", "$.tools[0]", "$"]
    found = [entry for entry in built.receipt if entry.code == "lone_surrogate"]
    assert [entry.path for entry in found] == paths
    assert "\ud83d" not in repr(built.render("openai").payload)
    assert built.render_json("openai").payload.decode().count("\ufffd") == 3
    assert not builder.set_messages(built).build().receipt


def test_a_budget_holds_in_bytes():
    messages = [ask("始め")]
    for number in range(30):
        messages += [call(f"c{number}"), answer(f"c{number}", "結果" * 200)]
    for budget in (2_000, 5_000, 12_000):
        built = tw.spec.MessageBuilder().set_messages(messages).set_budget(budget).build()
        rendered = built.render("openai").payload["messages"]
        sizes = [len((m["content"] or "").encode()) + 2 * len(m.get("tool_calls", ())) for m in rendered]
        assert 0.75 * budget - 1300 <= sum(sizes) <= budget
        assert rendered[0] == messages[0]
        assert rendered[-1] == messages[-1]


# --- Random broken histories ---

IDS = st.sampled_from(["c1", "c2", "c3", "functions.f:1", "x" * 70])
ARGUMENTS = st.sampled_from(["{}", '{"a": 1}', "", '{"a": ', "[1]"])
TEXTS = st.one_of(st.none(), st.sampled_from(["", "  ", "text", "テキスト"]))
MESSAGES = st.one_of(
    st.builds(ask, st.sampled_from(["one", "二"])),
    st.builds(
        lambda ids, arguments, content: call(*ids, arguments=arguments, content=content),
        st.lists(IDS, min_size=1, max_size=3),
        ARGUMENTS,
        TEXTS,
    ),
    st.builds(lambda text: {"role": "assistant", "content": text}, st.sampled_from(["", "said"])),
    st.builds(answer, IDS, st.sampled_from(["", "result", "x" * 400])),
    st.just({"role": "system", "content": "be brief"}),
)
HISTORIES = st.lists(MESSAGES, max_size=14).map(lambda middle: [ask("start"), *middle, ask("end")])


@pytest.mark.parametrize("target", BODY)
@settings(deadline=None)
@given(messages=HISTORIES, budget=st.one_of(st.none(), st.integers(300, 3000)))
def test_a_broken_history_is_accepted(target, messages, budget):
    payload = {"messages": messages, "tools": TOOLS}
    before = copy.deepcopy(payload)
    try:
        built = tw.spec.MessageBuilder().set_messages(payload).set_budget(budget).build(target)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    assert payload == before
    assert wire.refused(target, {**BODY[target], **built.render(target).payload}) == []
    again = tw.spec.MessageBuilder().set_messages(built).set_budget(budget).build(target)
    assert not again.receipt.changed
    if budget is None:  # the same arguments may be a few bytes longer in another dialect
        read = tw.Conversation.parse(built.render(target).payload, target)
        assert not tw.spec.MessageBuilder().set_messages(read).build(target).receipt


@pytest.mark.parametrize("dialect", BODY)
def test_recorded_requests_are_left_alone(dialect):
    requests = recordings.requests(dialect)
    assert requests
    changed = {}
    for number, request in enumerate(requests):
        given = tw.Conversation.parse(request, dialect)
        built = tw.spec.MessageBuilder().set_messages(given).build(target=None, end="calls")
        if built.receipt.changed:
            changed[number] = str(built.receipt)
    assert changed == {}


BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, st.sampled_from(["a", "b c", "日本"])),
    st.builds(lambda one: {"type": "tool_use", "id": one, "name": "f", "input": {}}, st.sampled_from(["x", "y"])),
    st.builds(
        lambda one, text: {"type": "tool_result", "tool_use_id": one, "content": text},
        st.sampled_from(["x", "y", "z"]),
        st.sampled_from(["1", "2", "3"]),
    ),
)


def spoken(role, blocks):
    wrong = "tool_result" if role == "assistant" else "tool_use"
    kept = [block for block in blocks if block["type"] != wrong]
    return {"role": role, "content": kept or [{"type": "text", "text": "well"}]}


@pytest.mark.parametrize("dialect", ["anthropic", "history"])
@given(
    messages=st.lists(
        st.builds(spoken, st.sampled_from(["user", "assistant"]), st.lists(BLOCKS, max_size=4)), min_size=1, max_size=8
    )
)
def test_a_broken_history_of_blocks_is_paired(dialect, messages):
    messages = [ask(), *messages]
    before = copy.deepcopy(messages)
    built = tw.spec.MessageBuilder().set_messages(messages, dialect).build()
    assert messages == before
    assert paired(built)
    again = tw.spec.MessageBuilder().set_messages(built).build()
    assert not again.receipt.changed
    assert again == built
    assert bool(built.receipt) != (built.turns == tw.Conversation.parse(messages, dialect).turns)
    # The payload has the same content as the conversation.
    payload = built.render(dialect).payload
    assert not tw.spec.MessageBuilder().set_messages(payload, dialect).build().receipt
