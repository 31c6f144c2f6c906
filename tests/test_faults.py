"""Whatever is wrong with a request: `check` reports it, and `build` repairs it or raises (see `faults/`)."""

from collections import Counter

import pytest
import turnwire as tw
from faults import bases, checkers, generate
from faults.fault import EVERY, FAULTS
from faults.kinds import reply
from faults.payload import VIEWS
from faults.suite import PAIRS, verdicts
from faults.verdict import PROMISES
from judges.problem import Problem


def judged(source, target):
    """The verdicts on a pair of dialects, where its payloads have a judge."""
    for dialect in (source, target):
        if why := checkers.missing(dialect):
            pytest.skip(why)
    return verdicts(source, target)


def some(wrong):
    """All of them as text, but only as many as a person can read."""
    return [f"{len(wrong)} in all", *wrong[:12]] if wrong else []


def not_accepted(found):
    """Results that the target refuses, and errors that were raised too late."""
    left = [f"{one}: {problem}" for one in found for problem in one.left]
    return left + [str(one) for one in found if one.outcome in ("render error", "crash")]


def not_told(found):
    return [f"{one}: {', '.join(map(str, one.wrong))}" for one in found if not one.told]


# One test holds all faults of a pair: a test for each kind costs more than the faults themselves.
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_faulty_requests_are_reported_and_repaired_or_refused(source, target):
    found = judged(source, target)
    assert {"not accepted": some(not_accepted(found)), "not told": some(not_told(found))} == {
        "not accepted": [],
        "not told": [],
    }


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_promises_hold(source, target):
    broken = {promise: [] for promise in PROMISES}
    for one in verdicts(source, target):
        for promise, why in one.broken.items():
            broken[promise].append(f"{one}: {why}")
    assert {promise: some(wrong) for promise, wrong in broken.items() if wrong} == {}


# Reasons why a problem beside missing tools is allowed, and the faults that can have it.
EXCUSED = {
    "unknown key": (
        *("extra: ", "character: in a key", "reply: streamed input of a call", "shape: error flag on a result"),
        *("shape: result content (list of objects)", "name: of an author", "tool: schema"),
        # The clients of other chats know neither the keys of compatible servers, nor Anthropic's signature.
        *("reply: key of openai (", "reply: whole message of a compatible server", "foreign: block of a"),
        # Responses does not flatten replies: on an item, the key of a reply is unknown.
        *("item: reasoning of a user", "side: output under content", "side: call with a role"),
        *("side: output with a role", "item: choice (with a key)", "reply: key (model)"),
        *("reply: key (usage)", "reply: key (empty usage)"),
        *(
            "bedrock: block of",
            "bedrock: result content (typed",
            "bedrock: specification (unk",
            "bedrock: system (typed",
        ),
        *("gemini: part of", "gemini: parts of a result (", "gemini: data of a user (extra)", "gemini: declaration ("),
        *("gemini: configuration (openai)", "gemini: configuration (unknown key)", "gemini: system (extra)"),
        "gemini: tools (unknown)",
    ),
    "unknown block": (
        *("foreign: ", "shape: type of a block", "gemini: part of", "bedrock: block of", "bedrock: mark (anthropic)"),
        *("bedrock: result content (unknown)", "item: element (unknown type)"),
    ),
}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_only_what_may_be_left_is_left(source, target, record_property):
    excused = [(why, one.case.name) for one in judged(source, target) for why in one.excused]
    record_property("excused", dict(Counter(why for why, _ in excused)))
    single = [(why, name) for why, name in excused if " + " not in name and why in EXCUSED]
    assert some([one for one in single if not one[1].startswith(EXCUSED[one[0]])]) == []
    given = [one for one in judged(source, target) if "tools missing" in one.excused]
    assert [one.case.name for one in given if isinstance(one.case.faulty, dict) and one.case.faulty.get("tools")] == []


# --- Sound payloads stay as they are ---


@pytest.mark.parametrize("dialect", bases.OWN)
def test_nothing_is_reported_about_sound_conversations(dialect):
    for body in bases.own(dialect):
        read = VIEWS[dialect].READ
        built = tw.MessageBuilder().set_messages(body, dialect, **read).build(target=dialect)
        assert tw.check(body, dialect, dialect, **read) == ()
        assert not built.receipt
        assert built.render(dialect).losses == ()
        # A bare list means the same without a key around it.
        if dialect != "history":
            made = built.render(dialect).payload
            assert (made if isinstance(made, type(body)) else VIEWS[dialect].list_of(made)) == body


def without_nulls(items):
    """Items of Responses without their keys that are null."""
    if not isinstance(items, list):
        return object()
    return [{key: value for key, value in item.items() if value is not None} for item in items]


