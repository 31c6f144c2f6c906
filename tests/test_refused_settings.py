"""Settings that a body's own provider refuses, as `check` finds them: by hand, in recorded, in converted requests."""

import json
import random
from typing import Any

import pytest
import turnwire as tw
from test_settings import OC, TOOL, USER, WIRES, A, B, G, L, M, R, bodied, bodies
from test_wire_traffic import KEYS, requests

Json = dict[str, Any]
OLD = "anthropic:2023-06-01"


def refused(body: Json, dialect: Any) -> dict[str, str]:
    """The refused paths, with the reasons, the same through both functions and for the named target."""
    found = [finding for finding in tw.check(body, dialect) if finding.code == "refused_setting"]
    again = [finding for finding in tw.check(body, dialect, target=dialect) if finding.code == "refused_setting"]
    assert [str(finding) for finding in found] == [str(finding) for finding in again]
    assert {finding.severity for finding in found} <= {"warning"}
    return {finding.path: finding.message for finding in found}


# From the providers' references: a body's settings, and the path that its server answers with 400.
REFUSED: list[tuple[Any, Json, str]] = [
    (OC, {"model": "gpt-4o", "temperature": 2.5}, "$.temperature"),
    (OC, {"model": "gpt-4o", "top_p": -1}, "$.top_p"),
    (OC, {"model": "gpt-4o", "n": 129}, "$.n"),
    (OC, {"model": "gpt-4o", "max_tokens": "many"}, "$.max_tokens"),
    (OC, {"model": "gpt-4o", "max_tokens": 5, "max_completion_tokens": 6}, "$.max_tokens"),
    (OC, {"model": "gpt-4o", "stop": ["a", "b", "c", "d", "e"]}, "$.stop"),
    (OC, {"model": "gpt-4o", "stop": 5}, "$.stop"),
    (OC, {"model": "o3", "temperature": 0.5}, "$.temperature"),
    (OC, {"model": "gpt-5", "top_p": 0.5}, "$.top_p"),
    (OC, {"model": "gpt-4o", "reasoning_effort": "low"}, "$.reasoning_effort"),
    (R, {"model": "o3", "temperature": 0.5}, "$.temperature"),
    (R, {"model": "gpt-4o", "temperature": True}, "$.temperature"),
    (A, {"model": "claude-sonnet-4-5", "max_tokens": 9, "temperature": 0.5}, "$.temperature"),
    (OLD, {"model": "claude-sonnet-4-5", "max_tokens": 9, "temperature": 1.5}, "$.temperature"),
    (OLD, {"model": "claude-opus-4-7", "max_tokens": 9, "temperature": 0.5}, "$.temperature"),
    (OLD, {"model": "claude-sonnet-4-5", "max_tokens": 9, "temperature": 0.5, "top_p": 0.5}, "$.top_p"),
    (A, {"model": "claude-sonnet-4-5", "max_tokens": 0.5}, "$.max_tokens"),
    (A, {"model": "claude-3-5-haiku", "max_tokens": 9, "thinking": {"type": "enabled"}}, "$.thinking.type"),
    (
        A,
        {"model": "claude-sonnet-4-5", "max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 99}},
        "$.thinking.budget_tokens",
    ),
    (
        A,
        {"model": "claude-sonnet-4-5", "max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 4000}},
        "$.thinking.budget_tokens",
    ),
    (A, {"model": "claude-sonnet-4-5", "max_tokens": 9, "stop_sequences": [" "]}, "$.stop_sequences"),
    (G, {"generationConfig": {"temperature": 2.5}}, "$.generationConfig.temperature"),
    (G, {"generationConfig": {"stopSequences": [1]}}, "$.generationConfig.stopSequences"),
    (G, {"generation_config": {"max_output_tokens": "many"}}, "$.generation_config.max_output_tokens"),
    (B, {"inferenceConfig": {"temperature": 1.5}}, "$.inferenceConfig.temperature"),
    (B, {"inferenceConfig": {"maxTokens": 0}}, "$.inferenceConfig.maxTokens"),
    (M, {"model": "mistral-large", "temperature": 1.6}, "$.temperature"),
    (L, {"model": "llama3", "options": {"seed": "x"}}, "$.options.seed"),
]


@pytest.mark.parametrize(("dialect", "settings", "path"), REFUSED, ids=[json.dumps(said) for _, said, _ in REFUSED])
def test_what_a_server_refuses_is_found(dialect: Any, settings: Json, path: str) -> None:
    body = bodied(dialect, settings)
    assert list(refused(body, dialect)) == [path]
    # It stays unchanged: only the caller knows what was meant.
    assert tw.prepare(body, dialect, source=dialect, rest="keep").payload == body


TAKEN: list[tuple[Any, Json]] = [
    (OC, {"model": "gpt-4o", "temperature": 2, "top_p": 1, "n": 128, "stop": "x", "max_tokens": 5, "seed": None}),
    (OC, {"model": "gpt-9-which-is-newer", "temperature": 1, "a_new_key": {"of": "any type"}, "service_tier": "newer"}),
    (OC, {"model": "gpt-4o", "max_tokens": 5, "max_completion_tokens": 5}),
    (OC, {"parallel_tool_calls": False}),
    (R, {"model": "gpt-5.4", "parallel_tool_calls": False, "tools": [{"type": "web_search"}]}),
    (A, {"model": "claude-sonnet-4-5", "max_tokens": 9000, "thinking": {"type": "enabled", "budget_tokens": 1024}}),
    (A, {}),
    # The caller may still add `max_tokens`.
    (A, {"model": "claude-sonnet-4-5"}),
    (OLD, {"model": "claude-sonnet-4-5", "max_tokens": 9, "temperature": 1}),
    (G, {"generationConfig": {"temperature": 2, "newKey": 1}, "cachedContent": "cachedContents/1"}),
    (B, {"modelId": "anthropic.claude-sonnet-4-5", "inferenceConfig": {"temperature": 1, "maxTokens": 1}}),
]


@pytest.mark.parametrize(("dialect", "settings"), TAKEN, ids=[json.dumps(said) for _, said in TAKEN])
def test_what_a_server_takes_is_no_finding(dialect: Any, settings: Json) -> None:
    assert refused(bodied(dialect, settings), dialect) == {}


@pytest.mark.parametrize("source", KEYS)
def test_recorded_requests_were_taken(source: Any) -> None:
    """Each of them was answered. Claude's were recorded under the older version of its API."""
    for body in requests(source):
        dialect = OLD if source == "anthropic" else source
        assert refused(body, dialect) == {}, body


@pytest.mark.parametrize("seed", range(20))
def test_a_converted_body_is_taken(seed: int) -> None:
    """Whatever another wire says: this wire refuses nothing of what is written for it."""
    chance = random.Random(seed)
    for source, body in bodies(seed):
        target = chance.choice([wire for wire in WIRES if wire != source])
        made = tw.convert(body, source, target, rest="convert", model="m")
        assert refused(made.payload, target) == {}, (source, target, body)


def test_a_body_for_another_wire_is_not_judged_by_its_own() -> None:
    body = {"model": "gpt-4o", "messages": [USER], "tools": [TOOL], "temperature": 9}
    assert [finding.code for finding in tw.check(body, OC, target=A)] == ["foreign_setting"]
    assert list(refused(body, OC)) == ["$.temperature"]
