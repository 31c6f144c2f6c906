"""A gateway's details of reasoning with the id of an earlier message's: the server behind it takes each item once."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
USER: Json = {"role": "user", "content": "q"}
FORMAT = "openai-responses-v1"


def codes(told: Any) -> list[str]:
    return [one.code for one in told if one.kind != "warning"]


def item(name: str, form: str = FORMAT) -> list[Json]:
    """A summary and the encrypted item that it belongs to."""
    summary = {"type": "reasoning.summary", "summary": f"says {name}", "id": name, "format": form}
    return [summary, {"type": "reasoning.encrypted", "data": "AAAA", "id": name, "format": form}]


def history(*details: list[Json]) -> list[Json]:
    said = ({"role": "assistant", "content": f"a{at}", "reasoning_details": one} for at, one in enumerate(details))
    return [turn for one in said for turn in (USER, one)] + [USER]


def left(payload: Json) -> list[list[str]]:
    """The ids of the details of each message."""
    replies = [one for one in payload["messages"] if one["role"] == "assistant"]
    return [[detail.get("id") for detail in one.get("reasoning_details", [])] for one in replies]


def prepared(messages: list[Json], target: str = "openai:openrouter", source: str = "openai:openrouter") -> Any:
    ready = tw.prepare(messages, target, source=source)
    again = tw.prepare(ready.payload, target, source=target)
    assert (again.payload, codes(again.receipt)) == (ready.payload, [])
    return ready


def test_the_first_one_stays() -> None:
    ready = prepared(history(item("rs_1"), item("rs_1"), item("rs_1") + item("rs_2")))
    assert left(ready.payload) == [["rs_1"] * 2, [], ["rs_2"] * 2]
    assert codes(ready.receipt) == ["repeated_item"] * 2
    assert [one["content"] for one in ready.payload["messages"][1::2]] == ["a0", "a1", "a2"]
    found = tw.check({"messages": history(item("rs_1"), item("rs_1"))}, "openai:openrouter", source="openai:openrouter")
    assert [(one.code, one.severity) for one in found] == [("repeated_item", "error")]


@pytest.mark.parametrize("form", ("azure-openai-responses-v1", "xai-responses-v1", "meta-responses-v1"))
def test_also_those_of_other_makers_with_items(form: str) -> None:
    ready = prepared(history(item("rs_1", form), item("rs_1", form)))
    assert left(ready.payload) == [["rs_1"] * 2, []]


@pytest.mark.parametrize("form", ("google-gemini-v1", "anthropic-claude-v1"))
def test_an_id_that_names_a_call_may_come_again(form: str) -> None:
    given = history(item("c1", form), item("c1", form))
    ready = prepared(given)
    assert (ready.payload["messages"], codes(ready.receipt)) == (given, [])


def test_details_without_an_id_and_empty_lists_stay() -> None:
    bare = [{key: value for key, value in one.items() if key != "id"} for one in item("rs_1")]
    given = history(bare, bare, [], [])
    assert prepared(given).payload["messages"] == given


def test_items_of_responses_that_become_details() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAAA"}
    call = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c1", "output": "r"}
    ready = prepared(
        [USER, thought, call, result, thought, {"role": "assistant", "content": "a"}, USER], source="openai-responses"
    )
    assert json.dumps(ready.payload).count("rs_1") == 1
    assert codes(ready.receipt) == ["repeated_item"]


def test_a_target_without_such_details_does_not_care() -> None:
    thought = {"type": "reasoning.text", "text": "t", "signature": "c2ln", "format": "anthropic-claude-v1", "id": "x"}
    ready = tw.prepare(history([thought], [thought]), "anthropic", source="openai:openrouter")
    assert json.dumps(ready.payload).count("c2ln") == 2


def test_in_a_ledger() -> None:
    ledger = tw.Ledger("openai:openrouter")
    first = history(item("rs_1"), item("rs_1"))
    sent = ledger.prepare(first, source="openai:openrouter").payload["messages"]
    longer = [*first, {"role": "assistant", "content": "b", "reasoning_details": item("rs_1")}, USER]
    more = ledger.prepare(longer, source="openai:openrouter").payload
    assert more["messages"][: len(sent)] == sent
    assert left(more) == [["rs_1"] * 2, [], []]
