"""Cache marks, keys of files, compactions and settings in the AI SDK's options."""

from typing import Any

import pytest
import turnwire as tw
from ai_sdk_lists import CALL, CONTROL, FORMATS, GO, MORE, OTHERS, RESULT, Json, X, elements, given, said, told

MARKS: Any = {
    "anthropic": {"cacheControl": CONTROL},
    "anthropic's other key": {"cache_control": CONTROL},
    "openrouter": {"cacheControl": CONTROL},
    "alibaba": {"cacheControl": CONTROL},
    "bedrock": {"cachePoint": {"type": "default"}},
    "openai": {"promptCacheBreakpoint": {"mode": "explicit"}},
}


def marked(name: str) -> Json:
    return {"providerOptions": {name.split("'")[0]: MARKS[name]}}


@pytest.mark.parametrize("name", MARKS)
def test_marks_go_wherever_marks_are_taken(name: str) -> None:
    mark = marked(name)
    messages = [
        {"role": "system", "content": "s"} | mark,
        {"role": "user", "content": [{"type": "text", "text": "go"} | mark]},
        {"role": "assistant", "content": "x"} | mark,
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [CALL | mark]},
        {"role": "tool", "content": [RESULT]} | mark,
    ]
    claude = tw.prepare(messages, "anthropic", source="ai-sdk")
    held = [part for message in elements(claude.payload) for part in message["content"] if isinstance(part, dict)]
    assert [part["cache_control"] for part in (*claude.payload["system"], *held)] == [CONTROL] * 5
    assert told(claude.receipt) == []
    nova = tw.prepare(messages, "bedrock", source="ai-sdk")
    point = {"cachePoint": {"type": "default"}}
    assert [part for message in elements(nova.payload) for part in message["content"]].count(point) == 4
    assert nova.payload["system"][1] == point and told(nova.receipt) == []
    lost = tw.prepare(messages, "ollama", source="ai-sdk")
    assert told(lost.receipt) == [("lost", "key")] * 5


def test_a_breakpoint_stays_one() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "go"} | marked("openai")]}]
    for target in ("openai", "openai-responses"):
        made = tw.prepare(messages, target, source="ai-sdk")
        assert elements(made.payload)[0]["content"][0]["prompt_cache_breakpoint"] == {"mode": "explicit"}


def test_only_what_is_left_of_the_options_is_lost() -> None:
    options = {"anthropic": {"cacheControl": CONTROL, "other": 1}, "openai": {"imageDetail": "low"}}
    messages = [{"role": "user", "content": [{"type": "text", "text": "go", "providerOptions": options}]}]
    made = tw.prepare(messages, "anthropic", source="ai-sdk")
    assert elements(made.payload)[0]["content"][0]["cache_control"] == CONTROL
    under = "$[0].content[0].providerOptions"
    assert [str(one.path) for one in made.receipt] == [f"{under}.anthropic.other", f"{under}.openai.imageDetail"]


def test_keys_of_files() -> None:
    options = {"title": "T", "context": "C", "citations": {"enabled": True}}
    page = {"type": "file", "data": "JVBERi0=", "mediaType": "application/pdf", "filename": "a.pdf"}
    shown = {"type": "file", "data": "iVBORw0KGgo=", "mediaType": "image/png"}
    content = [
        {"type": "text", "text": "go"},
        page | {"providerOptions": {"anthropic": options}},
        shown | {"providerOptions": {"openai": {"imageDetail": "low"}}},
    ]
    messages = [{"role": "user", "content": content}]
    claude = tw.prepare(messages, "anthropic", source="ai-sdk")
    document = elements(claude.payload)[0]["content"][1]
    assert {key: document[key] for key in options} == options
    assert [str(one.path) for one in claude.receipt] == ["$[0].content[2].providerOptions"]
    for target, at in (("openai", ("image_url", "detail")), ("openai-responses", ("detail",))):
        got: Any = elements(tw.prepare(messages, target, source="ai-sdk").payload)[0]["content"][2]
        for key in at:
            got = got[key]
        assert got == "low"


@pytest.mark.parametrize("source", FORMATS)
def test_a_compaction_is_one(source: Any) -> None:
    messages = [GO, {"role": "assistant", "content": [said("sum", anthropic={"type": "compaction"}), X]}, MORE]
    claude = tw.prepare(given(messages, source), "anthropic", source=source)
    assert elements(claude.payload)[-2]["content"][0] == {"type": "compaction", "content": "sum"}
    for target in FORMATS:
        back = tw.prepare(claude.payload, target, source="anthropic")
        again = tw.prepare(back.payload, "anthropic", source=target)
        assert elements(again.payload) == elements(claude.payload)
        other_list = tw.prepare(given(messages, source), target, source=source)
        assert elements(tw.prepare(other_list.payload, "anthropic", source=target).payload) == elements(claude.payload)
    other = tw.prepare(given(messages, source), "openai", source=source)
    assert [message["content"] for message in elements(other.payload)] == ["sum", "x", "more"]


EFFORT: Any = {"role": "system", "content": "", "providerOptions": {"openai": {"reasoningEffortUpdate": "low"}}}


def test_an_effort_is_a_setting_in_the_list() -> None:
    messages = [GO, {"role": "assistant", "content": "x"}, EFFORT, MORE]
    item = {"type": "configuration_update", "reasoning": {"effort": "low"}}
    made = tw.prepare(messages, "openai-responses", source="ai-sdk")
    assert elements(made.payload)[2] == item and told(made.receipt) == []
    back = tw.prepare(made.payload, "ai-sdk", source="openai-responses")
    assert back.payload == messages and told(back.receipt) == []
    assert tw.prepare(messages, "ai-sdk", source="ai-sdk").payload == messages
    claude = tw.prepare(messages, "anthropic", source="ai-sdk")
    assert elements(claude.payload)[2] == {"role": "system", "content": [], "output_config": {"effort": "low"}}
    assert tw.prepare(claude.payload, "ai-sdk", source="anthropic").payload == messages
    for target in OTHERS:
        if target in ("openai-responses", "anthropic"):
            continue
        made = tw.prepare(messages, target, source="ai-sdk")
        assert len(elements(made.payload)) == 3 and "system" not in str(made.payload), target
        assert told(made.receipt) == [("lost", "key")], target
