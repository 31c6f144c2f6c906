"""Spells the messages of the Amazon Q service, in which the next user message answers the calls."""

from typing import Any

from .cannot import CannotError, one_text, text_of

Json = dict[str, Any]
TOOLS = None
IMAGES = {"image/png": "png", "image/jpeg": "jpeg"}


def request(turns: list[Json]) -> list[Json]:
    return [_message(turn["role"], turn["parts"]) for turn in turns]


def _message(role: str, parts: list[Json]) -> Json:
    match role:
        case "user":
            texts = [part for part in parts if "text" in part]
            images = [_image(part) for part in parts if "text" not in part]
            said = {"content": one_text(texts)} | ({"images": images} if images else {})
            return {"userInputMessage": said}
        case "results":
            results = [_result(part) for part in parts]
            return {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": results}}}
        case "model":
            calls = [part for part in parts if "call" in part]
            uses = [{"toolUseId": one["call"], "name": one["name"], "input": one["args"]} for one in calls]
            said = {"content": one_text([part for part in parts if "call" not in part])}
            return {"assistantResponseMessage": said | ({"toolUses": uses} if uses else {})}
    raise CannotError("system text")


def _image(part: Json) -> Json:
    if part.get("mime") not in IMAGES or "data" not in part:
        raise CannotError(part)
    return {"format": IMAGES[part["mime"]], "source": {"bytes": part["data"]}}


def _result(part: Json) -> Json:
    if any("text" not in one for one in part["content"]):
        raise CannotError("media in a result")
    content = [{"text": one["text"]} for one in part["content"]] or [{"text": text_of([])}]
    return {"toolUseId": part["result"], "content": content, "status": "error" if part["error"] else "success"}
