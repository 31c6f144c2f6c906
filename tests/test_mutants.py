"""Whatever is wrong with a request: `check` reports it, and `prepare` repairs it or raises (see `mutants/`)."""

import itertools
import re

import pytest
import recordings
import turnwire as tw
from judges.problem import Problem
from mutants import judged
from mutants.judged import FORMATS, fact
from mutants.verdict import verdict
from mutants.weave import mutants, sound
from random_runs import tries

# Formats, and profiles with rules of their own.
TARGETS = (*FORMATS, "gemini:2", "mistral:v3", "mistral:v7", "mistral:v11", "mistral:v15")
OWN, EACH_OTHER = tries(300), tries(5)
# What is known to be wrong: format, a fault, what is broken, and why.
KNOWN: list[tuple[str, str, str, str]] = [
    ("bedrock", "piece .*document.* messages.4.content.0$", "P7", "a document beside no text but what is guarded"),
    ("bedrock", ".*(citationsContent|searchResult.content)", "P[57]", "what is cited or found is not read: it stays"),
    ("gemini-interactions", "copy of another .*type", "P7 told", "the type of a step in the place of a block's"),
]


def failures(source, target, count, seed):
    for mutant in mutants(source, count, seed):
        for said in verdict(mutant, source, target):
            if not any(
                source == of and re.match(fault, mutant.done) and re.match(how, said) for of, fault, how, _ in KNOWN
            ):
                yield f"{mutant.done}: {said}"


def some(wrong):
    """As many as a person can read."""
    return list(itertools.islice(wrong, 12))


@pytest.mark.parametrize("dialect", TARGETS)
def test_mutants_are_told_and_repaired_or_refused(dialect):
    count = OWN if dialect in FORMATS else OWN // 3
    assert some(failures(dialect, dialect, count, 1)) == []


@pytest.mark.parametrize("target", TARGETS)
def test_mutants_of_other_formats_are_told_and_repaired_or_refused(target):
    others = [one for one in FORMATS if one != target]
    assert some(said for one in others for said in failures(one, target, EACH_OTHER, f"to {target}")) == []


# --- Sound requests stay as they are ---


@pytest.mark.parametrize("dialect", TARGETS)
def test_nothing_is_reported_about_sound_requests(dialect):
    for body in sound(dialect):
        read = fact(dialect, "read", {})
        # These bodies are JSON, so Bedrock's bytes are base64.
        made = tw.prepare(body, dialect, source=dialect, blobs="base64", **read)
        assert judged.problems(dialect, body) == []
        assert not tw.check(body, dialect, source=dialect, **read)
        assert not made.receipt.changed
        # A bare list means the same without a key around it.
        payload = made.payload if isinstance(made.payload, type(body)) else judged.listed(dialect, made.payload)
        assert payload == body or dialect == "history"


# Target rules that the judge does not know: what they change in recorded requests is no fault.
QUIET = {"empty_assistant", "not_strict", "compacted", "blank_text"}
KEYS = {
    "openai": ("messages", "tools", "tool_choice"),
    "anthropic": ("system", "messages", "tools", "tool_choice"),
    "gemini": ("systemInstruction", "contents", "tools", "toolConfig"),
    "bedrock": ("system", "messages", "toolConfig"),
    "openai-responses": ("instructions", "input", "tools", "tool_choice", *fact("openai-responses", "continues")),
}


@pytest.mark.parametrize("dialect", KEYS)
def test_recorded_requests_without_a_problem_are_left_alone(dialect):
    changed = []
    for number, request in enumerate(recordings.requests(dialect)):
        body = {key: request[key] for key in KEYS[dialect] if key in request}
        if judged.problems(dialect, body):
            continue
        made = tw.prepare(body, dialect, blobs="base64")
        codes = {change.code for change in made.receipt}
        # OpenAI accepts keys of items that are null, and Azure refuses them: they go, and nothing else changes.
        items = body.get("input")
        kept = (
            [{key: value for key, value in one.items() if value is not None} for one in items if isinstance(one, dict)]
            if isinstance(items, list)
            else items
        )
        if (codes and codes <= QUIET) or (codes == {"reshaped"} and made.payload.get("input") == kept):
            continue
        if codes or body | made.payload != body:
            changed.append(f"request {number}: {made.receipt}")
    assert some(changed) == []


def test_a_number_that_nothing_holds_stays_in_json_text_and_is_a_loss_of_objects():
    """The two functions cannot agree: the JSON text is valid and keeps its spelling, and no object could hold it."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"q": 1e9999}'}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    told = {"role": "tool", "tool_call_id": "c", "content": "r"}
    built = (
        tw.spec.MessageBuilder().set_messages([{"role": "user", "content": "q"}, asked, told]).build(target="anthropic")
    )
    assert b'"input":{"q": 1e9999}' in built.render_json("anthropic").payload
    assert not built.render_json("anthropic").receipt.changed
    rendered = built.render("anthropic")
    assert rendered.payload["messages"][1]["content"][0]["input"] == {}
    assert [(loss.code, loss.path) for loss in rendered.receipt.only("lost")] == [("arguments", "$[1].tool_calls[0]")]


# --- The suite itself ---


@pytest.mark.parametrize("dialect", FORMATS)
def test_mutants_are_the_same_in_every_run_and_each_kind_is_made(dialect):
    once, again = ([(one.done, repr(one.body)) for one in mutants(dialect, 30, 1)] for _ in range(2))
    assert once == again
    assert {done.partition(" ")[0] for done, _ in once} == {"copy", "end", "key", "move", "piece", "put", "shape"}


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
    assert judged.excuse(dialect, Problem(code, path, message), payload) == why


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
    assert set(fact("openai", "of_replies")) == (
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
    assert set(fact("openai-responses", "of_replies")) == (
        {f"input[].content[].{key}" for key in parsed_texts} | {f"input[].{key}" for key in items}
    )
    assert set(fact("anthropic", "of_replies")) == (
        {f"messages[].{key}" for key in anthropic} | {f"messages[].content[].{key}" for key in texts}
    )
