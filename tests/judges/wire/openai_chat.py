"""Bodies of OpenAI's Chat Completions, and of servers that have its form."""

import re
from typing import Any

from .findings import Problem, Report
from .models import check_openai
from .openai_tools import check_function, check_tools
from .sdk_types import typed
from .values import DATA_URL, check_json, child, each, image_url_problem, mime_of

# Servers of OpenAI's form: (types of parts taken beside text, types refused; "*" is every other one).
PROFILES: dict[str, tuple[set, set]] = {
    "openai": ({"image_url", "input_audio", "file", "refusal"}, set()),
    "openrouter": ({"image_url", "file", "input_audio", "video_url"}, set()),
    "qwen": ({"image_url", "video_url", "video"}, {"file"}),
    "kimi": ({"image_url", "video_url"}, set()),
    "groq": ({"image_url"}, set()),
    "deepseek": (set(), {"*"}),
    "gemini": ({"image_url", "input_audio"}, set()),
    "litellm": ({"image_url", "input_audio", "file", "video_url"}, set()),
    "compatible": ({"image_url", "audio_url", "input_audio", "video_url"}, set()),  # vLLM
}
# What these servers and gateways add to OpenAI's keys in messages, calls, parts and tools.
_KEYS = {
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "reasoning_items",
    "thinking_blocks",
    "cache_control",
    "provider_specific_fields",
    "extra_content",
    "thought_signature",
    "configuration_update",
    "annotations",
    "eager_input_streaming",
    "index",
}


def check(payload: Any, *, max_call_id: int = 40, profile: str = "openai") -> list[Problem]:
    """A `POST /v1/chat/completions` body. `profile` names another server of that form (`PROFILES`):
    its messages and tools are judged then, its settings are not."""
    report = Report("openai_chat")
    taken, refused = PROFILES[profile]
    check_json(report, payload)
    stream = isinstance(payload, dict) and payload.get("stream")
    typed(
        report,
        payload if profile == "openai" else _as_typed(payload),
        "openai.types.chat.completion_create_params",
        "CompletionCreateParamsStreaming" if stream else "CompletionCreateParamsNonStreaming",
    )
    if not isinstance(payload, dict):
        return report.problems
    if profile != "openai":
        max_call_id = 2**31
        _extras(report, payload, profile)
    if payload.get("messages") == []:
        report.add("messages.empty", "messages")

    open_ids: list[str] = []  # calls of the last assistant message that still wait for a tool message
    done: set = set()
    owner = ""
    seen_ids: set = set()

    def close() -> None:
        if open_ids:
            report.add("tool.unanswered", owner, ", ".join(map(str, open_ids)))
            open_ids.clear()

    for i, m in each(payload.get("messages")):
        path = f"messages[{i}]"
        role, content = m.get("role"), m.get("content")
        substitute = role == "assistant" and any(m.get(k) for k in ("tool_calls", "refusal", "audio", "function_call"))
        if content is None and not substitute and role != "function":
            report.add("content.missing", path)
        if content == []:
            report.add("content.empty-array", f"{path}.content")
        if isinstance(m.get("name"), str) and not re.fullmatch(r"[^\s<|\\/>]+", m["name"]):
            report.add("author.bad", f"{path}.name", repr(m["name"]))
        for j, part in each(content):
            where, kind = f"{path}.content[{j}]", part.get("type")
            if profile != "openai" and kind != "text":
                _media(report, kind, where, taken, refused, payload.get("model"))
            if kind == "image_url" and isinstance(part.get("image_url"), dict):
                url = part["image_url"].get("url")
                why = image_url_problem(url)
                if profile == "kimi" and isinstance(url, str) and re.match(r"https?://", url):
                    report.add("media.url", f"{where}.image_url.url")
                elif why and not (profile == "kimi" and str(url).startswith("ms://")):
                    report.add("image.url", f"{where}.image_url.url", why)
            if kind == "file" and isinstance(part.get("file"), dict):
                data = part["file"].get("file_data")
                linked = profile == "openrouter" and isinstance(data, str) and re.match(r"https?://", data)
                if data is None and not part["file"].get("file_id"):
                    report.add("file.data", where, "neither file_id nor file_data")
                elif data is not None and not linked and not (isinstance(data, str) and DATA_URL.fullmatch(data)):
                    report.add("file.data", where, "file_data is not a data URL")
                elif profile == "openai" and mime_of(data) not in ("", "application/pdf"):
                    report.add("file.mime", f"{where}.file.file_data", mime_of(data))
        if role == "tool":
            call_id = m.get("tool_call_id")
            if call_id in open_ids:
                open_ids.remove(call_id)
                done.add(call_id)
            elif call_id in done:
                report.add("tool.duplicate", path, repr(call_id))
            else:
                report.add("tool.orphan", path, repr(call_id))
            continue
        close()
        done.clear()
        if role == "assistant":
            calls = m.get("tool_calls")
            if calls == []:
                report.add("tool_calls.empty", f"{path}.tool_calls")
            owner = path
            for j, call in each(calls):
                where = f"{path}.tool_calls[{j}]"
                call_id = call.get("id")
                if isinstance(call_id, str):
                    if not call_id:
                        report.add("call-id.empty", where)
                    if len(call_id) > max_call_id:
                        report.add("call-id.long", where, f"{len(call_id)} characters")
                    if call_id in open_ids:
                        report.add("tool_calls.duplicate", where, repr(call_id))
                    elif call_id in seen_ids:
                        report.add("tool_calls.reused", where, repr(call_id))
                    seen_ids.add(call_id)
                    open_ids.append(call_id)
                fn = call.get("function")
                if isinstance(fn, dict):
                    check_function(report, fn, f"{where}.function")
    close()
    check_tools(report, payload, lambda t: t.get("function"))
    if profile == "openai":
        check_openai(report, payload, chat=True)
    return report.problems


