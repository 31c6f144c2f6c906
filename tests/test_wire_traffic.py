"""Recorded traffic with real servers: replayed unchanged, and converted to what the other provider's SDK accepts."""

import base64
import contextlib
import itertools
import json
from collections import Counter
from urllib.parse import unquote

import pytest
import turnwire as tw
from judges import wire
from mutants.judged import begins_with_compaction
from recordings import MISSING, exchanges, requests

KEYS = {
    "openai": ("messages", "tools", "tool_choice"),
    "anthropic": ("system", "messages", "tools", "tool_choice"),
    "gemini": ("systemInstruction", "contents", "tools", "toolConfig"),
    "bedrock": ("system", "messages", "toolConfig"),
    "openai-responses": ("instructions", "input", "tools", "tool_choice"),
}
BODY = {name: {"model": "m"} for name in KEYS} | {"gemini": {}, "bedrock": {}}
BODY["anthropic"]["max_tokens"] = 4096
CHECKS = {name: name for name in KEYS} | {"openai": "openai_chat", "openai-responses": "openai_responses"}
SDKS = ("openai", "anthropic", "google.genai", "boto3")
WIRED = list(itertools.permutations(KEYS, 2))
PAIRS = [*WIRED, *((source, "amazon-q") for source in KEYS)]
# What no target can express: a history without any visible content of the user before the model's reply, or at all;
# documents without text beside them; a history that is only the server's compaction, or begins with it; calls without a
# tool.
REFUSED = {
    ("gemini", "anthropic"): 5,
    ("openai", "bedrock"): 2,
    ("anthropic", "bedrock"): 1,
    ("gemini", "bedrock"): 8,
    ("openai-responses", "anthropic"): 2,
    ("openai-responses", "gemini"): 2,
    ("openai-responses", "bedrock"): 3,
}
# Recorded without tools though there are calls: the tools are the caller's.
NO_TOOLS = {"anthropic.tools.missing", "bedrock.toolConfig.missing"}
# Servers other than OpenAI's accepted these.
TAKEN = {"openai-responses": {"id.prefix", "type"}}
# Gemini 3 accepted the calls of one step in several contents.
TAKEN["gemini"] = {"call.unanswered", "call.first", "response.count", "response.id"}

# OpenAI serves the keys that its SDK's replies hold, and functions that do not say whether they are strict.
TAKEN["openai"] = {"type"}

# Strings that are grammar, not content.
GRAMMAR = {"role", "type", "id", "tool_use_id", "tool_call_id", "media_type", "format", "detail", "ttl"}
GRAMMAR |= {"mimeType", "mime_type", "toolUseId", "call_id", "status"}
# Keys whose whole value is kept: arguments.
WHOLE = ("input", "args")


@pytest.fixture(scope="module")
def errors():
    """What the judge of requests refuses in a body."""

    def check(dialect, body):
        found = wire.refused(dialect, body)
        if begins_with_compaction(body):
            found = [problem for problem in found if problem.code != "anthropic.first-role"]
        return [problem for problem in found if problem.code not in NO_TOOLS or "tools" in body or "toolConfig" in body]

    return check


@pytest.mark.parametrize("dialect", KEYS)
def test_replay(dialect):
    for request in requests(dialect):
        expected = json.dumps({key: value for key, value in request.items() if key in KEYS[dialect]})
        rendered = tw.convert(request, dialect, source=dialect, blobs="base64")
        assert json.dumps(rendered.payload) == expected
        assert not rendered.receipt.changed
        rendered = tw.convert_json(json.dumps(request), dialect, source=dialect)
        assert rendered.payload.decode() == expected or json.dumps(json.loads(rendered.payload)) == expected
        assert not rendered.receipt.changed


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_both_functions_agree(source, target):
    for request in requests(source):
        by_text = json.dumps(request, separators=(",", ":"))
        try:
            objects = tw.convert(request, target, source=source, blobs="base64")
        except tw.RenderError as error:
            with pytest.raises(tw.RenderError) as caught:
                tw.convert_json(by_text, target, source=source)
            assert str(caught.value) == str(error)
            continue
        text = tw.convert_json(by_text, target, source=source)
        assert json.dumps(json.loads(text.payload)) == json.dumps(objects.payload)
        assert text.receipt == objects.receipt


