"""What an adapter was told: the options of `prepare`, who sees the receipts, and what becomes of an error."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeVar

from turnwire._core import Conversation, Receipt, Rendered, _prepared
from turnwire._log import logger, on_one_line
from turnwire.builder import MessageBuilder
from turnwire.errors import TurnwireError
from turnwire.names import DialectName, SourceName
from turnwire.options import BudgetOptions, Options, RenderOptions

__all__ = ["Policy", "Settings", "unknown"]

_T = TypeVar("_T")
_logger: Final = logger.getChild("adapters")


class Settings(Options, total=False):
    """The options of every adapter beside `max_bytes`: those of `prepare`, and these.

    Attributes:
        target: For whom to build. Where it is not given, the model that the framework knows tells, or the format that
            the framework sends.
        on_receipt: Called with the receipt of each request, also where nothing was changed: an empty receipt is false.
        on_error: `"raise"` what `prepare` raises, or `"log"` it as an error and send what there was.
    """

    target: DialectName | None
    on_receipt: Callable[[Receipt], object] | None
    on_error: Literal["raise", "log"]


_NAMES: Final = {*Options.__annotations__, *Settings.__annotations__}


def unknown(value: object) -> None:
    """Say that a value of a class that nobody knows is not looked into."""
    kind = type(value)
    _logger.warning("turnwire does not know %s.%s, which goes on as it is", kind.__module__, kind.__qualname__)


class Policy:
    """One for each adapter that is made; it keeps nothing between requests, so any number of threads may share it."""

    def __init__(self, max_bytes: int | None, settings: Settings) -> None:
        """Read the options, and tell of a wrong one before anything is sent.

        Raises:
            TypeError: An option that there is not, or of another type.
            TurnwireError: As `MessageBuilder.set_budget`; `unknown_option` for another word in `on_error`.
        """
        for name in settings:
            if name not in _NAMES:
                raise TypeError(f"got an unexpected keyword argument {name!r}")
        options: dict[str, Any] = {**settings}
        self.target: DialectName | None = options.pop("target", None)
        self.on_receipt: Callable[[Receipt], object] | None = options.pop("on_receipt", None)
        self.on_error: str = options.pop("on_error", "raise")
        self.pinned: frozenset[int] = frozenset(options.pop("pinned", ()))
        self.max_bytes = max_bytes
        self.options = options
        self.rendering: Any = {name: options[name] for name in RenderOptions.__annotations__ if name in options}
        if self.on_error not in ("raise", "log"):
            expected = f"expected 'raise' or 'log' as on_error, got {self.on_error!r}"
            raise TurnwireError(expected, code="unknown_option")
        if self.on_receipt is not None and not callable(self.on_receipt):
            raise TypeError(f"on_receipt: expected a function, got {type(self.on_receipt).__name__}")
        budget: Any = {name: options[name] for name in BudgetOptions.__annotations__ if name in options}
        MessageBuilder().set_budget(max_bytes, **budget)

    def prepared(
        self,
        payload: Any,
        source: SourceName,
        dialect: DialectName,
        target: DialectName | None,
        pinned: Iterable[int] | None = None,
        relay: tuple[bool, bool] = (False, False),
    ) -> Rendered[Any] | None:
        """`payload`, built for `target` and written as `dialect`, its receipt handed on.

        None where it cannot be built and an error is to be logged: then what there was is sent. `relay` says whether
        the framework that then writes the provider's format writes blank texts, too, and whether it refuses or loses
        calls whose arguments are no object: they go without them.
        """

        def write() -> Rendered[Any]:
            return self._built(payload, source, target, pinned, relay=relay).render(dialect, **self.rendering)

        ready = self.tried(write)
        if ready is not None:
            for loss in ready.losses:
                _logger.log(logging.WARNING if loss.kind == "lost" else logging.DEBUG, "%s", loss)
            for change in ready.receipt if relay[1] else ():
                if change.code == "arguments":
                    _logger.warning("%s", on_one_line(str(change)))
            self.tell(ready.receipt)
        return ready

    def built(self, conversation: Conversation, extra: int) -> Conversation | None:
        """A conversation built for nobody in particular, with so much beside the budget; None as `prepared`."""
        built = self.tried(lambda: self.fitted(conversation, "auto", extra))
        if built is not None:
            self.tell(built.receipt)
        return built

    def fitted(self, payload: Any, source: SourceName, extra: int) -> Conversation:
        """The same, with its receipt not handed on, and its errors raised."""
        return self._built(payload, source, None, (), extra)

    def tried(self, work: Callable[[], _T]) -> _T | None:
        """What `work` gives, or None where it fails and an error is to be logged."""
        try:
            return work()
        except Exception as error:
            if self.on_error == "raise":
                raise
            _logger.error("%s; what there was is sent as it is", error)
            return None

    def _built(
        self,
        payload: Any,
        source: SourceName,
        target: DialectName | None,
        pinned: Iterable[int] | None,
        extra: int = 0,
        relay: tuple[bool, bool] = (False, False),
    ) -> Conversation:
        options: Any = {**self.options, "pinned": self.pinned if pinned is None else pinned}
        max_bytes = self.max_bytes if self.max_bytes is None else max(self.max_bytes + extra, 0)
        if options.get("max_tokens") is not None:
            options["max_tokens"] = max(options["max_tokens"] + extra, 0)
        return _prepared(payload, source, target, max_bytes, relay, **options)

    def tell(self, receipt: Receipt) -> None:
        """Hand a receipt on."""
        if self.on_receipt is not None:
            self.on_receipt(receipt)