def _as_typed(payload: Any) -> Any:
    """A copy in OpenAI's own shape, for the type check: without settings, without null keys, without the keys
    of `_KEYS`, with a text in place of a part that OpenAI's types do not know."""
    if not isinstance(payload, dict):
        return payload

    def bare(value: Any) -> Any:
        return (
            {k: v for k, v in value.items() if k not in _KEYS and (v is not None or k == "content")}
            if isinstance(value, dict)
            else value
        )

    def message(m: Any) -> Any:
        m = bare(m)
        if isinstance(m, dict):
            if isinstance(m.get("content"), list):
                m["content"] = [_part(bare(p)) for p in m["content"]]
            if isinstance(m.get("tool_calls"), list):
                m["tool_calls"] = [
                    {**c, "function": bare(c["function"])} if isinstance(c, dict) and "function" in c else c
                    for c in map(bare, m["tool_calls"])
                ]
        return m

    out = {k: payload[k] for k in ("model", "messages", "tools", "tool_choice", "stream") if k in payload}
    if isinstance(out.get("messages"), list):
        out["messages"] = [message(m) for m in out["messages"]]
    if isinstance(out.get("tools"), list):  # a server's own tools are not OpenAI's
        tools = [
            bare(t) for t in out["tools"] if not isinstance(t, dict) or t.get("type") in (None, "function", "custom")
        ]
        out["tools"] = [
            {**t, "function": bare(t["function"])} if isinstance(t, dict) and "function" in t else t for t in tools
        ]
    return out


def _part(part: Any) -> Any:
    if (
        isinstance(part, dict)
        and isinstance(part.get("type"), str)
        and part["type"] in ("video_url", "video", "audio_url")
    ):
        return {"type": "text", "text": f"<{part['type']}>"}
    return part


def _media(report: Report, kind: Any, path: str, taken: set, refused: set, model: Any) -> None:
    kind = str(kind)
    if kind in refused or "*" in refused:
        report.add("media.refused", path, repr(kind))
    elif kind not in taken and not (kind == "input_audio" and "omni" in str(model)):
        report.add("media.kind", path, repr(kind))


def _extras(report: Report, payload: dict, profile: str) -> None:
    """Rules about keys that OpenAI itself does not know."""
    marks, first_seen, step = 0, {}, []
    for i, m in each(payload.get("messages")):
        marks += bool(m.get("cache_control")) + sum(bool(p.get("cache_control")) for _, p in each(m.get("content")))
        if m.get("role") == "user":
            step = []
        if m.get("role") == "assistant" and m.get("tool_calls"):
            step.append((i, m["tool_calls"]))
        for j, d in each(m.get("reasoning_details")):
            ident = d.get("id") if "openai" in str(d.get("format")) else None
            if isinstance(ident, str) and first_seen.setdefault(ident, i) != i:
                report.add("reasoning.duplicate", f"messages[{i}].reasoning_details[{j}]", repr(ident))
    if marks > 4:
        report.add("cache.many", "messages", str(marks))
    if profile == "gemini" and not re.search(r"gemini-[12]\b", str(payload.get("model"))):
        for i, calls in step:
            for _, call in list(each(calls))[:1]:
                if not child(child(call, "extra_content"), "google").get("thought_signature"):
                    report.add("signature.missing", f"messages[{i}].tool_calls[0]")
