"""The tool's definition is the specification's, and arguments are checked as its schema says."""

import json
from typing import Any

import jsonschema
import pytest
from turnwire.tools.slack import SlackSearchClient
from turnwire.tools.slack.server import TOOL, call_tool

# The schema of the specification, letter by letter.
SPEC_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "The search query string. Supports Slack search operators like 'in:#channel', "
            "'from:@user', 'before:YYYY-MM-DD', 'after:YYYY-MM-DD', etc.",
        },
        "channel_ids": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Optional list of channel IDs to search within.",
        },
        "to_me": {
            "type": "boolean",
            "description": "If true, searches for messages that mention the authenticated user. "
            "Automatically adds 'to:@<user_id>' to the query.",
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
        "cursor": {"type": "string", "description": "Pagination cursor for next page of results"},
        "highlight": {
            "type": "boolean",
            "description": "Whether to include highlighting of matched terms",
            "default": True,
        },
        "response_format": {
            "type": "string",
            "enum": ["concise", "detailed"],
            "description": "Response format. 'concise' (default) returns only essential fields. "
            "'detailed' returns complete API response.",
            "default": "concise",
        },
    },
    "required": ["query"],
}


def test_definition_is_the_specifications():
    schema = json.loads(json.dumps(TOOL.input_schema))
    to_me, spec_to_me = schema["properties"].pop("to_me"), SPEC_SCHEMA["properties"]["to_me"]
    spec = {**SPEC_SCHEMA, "properties": {k: v for k, v in SPEC_SCHEMA["properties"].items() if k != "to_me"}}
    assert json.dumps(schema) == json.dumps(spec)
    assert list(TOOL.input_schema["properties"]) == list(SPEC_SCHEMA["properties"])
    assert to_me["description"].startswith(spec_to_me["description"])
    assert to_me["anyOf"] == [{"type": "boolean"}, {"type": "string", "enum": ["dm", "mention", "off"]}]
    assert to_me["default"] is spec_to_me["default"]
    jsonschema.Draft202012Validator.check_schema(TOOL.input_schema)
    jsonschema.Draft202012Validator.check_schema(TOOL.output_schema)
    assert TOOL.description.startswith(
        "Searches for messages matching a query. Supports filtering by channel and searching for messages mentioning "
        "the authenticated user."
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "x"},
        {},
        {"query": 1},
        {"query": "x", "count": 3},
        {"query": "x", "count": "3"},
        {"query": "x", "count": True},
        {"query": "x", "to_me": "dm"},
        {"query": "x", "to_me": True},
        {"query": "x", "to_me": "me"},
        {"query": "x", "to_me": 0},
        {"query": "x", "channel_ids": ["C01"]},
        {"query": "x", "channel_ids": "C01"},
        {"query": "x", "channel_ids": [1]},
        {"query": "x", "sort": "timestamp", "sort_dir": "asc", "highlight": False, "response_format": "detailed"},
        {"query": "x", "sort": "date"},
        {"query": "x", "highlight": 1},
    ],
)
@pytest.mark.asyncio
async def test_arguments_are_judged_as_the_schema_says(client: SlackSearchClient, arguments: dict[str, Any]):
    valid = jsonschema.Draft202012Validator(TOOL.input_schema).is_valid(arguments)
    assert (await call_tool(arguments, client)).is_error is not valid
