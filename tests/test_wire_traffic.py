"""Recorded traffic with real servers: replayed as it was, and converted to what the other provider's SDK accepts."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
import turnwire as tw

SHARED = Path(__file__).resolve().parents[2] / "shared"
KEYS = {
    "openai": ("messages", "tools", "tool_choice"),
    "anthropic": ("system", "messages", "tools", "tool_choice"),
}
BODY = {"openai": {"model": "m"}, "anthropic": {"model": "m", "max_tokens": 4096}}
CHECKS = {"openai": "openai_chat", "anthropic": "anthropic"}
PAIRS = [("openai", "anthropic"), ("anthropic", "openai"), ("openai", "amazon-q"), ("anthropic", "amazon-q")]

# Strings that are grammar, not content.
GRAMMAR = {"role", "type", "id", "tool_use_id", "tool_call_id", "media_type", "format", "detail", "ttl"}


def requests(dialect):
    path = SHARED / f"data/wire/{dialect}.jsonl"
    if not path.exists():
        pytest.skip("the recorded traffic is not here (../shared/data/wire)")
    with path.open(encoding="utf-8") as lines:
        return [record["request"] for record in map(json.loads, lines) if record["status"] == 200]


@pytest.fixture(scope="module")
def errors():
    """The wire checker, which needs the official SDKs: the errors of a request body."""
    if not (SHARED / "tools/wirecheck.py").exists():
        pytest.skip("the wire checker is not here (../shared/tools)")
    for sdk in ("openai", "anthropic"):
        pytest.importorskip(sdk, reason="the official SDKs are not installed (dependency group wire)")
    sys.path.insert(0, str(SHARED / "tools"))
    try:
        import wirecheck
    finally:
        sys.path.pop(0)
    return lambda dialect, body: wirecheck.errors(wirecheck.check(CHECKS[dialect], body))


@pytest.mark.parametrize("dialect", KEYS)
def test_replay(dialect):
    for request in requests(dialect):
        expected = json.dumps({key: value for key, value in request.items() if key in KEYS[dialect]})
        rendered = tw.convert(request, dialect, dialect)
        assert json.dumps(rendered.payload) == expected
        assert rendered.losses == ()
        rendered = tw.convert_json(json.dumps(request), dialect, dialect)
        assert rendered.payload.decode() == expected or json.dumps(json.loads(rendered.payload)) == expected
        assert rendered.losses == ()


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_both_doors_agree(source, target):
    for request in requests(source):
        objects = tw.convert(request, source, target)
        text = tw.convert_json(json.dumps(request, separators=(",", ":")), source, target)
        assert json.dumps(json.loads(text.payload)) == json.dumps(objects.payload)
        assert text.losses == objects.losses


@pytest.mark.parametrize(("source", "target"), PAIRS[:2])
def test_the_other_provider_accepts_it(source, target, errors, record_property):
    findings, refused = [], Counter()
    for number, request in enumerate(requests(source)):
        try:
            body = {**BODY[target], **tw.convert(request, source, target).payload}
        except tw.RenderError as error:
            refused[error.code] += 1
            continue
        original = {problem.code.split(".", 1)[1] for problem in errors(source, request)}
        found = [problem for problem in errors(target, body) if problem.code.split(".", 1)[1] not in original]
        findings += [f"request {number}: {problem}" for problem in found]
    record_property("refused", dict(refused))
    assert findings == []
    assert refused == {}


def leaves(value, path, *, whole=()):
    """Every string that says something, with its path; the values under `whole` keys as they are."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in whole and not isinstance(item, str):
                yield f"{path}.{key}", item
            elif key not in GRAMMAR:
                yield from leaves(item, f"{path}.{key}", whole=whole)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]", whole=whole)
    elif isinstance(value, str) and value:
        yield path, value


def as_object(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_text_and_argument_is_there_or_a_loss(source, target):
    kept = lost = 0
    for request in requests(source):
        rendered = tw.convert(request, source, target)
        said = [text for _, text in leaves(rendered.payload, "$") if isinstance(text, str)]
        inputs = [value for _, value in leaves(rendered.payload, "$", whole=("input",)) if not isinstance(value, str)]
        inputs += [as_object(text) for text in said]
        conversation = {key: request[key] for key in KEYS[source] if key in request and key != "tools"}
        for path, value in leaves(conversation, "$", whole=("input",)):
            if isinstance(value, str):
                # The data of a `data:` URL; arguments may be an object now.
                core = value.partition(";base64,")[2] or value
                there = any(core in text for text in said)
                there = there or (path.endswith(".arguments") and as_object(value) in inputs)
            else:
                there = value in inputs
            by_choice = path.startswith("$.tool_choice")
            reported = any(path.startswith(loss.path) for loss in rendered.losses)
            assert there or by_choice or reported, f"{path}: {value!r}"
            kept += there
            lost += reported
    assert kept > lost > 0
