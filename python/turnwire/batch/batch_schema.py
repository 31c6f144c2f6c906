"""Writes the schema of a reply as Gemini's batches read it: in `responseSchema`, if that can say all of it.

Batches accept `responseJsonSchema` and do not keep to it (crmne/ruby_llm#894: 0 of 502 replies did, all with
`responseSchema`).
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

#: The keys of `Schema` that JSON Schema has, too, and that hold no schemas.
_KEPT = {"title", "description", "minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength", "pattern"}
_FORMATS = {"int32", "int64", "float", "double", "date-time", "enum"}
_TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def with_schema(body: Json) -> Json:
    """The request with the schema of its reply under `responseSchema`, if it fits."""
    config = body.get("generationConfig")
    if not isinstance(config, dict) or "responseJsonSchema" not in config or "responseSchema" in config:
        return body
    schema = _schema(config["responseJsonSchema"])
    if schema is None:
        return body
    rest = {key: value for key, value in config.items() if key != "responseJsonSchema"}
    return {**body, "generationConfig": {**rest, "responseSchema": schema}}


def _schema(given: object) -> Json | None:
    """A JSON Schema as a `Schema`; None if that cannot say all of it."""
    if not isinstance(given, dict):
        return None
    made: Json = {}
    for key, value in given.items():
        match key:
            case "type":
                if (kind := _type(value)) is None:
                    return None
                made |= kind
            case "properties" if isinstance(value, dict):
                made[key] = {name: _schema(one) for name, one in value.items()}
            case "items":
                made[key] = _schema(value)
            case "anyOf" if isinstance(value, list):
                made[key] = [_schema(one) for one in value]
            case "enum" | "required" if isinstance(value, list) and all(isinstance(one, str) for one in value):
                made[key] = value
            case "format" if value in _FORMATS:
                made[key] = value
            # A reply has no other keys than those of `properties`.
            case "additionalProperties" if value is False:
                pass
            case _ if key in _KEPT:
                made[key] = value
            case _:
                return None
    inside = [*made.get("properties", {}).values(), *made.get("anyOf", []), made.get("items", {})]
    if None in inside or not ("type" in made or "anyOf" in made):
        return None
    return made if set(made.get("required", ())) <= set(made.get("properties", {})) else None


def _type(given: object) -> Json | None:
    """A type, or one that may be null."""
    if isinstance(given, list) and len(given) == 2 and "null" in given:
        (given,) = [one for one in given if one != "null"] or [None]
        return {"type": str(given).upper(), "nullable": True} if given in _TYPES else None
    return {"type": str(given).upper()} if isinstance(given, str) and given in _TYPES else None
