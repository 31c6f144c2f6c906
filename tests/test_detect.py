"""A payload is read as the dialect that it looks like: recorded traffic without its name, mixed lists, bad input."""

import collections
import copy
import functools
import itertools
import json
import random
import re
from typing import Any

import pytest
import recordings
import turnwire as tw
from mutants import judged
from turnwire._core import _dialect_of

RECORDED = (
    "openai",
    "openai:openrouter",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "cohere",
    "mistral",
)
# Traffic that was recorded as one dialect and is another.
HOSTS = {("openai", "api.mistral.ai"): "mistral", ("openai", "openrouter.ai"): "openai:openrouter"}
READABLE = set(tw.dialects())
LISTS = ("messages", "contents", "input")
# The dialects whose recorded elements the mixed lists are made of.
MIXED = [dialect for dialect in RECORDED if dialect in READABLE and ":" not in dialect]


@functools.cache
def recorded():
    """Requests that a server accepted, by their dialect."""
    requests = collections.defaultdict(list)
    for dialect in RECORDED:
        for record in recordings.recorded(dialect):
            requests[HOSTS.get((dialect, record["host"]), dialect)].append(record["request"])
    return requests


def requests(dialect):
    return recorded()[dialect] or pytest.skip(recordings.MISSING)


def list_of(body):
    found = [body[key] for key in LISTS if isinstance(body.get(key), list)]
    return found[0] if found else None


def forms(body):
    """A body, its bare list, and each of its elements in a separate list."""
    yield body
    messages = list_of(body)
    if messages is not None:
        yield messages
        # A system message from the middle would be at the head of its own list, where it means something else.
        yield from ([message] for message in messages if message.get("role") != "system")


def seen(payload):
    """The detected dialect, or why there is none."""
    try:
        return tw.detect(payload)
    except tw.UnknownDialectError as error:
        return error


# The values of these keys belong to the format. The last one is a cache mark.
GRAMMAR = {"role", "type", "media_type", "ttl", "prompt_cache_breakpoint"}


def words(value):
    """Every string of content in a payload, wherever it is."""
    if isinstance(value, dict):
        return sorted(text for key, item in value.items() if key not in GRAMMAR for text in words(item))
    if isinstance(value, list):
        return sorted(text for item in value for text in words(item))
    return [value] if isinstance(value, str) else []


def read_as(messages, target=None):
    """The dialect of each turn, by what pickling keeps of it."""
    return [_dialect_of(turn) for turn in tw.Conversation._parse_for(messages, "auto", target, False).turns]


def has_sign(payload):
    """Whether it is read as the same dialect, whatever the target."""
    ways = {tuple(read_as(payload, target=target)) for target in ("openai", "anthropic", "history")}
    return len(ways) == 1


def said(payload, source, target):
    """The remaining words and the number of losses, or the code of a refusal."""
    try:
        rendered = tw.convert(payload, target, source=source)
    except tw.RenderError as error:
        return error.code, 0
    # Nothing shows whose cache mark it was.
    return words(rendered.payload), len([loss for loss in rendered.receipt if "cache_control" not in loss.path])


@pytest.mark.parametrize("truth", RECORDED)
def test_recorded_traffic_without_its_name(truth, record_property):
    told = collections.Counter()
    for body in requests(truth):
        for payload in forms(body):
            found = seen(payload)
            if truth not in READABLE:
                # A dialect that cannot be read yet is named in the error, where it shows itself at all.
                if isinstance(found, tw.UnknownDialectError):
                    assert found.code == "no_dialect"
                    assert truth in str(found)
                told["unread" if isinstance(found, tw.UnknownDialectError) else "no sign"] += 1
                continue
            assert not isinstance(found, tw.UnknownDialectError), f"{found}: {payload}"
            assert seen(json.dumps(payload)) == found
            if found == truth:
                told["right" if has_sign(payload) else "right, no sign"] += 1
                continue
            # Nothing contradicts the guess: read as that dialect on the way there, the words are the same either way.
            told["no sign"] += 1
            own = tw.convert(payload, truth)
            assert not own.receipt.changed
            assert words(own.payload) == words(tw.convert(payload, truth, source=truth).payload)
            for target in {"openai", "anthropic"} - {truth}:
                named, guessed = said(payload, truth, target), said(payload, found, target)
                assert guessed[0] == named[0]
                assert guessed[1] <= named[1]
    print(f"{truth}: {dict(told)}")
    record_property("told", dict(told))
    assert sum(told.values()) > 0


