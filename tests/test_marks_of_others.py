"""Cache marks that the caller has set, in every key that holds them: read and written, and counted for the target."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
CONTROL: Json = {"cache_control": {"type": "ephemeral"}}
POINT: Json = {"cachePoint": {"type": "default"}}
BREAK: Json = {"prompt_cache_breakpoint": {"mode": "explicit"}}
NAMES = ("cache_control", "cachePoint", "prompt_cache_breakpoint")
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def codes(told: Any) -> list[str]:
    return [one.code for one in told if one.kind != "warning"]


def prepared(body: Json, target: str, source: str, **options: Any) -> Any:
    options = {"settings": "convert", "model": "gpt-5.6"} | options
    if target.startswith(("anthropic", "bedrock")):
        options = options | {"model": "claude-opus-4-8"}
    return tw.prepare(body, target, source=source, **options)


def marks(value: Any, path: str = "$") -> list[str]:
    """The paths of all marks."""
    if isinstance(value, list):
        return [found for at, one in enumerate(value) for found in marks(one, f"{path}[{at}]")]
    if not isinstance(value, dict):
        return []
    return [path for name in NAMES if name in value] + [
        found for key, one in value.items() if key not in NAMES for found in marks(one, f"{path}.{key}")
    ]


def anthropic(mark: Json = CONTROL) -> Json:
    return {
        "model": "m",
        "max_tokens": 9,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "q"} | mark]},
            {"role": "assistant", "content": [{"type": "text", "text": "a"} | mark]},
            {"role": "user", "content": "q2"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}} | mark]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "r"} | mark]},
        ],
    }


def bedrock(mark: Json = POINT) -> Json:
    used = {"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "c1", "content": [{"text": "r"}]}}
    return {
        "messages": [
            {"role": "user", "content": [{"text": "q"}, mark]},
            {"role": "assistant", "content": [{"text": "a"}, mark]},
            {"role": "user", "content": [{"text": "q2"}]},
            {"role": "assistant", "content": [used, mark]},
            {"role": "user", "content": [result, mark]},
        ],
    }


def chat(mark: Json = CONTROL) -> Json:
    """Marks on a part, and on whole messages."""
    return {
        "model": "m",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "q"} | mark]},
            {"role": "assistant", "content": "a"} | mark,
            {"role": "user", "content": "q2"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]} | mark,
            {"role": "tool", "tool_call_id": "c1", "content": "r"} | mark,
        ],
    }


SOURCES = {
    "anthropic": anthropic(),
    "bedrock": bedrock(),
    "openai:openrouter": chat(),
}
# What a target has of the five places: a user's part, the assistant's text, a call, a result.
PLACES = {
    "anthropic": [f"$.messages[{at}].content[0]" for at in (0, 1, 3, 4)],
    "bedrock": [f"$.messages[{at}].content[1]" for at in (0, 1, 3, 4)],
    "openai:openrouter": ["$.messages[0].content[0]", "$.messages[1]", "$.messages[3]", "$.messages[4]"],
    "openai:qwen": [f"$.messages[{at}].content[0]" for at in (0, 1, 4)],
    "openai": [f"$.messages[{at}].content[0]" for at in (0, 4)],
    "openai-responses": ["$.input[0].content[0]", "$.input[4].output[0]"],
    "gemini": [],
    "mistral": [],
    "openai:compatible": [],
}


@pytest.mark.parametrize("target", PLACES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_mark_stays_where_the_target_takes_it_and_is_lost_elsewhere(source: str, target: str) -> None:
    if source.startswith("openai") and target.startswith("openai") and not target.endswith("responses"):
        return
    ready = prepared(SOURCES[source], target, source)
    assert marks(ready.payload) == PLACES[target]
    lost = [loss for loss in ready.receipt if loss.code in ("key", "opaque")]
    if source != target:
        # One entry is for all marks of a request, whether they are keys or blocks.
        gone = 4 - len(PLACES[target])
        assert [loss.code for loss in lost] == ["key"] * min(gone, 1)
    again = tw.prepare(ready.payload, target, source=target)
    assert marks(again.payload) == marks(ready.payload)


@pytest.mark.parametrize("target", ("anthropic", "bedrock"))
@pytest.mark.parametrize("mark", (CONTROL, BREAK), ids=("control", "breakpoint"))
def test_marks_of_a_part_of_system_text_and_of_a_tool(mark: Json, target: str) -> None:
    system = {"role": "system", "content": [{"type": "text", "text": "s"} | mark]}
    user = {"role": "user", "content": [{"type": "text", "text": "q"} | mark]}
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    body = {"model": "m", "messages": [system, user], "tools": [tool | mark]}
    ready = prepared(body, target, "openai")
    assert len(marks(ready.payload)) == 3
    assert "key" not in codes(ready.receipt)


def test_system_text_beside_the_list_keeps_its_mark_in_the_list() -> None:
    body = anthropic({}) | {"system": [{"type": "text", "text": "s"} | CONTROL]}
    for target in ("openai:openrouter", "openai:qwen"):
        system = prepared(body, target, "anthropic").payload["messages"][0]
        assert system == {"role": "system", "content": [{"type": "text", "text": "s"} | CONTROL]}
    system = prepared(body, "openai", "anthropic").payload["messages"][0]
    assert system["content"] == [{"type": "text", "text": "s"} | BREAK]
    responses = prepared(body, "openai-responses", "anthropic")
    assert (responses.payload["instructions"], codes(responses.receipt).count("key")) == ("s", 1)


@pytest.mark.parametrize("ttl", (None, "30m"))
def test_openais_own_marks_go_between_its_formats_unchanged(ttl: str | None) -> None:
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"} | ({"ttl": ttl} if ttl else {})}
    image = {"url": "https://example.com/a.png"}
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "q"} | mark]},
        {"role": "user", "content": [{"type": "image_url", "image_url": image} | mark, {"type": "text", "text": "z"}]},
    ]
    # Without the name of a model: what has such marks is new enough.
    there = tw.prepare({"messages": chat}, "openai-responses", source="openai")
    assert marks(there.payload) == ["$.input[0].content[0]", "$.input[1].content[0]"]
    assert there.payload["input"][0]["content"] == [{"type": "input_text", "text": "q"} | mark]
    back = tw.prepare(there.payload, "openai", source="openai-responses")
    assert marks(back.payload) == ["$.messages[0].content[0]", "$.messages[1].content[0]"]
    assert "key" not in codes([*there.receipt, *back.receipt])


@pytest.mark.parametrize("target", ("openai", "openai-responses"))
@pytest.mark.parametrize("model", (None, "gpt-5.5", "o3"))
def test_a_model_that_may_not_know_marks_gets_none(model: str | None, target: str) -> None:
    ready = tw.prepare(anthropic(), target, source="anthropic", settings="convert", model=model)
    assert marks(ready.payload) == []
    assert codes(ready.receipt).count("key") == 1
    newer = tw.prepare(anthropic(), target, source="anthropic", settings="convert", model="gpt-6.1-mini")
    assert len(marks(newer.payload)) == 2


@pytest.mark.parametrize(
    ("mark", "target", "written", "told"),
    [
        ({"type": "ephemeral", "ttl": "1h"}, "bedrock", {"type": "default", "ttl": "1h"}, []),
        ({"type": "ephemeral", "ttl": "5m"}, "openai:qwen", {"type": "ephemeral", "ttl": "5m"}, []),
        ({"type": "ephemeral", "ttl": "1h"}, "openai", {"mode": "explicit"}, ["cache_mark"]),
        ({"type": "ephemeral", "ttl": None}, "openai", {"mode": "explicit"}, []),
    ],
)
def test_a_lifetime_stays_where_both_have_it(mark: Json, target: str, written: Json, told: list[str]) -> None:
    block = {"type": "text", "text": "q", "cache_control": mark}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [block]}]}
    ready = prepared(body, target, "anthropic")
    [parts] = [one["content"] for one in ready.payload["messages"]]
    assert next(part[name] for part in parts for name in NAMES if name in part) == written
    assert [code for code in codes(ready.receipt) if code in ("cache_mark", "key")] == told


@pytest.mark.parametrize("target", ("anthropic", "bedrock", "openai-responses"))
@pytest.mark.parametrize("mark", (CONTROL, BREAK), ids=("control", "breakpoint"))
def test_of_too_many_the_last_ones_stay(mark: Json, target: str) -> None:
    texts = [{"role": "user", "content": [{"type": "text", "text": f"{at}"} | mark]} for at in range(5)]
    whole = {"role": "user", "content": "whole"} | CONTROL
    body = {"model": "m", "messages": [whole, *texts]}
    ready = prepared(body, target, "openai")
    assert len(marks(ready.payload)) == 4
    assert set(codes(ready.receipt.only("dropped"))) == {"extra_marks"}
    assert "whole" in json.dumps(ready.payload)
    assert marks(tw.prepare(ready.payload, target, source=target).payload) == marks(ready.payload)


def test_in_a_result_the_mark_is_on_its_last_part() -> None:
    parts = [{"type": "text", "text": "one"} | CONTROL, {"type": "text", "text": "two"}]
    result = {"type": "tool_result", "tool_use_id": "c1", "content": parts}
    messages = anthropic({})["messages"]
    messages[4]["content"] = [result]
    body = {"model": "m", "max_tokens": 9, "messages": messages}
    output = prepared(body, "openai-responses", "anthropic").payload["input"][4]["output"]
    assert output == [{"type": "input_text", "text": "one"} | BREAK, {"type": "input_text", "text": "two"}]
    messages[4]["content"] = [result | CONTROL | {"content": [{"type": "text", "text": "one"}]}]
    output = prepared(body, "openai", "anthropic").payload["messages"][4]["content"]
    assert output == [{"type": "text", "text": "one"} | BREAK]


@pytest.mark.parametrize("target", ("openai:openrouter", "openai:qwen"))
def test_a_mark_follows_an_image_that_leaves_its_result(target: str) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    messages = anthropic({})["messages"]
    messages[4]["content"][0]["content"] = [{"type": "text", "text": "r"}, image | CONTROL]
    body = {"model": "m", "max_tokens": 9, "messages": messages}
    ready = prepared(body, target, "anthropic")
    assert marks(ready.payload) == ["$.messages[5].content[1]"]


@pytest.mark.parametrize("target", ("anthropic", "bedrock"))
def test_a_mark_inside_the_function_of_a_tool(target: str) -> None:
    function = {"name": "f", "parameters": {"type": "object", "properties": {}}} | CONTROL
    body = {"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": function}]}
    ready = prepared(body, target, "openai")
    assert (len(marks(ready.payload)), codes(ready.receipt).count("key")) == (1, 0)


@pytest.mark.parametrize(
    "target", ("anthropic", "bedrock", "openai:openrouter", "openai:qwen", "openai", "openai-responses")
)
def test_a_mark_that_moves_on_changes_nothing_of_what_was_said(target: str) -> None:
    def said(text: str, mark: Json) -> Json:
        return {"role": "user", "content": [{"type": "text", "text": text} | mark]}

    first = [said("q", CONTROL)]
    longer = [said("q", {}), {"role": "assistant", "content": "a"}, said("z", CONTROL)]
    made = [
        prepared({"model": "m", "max_tokens": 99, "messages": one}, target, "anthropic", blobs="base64")
        for one in (first, longer)
    ]
    assert [len(marks(one.payload)) for one in made] == [1, 1]
    # In Responses, a text alone is another spelling of a list of one.
    assert tw.diff(*made).code == ("respelled" if target == "openai-responses" else "append")
    assert not tw.diff(*made).edit


def test_in_a_ledger_and_under_a_budget() -> None:
    ledger = tw.Ledger("bedrock", blobs="base64")
    first = chat()["messages"]
    sent = ledger.prepare(first, source="openai").payload["messages"]
    assert len(marks(sent)) == 4
    longer = [*first, {"role": "assistant", "content": "b"}, {"role": "user", "content": "z"}]
    more = ledger.prepare(longer, source="openai").payload
    assert more["messages"][: len(sent)] == sent
    long = chat()
    long["messages"].insert(0, {"role": "user", "content": [{"type": "text", "text": "x" * 5000} | CONTROL]})
    cut = prepared(long, "anthropic", "openai:openrouter", budget=1500)
    assert 0 < len(marks(cut.payload)) <= 4


@pytest.mark.parametrize("target", ["openai", "openai-responses"])
def test_the_model_alone_decides_whether_breakpoints_are_written(target: Any) -> None:
    for settings in ("omit", "keep", "convert"):
        made = prepared(anthropic(), target, "anthropic", settings=settings)
        assert marks(made.payload), settings
        assert not marks(prepared(anthropic(), target, "anthropic", settings=settings, model="gpt-5.5").payload)


@pytest.mark.parametrize("target", ["openai", "gemini", "mistral", "openai-responses", "openai:groq"])
def test_marks_that_are_blocks_are_told_once_wherever_they_are(target: Any) -> None:
    spec = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object", "properties": {}}}}}
    asked = [{"role": "user", "content": [{"text": "go"}, POINT]}]
    told = {
        "$.system[1].cachePoint": {"system": [{"text": "s"}, POINT], "messages": asked},
        "$.toolConfig.tools[1].cachePoint": {"messages": asked, "toolConfig": {"tools": [spec, POINT]}},
        "$.messages[0].content[1].cachePoint": {
            "messages": [*asked, {"role": "assistant", "content": [{"text": "x"}, POINT]}]
        },
    }
    for path, given in told.items():
        for ready in (
            tw.prepare(given, target, source="bedrock", end="row"),
            tw.convert(given, target, source="bedrock"),
        ):
            lost = ready.receipt.only("lost")
            assert [one.code for one in lost] == ["key"]
            assert str(lost[0].path) in (path, "$.messages[0].content[1].cachePoint")
            assert "cachePoint" not in str(ready.payload)
