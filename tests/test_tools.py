"""Tool definitions: what a target refuses is repaired with a receipt, and names come back."""

import json
import random
import re
from pathlib import Path
from typing import Any

import made_schemas
import pytest
import turnwire as tw
from judges import tool_schema
from random_runs import tries

jsonschema = pytest.importorskip("jsonschema")

Json = dict[str, Any]
ASKED: list[Json] = [{"role": "user", "content": "q"}]
TARGETS = [
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "bedrock:nova",
    "mistral",
    "cohere",
    "ollama",
]
COMBINED = {"oneOf", "anyOf", "allOf"}
ROOT_REFUSED = {
    "openai": COMBINED | {"enum", "not"},
    "openai-responses": COMBINED | {"enum", "not"},
    "anthropic": COMBINED,
    "bedrock": COMBINED,
}
NAMES = dict.fromkeys(TARGETS, r"[a-zA-Z0-9_-]{1,64}") | {
    "anthropic": r"[a-zA-Z0-9_-]{1,128}",
    "gemini": r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}",
    "cohere": r".+",
    "ollama": r".+",
}
# Keys that Ollama's types have, and keys that Gemini does not read.
OLLAMA = {"anyOf", "type", "items", "description", "enum", "properties", "required", "title", "default"}
UNREAD = {"const", "pattern", "minLength", "maxLength", "exclusiveMinimum", "multipleOf", "allOf", "not", "uniqueItems"}


def tool(schema: Any, name: str = "f", **more: Any) -> Json:
    return {"type": "function", "function": {"name": name, "parameters": schema, **more}}


def definitions(payload: Json) -> list[Json]:
    """The definitions of a payload, each as `name`, `schema` and `strict`."""
    listed = payload.get("toolConfig", payload).get("tools") or payload.get("tools") or []
    made = []
    for one in listed:
        for inner in one.get("functionDeclarations", [one.get("function") or one.get("toolSpec") or one]):
            keys = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")
            schema = next((inner[key] for key in keys if key in inner), None)
            schema = schema.get("json", schema) if "inputSchema" in inner else schema
            made.append({"name": inner["name"], "schema": schema, "strict": inner.get("strict")})
    return made


def prepared(target: str, *tools: Json) -> tuple[list[Json], tw.Rendered[Any]]:
    rendered = tw.prepare({"messages": ASKED, "tools": [*tools]}, target, source="openai")
    return definitions(rendered.payload), rendered


def schemas(value: Any, root: bool = True, free: bool = False) -> list[tuple[Json, bool]]:
    """Every schema inside a schema, and whether it is the root."""
    found = [(value, root)] if isinstance(value, dict) else []
    for key, inner in value.items() if isinstance(value, dict) else ():
        if free and key in ("items", "$defs"):
            continue
        if key in ("properties", "$defs") and isinstance(inner, dict):
            found += [one for schema in inner.values() for one in schemas(schema, False, free)]
        elif key in COMBINED:
            found += [one for schema in inner for one in schemas(schema, False, free)]
        elif key in ("items", "additionalProperties") and isinstance(inner, dict):
            found += schemas(inner, False, free)
    return found


def problems(target: str, schema: Json) -> list[str]:
    """What the target refuses or ignores, by the errors that people report."""
    wrong = []
    if target != "cohere":
        jsonschema.Draft202012Validator.check_schema(schema)
    if schema.get("type") != "object":
        wrong.append("the root is no object")
    wrong += sorted(ROOT_REFUSED.get(target, set()) & set(schema))
    if target.startswith("openai") and "properties" not in schema:
        wrong.append("no properties")
    if target == "bedrock:nova":
        wrong += sorted(set(schema) - {"type", "properties", "required"})
    # Ollama passes items and definitions on unchanged.
    for one, root in schemas(schema, free=target == "ollama"):
        if target.startswith("openai") and one.get("type") == "array" and "items" not in one:
            wrong.append("no items")
        if target in ("bedrock:nova", "ollama") and "$ref" in one:
            wrong.append("$ref")
        if target == "gemini":
            wrong += sorted(UNREAD & set(one))
            if "$ref" in one and set(one) - {"$ref", "description", "default", "$defs"}:
                wrong.append("a reference with something beside it")
        if target == "ollama" and not root:
            wrong += sorted(set(one) - OLLAMA)
    return wrong


