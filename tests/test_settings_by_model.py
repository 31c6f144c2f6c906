"""Settings by model: what `settings="convert"` writes, what `check` finds, and that both read the same cells."""

import copy
import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
import turnwire as tw
from judges.wire import models as judge
from judges.wire.findings import Report
from settings_of_models import CASES, FORCED, OLD, OWN, PLACES, SCALE, SWITCHES, UNKNOWN, WORDS, Json
from test_settings import GI, OC, TOOL, USER, A, B, G, L, M, R, bodied


def at(body: Any, place: str) -> Any:
    """The value at a place of a body."""
    for key in place.split("."):
        body = body.get(key) if isinstance(body, dict) else None
    return body


def judged(target: Any, model: str, body: Json) -> list[str]:
    """What the judge of the provider's own servers says against the settings, by a table of its own."""
    if target == OC:
        report = Report("openai_chat")
        judge.check_openai(report, body, chat=True)
    elif target == R:
        report = Report("openai_responses")
        judge.check_openai(report, body, chat=False)
    elif target in (A, OLD):
        report = Report("anthropic")
        judge.check_claude(report, body, target.partition(":")[2] or "2026-10-21")
    elif target == B:
        report = Report("bedrock")
        judge.check_bedrock(report, body, model)
    else:
        report = Report("gemini")
        if target == G:
            judge.check_gemini(report, body, model)
    # Models that are not served there, or not with tools, are found by their names.
    named = {one.code for one in tw.check(body, target, source=target, model=model)}
    served = (".model.tools", ".model.only-responses") if "refused_content" in named else ()
    return [str(one) for one in report.problems if not one.code.endswith(served)]


def put(place: str, value: Any) -> Json:
    for key in reversed(place.split(".")):
        value = {key: value}
    return value


def wire(target: str) -> Any:
    return target.partition(":")[0]


def settled(target: Any, model: str | None, body: Json, **options: Any) -> tuple[Json, dict[str, str]]:
    """The settings of a body of OpenAI for a target's model, with the kinds of what is told, by path."""
    made = tw.prepare(body, target, source=OC, settings="convert", model=model, **options)
    return made.payload, {str(one.path): one.kind for one in made.receipt if one.path != "$"}


def refused(body: Json, target: Any, model: str | None = None) -> dict[str, str]:
    """What a check of a body in its own dialect says against its settings."""
    found = tw.check(body, target, source=wire(target) if target.startswith("openai:") else target, model=model)
    return {
        str(one.path): one.code for one in found if one.code in ("refused_setting", "foreign_setting", "tool_choice")
    }


EACH = [
    pytest.param(target, model, words.split(), place, id=f"{target}-{model}")
    for targets, models, words, place in WORDS
    for target in targets
    for model in models.split()
]


def nearest(words: list[str], word: str) -> str | None:
    """The next lower word, else the lowest. `none` is for whoever asks for the least, and not for more."""
    lower = [one for one in words if SCALE.index(one) <= SCALE.index(word)]
    thinking = [one for one in words if one != "none"]
    if word not in ("none", "minimal"):
        lower = [one for one in lower if one != "none"]
    if lower:
        return lower[-1]
    return thinking[0] if word != "none" or thinking[0] in ("minimal", "low") else None


@pytest.mark.parametrize(("target", "model", "words", "place"), EACH)
def test_a_model_gets_a_word_that_it_has(target: Any, model: str, words: list[str], place: str) -> None:
    place = place or PLACES[wire(target)]
    for word in SCALE:
        body, told = settled(target, model, {"model": "m", "messages": [USER], "reasoning_effort": word})
        wanted = nearest(words, word)
        switch = next((key for (one, part), key in SWITCHES.items() if one == target and part in model), None)
        if word == "none" and switch:
            assert (at(body, place), at(body, switch)) == (None, "disabled")
            continue
        written = at(body, place)
        assert (written.lower() if written else None) == wanted, word
        kind = None if wanted == word else "lost" if word == "none" else "restated"
        assert told.get("$.reasoning_effort") == kind, word
        assert refused(body, target, model) == {}, word


@pytest.mark.parametrize(("target", "model", "words", "place"), EACH)
def test_a_word_that_a_model_lacks_is_found(target: Any, model: str, words: list[str], place: str) -> None:
    place = place or PLACES[wire(target)]
    for word in SCALE:
        said = word.upper() if target == G else word
        body = bodied(wire(target), put(place, said)) | {"model": model}
        body.pop("tools", None)
        path = f"$.{place}"
        known = {one.path for one in tw.check(body, target, source=wire(target), model=model)}
        if word in words:
            assert path not in known, word
            continue
        if word in UNKNOWN.get(wire(target), ""):
            continue
        assert refused(body, target, model), word


@pytest.mark.parametrize(("target", "model", "said", "wanted", "told"), CASES)
def test_what_depends_on_the_model_or_the_request(
    target: Any, model: str, said: Json, wanted: Json, told: Json
) -> None:
    given = {"model": "m", "messages": [USER], **said}
    before = copy.deepcopy(given)
    body, found = settled(target, model, given)
    assert given == before
    assert {place: at(body, place) for place in wanted} == wanted
    assert {path: found.get(path) for path in told} == told
    assert {path for path, kind in found.items() if kind in ("lost", "restated")} == {*told}
    assert refused(body, target, model) == {}


