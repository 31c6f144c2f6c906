"""Reads the messages of OpenInference: attributes with numbers and dots, or nested as they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from .spelled import dumped, loads

__all__ = ["nested", "spoken"]

_MEDIA: Final = ("image", "audio", "video")


def nested(value: Any) -> Any:
    """A value in which keys with dots become objects in each other, and objects with numbers for keys become lists."""
    if isinstance(value, list):
        return [nested(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[str, Any] = {}
    for name, held in value.items():
        *around, last = name.split(".")
        here: Any = found
        for key in around:
            inner = here.setdefault(key, {})
            # `input` may be a value, and `input.value` another one beside it.
            here = inner if isinstance(inner, dict) else here.setdefault(f"{key}.", {})
        if isinstance(here.get(last), dict) and isinstance(held, Mapping):
            here[last] |= held
        else:
            here[last] = held
    return {key: _listed(nested(held)) for key, held in found.items()}


def _listed(value: Any) -> Any:
    if isinstance(value, dict) and value and all(key.isdecimal() for key in value):
        return [value[key] for key in sorted(value, key=int)]
    return value


def spoken(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message in the form of OpenTelemetry."""
    role = message.get("role") or "assistant"
    if role in ("tool", "function"):
        result = {"type": "tool_call_response", "id": message.get("tool_call_id"), "name": message.get("name")}
        said = message.get("content")
        if said is None:
            said = "".join(part.get("content", "") for part in _contents(message))
        return {"role": "tool", "parts": [{key: one for key, one in result.items() if one} | {"response": said}]}
    parts = list(_contents(message))
    if not any(part["type"] == "text" for part in parts) and (content := message.get("content")):
        parts.append(_text(content))
    if not any(part["type"] == "tool_call" for part in parts):
        parts += (_call(one.get("tool_call", one)) for one in message.get("tool_calls") or () if isinstance(one, dict))
    return {"role": {"model": "assistant", "human": "user", "ai": "assistant"}.get(role, role), "parts": parts}


def _contents(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    contents = message.get("contents")
    for one in contents if isinstance(contents, list) else ():
        part = one.get("message_content") if isinstance(one, dict) else None
        if not isinstance(part, dict):
            continue
        kind = part.get("type")
        if kind == "tool_use":
            yield _call(part)
        elif kind in ("reasoning", "thinking"):
            yield {"type": "reasoning", "content": part.get("text") or ""}
        elif kind in _MEDIA and isinstance(held := part.get(kind), dict):
            held = held.get(kind, held)
            yield {"type": "uri", "modality": kind, "uri": held.get("url") or ""}
        elif isinstance(part.get("text"), str):
            yield _text(part["text"])


def _text(content: Any) -> dict[str, Any]:
    return {"type": "text", "content": content if isinstance(content, str) else dumped(content)}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    inner = call.get("function")
    function: Mapping[str, Any] = inner if isinstance(inner, dict) else call
    args = next((held for key in ("arguments", "input") if (held := function.get(key)) is not None), "{}")
    with suppress(ValueError, RecursionError):
        args = loads(args) if isinstance(args, str) else args
    found = {"type": "tool_call", "id": call.get("id"), "name": function.get("name") or "", "arguments": args}
    return {key: one for key, one in found.items() if one is not None}