def test_a_sign_decides_for_the_whole_list():
    plain = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    assert tw.detect(plain) == "openai"
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    assert tw.detect([*plain, {"role": "assistant", "content": [use]}]) == "anthropic"
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert tw.detect([*plain, {"role": "assistant", "content": None, "tool_calls": [call]}]) == "openai"
    assert tw.detect([{"userInputMessage": {"content": "q"}}]) == "amazon-q"
    result = {"type": "tool_result", "tool_use_id": "t", "tool_name": "f", "content": "x"}
    assert tw.detect([*plain, {"role": "user", "content": [result]}]) == "history"
    assert tw.detect({"system": "s", "messages": plain}) == "anthropic"
    assert tw.detect({"messages": plain, "tools": [{"name": "f", "input_schema": {}}]}) == "anthropic"
    assert tw.detect({"role": "developer", "content": "x"}) == "openai"
    assert tw.detect(json.dumps(plain)) == tw.detect(json.dumps(plain).encode()) == tw.detect(tuple(plain)) == "openai"


def test_system_text_at_the_head_is_no_sign_of_a_dialect_without_system_messages():
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    ready = tw.prepare(messages, "anthropic")
    assert ready.payload == {"system": "s", "messages": [{"role": "user", "content": "q"}]}
    assert ready.hoisted == (0,)
    # The others are still read as that dialect's, and so is this one where no other dialect has it.
    assert tw.detect([*messages[:1], USE]) == "anthropic"
    assert read_as([*messages[:1], USE]) == ["openai", "anthropic"]
    only_theirs = [{"role": "system", "content": [{"type": "tool_addition", "tool": {}}]}]
    assert read_as(only_theirs) == ["anthropic"]


def test_a_cache_mark_only_settles_what_nothing_else_does():
    marked = {"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]}
    assert tw.detect([marked]) == "anthropic"
    assert tw.detect({**ANSWER, "content": marked["content"]}) == tw.detect([CALL, ANSWER, marked]) == "openai"
    messages = [NONE_OF_THEM, CALL, {**ANSWER, "content": marked["content"]}, marked]
    assert tw.prepare(messages, "openai:openrouter").payload == {"messages": messages}
    # A target that does not know it does not get it.
    (loss,) = tw.prepare([NONE_OF_THEM, CALL, ANSWER, marked], "openai").receipt.only("lost")
    assert loss.path == "$[3].content[0].cache_control"
    assert tw.prepare([CALL, ANSWER, marked], "anthropic", wording={"opening": "?"}).receipt.only("lost") == ()


def test_a_tie_is_the_targets():
    plain = [{"role": "user", "content": "q"}, {"role": "user", "content": [{"type": "text", "text": "r"}]}]
    for target in ("openai", "anthropic", "history"):
        assert not tw.convert(plain, target).receipt
        assert tw.convert(plain, target).sources == ((0,), (1,))
    thought = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "reasoning_content": "t"}]
    assert not tw.convert(thought, "openai:kimi").receipt
    assert tw.convert(thought, "openai:groq").payload["messages"] == thought


NONE_OF_THEM = {"role": "user", "content": "plain"}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
GIVEN = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
ANSWER = {"role": "tool", "tool_call_id": "b", "content": "y"}


def test_each_element_of_a_mixed_list_is_its_own():
    assert read_as([USE, GIVEN, CALL, ANSWER]) == ["anthropic", "anthropic", "openai", "openai"]
    # An element without a sign takes the dialect of the nearest one before it, else after it.
    mixed = [NONE_OF_THEM, USE, NONE_OF_THEM, GIVEN, CALL, ANSWER, NONE_OF_THEM]
    assert read_as(mixed) == ["anthropic"] * 4 + ["openai"] * 3
    with pytest.raises(tw.UnknownDialectError) as caught:
        tw.detect(mixed)
    assert (caught.value.code, caught.value.path) == ("mixed_dialects", "$[5]")


def test_a_body_decides_its_frame():
    body = {"system": "s", "messages": [CALL, ANSWER], "tools": [{"name": "f", "input_schema": {"type": "object"}}]}
    assert read_as(body) == ["openai", "openai"]
    ready = tw.convert(body, "anthropic")
    assert ready.payload["system"] == "s"
    assert ready.payload["tools"] == body["tools"]
    assert ready.payload["messages"][0]["content"][0]["type"] == "tool_use"
    with pytest.raises(tw.UnknownDialectError) as caught:
        tw.detect(body)
    assert (caught.value.code, caught.value.path) == ("mixed_dialects", "$.messages[0]")


