"""The options of what is done with each row, gathered by name for the native half: for files, streams and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, Final, Literal, NamedTuple

from turnwire._core import _Budget, _Rows
from turnwire._prepare import BudgetOptions, BuildOptions, Options, RenderOptions
from turnwire.builder import _summary
from turnwire.errors import TurnwireError

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


class ConvertOptions(RenderOptions, total=False):
    """The options of `convert_json`; each as there."""

    tool_results: bool
    rest: Literal["caller", "keep"]


class RepairOptions(BuildOptions, total=False):
    """The options of a repair: those of `MessageBuilder.build`."""


class Task(NamedTuple):
    """What is done with each row."""

    rows: _Rows
    told: str
    """All that it depends on, for telling one job from another."""


_RENDERING: Final[dict[str, object]] = {
    "strict": False,
    "reasoning": "drop",
    "blobs": "base64",
    "assistant_role": None,
}
_BUILDING: Final[dict[str, object]] = {"keep_open": False, "thinking": "keep", "opening": None}


def convert_task(caller: str, source: str, target: str, at: str | None, options: Any) -> Task:
    """Converts."""
    _known(caller, options, ConvertOptions.__annotations__)
    return _task(
        "convert",
        {
            "source": source,
            "target": target,
            "at": at,
            "tool_results": False,
            "rest": "caller",
            **_RENDERING,
            **options,
        },
    )


def check_task(source: str, tool_results: bool, target: str | None, at: str | None, *, own: bool = False) -> Task:
    """Checks; with `own` for the dialect that each row is in."""
    return _task("check", {"source": source, "tool_results": tool_results, "target": target, "at": at, "own": own})


def truncate_task(
    source: str, tool_results: bool, at: str | None, max_bytes: int, suffix: str | None, split: str, rest: str
) -> Task:
    """Cuts tool results."""
    given: dict[str, object] = {
        "source": source,
        "tool_results": tool_results,
        "at": at,
        "max_bytes": max_bytes,
        "suffix": suffix,
        "split": split,
        "rest": rest,
    }
    return _task("truncate", given)


def prepare_task(
    caller: str,
    source: str,
    tool_results: bool,
    target: str,
    at: str | None,
    max_bytes: int | None,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    rest: str,
    options: Any,
) -> Task:
    """Builds for a target and a budget."""
    _known(caller, options, Options.__annotations__)
    if not isinstance(target, str):
        raise TypeError(f"expected the name of a dialect, got {type(target).__name__}")
    return _build_task(source, tool_results, target, at, max_bytes, system, tools, rest, options)


def repair_task(caller: str, source: str, tool_results: bool, at: str | None, rest: str, options: Any) -> Task:
    """Builds for the dialect that each row is in."""
    _known(caller, options, RepairOptions.__annotations__)
    return _build_task(source, tool_results, None, at, None, None, None, rest, options)


def _build_task(
    source: str,
    tool_results: bool,
    target: str | None,
    at: str | None,
    max_bytes: int | None,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    rest: str,
    options: Any,
) -> Task:
    budget = {name: options[name] for name in BudgetOptions.__annotations__ if name in options}
    summary = options.get("summary")
    given = {
        "source": source,
        "tool_results": tool_results,
        "target": target,
        "at": at,
        "system_prompts": _texts(system),
        "tools": tools,
        "rest": rest,
        "summary": None if summary is None else _summary(summary),
        "budget": _Budget(max_bytes, **budget),
        "pinned": [_pin(pin) for pin in options.get("pinned", ())],
        "relay": (False, False),
        **{name: options.get(name, value) for name, value in {**_BUILDING, **_RENDERING}.items()},
    }
    return _task("build", given, max_bytes, sorted((name, _name(value)) for name, value in budget.items()))


def _task(name: str, given: dict[str, object], *more: object) -> Task:
    rows = _Rows(name, given)
    told = {key: value for key, value in given.items() if key != "budget"}
    return Task(rows, repr((name, told, *more)))


def _known(caller: str, options: Mapping[str, object], names: Iterable[str]) -> None:
    for name in options:
        if name not in names:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")


def _texts(system: str | Iterable[str] | None) -> list[str]:
    texts = [] if system is None else [system] if isinstance(system, str) else list(system)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"expected a str or several, got one with a {type(text).__name__}")
    return texts


def _pin(pin: int) -> int:
    if isinstance(pin, bool):
        raise TypeError("expected an index of a message, an int, got a bool")
    if index(pin) < 0:
        raise TurnwireError(f"expected pins of 0 or more, got {pin}", code="out_of_range")
    return index(pin)


def _name(value: object) -> object:
    """A function by its name: where it lies in memory says nothing to the next run."""
    return getattr(value, "__qualname__", type(value).__qualname__) if callable(value) else value
