"""Spells UIMessages of the AI SDK: a call and its result are one part, and steps follow each other in one message."""

import itertools
from typing import Any

from .cannot import CannotError, one_text, text_of

Json = dict[str, Any]
TOOLS = None


def request(turns: list[Json]) -> list[Json]:
    results = {part["result"]: part for turn in turns for part in turn["parts"] if turn["role"] == "results"}
    calls = [part["call"] for turn in turns for part in turn["parts"] if "call" in part]
    in_order = [part["result"] for turn in turns for part in turn["parts"] if "result" in part]
    if in_order != [name for name in calls if name in results] or len(set(calls)) < len(calls):
        raise CannotError("results apart from their calls")
    messages: list[Json] = []
    for is_model, run in itertools.groupby(
        [turn for turn in turns if turn["role"] != "results"], lambda turn: turn["role"] == "model"
    ):
        for turn in run:
            parts = [_part(part, results) for part in turn["parts"]]
            if is_model and messages and messages[-1]["role"] == "assistant":
                messages[-1]["parts"] += [{"type": "step-start"}, *parts]
                continue
            role = "assistant" if is_model else turn["role"]
            parts = [{"type": "step-start"}, *parts] if is_model else parts
            messages.append({"id": f"m{len(messages)}", "role": role, "parts": parts})
    return messages


def _part(part: Json, results: dict[str, Json]) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url, "mime": mime}:
            return {"type": "file", "mediaType": mime, "url": url}
        case {"data": data, "mime": mime, "name": name}:
            return {"type": "file", "mediaType": mime, "filename": name, "url": f"data:{mime};base64,{data}"}
        case {"thought": text, "signature": signature}:
            signed = {"providerMetadata": {"anthropic": {"signature": signature}}}
            return {"type": "reasoning", "text": text} | (signed if signature else {})
        case {"call": name, "name": tool, "args": args}:
            return {"type": f"tool-{tool}", "toolCallId": name, "input": args} | _state(results.get(name))
    raise CannotError(part)


def _state(result: Json | None) -> Json:
    match result:
        case None:
            return {"state": "input-available"}
        case {"error": True, "content": content}:
            return {"state": "output-error", "errorText": text_of(content)}
        case {"content": content}:
            return {"state": "output-available", "output": one_text(content) if content else ""}
    raise CannotError(result)
