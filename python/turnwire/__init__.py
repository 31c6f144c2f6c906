"""Hand it any list of LLM messages; get back the list that the provider accepts, under a byte budget, with a receipt."""

from ._core import (
    MAX_USER_MESSAGE_SIZE,
    TRUNCATED_SUFFIX,
    error_codes,
    split_budget,
    truncate,
    truncate_safe,
    utf8_len,
)
from .errors import BuildError, ParseError, RenderError, TurnwireError, UnknownDialectError

__all__ = [
    "MAX_USER_MESSAGE_SIZE",
    "TRUNCATED_SUFFIX",
    "BuildError",
    "ParseError",
    "RenderError",
    "TurnwireError",
    "UnknownDialectError",
    "error_codes",
    "split_budget",
    "truncate",
    "truncate_safe",
    "utf8_len",
]