@pytest.mark.parametrize(("source", "target"), WIRED)
def test_the_other_provider_accepts_it(source, target, errors, record_property):
    findings, refused = [], Counter()
    for number, request in enumerate(requests(source)):
        try:
            body = {**BODY[target], **tw.convert(request, target, source=source, blobs="base64").payload}
        except tw.RenderError as error:
            refused[error.code] += 1
            continue
        original = {problem.code.split(".", 1)[1] for problem in errors(source, request)}
        found = [problem for problem in errors(target, body) if problem.code.split(".", 1)[1] not in original]
        findings += [f"request {number}: {problem}" for problem in found]
    record_property("refused", dict(refused))
    assert findings == []
    assert refused.total() == REFUSED.get((source, target), 0)
    assert set(refused) <= {"refused"}


@pytest.mark.parametrize("target", ["openai", "anthropic"])
def test_gemini_accepts_what_comes_back(target, errors):
    findings, refused = [], 0
    for number, request in enumerate(requests("gemini")):
        try:
            there = tw.convert(request, target, source="gemini", blobs="base64").payload
            back = tw.convert(there, "gemini", source=target, blobs="base64").payload
        except tw.RenderError:
            refused += 1
            continue
        original = {problem.code for problem in errors("gemini", request)}
        found = [problem for problem in errors("gemini", back) if problem.code not in original]
        findings += [f"request {number}: {problem}" for problem in found]
    assert findings == []
    assert refused == REFUSED["gemini", "anthropic"], "what held nothing else is empty when it comes back"


# Recorded without content of the user's that the target accepts, or with the model's at the end.
UNSENDABLE = {"empty_messages", "starts_with_assistant", "ends_with_assistant"}


@pytest.mark.parametrize(("source", "target"), [*WIRED, ("gemini",) * 2, ("bedrock",) * 2, ("openai-responses",) * 2])
def test_what_is_prepared_is_accepted(source, target, errors, record_property):
    findings, refused = [], Counter()
    for number, request in enumerate(requests(source)):
        try:
            body = {**BODY[target], **tw.prepare(request, target, source=source, blobs="base64").payload}
        except tw.BuildError as error:
            refused[error.code] += 1
            continue
        original = {problem.code.split(".", 1)[1] for problem in errors(source, request)}
        if source == target:
            original &= TAKEN.get(source, set())
        found = [problem for problem in errors(target, body) if problem.code.split(".", 1)[1] not in original]
        findings += [f"request {number}: {problem}" for problem in found]
    record_property("refused", dict(refused))
    assert findings == []
    # turnwire cannot invent the text that Converse needs beside a document, or a tool.
    assert set(refused) <= UNSENDABLE | ({"unsendable"} if target == "bedrock" else set())
    assert refused.total() <= REFUSED.get((source, target), 0) + 5


@pytest.mark.parametrize("source", [name for name in KEYS if name != "bedrock"])
def test_boto3_takes_blobs_as_bytes(source, errors):
    blobs = 0
    for request in requests(source):
        try:
            payload = tw.convert(request, "bedrock", source=source, blobs="raw").payload
        except tw.RenderError:
            continue
        found = wire.errors(wire.check("bedrock", payload, blobs="raw"))
        assert [problem for problem in found if problem.code in ("bedrock.blob", "bedrock.type")] == []
        blobs += str(payload).count("'bytes': b'")
    assert blobs > 0


# --- What was answered has no error, and what was refused has one ---

# Which row a host's traffic is about. The other hosts speak the format that they are recorded as.
ROWS = {
    "api.mistral.ai": "mistral",
    "api.deepseek.com": "openai:deepseek",
    "api.groq.com": "openai:groq",
    "openrouter.ai": "openai:openrouter",
}
OWN_HOSTS = {"api.openai.com"}
# Servers without a row of their own that answer what the row of their format refuses, by the code of the finding.
SERVES = {
    # It takes an empty list of tools; vLLM refuses one.
    "router.huggingface.co": {"no_tools"},
    # Its Responses know reasoning by no id of OpenAI's form.
    "api.deepseek.com": {"reasoning", "empty_turn"},
}
RECORDED = (*KEYS, "cohere")


def known(dialect):
    return exchanges(dialect) or pytest.skip(MISSING)


def row_of(record):
    """The row that describes the server of a record."""
    dialect, host = record["dialect"], record["host"]
    if dialect != "openai" or host in OWN_HOSTS:
        return dialect
    return ROWS.get(host, "openai:compatible")


