"""The exceptions of turnwire: one tree, and a stable code in each."""

from ._core import Receipt

SITE = "https://turnwire.github.io/turnwire/"
"""Where the documentation is, as `pyproject.toml` says it."""

_SPECIFIED = ("[MessageBuilder] ", "History content must be a list or string ")
"""The beginnings of sentences that specifications 001 and 004 fix to the letter, so that no code follows them."""


def address(code: str) -> str:
    """The address of a code's page."""
    return f"{SITE}codes/{code}/"


class TurnwireError(ValueError):
    """Bad data: what was expected, what came, and where. `str()` ends with the code, `turnwire.explain` says more.

    Attributes:
        code: The stable name of the error, one of `turnwire.codes.ERRORS`.
        path: The path in the payload: `$.messages[3].content[0]`; `$` if the error is not about a payload.
        dialect: The wire format that was being read or written, or None.
    """

    code: str
    path: str
    dialect: str | None

    def __init__(self, message: str = "", *, code: str = "", path: str = "$", dialect: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.dialect = dialect
        if code:
            self.add_note(f"What to do: turnwire explain {code}, or {address(code)}")

    def __str__(self) -> str:
        """The message, and its code."""
        text = super().__str__()
        return text if not self.code or text.startswith(_SPECIFIED) else f"{text} [{self.code}]"


class ParseError(TurnwireError):
    """A payload that cannot be read."""


class RenderError(TurnwireError):
    """A conversation that the target refuses, or with `strict=True` cannot express in full."""


class BuildError(TurnwireError):
    """A conversation that cannot be built.

    Attributes:
        receipt: The changes of the build before it failed. It has no `first_changed_index`, because there
            is no result to compare.
    """

    receipt: Receipt

    def __init__(
        self,
        message: str = "",
        *,
        code: str = "",
        path: str = "$",
        dialect: str | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        super().__init__(message, code=code, path=path, dialect=dialect)
        self.receipt = Receipt() if receipt is None else receipt


class UnknownDialectError(TurnwireError):
    """A dialect that turnwire does not know."""
