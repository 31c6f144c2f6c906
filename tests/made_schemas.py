"""Tool definitions with every keyword of JSON Schema 2020-12 and OpenAPI 3.0, alone and in pairs."""

import random
from typing import Any

Schema = dict[str, Any]

# Names of tools and properties with every class of characters that a provider has a rule about.
NAMES = (
    "look",
    "a.b",
    "a-b",
    "a b",
    "9a",
    "_a",
    "x" * 64,
    "x" * 65,
    "x" * 129,
    "größe",
    "a/b",
    "a:b",
    "$f",
    "filter[id]",
)

# Keywords with values that JSON Schema allows, by the type that they belong to; "" is every type.
KEYWORDS: dict[str, list[Schema]] = {
    "string": [
        {"minLength": 1},
        {"maxLength": 9},
        {"pattern": "^a"},
        {"pattern": "^(?!x)a"},
        {"format": "date-time"},
        {"format": "uri"},
        {"enum": ["x", "y"]},
        {"const": "x"},
        {"contentEncoding": "base64"},
    ],
    "integer": [
        {"minimum": 0},
        {"exclusiveMinimum": 0},
        {"maximum": 9},
        {"multipleOf": 2},
        {"enum": [1, 2]},
        {"const": 1},
    ],
    "number": [{"minimum": 0.5}, {"exclusiveMaximum": 9}, {"format": "double"}],
    "array": [
        {"minItems": 1},
        {"maxItems": 3},
        {"uniqueItems": True},
        {"prefixItems": [{"type": "string"}], "items": False},
        {"contains": {"type": "string"}, "minContains": 1},
        {"items": {}},
        {"unevaluatedItems": False},
    ],
    "object": [
        {"additionalProperties": False},
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"minProperties": 1},
        {"patternProperties": {"^x": {"type": "string"}}},
        {"propertyNames": {"pattern": "^a"}},
        {"dependentRequired": {"p0": ["p1"]}},
        {"unevaluatedProperties": False},
        {"if": {"required": ["p0"]}, "then": {"required": ["p1"]}, "else": {}},
    ],
    "": [
        {"description": "d"},
        {"title": "T"},
        {"default": None},
        {"examples": [1]},
        {"example": 1},
        {"nullable": True},
        {"deprecated": True},
        {"readOnly": True},
        {"$comment": "c"},
        {"not": {"type": "null"}},
        {"allOf": [{"description": "d"}]},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"anyOf": [{"type": "object", "properties": {"k": {"const": n}}} for n in ("a", "b")]},
    ],
}
LEAVES = ("string", "integer", "number", "boolean", "null")


class Maker:
    """Schemas of one seed. Definitions that were referred to stand at the root, some of them in circles."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.definitions: dict[str, Schema] = {}

    def value(self, depth: int) -> Schema:
        rng = self.rng
        if depth and rng.random() < 0.1:
            return self.reference(depth)
        kind = rng.choice(("object", "array")) if depth and rng.random() < 0.5 else rng.choice(LEAVES)
        schema: Schema = {"type": [kind, "null"] if rng.random() < 0.1 else kind}
        if kind == "object":
            schema = self.object(depth)
        elif kind == "array":
            schema["items"] = self.value(depth - 1)
        for _ in range(rng.choice((0, 0, 1, 2))):
            schema |= rng.choice(KEYWORDS.get(kind, []) + KEYWORDS[""])
        return schema

    def object(self, depth: int) -> Schema:
        count = self.rng.randrange(4)
        odd = [self.rng.choice(NAMES)] if self.rng.random() < 0.2 else []
        names = [f"p{at}" for at in range(count)] + odd
        schema: Schema = {"type": "object", "properties": {name: self.value(max(depth - 1, 0)) for name in names}}
        if self.rng.random() < 0.5:
            schema["required"] = self.rng.sample(names, self.rng.randrange(len(names) + 1))
        return schema

    def reference(self, depth: int) -> Schema:
        name = self.rng.choice(("Node", "Leaf", "Tree"))
        if name not in self.definitions:
            self.definitions[name] = {}  # from here on it can refer to itself
            self.definitions[name] = self.object(depth - 1)
            if self.rng.random() < 0.5:
                self.definitions[name]["properties"]["next"] = {"$ref": f"#/$defs/{name}"}
        beside = {"description": "d"} if self.rng.random() < 0.3 else {}
        return {"$ref": f"#/$defs/{name}"} | beside


def tool(seed: int) -> Schema:
    """A tool as OpenAI's functions have it: name, description, parameters, and for some seeds `strict`."""
    maker = Maker(seed)
    parameters = maker.object(seed % 12 + 1)
    if maker.definitions:
        parameters["$defs"] = maker.definitions
    more = {"strict": True} if seed % 3 == 0 else {}
    return {"name": NAMES[seed % len(NAMES)], "description": "d", "parameters": parameters, **more}
