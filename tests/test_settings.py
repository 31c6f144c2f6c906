"""The settings of a body in the target's words: by a table of our own, random bodies, recorded requests."""

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import turnwire as tw
from test_wire_traffic import KEYS, errors, requests  # noqa: F401  the checker is a fixture

Json = dict[str, Any]
WIRES: list[Any] = list(next(iter(tw.settings.table()["settings"].values()))["wires"])
USER = {"role": "user", "content": "q"}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
A, G, B, OC, M = "anthropic", "gemini", "bedrock", "openai", "mistral"
R, C, L, GI = "openai-responses", "cohere", "ollama", "gemini-interactions"
OWN = {**KEYS, GI: ("input", "system_instruction", "tools")}
LOST, CHANGED = "lost", "restated"


def both(body: Json, source: Any, target: Any, **options: Any) -> tw.Rendered[Any]:
    """The same through both functions, and by `prepare`."""
    before = copy.deepcopy(body)
    options = {"source": source, "settings": "convert", **options}
    made = tw.convert(body, target, **options)
    text = tw.convert_json(json.dumps(body), target, **options)
    assert json.loads(text.payload) == made.payload
    assert text.receipt == made.receipt
    assert body == before
    return made


def bodied(dialect: Any, settings: Json) -> Json:
    """A body of a dialect with these settings."""
    payload = tw.convert({"messages": [USER], "tools": [TOOL]}, dialect, source="openai").payload
    return {**payload, **settings}


