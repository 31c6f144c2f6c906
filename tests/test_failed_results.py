"""What stands in the result of a failed tool, where the target takes only text in it."""

import json
from typing import Any

import pytest
import turnwire as tw
from judges import wire

Json = dict[str, Any]
WORDS = "T\ns\nP"
TOOL: Json = {"name": "f", "input_schema": {"type": "object"}}


def own(*blocks: Json) -> Json:
    call = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [*blocks], "is_error": True}
    said = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return {"messages": [{"role": "user", "content": "go"}, *said], "tools": [TOOL]}


def of_converse(*blocks: Json) -> Json:
    call = {"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "c1", "content": [*blocks], "status": "error"}}
    said = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    tools = [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]
    return {"messages": [{"role": "user", "content": [{"text": "go"}]}, *said], "toolConfig": {"tools": tools}}


FOUND: Json = {"type": "search_result", "source": "s", "title": "T", "content": [{"type": "text", "text": "P"}]}
HIT: Json = {"searchResult": {"source": "s", "title": "T", "content": [{"text": "P"}]}}


@pytest.mark.parametrize("given", [own(FOUND), of_converse(HIT)])
def test_a_search_result_is_text_in_a_failed_result(given: Json) -> None:
    source: Any = "anthropic" if "tools" in given else "bedrock"
    for ready in (
        tw.prepare(given, "anthropic", source=source),
        tw.prepare_json(json.dumps(given), "anthropic", source=source),
    ):
        made: Any = ready.payload if isinstance(ready.payload, dict) else json.loads(ready.payload)
        result = made["messages"][-1]["content"][0]
        assert result["content"] in (WORDS, [{"type": "text", "text": WORDS}])
        assert result["is_error"] is True
        assert not wire.errors(wire.check("anthropic", {"model": "claude-opus-5", "max_tokens": 9, **made}))
        assert not tw.prepare(made, "anthropic").receipt
        assert ready.receipt
    assert tw.check(given, "anthropic", source=source) or source == "bedrock"


def test_a_search_result_beside_others_and_under_a_budget() -> None:
    png = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    made: Any = tw.prepare(own({"type": "text", "text": "x"}, FOUND, png), "anthropic").payload
    assert made["messages"][-1]["content"][0]["content"] == [
        {"type": "text", "text": "x"},
        {"type": "text", "text": WORDS},
    ]
    long = {**FOUND, "content": [{"type": "text", "text": "w " * 4000}]}
    ready = tw.prepare(own(long), "anthropic", 1000)
    assert ready.receipt.totals is not None
    assert ready.receipt.totals["after"] <= 1000
    assert ready.payload["messages"][-1]["content"][0]["is_error"] is True


def test_one_that_did_not_fail_keeps_it() -> None:
    given = own(FOUND)
    del given["messages"][-1]["content"][0]["is_error"]
    assert tw.prepare(given, "anthropic").payload == given
    failed: Any = tw.prepare(own(FOUND), "bedrock", source="anthropic").payload
    assert failed["messages"][-1]["content"][0]["toolResult"]["content"] == [HIT]


PAPER: Json = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "DOC"},
    "title": "N",
    "context": "C",
    "citations": {"enabled": True},
}
PIECES: Json = {**PAPER, "source": {"type": "content", "content": [{"type": "text", "text": "DOC"}]}}
MARK: Json = {"cache_control": {"type": "ephemeral"}}
READ = "N\nC\nDOC"
TARGETS = ["openai", "openai-responses", "gemini", "gemini-interactions", "mistral", "cohere", "ollama"]


@pytest.mark.parametrize("paper", [PAPER, PIECES], ids=["text", "content"])
@pytest.mark.parametrize("target", ["anthropic", "anthropic:compatible", *TARGETS])
def test_a_document_of_text_is_text_in_a_failed_result(target: Any, paper: Json) -> None:
    given = own({**paper, **MARK})
    for source in ("anthropic", "anthropic:compatible"):
        ready = tw.prepare(given, target, source=source)
        text = json.dumps(ready.payload)
        assert json.dumps(READ)[1:-1] in text and "without a message" not in text
        assert not {"moved_media", "empty_result"} & {one.code for one in ready.receipt}
        lost = [str(one.path).rpartition(".")[2] for one in ready.receipt.only("lost")]
        assert "citations" in lost and "context" not in lost
        again: Any = tw.prepare(ready.payload, target)
        assert again.payload == ready.payload
        found = tw.check(given, target, source=source)
        assert [one.code for one in found.only("lost")] == [one.code for one in ready.receipt.only("lost")]
        if target.startswith("anthropic"):
            result = ready.payload["messages"][-1]["content"]
            assert [one["type"] for one in result] == ["tool_result"]
            assert result[0]["content"] == [{"type": "text", "text": READ}]
            assert result[0]["cache_control"] == MARK["cache_control"]
            body = {"model": "claude-opus-5", "max_tokens": 9, **ready.payload}
            assert not wire.errors(wire.check("anthropic", body))


def test_a_document_of_text_that_did_not_fail_or_is_asked_for_keeps_its_keys() -> None:
    given = own(PAPER)
    del given["messages"][-1]["content"][0]["is_error"]
    assert tw.prepare(given, "anthropic").payload == given
    asked = {"messages": [{"role": "user", "content": [{**PAPER, **MARK}]}]}
    assert tw.prepare(asked, "anthropic").payload == asked


def test_images_in_such_a_document_follow_the_result() -> None:
    png = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    both = {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "DOC"}, png]}}
    ready: Any = tw.prepare(own(both), "anthropic")
    result, line, image = ready.payload["messages"][-1]["content"]
    assert result["content"] == [{"type": "text", "text": "DOC"}] and image == png and line["type"] == "text"
    assert not ready.receipt.only("lost")


def test_a_document_of_text_in_a_failed_result_is_cut_to_a_budget() -> None:
    long = {**PAPER, "source": {**PAPER["source"], "data": "w " * 4000}}
    ready = tw.prepare(own(long), "anthropic", 1000)
    assert ready.receipt.totals is not None
    assert ready.receipt.totals["after"] <= 1000
    assert ready.payload["messages"][-1]["content"][0]["is_error"] is True
