"""The texts and limits that turnwire uses. They never change, because caches and stored files depend on them."""

from ._core import (
    CANCELLED_RESULT,
    ERROR_PREFIX,
    MAX_DEPTH,
    MAX_USER_MESSAGE_SIZE,
    MISSING_RESULT,
    REDACTED_RESULT,
    TRUNCATED_SUFFIX,
)

__all__ = [
    "CANCELLED_RESULT",
    "ERROR_PREFIX",
    "MAX_DEPTH",
    "MAX_USER_MESSAGE_SIZE",
    "MISSING_RESULT",
    "REDACTED_RESULT",
    "TRUNCATED_SUFFIX",
]