# The thirty most used settings, written by hand from the providers' references: a wire's words for a setting, and the
# other wires' words. A wire that is not named has no word for it.
CASES: list[tuple[str, Json, dict[str, Json]]] = [
    (
        OC,
        {"max_tokens": 50},
        {
            R: {"max_output_tokens": 50},
            A: {"max_tokens": 50},
            G: {"generationConfig": {"maxOutputTokens": 50}},
            GI: {"generation_config": {"max_output_tokens": 50}},
            B: {"inferenceConfig": {"maxTokens": 50}},
            M: {"max_tokens": 50},
            C: {"max_tokens": 50},
            L: {"options": {"num_predict": 50}},
        },
    ),
    (OC, {"max_completion_tokens": 50}, {R: {"max_output_tokens": 50}, M: {"max_tokens": 50}}),
    (A, {"max_tokens": 50}, {OC: {"max_completion_tokens": 50}, B: {"inferenceConfig": {"maxTokens": 50}}}),
    (
        OC,
        {"temperature": 0.5},
        {
            R: {"temperature": 0.5},
            G: {"generationConfig": {"temperature": 0.5}},
            GI: {"generation_config": {"temperature": 0.5}},
            B: {"inferenceConfig": {"temperature": 0.5}},
            M: {"temperature": 0.5},
            C: {"temperature": 0.5},
            L: {"options": {"temperature": 0.5}},
        },
    ),
    (
        OC,
        {"top_p": 0.5},
        {
            R: {"top_p": 0.5},
            G: {"generationConfig": {"topP": 0.5}},
            GI: {"generation_config": {"top_p": 0.5}},
            B: {"inferenceConfig": {"topP": 0.5}},
            M: {"top_p": 0.5},
            C: {"p": 0.5},
            L: {"options": {"top_p": 0.5}},
        },
    ),
    (
        G,
        {"generationConfig": {"topK": 40}},
        {
            B: {"additionalModelRequestFields": {"top_k": 40}},
            M: {"top_k": 40},
            C: {"k": 40},
            L: {"options": {"top_k": 40}},
        },
    ),
    (
        OC,
        {"presence_penalty": 0.5},
        {
            G: {"generationConfig": {"presencePenalty": 0.5}},
            M: {"presence_penalty": 0.5},
            C: {"presence_penalty": 0.5},
            L: {"options": {"presence_penalty": 0.5}},
        },
    ),
    (
        OC,
        {"frequency_penalty": 0.5},
        {
            G: {"generationConfig": {"frequencyPenalty": 0.5}},
            M: {"frequency_penalty": 0.5},
            C: {"frequency_penalty": 0.5},
            L: {"options": {"frequency_penalty": 0.5}},
        },
    ),
    (
        OC,
        {"seed": 7},
        {
            G: {"generationConfig": {"seed": 7}},
            GI: {"generation_config": {"seed": 7}},
            M: {"random_seed": 7},
            C: {"seed": 7},
            L: {"options": {"seed": 7}},
        },
    ),
    (
        OC,
        {"stop": "END"},
        {
            A: {"stop_sequences": ["END"]},
            G: {"generationConfig": {"stopSequences": ["END"]}},
            GI: {"generation_config": {"stop_sequences": ["END"]}},
            B: {"inferenceConfig": {"stopSequences": ["END"]}},
            M: {"stop": ["END"]},
            C: {"stop_sequences": ["END"]},
            L: {"options": {"stop": ["END"]}},
        },
    ),
    (OC, {"n": 2}, {G: {"generationConfig": {"candidateCount": 2}}, M: {"n": 2}}),
    (
        OC,
        {"logprobs": True},
        {
            R: {"include": ["message.output_text.logprobs"]},
            G: {"generationConfig": {"responseLogprobs": True}},
            M: {"logprobs": True},
            C: {"logprobs": True},
            L: {"logprobs": True},
        },
    ),
    (
        OC,
        {"logprobs": True, "top_logprobs": 3},
        {
            G: {"generationConfig": {"responseLogprobs": True, "logprobs": 3}},
            M: {"logprobs": True, "top_logprobs": 3},
        },
    ),
    (
        OC,
        {"response_format": {"type": "json_object"}},
        {
            R: {"text": {"format": {"type": "json_object"}}},
            G: {"generationConfig": {"responseMimeType": "application/json"}},
            GI: {"response_format": {"type": "text", "mime_type": "application/json"}},
            M: {"response_format": {"type": "json_object"}},
            C: {"response_format": {"type": "json_object"}},
            L: {"format": "json"},
        },
    ),
    (
        OC,
        {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA, "strict": True}}},
        {
            R: {"text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}}},
            A: {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
            G: {"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}},
            GI: {"response_format": {"type": "text", "mime_type": "application/json", "schema": SCHEMA}},
            B: {
                "outputConfig": {
                    "textFormat": {
                        "type": "json_schema",
                        "structure": {"jsonSchema": {"schema": json.dumps(SCHEMA, separators=(",", ":")), "name": "n"}},
                    }
                }
            },
            M: {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": SCHEMA, "strict": True},
                }
            },
            C: {"response_format": {"type": "json_object", "json_schema": SCHEMA}},
            L: {"format": SCHEMA},
        },
    ),
    (
        A,
        {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
        {
            OC: {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "response", "schema": SCHEMA, "strict": True},
                }
            },
        },
    ),
    (L, {"format": SCHEMA}, {A: {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}}),
    (
        OC,
        {"parallel_tool_calls": False},
        {
            R: {"parallel_tool_calls": False},
            A: {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
            M: {"parallel_tool_calls": False},
        },
    ),
    (
        A,
        {"tool_choice": {"type": "any", "disable_parallel_tool_use": True}},
        {
            OC: {"tool_choice": "required", "parallel_tool_calls": False},
        },
    ),
    (
        OC,
        {"reasoning_effort": "high"},
        {
            R: {"reasoning": {"effort": "high"}},
            A: {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}},
            G: {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HIGH"}}},
            GI: {"generation_config": {"thinking_level": "high"}},
            M: {"reasoning_effort": "high"},
            B: {"outputConfig": {"effort": "high"}, "additionalModelRequestFields": {"thinking": {"type": "adaptive"}}},
            C: {"thinking": {"type": "enabled"}},
            L: {"think": "high"},
        },
    ),
    (
        OC,
        {"reasoning_effort": "none"},
        {
            R: {"reasoning": {"effort": "none"}},
            A: {"thinking": {"type": "disabled"}},
            G: {"generationConfig": {"thinkingConfig": {"thinkingLevel": "MINIMAL"}}},
            GI: {"generation_config": {"thinking_level": "minimal"}},
            C: {"thinking": {"type": "disabled"}},
            L: {"think": False},
            M: {"reasoning_effort": "none"},
            B: {"additionalModelRequestFields": {"thinking": {"type": "disabled"}}},
        },
    ),
    (
        A,
        {"thinking": {"type": "enabled", "budget_tokens": 9000}, "max_tokens": 20000},
        {
            OC: {"reasoning_effort": "medium", "max_completion_tokens": 20000},
            G: {"generationConfig": {"maxOutputTokens": 20000, "thinkingConfig": {"thinkingLevel": "MEDIUM"}}},
            C: {"max_tokens": 20000, "thinking": {"type": "enabled", "token_budget": 9000}},
        },
    ),
    (
        G,
        {"generationConfig": {"thinkingConfig": {"includeThoughts": True, "thinkingLevel": "low"}}},
        {
            R: {"reasoning": {"effort": "low", "summary": "auto"}},
            A: {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}},
            GI: {"generation_config": {"thinking_level": "low", "thinking_summaries": "auto"}},
        },
    ),
    (OC, {"verbosity": "low"}, {R: {"text": {"verbosity": "low"}}}),
    (
        OC,
        {"service_tier": "flex"},
        {
            R: {"service_tier": "flex"},
            G: {"serviceTier": "flex"},
            GI: {"service_tier": "flex"},
            B: {"serviceTier": {"type": "flex"}},
        },
    ),
    (OC, {"user": "u"}, {R: {"safety_identifier": "u"}, A: {"metadata": {"user_id": "u"}}}),
    (
        OC,
        {"metadata": {"k": "v"}},
        {
            R: {"metadata": {"k": "v"}},
            B: {"requestMetadata": {"k": "v"}},
            M: {"metadata": {"k": "v"}},
        },
    ),
    (OC, {"store": True}, {R: {"store": True}, G: {"store": True}, GI: {"store": True}}),
    (OC, {"prompt_cache_key": "k"}, {R: {"prompt_cache_key": "k"}, M: {"prompt_cache_key": "k"}}),
    (
        OC,
        {"prompt_cache_options": {"mode": "explicit", "ttl": "30m"}},
        {R: {"prompt_cache_options": {"mode": "explicit", "ttl": "30m"}}},
    ),
    (
        R,
        {"prompt_cache_options": {"mode": "explicit", "comparison_response_id": "resp_1", "prewarm": True}},
        {OC: {"prompt_cache_options": {"mode": "explicit"}}},
    ),
    (
        OC,
        {"stream": True},
        {wire: {"stream": True} for wire in (R, A, M, C, L, GI)},
    ),
    (
        L,
        {},
        {OC: {"stream": True, "stream_options": {"include_usage": True}}, A: {"stream": True}, C: {"stream": True}},
    ),
    (
        OC,
        {"model": "x"},
        {
            R: {"model": "x"},
            A: {"model": "x"},
            M: {"model": "x"},
            C: {"model": "x"},
            L: {"model": "x"},
            GI: {"model": "x"},
        },
    ),
    (
        GI,
        {"generation_config": {"max_output_tokens": 50, "thinking_level": "low", "stop_sequences": ["END"]}},
        {
            OC: {"max_completion_tokens": 50, "reasoning_effort": "low", "stop": ["END"]},
            A: {
                "max_tokens": 50,
                "thinking": {"type": "adaptive"},
                "output_config": {"effort": "low"},
                "stop_sequences": ["END"],
            },
            G: {
                "generationConfig": {
                    "maxOutputTokens": 50,
                    "stopSequences": ["END"],
                    "thinkingConfig": {"thinkingLevel": "LOW"},
                }
            },
        },
    ),
    (
        GI,
        {
            "response_format": {"type": "text", "mime_type": "application/json", "schema": SCHEMA},
            "store": False,
            "service_tier": "standard",
        },
        {
            R: {
                "text": {"format": {"type": "json_schema", "name": "response", "schema": SCHEMA}},
                "store": False,
                "service_tier": "default",
            },
        },
    ),
]
# What a target adds by itself.
ADDED = {A: {"max_tokens": 16384}, R: {"store": False}, L: {"stream": False}, GI: {"store": False}}


