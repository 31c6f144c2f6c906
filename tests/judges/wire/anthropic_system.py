"""System text between the messages of Anthropic."""

import re
from typing import Any

from .findings import Report
from .values import child, each

_CLAUDE = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d+)(?:[-.](?P<minor>\d{1,2}))?(?!\d)")


def _system_midway(model: Any) -> bool | None:
    """Whether a model takes system messages in the list: Opus 4.8 and later, Fable and Mythos 5, the 5.5 models;
    not Sonnet 5 [doc]. None where its name does not say."""
    name = str(model)
    if re.search(r"claude-(instant|[123]([-.]|$))", name):
        return False
    m = _CLAUDE.search(name)
    if not m or m["family"] not in ("opus", "sonnet", "haiku", "fable", "mythos"):
        return None
    at = (int(m["major"]), int(m["minor"] or 0))
    return at >= ((5, 5) if m["family"] in ("sonnet", "haiku") else (4, 8))


def system_form(m: dict) -> str:
    """ "text", "effort" (no content, a field in output_config) or "empty"."""
    if m.get("content") not in (None, "", []):
        return "text"
    return "effort" if any(v is not None for v in child(m, "output_config").values()) else "empty"


def check_system(report: Report, payload: dict, msgs: list) -> None:
    forms = {i: system_form(m) for i, m in msgs if m.get("role") == "system"}
    for i, form in forms.items():
        if form == "empty":
            report.add("system.empty", f"messages[{i}]")
    spoken = [(i, m) for i, m in msgs if forms.get(i) != "effort"]
    if spoken:
        i, first = spoken[0]
        if first.get("role") == "system":
            report.add("system.leading", f"messages[{i}]")
        elif first.get("role") != "user":
            report.add("first-role", f"messages[{i}]", repr(first.get("role")))
    if any(form == "effort" or i != msgs[0][0] for i, form in forms.items()):
        midway = _system_midway(payload.get("model"))
        if not midway:
            report.add("system.model" if midway is None else "system.old", f"messages[{next(iter(forms))}]")
    before: dict | None = None  # the last message that is no system message
    run: list[int] = []  # system messages with content since then
    setting = -1  # a system message without content since then
    for i, m in [*msgs, (-1, {"role": "assistant"})]:
        if m.get("role") == "system":
            if forms[i] == "text":
                run.append(i)
            elif forms[i] == "effort":
                setting = i
            continue
        answers = any(b.get("type") == "tool_result" for _, b in each(m.get("content")))
        if setting >= 0 and answers and before is not None and before.get("role") == "assistant":
            report.add("system.between", f"messages[{setting}]")
        if run and before is not None:
            if m.get("role") == "user":
                report.add("system.position", f"messages[{run[0]}]")
            last = list(each(before.get("content")))[-1:]
            if before.get("role") == "assistant" and not (
                last and str(last[0][1].get("type")).endswith("_tool_result")
            ):
                report.add("system.after", f"messages[{run[0]}]")
        before, run, setting = m, [], -1
    system = payload.get("system")
    texts = (
        [("system", system)]
        if isinstance(system, str)
        else [(f"system[{i}].text", b.get("text")) for i, b in each(system)]
    )
    for path, text in texts:
        if isinstance(text, str) and not text.strip():
            report.add("text.empty" if not text else "text.blank", path)
