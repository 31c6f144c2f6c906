"""Optional keys that are null, as a dump of an SDK's objects writes them: they go, and the receipt says so."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

ASKED: Json = {"role": "user", "content": "q"}
CALL: Json = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
OUTPUT: Json = {"type": "function_call_output", "call_id": "c", "output": "r"}
CUSTOM: Json = {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}
SAID: Json = {"type": "custom_tool_call_output", "call_id": "c", "output": "r"}
THOUGHT: Json = {"type": "reasoning", "id": "rs_1", "summary": []}
PART: Json = {"type": "output_text", "text": "a", "annotations": []}
ANSWER: Json = {"type": "message", "id": "msg_1", "role": "assistant", "content": [PART], "status": "completed"}
RAN: Json = {"type": "mcp_call", "id": "mcp_1", "arguments": "{}", "name": "f", "server_label": "s", "output": "r"}
SHELL: Json = {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}}
LISTED: Json = {"type": "shell_call_output", "call_id": "s", "output": []}
# Items with the keys that may be null, and the items around them.
ITEMS: list[tuple[Json, list[str], list[Json], list[Json]]] = [
    (CALL, ["id", "status", "namespace", "caller"], [], [OUTPUT]),
    (OUTPUT, ["id", "status", "name", "caller"], [CALL], []),
    (CUSTOM, ["id", "status"], [], [SAID]),
    (SAID, ["id", "status"], [CUSTOM], []),
    (THOUGHT, ["content", "status", "encrypted_content", "unknown"], [], [ANSWER]),
    ({"role": "assistant", "content": "a"}, ["id", "status", "type"], [], []),
    ({"role": "user", "content": "a"}, ["id", "status", "type"], [], []),
    (RAN, ["status"], [], []),
    (SHELL, ["id", "status", "caller"], [], [LISTED]),
    (LISTED, ["id", "status", "caller"], [SHELL], []),
]
CASES = [
    pytest.param(item, key, before, after, id=f"{item.get('type', item.get('role'))}-{key}")
    for item, keys, before, after in ITEMS
    for key in keys
]


@pytest.mark.parametrize(("item", "key", "before", "after"), CASES)
def test_a_null_key_of_an_item_is_removed_and_told(item: Json, key: str, before: list[Json], after: list[Json]) -> None:
    around = [ASKED, *before], [*after, ASKED]
    clean = {"input": [*around[0], item, *around[1]]}
    body = {"input": [*around[0], {**item, key: None}, *around[1]]}
    ready = tw.prepare(body, "openai-responses")
    assert ready.payload == clean
    assert json.loads(tw.prepare_json(json.dumps(body), "openai-responses").payload) == clean
    place = f"$.input[{len(around[0])}]"
    assert {(change.code, change.path) for change in ready.receipt} == {("reshaped", place)}
    found = [(one.code, one.path) for one in tw.check(body, target="openai-responses")]
    assert ("reshaped", place) in found
    assert not tw.prepare(ready.payload, "openai-responses").receipt
    # In its own dialect, a conversion alone changes nothing.
    assert tw.convert(body, "openai-responses", source="openai-responses").payload == body


def test_a_null_that_is_a_value_stays() -> None:
    """OpenAI's own types allow null here, and require some of these keys."""
    ran = {"type": "code_interpreter_call", "id": "ci_1", "status": "completed", "container_id": "k", "code": None}
    body = {"input": [ASKED, {**ran, "outputs": None}, {**ANSWER, "phase": None}, ASKED]}
    ready = tw.prepare(body, "openai-responses")
    assert (ready.payload, list(ready.receipt)) == (body, [])
