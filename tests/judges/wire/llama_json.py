"""Bodies of Llama 3 with tools as JSON in the first user message."""

import json
import re
from typing import Any

from .findings import Problem, Report
from .values import check_json, child, each, parsed


def check(payload: Any, *, result_role: str = "ipython") -> list[Problem]:
    """Text-only dialect of Llama 3.x: tools as JSON in the first user message, calls as JSON text.

    `result_role` is "ipython"/"tool" (the official template) or "user" (endpoints without a tool role).
    """
    report = Report("llama_json")
    check_json(report, payload)
    msgs = payload.get("messages") if isinstance(payload, dict) else None
    if not isinstance(msgs, list) or not msgs or set(payload) - {"messages", "tools", "model"}:
        report.add("shape", "")
        return report.problems
    tools = payload.get("tools")
    offered: list[str] = []
    for _, tool in each(tools):
        offered.append(str((child(tool, "function") or tool).get("name")))
    if tools:
        body = msgs[1:] if isinstance(msgs[0], dict) and msgs[0].get("role") == "system" else msgs
        if not body or not isinstance(body[0], dict) or body[0].get("role") != "user":
            report.add("tools.first-user", "messages")
        else:
            text = str(body[0].get("content"))
            for name in offered:
                if not re.search(r'"name"\s*:\s*' + re.escape(json.dumps(name)), text):
                    report.add("tools.not-shown", "messages", name)
    results = {"ipython", "tool"} if result_role != "user" else {"user"}
    waiting = ""
    previous = None
    for i, m in enumerate(msgs):
        path = f"messages[{i}]"
        if not isinstance(m, dict):
            report.add("shape", path)
            continue
        role, content = m.get("role"), m.get("content")
        if role not in ("system", "user", "assistant", "ipython", "tool"):
            report.add("role.bad", path, repr(role))
        if set(m) - {"role", "content", "tool_calls"}:
            report.add("shape", path, ", ".join(sorted(set(m) - {"role", "content"})))
        if "tool_calls" in m:
            report.add("tool_calls.key", path)
        if not isinstance(content, str):
            report.add("content.string", path)
            content = ""
        elif not content.strip():
            report.add("content.blank", path)
        if role == "system" and i:
            report.add("system.position", path)
        if role == previous and role in ("user", "assistant"):
            report.add("alternate", path)
        if waiting and role not in results:
            report.add("call.unanswered", waiting)
        if role in ("ipython", "tool") and (not waiting or result_role == "user"):
            report.add("result.orphan", path)
        if waiting and role == "user" and result_role == "user" and not isinstance(parsed(content), dict):
            report.add("result.json", path)
        waiting = ""
        if role == "assistant" and _call(report, content, offered, path):
            waiting = path
        previous = role
    if waiting:
        report.add("call.unanswered", waiting)
    return report.problems


def _call(report: Report, content: str, offered: list[str], path: str) -> bool:
    """True if the assistant text is a tool call (well formed or not)."""
    text = content.strip()
    if not text.startswith(("{", "[")):
        return False
    value = parsed(text)
    if value is None:
        try:  # several JSON values after each other?
            _, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            return False
        if '"name"' in text and text[end:].strip(" \n;").startswith("{"):
            report.add("call.many", path)
            return True
        return False
    if isinstance(value, list):
        if value and all(isinstance(v, dict) and "name" in v for v in value):
            report.add("call.many", path)
            return True
        return False
    if not isinstance(value, dict) or "name" not in value:
        return False
    if (
        set(value) != {"name", "parameters"}
        or not isinstance(value["name"], str)
        or not isinstance(value["parameters"], dict)
    ):
        report.add("call.shape", path, ", ".join(sorted(value)))
    elif offered and value["name"] not in offered:
        report.add("call.unknown", path, value["name"])
    return True
