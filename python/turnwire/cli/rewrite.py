"""`turnwire prepare`, `convert` and `truncate`: the commands that rewrite each conversation."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final, cast

from turnwire import detect, prepare_json
from turnwire._core import Rendered
from turnwire.batch.tasks import Rest, build_task, convert_task, truncate_task
from turnwire.names import DialectName, SourceName

from . import inputs
from .before_after import differences
from .counters import token_options
from .usage_error import UsageError
from .way import Way
from .writing import rewrite

__all__ = ["convert", "prepare", "truncate"]

_REST: Final[dict[str | None, Rest | None]] = {None: None, "convert": "convert", "keep": "keep", "omit": "caller"}
"""What Python calls the words of `--settings`."""


def _only_converted(given: Namespace, *names: str) -> None:
    """Refuses options that are a part of the body, where its settings are not converted."""
    if given.settings in ("keep", "omit"):
        for name in (name for name in names if getattr(given, name) is not None):
            raise UsageError(f"turnwire {given.command}: --{name} needs --settings convert")


def convert(given: Namespace) -> int:
    """Converts each conversation to another dialect, and counts what it cannot express."""
    _only_converted(given, "defaults", "model")
    asked: Any = {name: getattr(given, name) for name in ("strict", "tool_results", "defaults", "model", "reasoning")}
    rest = _REST[given.settings]
    task = convert_task("convert", given.source, given.target, given.at, rest, given.row, asked, "convert")
    return rewrite(given, Way(task, given.threads))


def prepare(given: Namespace) -> int:
    """Repairs each conversation, fits it to a budget, and writes the request for a target.

    With `--diff`, the exit code is 1 if any conversation changes.
    """
    _only_converted(given, "defaults")
    target = None if given.target == "same" else given.target
    rest = _REST[given.settings]
    # In its own dialect a body stays as it is, unless the caller adds keys.
    requests: Rest = "keep" if target is None and given.defaults is None else "convert"
    options = {name: getattr(given, name) for name in ("opening", "omitted", "defaults", "model")}
    options |= {"max_result_bytes": given.per_result, "strict": given.strict or None}
    options |= {"cache": "auto" if given.cache else None} | token_options(given) | {"reasoning": given.reasoning}
    asked: Any = {key: value for key, value in options.items() if value is not None}
    task = build_task(
        "prepare",
        given.source,
        given.tool_results,
        target,
        given.at,
        given.budget,
        None,
        given.tools,
        rest,
        given.row,
        asked,
        requests,
    )
    if given.diff:
        return differences(inputs.find(given.paths, given.column), task, given.format == "json")
    alone: Any = {"max_bytes": given.budget, "tools": given.tools, "tool_results": given.tool_results, **asked}

    def payload(inside: bytes, kind: str | None, source: str, is_row: bool) -> Rendered[bytes]:
        own = rest or ("keep" if is_row else requests)
        to, read = cast("DialectName", target or kind or detect(inside)), cast("SourceName", source)
        return prepare_json(inside, target=to, source=read, rest=own, row=is_row, **alone)

    return rewrite(given, Way(task, given.threads, payload))


def truncate(given: Namespace) -> int:
    """Cuts the tool results of each conversation to a budget for all of its results together."""
    task = truncate_task(
        *(given.source, given.tool_results, given.at, given.budget, None, given.split, "keep", given.row)
    )
    return rewrite(given, Way(task, given.threads))
