"""Cache marks between the rows of one format, with unknown keys, and of whole messages."""

import contextlib

import pytest
import turnwire as tw

MARK = {"type": "ephemeral"}
POINT = {"mode": "explicit"}
ROWS = [
    "openai",
    "openai:openrouter",
    "openai:qwen",
    "openai:deepseek",
    "openai:kimi",
    "openai:groq",
    "openai:compatible",
]
TAKES = {"openai:openrouter", "openai:qwen"}


def user(words, **more):
    return {"role": "user", "content": [{"type": "text", "text": words, **more}]}


def listed(payload):
    return payload if isinstance(payload, list) else payload["messages"]


def codes(receipt):
    return [(one.kind, one.code) for one in receipt]


@pytest.mark.parametrize("row", [row for row in ROWS if row != "openai"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_breakpoint_of_openai_in_the_other_rows(row, count):
    messages = [user(f"go {at}", prompt_cache_breakpoint=POINT) for at in range(count)]
    ready = tw.prepare(messages, row, source="openai")
    got = listed(ready.payload)
    assert "prompt_cache_breakpoint" not in str(got)
    if row in TAKES:
        assert [one["content"][0]["cache_control"] for one in got] == [MARK] * count
        assert not ready.receipt.only("lost")
    else:
        assert "cache_control" not in str(got)
        assert codes(ready.receipt) == [("lost", "key")]
    assert listed(tw.convert(messages, source="openai", target=row).payload) == got
    assert tw.check(messages, row, source="openai").only("lost") == ready.receipt.only("lost")
    with pytest.raises(tw.TurnwireError) if row not in TAKES else contextlib.nullcontext():
        tw.convert(messages, source="openai", target=row, strict=True)


@pytest.mark.parametrize("row", ["openai", "openai:groq", "openai:compatible", "openai:deepseek", "openai:kimi"])
def test_marks_of_a_gateway_are_lost_in_the_rows_without(row):
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "s", "cache_control": MARK}]},
        user("go", cache_control=MARK),
        {"role": "assistant", "content": "x", "cache_control": MARK},
        user("on"),
    ]
    ready = tw.prepare(messages, row, source="openai:openrouter")
    assert "cache_control" not in str(ready.payload)
    assert [pair for pair in codes(ready.receipt) if pair[0] == "lost"] == [("lost", "key")]


@pytest.mark.parametrize("job", [tw.prepare, tw.convert])
def test_only_newer_models_of_openai_get_breakpoints(job):
    messages = [user("go", cache_control=MARK), {"role": "assistant", "content": "x"}, user("on")]
    for source in ("auto", "openai:openrouter"):
        made = {"target": "openai", "source": source, "settings": "convert"}
        assert "prompt_cache_breakpoint" in str(job(messages, model="gpt-5.6", **made).payload)
        for model in (None, "gpt-5.5"):
            ready = job(messages, model=model, **made)
            assert "cache" not in str(ready.payload) and codes(ready.receipt) == [("lost", "key")]


TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", **TOOL, "function": {"name": "f", "arguments": "{}"}}],
}
UPDATE = {"configuration_update": {"reasoning": {"effort": "low"}}}
MARKED = {
    "user": ("openai:openrouter", [user("go", cache_control=MARK)]),
    "assistant": (
        "openai:openrouter",
        [user("go"), {"role": "assistant", "content": "x", "cache_control": MARK}, user("on")],
    ),
    "tool": (
        "openai:openrouter",
        [user("go"), CALL, {"role": "tool", "tool_call_id": "c1", "content": "r", "cache_control": MARK}],
    ),
    "system": (
        "openai:openrouter",
        [{"role": "system", "content": [{"type": "text", "text": "s", "cache_control": MARK}]}, user("go")],
    ),
    "breakpoint": ("openai", [user("go", prompt_cache_breakpoint=POINT)]),
    "effort": ("openai:openrouter", [user("go"), {"role": "system", "content": "", **UPDATE}, user("on")]),
    "effort beside text": ("openai:openrouter", [user("go"), {"role": "system", "content": "s", **UPDATE}, user("on")]),
}


