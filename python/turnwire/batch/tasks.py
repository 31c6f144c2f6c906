"""The work on each row of a file, stream or column, in the form that the Rust extension takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from turnwire._core import _Rows
from turnwire.options import BuildOptions, FormOptions, Options, SettingOptions

__all__ = [
    "ConvertOptions",
    "RepairOptions",
    "Task",
    "check_task",
    "convert_task",
    "prepare_task",
    "repair_task",
    "truncate_task",
]


class ConvertOptions(FormOptions, SettingOptions, total=False):
    """The options of `convert_json`, with the same meaning as there."""

    tool_results: bool
    rest: Literal["caller", "keep", "convert"]
    model: str | None


class RepairOptions(BuildOptions, total=False):
    """The options of a repair: those of `MessageBuilder.build`."""


class Task(NamedTuple):
    """What to do with each row."""

    rows: _Rows
    told: str
    """Everything that the result depends on, to tell one job from another."""


def convert_task(caller: str, source: Any, target: Any, at: str | None, options: ConvertOptions) -> Task:
    """A task that converts."""
    _known(caller, options, ConvertOptions.__annotations__)
    return Task(_Rows.convert(source, target, at, **options), _told("convert", source, target, at, **options))


def check_task(source: Any, tool_results: bool, target: Any, at: str | None, *, own: bool = False) -> Task:
    """A task that checks; with `own`, for the dialect of each row."""
    rows = _Rows.check(source, tool_results, target, at, own)
    return Task(rows, _told("check", source, tool_results, target, at, own))


def truncate_task(
    source: Any, tool_results: bool, at: str | None, max_bytes: int, suffix: str | None, split: Any, rest: Any
) -> Task:
    """A task that cuts tool results."""
    rows = _Rows.truncate(source, tool_results, at, max_bytes, suffix, split, rest)
    return Task(rows, _told("truncate", source, tool_results, at, max_bytes, suffix, split, rest))


def prepare_task(
    caller: str,
    source: Any,
    tool_results: bool,
    target: Any,
    at: str | None,
    max_bytes: int | None,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    rest: Any,
    options: Options,
) -> Task:
    """A task that builds for a target and a budget."""
    if target is None:
        raise TypeError("target: expected the name of a dialect, got None")
    system = system if system is None or isinstance(system, str) else list(system)
    tools = tools if tools is None or isinstance(tools, str) else list(tools)
    rows = _Rows.build(caller, source, tool_results, target, at, max_bytes, system, tools, rest, **options)
    told = _told("build", source, tool_results, target, at, max_bytes, system, tools, rest, **options)
    return Task(rows, told)


def repair_task(
    caller: str, source: Any, tool_results: bool, at: str | None, rest: Any, options: RepairOptions
) -> Task:
    """A task that builds for the dialect of each row."""
    _known(caller, options, RepairOptions.__annotations__)
    rows = _Rows.build(caller, source, tool_results, None, at, None, None, None, rest, **options)
    return Task(rows, _told("repair", source, tool_results, at, rest, **options))


def _told(*given: object, **options: object) -> str:
    """All arguments of a job as text. A function is written by name, because the next run has it at another address."""
    named = sorted((name, getattr(value, "__qualname__", value)) for name, value in options.items())
    return repr((given, named))


def _known(caller: str, options: Mapping[str, object], names: Iterable[str]) -> None:
    for name in options:
        if name not in names:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
