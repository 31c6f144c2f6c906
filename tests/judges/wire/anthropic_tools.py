"""Calls, results and tools of Anthropic."""

import re
from typing import Any

from .findings import Report
from .values import child, each


def check_pairs(report: Report, turns: list) -> None:
    ids_seen: set = set()
    for n, (role, blocks, _) in enumerate(turns):
        if role == "assistant":
            called: list[Any] = []
            for path, b in blocks:
                if b.get("type") in ("tool_use", "server_tool_use"):
                    ident = b.get("id")
                    pattern = r"[a-zA-Z0-9_-]+" if b["type"] == "tool_use" else r"srvtoolu_[a-zA-Z0-9_]+"
                    if isinstance(ident, str) and not re.fullmatch(pattern, ident):
                        report.add("tool_use.id", path, repr(ident))
                    if ident in ids_seen:
                        report.add("tool_use.duplicate", path, repr(ident))
                    ids_seen.add(ident)
                    if b["type"] == "tool_use":
                        called.append((path, ident))
                elif called and b.get("type") == "text":
                    report.add("tool_use.text-after", path)
            following = turns[n + 1] if n + 1 < len(turns) else (None, [], 0)
            run: list[Any] = []
            if following[0] == "user":
                for _, b in following[1]:
                    if b.get("type") != "tool_result":
                        break
                    run.append(b.get("tool_use_id"))
                result_msgs = {p.split(".")[0] for p, b in following[1] if b.get("type") == "tool_result"}
                if len(result_msgs) > 1:
                    report.add("tool_result.split", following[1][0][0])
            for path, ident in called:
                if ident not in run:
                    report.add("tool_use.unanswered", path, repr(ident))
        elif role == "user":
            before = turns[n - 1][1] if n and turns[n - 1][0] == "assistant" else []
            known = {b.get("id") for _, b in before if b.get("type") == "tool_use"}
            seen: set = set()
            other = False
            for path, b in blocks:
                if b.get("type") != "tool_result":
                    other = True
                    continue
                ident = b.get("tool_use_id")
                if ident not in known:
                    report.add("tool_result.orphan", path, repr(ident))
                elif ident in seen:
                    report.add("tool_result.duplicate", path, repr(ident))
                elif other:
                    report.add("tool_result.late", path)
                seen.add(ident)


def check_tools(report: Report, payload: dict, turns: list) -> None:
    tools = payload.get("tools")
    if tools == []:
        report.add("tools.empty", "tools")
    names: set = set()
    for i, tool in each(tools):
        name = tool.get("name")
        if isinstance(name, str):
            if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", name):
                report.add("name.bad", f"tools[{i}].name", repr(name))
            if name in names:
                report.add("tools.duplicate", f"tools[{i}].name", repr(name))
            names.add(name)
    if not tools and any(b.get("type") in ("tool_use", "tool_result") for _, bs, _ in turns for _, b in bs):
        report.add("tools.missing", "tools")
    if child(payload, "tool_choice").get("type") in ("any", "tool") and re.search(
        r"claude-(fable|mythos)-5[-.]1(?!\d)", str(payload.get("model"))
    ):
        report.add("tool_choice.model", "tool_choice", str(payload["model"]))


def check_references(report: Report, payload: dict, turns: list) -> None:
    """Tools that are only referred to must be declared. Members of toolsets are not in the request: no judgment."""
    tools = list(each(payload.get("tools")))
    if payload.get("mcp_servers") or any("toolset" in str(t.get("type")) for _, t in tools):
        return
    names = {str(t.get("name")) for _, t in tools}
    references: list[tuple[str, Any]] = []
    changes: list[tuple[str, Any]] = []
    for _, blocks, _ in turns:
        for path, b in blocks:
            kind, content = b.get("type"), b.get("content")
            if kind == "tool_result":
                references += [
                    (f"{path}.content[{j}]", x.get("tool_name"))
                    for j, x in each(content)
                    if x.get("type") == "tool_reference"
                ]
            elif kind == "tool_search_tool_result" and isinstance(content, dict):
                references += [
                    (f"{path}.content.tool_references[{j}]", x.get("tool_name"))
                    for j, x in each(content.get("tool_references"))
                ]
            inner = (
                [(path, b)]
                if kind in ("tool_addition", "tool_removal")
                else [(f"{path}.tool_changes[{j}]", x) for j, x in each(b.get("tool_changes"))]
            )
            for where, change in inner:
                tool = child(change, "tool")
                if tool.get("type") == "tool_definition":
                    names.add(str(child(tool, "definition").get("name")))
                elif tool.get("type") == "tool_reference":
                    changes.append((where, tool.get("name")))
    for path, name in references:
        if str(name) not in names:
            report.add("tools.undefined" if tools else "tools.absent", path, repr(name))
    for path, name in changes:
        if str(name) not in names:
            report.add("tools.change", path, repr(name))