class Maker:
    """Schemas as people write them, and instances that fit them or nearly do."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def schema(self) -> Json:
        made = self.object(2)
        made["$defs"] = {"D": {"type": "integer", "minimum": 0}, "E": {"type": "object", "properties": {"e": {}}}}
        kind = self.dice.randrange(8)
        if kind == 0:
            del made["type"]
        elif kind == 1:
            made = {"$ref": "#/$defs/R", "$defs": {"R": made, **made.pop("$defs")}}
        elif kind == 2:
            made["anyOf"] = [{"required": ["a"]}, {"required": ["b"]}]
        elif kind == 3:
            made = {"type": "object", "oneOf": [self.object(1), self.object(1)], "$defs": made["$defs"]}
        elif kind == 4:
            made = {"allOf": [self.object(1), self.object(1)], "$defs": made["$defs"]}
        return made

    def object(self, depth: int) -> Json:
        names = self.dice.sample("abcd", self.dice.randint(0, 3))
        made: Json = {"type": "object", "properties": {name: self.value(depth) for name in names}}
        if self.dice.random() < 0.5:
            made["required"] = names[:1]
        if self.dice.random() < 0.3:
            made["additionalProperties"] = False
        return made

    def value(self, depth: int) -> Any:
        kinds: list[Any] = [
            {"type": "string"},
            {"type": "string", "minLength": 2, "pattern": "^x"},
            {"type": ["integer", "null"]},
            {"type": "integer", "exclusiveMinimum": 1},
            {"const": self.dice.choice([1, "x", True, None])},
            {"enum": ["x", "y"]},
            {"type": "array"},
            {"type": "array", "items": {"type": "string", "minLength": 2}},
            {"$ref": "#/$defs/D"},
            {"$ref": "#/$defs/D", "description": "d", "maximum": 3},
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            {"allOf": [{"type": "integer"}, {"minimum": 2}]},
            {"allOf": [{"$ref": "#/$defs/E"}], "description": "e"},
            True,
            {},
        ]
        return self.object(depth - 1) if depth and self.dice.random() < 0.3 else self.dice.choice(kinds)

    def instance(self) -> Json:
        values = ["x", "xy", "y", 0, 1, 2, 5, True, None, [], ["x"], ["xy"], {}, {"a": 1}, {"e": 1}]
        return {name: self.dice.choice(values) for name in self.dice.sample("abcd", self.dice.randint(0, 4))}


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_written_is_taken_and_says_what_it_said(target: str) -> None:
    changed = told = 0
    for seed in range(tries(150)):
        maker = Maker(seed)
        schema = maker.schema()
        [made], rendered = prepared(target, tool(schema))
        assert problems(target, made["schema"]) == [], (seed, schema)
        paths = [change.path for change in rendered.receipt.only("restated")]
        assert all(path.startswith("$.tools[0].function.parameters") for path in paths)
        before = jsonschema.Draft202012Validator(schema)
        after = jsonschema.Draft202012Validator(made["schema"])
        instances = [maker.instance() for _ in range(40)]
        if any(before.is_valid(one) != after.is_valid(one) for one in instances):
            changed += 1
            assert paths, (seed, schema, made["schema"])
        told += bool(paths)
        assert bool(paths) == (made["schema"] != schema)
        again = tw.prepare(rendered.payload, target, source=target)
        assert again.payload == rendered.payload
        assert not again.receipt.changed
    assert changed <= told


@pytest.mark.parametrize("target", TARGETS)
def test_another_tool_changes_none(target: str) -> None:
    tools = [tool(Maker(seed).schema(), f"a.{seed}" if seed % 2 else f"a_{seed}") for seed in range(12)]
    together, _ = prepared(target, *tools)
    assert together == [prepared(target, one)[0][0] for one in tools]


@pytest.mark.parametrize("target", TARGETS)
def test_names_are_legal_and_come_back(target: str) -> None:
    names = ["a_b", "a.b", "a/b", "a:b", "a b", "é", "9a", "x" * 65, "x" * 129, "x" * 64 + "y" * 65]
    made, rendered = prepared(target, *(tool({"type": "object", "properties": {}}, name) for name in names))
    wire = [one["name"] for one in made]
    assert len({*wire}) == len(names)
    assert all(re.fullmatch(NAMES[target], name) for name in wire)
    assert [rendered.names.get(name, name) for name in wire] == names
    assert {change.code for change in rendered.receipt.only("repaired", "restated")} <= {"renamed_tool"}
    called = {"role": "assistant", "content": None, "tool_calls": [call("c", "a.b")]}
    payload = {"messages": [*ASKED, called], "tools": [tool({"type": "object", "properties": {}}, "a.b")]}
    written = json.dumps(tw.prepare(payload, target, source="openai").payload)
    assert '"a.b"' not in written or "." in NAMES[target]


def call(call_id: str, name: str) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


def test_replies_and_streams_have_the_callers_names() -> None:
    body = {"messages": ASKED, "tools": [tool({"type": "object", "properties": {}}, "srv.tool")]}
    rendered = tw.prepare(body, "openai")
    [name] = rendered.names
    message = {"role": "assistant", "content": None, "tool_calls": [call("c", name)]}
    reply = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    delta = {"role": "assistant", "tool_calls": [{"index": 0, **call("c", name)}]}
    chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": "tool_calls"}]}
    for request in (rendered, body):
        assert [one.name for one in tw.parse_reply(reply, "openai", request=request).tool_uses] == ["srv.tool"]
        stream = tw.StreamAssembler("openai", request=request)
        events = stream.feed(chunk)
        answer = stream.finish()
        told = [*events, *answer.events]
        assert [event["content"]["name"] for event in told if event["type"] == "tool_call"] == ["srv.tool"]
        assert [one.name for one in answer.tool_uses] == ["srv.tool"]
    assert [one.name for one in tw.parse_reply(reply, "openai").tool_uses] == [name]


@pytest.mark.parametrize("target", ["openai", "openai-responses", "anthropic"])
def test_strict_is_honoured_or_false_aloud(target: str) -> None:
    closed = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    [kept], rendered = prepared(target, tool(closed, strict=True))
    assert (kept["strict"], [*rendered.receipt]) == (True, [])
    opened = {"type": "object", "properties": {"a": {"type": "string"}}}
    [loose], rendered = prepared(target, tool(opened, strict=True))
    assert loose["strict"] is False
    assert [(one.code, one.path) for one in rendered.receipt] == [("not_strict", "$.tools[0].function.strict")]


def test_an_open_tool_of_responses_that_the_servers_would_make_strict() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "format": "uri"}}}
    flat = {"type": "function", "name": "f", "parameters": schema, "strict": None}
    rendered = tw.prepare({"input": "q", "tools": [flat]}, "openai-responses")
    assert rendered.payload["tools"] == [flat | {"strict": False}]
    assert [one.code for one in rendered.receipt] == ["not_strict"]


@pytest.mark.parametrize("target", TARGETS)
def test_bad_schemas_are_repaired_or_refused_with_a_path(target: str) -> None:
    deep: Any = {"type": "string"}
    for _ in range(100):
        deep = {"type": "object", "properties": {"a": deep}}
    wide = {"type": "object", "properties": {f"p{at}": {"type": "string"} for at in range(5000)}}
    bomb: Json = {f"d{at}": {"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{at + 1}"}}} for at in range(20)}
    for one in bomb.values():
        one["properties"]["b"] = one["properties"]["a"]
    bomb |= {"d20": {"type": "string"}}
    loop = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    for schema in (deep, wide, loop, {}, {"$ref": "#"}, {"type": "object", "properties": []}, {"required": None}):
        prepared(target, tool(schema))
    exploding = {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": bomb}
    if target in ("bedrock:nova", "ollama"):
        with pytest.raises(tw.BuildError, match="larger than 100000 values") as caught:
            prepared(target, tool(exploding))
        assert (caught.value.code, caught.value.path[:37]) == ("unsendable", "$.tools[0].function.parameters.proper")
    else:
        prepared(target, tool(exploding))


def test_a_schema_of_no_object_is_refused_with_its_path() -> None:
    with pytest.raises(tw.BuildError) as caught:
        prepared("anthropic", tool({"type": "array", "items": {}}))
    assert (caught.value.code, caught.value.path) == ("unsendable", "$.tools[0].function.parameters.type")
    body = {"messages": ASKED, "tools": [tool({"anyOf": [{"required": ["a"]}], "type": "object"})]}
    found = [(one.code, one.path) for one in tw.check(body, "anthropic", source="openai")]
    assert ("schema_in_words", "$.tools[0].function.parameters.anyOf") in found


@pytest.mark.parametrize("target", TARGETS)
def test_tools_of_another_provider_are_lost_where_given(target: str) -> None:
    for other, homes in (
        ({"type": "web_search_20250305", "name": "web_search"}, {"anthropic"}),
        ({"googleSearch": {}}, {"gemini"}),
    ):
        rendered = tw.prepare(ASKED, target, tools=[tool({"type": "object", "properties": {}}), other])
        if target not in homes:
            assert [one["name"] for one in definitions(rendered.payload)] == ["f"]
            assert ("lost", "tool", "$.tools[1]") in [(one.kind, one.code, one.path) for one in rendered.receipt]


def test_a_stand_in_schema_is_paid_for_and_unwritten_tools_are_not() -> None:
    tools = [{"type": "function", "function": {"name": f"t{at}"}} for at in range(100)]
    with pytest.raises(tw.BuildError, match="budget"):
        tw.prepare({"messages": ASKED, "tools": tools}, "anthropic", 1000, source="openai")
    tw.prepare({"messages": ASKED, "tools": tools}, "llama", 100, source="openai")


# What the servers of Gemini's Developer API accept under `parameters`, by their error texts.
OPENAPI = {"anyOf", "default", "description", "enum", "example", "format", "items", "maxItems", "maxLength", "maximum"}
OPENAPI |= {"minItems", "minLength", "minimum", "nullable", "pattern", "properties", "required", "title", "type"}


def is_refused(schema: Json, root: bool = True) -> bool:
    kind, enum = str(schema.get("type")).lower(), schema.get("enum")
    properties = schema.get("properties", {})
    return bool(
        (root and kind != "object")
        or set(schema) - OPENAPI
        or (kind == "array" and "items" not in schema)
        or ("enum" in schema and (kind != "string" or not enum or not all(isinstance(w, str) and w for w in enum)))
        or ("anyOf" in schema and set(schema) - {"anyOf", "default", "description", "nullable", "title"})
        or set(schema.get("required", ())) - set(properties)
        or any(not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", name) for name in properties)
        or any(
            is_refused(inner, root=False)
            for inner in [
                *properties.values(),
                *schema.get("anyOf", ()),
                *([schema["items"]] if "items" in schema else ()),
            ]
        )
    )


def openapi_schema(rng: random.Random, depth: int = 0) -> Json:
    kinds = ["STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY", "OBJECT", "string", "array", "object"]
    made: Json = {"type": "OBJECT" if depth == 0 else rng.choice(kinds)}
    if depth and rng.random() < 0.08:
        del made["type"]
    kind = made.get("type", "").lower()
    if kind == "object" and depth < 3:
        names = rng.sample(["a", "b", "c", "d.e"], rng.randint(0, 3))
        made["properties"] = {name: openapi_schema(rng, depth + 1) for name in names}
        if rng.random() < 0.3:
            made["required"] = rng.sample(["a", "b", "c"], rng.randint(0, 2))
    if kind == "array" and rng.random() < 0.8:
        made["items"] = openapi_schema(rng, depth + 1)
    if rng.random() < 0.1:
        made["enum"] = rng.choice([["x", "y"], [1, 2], [], ["", "a"]])
    if depth < 3 and rng.random() < 0.08:
        alone = {"anyOf": [openapi_schema(rng, depth + 1) for _ in range(2)], "description": "one of two"}
        made = alone if depth and rng.random() < 0.5 else {**made, **alone}
    if rng.random() < 0.2:
        made["nullable"] = True
    if rng.random() < 0.05:
        made[rng.choice(["const", "additionalProperties", "$ref", "oneOf"])] = rng.choice([True, {"type": "STRING"}])
    return made


def test_gemini_s_own_parameters_are_json_schema_where_the_servers_refuse_them():
    rng, kept, moved = random.Random(8), 0, 0
    for _ in range(600):
        schema = openapi_schema(rng)
        declaration = {"name": "f", "description": "d", "parameters": schema}
        asked = {"role": "user", "parts": [{"text": "q"}]}
        body = {"contents": [asked], "tools": [{"functionDeclarations": [declaration]}]}
        ready = tw.prepare(body, "gemini")
        (written,) = ready.payload["tools"][0]["functionDeclarations"]
        told = [entry.code for entry in ready.receipt if entry.kind != "warning"]
        assert bool(tw.check(body, target="gemini")) == bool(told)
        if is_refused(schema):
            moved += 1
            assert "parameters" not in written
            assert "reshaped" in told
            assert written["parametersJsonSchema"]["type"] == "object"
        else:
            kept += 1
            assert (written, told) == (declaration, [])
        assert tw.prepare(ready.payload, "gemini").payload == ready.payload
    assert min(kept, moved) > 100


def test_cohere_refuses_strict_in_a_tool():
    body = {"messages": ASKED, "tools": [tool({"type": "object", "properties": {}}, strict=True)]}
    ready = tw.prepare(body, "cohere", source="cohere")
    assert ready.payload["tools"] == [tool({"type": "object", "properties": {}})]
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$.tools[0]")
    ]


LINES = (Path(__file__).parent / "samples/tools.jsonl").read_text(encoding="utf-8").splitlines()
SAMPLES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("more", [{}, {"strict": True}])
def test_an_independent_judge_accepts_every_tool(target, more):
    assert len(SAMPLES) > 100
    for one in SAMPLES + [made_schemas.tool(seed) for seed in range(tries(300))]:
        body = {"messages": ASKED, "tools": [{"type": "function", "function": {**one, **more}}]}
        ready = tw.prepare(body, target, source="openai")
        listed = ready.payload.get("toolConfig", ready.payload)["tools"]
        (written,) = [inner for entry in listed for inner in entry.get("functionDeclarations", [entry])]
        strict = (written.get("function") or written).get("strict")
        name = "openai-strict" if strict and target.startswith("openai") else target.replace(":", "-")
        assert tool_schema.check(name, written) == tool_schema.ignored(name, written) == []
        again = tw.prepare(ready.payload, target)
        assert (again.payload, list(again.receipt)) == (ready.payload, [])


CIRCLES: list[dict[str, Any]] = [
    {"$defs": {"A": {"$ref": "#/$defs/A"}}},
    {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
    {"$defs": {"A": {"$ref": "#/properties/x"}}},
]


@pytest.mark.parametrize("definitions", CIRCLES)
@pytest.mark.parametrize("target", ["gemini", "openai", "openai-responses"])
def test_a_circle_of_references_alone_allows_anything(target: Any, definitions: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/A"}}, **definitions}
    tools = [{"name": "f", "input_schema": schema}]
    made = tw.prepare([{"role": "user", "content": "q"}], target, tools=tools)
    assert "$ref" not in str(made.payload).replace("(see #/$defs", "")
    assert made.receipt is not None
    assert {change.code for change in made.receipt.only("restated")} == {"mended_schema"}
    assert tw.prepare(made.payload, target).payload == made.payload


def test_a_schema_that_contains_itself_keeps_its_reference() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    made = tw.prepare([{"role": "user", "content": "q"}], "gemini", tools=[{"name": "f", "input_schema": schema}])
    assert not list(made.receipt or ())


@pytest.mark.parametrize("rest", ["keep", "convert"])
@pytest.mark.parametrize("old", [{"function_call": {"name": "f"}}, {"functions": [{"name": "f"}]}])
def test_a_deprecated_key_beside_the_current_one_is_left_out(old: dict[str, Any], rest: Any) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    body = {"messages": [{"role": "user", "content": "q"}], "tools": [tool], "tool_choice": "auto"}
    assert [finding.code for finding in tw.check({**body, **old}, "openai", source="openai")] == ["reshaped"]
    assert tw.prepare({**body, **old}, "openai", settings=rest).payload == body


DECLARED: Json = {
    "name": "f",
    "description": "d",
    "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING"}}},
}
SPEC: Json = {"toolSpec": {"name": "g", "inputSchema": {"json": {"type": "object", "properties": {}}}}}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize("key", ["functionDeclarations", "function_declarations"])
def test_tools_of_gemini_and_converse_in_any_body(target: Any, home: bool, key: str) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    plain = [
        {"name": "f", "description": "d", "parameters": schema},
        {"name": "g", "parameters": {"type": "object"} | {"properties": {}}},
    ]
    wrapped = [{"type": "function", "function": one} for one in plain]
    expected = tw.prepare({"messages": ASKED, "tools": wrapped}, target).payload
    source: Any = target if home else "openai"
    body = dict(tw.prepare(ASKED, source).payload)
    foreign = [{key: [DECLARED]}, SPEC]
    body |= {"toolConfig": {"tools": foreign}} if source.startswith("bedrock") else {"tools": foreign}
    ready = tw.prepare(body, target, source=source)
    assert tw.prepare(ready.payload, target, source=target).payload == ready.payload
    if target == "gemini" and home:
        # Its own declaration keeps its form.
        assert "STRING" in json.dumps(ready.payload["tools"])
        return
    assert ready.payload == expected
    assert tw.prepare(ASKED, target, tools=foreign).payload == expected


@pytest.mark.parametrize("target", ["amazon-q", "ai-sdk", "llama"])
def test_tools_without_a_place_in_the_payload_are_lost_whatever_their_names_are(target: Any) -> None:
    function = {"name": "files.read", "arguments": "{}"}
    messages: list[Json] = [
        *ASKED,
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": "found"},
        *ASKED,
    ]
    tool = {"type": "function", "function": {"name": "files.read", "parameters": {"type": "object", "properties": {}}}}
    ready = tw.prepare(messages, target, tools=[tool, tool])
    assert "tool" in [loss.code for loss in ready.receipt if loss.path == "$.tools"]
    assert set(ready.names.values()) == ({"files.read"} if target == "amazon-q" else set())
    assert "found" in json.dumps(ready.payload)


def test_definitions_of_earlier_drafts_are_where_kimi_looks_for_them() -> None:
    parameters = {
        "type": "object",
        "properties": {"at": {"$ref": "#/definitions/place"}},
        "definitions": {"place": {"type": "string"}},
    }
    tool = {"type": "function", "function": {"name": "look", "parameters": parameters}}
    ready = tw.prepare([{"role": "user", "content": "q"}], "openai:kimi", tools=[tool])
    assert ready.payload["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/place"}},
        "$defs": {"place": {"type": "string"}},
    }
    assert [change.code for change in ready.receipt] == ["mended_schema"]
