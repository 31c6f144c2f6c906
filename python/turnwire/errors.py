"""The exceptions of turnwire: one tree, and a stable code in each."""

from ._core import Receipt

PAGES = {"error": "errors", "change": "changes", "loss": "losses", "finding": "findings", "diff": "diffs"}
"""The page of the documentation for each list of codes; its table in `answers` has the same name."""

_SPECIFIED = ("[MessageBuilder] ", "History content must be a list or string ")
"""How sentences begin that a specification fixes to the last letter (001 and 004): no code follows them."""


def address(kind: str, code: str) -> str:
    """Where the documentation explains a code."""
    return f"https://github.com/turnwire/turnwire/blob/main/docs/{PAGES[kind]}.md#{code}"


class TurnwireError(ValueError):
    """Bad data: what was expected, what came, and where. `str()` ends with the code, `turnwire.explain` says more.

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
        if code:
            self.add_note(f"What to do: turnwire explain {code}, or {address('error', code)}")

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
