"""Functions and tools, as both of OpenAI's formats have them."""

import re
from collections.abc import Callable
from typing import Any

from .findings import Report
from .values import each, parsed

_FN_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def check_function(report: Report, fn: dict, path: str) -> None:
    name = fn.get("name")
    if isinstance(name, str) and not _FN_NAME.fullmatch(name):
        report.add("name.bad", f"{path}.name", repr(name))
    if isinstance(fn.get("arguments"), str) and not isinstance(parsed(fn["arguments"]), dict):
        report.add("arguments.not-object", f"{path}.arguments", repr(fn["arguments"][:40]))


def check_tools(report: Report, payload: dict, get: Callable[[dict], Any], *, loaded: bool = False) -> None:
    tools = payload.get("tools")
    if tools == []:
        report.add("tools.empty", "tools")
    if isinstance(tools, list) and len(tools) > 128:
        report.add("tools.many", "tools", str(len(tools)))
    for i, tool in each(tools):
        fn = get(tool)
        if isinstance(fn, dict) and isinstance(fn.get("name"), str) and not _FN_NAME.fullmatch(fn["name"]):
            report.add("name.bad", f"tools[{i}]", repr(fn["name"]))
    if not tools and not loaded:
        for key in ("tool_choice", "parallel_tool_calls"):
            if payload.get(key) is not None:
                report.add("tools.missing", key)
