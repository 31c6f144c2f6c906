"""Exact sizes and cuts of text, in UTF-8 bytes."""

from ._core import (
    MAX_USER_MESSAGE_SIZE,
    TRUNCATED_SUFFIX,
    split_budget,
    truncate,
    truncate_safe,
    truncate_tool_results,
    utf8_len,
)

__all__ = [
    "MAX_USER_MESSAGE_SIZE",
    "TRUNCATED_SUFFIX",
    "split_budget",
    "truncate",
    "truncate_safe",
    "truncate_tool_results",
    "utf8_len",
]