TYPED = [
    "what the user says",
    tw.spec.UserMessage.new_prompt("asked"),
    tw.spec.AssistantMessage.new_tool_use(None, "calling", [tw.parts.AssistantToolUse("z", "f", {"q": 1})]),
    tw.ToolUseResult("z", "found"),
    tw.Turn("assistant", "done"),
]


@pytest.mark.parametrize("wrap", [list, tuple, lambda messages: {"messages": messages}])
def test_typed_items_and_dicts_in_one_list(wrap):
    given = [NONE_OF_THEM, USE, GIVEN, *TYPED, CALL, ANSWER]
    for target in ("openai", "anthropic"):
        ready = tw.prepare(wrap(given), target)
        assert {"what the user says", "calling", "found", "done", "x", "y"} <= {*words(ready.payload)}
        # Only its own format has a key for the state of the user's machine.
        told = [change for change in ready.receipt if change.kind != "warning"]
        assert [(change.kind, change.code, change.path.rpartition("[")[2]) for change in told] == [
            ("lost", "opaque", "4]")
        ]
        assert sorted(index for source in ready.sources for index in set(source)) == [*range(len(given))]
    assert words(tw.convert(wrap(given), "openai").payload) == words(tw.prepare(wrap(given), "openai").payload)


def test_typed_items_are_their_own_place():
    lost = [tw.Turn("user", [tw.Media(url="https://example.org/film.mp4", media_type="video/mp4"), "see"])]
    (loss,) = tw.convert([NONE_OF_THEM, *lost], "anthropic").receipt
    assert loss.path == "$[1]"


def test_a_parsed_turn_is_unchanged_in_its_own_dialect():
    call = {"type": "server_tool_use", "id": "srvtoolu_s", "name": "w", "input": {}}
    result: dict[str, object] = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_s", "content": []}
    kept = {"role": "assistant", "content": [call, result]}
    (turn,) = tw.Conversation.parse([kept]).turns
    assert tw.prepare([NONE_OF_THEM, turn, NONE_OF_THEM], "anthropic").payload["messages"][1] == kept


def test_a_wrong_dialect_is_always_reported():
    for dialect, messages, path in (
        ("openai", [NONE_OF_THEM, USE, GIVEN], "$[1].content[0]"),
        ("openai", [{"role": "user", "content": [{"text": "hi"}]}], "$[0].content[0]"),
        ("openai", [{"role": "user", "content": [{"toolUse": {"toolUseId": "a"}}]}], "$[0].content[0]"),
        ("anthropic", [NONE_OF_THEM, {**CALL, "content": "calling"}], "$[1].tool_calls"),
        ("history", [{"role": "user", "content": [{"type": "image_url", "image_url": "u"}]}], "$[0].content[0]"),
    ):
        findings = [found for found in tw.check(messages, source=dialect) if found.code == "wrong_dialect"]
        assert findings[0].path == path
        assert findings[0].severity == "error"
        receipt = tw.spec.MessageBuilder().set_messages(messages, dialect).build(end="calls").receipt
        assert path in receipt.only("warning")[0].path
        # Read as what it looks like, there is nothing to report.
        if dialect != "openai" or messages[0] is NONE_OF_THEM:
            assert [found for found in tw.check(messages) if found.code == "wrong_dialect"] == []


def test_what_its_own_dialect_keeps_is_no_wrong_dialect():
    blocks = [{"type": "server_tool_use", "id": "s", "name": "w", "input": {}}, {"type": "brand_new"}]
    for dialect, kept in (("anthropic", blocks), ("openai", [{"type": "brand_new"}])):
        messages = [NONE_OF_THEM, {"role": "assistant", "content": kept, "annotations": []}, NONE_OF_THEM]
        assert [found for found in tw.check(messages, source=dialect) if found.code == "wrong_dialect"] == []


def test_what_cannot_be_read_says_what_it_looks_like():
    for payload, dialect, path in (
        ([{"role": "model", "parts": [{"text": "hi"}]}], "openai", "$[0].role"),
        ({"contents": []}, "openai", "$"),
        ([{"userInputMessage": {"content": "q"}}], "anthropic", "$[0]"),
    ):
        with pytest.raises(tw.ParseError) as caught:
            tw.convert(payload, "openai", source=dialect)
        assert (caught.value.code, caught.value.path, caught.value.dialect) == ("wrong_dialect", path, dialect)
        assert "it looks like" in str(caught.value)


