"""Bodies of Cohere's chat, version 2."""

import typing
from functools import lru_cache
from typing import Any, get_args, get_origin

from judges.sdks import imported

from .findings import Problem, Report
from .sdk_types import as_model, best_model, model_extras, report_validation
from .values import check_json, each, image_url_problem, parsed


def check(payload: Any) -> list[Problem]:
    """A `POST /v2/chat` body."""
    pydantic = imported("pydantic")

    report = Report("cohere")
    check_json(report, payload)
    types_ = imported("cohere.types")
    if not isinstance(payload, dict):
        report.add("type", "", "the body is not an object")
        return report.problems
    known = _fields()
    for key in payload:
        if key not in known:
            report.add("type", key, "not a v2/chat request field")
    if not isinstance(payload.get("model"), str):
        report.add("type", "model", "model (a string) is required")
    if not isinstance(payload.get("messages"), list):
        report.add("type", "messages", "messages (a list) is required")
    elif not payload["messages"]:
        report.add("messages.empty", "messages")

    for key, tp in (("messages", types_.ChatMessageV2), ("tools", types_.ToolV2)):
        for i, item in enumerate(payload.get(key) or [] if isinstance(payload.get(key), list) else []):
            here = f"{key}[{i}]"
            item = _documents(report, item, here)
            try:
                pydantic.TypeAdapter(_pick(tp, item)).validate_python(item)
                model_extras(report, tp, item, here, lambda model, k: False)
            except pydantic.ValidationError as exc:
                report_validation(report, item, exc, here)

    pending: list[Any] = []
    done: set = set()
    seen: set = set()
    owner = ""
    for i, m in [*each(payload.get("messages")), (-1, {"role": "end"})]:
        path, role, content = f"messages[{i}]", m.get("role"), m.get("content")
        for j, part in each(content):
            if part.get("type") == "image_url" and isinstance(part.get("image_url"), dict):
                why = image_url_problem(part["image_url"].get("url"))
                if why:
                    report.add("image.url", f"{path}.content[{j}]", why)
        if role == "tool":
            ident = m.get("tool_call_id")
            if ident in pending:
                pending.remove(ident)
                done.add(ident)
            else:
                report.add("tool.duplicate" if ident in done else "tool.orphan", path, repr(ident))
            if isinstance(content, str) and not isinstance(parsed(content), dict):
                report.add("tool.not-json", path)
            continue
        if pending:
            report.add("tool.unanswered", owner, ", ".join(map(str, pending)))
        pending, done, owner = [], set(), path
        if role == "assistant":
            calls = m.get("tool_calls")
            if not content and not calls and not m.get("tool_plan"):
                report.add("content.missing", path)
            has_text = (
                bool(content) if isinstance(content, str) else any(p.get("type") == "text" for _, p in each(content))
            )
            if calls and has_text:
                report.add("text-with-calls", path)
            for j, call in each(calls):
                where, fn = f"{path}.tool_calls[{j}]", call.get("function")
                if not call.get("id") or not isinstance(fn, dict) or not fn.get("name") or "arguments" not in fn:
                    report.add("call.incomplete", where)
                if call.get("id") in seen:
                    report.add("call.duplicate", where, repr(call.get("id")))
                seen.add(call.get("id"))
                pending.append(call.get("id"))
                text = fn.get("arguments") if isinstance(fn, dict) else None
                if isinstance(text, str) and not isinstance(parsed(text), dict):
                    report.add("arguments.null" if fn["arguments"].strip() == "null" else "arguments.not-object", where)
    return report.problems


@lru_cache(maxsize=1)
def _fields() -> frozenset:
    """Body fields of v2/chat, read from the SDK client's own signature."""
    import inspect

    chat = imported("cohere.v2.client").V2Client.chat
    return frozenset(set(inspect.signature(chat).parameters) - {"self", "request_options"}) | {"stream"}


def _pick(tp: Any, item: Any) -> Any:
    """One arm of the SDK's role union, so that errors are about the right message type."""
    arms = [
        m for m in (as_model(a) for a in get_args(get_args(tp)[0] if get_origin(tp) is typing.Annotated else tp)) if m
    ]
    return best_model(arms, item) if arms and isinstance(item, dict) else tp


def _documents(report: Report, item: Any, path: str) -> Any:
    """Cohere's docs send document.data as a JSON string although the SDK type says object."""
    if not isinstance(item, dict) or not isinstance(item.get("content"), list):
        return item
    content = []
    for j, part in enumerate(item["content"]):
        doc = part.get("document") if isinstance(part, dict) else None
        if isinstance(doc, dict) and isinstance(doc.get("data"), str):
            report.add("document.data", f"{path}.content[{j}]")
            part = {**part, "document": {**doc, "data": {}}}
        content.append(part)
    return {**item, "content": content}
