"""A tool definition as a target reads it, and what can be asked of its schema."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}
MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
ONES = (
    "items",
    "additionalItems",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
)


@dataclass
class Tool:
    """A tool as a target reads it: its parts, and the keys that stand beside them."""

    name: Any
    description: Any
    schema: Any
    strict: Any
    extra: tuple[str, ...]
    target: str


@dataclass
class Node:
    """A schema inside a tool's schema. `depth` counts the objects around it."""

    value: Any
    path: str
    depth: int
    root: Any
    target: str

    def has(self, *keys: str) -> bool:
        return isinstance(self.value, dict) and any(key in self.value for key in keys)

    def get(self, key: str) -> Any:
        return self.value.get(key) if isinstance(self.value, dict) else None

    def is_a(self, kind: str) -> bool:
        own = self.get("type")
        return own == kind or (isinstance(own, list) and kind in own)


def read(target: str, tool: dict[str, Any]) -> Tool:
    inner = tool.get("function") or tool.get("toolSpec") or tool
    outer = {
        "type",
        "function",
        "toolSpec",
        "name",
        "description",
        "strict",
        "cache_control",
        "cachePoint",
        "defer_loading",
    }
    spellings = ("input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "parameters")
    used = next((key for key in spellings if key in inner), "parameters")
    schema = inner.get(used)
    if used == "inputSchema" and isinstance(schema, dict) and set(schema) == {"json"}:
        schema = schema["json"]
    if target == "gemini" and used == "parameters" and "function" not in tool:
        target = "gemini-openapi"
    strict = inner.get("strict", tool.get("strict"))
    if target in ("openai", "openai-responses") and strict is True:
        target = "openai-strict"
    elif target == "openai-responses" and strict is False:  # without the key, Responses makes the schema strict itself
        target = "openai"
    extra = tuple(key for part in (inner, tool) for key in part if key not in outer | {used})
    return Tool(inner.get("name"), inner.get("description"), schema, strict, extra, target)


def nodes(value: Any, path: str, depth: int, root: Any, target: str) -> Iterator[Node]:
    yield (node := Node(value, path, depth, root, target))
    if not isinstance(value, dict):
        return
    deeper = depth + node.is_a("object")
    for key in MAPS:
        if isinstance(value.get(key), dict):
            for name, inner in value[key].items():
                yield from nodes(inner, f"{path}.{key}.{name}", deeper if "efs" not in key else 0, root, target)
    for key in LISTS:
        if isinstance(value.get(key), list):
            for index, inner in enumerate(value[key]):
                yield from nodes(inner, f"{path}.{key}[{index}]", depth, root, target)
    for key in ONES:
        if key in value and isinstance(value[key], dict | bool):
            yield from nodes(value[key], f"{path}.{key}", deeper, root, target)
        elif key == "items" and isinstance(value.get(key), list):
            for index, inner in enumerate(value[key]):
                yield from nodes(inner, f"{path}.items[{index}]", deeper, root, target)


def schema_like(value: Any) -> bool:
    return isinstance(value, dict | bool)


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(w, str) for w in value) and len(set(value)) == len(value)


KEYWORDS: dict[str, Callable[[Any], bool]] = {
    "type": lambda v: (isinstance(v, str) and v in TYPES) or (words(v) and v != [] and set(v) <= TYPES),
    "required": words,
    "enum": lambda v: isinstance(v, list),
    "pattern": lambda v: isinstance(v, str),
    "format": lambda v: isinstance(v, str),
    "description": lambda v: isinstance(v, str),
    "title": lambda v: isinstance(v, str),
    "$ref": lambda v: isinstance(v, str),
    "uniqueItems": lambda v: isinstance(v, bool),
    **{key: lambda v: isinstance(v, dict) and all(schema_like(inner) for inner in v.values()) for key in MAPS},
    **{key: lambda v: isinstance(v, list) and v != [] and all(schema_like(inner) for inner in v) for key in LISTS},
    **{key: schema_like for key in ONES if key != "additionalItems"},
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), number),
    **{
        key: lambda v: number(v) and v >= 0 and v == int(v)
        for key in ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
    },
}


def malformed(node: Node, tuples: bool = False) -> Any:
    """The keyword whose value JSON Schema does not allow. With `tuples`, `items` may be a list, as in draft 7."""
    if not schema_like(node.value):
        return node.path.rsplit(".", 1)[-1]
    for key, sound in KEYWORDS.items():
        if (
            node.has(key)
            and not sound(node.get(key))
            and not (tuples and key == "items" and isinstance(node.get(key), list))
        ):
            return f"{key}: {str(node.get(key))[:60]}"
    return None


def target_of(ref: Any, root: Any) -> Any:
    if not isinstance(ref, str) or not ref.startswith("#"):
        return None
    at = root
    for step in filter(None, ref[1:].split("/")):
        step = step.replace("~1", "/").replace("~0", "~")
        at = (
            at.get(step)
            if isinstance(at, dict)
            else at[int(step)]
            if isinstance(at, list) and step.isdigit() and int(step) < len(at)
            else None
        )
    return at


def lost_ref(node: Node) -> Any:
    return (
        node.get("$ref")
        if isinstance(node.get("$ref"), str) and target_of(node.get("$ref"), node.root) is None
        else None
    )


def loops(node: Node, required_only: bool = False) -> bool:
    """Whether following references from here comes back here; `required_only`: through required properties alone."""

    def walk(value: Any, seen: tuple[str, ...]) -> bool:
        if not isinstance(value, dict):
            return False
        if isinstance(ref := value.get("$ref"), str):
            return ref in seen or walk(target_of(ref, node.root), (*seen, ref))
        if not required_only:
            inner = [n.value for n in nodes(value, "", 0, node.root, node.target)][1:]
            return any(isinstance(v, dict) and "$ref" in v and walk(v, seen) for v in inner)
        must = value.get("required") or []
        return any(walk(inner, seen) for name, inner in (value.get("properties") or {}).items() if name in must)

    return isinstance(node.get("$ref"), str) and walk(node.value, ())


def rest(node: Node, allowed: set[str]) -> Any:
    return sorted(set(node.value) - allowed) if isinstance(node.value, dict) else None


def outside(names: Any, pattern: str) -> Any:
    return [n for n in (names if isinstance(names, dict) else {}) if not re.fullmatch(pattern, n)]


def total(tools: list[Tool], count: Callable[[Node], int]) -> int:
    return sum(count(node) for tool in tools for node in nodes(tool.schema, "", 0, tool.schema, tool.target))
