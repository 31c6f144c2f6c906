"""Ids of calls with Google's signature behind them, as LiteLLM writes them: read, and written without it elsewhere."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
SIGNATURE = "U0lHTkFUVVJF"
SIGNED = f"call_1__thought__{SIGNATURE}"
FOREIGN = ("anthropic", "bedrock", "gemini-interactions", "openai-responses", "cohere", "ollama")


def codes(told: Any) -> list[str]:
    return [one.code for one in told if one.kind != "warning"]


def call(name: str) -> Json:
    return {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}


def history(*names: str) -> list[Json]:
    results = [{"role": "tool", "tool_call_id": name, "content": name[-1]} for name in names]
    calls = {"role": "assistant", "content": None, "tool_calls": [call(name) for name in names]}
    return [{"role": "user", "content": "q"}, calls, *results, {"role": "user", "content": "z"}]


def ids(payload: Any) -> list[str]:
    """All ids of calls and results."""
    if isinstance(payload, list):
        return [found for one in payload for found in ids(one)]
    if not isinstance(payload, dict):
        return []
    keys = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")
    return [payload[key] for key in keys if key in payload] + [
        found for value in payload.values() for found in ids(value)
    ]


@pytest.mark.parametrize("target", FOREIGN)
def test_call_and_result_have_the_id_without_it(target: str) -> None:
    for made in (
        tw.prepare(history(SIGNED), target, source="openai", blobs="base64"),
        tw.convert(history(SIGNED), target, source="openai", blobs="base64"),
    ):
        assert ids(made.payload) == ["call_1", "call_1"]
        assert codes(made.receipt).count("signature") == 1


@pytest.mark.parametrize("end", ("+/8=", "A" * 200))
@pytest.mark.parametrize("target", FOREIGN)
def test_also_where_the_target_would_refuse_all_of_it(target: str, end: str) -> None:
    given = f"call_1__thought__{end.rjust(len(end) + (-len(end)) % 4, 'A')}"
    made = tw.prepare(history(given), target, source="openai", blobs="base64")
    assert ids(made.payload) == ["call_1", "call_1"]


def test_its_maker_gets_it() -> None:
    for names in ((SIGNED,), (SIGNED, "call_2")):
        made = tw.prepare(history(*names), "gemini", source="openai")
        parts = made.payload["contents"][1]["parts"]
        assert [part.get("thoughtSignature") for part in parts] == [SIGNATURE, None][: len(names)]
        assert [part["functionCall"]["id"] for part in parts] == ["call_1", "call_2"][: len(names)]
        assert "signature" not in codes(made.receipt)


@pytest.mark.parametrize("target", ("openai:compatible", "openai:openrouter"))
def test_where_it_lies_there_it_stays(target: str) -> None:
    for given in (SIGNED, f"call_1__thought__{'A' * 400}"):
        made = tw.prepare(history(given), target, source="openai")
        assert (made.payload["messages"], codes(made.receipt)) == (history(given), [])


def test_openai_itself_refuses_a_long_id() -> None:
    made = tw.prepare(history(f"call_1__thought__{'A' * 400}"), "openai", source="openai")
    assert ids(made.payload) == ["call_1", "call_1"]
    assert codes(made.receipt) == ["renamed_id"]


@pytest.mark.parametrize("end", ("not base64", "", "a.b"))
def test_what_is_no_signature_is_part_of_the_id(end: str) -> None:
    made = tw.convert(history(f"call_1__thought__{end}"), "openai-responses", source="openai")
    assert set(ids(made.payload)) == {f"call_1__thought__{end}"}


def test_ids_that_become_equal_stay_apart() -> None:
    names = (SIGNED, "call_1", f"call_1__thought__{'B' * 8}")
    made = tw.prepare(history(*names), "anthropic", source="openai")
    first, second = ids(made.payload)[:3], ids(made.payload)[3:]
    assert first == second
    assert len(set(first)) == 3
    assert made.payload == tw.prepare(history(*names), "anthropic", source="openai").payload


def test_in_a_ledger() -> None:
    ledger = tw.Ledger("anthropic")
    sent = ledger.prepare(history(SIGNED), source="openai").payload["messages"]
    longer = [*history(SIGNED), {"role": "assistant", "content": "a"}, {"role": "user", "content": "y"}]
    more = ledger.prepare(longer, source="openai").payload["messages"]
    assert more[: len(sent)] == sent
    assert ids(more) == ["call_1", "call_1"]
