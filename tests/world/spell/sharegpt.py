"""Spells a set in the form of ShareGPT: a speaker and one text in each element, calls as JSON text."""

import json
from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, one_text, only_first

Json = dict[str, Any]
TOOLS = {"tools": json.dumps([TOOL | {"parameters": SCHEMA}])}
#: What LLaMA-Factory writes between the results of parallel calls.
BETWEEN = "\n</tool_response>\n<tool_response>\n"


def request(turns: list[Json]) -> Json:
    body: Json = {}
    said: list[Json] = []
    for turn in turns:
        if turn["role"] == "system":
            only_first(turn, said)
            if turn.get("beside"):
                body["system"] = one_text(turn["parts"])
                continue
        said.append(_element(turn["role"], turn["parts"]))
    return body | {"conversations": said}


def _element(role: str, parts: list[Json]) -> Json:
    if role == "results":
        return {"from": "observation", "value": BETWEEN.join(one_text(part["content"]) for part in parts)}
    if calls := [{"name": part["name"], "arguments": part["args"]} for part in parts if "call" in part]:
        if len(calls) < len(parts):
            raise CannotError("something beside a call")
        return {"from": "function_call", "value": json.dumps(calls[0] if len(calls) == 1 else calls)}
    return {"from": {"user": "human", "model": "gpt", "system": "system"}[role], "value": one_text(parts)}
