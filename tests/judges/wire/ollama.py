"""Bodies of Ollama's chat."""

from typing import Any

from judges.sdks import imported

from .findings import Problem, Report
from .sdk_types import model_extras, report_validation
from .values import check_json, decoded, each

_SERVER_ONLY = {("Message", "tool_call_id"), ("ToolCall", "id"), ("ToolCall", "type"), ("Function", "index")}


def check(payload: Any) -> list[Problem]:
    """A `POST /api/chat` body."""
    pydantic = imported("pydantic")

    report = Report("ollama")
    check_json(report, payload)
    models = imported("ollama._types")
    if not isinstance(payload, dict):
        report.add("type", "", "the body is not an object")
        return report.problems

    def allowed(model: type, key: str) -> bool:
        if (model.__name__, key) in _SERVER_ONLY:
            report.add("sdk.drops", key)
            return True
        # Open by design: option names, JSON schema keywords, role/type defaults.
        return key.startswith("-") or model.__name__ in ("Parameters", "Property", "Options")

    try:
        models.ChatRequest.model_validate({**payload, "messages": []})
        model_extras(report, models.ChatRequest, {k: v for k, v in payload.items() if k != "messages"}, "", allowed)
    except pydantic.ValidationError as exc:
        report_validation(report, payload, exc)
    for i, m in each(payload.get("messages")):
        try:  # ChatRequest.messages also admits any mapping, so each message is validated on its own
            models.Message.model_validate({**m, "images": None})
            model_extras(report, models.Message, m, f"messages[{i}]", allowed)
        except pydantic.ValidationError as exc:
            report_validation(report, m, exc, f"messages[{i}]")

    if not payload.get("messages"):
        report.add("messages.empty", "messages")
    if isinstance(payload.get("think"), str) and payload["think"] not in ("low", "medium", "high", "max"):
        report.add("think.value", "think", repr(payload["think"]))
    calls: list[dict] = []
    got = 0

    def close(path: str) -> None:
        if got < len(calls):
            report.add("tool.unanswered", path, f"{got} of {len(calls)}")

    where = ""
    for i, m in each(payload.get("messages")):
        path, role = f"messages[{i}]", m.get("role")
        if str(role).lower() not in ("system", "user", "assistant", "tool"):
            report.add("role.bad", path, repr(role))
        if isinstance(m.get("content"), list):
            report.add("content.list", path)
        if m.get("thinking") and role != "assistant":
            report.add("thinking.role", path)
        for j, image in enumerate(m.get("images") or []):
            if decoded(image) is None:
                report.add("image.base64", f"{path}.images[{j}]")
        if m.get("images") and role != "user":
            report.add("image.role", path)
        if role == "tool":
            name, ident = m.get("tool_name"), m.get("tool_call_id")
            if not calls:
                report.add("tool.orphan", path)
            elif not name and not ident:
                report.add("tool.unnamed", path)
            elif ident and any(c.get("id") for c in calls):
                if ident not in [c.get("id") for c in calls]:
                    report.add("tool.order", path, repr(ident))
            elif name and (got >= len(calls) or (calls[got].get("function") or {}).get("name") != name):
                report.add("tool.order", path, repr(name))
            got += 1
            continue
        close(where)
        calls, got, where = [], 0, path
        for j, call in each(m.get("tool_calls")):
            calls.append(call)
            fn = call.get("function")
            if isinstance(fn, dict) and not isinstance(fn.get("arguments"), dict):
                report.add("arguments.object", f"{path}.tool_calls[{j}]")
    close(where)
    return report.problems
