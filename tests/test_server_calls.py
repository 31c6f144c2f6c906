"""Claude's calls that the provider runs: results without their call go, and calls whose result cannot come any more."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

ASKED: Json = {"role": "user", "content": "q"}
CALL: Json = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "w"}}
SAID: Json = {"type": "text", "text": "a"}


def result(call: str = "srvtoolu_1", kind: str = "web_search", content: Any = ()) -> Json:
    return {"type": f"{kind}_tool_result", "tool_use_id": call, "content": list(content)}


def model(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def built(messages: list[Json]) -> tuple[list[Json], list[tuple[str, str]]]:
    ready = tw.prepare(messages, "anthropic", source="anthropic")
    changes = [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"]
    found = [(one.code, one.path) for one in tw.check(messages, source="anthropic", target="anthropic")]
    assert [one for one in changes if one not in found] == []
    again = tw.prepare(ready.payload, "anthropic", source="anthropic")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])
    return ready.payload["messages"], changes


def test_a_result_without_its_call_goes() -> None:
    messages = [ASKED, model(result(), SAID), ASKED]
    assert built(messages) == ([ASKED, model(SAID), ASKED], [("orphan_result", "$[1].content[0]")])


def test_a_result_before_its_call_goes() -> None:
    messages = [ASKED, model(result(), CALL, SAID)]
    assert built([*messages, ASKED]) == (
        [ASKED, model(SAID), ASKED],
        [("orphan_result", "$[1].content[0]"), ("orphan_call", "$[1].content[1]")],
    )


def test_a_message_with_nothing_else_goes_as_a_whole() -> None:
    assert built([ASKED, model(result()), ASKED])[0] == [ASKED, ASKED]


OTHER: Json = CALL | {"id": "srvtoolu_3"}
THOUGHT: Json = {"type": "thinking", "thinking": "t", "signature": "s"}


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ([SAID, CALL], [SAID]),
        ([THOUGHT, SAID, CALL], [THOUGHT, SAID]),
        ([CALL, SAID, OTHER, result("srvtoolu_3")], [SAID, OTHER, result("srvtoolu_3")]),
        ([CALL], None),
        ([THOUGHT, CALL], None),
    ],
)  # fmt: skip
def test_a_call_without_its_result_goes_once_the_user_goes_on(reply: list[Json], left: list[Json] | None) -> None:
    kept = [model(*left)] if left else []
    # Reasoning that nothing follows goes with the call.
    codes = {CALL["id"]: "orphan_call", None: "lone_reasoning"}
    gone = [
        (codes[block.get("id")], f"$[1].content[{at}]") for at, block in enumerate(reply) if block not in (left or [])
    ]
    assert built([ASKED, model(*reply), ASKED]) == ([ASKED, *kept, ASKED], gone)


def test_a_call_goes_if_the_user_says_more_than_results() -> None:
    answer = {"role": "user", "content": [*ANSWER["content"], {"type": "text", "text": "t"}]}
    body = {"tools": [{"name": "f", "input_schema": {"type": "object"}}], "messages": [ASKED, model(CALL, USE), answer]}
    ready = tw.prepare(body, "anthropic", source="anthropic")
    assert ready.payload["messages"] == [ASKED, model(USE), answer]
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("orphan_call", "$.messages[1].content[0]")
    ]


CODE: Json = {"type": "server_tool_use", "id": "srvtoolu_2", "name": "code_execution", "input": {"code": "f()"}}
USE: Json = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
BY_CODE: Json = USE | {"caller": {"type": "code_execution_20250825", "tool_id": "srvtoolu_2"}}
ANSWER: Json = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}]}


@pytest.mark.parametrize(
    "messages",
    [
        [ASKED, model(CALL, result(), SAID), ASKED],
        [ASKED, model(CALL, result(content=[]), CALL | {"id": "srvtoolu_3"}, result("srvtoolu_3"), SAID), ASKED],
        # The model pauses: the reply ends with the call, and its result comes in the next.
        [ASKED, model(SAID, CALL)],
        [ASKED, model(SAID, CALL), model(result(), SAID), ASKED],
        # The client answers its own tools first.
        [ASKED, model(CALL, USE), ANSWER],
        [ASKED, model(CALL, USE), ANSWER, model(result(), SAID), ASKED],
        # Code of the provider calls the client's tools, and its own result comes last, or never.
        [ASKED, model(CODE, BY_CODE), ANSWER],
        [ASKED, model(CODE, BY_CODE), ANSWER, model(SAID), ASKED],
    ],
)  # fmt: skip
def test_whole_and_waiting_calls_stay(messages: list[Json]) -> None:
    body = {"tools": [{"name": "f", "input_schema": {"type": "object"}}], "messages": messages}
    ready = tw.prepare(body, "anthropic", source="anthropic")
    assert (ready.payload["messages"], list(ready.receipt)) == (messages, [])


def test_another_format_has_no_such_blocks() -> None:
    messages = [ASKED, model(result(), SAID), ASKED]
    ready = tw.prepare(messages, "openai", source="anthropic")
    assert [one.get("content") for one in ready.payload["messages"]] == ["q", "a", "q"]
    assert {change.kind for change in ready.receipt} <= {"lost", "warning", "restated"}


@pytest.mark.parametrize("call", ["toolu_1", "srvtoolu_", "srvtoolu_a-b", "", None, 5])
@pytest.mark.parametrize("answers", ["toolu_1", "srvtoolu_1", None])
def test_what_another_server_ran_goes_with_its_result(call: Any, answers: str | None) -> None:
    other = {key: value for key, value in (CALL | {"id": call}).items() if value is not None}
    found = {key: value for key, value in result().items() if key != "tool_use_id"}
    found |= {"tool_use_id": answers} if answers else {}
    messages, changes = built([ASKED, model(THOUGHT, other, found, SAID), ASKED])
    assert messages == [ASKED, model(THOUGHT, SAID), ASKED]
    assert {code for code, _ in changes} <= {"opaque", "orphan_result"}
    assert built([ASKED, model(other, found), ASKED])[0] == [ASKED, ASKED]


def test_what_another_server_ran_goes_from_a_ledger_and_under_a_budget() -> None:
    run = [ASKED, model(CALL | {"id": "toolu_1"}, result("toolu_1"), SAID), ASKED]
    want = [ASKED, model(SAID), ASKED]
    assert tw.prepare(run, "anthropic", 10_000).messages == want
    ledger = tw.Ledger("anthropic")
    assert ledger.prepare(run).messages == want
    assert ledger.prepare([*run, model(SAID), ASKED]).messages == [*want, model(SAID), ASKED]
