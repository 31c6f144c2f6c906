"""The exceptions of turnwire: one tree, and a stable code in each."""

from ._core import Receipt


class TurnwireError(ValueError):
    """Bad data: what was expected, what came, and where.

    Attributes:
        code: A stable name for what went wrong, one of `turnwire.error_codes()`.
        path: Where in the payload, from its root: `$.messages[3].content[0]`; `$` where no payload is concerned.
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


class ParseError(TurnwireError):
    """A payload that cannot be read."""


class RenderError(TurnwireError):
    """A conversation that the target refuses, or with `strict=True` cannot express in full."""


class BuildError(TurnwireError):
    """A conversation that cannot be built.

    Attributes:
        receipt: What the build had changed and warned of before it failed. It has no `first_changed_index`: there is no
            result that could differ.
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