@pytest.mark.parametrize(("source", "said", "expected"), CASES, ids=[f"{s}:{json.dumps(v)[:40]}" for s, v, _ in CASES])
def test_what_people_use_most(source: Any, said: Json, expected: dict[str, Json]) -> None:
    for target, wanted in expected.items():
        body = bodied(source, said)
        made = both(body, source, target)
        payload = tw.convert(bodied(source, {}), target, source=source).payload
        got = {key: value for key, value in made.payload.items() if payload.get(key) != value}
        streams = {key: value for key, value in ADDED.get(target, {}).items() if key not in wanted}
        if source in (G, B):  # Their streams have another address.
            streams.pop("stream", None)
        if source in (R, GI):  # They store by default.
            streams.pop("store", None)
        if source == L and "stream" not in wanted:
            streams |= {"stream": True} if target not in (G, B, L) else {}
            streams |= {"stream_options": {"include_usage": True}} if target == OC else {}
        assert got == {**streams, **wanted}, target
        assert tw.prepare(body, target, source=source, settings="convert").payload == made.payload
    for target in WIRES:  # A wire without a word for it reports that.
        if target not in expected and target != source and len(expected) > 3:
            made = both(bodied(source, said), source, target)
            assert [loss for loss in made.receipt if loss.code == "setting" and str(loss.path) != "$"], target


def test_what_only_responses_ask_of_the_cache_is_a_loss() -> None:
    options = {"ttl": "30m", "comparison_response_id": "resp_1", "prewarm": True}
    losses = both(bodied(R, {"prompt_cache_options": options}), R, OC).receipt
    told = [loss.path for loss in losses if (loss.kind, loss.code) == ("lost", "setting")]
    assert told == ["$.prompt_cache_options.comparison_response_id", "$.prompt_cache_options.prewarm"]


# --- Random bodies: removing a setting has a visible effect ---

RIGHT: dict[str, list[Any]] = {
    "model": ["gpt-5", "gpt-4o", "claude-opus-4-1", "gemini-2.5-flash", "m"],
    "max_tokens": [1, 100, 4096],
    "max_completion_tokens": [7, 900],
    "temperature": [0, 0.3, 1, 1.9],
    "top_p": [0.1, 1],
    "n": [1, 3],
    "seed": [0, 5],
    "stop": ["a", ["a"], list("abcdefg")],
    "logprobs": [True, False],
    "top_logprobs": [0, 20],
    "presence_penalty": [-2, 0.5],
    "frequency_penalty": [1.5],
    "logit_bias": [{"1": 3}],
    "response_format": [
        {"type": "text"},
        {"type": "json_object"},
        {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}},
        {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": True}},
    ],
    "parallel_tool_calls": [True, False],
    "reasoning_effort": ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    "verbosity": ["low", "high"],
    "service_tier": ["auto", "flex", "priority", "scale"],
    "user": ["u"],
    "safety_identifier": ["u", "v"],
    "metadata": [{"a": "b"}, {str(i): "x" for i in range(20)}],
    "store": [True, False],
    "prompt_cache_key": ["k"],
    "prompt_cache_options": [{"mode": "explicit"}, {"mode": "implicit", "ttl": "30m"}],
    "stream": [True, False],
    "stream_options": [{"include_usage": True}, {"include_usage": False}, {"include_obfuscation": False}],
    "prediction": [{"type": "content", "content": "x"}],
    "modalities": [["text"]],
    "web_search_options": [{}],
}
WRONG: list[Any] = ["hot", -1e9, 1e12, 2.5, True, [], {}, [1], {"a": 1}, "\x00", "é", 10**30, "", ["x", None]]