@pytest.mark.parametrize("dialect", bases.KEYS)
def test_recorded_requests_without_a_problem_are_left_alone(dialect):
    if why := checkers.missing(dialect):
        pytest.skip(why)
    changed = []
    for number, body in enumerate(bases.recorded(dialect)):
        if not checkers.problems(dialect, body):
            built = tw.MessageBuilder().set_messages(body, dialect).build(target=dialect)
            # Every target drops an assistant turn without content.
            silent = {change.code for change in built.receipt or ()} == {"empty_assistant"}
            # Some were sent to other services, which do not check for strictness.
            silent |= {change.code for change in built.receipt or ()} == {"not_strict"}
            # The text before a compaction is not sent, because the compaction replaces it.
            silent |= {change.code for change in built.receipt or ()} == {"compacted"}
            # OpenAI accepts keys of items that are null, and Azure refuses them: they go, and nothing else changes.
            only_nulls = built.render(dialect).payload.get("input") == without_nulls(body.get("input"))
            silent |= only_nulls and {change.code for change in built.receipt or ()} == {"reshaped"}
            if not silent and (built.receipt or {**body, **built.render(dialect).payload} != body):
                changed.append(f"request {number}: {built.receipt}")
    assert some(changed) == []


def test_a_number_that_nothing_holds_stays_in_json_text_and_is_a_loss_of_objects():
    """The two functions cannot agree: the JSON text is valid and keeps its spelling, and no object could hold it."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"q": 1e9999}'}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    told = {"role": "tool", "tool_call_id": "c", "content": "r"}
    built = tw.MessageBuilder().set_messages([{"role": "user", "content": "q"}, asked, told]).build(target="anthropic")
    assert b'"input":{"q": 1e9999}' in built.render_json("anthropic").payload
    assert built.render_json("anthropic").losses == ()
    rendered = built.render("anthropic")
    assert rendered.payload["messages"][1]["content"][0]["input"] == {}
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.losses] == [
        ("lost", "arguments", "$[1].tool_calls[0]")
    ]


# --- The suite itself ---


def test_every_fault_finds_its_place():
    # A profile has the kinds of its dialect.
    for dialect in EVERY:
        found = {case.name for case in generate.singles(dialect, 0, 2)}
        assert {fault.name for fault in FAULTS.values() if dialect in fault.dialects} - found == set()


def test_cases_are_the_same_in_every_run():
    for dialect in bases.OWN:
        once, again = (repr(list(generate.several(dialect, 20))) for _ in range(2))
        assert once == again


@pytest.mark.parametrize("dialect", bases.OWN)
def test_checkers_find_nothing_in_sound_conversations(dialect):
    if why := checkers.missing(dialect):
        pytest.skip(why)
    assert [str(one) for body in bases.own(dialect) for one in checkers.problems(dialect, body)] == []


# What our own checkers must find.
SEEN = {
    "amazon-q": {
        "empty: the list": "empty",
        "order: assistant first": "alternate",
        "order: assistant last (plain)": "last",
        "order: same role again (user)": "alternate",
        "place: result missing": "unanswered",
        "place: result of no call (last)": "orphan",
        "place: result twice": "orphan",
        "place: call id twice in a turn": "id.twice",
        "name: of a call (dot)": "name.bad",
        "name: id of a call (65 characters)": "toolUseId.bad",
        "shape: arguments (list)": "input.not-object",
        "character: in a text (high half)": "json",
        "extra: key of a turn (user)": "unknown-key",
        "service: user content (null)": "type",
        "service: result content (no blocks)": "result.empty",
        "service: result content (empty text)": "result.empty",
        "service: result content (text and json)": "block",
        "service: result status (unknown)": "status",
        "service: image (tiff)": "image.format",
        "service: image (no base64)": "image.data",
        "service: both messages in one": "element",
    },
    "history": {
        "empty: the list": "empty",
        "empty: assistant content (blank)": "assistant.empty",
        "empty: user content (null)": "content",
        "role: user as (model)": "role",
        "place: result missing": "unanswered",
        "place: result of no call (first)": "orphan",
        "place: result again at the end": "orphan",
        "shape: call id (null)": "id.bad",
        "shape: message (number)": "type",
        "shape: user content (list of numbers)": "block",
        "character: in a text (high half)": "json",
    },
    "openai:hf": {
        "empty: the list": "list",
        "role: user as (model)": "role",
        "place: result missing": "unanswered",
        "place: result of no call (first)": "orphan",
        "shape: arguments (text)": "arguments",
        "shape: call name (null)": "name",
        "shape: text of a block (number)": "part",
        "shape: user content (number)": "content",
    },
    "sharegpt": {
        "empty: the list": "list",
        "place: result missing": "unanswered",
        "place: result again at the end": "orphan",
        "shape: call name (number)": "call",
        "shape: arguments (list)": "call",
        "character: alone (high half)": "json",
    },
    "llama": {
        "role: user as (developer)": "role",
        "place: result missing": "unanswered",
        "place: result of no call (first)": "orphan",
        "role: system turn (last)": "role",
        "shape: user content (number)": "content",
        "shape: message (number)": "type",
    },
    "llama:3": {
        "role: user as (model)": "role",
        "place: result missing": "unanswered",
        "place: result of no call (first)": "orphan",
        "place: call twice": "call",
        "shape: arguments (text)": "arguments",
        "shape: call name (null)": "name",
        "shape: user content (object)": "content",
    },
    "structured": {
        "role: user as (assistant)": "role",
        "place: result missing": "unanswered",
        "place: result of no call (first)": "orphan",
        "shape: arguments (number)": "arguments",
        "shape: call name (null)": "name",
        "shape: text of a block (number)": "part",
        "shape: user content (number)": "content",
    },
}


@pytest.mark.parametrize("dialect", SEEN)
def test_our_own_checkers_see_faults(dialect):
    found = {}
    for case in generate.singles(dialect, 0, 2):
        if case.name in SEEN[dialect]:
            found.setdefault(case.name, set()).update(one.code for one in checkers.problems(dialect, case.faulty))
    assert {name: code for name, code in SEEN[dialect].items() if code not in found[name]} == {}


EXTRA = "the SDK's own type rejects it: Extra inputs are not permitted"
TAG = "the SDK's own type rejects it: Input tag '{}' found using pick()"
TEXT = {"messages": [{"role": "user", "content": [{"type": "text", "text": "a", "x": 1}], "x": 1, "tool_calls": []}]}
IMAGE = {"messages": [{"role": "system", "content": [{"type": "image", "source": {}}]}]}


@pytest.mark.parametrize(
    ("dialect", "code", "path", "message", "payload", "why"),
    [
        ("anthropic", "tools.missing", "tools", "", TEXT, "tools missing"),
        ("openai", "type", "messages[0].x", EXTRA, TEXT, "unknown key"),
        ("openai", "type", "messages[0].content[0].x", EXTRA, TEXT, "unknown key"),
        ("openai", "type", "messages[0].tool_calls", EXTRA, TEXT, None),
        ("openai", "type", "messages[0].annotations", EXTRA, TEXT, None),
        ("anthropic", "type", "messages[0].annotations", EXTRA, TEXT, "unknown key"),
        ("anthropic", "type", "messages[0].stop_reason", EXTRA, TEXT, None),
        ("anthropic", "type", "messages[0].content[0].source", EXTRA, IMAGE, None),
        ("openai", "type", "messages[0].content[0]", TAG.format("brand_new"), TEXT, "unknown block"),
        ("openai", "type", "messages[0].content[0]", TAG.format("image_url"), TEXT, None),
        ("anthropic", "type", "messages[0].content[0]", TAG.format("image_url"), TEXT, "unknown block"),
        ("openai", "type", "messages[0].content[0]", TAG.format(""), TEXT, None),
        ("amazon-q", "unknown-key", "[0].x", "no such key", [{"x": 1}], "unknown key"),
        ("openai", "content.missing", "messages[0]", "", TEXT, None),
    ],
)
def test_little_is_excused(dialect, code, path, message, payload, why):
    excuse = checkers.excuse(dialect, Problem(code, path, message), payload)
    assert (excuse and excuse.why) == why


def test_the_keys_of_replies_are_those_of_the_sdks():
    why = "the official SDKs are not installed (dependency group wire)"
    chat = pytest.importorskip("openai.types.chat", reason=why)
    messages = pytest.importorskip("anthropic.types", reason=why)
    parsed = pytest.importorskip("anthropic.types.parsed_message", reason=why)

    def keys(reply_object, request_object=None):
        asked = request_object.__annotations__ if request_object else ()
        return set(reply_object.model_fields) - set(asked)

    # Those who keep replies flatten a message of OpenAI's, its choice and its completion into one object.
    openai = keys(chat.ParsedChatCompletionMessage, chat.ChatCompletionAssistantMessageParam)
    openai |= keys(chat.chat_completion.Choice) | keys(chat.ChatCompletion)
    openai -= {"message"}
    calls = keys(chat.chat_completion_chunk.ChoiceDeltaToolCall, chat.ChatCompletionMessageFunctionToolCallParam)
    functions = keys(chat.ParsedFunction) - {"name", "arguments"}
    compatible = {"reasoning", "reasoning_content", "reasoning_details"}
    anthropic = keys(messages.Message) - {"role", "content"}
    texts = keys(parsed.ParsedTextBlock, messages.TextBlockParam)
    assert set(reply.KEYS["openai"]) == (
        {f"messages[].{key}" for key in openai | compatible}
        | {f"messages[].tool_calls[].{key}" for key in calls}
        | {f"messages[].tool_calls[].function.{key}" for key in functions}
    )
    responses = pytest.importorskip("openai.types.responses", reason=why)
    parsed_texts = keys(responses.ParsedResponseOutputText, responses.ResponseOutputTextParam)
    made = responses.ParsedResponseFunctionToolCall, responses.ResponseFunctionToolCallItem
    items = set().union(*(keys(one, responses.ResponseFunctionToolCallParam) for one in made))
    # Python's word for `async`, which a request has.
    items -= {"async_"}
    assert set(reply.KEYS["openai-responses"]) == (
        {f"input[].content[].{key}" for key in parsed_texts} | {f"input[].{key}" for key in items}
    )
    assert set(reply.KEYS["anthropic"]) == (
        {f"messages[].{key}" for key in anthropic} | {f"messages[].content[].{key}" for key in texts}
    )
