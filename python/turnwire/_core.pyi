"""The native half of turnwire. The documentation of every native name stands here."""

from collections.abc import Iterable
from typing import Final, Literal, SupportsIndex

__all__ = [
    "MAX_USER_MESSAGE_SIZE",
    "TRUNCATED_SUFFIX",
    "__version__",
    "error_codes",
    "split_budget",
    "truncate",
    "truncate_safe",
    "utf8_len",
]

__version__: Final[str]
MAX_USER_MESSAGE_SIZE: Final[int]
"""The budget of a user message, in UTF-8 bytes: 400,000."""
TRUNCATED_SUFFIX: Final[str]
"""What stands where text was cut away: `...content truncated due to length`."""

# --- Text ---

def truncate(
    text: str,
    max_bytes: SupportsIndex = ...,
    *,
    suffix: str = ...,
    keep: Literal["head", "tail", "middle"] = "head",
) -> str:
    """Cut a text to at most `max_bytes` bytes of UTF-8, suffix included, without splitting a character.

    Text that fits comes back as the same object; so does the result, when it is truncated again. Only what is kept is
    read, and where the length settles it, nothing; the text's UTF-8 is never built. The result depends on nothing but
    the arguments.

    Args:
        text: Any str. Lone surrogates are kept and count three bytes. A subclass is read as the str that it is: what
            fits comes back as that object, what is cut is a plain str.
        max_bytes: The budget in bytes; `MAX_USER_MESSAGE_SIZE` if not given. 0 gives "". Anything with `__index__`,
            except a bool, which is taken for a mistake; a number beyond the address space is no limit.
        suffix: What stands where text was cut away; `TRUNCATED_SUFFIX` if not given. Where it alone takes more than
            `max_bytes`, the text is cut without it.
        keep: `"head"` keeps the start and ends with the suffix; `"tail"` begins with the suffix and keeps the end;
            `"middle"` keeps half of each with the suffix between them.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0; `unknown_option` for another word in `keep`.
        TypeError: An argument of another type.
        MemoryError: There is no memory for the result.
    """

def truncate_safe(text: str, max_bytes: SupportsIndex) -> str:
    """The longest prefix of whole characters in `max_bytes` bytes of UTF-8, without a suffix.

    Like `truncate` with `suffix=""`: text that fits comes back as the same object.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0.
        TypeError: An argument of another type.
    """

def utf8_len(text: str) -> int:
    """The size of a text in bytes of UTF-8; a lone surrogate counts three.

    O(1) for ASCII, else one read of the string where it lies; its UTF-8 is neither built nor kept.

    Raises:
        TypeError: `text` is no str.
    """

# --- Budgets ---

def split_budget(
    sizes: Iterable[SupportsIndex],
    max_bytes: SupportsIndex,
    *,
    split: Literal["even", "fair"] = "even",
) -> list[int]:
    """Divide a budget between texts: the share of each in bytes, in the order of `sizes`.

    The shares sum to at most `max_bytes`. No sizes give no shares.

    Args:
        sizes: The size of each text in bytes.
        max_bytes: The budget in bytes.
        split: `"even"` gives each `max_bytes // n`, whatever its size. `"fair"` gives no text more than its size, and
            what the small ones leave to the large ones, the same to each; odd bytes go to the first of those.

    Raises:
        TurnwireError: `negative_budget`; `negative_size`; `unknown_option` for another word in `split`.
        TypeError: An argument of another type; bools are no sizes.
    """

# --- Errors ---

def error_codes() -> dict[str, tuple[type[Exception], str]]:
    """Every error code, with the exception that it raises and what it means."""
