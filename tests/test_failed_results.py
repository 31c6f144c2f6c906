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
