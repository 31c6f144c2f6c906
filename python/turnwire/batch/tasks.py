"""The work on each row of a file, stream or column, in the form that the Rust extension takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from turnwire._core import Budget, _Rows
from turnwire.types import DialectOptions, End, ReasoningChoice, SettingOptions, SettingsChoice, TargetName

__all__ = ["ConvertOptions", "Task", "build_task", "check_task", "convert_task", "look_task", "truncate_task"]


class ConvertOptions(DialectOptions, total=False):
    """The options of `convert_json`, with the same meaning as there."""

    model: str | None
    end: Literal["request", "row"]
    reasoning: ReasoningChoice
    strict: bool
    settings: SettingsChoice | SettingOptions


_Given: TypeAlias = tuple[Any, TargetName, str | None, int | Budget | None, Any, Any]


class Task(NamedTuple):
    """What to do with each row."""

    rows: _Rows
    told: str
    """Everything that the result depends on, to tell one job from another."""


def convert_task(caller: str, source: Any, target: Any, at: str | None, options: ConvertOptions) -> Task:
    """A task that converts. The settings of a request are converted, if `settings` says nothing else."""
    rows = _Rows.convert(caller, source, target, at, "convert", **options)
    return Task(rows, _told("convert", source, target, at, **options))


def check_task(
    caller: str,
    source: Any,
    target: TargetName,
    at: str | None,
    budget: int | Budget | None,
    options: Mapping[str, Any],
) -> Task:
    """A task that checks for a target, which is the dialect of each row if it is `"same"`, and for a budget."""
    given, left = _given(source, target, at, budget, options)
    return Task(_Rows.check(caller, *given, **left), _told("check", *given, **left))


def look_task(source: Any, at: str | None, tool_results: bool = False) -> Task:
    """A task that finds the conversations of a row, and is not run."""
    return check_task("check", source, "same", at, None, {"tool_results": tool_results})


def truncate_task(
    source: Any,
    tool_results: bool,
    at: str | None,
    max_bytes: int,
    suffix: str | None,
    split: Any,
    settings: SettingsChoice,
    end: End | None,
) -> Task:
    """A task that cuts tool results."""
    given = (source, tool_results, at, max_bytes, suffix, split, settings, end)
    return Task(_Rows.truncate(*given), _told("truncate", *given))


def build_task(
    caller: str,
    source: Any,
    target: TargetName,
    at: str | None,
    budget: int | Budget | None,
    options: Mapping[str, Any],
) -> Task:
    """A task that builds for a target, which is the dialect of each row if it is `"same"`, and for a budget.

    If `settings` says nothing else, the settings of a request are converted. A request that stays in its own dialect
    keeps them as they are.
    """
    given, left = _given(source, target, at, budget, options)
    requests: SettingsChoice = "keep" if target == "same" else "convert"
    return Task(_Rows.build(caller, *given, requests, **left), _told("build", *given, requests, **left))


def _given(
    source: Any, target: TargetName, at: str | None, budget: int | Budget | None, options: Mapping[str, Any]
) -> tuple[_Given, dict[str, Any]]:
    """The arguments of a build of rows, and its other options. What can be read only once is read."""
    left = dict(options)
    system, tools = left.pop("system", None), left.pop("tools", None)
    system = system if system is None or isinstance(system, str) else list(system)
    tools = tools if tools is None or isinstance(tools, str) else list(tools)
    return (source, target, at, budget, system, tools), left


def _told(*given: object, **options: object) -> str:
    """All arguments of a job as text. A function is written by name, because the next run has it at another address."""
    named = sorted((name, getattr(value, "__qualname__", value)) for name, value in options.items())
    return repr((given, named))
