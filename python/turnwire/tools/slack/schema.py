"""The arguments and the result of the search tool as JSON Schema, and the one check of arguments, driven by it."""

from collections.abc import Mapping
from typing import Any, NoReturn

from .errors import SlackToolError, shown

__all__ = ["INPUT_SCHEMA", "OUTPUT_SCHEMA", "check_arguments"]

INPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": (
                "The search query string. Supports Slack search operators like 'in:#channel', 'from:@user', "
                "'before:YYYY-MM-DD', 'after:YYYY-MM-DD', etc."
            ),
        },
        "channel_ids": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Optional list of channel IDs to search within.",
        },
        "to_me": {
            "anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["dm", "mention", "off"]}],
            "description": (
                "If true, searches for messages that mention the authenticated user. "
                "Automatically adds 'to:@<user_id>' to the query. "
                "'dm' is the same as true and 'off' the same as false; "
                "'mention' searches for mentions of the user instead."
            ),
            "default": False,
        },
        "sort": {
            "type": "string",
            "enum": ["score", "timestamp"],
            "description": "Sort results by relevance (score) or date (timestamp). Default is score.",
            "default": "score",
        },
        "sort_dir": {
            "type": "string",
            "enum": ["asc", "desc"],
            "description": "Sort direction. Default is desc.",
            "default": "desc",
        },
        "count": {
            "type": "number",
            "description": "Number of results to return per page (default 20, max 100)",
            "default": 20,
        },
        "cursor": {
            "type": "string",
            "description": "Pagination cursor for next page of results",
        },
        "highlight": {
            "type": "boolean",
            "description": "Whether to include highlighting of matched terms",
            "default": True,
        },
        "response_format": {
            "type": "string",
            "enum": ["concise", "detailed"],
            "description": (
                "Response format. 'concise' (default) returns only essential fields. "
                "'detailed' returns complete API response."
            ),
            "default": "concise",
        },
    },
    "required": ["query"],
}
"""What the tool takes. It is the specification's schema, except that ``to_me`` also takes a string."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "query": {"type": "string"},
        "messages": {
            "type": "object",
            "properties": {
                "total": {"type": "integer"},
                "matches": {"type": "array", "items": {"type": "object"}},
            },
            "required": ["total", "matches"],
        },
        "summary": {"type": "string"},
        "response_metadata": {"type": "object", "properties": {"next_cursor": {"type": "string"}}},
    },
    "required": ["ok", "query", "messages", "summary"],
}
"""What both response formats give. It is loose on purpose: a detailed match is whatever Slack sent."""

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "array": (list, tuple),
}
_WORDS = {"string": "a string", "boolean": "true or false", "number": "a number", "array": "a list of strings"}


def check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Check ``arguments`` against `INPUT_SCHEMA` and fill in its defaults.

    None means "not given", because models write it so, except for a required argument. ``count`` comes back as an int.

    Returns:
        Every property of the schema; None for one that was not given and has no default.

    Raises:
        SlackToolError: ``invalid_arguments``, with the name of the argument, what was expected and what came.
    """
    properties: dict[str, dict[str, Any]] = INPUT_SCHEMA["properties"]
    for name in arguments:
        if name not in properties:
            _refuse(f"There is no argument {shown(name)}; the arguments are {', '.join(properties)}.")
    checked: dict[str, Any] = {name: rule.get("default") for name, rule in properties.items()}
    for name, rule in properties.items():
        value = arguments.get(name)
        if value is None:
            if name in INPUT_SCHEMA["required"]:
                _refuse(f"{name} is required and must be {_expected(rule)}.")
            continue
        if not _fits(value, rule):
            _refuse(f"{name} must be {_expected(rule)}, but it is {shown(value)}.")
        checked[name] = value
    count = checked["count"]
    if isinstance(count, float) and not count.is_integer():
        _refuse(f"count must be a whole number, but it is {shown(count)}.")
    checked["count"] = int(count)
    return checked


def _fits(value: object, rule: dict[str, Any]) -> bool:
    if "anyOf" in rule:
        return any(_fits(value, choice) for choice in rule["anyOf"])
    kind = rule["type"]
    # In Python True is an int; in JSON it is no number.
    if not isinstance(value, _TYPES[kind]) or (kind == "number" and isinstance(value, bool)):
        return False
    if isinstance(value, (list, tuple)):
        return all(_fits(item, rule["items"]) for item in value)
    return "enum" not in rule or value in rule["enum"]


def _expected(rule: dict[str, Any]) -> str:
    if "anyOf" in rule:
        return " or ".join(_expected(choice) for choice in rule["anyOf"])
    if "enum" in rule:
        return "one of " + ", ".join(repr(value) for value in rule["enum"])
    return _WORDS[rule["type"]]


def _refuse(message: str) -> NoReturn:
    raise SlackToolError("invalid_arguments", message)
