"""Settings and content that a body's own provider refuses, as `check` finds them: by hand, recorded, converted."""

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
    found = [finding for finding in tw.check(body, source=dialect) if finding.code == "refused_setting"]
    again = [finding for finding in tw.check(body, source=dialect, target=dialect) if finding.code == "refused_setting"]
    assert [str(finding) for finding in found] == [str(finding) for finding in again]
    return {finding.path: finding.reason for finding in found}


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
    assert tw.prepare(body, dialect, source=dialect, settings="keep").payload == body


# What a server's recorded answer refuses for one model is an error. Other models of the family get a warning.
RECORDED: list[tuple[Any, Json, list[str]]] = [
    (A, {"max_tokens": 9, "output_config": {"effort": "xhigh"}}, ["claude-opus-4-6", "claude-sonnet-4-6"]),
    (OC, {"web_search_options": {}}, ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-5", "o3"]),
    (OC, {"web_search_options": {}}, ["openai/gpt-4o-2024-08-06", "gpt-4o-mini-2024-07-18"]),
    (OC, {"stop": ["x"]}, ["gpt-5-mini", "gpt-5-pro", "gpt-5.2"]),
    (OC, {"stop": "x"}, ["gpt-5-nano-2025-08-07", "o3"]),
    (OC, {"stop": "x"}, ["gpt-5"]),
]


@pytest.mark.parametrize(("dialect", "settings", "models"), RECORDED)
def test_a_recorded_refusal_is_an_error(dialect: Any, settings: Json, models: list[str]) -> None:
    for model in models:
        found = tw.check(bodied(dialect, {"model": model, **settings}), source=dialect)
        (severity,) = [finding.severity for finding in found if finding.code == "refused_setting"]
        assert severity == ("error" if model == models[0] else "warning"), model


# A word for effort that a model lacks, by the provider's pages: it is found, and a conversion writes the nearest lower.
EFFORTS = [
    (OC, "gpt-5-mini", {"none": "minimal", "xhigh": "high", "max": "high"}),
    (OC, "gpt-5.1", {"minimal": "none", "xhigh": "high", "max": "high"}),
    (OC, "gpt-5.2", {"minimal": "none", "max": "xhigh"}),
    (OC, "gpt-5.4-pro", {"none": "low", "minimal": "low", "max": "xhigh"}),
    (OC, "gpt-5.5-pro", {"none": None, "low": "medium", "max": "xhigh"}),
    (OC, "gpt-6-astra", {"none": "low", "minimal": "low"}),
    (OC, "gpt-6-sol", {"minimal": "none"}),
    (OC, "o3", {"none": "low", "minimal": "low", "max": "high"}),
    (A, "claude-opus-4-6", {"minimal": "low", "xhigh": "high"}),
    (A, "claude-sonnet-4-6", {"xhigh": "high"}),
    (G, "gemini-3-pro-preview", {"none": "LOW", "minimal": "LOW", "medium": "LOW", "max": "HIGH"}),
    (G, "gemini-3-flash", {"none": "MINIMAL", "xhigh": "HIGH"}),
    (G, "gemini-3.7-flash", {"minimal": "LOW", "max": "HIGH"}),
    (G, "gemini-4-hydrogen", {"max": "XHIGH"}),
]


@pytest.mark.parametrize(("target", "model", "words"), EFFORTS)
def test_a_model_gets_the_nearest_lower_word(target: Any, model: str, words: Json) -> None:
    at = {OC: ("reasoning_effort",), A: ("output_config", "effort")}
    at[G] = ("generationConfig", "thinkingConfig", "thinkingLevel")
    for word, written in words.items():
        body = {"model": "m", "input": "Hi", "reasoning": {"effort": word}}
        made = tw.convert(body, target, source=R, settings="convert", model=model)
        value: Any = made.payload
        for key in at[target]:
            value = value.get(key, {})
        assert value == (written or {}), word
        assert [loss.path for loss in made.receipt if loss.path != "$"] == ["$.reasoning.effort"], word
        if target == OC:
            said = {"model": model, "messages": [USER], "reasoning_effort": word}
            assert list(refused(said, OC)) == ["$.reasoning_effort"], word


def test_a_model_that_does_not_reason_keeps_its_sampling() -> None:
    for model in ("gpt-5-chat-latest", "gpt-5.2-chat-latest"):
        assert refused({"model": model, "messages": [USER], "temperature": 0.5, "stop": "x"}, OC) == {}


SOUND = {"type": "input_audio", "input_audio": {"data": "SUQz", "format": "mp3"}}
FILM = {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://bucket/a.mp4"}}}}
PDF = {"document": {"format": "pdf", "name": "a", "source": {"s3Location": {"uri": "s3://bucket/a.pdf"}}}}
PHOTO = {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://bucket/a.png"}}}}
CLAUDE, NOVA = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-2-lite-v1:0"


def spoken(*parts: Json) -> Json:
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "?"}, *parts]}]}


