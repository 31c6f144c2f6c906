"""Reasoning, signatures and ids in the AI SDK's options: to their maker, back under its name, one loss elsewhere."""

from typing import Any

import pytest
import turnwire as tw
from ai_sdk_lists import (
    CALL,
    CONTROL,
    DATA,
    FORMATS,
    GO,
    OTHERS,
    PROOF,
    RESULT,
    SIG,
    TEXT_SIG,
    X,
    elements,
    given,
    model,
    said,
    thought,
    told,
    ui,
)

ITEM: Any = {
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}],
    "encrypted_content": PROOF,
}
THINKING: Any = {"type": "thinking", "thinking": "t", "signature": SIG}
CONTENT: Any = {"reasoningContent": {"reasoningText": {"text": "t", "signature": SIG}}}
DETAIL: Any = {"type": "reasoning.text", "text": "t", "signature": SIG, "format": "anthropic-claude-v1"}
# Each carrier: its parts, and what its maker's formats get of them.
CARRIERS: dict[str, tuple[list[Any], dict[str, list[Any]]]] = {
    "anthropic": ([thought("t", anthropic={"signature": SIG})], {"anthropic": [THINKING], "bedrock": [CONTENT]}),
    "anthropic, redacted": (
        [thought("", anthropic={"redactedData": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": DATA}],
            "bedrock": [{"reasoningContent": {"redactedContent": DATA.encode()}}],
        },
    ),
    "bedrock": ([thought("t", bedrock={"signature": SIG})], {"anthropic": [THINKING], "bedrock": [CONTENT]}),
    "amazonBedrock": (
        [thought("t", amazonBedrock={"signature": SIG})],
        {"anthropic": [THINKING], "bedrock": [CONTENT]},
    ),
    "bedrock, redacted": (
        [thought("", bedrock={"redactedData": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": "data"}],
            "bedrock": [{"reasoningContent": {"redactedContent": b"data"}}],
        },
    ),
    "bedrock, another key": (
        [thought("", bedrock={"redactedContent": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": "data"}],
            "bedrock": [{"reasoningContent": {"redactedContent": b"data"}}],
        },
    ),
    "openai": (
        [
            thought("a", openai={"itemId": "rs_1"}),
            thought("b", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
        ],
        {"openai-responses": [ITEM]},
    ),
    "azure": (
        [
            thought("a", azure={"itemId": "rs_1"}),
            thought("b", azure={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
        ],
        {"openai-responses": [ITEM]},
    ),
    "openai without an id": (
        [thought("a", openai={"reasoningEncryptedContent": PROOF})],
        {"openai-responses": [ITEM | {"summary": ITEM["summary"][:1]}]},
    ),
    "openai without a summary": (
        [thought("", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF})],
        {"openai-responses": [ITEM | {"summary": []}]},
    ),
    "two items": (
        [thought(text, openai={"itemId": f"rs_{text}", "reasoningEncryptedContent": PROOF}) for text in "ab"],
        {"openai-responses": [ITEM | {"summary": [one]} for one in ITEM["summary"]]},
    ),
    "openrouter": (
        [thought("t", openrouter={"reasoning_details": [DETAIL]})],
        {"anthropic": [THINKING], "bedrock": [CONTENT]},
    ),
    "google": (
        [thought("t", google={"thoughtSignature": SIG})],
        {"gemini": [{"thought": True, "text": "t", "thoughtSignature": SIG}]},
    ),
    "xai": ([thought("a", xai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF})], {}),
    "an id alone": ([thought("a", openai={"itemId": "rs_1"})], {}),
    "nothing": ([thought("a")], {}),
}


def assistant(payload: Any, target: str) -> list[Any]:
    """What the target gets before the text."""
    if target == "openai-responses":
        return [item for item in elements(payload) if item.get("type") == "reasoning"]
    content = elements(payload)[1].get("parts", elements(payload)[1].get("content"))
    return [] if isinstance(content, str) else content[:-1]


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("name", CARRIERS)
def test_the_maker_takes_its_reasoning_and_nobody_else(name: str, source: Any) -> None:
    parts, takers = CARRIERS[name]
    for target in OTHERS:
        made = tw.prepare(given(model(*parts, X), source), target, source=source)
        if target in takers:
            assert assistant(made.payload, target) == takers[target], target
            assert told(made.receipt) == [], target
        else:
            assert told(made.receipt) == [("lost", "reasoning")] * len(parts), target
            assert SIG not in str(made.payload) and PROOF not in str(made.payload)


@pytest.mark.parametrize("name", CARRIERS)
@pytest.mark.parametrize(("source", "target"), [FORMATS, FORMATS[::-1]])
def test_both_lists_of_the_sdk_hold_the_same(name: str, source: Any, target: Any) -> None:
    parts = [*CARRIERS[name][0], said("x", openai={"itemId": "msg_1", "phase": "final_answer"})]
    made = tw.prepare(given(model(*parts), source), target, source=source)
    key, options = ("content", "providerOptions") if target == "ai-sdk" else ("parts", "providerMetadata")
    got = [part for part in elements(made.payload)[1][key] if part["type"] != "step-start"]
    assert got == [{options if name == "providerOptions" else name: value for name, value in p.items()} for p in parts]
    assert told(made.receipt) == []


def test_a_gateway_gets_its_details_back_whole() -> None:
    unknown = {"type": "reasoning.text", "text": "u", "format": "meta-responses-v1"}
    parts = [thought("t", openrouter={"reasoning_details": [DETAIL, unknown]}), X]
    made = tw.prepare(model(*parts), "openai:openrouter", source="ai-sdk")
    assert elements(made.payload)[1]["reasoning_details"] == [DETAIL | {"index": 0}, unknown | {"index": 1}]
    assert told(made.receipt) == []


@pytest.mark.parametrize("provider", ["google", "vertex", "googleVertex"])
def test_google_gets_its_signatures_where_they_were(provider: str) -> None:
    signed = {"providerOptions": {provider: {"thoughtSignature": SIG}}}
    parts = [said("x", **{provider: {"thoughtSignature": TEXT_SIG}}), CALL | signed]
    messages = [GO, {"role": "assistant", "content": parts}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "gemini", source="ai-sdk")
    assert elements(made.payload)[1]["parts"] == [
        {"text": "x", "thoughtSignature": TEXT_SIG},
        {"functionCall": {"id": "c1", "name": "f", "args": {}}, "thoughtSignature": SIG},
    ]
    assert told(made.receipt) == []
    for target in ("anthropic", "openai", "bedrock", "ollama"):
        made = tw.prepare(messages, target, source="ai-sdk")
        assert told(made.receipt) == [("lost", "signature")] * 2
    back = tw.prepare(tw.prepare(messages, "gemini", source="ai-sdk").payload, "ai-sdk", source="gemini")
    got = elements(back.payload)[1]["content"]
    assert [part["providerOptions"] for part in got] == [
        {"google": {"thoughtSignature": TEXT_SIG}},
        {"google": {"thoughtSignature": SIG}},
    ]
    assert told(back.receipt) == []


def test_google_gets_the_signature_of_the_uis_calls() -> None:
    part = {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "r"}
    signed = part | {"callProviderMetadata": {"google": {"thoughtSignature": SIG}}}
    messages = [*ui([GO]), {"id": "a", "role": "assistant", "parts": [signed]}]
    made = tw.prepare(messages, "gemini", source="ai-sdk-ui")
    assert elements(made.payload)[1]["parts"][0]["thoughtSignature"] == SIG
    assert told(made.receipt) == []


def ids(payload: Any) -> list[Any]:
    return [item.get("id") for item in elements(payload) if item.get("role") != "user"]


NAMED: Any = [
    thought("a", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
    said("x", openai={"itemId": "msg_1", "phase": "commentary"}),
    CALL | {"providerOptions": {"openai": {"itemId": "fc_1", "namespace": "n"}}},
]


@pytest.mark.parametrize("source", FORMATS)
def test_ids_are_all_or_nothing(source: Any) -> None:
    messages = [GO, {"role": "assistant", "content": NAMED}, {"role": "tool", "content": [RESULT]}]
    if source == "ai-sdk-ui":
        part = {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "r"}
        options = {"callProviderMetadata": NAMED[2]["providerOptions"]}
        messages = ui([GO, {"role": "assistant", "content": NAMED[:2]}])
        messages[1]["parts"].append(part | options)
    made = tw.prepare(messages, "openai-responses", source=source)
    assert elements(made.payload)[1:4] == [
        ITEM | {"id": "rs_1", "summary": ITEM["summary"][:1]},
        {
            "type": "message",
            "status": "completed",
            "id": "msg_1",
            "phase": "commentary",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "x", "annotations": []}],
        },
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "id": "fc_1", "namespace": "n"},
    ]
    assert told(made.receipt) == []
    again = tw.prepare(made.payload, "openai-responses", source="openai-responses")
    assert again.payload == made.payload


@pytest.mark.parametrize("lacks", range(3))
def test_one_part_without_an_id_takes_those_of_the_others(lacks: int) -> None:
    parts = [dict(part) for part in NAMED]
    options = dict(parts[lacks]["providerOptions"]["openai"])
    del options["itemId"]
    parts[lacks]["providerOptions"] = {"openai": options}
    messages = [GO, {"role": "assistant", "content": parts}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "openai-responses", source="ai-sdk")
    assert ids(made.payload) == [None] * 4
    assert elements(made.payload)[1]["encrypted_content"] == PROOF


def test_reasoning_that_is_left_out_takes_the_ids_of_the_others() -> None:
    messages = [GO, {"role": "assistant", "content": NAMED}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "openai-responses", source="ai-sdk", reasoning="drop")
    assert ids(made.payload) == [None] * 3


def test_stored_reasoning_goes_by_its_id() -> None:
    parts = [thought("a", openai={"itemId": "rs_1"}), said("x", openai={"itemId": "msg_1"})]
    made = tw.prepare(model(*parts), "openai-responses", source="ai-sdk")
    assert elements(made.payload)[1] == {"type": "reasoning", "id": "rs_1", "summary": ITEM["summary"][:1]}
    assert ids(made.payload) == ["rs_1", "msg_1"]
    assert told(made.receipt) == []


def test_null_options_say_nothing() -> None:
    parts = [
        thought("a", openai={"itemId": "rs_1", "reasoningEncryptedContent": None}),
        thought("b", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}, anthropic=None),
    ]
    made = tw.prepare(model(*parts, X), "openai-responses", source="ai-sdk")
    assert assistant(made.payload, "openai-responses") == [ITEM]
    assert told(made.receipt) == []


HIDDEN: Any = {"type": "redacted_thinking", "data": DATA}
CLAUDE: Any = [
    {"role": "user", "content": [{"type": "text", "text": "go", "cache_control": CONTROL}]},
    {
        "role": "assistant",
        "content": [THINKING, {"type": "redacted_thinking", "data": DATA}, {"type": "text", "text": "x"}],
    },
    {"role": "user", "content": "more"},
]
CONVERSE: Any = [
    {"role": "user", "content": [{"text": "go"}, {"cachePoint": {"type": "default"}}]},
    {"role": "assistant", "content": [CONTENT, {"reasoningContent": {"redactedContent": b"data"}}, {"text": "x"}]},
    {"role": "user", "content": [{"text": "more"}]},
]
RESPONSES: Any = [
    {"role": "user", "content": "go"},
    ITEM | {"id": "rs_1"},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x", "annotations": []}],
        "status": "completed",
    },
    {"role": "user", "content": "more"},
]
# Each source: its list, and the options of what the SDK gets.
BACK: Any = {
    "anthropic": (CLAUDE, [{"cacheControl": CONTROL}, {"signature": SIG}, {"redactedData": DATA}]),
    "bedrock": (CONVERSE, [{"cachePoint": {"type": "default"}}, {"signature": SIG}, {"redactedData": DATA}]),
    "openai-responses": (
        RESPONSES,
        [{"itemId": "rs_1"}, {"itemId": "rs_1", "reasoningEncryptedContent": PROOF}, {"itemId": "msg_1"}],
    ),
}


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", BACK)
def test_back_under_the_name_of_the_maker(source: Any, target: Any) -> None:
    messages, options = BACK[source]
    made = tw.prepare({"messages": messages} if source == "bedrock" else messages, target, source=source)
    parts = [
        part
        for message in elements(made.payload)
        for part in (message.get("parts") or message["content"])
        if isinstance(part, dict)
    ]
    key = "providerOptions" if target == "ai-sdk" else "providerMetadata"
    name = "openai" if source == "openai-responses" else source
    assert [part[key] for part in parts if key in part] == [{name: one} for one in options]
    again = tw.prepare(made.payload, source, source=target)
    proof = {"anthropic": SIG, "bedrock": SIG, "openai-responses": PROOF}[source]
    assert proof in str(again.payload)
    if target == "ai-sdk" and source != "openai-responses":
        assert elements(again.payload) == messages
