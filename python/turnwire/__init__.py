"""Any list of LLM messages in; the list that the provider accepts out, under a byte budget, with a receipt."""

from ._core import (
    MAX_USER_MESSAGE_SIZE,
    TRUNCATED_SUFFIX,
    Loss,
    Rendered,
    __version__,
    convert,
    convert_json,
    dialects,
    error_codes,
    loss_codes,
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
    "Loss",
    "ParseError",
    "RenderError",
    "Rendered",
    "TurnwireError",
    "UnknownDialectError",
    "__version__",
    "convert",
    "convert_json",
    "dialects",
    "error_codes",
    "loss_codes",
    "split_budget",
    "truncate",
    "truncate_safe",
    "utf8_len",
]
