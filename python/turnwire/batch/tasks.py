"""The work on each row of a file, stream or column, in the form that the Rust extension takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from turnwire._core import _Rows
from turnwire.options import BuildOptions, FormOptions, RecordOptions, SettingOptions

__all__ = [
    "ConvertOptions",
    "RepairOptions",
    "Rest",
    "Task",
    "build_task",
    "check_task",
    "convert_task",
    "prepare_task",
    "repair_task",
    "truncate_task",
]


Rest: TypeAlias = Literal["caller", "keep", "convert"]


class ConvertOptions(FormOptions, SettingOptions, total=False):
    """The options of `convert_json`, with the same meaning as there."""

    tool_results: bool
    model: str | None


class RepairOptions(BuildOptions, total=False):
    """The options of a repair: those of `MessageBuilder.build`."""


class Task(NamedTuple):
    """What to do with each row."""

    rows: _Rows
    told: str
    """Everything that the result depends on, to tell one job from another."""


def convert_task(
    caller: str,
    source: Any,
    target: Any,
    at: str | None,
    rest: Rest | None,
    row: bool | None,
    options: ConvertOptions,
    requests: Rest = "caller",
) -> Task:
    """A task that converts. `requests`: what happens to other keys of a request, if `rest` does not say it."""
    _known(caller, options, ConvertOptions.__annotations__)
    rows = _Rows.convert(source, target, at, rest=rest, requests=requests, row=row, **options)
    return Task(rows, _told("convert", source, target, at, rest, requests, row, **options))


def check_task(
    source: Any, tool_results: bool, target: Any, at: str | None, row: bool | None = None, *, own: bool = False
) -> Task:
    """A task that checks; with `own`, for the dialect of each row."""
    rows = _Rows.check(source, tool_results, target, at, own, row)
    return Task(rows, _told("check", source, tool_results, target, at, own, row))


def truncate_task(
    source: Any,
    tool_results: bool,
    at: str | None,
    max_bytes: int,
    suffix: str | None,
    split: Any,
    rest: Rest,
    row: bool | None,
) -> Task:
    """A task that cuts tool results."""
    rows = _Rows.truncate(source, tool_results, at, max_bytes, suffix, split, rest, row)
    return Task(rows, _told("truncate", source, tool_results, at, max_bytes, suffix, split, rest, row))


def build_task(
    caller: str,
    source: Any,
    tool_results: bool,
    target: Any,
    at: str | None,
    max_bytes: int | None,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    rest: Rest | None,
    row: bool | None,
    options: RecordOptions,
    requests: Rest = "caller",
) -> Task:
    """A task that builds for a target, which is the dialect of each row if it is None, and for a budget.

    `requests`: what happens to other keys of a request, if `rest` does not say it.
    """
    system = system if system is None or isinstance(system, str) else list(system)
    tools = tools if tools is None or isinstance(tools, str) else list(tools)
    given = (source, tool_results, target, at, max_bytes, system, tools, rest, requests)
    return Task(_Rows.build(caller, *given, row=row, **options), _told("build", *given, row, **options))


def prepare_task(
    caller: str,
    source: Any,
    tool_results: bool,
    target: Any,
    at: str | None,
    max_bytes: int | None,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    rest: Rest | None,
    row: bool | None,
    options: RecordOptions,
) -> Task:
    """A task that builds for a target and a budget."""
    if target is None:
        raise TypeError("target: expected the name of a dialect, got None")
    return build_task(caller, source, tool_results, target, at, max_bytes, system, tools, rest, row, options)


def repair_task(
    caller: str,
    source: Any,
    tool_results: bool,
    at: str | None,
    rest: Rest,
    row: bool | None,
    options: RepairOptions,
) -> Task:
    """A task that builds for the dialect of each row."""
    _known(caller, options, RepairOptions.__annotations__)
    rows = _Rows.build(caller, source, tool_results, None, at, None, None, None, rest, row=row, **options)
    return Task(rows, _told("repair", source, tool_results, at, rest, row, **options))


def _told(*given: object, **options: object) -> str:
    """All arguments of a job as text. A function is written by name, because the next run has it at another address."""
    named = sorted((name, getattr(value, "__qualname__", value)) for name, value in options.items())
    return repr((given, named))


def _known(caller: str, options: Mapping[str, object], names: Iterable[str]) -> None:
    for name in options:
        if name not in names:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