def inside(value):
    """Every dict in a value, except inside arguments and results of tools."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item
            inner = (item[key] for key in ("tool_calls", "content", "parts", "toolResult", "toolUse") if key in item)
            yield from (found for value in inner for found in inside(value))


def calls_of(messages):
    """The names of the called tools, in any dialect."""
    for one in inside(messages):
        call = one.get("functionCall") or one.get("function_call") or one.get("function") or one
        if call is not one or one.get("type") in ("tool_use", "function_call") or {"toolUseId", "input"} <= one.keys():
            yield call["name"]


def texts_of(messages):
    """Every text of the conversation."""
    for one in inside(messages):
        if not one.get("thought") and isinstance(one.get("text"), str) and one.get("type") != "reasoning_text":
            yield one["text"]
        if isinstance(one.get("content"), str):
            yield one["content"]


def tools_for(messages):
    """A definition of each tool that is called, or that a search of the provider has found, in a neutral form."""
    schema = {"type": "object", "properties": {}}
    found = re.findall(r'"tool_name": "(\w+)"', json.dumps(messages))
    found += ["tool_search"] if '"tool_search_call"' in json.dumps(messages) else []
    names = sorted({*calls_of(messages), *found})
    return [{"name": name, "description": name, "parameters": schema} for name in names] or None


@functools.cache
def sound_lists(dialect):
    """Recorded lists without a problem."""
    lists = [messages for messages in map(list_of, requests(dialect)) if messages and len(messages) > 1]
    if judged.JUDGES.get(dialect) is None:
        return lists
    return [one for one in lists if judged.problems(dialect, tw.convert(one, dialect, source=dialect).payload) == []]


def mixture(dice):
    """Three recorded conversations in one list, each in its own order."""
    several = [dice.choice(sound_lists(dice.choice(MIXED))) for _ in range(3)]
    ids = [re.findall(r"\bsrvtoolu_\w+", json.dumps(one)) for one in several]
    if len({*itertools.chain(*ids)}) < sum(len({*some}) for some in ids):
        # Calls that the provider has run keep their ids, so no conversation may be in a list twice.
        return mixture(dice)
    several = copy.deepcopy(several)
    mixed = []
    while any(several):
        mixed.append(dice.choice([one for one in several if one]).pop(0))
    return mixed


def gone(ready):
    """The caller's indices of all elements that a receipt reports as left out."""
    entries = {one.index for one in ready.receipt if (one.bytes_after or 0) < (one.bytes_before or 0)}
    paths = [loss.path for loss in ready.receipt if loss.kind == "lost"]
    return entries | {int(index) for path in paths for index in re.findall(r"^\$\[(\d+)\]", path)}


def prepared(mixed, target):
    """A mixed list as a request. If only results are last, they move to their calls, and the user says something."""
    try:
        return tw.prepare(mixed, target, tools=tools_for(mixed), wording={"opening": "(begin)"})
    except tw.BuildError as error:
        assert error.code == "ends_with_assistant"
        assert not [*texts_of(mixed[-1:])]
        return tw.prepare(
            [*mixed, {"role": "user", "content": "(go on)"}],
            target,
            tools=tools_for(mixed),
            wording={"opening": "(begin)"},
        )


@pytest.mark.parametrize("target", ["openai", "anthropic"])
@pytest.mark.parametrize("seed", range(60))
def test_mixed_lists_are_accepted_with_every_text(target, seed):
    mixed = mixture(random.Random(seed))
    ready = prepared(mixed, target)
    assert judged.problems(target, ready.payload) == []
    said = "\0".join(words(ready.payload))
    kept = [message for index, message in enumerate(mixed) if index not in gone(ready)]
    assert [text for text in texts_of(kept) if text.strip() not in said] == []
    assert kept


