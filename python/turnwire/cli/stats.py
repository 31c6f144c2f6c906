"""`turnwire stats`: how large conversations are, and what makes them so."""

from __future__ import annotations

import heapq
from argparse import Namespace
from collections import Counter
from typing import Any

from turnwire import Conversation, ToolUseResult
from turnwire.batch.read import found_in, row_error
from turnwire.batch.tasks import look_task
from turnwire.errors import TurnwireError
from turnwire.parts import AssistantToolUse, Text
from turnwire.text import utf8_len

from . import inputs
from .exit_codes import UNREADABLE
from .progress import progress
from .reports import tell
from .screen import note_dialects
from .tables import table, write_json

COLUMNS = ("conversations", "turns", "calls", "results", "bytes", "text_bytes", "call_bytes", "result_bytes")


def stats(given: Namespace) -> int:
    """Counts turns, calls, results and bytes of UTF-8, and shows the largest results."""
    at, tool_results = given.at, given.tool_results
    shown: list[tuple[str, Counter[str]]] = []
    largest: list[tuple[int, str, str, str]] = []
    named: set[str] = set()
    failed, unread = False, inputs.Unread()
    looked = look_task(given.source, at, tool_results).rows
    for one in inputs.find(given.paths, given.column):
        counts: Counter[str] = Counter()
        shown.append((one.name, counts))
        with unread.told(one):
            if given.source == "auto":
                named.update(one.dialects(at))
            with progress(one.path) as read:
                for row in one.rows(looked, read):
                    where = row.path
                    try:
                        for found in found_in(looked, row):
                            where = found.path
                            conversation = Conversation.parse(found.payload, found.dialect, tool_results=tool_results)
                            counts["conversations"] += 1
                            _count(conversation, counts, largest, f"{one.name}:{row.line}")
                            largest = heapq.nlargest(given.top, largest)
                    except TurnwireError as error:
                        failed = True
                        tell(one.name)(row_error(looked, row, error, where))
                        continue
                    counts["bytes"] += len(row.data)
        unread.count += one.has_nothing
    if named:
        note_dialects(named)
    code = UNREADABLE if unread.count else int(failed)
    if given.format == "json":
        for name, counts in shown:
            write_json({"file": name} | {key: counts[key] for key in COLUMNS})
        return code
    headings = [column.replace("_", " ") for column in COLUMNS]
    table(("file", *headings), ([name, *(counts[key] for key in COLUMNS)] for name, counts in shown), right=headings)
    if largest:
        print("\nThe largest results")
        table(("bytes", "tool", "line", "call"), largest, right=["bytes"])
    return code


def _count(conversation: Any, counts: Counter[str], largest: list[tuple[int, str, str, str]], line: str) -> None:
    names: dict[str, str] = {}
    for turn in conversation:
        counts["turns"] += 1
        for part in turn.parts:
            if isinstance(part, AssistantToolUse):
                names[part.id] = part.name
                counts["calls"] += 1
                counts["call_bytes"] += utf8_len(part.args_text or "")
            elif isinstance(part, ToolUseResult):
                size = utf8_len(_said(part))
                counts["results"] += 1
                counts["result_bytes"] += size
                largest.append((size, part.name or names.get(part.tool_use_id, "?"), line, part.tool_use_id))
            elif isinstance(part, Text):
                counts["text_bytes"] += utf8_len(part.text)


def _said(result: ToolUseResult) -> str:
    return "".join(str(getattr(block, "text", None) or getattr(block, "value", "")) for block in result.content)