@pytest.mark.parametrize("options", [{}, {"budget": 2000}], ids=str)
@pytest.mark.parametrize("target", [*ROWS, "openai:litellm", "anthropic", "bedrock", "gemini"])
@pytest.mark.parametrize("kind", MARKED)
def test_a_source_that_is_not_named_tells_as_one_that_is(kind, target, options):
    source, messages = MARKED[kind]
    words = ("cache_control", "cachePoint", "breakpoint", "configuration_update", "output_config")

    def said(ready):
        text = str(ready.payload)
        return [text.count(word) for word in words], [one.code for one in ready.receipt.only("lost")]

    named, known = (tw.prepare(messages, target, source=one, **options) for one in (source, "auto"))
    assert said(named) == said(known)
    if not options:
        found = tw.check(messages, target, source="auto").only("lost")
        assert [one.code for one in found] == said(known)[1]
    ledger = tw.Ledger(target, **options)
    assert said(ledger.prepare(messages)) == said(known)
    if not (target.startswith("openai") and source.startswith("openai")):
        named, known = (tw.convert(messages, target=target, source=one) for one in (source, "auto"))
        assert said(named) == said(known)


@pytest.mark.parametrize("row", sorted(TAKES))
def test_known_marks_are_no_findings(row):
    messages = [user("go", cache_control=MARK)]
    assert not tw.check(messages, row, source=row)
    assert listed(tw.prepare(messages, row, source=row).payload) == messages


@pytest.mark.parametrize("row", sorted(TAKES))
def test_at_most_four_marks_are_sent_the_last_ones(row):
    messages = []
    for at in range(6):
        messages += [user(f"go {at}", cache_control=MARK), {"role": "assistant", "content": "x"}]
    messages.append(user("end"))
    ready = tw.prepare(messages, row, source=row)
    marked = [at for at, one in enumerate(listed(ready.payload)) if "cache_control" in str(one)]
    assert marked == [4, 6, 8, 10]
    assert [one.code for one in ready.receipt] == ["extra_marks"] * 2


def test_a_lost_mark_is_told_once():
    blocks = [
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": MARK}]},
        {"role": "assistant", "content": [{"type": "text", "text": "b", "cache_control": MARK}]},
        {"role": "user", "content": [{"type": "text", "text": "c", "cache_control": MARK}]},
    ]
    for target in ("gemini", "mistral", "cohere", "ollama", "openai:groq"):
        receipt = tw.prepare(blocks, target, source="anthropic").receipt
        assert [one.code for one in receipt.only("lost")] == ["key"]


@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
@pytest.mark.parametrize("ttl", ["30m", "12h"])
def test_another_lifetime_is_restated(target, ttl):
    ready = tw.prepare([user("go", prompt_cache_breakpoint={**POINT, "ttl": ttl})], target, source="openai")
    assert codes(ready.receipt) == [("restated", "cache_mark")]


@pytest.mark.parametrize("key", ["scope", "zzz"])
def test_an_unknown_key_in_a_mark_is_told_and_kept(key):
    mark = {**MARK, key: "global"}
    body = {
        "model": "claude-opus-5",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "s", "cache_control": mark}],
        "tools": [{"name": "f", "input_schema": {"type": "object", "properties": {}}, "cache_control": mark}],
        "cache_control": mark,
        "messages": [user("go", cache_control=mark)],
    }
    found = [str(one.path) for one in tw.check(body, "anthropic") if one.code == "unknown_key"]
    places = ("$.cache_control", "$.messages[0].content[0].cache_control")
    places += ("$.system[0].cache_control", "$.tools[0].cache_control")
    assert sorted(found) == sorted(f"{place}.{key}" for place in places)
    assert tw.prepare(body, "anthropic").payload["messages"] == body["messages"]


@pytest.mark.parametrize("target", ["bedrock", "openai:openrouter"])
def test_the_mark_is_translated_without_its_unknown_key(target):
    ready = tw.prepare([user("go", cache_control={**MARK, "scope": "global"})], target, source="anthropic")
    assert "cachePoint" in str(ready.payload) or "cache_control" in str(ready.payload)
    assert "scope" not in str(ready.payload)
    assert codes(ready.receipt) == [("lost", "key")]


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "openai:openrouter", "openai:qwen"])
def test_the_mark_of_a_message_is_that_of_its_last_part(target):
    messages = [{"role": "user", "content": "go", "cache_control": MARK}]
    ready = tw.prepare(messages, target)
    content = listed(ready.payload)[0]["content"]
    assert isinstance(content, list) and "cache" in str(content)
    assert "cache_control" not in listed(ready.payload)[0]
    assert not ready.receipt.only("lost")
