"""Targets, the keywords that each reads, and questions about one schema."""

import re
from collections.abc import Callable
from typing import Any

from .schema import Node, Tool, nodes

TARGETS = (
    "openai",
    "openai-strict",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-openapi",
    "bedrock",
    "bedrock-nova",
    "mistral",
    "cohere",
    "ollama",
)
OPENAI, STRICT, CLAUDE = ("openai", "openai-strict", "openai-responses"), ("openai-strict",), ("anthropic",)


def any_key(*keys: str) -> Callable[[Node], Any]:
    return lambda node: [key for key in keys if node.has(key)]


def wrong_name(pattern: str) -> Callable[[Tool], Any]:
    return lambda tool: not (isinstance(tool.name, str) and re.fullmatch(pattern, tool.name)) and repr(tool.name)


FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
LOOK = re.compile(r"(?<!\\)\(\?(?:=|!|<=|<!)")
OPENAPI = {
    "anyOf",
    "any_of",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
}
GEMINI_JSON = {
    "$id",
    "$defs",
    "definitions",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
    "default",
    "nullable",
    "$schema",
    "$comment",
    "examples",
    "deprecated",
}
GO_PROPERTY, GO_ROOT = (
    {"anyOf", "type", "items", "description", "enum", "properties", "required"},
    {"type", "$defs", "items", "required", "properties"},
)
MEANING = {
    "title",
    "$schema",
    "$id",
    "$comment",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "default",
    "description",
}  # no instance becomes valid or invalid by these
COMBINED = ("oneOf", "anyOf", "allOf")
STRICT_OUT = (
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "default",
)
CLAUDE_OUT = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "not",
    "oneOf",
    "if",
    "patternProperties",
    "propertyNames",
)
OBJECT, TEXT = {"type": "object", "properties": {}}, {"type": "string"}
BESIDE = re.compile(
    r"(?<!properties)\.(?:items|\$defs|definitions|additional\w+|pattern\w+|prefixItems|oneOf|allOf|not|if|then|else|contains|property\w+|unevaluated\w+)\b"
)


def props(**made: Any) -> dict[str, Any]:
    return {"type": "object", "properties": made}


def go_wrong(node: Node) -> Any:
    """What Go's decoder of Ollama cannot put in its types (api/types.go): not the inside of `items` or `$defs`."""
    if BESIDE.search(node.path):
        return None
    if not isinstance(node.value, dict):
        return "a schema must be an object"
    kind, value = node.get("type"), node.value
    checks = {
        "type": kind is None or isinstance(kind, str) or (node.path != "$" and isinstance(kind, list)),
        "properties": isinstance(value.get("properties", {}), dict | None),
        "required": value.get("required") is None
        or (isinstance(value["required"], list) and all(isinstance(w, str) for w in value["required"])),
        "enum": value.get("enum") is None or isinstance(value["enum"], list),
        "description": value.get("description") is None or isinstance(value["description"], str),
    }
    return next((key for key, sound in checks.items() if not sound), None)


def strict_size(node: Node) -> Any:
    deepest = max(n.depth + n.is_a("object") for n in nodes(node.value, "$", 0, node.root, node.target))
    return deepest > 10 and f"{deepest} levels of nesting exceeds limit of 10"