def bodies(seed: int) -> Iterator[tuple[Any, Json]]:
    """Bodies of every wire: OpenAI's settings right, wrong, out of range or contradicting, in the words of a wire."""
    chance = random.Random(seed)
    said = {key: chance.choice(values) for key, values in RIGHT.items() if chance.random() < 0.35}
    for key in said:
        if chance.random() < 0.15:
            said[key] = chance.choice(WRONG)
    if chance.random() < 0.5:
        said[chance.choice(["x_unknown", "thinking", "generationConfig", "options", "é.b"])] = chance.choice(WRONG)
    yield OC, {"messages": [USER], **({"tools": [TOOL]} if chance.random() < 0.5 else {}), **said}
    for wire in WIRES[1:]:
        made = tw.convert({"messages": [USER], "tools": [TOOL], **said}, wire, source=OC, settings="convert").payload
        places = [place for place, _ in leaves(made, OWN.get(wire, ("messages", "tools", "tool_choice")))]
        for place in places:
            if chance.random() < 0.1:
                put(made, place, chance.choice(WRONG))
        yield wire, made


def leaves(body: Json, but: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each setting of a body, by its keys."""
    for key, value in body.items():
        if key in but:
            continue
        whole = key in ("schema", "responseJsonSchema", "responseSchema")  # Losses are reported inside a schema.
        nested = leaves(value, ()) if isinstance(value, dict) and not whole else ()
        inner = [((key, *rest), one) for rest, one in nested]
        yield from inner or [((key,), value)]


def put(body: Json, place: tuple[str, ...], value: Any) -> None:
    for key in place[:-1]:
        body = body[key]
    body[place[-1]] = value


def without(body: Json, place: tuple[str, ...]) -> Json:
    """The body without one of its settings."""
    made = copy.deepcopy(body)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    del inner[place[-1]]
    return made


def path_of(place: tuple[str, ...]) -> str:
    """The path of a setting, as losses have it."""
    plain = [key.isascii() and key.replace("-", "_").replace("_", "a").isalnum() for key in place]
    return "$" + "".join(f".{key}" if ok else f'["{key}"]' for key, ok in zip(place, plain, strict=True))


def is_told(place: tuple[str, ...], losses: tuple[tw.Change, ...]) -> bool:
    """Whether a setting is reported, or a value that contains it, or a value inside it."""
    told = {loss.path for loss in losses} - {"$"}
    path = path_of(place)
    around = {path_of(place[:count]) for count in range(1, len(place) + 1)}
    return bool(told & around) or any(one.startswith((path + ".", path + "[")) for one in told)


def is_silence(place: tuple[str, ...], value: Any) -> bool:
    """Whether it means the same as a missing key, for all wires or for some."""
    if value in (None, {}, []):
        return True
    if place == ("stream",) or place[-1] == "include_usage":  # True is the default of some wires, False of others.
        return isinstance(value, bool)
    if place[-1] in ("parallel_tool_calls", "strict"):  # Some always keep to a schema, and all allow parallel calls.
        return value is True
    if place[-1] == "type" and len(place) > 1:  # A part of a format, or of thinking.
        return value in ("text", "adaptive", "enabled", "json_object")
    return value in ("text/plain", "", "auto", "hidden", "omitted", "default", "unspecified") or value is False


def is_twice(body: Json, place: tuple[str, ...], value: Any) -> bool:
    """Whether another key has the same meaning already."""
    others = [("user", "safety_identifier"), ("max_tokens", "max_completion_tokens")]
    if any(place[-1] in pair and all(body.get(key) == value for key in pair) for pair in others):
        return True
    given = body.get("response_format")
    if place[-1] == "mime_type" and isinstance(given, dict) and "schema" in given:
        return True
    config = body.get("generationConfig")
    return place[-1] == "responseMimeType" and isinstance(config, dict) and "responseJsonSchema" in config


def vanished(body: Json, source: Any, target: Any, made: tw.Rendered[Any]) -> Iterator[tuple[str, Any]]:
    """The settings of a body without which nothing would differ, and which nothing reports."""
    for place, value in leaves(body, OWN.get(source, ("messages", "tools", "tool_choice"))):
        if is_silence(place, value) or is_told(place, made.receipt) or is_twice(body, place, value):
            continue
        other = tw.convert(without(body, place), target, source=source, settings="convert")
        if (other.payload, other.receipt) == (made.payload, made.receipt):
            yield path_of(place), value


@pytest.mark.parametrize("seed", range(40))
def test_nothing_vanishes(seed: int) -> None:
    for source, body in bodies(seed):
        for target in [one for one in WIRES if one != source]:
            assert list(vanished(body, source, target, both(body, source, target))) == [], (source, target)


@pytest.mark.parametrize("seed", range(40))
def test_there_and_back_is_equal_or_reported(seed: int) -> None:
    for source, body in bodies(seed):
        for target in [one for one in WIRES if one != source]:
            there = both(body, source, target)
            back = both(there.payload, target, source)
            kept = dict(leaves(back.payload, OWN.get(source, ("messages", "tools", "tool_choice"))))
            for place, value in leaves(body, OWN.get(source, ("messages", "tools", "tool_choice"))):
                if is_silence(place, value) or is_told(place, there.receipt) or is_twice(body, place, value):
                    continue
                same = place in kept and kept[place] in (value, [value])
                renamed = {"user": "safety_identifier", "max_tokens": "max_completion_tokens"}.get(place[-1])
                same = same or kept.get((renamed,)) == value
                # The way back reports in the words of the source.
                assert same or any(loss.code == "setting" for loss in back.receipt), (source, target, place, value)


def test_the_own_dialect_keeps_every_key_and_adds_what_is_asked_for() -> None:
    body = {"model": "m", "messages": [USER], "x": 1, "temperature": "hot"}
    for wire in WIRES:
        own = bodied(wire, {"x": {"y": 1}, "model": "m"})
        assert both(own, wire, wire).payload == own
        assert not both(own, wire, wire).receipt.changed
    assert both(body, "openai", "openai").payload == body
    # For another model its settings are judged, and what no server takes is lost.
    made = both(body, "openai", "openai", model="n", settings={"defaults": {"seed": 1, "x": 2, "messages": []}})
    assert made.payload == {"model": "n", "messages": [USER], "x": 1, "seed": 1}
    assert [(loss.kind, loss.path) for loss in made.receipt] == [(LOST, "$.temperature")]
    text = b'{"messages":[{"role":"user","content":"q"}], "n" :2}'
    assert tw.convert_json(text, "openai", source="openai", settings="convert").payload == text
    given = bodied(GI, {"generation_config": {"seed": 1, "tool_choice": "any"}})
    nested = both(given, GI, GI, settings={"defaults": {"generation_config": {"seed": 2, "top_p": 1}}})
    assert nested.payload["generation_config"] == {"seed": 1, "tool_choice": "any", "top_p": 1}
    assert both({**given, "generation_config": 3}, GI, GI).payload == {**given, "generation_config": 3}
    nested = both(
        bodied(G, {"generationConfig": {"topK": 1}}), G, G, settings={"defaults": {"generationConfig": {"topP": 1}}}
    )
    assert nested.payload["generationConfig"] == {"topK": 1, "topP": 1}


def test_the_own_dialect_leaves_out_what_another_version_or_model_refuses() -> None:
    older = {"model": "m", "messages": [USER], "max_tokens": 5, "temperature": 0.5, "top_p": 1, "top_k": 2, "x": 1}
    made = both(older, "anthropic:2023-06-01", A)
    assert made.payload == {"model": "m", "messages": [USER], "max_tokens": 5, "x": 1}
    assert [(loss.kind, loss.code, loss.path) for loss in made.receipt] == [
        ("lost", "setting", "$.temperature"),
        ("lost", "setting", "$.top_k"),
        ("lost", "setting", "$.top_p"),
    ]
    for same in ("anthropic:2023-06-01", A):
        assert both(older, same, same).payload == older
        assert not both(older, same, same).receipt.changed
    assert tw.convert(older, A, source="anthropic:2023-06-01", settings="keep").payload == older
    asked = {"model": "gpt-4o", "messages": [USER], "temperature": 0.5, "seed": 1}
    made = both(asked, OC, OC, model="o3")
    assert made.payload == {"model": "o3", "messages": [USER], "seed": 1}
    assert [(loss.code, loss.path) for loss in made.receipt] == [("setting", "$.temperature")]
    assert both({**asked, "model": "o3"}, OC, OC).payload == {**asked, "model": "o3"}
    assert both(asked, OC, OC, model="gpt-4.1").payload == {**asked, "model": "gpt-4.1"}
    with pytest.raises(tw.RenderError, match="the model accepts none"):
        tw.convert(asked, OC, source=OC, settings="convert", model="o3", strict=True)


def test_defaults_stand_where_nothing_is_said() -> None:
    made = both({"messages": [USER]}, OC, A, settings={"defaults": {"max_tokens": 9, "model": "claude-opus-5"}})
    assert (made.payload["max_tokens"], made.payload["model"], (*made.receipt,)) == (9, "claude-opus-5", ())
    made = both(
        {"messages": [USER], "max_tokens": 5, "model": "m"},
        OC,
        A,
        settings={"defaults": {"max_tokens": 9, "model": "x"}},
    )
    assert (made.payload["max_tokens"], made.payload["model"]) == (5, "m")
    made = both(
        {"messages": [USER], "seed": 1}, OC, G, settings={"defaults": {"generationConfig": {"seed": 2, "topK": 3}}}
    )
    assert made.payload["generationConfig"] == {"seed": 1, "topK": 3}
    bare = tw.convert([USER], A, source=OC, settings={"defaults": {"max_tokens": 9}})
    assert bare.payload == {"messages": [USER], "max_tokens": 9}
    assert tw.convert([USER], R, source=OC, settings="convert").payload == {"input": [USER]}


def test_settings_around_the_choice_of_tools() -> None:
    config = {"temperature": 0.5, "tool_choice": "any", "speech_config": {"voice": "x"}, "x": 1}
    body = bodied(GI, {"generation_config": config, "model": "m", "safety_settings": []})
    made = both(body, GI, OC)
    assert (made.payload["temperature"], made.payload["tool_choice"]) == (0.5, "required")
    lost = {loss.path for loss in made.receipt if (loss.kind, loss.code) == ("lost", "setting")}
    assert lost == {"$.generation_config.speech_config", "$.generation_config.x", "$.safety_settings"}
    assert not tw.convert(body, OC, source=GI).receipt  # They are the caller's own keys.
    assert {loss.path for loss in tw.convert(body, OC, source=GI, settings="keep").receipt if loss.code == "key"} == {
        "$.generation_config.temperature",
        "$.generation_config.speech_config",
        "$.generation_config.x",
    }
    made = both({"messages": [USER], "tools": [TOOL], "tool_choice": "required", "seed": 1}, OC, GI)
    assert made.payload["generation_config"] == {"tool_choice": "any", "seed": 1}
    made = both(
        {"messages": [USER], "seed": 1}, OC, GI, settings={"defaults": {"generation_config": {"seed": 2, "top_p": 1}}}
    )
    assert made.payload["generation_config"] == {"seed": 1, "top_p": 1}
    wrong = both({**body, "generation_config": [1]}, GI, OC)
    assert "$.generation_config" in {loss.path for loss in wrong.receipt if loss.kind == "lost"}


def test_what_a_version_and_a_model_take() -> None:
    body = {"messages": [USER], "model": "claude-opus-4-6", "temperature": 1.4, "top_p": 0.5, "max_tokens": 9000}
    newest = both(body, OC, A)
    assert "temperature" not in newest.payload
    assert [loss.kind for loss in newest.receipt if loss.path in ("$.temperature", "$.top_p")] == [LOST, LOST]
    older = both(body, OC, "anthropic:2023-06-01")
    assert (older.payload["temperature"], older.payload["top_p"]) == (1, 0.5)
    assert [loss.kind for loss in older.receipt if loss.path == "$.temperature"] == [CHANGED]
    by_budget = both({**body, "reasoning_effort": "high"}, OC, A, model="claude-sonnet-4-5")
    assert by_budget.payload["thinking"] == {"type": "enabled", "budget_tokens": 8999}
    assert by_budget.payload["model"] == "claude-sonnet-4-5"
    own = both(
        {**body, "reasoning_effort": "low"},
        OC,
        A,
        model="claude-sonnet-4-5",
        settings={"effort_budgets": {"low": 2048}},
    )
    assert own.payload["thinking"]["budget_tokens"] == 2048
    forced = both(
        {**body, "reasoning_effort": "high", "tools": [TOOL], "tool_choice": "required"}, OC, "anthropic:2023-06-01"
    )
    assert forced.payload["thinking"] == {"type": "adaptive"}
    assert "temperature" not in forced.payload
    thinking = {"messages": [USER], "model": "gpt-5.1", "temperature": 0.1}
    anthropic = tw.convert(thinking, "anthropic:2023-06-01", source=OC, settings="convert").payload
    assert "temperature" not in both(anthropic, "anthropic:2023-06-01", OC).payload
    gemini = {
        "contents": [{"role": "user", "parts": [{"text": "q"}]}],
        "generationConfig": {"temperature": 0.1, "thinkingConfig": {"thinkingBudget": 0}},
    }
    rested = both(gemini, G, OC, model="gpt-5.1")
    assert (rested.payload["temperature"], rested.payload["reasoning_effort"]) == (0.1, "none")
    assert both({"messages": [USER], "reasoning_effort": "max"}, OC, G, model="gemini-2.5-pro").payload == {
        "contents": [{"role": "user", "parts": [{"text": "q"}]}],
        "generationConfig": {"thinkingConfig": {"thinkingBudget": 32768}},
    }
    nova = both({"messages": [USER], "reasoning_effort": "max"}, OC, B, model="us.amazon.nova-2-lite-v1:0").payload
    assert nova["additionalModelRequestFields"] == {
        "reasoningConfig": {"maxReasoningEffort": "high", "type": "enabled"}
    }


def test_what_stays_with_the_caller_is_found() -> None:
    body = {"model": "m", "messages": [USER], "temperature": 1, "stop": "x", "stream": True, "seed": None}
    found = {
        finding.path for finding in tw.check(body, source=OC, target="anthropic") if finding.code == "foreign_setting"
    }
    assert found == {"$.temperature", "$.stop"}
    assert not tw.check(body, target="openai")
    kept = tw.convert(body, A, source=OC, settings="keep")
    assert {loss.path for loss in kept.receipt} == {"$.temperature", "$.stop", "$.seed"}
    assert {loss.code for loss in kept.receipt} == {"setting"}
    assert not tw.convert(body, A, source=OC).receipt
    own = {"model": "m", "max_tokens": 9, "messages": [USER], "stop": "x", "betas": ["b"]}
    assert [finding.path for finding in tw.check(own, "anthropic", source="anthropic")] == ["$.stop"]


@pytest.mark.parametrize("settings", ["omit", "keep", "convert"])
def test_a_record_names_its_model_like_a_body(settings: Any) -> None:
    rows = ("openai:hf", "openai:hf-gpt-oss", "sharegpt")
    for source, target in [
        *((OC, row) for row in rows),
        ("openai:hf", OC),
        ("openai:hf", R),
        ("openai:hf", "sharegpt"),
    ]:
        body = {"model": "m", "temperature": 0.5, "messages": [{"role": "user", "content": "hi"}]}
        ready = tw.prepare(body, target, source=source, settings=settings)
        told = {str(one.path) for one in ready.receipt} | {
            str(one.path) for one in tw.check(body, target, source=source)
        }
        assert told == {"$.temperature"}
        assert ready.payload.get("model") == (None if settings == "omit" else "m")


def test_strict_refuses_the_first_setting_that_would_be_lost() -> None:
    with pytest.raises(tw.RenderError) as raised:
        tw.convert({"messages": [USER], "seed": 1}, A, source=OC, settings="convert", strict=True)
    assert (raised.value.code, raised.value.path) == ("loss", "$.seed")


def test_tools_of_the_target_leave_the_settings_to_their_own_dialect() -> None:
    body = {"messages": [USER], "model": "m", "max_completion_tokens": 5}
    tool = {"name": "f", "input_schema": {"type": "object"}}
    made = tw.prepare(body, A, source=OC, tools=[tool], settings="convert")
    assert (made.payload["max_tokens"], "max_completion_tokens" in made.payload) == (5, False)


def test_a_conversation_remembers_its_settings() -> None:
    body = {"messages": [USER], "model": "m", "max_completion_tokens": 5}
    assert tw.prepare(tw.Conversation.parse(body), A, settings="convert").payload["max_tokens"] == 5


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"settings": "caller"}, tw.TurnwireError, "expected one of"),
        ({"settings": ["convert"]}, TypeError, "settings: expected a str or a dict, got list"),
        ({"settings": {"model": "m"}}, TypeError, "settings: expected the keys defaults, effort_budgets, got 'model'"),
        ({"settings": {"defaults": [1]}}, TypeError, "defaults: expected a dict, got list"),
        ({"settings": {"defaults": {"a": float("nan")}}}, tw.TurnwireError, "JSON"),
        ({"settings": {"effort_budgets": {"huge": 1}}}, tw.TurnwireError, "expected some of"),
        ({"settings": {"effort_budgets": {"low": "x"}}}, TypeError, "effort_budgets: expected an int"),
        ({"settings": {"effort_budgets": {"low": -1}}}, tw.TurnwireError, "expected 0 or more"),
        ({"settings": {"effort_budgets": 3}}, TypeError, "effort_budgets: expected a dict, got int"),
        ({"settings": "convert", "model": 3}, TypeError, "model: expected a str, got int"),
    ],
)
def test_wrong_options(options: Any, error: Any, message: str) -> None:
    for call in (tw.convert, tw.convert_json):
        with pytest.raises(error, match=message):
            call({"messages": [USER]}, A, source=OC, **options)
    with pytest.raises(error, match=message):
        tw.prepare({"messages": [USER]}, A, source=OC, **options)


def test_a_model_alone_is_for_a_body_that_is_converted() -> None:
    with pytest.raises(tw.TurnwireError, match='settings="convert" beside model='):
        tw.convert({"messages": [USER]}, A, source=OC, model="m")
    tw.prepare({"messages": [USER]}, A, source=OC, model="m")


def test_odd_bodies() -> None:
    for value in WRONG:
        for key in [*RIGHT, "generationConfig", "thinking", "output_config"]:
            for target in WIRES:
                both({"messages": [USER], key: value}, OC, target)
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}
    assert both({"messages": [USER], "metadata": deep}, OC, A).receipt
    twice = b'{"messages":[{"role":"user","content":"q"}],"seed":1,"seed":2}'
    assert json.loads(tw.convert_json(twice, C, source=OC, settings="convert").payload)["seed"] == 2
    half = {"messages": [USER], "user": "\ud800"}
    assert tw.convert(half, A, source=OC, settings="convert").payload["metadata"] == {"user_id": "\ud800"}
    assert json.loads(tw.convert_json(half, A, source=OC, settings="convert").payload)["metadata"] == {
        "user_id": "\ufffd"
    }


JSON_TEXT = {"schema": "{}", "x": 1}


@pytest.mark.parametrize(
    ("source", "said", "target", "lost"),
    [
        (A, {"thinking": {"type": "disabled"}, "output_config": {"effort": "high"}}, OC, ["$.output_config.effort"]),
        (C, {"thinking": {"type": "disabled", "token_budget": 900}}, OC, ["$.thinking.token_budget"]),
        (
            M,
            {"response_format": {"type": "text", "json_schema": {"name": "n", "schema": SCHEMA}}},
            OC,
            ["$.response_format.json_schema"],
        ),
        (OC, {"response_format": {"type": "json_object", "x": 1, "y": None}}, G, ["$.response_format.x"]),
        (
            OC,
            {
                "response_format": {
                    "type": "json_schema",
                    "x": 1,
                    "json_schema": {"name": "n", "schema": SCHEMA, "y": 2},
                }
            },
            M,
            ["$.response_format.x", "$.response_format.json_schema.y"],
        ),
        (
            GI,
            {"response_format": [{"type": "text", "mime_type": "application/json", "schema": SCHEMA, "x": 1}]},
            OC,
            ["$.response_format[0].x"],
        ),
        (
            B,
            {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": JSON_TEXT}}}},
            OC,
            ["$.outputConfig.textFormat.structure.jsonSchema.x"],
        ),
        (G, {"generationConfig": {"responseSchema": {"type": "BOOLEAN"}}}, OC, ["$.generationConfig.responseSchema"]),
        (C, {"response_format": {"type": "json_object", "schema": {"type": "null"}}}, R, ["$.response_format.schema"]),
        (G, {"generationConfig": {"stopSequences": []}}, OC, []),
        (OC, {"metadata": {}}, R, []),
    ],
)
def test_a_value_beside_the_one_that_is_written_is_told(source: Any, said: Json, target: Any, lost: list[str]) -> None:
    made = both(bodied(source, said), source, target)
    assert [loss.path for loss in made.receipt if loss.code == "setting" and loss.kind == LOST] == sorted(lost)


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function"}]}},
        {"type": "function", "function": {"name": "gone"}},
    ],
)
def test_one_call_at_a_time_outlives_a_choice_that_is_lost(choice: Json) -> None:
    body = {"messages": [USER], "tools": [TOOL], "tool_choice": choice, "parallel_tool_calls": False}
    made = both(body, OC, A)
    assert made.payload["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert [(loss.code, loss.path) for loss in made.receipt if loss.kind == LOST] == [("tool_choice", "$.tool_choice")]


def test_the_table_is_plain_data() -> None:
    table = tw.settings.table()
    json.dumps(table)
    assert len(table["settings"]) > 50
    table["settings"].clear()
    assert tw.settings.table()["settings"]


@pytest.mark.parametrize("source", KEYS)
def test_recorded_requests_keep_every_setting_or_tell(source: Any) -> None:
    looked = 0
    for request in requests(source):
        looked += sum(1 for _ in leaves(request, KEYS[source]))
        for target in [one for one in WIRES if one != source]:
            with contextlib.suppress(tw.RenderError):
                made = tw.convert(request, target, source=source, settings="convert")
                assert list(vanished(request, source, target, made)) == [], target
    assert looked > 100


@pytest.mark.parametrize("target", KEYS)
def test_what_recorded_requests_become_passes_the_types(target: Any, errors: Any) -> None:  # noqa: F811
    for source in [one for one in KEYS if one != target]:
        for request in requests(source):
            with contextlib.suppress(tw.TurnwireError):
                made = tw.prepare(request, target, source=source, settings="convert", model="m").payload
                plain = tw.prepare(request, target, source=source).payload
                # Whether calls may run side by side is said beside tools only.
                settings = {key: one for key, one in made.items() if key not in (*plain, "parallel_tool_calls")}
                body = {**tw.convert([USER], target, source=OC).payload, **settings}
                if "tool_choice" in settings or "tool_choice" in made:
                    continue
                assert errors(target, body) == [], (source, settings)


@pytest.mark.parametrize(("lifetime", "is_shared"), [("30m", True), ("12h", False)])
def test_a_lifetime_that_only_responses_has_is_lost_elsewhere(lifetime: str, is_shared: bool) -> None:
    body = {"input": [USER], "prompt_cache_options": {"mode": "explicit", "ttl": lifetime}}
    made = tw.convert(body, OC, source=R, settings="convert")
    assert ("ttl" in made.payload["prompt_cache_options"]) == is_shared
    assert [loss.path for loss in made.receipt] == ([] if is_shared else ["$.prompt_cache_options.ttl"])
    assert [finding.path for finding in tw.check(body, OC, source=R)] == (
        [] if is_shared else ["$.prompt_cache_options"]
    )


@pytest.mark.parametrize("options", [{"prewarm": True}, {"ttl": "30m", "comparison_response_id": "r"}])
def test_an_object_with_a_setting_of_one_wire_is_foreign_to_the_other(options: dict[str, Any]) -> None:
    found = tw.check({"input": [USER], "prompt_cache_options": options}, OC, source=R)
    assert [finding.code for finding in found] == ["foreign_setting"]


GROQ = {
    "include_reasoning": True,
    "reasoning_format": "parsed",
    "search_settings": {"country": "japan"},
    "compound_custom": {"tools": {}},
    "disable_tool_validation": True,
    "documents": [{"text": "d"}],
    "citation_options": "enabled",
}


@pytest.mark.parametrize("target", ["openai", "openai:deepseek", "openai:openrouter", R, A])
def test_what_only_groq_has_is_lost_elsewhere(target: Any) -> None:
    body = {"model": "m", "messages": [USER], **GROQ, "seed": 1}
    made = tw.convert(body, target, source="openai:groq", settings="convert")
    assert not made.payload.keys() & GROQ.keys()
    lost = {loss.path.removeprefix("$.") for loss in made.receipt if loss.kind == "lost"}
    assert lost - {"seed"} == GROQ.keys()
    for same in ("openai:groq", "openai:compatible"):
        assert tw.convert(body, same, source="openai:groq", settings="convert").payload == body


@pytest.mark.parametrize("rest", ["keep", "convert"])
@pytest.mark.parametrize("target", [OC, R])
def test_halves_of_characters_in_settings_are_replaced_whatever_the_door(target: Any, rest: Any) -> None:
    body = {"messages": [USER], "user": "a\ud800", "metadata": {"k\udc00": "v"}, "model": "m"}
    text = json.dumps(body)
    made = [
        function(given, target, settings=rest) for given in (body, text) for function in (tw.prepare, tw.prepare_json)
    ]
    first = made[0].payload
    assert "\ud800" not in str(first) and "a\ufffd" in str(first)
    for one in made:
        assert (one.payload if isinstance(one.payload, dict) else json.loads(one.payload)) == first
        assert one.receipt is not None
        told = [(change.code, change.path) for change in one.receipt]
        assert sorted(said for said in told if said[0] == "lone_surrogate") == [
            ("lone_surrogate", "$.metadata"),
            ("lone_surrogate", "$.user"),
        ]
    assert not list(tw.prepare(body, target).receipt or ())
