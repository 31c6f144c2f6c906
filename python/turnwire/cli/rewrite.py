"""`turnwire prepare`, `convert` and `truncate`: the commands that rewrite each conversation."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from turnwire._core import Budget
from turnwire.batch.tasks import build_task, convert_task, truncate_task

from . import inputs
from .before_after import differences
from .counters import counted
from .usage_error import UsageError
from .writing import rewrite

__all__ = ["budget", "convert", "end", "prepare", "settings", "truncate"]


def end(given: Namespace) -> dict[str, str]:
    """The option that `--row` means. Without it, each row decides."""
    return {} if given.row is None else {"end": "row" if given.row else "request"}


def settings(given: Namespace) -> dict[str, Any]:
    """The option that `--settings` and `--defaults` mean."""
    if given.defaults is not None:
        return {"settings": {"defaults": given.defaults}}
    return {} if given.settings is None else {"settings": given.settings}


def _only_converted(given: Namespace, *names: str) -> None:
    """Refuses options that are a part of the body, where its settings are not converted."""
    if given.settings in ("keep", "omit"):
        for name in (name for name in names if getattr(given, name) is not None):
            raise UsageError(f"turnwire {given.command}: --{name} needs --settings convert")


def convert(given: Namespace) -> int:
    """Converts each conversation to another dialect, and counts what it cannot express."""
    _only_converted(given, "defaults", "model")
    asked: Any = {name: getattr(given, name) for name in ("strict", "tool_results", "model")}
    asked |= {"reasoning": given.reasoning, "server_tools": given.server_tools} | settings(given) | end(given)
    return rewrite(given, convert_task("convert", given.source, given.target, given.at, asked))


def prepare(given: Namespace) -> int:
    """Repairs each conversation, fits it to a budget, and writes the request for a target.

    With `--diff`, the exit code is 1 if any conversation changes.
    """
    _only_converted(given, "defaults")
    words = {
        name: getattr(given, name) for name in ("opening", "bridge", "omitted") if getattr(given, name) is not None
    }
    options: Any = {"wording": words or None, "cache": "auto" if given.cache else None}
    options |= {name: getattr(given, name) or None for name in ("model", "strict", "tools", "tool_results")}
    options |= {"reasoning": given.reasoning, "server_tools": given.server_tools} | settings(given) | end(given)
    asked: Any = {key: value for key, value in options.items() if value is not None}
    task = build_task("prepare", given.source, given.target, given.at, budget(given), asked)
    if given.diff:
        return differences(inputs.find(given.paths, given.column), task, given.format == "json")
    return rewrite(given, task)


def budget(given: Namespace) -> Budget:
    """The budget that the options mean."""
    count = counted(given)
    if count is None:
        return Budget(given.budget, per_result=given.per_result)
    return Budget(max_tokens=given.max_tokens, count=count, per_result=given.per_result)


def truncate(given: Namespace) -> int:
    """Cuts the tool results of each conversation to a budget for all of its results together."""
    ends: Any = end(given).get("end")
    task = truncate_task(given.source, given.tool_results, given.at, given.budget, None, given.split, "keep", ends)
    return rewrite(given, task)