def conversed(*parts: Json) -> Json:
    return {"messages": [{"role": "user", "content": [{"text": "?"}, *parts]}]}


def answered(*parts: Json) -> Json:
    call = {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "t", "content": [*parts]}}
    turns = [{"role": "user", "content": [{"text": "?"}]}, {"role": "assistant", "content": [call]}]
    return {"messages": [*turns, {"role": "user", "content": [result]}]}


PROMPTED = {"messages": [{"role": "system", "content": "Be brief."}, USER]}
TOLD = {"messages": [USER, {"role": "developer", "content": "Be brief."}, USER]}
CONTENT: list[tuple[Any, str, Json, str, str | None]] = [
    (OC, "o1-mini", PROMPTED, "$.messages[0]", "error"),
    (OC, "o1-mini-2024-09-12", TOLD, "$.messages[1]", "error"),
    (OC, "o1-preview", PROMPTED, "$.messages[0]", "warning"),
    (OC, "o1", PROMPTED, "", None),
    (OC, "gpt-5-mini", spoken(SOUND), "$.messages[0].content[1]", "error"),
    (OC, "gpt-4o", spoken(SOUND), "$.messages[0].content[1]", "warning"),
    (OC, "gpt-4o-audio-preview", spoken(SOUND), "", None),
    (OC, "gpt-audio-mini", spoken(SOUND), "", None),
    ("openai:openrouter", "openai/gpt-5-mini", spoken(SOUND), "", None),
    (B, CLAUDE, conversed(FILM), "$.messages[0].content[1]", "error"),
    (B, "anthropic.claude-opus-4-6-v1:0", conversed(FILM), "$.messages[0].content[1]", "warning"),
    (B, CLAUDE, answered(PHOTO), "$.messages[2].content[0].toolResult.content[0]", "error"),
    (B, CLAUDE, conversed(PDF), "$.messages[0].content[1]", "error"),
    (B, CLAUDE, answered(PDF), "", None),
    (B, NOVA, answered(PDF), "$.messages[2].content[0].toolResult.content[0]", "error"),
    (B, NOVA, conversed(FILM, PDF), "", None),
]


@pytest.mark.parametrize(("dialect", "model", "body", "path", "severity"), CONTENT)
def test_content_that_a_model_refuses(dialect: Any, model: str, body: Json, path: str, severity: str | None) -> None:
    key = "modelId" if dialect == B else "model"
    source = dialect.partition(":")[0]
    found = [one for one in tw.check({key: model, **body}, dialect, source=source) if one.code == "refused_content"]
    assert [(one.path, one.severity) for one in found] == ([(path, severity)] if severity else [])
    # Nobody says the model: nothing is known.
    assert [one for one in tw.check(body, dialect, source=source) if one.code == "refused_content"] == []


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
        made = tw.convert(body, target, source=source, settings="convert", model="m")
        assert refused(made.payload, target) == {}, (source, target, body)


def test_a_body_for_another_wire_is_not_judged_by_its_own() -> None:
    body = {"model": "gpt-4o", "messages": [USER], "tools": [TOOL], "temperature": 9}
    assert [finding.code for finding in tw.check(body, source=OC, target=A)] == ["foreign_setting"]
    assert list(refused(body, OC)) == ["$.temperature"]
