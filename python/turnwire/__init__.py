"""Any list of LLM messages in; the list that the provider accepts out, under a byte budget, with a receipt."""

from ._core import (
    MAX_USER_MESSAGE_SIZE,
    TRUNCATED_SUFFIX,
    __version__,
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
    "__version__",
    "error_codes",
    "split_budget",
    "truncate",
    "truncate_safe",
    "utf8_len",
]
