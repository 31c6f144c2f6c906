"""The rules about one tool that only Gemini has, as in `rules.py`."""

from .keywords import (
    OPENAPI,
    TEXT,
    props,
)
from .rule import Rule
from .schema import TYPES, loops, outside, rest

GEMINI = [
    Rule(
        "gemini.ref-sibling",
        ("gemini",),
        "node",
        lambda n: (
            n.has("$ref")
            and [k for k in n.value if not k.startswith("$") and k not in ("description", "default", "definitions")]
        ),
        props(a={"$ref": "#/$defs/X", "minLength": 1}) | {"$defs": {"X": TEXT}},
        props(a={"$ref": "#/$defs/X", "description": "d"}) | {"$defs": {"X": TEXT}},
    ),
    Rule(
        "gemini.ref-loop",
        ("gemini",),
        "node",
        lambda n: loops(n, required_only=True) and n.get("$ref"),
        props(a={"$ref": "#/$defs/X"}) | {"$defs": {"X": {**props(n={"$ref": "#/$defs/X"}), "required": ["n"]}}},
        props(a={"$ref": "#/$defs/X"}) | {"$defs": {"X": props(n={"$ref": "#/$defs/X"})}},
    ),
    Rule(
        "gemini-openapi.unknown-name",
        ("gemini-openapi",),
        "node",
        lambda n: rest(n, OPENAPI),
        props(a={"const": 1}),
        props(a={"type": "integer", "nullable": True}),
    ),
    Rule(
        "gemini-openapi.type-list",
        ("gemini-openapi",),
        "node",
        lambda n: isinstance(n.get("type"), list),
        props(a={"type": ["string", "null"]}),
        props(a={"type": "string", "nullable": True}),
    ),
    Rule(
        "gemini-openapi.type-word",
        ("gemini-openapi",),
        "node",
        lambda n: isinstance(n.get("type"), str) and n.get("type").lower() not in TYPES and n.get("type"),
        props(a={"type": "dict"}),
        props(a={"type": "STRING"}),
    ),
    Rule(
        "gemini-openapi.bool-schema",
        ("gemini-openapi",),
        "node",
        lambda n: not isinstance(n.value, dict),
        props(a=True),
        props(a={"type": "string"}),
    ),
    Rule(
        "gemini-openapi.array-items",
        ("gemini-openapi",),
        "node",
        lambda n: str(n.get("type")).lower() == "array" and not n.has("items"),
        props(a={"type": "array"}),
        props(a={"type": "array", "items": TEXT}),
    ),
    Rule(
        "gemini-openapi.enum",
        ("gemini-openapi",),
        "node",
        lambda n: (
            n.has("enum")
            and (
                str(n.get("type")).lower() != "string"
                or not all(isinstance(v, str) and v for v in n.get("enum"))
                or not n.get("enum")
            )
        ),
        props(a={"type": "integer", "enum": [1]}),
        props(a={"type": "string", "enum": ["x"]}),
    ),
    Rule(
        "gemini-openapi.required-unknown",
        ("gemini-openapi",),
        "node",
        lambda n: (
            isinstance(n.get("required"), list)
            and [w for w in n.get("required") if w not in (n.get("properties") or {})]
        ),
        {**props(a=TEXT), "required": ["b"]},
        {**props(a=TEXT), "required": ["a"]},
    ),
    Rule(
        "gemini-openapi.any-of-alone",
        ("gemini-openapi",),
        "node",
        lambda n: n.has("anyOf") and rest(n, {"anyOf", "description", "title", "default", "nullable"}),
        props(a={"type": "string", "anyOf": [TEXT]}),
        props(a={"anyOf": [TEXT, {"type": "integer"}]}),
    ),
    Rule(
        "gemini-openapi.property-key",
        ("gemini-openapi",),
        "node",
        lambda n: outside(n.get("properties"), r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"),
        {"type": "object", "properties": {"$f": TEXT}},
        props(a=TEXT),
    ),
]