@pytest.mark.parametrize(("target", "said", "paths", "wanted"), OWN)
def test_a_check_finds_what_a_conversion_changes(target: Any, said: Json, paths: list[str], wanted: Json) -> None:
    body = bodied(wire(target), {}) | said
    source = target if target == OLD else wire(target)
    assert sorted(refused(body, target)) == paths
    made = tw.prepare(body, target, source=source, settings="convert")
    for key, value in wanted.items():
        assert made.payload.get(key) == value, key
    told = {str(one.path) for one in made.receipt if one.kind in ("lost", "restated", "changed")}
    assert told >= {*paths}
    assert refused(made.payload, target) == {}
    again = tw.prepare(made.payload, target, source=source, settings="convert")
    assert again.payload == made.payload and not again.receipt.changed
    assert tw.prepare_json(body, target, source=source, settings="convert").receipt == made.receipt


def test_several_rules_apply_to_one_model() -> None:
    """Its own words for effort, its family's sampling, its wire's search."""
    said = {"reasoning_effort": "max", "temperature": 0.2, "web_search_options": {}, "stop": "x"}
    body = {"model": "gpt-5.1-2025-11-13", "messages": [USER], **said}
    assert sorted(refused(body, OC)) == ["$.reasoning_effort", "$.stop", "$.temperature", "$.web_search_options"]


def test_models_that_are_served_elsewhere_are_found() -> None:
    def found(model: str, **more: Any) -> list[str]:
        body = {"model": model, "messages": [USER], **more}
        return [str(one.path) for one in tw.check(body, OC, source=OC) if one.code == "refused_content"]

    assert found("gpt-6-astra", tools=[TOOL]) == ["$.tools"]
    assert found("gpt-6-astra") == found("gpt-6-sol", tools=[TOOL]) == []
    assert found("gpt-5.3-codex") == found("openai/o3-deep-research") == ["$.model"]
    (change,) = tw.prepare([USER], OC, model="gpt-5-pro").receipt
    assert (change.code, change.path, change.kind) == ("refused_content", "$", "warning")


RIGHT: dict[str, list[Any]] = {
    "reasoning_effort": [*SCALE],
    "temperature": [0, 0.3, 1, 2],
    "top_p": [0.5, 1],
    "stop": ["x", ["a", "b"]],
    "presence_penalty": [0.5],
    "frequency_penalty": [-1],
    "seed": [1],
    "n": [2],
    "max_completion_tokens": [50, 1500, 9000, 90000],
    "response_format": [{"type": "json_object"}, {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}],
    "tool_choice": ["auto", "none", *FORCED],
    "parallel_tool_calls": [False],
    "verbosity": ["low"],
    "store": [True],
    "metadata": [{"a": "b"}],
    "prompt_cache_key": ["k"],
    "safety_identifier": ["u"],
    "service_tier": ["flex"],
    "logprobs": [True],
    "stream": [True],
}
TARGETS: list[Any] = [
    *(one for one in tw.dialects() if one.startswith("openai") and ":hf" not in one),
    A, OLD, "anthropic:compatible", "anthropic:deepseek", B, "bedrock:nova", G, "gemini:2", GI, M, "cohere", L,
]  # fmt: skip


def models(target: str) -> Iterator[str]:
    """Every name that a rule for the target's wire has, and one that none has."""
    rules = [rule for rule in tw.settings.table()["models"] if wire(rule["dialect"]) == wire(target)]
    yield from sorted({name for rule in rules for name in rule["names"]})
    yield "a-model-of-which-nobody-knows"


@pytest.mark.parametrize("target", TARGETS)
def test_whatever_is_converted_is_taken_by_its_model(target: Any) -> None:
    chance = random.Random(f"{target}")
    for model, _ in itertools.product(models(target), range(3)):
        said = {key: chance.choice(values) for key, values in RIGHT.items() if chance.random() < 0.3}
        body = {"model": "m", "messages": [USER], **({"tools": [TOOL]} if chance.random() < 0.6 else {}), **said}
        made = tw.prepare(body, target, source=OC, settings="convert", model=model)
        assert refused(made.payload, target, model) == {}, (model, body, made.payload)
        assert judged(target, model, made.payload) == [], (model, body, made.payload)


@pytest.mark.parametrize("target", TARGETS)
def test_whatever_a_model_refuses_is_changed(target: Any) -> None:
    """A body that another model of the same wire takes, for each of its models."""
    chance = random.Random(f"own {target}")
    source = target if target.startswith("anthropic") else wire(target)
    for model in models(target):
        said = {key: chance.choice(values) for key, values in RIGHT.items() if chance.random() < 0.4}
        given = {"model": "m", "messages": [USER], **({"tools": [TOOL]} if chance.random() < 0.6 else {}), **said}
        body = tw.prepare(given, target, source=OC, settings="convert", model="m").payload
        paths = refused(body, target, model)
        made = tw.prepare(body, target, source=source, settings="convert", model=model)
        told = {str(one.path) for one in made.receipt if one.kind in ("lost", "restated", "changed")}
        assert told >= {*paths}, (model, body)
        assert refused(made.payload, target, model) == {}, (model, body, made.payload)
        if paths:
            assert made.payload != {**body, "model": model}, (model, body)