BAD = {
    "an empty list": ([], tw.BuildError, "empty_messages", "$"),
    "a list of nothing": ({"messages": []}, tw.BuildError, "empty_messages", "$"),
    "one string": ("hello", tw.ParseError, "invalid_json", "$"),
    "an empty string": ("", tw.ParseError, "invalid_json", "$"),
    "a dict that is no payload": ({"text": "hello"}, tw.UnknownDialectError, "no_dialect", "$"),
    "one message": ({"role": "user", "content": "hello"}, tw.ParseError, "missing_key", "$"),
    "a list that is none": ({"messages": "hello"}, tw.ParseError, "wrong_type", "$.messages"),
    "contradictory signs": (
        [NONE_OF_THEM, {"role": "model", "content": "x"}],
        tw.UnknownDialectError,
        "conflicting_signs",
        "$[1]",
    ),
    "a contradictory body": (
        {"system": "s", "contents": [NONE_OF_THEM]},
        tw.UnknownDialectError,
        "conflicting_signs",
        "$",
    ),
    "a generator": ((message for message in [NONE_OF_THEM]), tw.TurnwireError, "not_json", "$"),
    "an object of an unknown class": (object(), tw.TurnwireError, "not_json", "$"),
    "such an object in a list": ([NONE_OF_THEM, object()], tw.TurnwireError, "not_json", "$[1]"),
    "such an object in a message": (
        [{"role": "user", "content": object()}],
        tw.TurnwireError,
        "not_json",
        "$[0].content",
    ),
    "a number": (5, tw.ParseError, "wrong_type", "$"),
    "nothing": (None, tw.ParseError, "wrong_type", "$"),
    "a list of a number": ([5], tw.ParseError, "wrong_type", "$[0]"),
    "a list of nothing at all": ([None], tw.ParseError, "wrong_type", "$[0]"),
    "a list in a list": ([[NONE_OF_THEM]], tw.ParseError, "wrong_type", "$[0]"),
    "keys that nobody knows": ([{"text": "hello"}], tw.ParseError, "missing_key", "$[0]"),
    "an assistant that speaks first": (
        [{"role": "assistant", "content": "hello"}, NONE_OF_THEM],
        tw.BuildError,
        "starts_with_assistant",
        "$[0]",
    ),
}
WAYS_OUT = {
    "one string": "into a list: [text]",
    "a dict that is no payload": "plain text without speakers",
    "one message": "put it into a list",
    "contradictory signs": "name the dialect to read it as",
    "a generator": "list",
    "an assistant that speaks first": "pass an opening",
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input(what):
    given, kind, code, path = BAD[what]
    with pytest.raises(kind) as caught:
        tw.prepare(given, "anthropic")
    assert (caught.value.code, caught.value.path) == (code, path)
    assert WAYS_OUT.get(what, "") in str(caught.value)


def test_bad_arguments():
    for arguments, options in (
        (([NONE_OF_THEM], 5), {}),
        (([NONE_OF_THEM], "anthropic", "100k"), {}),
        (([NONE_OF_THEM], "anthropic"), {"system": 5}),
        (([NONE_OF_THEM], "anthropic"), {"tools": "f"}),
        (([NONE_OF_THEM], "anthropic"), {"wording": {"opening": 5}}),
        (([NONE_OF_THEM], "anthropic"), {"surprise": 5}),
        (([NONE_OF_THEM],), {}),
    ):
        with pytest.raises(TypeError):
            tw.prepare(*arguments, **options)
    with pytest.raises(ZeroDivisionError):
        tw.prepare([NONE_OF_THEM], "anthropic", budget=tw.Budget(max_tokens=1, count=lambda text: 1 // 0))
    for arguments, options, code in (
        (([NONE_OF_THEM], "antropic"), {}, "unknown_dialect"),
        (([NONE_OF_THEM], "anthropic"), {"source": "antropic"}, "unknown_dialect"),
        (([NONE_OF_THEM], "auto"), {}, "unknown_dialect"),
        (([NONE_OF_THEM], "anthropic", -1), {}, "negative_budget"),
        (([NONE_OF_THEM], "anthropic"), {"budget": tw.Budget(max_tokens=100, count=lambda text: -1)}, "bad_count"),
        (([NONE_OF_THEM], "anthropic"), {"budget": tw.Budget(max_tokens=100, count=str)}, "bad_count"),
        (([NONE_OF_THEM], "anthropic", 100), {"pinned": [1]}, "out_of_range"),
        (([NONE_OF_THEM], "anthropic"), {"reasoning": "maybe"}, "unknown_option"),
        (([NONE_OF_THEM], "anthropic"), {"tools": [{"description": "nameless"}]}, "missing_key"),
    ):
        with pytest.raises(tw.TurnwireError) as caught:
            tw.prepare(*arguments, **options)
        assert caught.value.code == code


@pytest.mark.parametrize("target", [name for name in tw.dialects() if ":" not in name])
def test_a_key_that_is_null_is_a_sign_where_there_is_no_other(target):
    message = {"role": "user", "content": "hi", "name": None, "tool_calls": None}
    assert tw.detect([message]) == "openai"
    ready = tw.prepare([message], target)
    # Formats that are stored and not sent keep it.
    assert ("null" in json.dumps(ready.payload)) == (target in ("history", "llama"))
    # Beside a real sign it counts as none.
    mixed = {"role": "user", "content": [{"type": "search_result", "title": "t"}], "tool_calls": None}
    assert tw.detect([mixed]) == "anthropic"


@pytest.mark.parametrize("kind", ["video_url", "audio_url"])
def test_a_block_of_a_compatible_server_is_no_block_of_the_target(kind):
    block = {"type": kind, kind: {"url": "https://example.com/x"}}
    message = {"role": "user", "content": [{"type": "text", "text": "see"}, block]}
    ready = tw.prepare([message], "anthropic")
    assert kind not in json.dumps(ready.payload)
    assert [loss.path for loss in ready.receipt if loss.kind == "lost"] == ["$[0].content[1]"]


def test_a_tool_of_a_gateway_is_a_sign():
    body = {"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "openrouter:web_search"}]}
    ready = tw.prepare(body, "anthropic")
    assert [loss.path for loss in ready.receipt if loss.kind == "lost"] == ["$.tools[0]"]
    assert ready.payload == {"messages": body["messages"]}


def test_what_a_tool_gave_may_be_the_value_itself():
    calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    talk = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    for given, text in [({"a": [1]}, '{"a":[1]}'), (2, "2"), (False, "false")]:
        ready = tw.prepare([*talk, {"role": "tool", "tool_call_id": "c", "content": given}], "openai")
        assert ready.payload["messages"][-1] == {"role": "tool", "tool_call_id": "c", "content": text}
        assert ("reshaped", "$[2]") in [(change.code, change.path) for change in ready.receipt]


def test_what_was_written_for_a_training_set_is_read_as_that():
    """Also with ids, which the format allows, and with an image that several formats spell so."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    talk = [{"role": "user", "content": [{"type": "text", "text": "q"}, image]}, CALL, ANSWER]
    row = tw.convert(talk, "openai:hf", source="openai").payload
    assert "tool_call_id" in row["messages"][2]
    assert tw.detect(row) == "openai:hf"
    assert (
        tw.convert(row, "openai").payload["messages"]
        == tw.convert(row, "openai", source="openai:hf").payload["messages"]
    )


@pytest.mark.parametrize("image", ["https://example.com/a.png", "data:image/png;base64,iVBORw0KGgo="])
def test_an_image_under_the_key_that_two_formats_share(image):
    """Whoever wrote it, it is an image with this address."""
    block = {"type": "image", "image": image}
    talk = [{"role": "user", "content": [{"type": "text", "text": "q"}, block]}]
    ready = tw.convert(talk, "openai")
    assert not ready.receipt.changed
    assert ready.payload["messages"][0]["content"][1] == {"type": "image_url", "image_url": {"url": image}}
    block["mediaType"] = "image/png"
    assert tw.detect(talk) == "ai-sdk"
    assert tw.convert(talk, "openai").payload == ready.payload


@pytest.mark.parametrize(
    "setting",
    [
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        {"thinking": {"type": "adaptive"}},
        {"output_config": {"effort": "low"}},
        {"mcp_servers": []},
    ],
)
def test_a_setting_of_one_provider_settles_a_body_of_plain_text(setting):
    body = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "q"}]}
    assert tw.detect({**body, "thinking": {"type": "enabled"}}) == "openai"
    assert tw.detect({**body, **setting}) == "anthropic"


def test_a_setting_of_another_provider_does_not_make_a_list_unreadable():
    body = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "mcp_servers": [], "messages": [CALL, ANSWER]}
    assert read_as(body) == ["openai", "openai"]


def test_typed_parts_are_no_contents_of_gemini():
    """Traces and front ends have `parts`, too: their parts name their type."""
    trace = [{"role": "user", "parts": [{"type": "text", "content": "q"}]}]
    assert tw.detect(trace) == "otel"
    assert tw.detect({"gen_ai.input.messages": trace}) == "otel"
    assert tw.detect({"gen_ai.output.messages": trace}) == "otel"
    assert tw.detect([{"role": "user", "parts": [{"text": "q"}]}]) == "gemini"
    assert tw.detect([{"role": "user", "parts": [{"type": "text", "text": "q"}]}]) == "ai-sdk-ui"
    with pytest.raises(tw.UnknownDialectError) as caught:
        tw.detect([{"role": "model", "parts": [{"type": "text", "text": "q"}]}])
    assert caught.value.code == "conflicting_signs"


@pytest.mark.parametrize("data", ["iVBORw0KGgoAAAANSUhEUg==", "/9j/4AAQSkZJRg==", b"\x89PNG"])
def test_an_image_as_data_is_of_the_ai_sdk(data: str | bytes) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "image", "image": data}]}]
    assert tw.detect(messages) == "ai-sdk"


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "bedrock"])
def test_an_image_with_a_source_is_not_of_a_training_set(target: tw.DialectName) -> None:
    data = "iVBORw0KGgo="
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    # Training sets have images and calls in this form, but no image with a source.
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    mixed = [
        {"role": "user", "content": [{"type": "text", "text": "q"}, image]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    done = tw.convert(mixed, target, blobs="base64")
    assert "opaque" not in [loss.code for loss in done.receipt]
    assert data in str(done.payload)


@pytest.mark.parametrize("target", ["ag-ui", "cohere", "gemini-interactions"])
@pytest.mark.parametrize("kind", ["image", "document"])
def test_a_source_without_a_value_is_anthropics_for_every_target(target: tw.DialectName, kind: str) -> None:
    """AG-UI has a `value` in it, and the other targets have documents without a source."""
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    if kind == "image":
        source |= {"media_type": "image/png", "data": "iVBORw0KGgo="}
    block = {"type": kind, "source": source}
    messages = [{"role": "user", "content": [{"type": "text", "text": "q"}, block]}]
    ready = tw.prepare(messages, target)
    assert ready.payload == tw.prepare(messages, target, source="anthropic").payload
    block["source"] = {"type": "data", "value": source["data"], "mimeType": source["media_type"]}
    ready = tw.prepare(messages, target)
    assert ready.payload == tw.prepare(messages, target, source="ag-ui").payload


@pytest.mark.parametrize("id", [{}, {"id": "fc_1"}])
def test_a_call_with_two_ids_is_of_responses_in_a_mixed_list(id: dict[str, str]) -> None:
    """Gemini's Interactions have `call_id` in results only. Read as its call, it would not get its result."""
    items = [
        {"role": "user", "content": [{"type": "text", "text": "q"}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", **id},
        {"type": "function_call_output", "call_id": "c", "output": "found it"},
    ]
    ready = tw.prepare(items, "gemini-interactions")
    assert ready.payload["input"][-1] == {"type": "function_result", "call_id": "c", "result": "found it"}
    assert [change.code for change in ready.receipt if change.kind != "lost"] == []


@pytest.mark.parametrize("address", ["file:///cat.png", "images/cat.png", "https://example.com/cat.png"])
def test_an_image_as_an_address_may_be_of_a_training_set(address: str) -> None:
    assert tw.detect([{"role": "user", "content": [{"type": "image", "image": address}]}]) == "openai:hf"


FUNCTION = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
DECLARED = {"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "properties": {}}}]}
FLAT = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}
CLAUDES = {"name": "f", "input_schema": {"type": "object", "properties": {}}}
OWN = {"openai": FUNCTION, "openai-responses": FLAT, "anthropic": CLAUDES}
PROMPT = {"role": "user", "content": "q"}
FRAMES = {
    "openai": {"max_completion_tokens": 9, "messages": [PROMPT]},
    "openai-responses": {"instructions": "s", "input": [PROMPT]},
    "anthropic": {"system": "s", "messages": [PROMPT, {"role": "assistant", "content": "a"}, PROMPT]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "q"}]}]},
}


@pytest.mark.parametrize("tool", [FUNCTION, FLAT, CLAUDES], ids=["chat", "responses", "anthropic"])
@pytest.mark.parametrize("dialect", FRAMES)
def test_tools_in_the_form_of_another_dialect_do_not_decide(dialect, tool):
    """The keys of the body and its messages decide. The tools are read in their own form, as those beside messages."""
    body = {**FRAMES[dialect], "tools": [tool]}
    assert tw.detect(body) == dialect
    ready = tw.prepare(body, dialect)
    assert ready.payload == tw.prepare(body, dialect, source=dialect).payload
    # A tool in the target's own form stays as it came: Responses' may lack `strict`, which is written for all others.
    beside = tw.prepare(FRAMES[dialect], dialect, tools=[tool]).payload["tools"]
    assert ready.payload["tools"] == ([tool] if tool == OWN.get(dialect) else beside)
    assert json.loads(tw.prepare_json(json.dumps(body), dialect).payload) == ready.payload


@pytest.mark.parametrize("key", ["userInputMessage", "assistantResponseMessage"])
def test_a_key_may_say_who_speaks(key: str) -> None:
    message = {key: {"content": "x"}}
    assert tw.detect(message) == tw.detect([message]) == "amazon-q"
    with pytest.raises(tw.ParseError, match="which is one message: put it into a list"):
        tw.prepare(message, "openai")
    # Most formats know these keys, beside a role.
    for claimed in ({"content": "x"}, {"tool_call_id": "c", "content": "x"}):
        with pytest.raises(tw.UnknownDialectError):
            tw.detect(claimed)


def test_parts_without_a_type_are_geminis_whatever_the_role():
    contents = [{"role": "system", "parts": [{"text": "s"}]}, {"role": "user", "parts": [{"text": "q"}]}]
    for payload in (contents, {"contents": contents}):
        for target in ("gemini", "openai", "otel"):
            for given in (payload, json.dumps(payload)):
                with pytest.raises(tw.ParseError) as caught:
                    tw.prepare(given, target)
                assert caught.value.code == "unknown_role"
                assert str(caught.value.path).endswith("[0].role")
    typed = [{"role": "system", "parts": [{"type": "text", "content": "s"}]}]
    assert tw.detect(typed) == "otel"


@pytest.mark.parametrize("key", ["text", "body"])
@pytest.mark.parametrize("source", ["auto", "openai", "anthropic"])
def test_text_under_the_wrong_key_is_no_other_format(source: tw.DialectName, key: str) -> None:
    """No format with roles has the text under such a key, so the error names the key that is missing."""
    messages = [{"role": "assistant", "content": "q"}, {"role": "user", key: "x"}]
    for payload in (messages[1:], messages, {"messages": messages}):
        with pytest.raises(tw.ParseError, match='expected the key "content"') as raised:
            tw.prepare(payload, "anthropic", source=source)
        assert raised.value.code == "missing_key"
        assert "looks like" not in str(raised.value)


def test_the_name_of_who_speaks_is_a_sign_of_the_formats_that_have_one() -> None:
    """No other provider takes it: read as the target's own form, it would be sent there."""
    named: list[Any] = [{"role": "user", "content": "q", "name": "Bo"}, {"role": "assistant", "content": "a"}]
    named.append({"role": "user", "content": "r"})
    for target in ("anthropic", "mistral", "cohere", "ollama"):
        ready = tw.prepare(named, target)
        assert "Bo" not in json.dumps(ready.payload)
        assert [(loss.code, loss.path) for loss in ready.receipt] == [("key", "$[0].name")]
    assert tw.prepare(named, "openai").payload["messages"] == named
    # What only another format has still decides.
    used = [*named, USE, GIVEN]
    ready = tw.prepare(used, "anthropic")
    assert "Bo" not in json.dumps(ready.payload) and "$[0].name" in [loss.path for loss in ready.receipt]
    assert tw.detect([*CALLED_BY_NAME]) == "openai:hf"


# A result of a training set, which has its tool's name.
CALLED_BY_NAME: list[Any] = [
    {"role": "user", "content": "q"},
    {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {}}}]},
    {"role": "tool", "name": "f", "content": "r"},
]