def body_of(record):
    """The request, with the model that Converse has in its address."""
    if record["dialect"] != "bedrock":
        return record["request"]
    return {"modelId": unquote(record["path"].split("/")[2]), **record["request"]}


def errors_of(record):
    row = row_of(record)
    dialect = "mistral" if row == "mistral" else record["dialect"]
    found = {finding.code for finding in tw.check(body_of(record), row, source=dialect) if finding.severity == "error"}
    return found - (SERVES.get(record["host"], set()) if row in ("openai:compatible", "openai-responses") else set())


@pytest.mark.parametrize("dialect", RECORDED)
def test_a_request_that_was_answered_has_no_error(dialect):
    answered = [record for record in known(dialect) if 200 <= record["status"] < 300]
    assert answered
    wrong = [(record["host"], record["cassette"], found) for record in answered if (found := errors_of(record))]
    assert wrong == []


# Refusals whose cause is not in the body: by words of the server's message.
BEYOND_THE_BODY = {
    "does not exist": "the name of a model",
    "Cannot fetch content": "what is at an address",
    "try again with a pdf": "what is at an address",
}


def test_a_request_that_was_refused_has_an_error():
    refused = [record for dialect in RECORDED for record in known(dialect) if record["status"] == 400]
    beyond, silent = Counter(), []
    for record in refused:
        said = json.dumps(record["response"])
        reason = next((words for words in BEYOND_THE_BODY if words in said), None)
        if reason:
            beyond[reason] += 1
        elif not errors_of(record):
            silent.append((record["cassette"], said))
    assert silent == []
    assert set(beyond) == set(BEYOND_THE_BODY)


HELLO = {"role": "user", "content": "Hi"}
LOOSE = {"type": "object", "properties": {"a": {"type": "string"}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "w", "arguments": "{}"}, "index": 0}
ASKED = [HELLO, {"role": "assistant", "content": None, "tool_calls": [CALL]}]
GAVE = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
ECHO = [HELLO, {"role": "assistant", "content": "Yo", "annotations": []}, HELLO]
THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
BLANK_SYSTEM = {"model": "m", "max_tokens": 9, "system": "", "messages": [HELLO]}

