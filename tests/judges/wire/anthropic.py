"""Bodies of Anthropic's Messages."""

from typing import Any

from .anthropic_blocks import check_blocks
from .anthropic_system import check_system, system_form
from .anthropic_tools import check_pairs, check_references, check_tools
from .findings import Problem, Report
from .models import check_claude
from .sdk_types import typed
from .values import check_json, child, each


def check(payload: Any, *, version: str = "2026-10-21") -> list[Problem]:
    """A `POST /v1/messages` body. `version` is the API version: "2023-06-01" still takes temperature, top_p and
    top_k (which the SDK's types no longer have) and citations on text of the user."""
    report = Report("anthropic")
    check_json(report, payload)
    _check_types(report, payload, version)
    if not isinstance(payload, dict):
        return report.problems
    msgs = list(each(payload.get("messages")))
    if payload.get("messages") == []:
        report.add("messages.empty", "messages")
    if len(msgs) > 100_000:
        report.add("messages.many", "messages")

    # Consecutive messages of one role form one turn: [(role, [(path, block), ...], messages in it)]
    turns: list[tuple[Any, list, int]] = []
    for i, m in msgs:
        role, content, path = m.get("role"), m.get("content"), f"messages[{i}].content"
        if role == "system" and system_form(m) == "effort":
            continue  # a setting, no turn
        if role == "user" and content in ("", []):
            report.add("content.empty", path)
        if isinstance(content, str):
            blocks = [(path, {"type": "text", "text": content})] if content else []
        else:
            blocks = [(f"{path}[{j}]", b) for j, b in each(content)]
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
            turns[-1] = (role, turns[-1][1], turns[-1][2] + 1)
        else:
            turns.append((role, blocks, 1))

    check_system(report, payload, msgs)
    check_blocks(report, turns, version)
    check_pairs(report, turns)
    _check_end(report, payload, msgs, turns)
    check_tools(report, payload, turns)
    check_references(report, payload, turns)
    _check_marks(report, payload, turns)
    check_claude(report, payload, version)
    return report.problems


def _check_types(report: Report, payload: Any, version: str) -> None:
    """The SDK's types; where only its beta types fit, that is a warning."""
    name = (
        "MessageCreateParamsStreaming"
        if isinstance(payload, dict) and payload.get("stream")
        else "MessageCreateParamsNonStreaming"
    )
    body = payload
    if isinstance(payload, dict) and version < "2026-10-21":
        body = {k: v for k, v in payload.items() if k not in ("temperature", "top_p", "top_k")}
    plain, beta = Report("anthropic"), Report("anthropic")
    typed(plain, body, "anthropic.types.message_create_params", name)
    if plain.problems and isinstance(body, dict):
        typed(beta, body, "anthropic.types.beta.message_create_params", name)
        if "betas" in body:
            beta.add("type", "betas", "a header, no key of the body")
        if not beta.problems:
            report.add("beta", "", ", ".join(dict.fromkeys(p.path for p in plain.problems)))
            return
    report.problems += beta.problems if 0 < len(beta.problems) < len(plain.problems) else plain.problems


def _check_end(report: Report, payload: dict, msgs: list, turns: list) -> None:
    thinking = child(payload, "thinking")
    if turns and turns[-1][0] == "assistant":
        where, blocks = f"messages[{msgs[-1][0]}]", turns[-1][1]
        last = blocks[-1][1] if blocks else {}
        report.add("prefill", where)
        if last.get("type") == "text" and isinstance(last.get("text"), str) and last["text"] != last["text"].rstrip():
            report.add("prefill.whitespace", where)
        if last.get("type") in ("thinking", "redacted_thinking") or thinking.get("type") in ("enabled", "adaptive"):
            report.add("prefill.thinking", where)
    if thinking.get("type") == "enabled":
        budget, limit = thinking.get("budget_tokens"), payload.get("max_tokens")
        if isinstance(budget, int) and (budget < 1024 or (isinstance(limit, int) and budget >= limit)):
            report.add("thinking.budget", "thinking.budget_tokens")
        if child(payload, "tool_choice").get("type") in ("any", "tool"):
            report.add("thinking.tool_choice", "tool_choice")
        if len(turns) > 1 and turns[-1][0] == "user" and turns[-2][0] == "assistant":
            open_loop = any(b.get("type") == "tool_result" for _, b in turns[-1][1])
            blocks = turns[-2][1]
            if open_loop and blocks and blocks[0][1].get("type") not in ("thinking", "redacted_thinking"):
                report.add("thinking.missing", blocks[0][0])


def _check_marks(report: Report, payload: dict, turns: list) -> None:
    """Cache marks in the order in which the server reads them: tools, system, messages."""
    spots = [(f"tools[{i}]", t) for i, t in each(payload.get("tools"))]
    spots += [(f"system[{i}]", b) for i, b in each(payload.get("system"))]
    for _, blocks, _ in turns:
        for path, b in blocks:
            if b.get("type") == "tool_result":
                spots += [(f"{path}.content[{j}]", x) for j, x in each(b.get("content"))]
            spots.append((path, b))
    marks = [(path, child(b, "cache_control")) for path, b in spots if b.get("cache_control")]
    top = child(payload, "cache_control")
    if len(marks) + bool(top) > 4:
        report.add("cache.many", "messages", str(len(marks) + bool(top)))
    short = ""
    for path, mark in marks:
        if mark.get("ttl") == "1h" and short:
            report.add("cache.order", path, f"after {short}")
        elif mark.get("ttl") != "1h":
            short = short or path
    if top and spots:
        last = child(spots[-1][1], "cache_control")
        if last and last.get("ttl", "5m") != top.get("ttl", "5m"):
            report.add("cache.top", spots[-1][0])
    for i, t in each(payload.get("tools")):
        if t.get("defer_loading") and t.get("cache_control"):
            report.add("cache.deferred", f"tools[{i}]")