# --- Types of tools, and what a record is ---


@pytest.mark.parametrize(
    ("tool", "dialect"),
    [
        ({"type": "web_search_20250305", "name": "web_search"}, "anthropic"),
        # A date that nobody knows yet.
        ({"type": "web_search_20991231", "name": "web_search"}, "anthropic"),
        ({"type": "bash_20250124", "name": "bash"}, "anthropic"),
        ({"type": "tool_search_tool_bm25_20251119", "name": "search"}, "anthropic"),
        ({"type": "mcp_toolset", "mcp_server_name": "s"}, "anthropic"),
        ({"type": "custom", "name": "f", "input_schema": {"type": "object"}}, "anthropic"),
        ({"type": "custom", "custom": {"name": "f"}}, "openai"),
        ({"type": "function", "function": {"name": "f"}}, "openai"),
        ({"type": "web_search"}, "mistral"),
        ({"type": "code_interpreter"}, "mistral"),
    ],
)
def test_the_type_of_a_tool_shows_the_dialect_of_a_body(tool, dialect):
    assert tw.detect({"messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}) == dialect
    # Only Responses and Interactions have this key.
    assert tw.detect({"input": [{"role": "user", "content": "Hi"}], "tools": [tool]}) == "openai-responses"


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"message_tree_id": "t", "prompt": {"role": "prompter", "text": "Hi"}}, "an OASST tree: choose one branch"),
        ({"version": 1, "interactions": [{"request": {}, "response": {}}]}, "an HTTP recording (VCR): take the bodies"),
        ({"text": "Hi"}, "plain text without speakers"),
    ],
)
def test_an_error_says_what_a_record_is(record, words):
    with pytest.raises(tw.TurnwireError, match=re.escape(words)) as error:
        tw.detect(record)
    assert error.value.code == "no_dialect"
