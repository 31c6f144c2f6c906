"""Converts, checks and repairs JSON Lines on all cores: each line is a conversation, and failing lines are listed.

report = convert_file("in.jsonl", "out.jsonl", "anthropic", errors="failed.jsonl")
for line in convert_lines(open("in.jsonl", "rb"), "gemini"):
...
"""

from .batch_answers import BatchResult
from .batch_files import BatchFile
from .batch_requests import BatchReport, convert_batch
from .batch_results import convert_batch_results, read_batch_results
from .batch_wires import batch_id
from .counts import Count
from .engine import Report, RowError
from .jobs import (
    check_file,
    check_lines,
    convert_file,
    convert_lines,
    prepare_file,
    prepare_lines,
    truncate_file,
    truncate_lines,
)
from .read import Found, read_file

__all__ = [
    "BatchFile",
    "BatchReport",
    "BatchResult",
    "Count",
    "Found",
    "Report",
    "RowError",
    "batch_id",
    "check_file",
    "check_lines",
    "convert_batch",
    "convert_batch_results",
    "convert_file",
    "convert_lines",
    "prepare_file",
    "prepare_lines",
    "read_batch_results",
    "read_file",
    "truncate_file",
    "truncate_lines",
]
