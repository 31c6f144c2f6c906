"""Single items of OpenAI's Responses: their kind, ids, parts, and their shape for the SDK's type."""

import re
from typing import Any

from .findings import Report
from .sdk_types import sdk_keys
from .values import each, image_url_problem, mime_of

_PREFIX = {"function_call": "fc", "reasoning": "rs", "message": "msg"}
# Calls that the caller runs, and their outputs. They pair by call_id, whatever their type is.
CALLS = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "shell_call": "shell_call_output",
    "local_shell_call": "local_shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
    "tool_search_call": "tool_search_output",
}
OUTPUTS = set(CALLS.values())
OPENAI_SERVERS = {"openai", "azure"}


def kind_of(item: dict) -> str:
    kind = item.get("type") or ("item_reference" if set(item) == {"id"} else "message")
    return kind if isinstance(kind, str) else "?"


def runs_here(item: dict, kind: str) -> bool:
    """False for tool search that the server ran: its two items pair in order, and either may stand alone [codex]."""
    if kind in ("tool_search_call", "tool_search_output"):
        return item.get("execution") != "server" and isinstance(item.get("call_id"), str)
    return True


def _item(report: Report, item: dict, path: str, server: str) -> dict:
    kind, out = kind_of(item), dict(item)

    def fill(code: str, **more: Any) -> None:
        absent = {k: v for k, v in more.items() if k not in item}
        report.add(code, path, ", ".join(absent))
        out.update(absent)

    def drop(code: str, key: str) -> None:
        report.add(code, f"{path}.{key}")
        out.pop(key)

    parts = item.get("content")
    if (
        kind == "message"
        and item.get("role") == "assistant"
        and isinstance(parts, list)
        and parts
        and all(isinstance(p, dict) and p.get("type") in ("output_text", "refusal") for p in parts)
    ):
        headless = "id" not in item or "status" not in item
        if headless or any(p["type"] == "output_text" and "annotations" not in p for p in parts):
            report.add("assistant.status" if headless and server == "vllm" else "assistant.bare", path)
            out = {
                "id": "msg_0",
                "status": "completed",
                "type": "message",
                **item,
                "content": [{"annotations": [], **p} if p["type"] == "output_text" else p for p in parts],
            }
    elif (
        kind == "reasoning"
        and "id" not in item
        and (server in ("vllm", "compatible") or (isinstance(proof := item.get("encrypted_content"), str) and proof))
    ):
        fill("reasoning.id-missing", id="rs_0")
    elif kind == "local_shell_call":
        action = item.get("action")
        if "id" not in item:
            fill("call.codex", id="lsh_0")
        if isinstance(action, dict) and action.get("env") is None:
            report.add("call.codex", f"{path}.action.env")
            out["action"] = {**action, "env": {}}
    elif kind == "local_shell_call_output" and isinstance(item.get("call_id"), str):
        drop("output.local-shell", "call_id")
        out.setdefault("id", item["call_id"])
    elif kind == "custom_tool_call" and "status" in item:
        drop("call.codex", "status")
    elif kind == "custom_tool_call_output" and "name" in item:
        drop("call.codex", "name")
    elif kind == "function_call" and "status" in item and item["status"] is None:
        drop("call.null" if server == "azure" else "call.null-status", "status")
    elif kind == "image_generation_call" and not {"result", "status"} <= set(item):
        fill("image_generation.bare", result=None, status="completed")
    for key in ("content", "output"):
        if kind in ("message", "custom_tool_call_output") and isinstance(out.get(key), list):
            for j, p in each(out[key]):
                if p.get("type") == "input_image" and "detail" not in p:
                    report.add("image.detail", f"{path}.{key}[{j}]")
            out[key] = [
                {"detail": "auto", **p} if isinstance(p, dict) and p.get("type") == "input_image" else p
                for p in out[key]
            ]
    return out


def check_ids(report: Report, item: dict, kind: str, path: str, own: bool, seen: set) -> None:
    ident = item.get("id")
    if isinstance(ident, str) and own and kind != "local_shell_call_output":  # there it names the call
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", ident):
            report.add("id.bad", f"{path}.id", repr(ident))
        elif not ident.startswith(_PREFIX.get(kind, "")):
            report.add("id.prefix", f"{path}.id", f"{ident!r} should begin with {_PREFIX[kind]!r}")
        if ident in seen and kind != "item_reference":
            report.add("id.duplicate", f"{path}.id", repr(ident))
        seen.add(ident)
    if (kind in CALLS or kind in OUTPUTS) and runs_here(item, kind):
        call_id = item.get("call_id")
        if call_id is None and kind == "function_call_output" and item.get("name"):
            report.add("output.call-id", path)
        elif call_id is None and kind == "local_shell_call_output":
            pass  # the type's own form: id names the call
        elif not isinstance(call_id, str) or not 1 <= len(call_id) <= 64:
            report.add("call-id.bad", f"{path}.call_id", repr(call_id))


def check_parts(report: Report, content: Any, role: Any, path: str) -> None:
    for j, part in each(content):
        where, kind = f"{path}[{j}]", part.get("type")
        if role == "assistant" and kind not in ("output_text", "refusal"):
            report.add("assistant.part", where, repr(kind))
        if kind == "input_image" and not part.get("file_id"):
            why = image_url_problem(part.get("image_url")) if part.get("image_url") else "no image_url or file_id"
            if why:
                report.add("image.url", where, why)
        if kind == "input_file":
            if not any(part.get(k) for k in ("file_id", "file_url", "file_data")):
                report.add("file.source", where)
            if mime_of(part.get("file_data")).startswith(("audio/", "video/")):
                report.add("file.mime", f"{where}.file_data", mime_of(part["file_data"]))


def as_typed(report: Report, payload: Any, server: str) -> Any:
    """A copy in the type's own shape, for the type check alone; what the type lacks is a finding of its own."""
    if not isinstance(payload, dict):
        return payload
    out = dict(payload)
    if server not in OPENAI_SERVERS:
        known = sdk_keys("openai.types.responses.response_create_params", "ResponseCreateParamsStreaming")
        out = {k: v for k, v in payload.items() if k in known}
    if isinstance(out.get("input"), list):
        out["input"] = [
            _item(report, item, f"input[{i}]", server) if isinstance(item, dict) else item
            for i, item in enumerate(out["input"])
        ]
    return out
