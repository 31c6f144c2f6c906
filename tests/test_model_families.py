"""Converse serves models of many makers: the model of the request decides what of Claude's they take."""

import base64
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
OTHERS = ("amazon.nova-pro-v1:0", "meta.llama3-70b", "openai.gpt-oss-120b-1:0", "deepseek.r1-v1:0")
CLAUDE = (None, "us.anthropic.claude-sonnet-5")
WORDS = "T\nhttps://e.x/a\nP1"
FOUND: Json = {
    "type": "search_result",
    "source": "https://e.x/a",
    "title": "T",
    "content": [{"type": "text", "text": "P1"}],
}
HIT: Json = {"searchResult": {"source": "https://e.x/a", "title": "T", "content": [{"text": "P1"}]}}
TOOL: Json = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}


def own(*assistant: Json, result: Any = None, user: Any = None) -> Json:
    call = {"toolUse": {"toolUseId": "callOne01", "name": "f", "input": {}}}
    answer = {"toolResult": {"toolUseId": "callOne01", "content": [result or {"text": "r"}]}}
    return {
        "messages": [
            {"role": "user", "content": [*([user] if user else []), {"text": "go"}]},
            {"role": "assistant", "content": [*assistant, call]},
            {"role": "user", "content": [answer]},
        ],
        "toolConfig": {"tools": [TOOL]},
    }


def of_claude(*assistant: Json, result: Any = None, user: Any = None) -> Json:
    call = {"type": "tool_use", "id": "callOne01", "name": "f", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "callOne01", "content": [result or {"type": "text", "text": "r"}]}
    asked = [*([user] if user else []), {"type": "text", "text": "go"}]
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": [*assistant, call]},
            {"role": "user", "content": [answer]},
        ],
        "tools": [{"name": "f", "input_schema": {"type": "object"}}],
    }


def sent(payload: Any, model: str | None, target: Any = "bedrock") -> list[Any]:
    ready = tw.prepare(payload, target, blobs="base64", **({} if model is None else {"model": model}))
    assert not tw.prepare(ready.payload, target, blobs="base64", **({} if model is None else {"model": model})).receipt
    return [message["content"] for message in ready.payload["messages"]]


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.parametrize(("make", "block"), [(own, HIT), (of_claude, FOUND)])
def test_only_claude_takes_search_results(model: str, make: Any, block: Json) -> None:
    assert sent(make(user=block), model)[0] == [{"text": WORDS}, {"text": "go"}]
    assert sent(make(result=block), model)[2][0]["toolResult"]["content"] == [{"text": WORDS}]
    for claude in CLAUDE:
        assert sent(make(user=block), claude)[0] == [HIT, {"text": "go"}]
        assert sent(make(result=block), claude)[2][0]["toolResult"]["content"] == [HIT]


def test_a_profile_of_other_models_takes_none_of_its_own_list() -> None:
    assert sent(own(user=HIT), None, "bedrock:nova")[0] == [{"text": WORDS}, {"text": "go"}]
    assert sent(own(result=HIT), None, "bedrock:nova")[2][0]["toolResult"]["content"] == [{"text": WORDS}]


def test_a_large_search_result_that_becomes_text_is_cut() -> None:
    long = {"searchResult": {**HIT["searchResult"], "content": [{"text": "w " * 4000}]}}
    ready = tw.prepare(own(user=long), "bedrock", 2000, model="amazon.nova-pro-v1:0")
    assert ready.receipt.totals is not None
    assert ready.receipt.totals["after"] <= 2000
    assert ready.payload["messages"][0]["content"][0]["text"].startswith("T\nhttps://e.x/a\n")


SIGNED: Json = {"reasoningContent": {"reasoningText": {"text": "th", "signature": "sig"}}}
HIDDEN: Json = {"reasoningContent": {"redactedContent": base64.b64encode(b"abc").decode()}}
UNSIGNED: Json = {"reasoningContent": {"reasoningText": {"text": "th"}}}
THINKERS = (
    "amazon.nova-2-lite-v1:0",
    "openai.gpt-oss-120b-1:0",
    "deepseek.v3-v1:0",
    "minimax.minimax-m2",
    "moonshot.kimi-k2-thinking",
)
SILENT = ("amazon.nova-pro-v1:0", "deepseek.r1-v1:0", "meta.llama3-70b-instruct-v1:0", "mistral.mistral-large-3")


@pytest.mark.parametrize("model", [*THINKERS, *SILENT])
def test_what_claude_signed_or_hid_goes_to_claude_only(model: str) -> None:
    call = own()["messages"][1]["content"]
    for thoughts in ([SIGNED, HIDDEN], [SIGNED], [HIDDEN]):
        assert sent(own(*thoughts), model)[1] == call
        for claude in CLAUDE:
            assert sent(own(*thoughts), claude)[1] == [*thoughts, *call]
    thinking = {"type": "thinking", "thinking": "th", "signature": "sig"}
    assert sent(of_claude(thinking), model)[1] == call


@pytest.mark.parametrize("model", [*THINKERS, *SILENT])
def test_some_models_take_what_nobody_signed(model: str) -> None:
    call = own()["messages"][1]["content"]
    assert sent(own(UNSIGNED), model)[1] == ([UNSIGNED, *call] if model in THINKERS else call)
    ready = tw.prepare(own(UNSIGNED), "bedrock", model=model)
    assert [change.code for change in ready.receipt] == ([] if model in THINKERS else ["unwanted_reasoning"])