# What servers are known to do: the source, the row, a body, the code of the finding, and its severity.
KNOWN = [
    *(
        ("openai", row, {"messages": [HELLO], "tools": []}, "no_tools", "error")
        for row in ("openai", "openai:deepseek")
    ),
    ("openai", "openai:compatible", {"messages": [HELLO], "tools": []}, "no_tools", "error"),
    ("openai", "openai:kimi", {"messages": [HELLO], "tools": []}, "no_tools", "warning"),
    ("mistral", "mistral", {"messages": [HELLO], "tools": []}, "no_tools", "warning"),
    ("anthropic", "anthropic", {"messages": [HELLO], "tools": []}, "no_tools", "warning"),
    ("ollama", "ollama", {"messages": [HELLO], "tools": []}, "no_tools", "info"),
    ("openai-responses", "openai-responses", {"input": "Hi", "tools": []}, "no_tools", "info"),
    ("openai:hf", "openai:hf", {"messages": [HELLO], "tools": []}, "no_tools", None),
    ("openai", "openai", {"messages": ECHO}, "reply_keys", "info"),
    ("openai", "openai:groq", {"messages": ECHO}, "reply_keys", "error"),
    ("mistral", "mistral", {"messages": ECHO}, "reply_keys", "error"),
    *(
        ("openai", f"openai:{row}", {"messages": ECHO}, "reply_keys", "warning")
        for row in ("compatible", "deepseek", "kimi", "qwen", "openrouter")
    ),
    ("openai", "openai", {"messages": [*ASKED, GAVE]}, "reshaped", "info"),
    ("openai", "openai:groq", {"messages": [*ASKED, GAVE]}, "reshaped", "error"),
    ("openai", "openai", {"messages": [*ASKED, GAVE, HELLO, *ASKED[1:], GAVE]}, "renamed_id", "info"),
    ("openai", "openai", {"messages": [HELLO], "tool_choice": "auto"}, "lone_choice", "error"),
    ("mistral", "mistral", {"messages": [HELLO], "tool_choice": "none"}, "lone_choice", "info"),
    ("mistral", "mistral", {"messages": [HELLO], "tool_choice": "any"}, "lone_choice", "error"),
    ("openai-responses", "openai-responses", {"input": [HELLO, THOUGHT, HELLO]}, "lone_reasoning", None),
    (
        "openai-responses",
        "openai-responses",
        {"input": [HELLO, {**THOUGHT, "id": "rs_1"}, HELLO]},
        "lone_reasoning",
        "error",
    ),
    ("anthropic", "anthropic", BLANK_SYSTEM, "blank_text", "info"),
    (
        "anthropic",
        "anthropic",
        {"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]},
        "blank_text",
        "error",
    ),
    (
        "openai",
        "openai",
        {
            "messages": [HELLO],
            "tools": [{"type": "function", "function": {"name": "w", "strict": True, "parameters": LOOSE}}],
        },
        "not_strict",
        "error",
    ),
    (
        "openai-responses",
        "openai-responses",
        {"input": "Hi", "tools": [{"type": "function", "name": "w", "strict": True, "parameters": LOOSE}]},
        "not_strict",
        "error",
    ),
]


@pytest.mark.parametrize(("source", "row", "body", "code", "severity"), KNOWN)
def test_what_a_server_is_known_to_do_is_the_severity(source, row, body, code, severity):
    found = {finding.severity for finding in tw.check(body, row, source=source) if finding.code == code}
    assert found == ({severity} if severity else set())


# A build still gives such an id a name of its own: ids are unique (P2), whatever the target.
RENAMED = "renamed_id"


@pytest.mark.parametrize(
    ("source", "row", "body", "code", "severity"),
    [one for one in KNOWN if one[4] in ("info", None) and one[3] != RENAMED],
)
def test_what_a_server_accepts_stays_as_it_came(source, row, body, code, severity):
    made = tw.prepare(body, row, source=source, blobs="base64")
    assert [entry.code for entry in made.receipt if entry.kind != "warning"] == []
    assert made.payload == {key: value for key, value in body.items() if key in made.payload}
    assert {*body} - {*made.payload} <= {"model", "max_tokens"}


def leaves(value, path, *, whole=()):
    """Every string of content, with its path; the values under `whole` keys as they are."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in whole and path != "$" and not isinstance(item, str):
                yield f"{path}.{key}", item
            elif key not in GRAMMAR:
                yield from leaves(item, f"{path}.{key}", whole=whole)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]", whole=whole)
    elif isinstance(value, str) and value:
        yield path, value


def forms(text):
    """A text as it may appear elsewhere: data of a `data:` URL, base64 in the ordinary alphabet, a document's bytes."""
    core = text.partition(";base64,")[2] or text
    made = {core, core.replace("-", "+").replace("_", "/"), base64.b64encode(text.encode()).decode()}
    with contextlib.suppress(ValueError):
        made.add(base64.b64decode(core, validate=True).decode())
    return made - {""}


def as_object(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_text_and_argument_is_there_or_a_loss(source, target):
    kept = lost = 0
    for request in requests(source):
        try:
            rendered = tw.convert(request, target, source=source, blobs="base64")
        except tw.RenderError:
            continue
        said = [text for _, text in leaves(rendered.payload, "$") if isinstance(text, str)]
        whole = (*WHOLE, "response") if target == "gemini" else WHOLE
        inputs = [value for _, value in leaves(rendered.payload, "$", whole=whole) if not isinstance(value, str)]
        inputs += [as_object(text) for text in said]
        conversation = {key: request[key] for key in KEYS[source] if key in request and key != "tools"}
        for path, value in leaves(conversation, "$", whole=WHOLE):
            if isinstance(value, str):
                # Arguments may be an object now, and so may results for Gemini.
                there = any(form in text for text in said for form in forms(value))
                there = there or ((path.endswith(".arguments") or target == "gemini") and as_object(value) in inputs)
            else:
                there = value in inputs
            by_choice = path.startswith(("$.tool_choice", "$.toolConfig"))
            # The mark of a cache has another form for each provider.
            there = there or "prompt_cache_breakpoint" in path
            # Signed parts stay and lose their signature. Parts with an id stay without it.
            losses = [loss for loss in rendered.receipt if loss.code != "signature" or "ignature" in path]
            losses = [loss for loss in losses if loss.code not in ("id", "empty_turn")]
            reported = any(path.startswith(loss.path) for loss in losses)
            assert there or by_choice or reported, f"{path}: {value!r}"
            kept += there
            lost += reported
    assert kept > lost // 2 > 0
