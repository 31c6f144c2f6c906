"""The native half of turnwire. The documentation of every native name stands here."""

from collections.abc import Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, Final, Generic, Literal, SupportsIndex, TypeVar, final

__all__ = [
    "MAX_USER_MESSAGE_SIZE",
    "TRUNCATED_SUFFIX",
    "Loss",
    "Rendered",
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

# --- Conversion ---

_Payload = Mapping[str, object] | Sequence[object] | bytes | bytearray
_Json = dict[str, Any] | list[Any]

@final
class Loss:
    """One thing that a target does not hold as it was."""

    __match_args__ = ("kind", "code", "path", "reason")
    @property
    def kind(self) -> Literal["lost", "changed"]:
        """`"lost"`: the target cannot express it. `"changed"`: it is there in another form, or a stand-in was added."""
    @property
    def code(self) -> str:
        """A stable name for what it is, one of `turnwire.loss_codes()`."""
    @property
    def path(self) -> str:
        """Where it was in the source: `$.messages[3].content[0].cache_control`."""
    @property
    def reason(self) -> str:
        """Why, in a sentence."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_P = TypeVar("_P", covariant=True)

@final
class Rendered(Generic[_P]):
    """A payload in its target's dialect, and everything that it does not hold as it was."""

    __match_args__ = ("payload", "losses")
    @property
    def payload(self) -> _P:
        """The payload: a dict or list that is yours to edit, or JSON as bytes."""
    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was lost or changed, in the order of the source; empty when nothing was."""
    @classmethod
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

def convert(
    payload: _Payload,
    source: str,
    target: str,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
) -> Rendered[Any]:
    """Convert a payload to another dialect, as Python objects in new containers around the same strings.

    Args:
        payload: The request body of `source`, or the part of it that holds the conversation, or its bare list: dicts
            and lists, with SDK objects anywhere inside, or JSON as bytes. Keys of the body that hold neither
            conversation nor tools are left to you. Never changed.
        source: The dialect of `payload`, one of `dialects()`.
        target: The dialect to write. Its own turns go back exactly as they came.
        strict: Raise at the first thing that would be lost.
        reasoning: What happens to reasoning that another dialect made: `"drop"` lists it as a loss, `"text"` writes
            what can be read of it as text.
        blobs: How new blobs are written where the target's clients take bytes.

    Raises:
        ParseError: The payload cannot be read: `wrong_type`, `missing_key`, `unknown_role`, `invalid_json`, `too_deep`
            (256 levels), `too_large` (4 GiB), `changed_while_read`.
        RenderError: `loss` with `strict=True`; `refused` for what the target refuses and nothing can stand for.
        UnknownDialectError: `unknown_dialect`.
        TurnwireError: `not_json` for a value that JSON cannot hold; `unknown_option`.
        TypeError: An argument of another type.
    """

def convert_json(
    data: _Payload | str,
    source: str,
    target: str,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
) -> Rendered[bytes]:
    """Convert a payload to another dialect, as compact JSON bytes ready to send.

    Like `convert`, and the GIL is free while JSON becomes JSON. Number spelling, escapes and white space of what is not
    touched are kept; a lone surrogate in a Python string becomes U+FFFD.

    Args:
        data: As `payload` of `convert`; a str is JSON, too.
        source: The dialect of `data`.
        target: The dialect to write.
        strict: As in `convert`.
        reasoning: As in `convert`.
        blobs: As in `convert`.

    Raises:
        TurnwireError: As `convert`; also `not_json` for NaN, which Python objects may hold and JSON may not.
        TypeError: An argument of another type.
    """

def dialects() -> tuple[str, ...]:
    """The names of all dialects that can be read and written, profiles such as `openai:deepseek` included."""

def loss_codes() -> dict[str, str]:
    """Every code of a `Loss`, with what it means."""

# --- Errors ---

def error_codes() -> dict[str, tuple[type[Exception], str]]:
    """Every error code, with the exception that it raises and what it means."""
