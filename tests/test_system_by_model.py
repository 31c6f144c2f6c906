"""System text in the middle of a list: only newer models of Claude take it there, whoever names the model."""

from typing import Any

import pytest
import turnwire as tw
from judges.wire import errors
from judges.wire.anthropic import check as judged

Json = dict[str, Any]
BRIEF = {"role": "system", "content": "Be brief."}
LIST: list[Json] = [
    {"role": "user", "content": "q"},
    {"role": "assistant", "content": "a"},
    {"role": "user", "content": "r"},
    BRIEF,
    {"role": "assistant", "content": "b"},
    {"role": "user", "content": "s"},
]
CONVERSE = [{"role": one["role"], "content": [{"text": one["content"]}]} for one in LIST]
OLDER = ["claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-7", "claude-3-7-sonnet-latest", "MiniMax-M2"]
NEWER = ["claude-opus-4-8", "claude-sonnet-5-5", "claude-fable-5", "claude-of-which-nobody-knows"]
TARGETS: list[Any] = ["anthropic", "anthropic:2023-06-01", "bedrock"]


def given(target: str) -> list[Json]:
    return CONVERSE if target == "bedrock" else LIST


def moved(receipt: Any) -> list[str]:
    return [str(one.path) for one in receipt if one.code == "moved_system"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("model", OLDER)
def test_an_older_model_gets_it_beside_the_list(target: Any, model: str) -> None:
    messages = given(target)
    made: Any = tw.prepare(messages, target, source=target, model=model)
    text = [{"text": "Be brief."}] if target == "bedrock" else "Be brief."
    assert (made.payload["system"], len(made.payload["messages"])) == (text, 5)
    assert moved(made.receipt) == ["$[3]"]
    assert moved(tw.check(messages, target, source=target, model=model)) == ["$[3]"]
    again = tw.prepare(made.payload, target, source=target, model=model)
    assert again.payload == made.payload and not again.receipt.changed
    assert moved(tw.prepare(LIST, target, source="openai", model=model).receipt) == ["$[3]"]
    if target != "bedrock":
        assert errors(judged({"model": model, "max_tokens": 9, **made.payload})) == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("model", [*NEWER, None])
def test_a_newer_model_keeps_it_in_its_place(target: Any, model: str | None) -> None:
    messages = given(target)
    made = tw.prepare(messages, target, source=target, model=model)
    assert made.payload == (messages if isinstance(made.payload, list) else {"messages": messages})
    assert not tw.check(messages, target, source=target, model=model)


@pytest.mark.parametrize(("target", "key"), [("anthropic", "model"), ("bedrock", "modelId")])
def test_the_body_may_name_the_model(target: Any, key: str) -> None:
    body = {key: "claude-haiku-4-5", "messages": given(target)}
    assert moved(tw.check(body, target, source=target)) == ["$.messages[3]"]
    made: Any = tw.prepare(body, target, source=target, settings="keep")
    assert "system" in made.payload and moved(made.receipt) == ["$.messages[3]"]
    # What the caller says counts more.
    assert not moved(tw.prepare(body, target, source=target, settings="keep", model="claude-opus-4-8").receipt)


def test_a_conversion_moves_it_and_its_own_format_stays() -> None:
    body = {"model": "m", "messages": LIST}
    made: Any = tw.convert(body, "anthropic", source="openai", settings="convert", model="claude-haiku-4-5")
    assert made.payload["system"] == "Be brief." and moved(made.receipt) == ["$.messages[3]"]


@pytest.mark.parametrize("source", ["anthropic", "openai"])
def test_a_ledger_does_the_same(source: Any) -> None:
    ledger = tw.Ledger("anthropic", model="claude-haiku-4-5")
    for count in (1, 3):
        assert "system" not in ledger.prepare(LIST[:count], source=source).payload
    last: Any = ledger.prepare(LIST, source=source)
    assert (last.payload["system"], len(last.payload["messages"])) == ("Be brief.", 5)
    assert [path for _, path in ledger.breaks] == ["$.system"]


def test_a_ledger_of_a_newer_model_appends_it() -> None:
    ledger: Any = tw.Ledger("anthropic", model="claude-opus-4-8")
    for count in (1, 3, 6):
        sent = ledger.prepare(LIST[:count], source="anthropic")
    assert sent.payload["messages"][3] == BRIEF and ledger.breaks == ()


def test_a_budget_changes_nothing_about_it() -> None:
    long = [{"role": "user", "content": "x" * 4000}, {"role": "assistant", "content": "y" * 4000}, *LIST]
    made: Any = tw.prepare(long, "anthropic", 2000, source="anthropic", model="claude-haiku-4-5")
    assert made.payload["system"] == "Be brief."
    assert all(one["role"] != "system" for one in made.payload["messages"])
