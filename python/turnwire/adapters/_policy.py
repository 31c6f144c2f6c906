"""The settings of an adapter: the options of `prepare`, callbacks for changes and losses, the handling of errors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar

from turnwire._core import Conversation, Loss, Receipt, Rendered, _prepared, convert, prepare
from turnwire._log import logger, on_one_line
from turnwire.builder import MessageBuilder
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger
from turnwire.names import DialectName, SourceName
from turnwire.options import DEFAULTS, BudgetOptions, Options, RenderOptions

from ._idle import refuse
from ._ledgers import Carrier, Ledgers
from ._losses import refused
from ._summaries import PendingError, Question, Summaries
from ._told import Told

__all__ = ["LISTS", "Policy", "Relay", "Settings", "message", "unknown"]

_T = TypeVar("_T")
_logger: Final = logger.getChild("adapters")


class Settings(Options, total=False):
    """The options of every adapter beside `max_bytes`: those of `prepare`, and these.

    `summarise` may be asynchronous if the request is. Its summary is kept for later requests that continue the list.

    Attributes:
        target: The dialect to build for. By default, the model that the framework names decides, or else the format
            that the framework sends.
        on_receipt: Called with a request's changes and warnings that were not reported before in the same
            conversation. It is not called for a request that has none.
        on_losses: Called likewise with a tuple of a request's losses: what the target cannot express.
        ledger: True to let each request of a conversation continue the one before it, as `turnwire.Ledger` does; or a
            Ledger, if the adapter has one conversation only. Not every adapter takes one: docs/adapters.md.
        rest: `"convert"` converts a whole body of another provider, its settings included, with `defaults`, `model`
            and `effort_budgets` for it. `"caller"` leaves settings as they are. Only the wrapped clients
            convert: elsewhere, the framework writes the settings.
        on_error: `"raise"` raises what `prepare` and these callbacks raise. `"log"` logs it as an error and sends the
            original messages.
    """

    target: DialectName | None
    on_receipt: Callable[[Receipt], object] | None
    on_losses: Callable[[tuple[Loss, ...]], object] | None
    ledger: bool | Ledger
    rest: Literal["caller", "convert"]
    on_error: Literal["raise", "log"]


class Relay(NamedTuple):
    """What a build heeds when the framework itself writes the provider's format from the messages.

    Attributes:
        no_blanks: It sends blank texts, which not every provider takes.
        only_objects: It refuses or loses calls whose arguments are not a JSON object. These are sent without arguments.
        own_keys: It writes keys and definitions of tools itself, so the build reports nothing about them.
    """

    no_blanks: bool = False
    only_objects: bool = False
    own_keys: bool = False


LISTS: Final = ("messages", "input", "contents")
"""The keys that a body may have its list under."""

_NOTHING: Final = Relay()
_CARRIER: Final = Carrier()
_UNCHANGED: Final[Receipt] = prepare([{"role": "user", "content": "x"}], "openai").receipt
_NAMES: Final = {*Options.__annotations__, *Settings.__annotations__}


def unknown(value: object) -> None:
    """Log a warning that a value of an unknown class is not read."""
    kind = type(value)
    _logger.warning("turnwire does not know %s.%s, which goes on as it is", kind.__module__, kind.__qualname__)


class Policy:
    """The settings of one adapter. Any number of threads may share it.

    Between requests it keeps the last receipts and losses that it reported, the summaries that it asked for, and with a
    ledger what was sent.
    """

    def __init__(
        self,
        max_bytes: int | None,
        settings: Settings,
        *,
        takes_ledger: bool = False,
        awaits: bool = True,
        no_summary: str = "",
        no_rest: str = "the framework of this adapter writes the settings itself",
        no_cache: str = "the framework of this adapter writes its payloads itself",
        heeds: frozenset[str] | None = None,
        takes_bytes: bool = False,
    ) -> None:
        """Read the options, and raise for a wrong one before anything is sent.

        Args:
            max_bytes: The budget.
            settings: The other options.
            takes_ledger: Whether the framework sends what is built here, and keeps the whole list.
            awaits: Whether the adapter can await `summarise`.
            no_summary: The reason, if the adapter cannot use a summary.
            no_rest: The reason, if the adapter does not convert settings.
            no_cache: The reason, if the adapter cannot add cache marks.
            heeds: The options of `prepare` that have an effect in the adapter; None for all. Others are only checked.
            takes_bytes: Whether the framework takes media as bytes, and not as base64.

        Raises:
            TypeError: An option is unknown or has the wrong type.
            TurnwireError: As in `prepare` for its options; `unknown_option` for an unknown value of `on_error` or
                `rest`, for a ledger, `summarise`, `cache` or `rest="convert"` that the adapter does not take, and for
                an option that has no effect in any adapter; `conflicting_options` for options that exclude each other.
        """
        for name in settings:
            if name not in _NAMES:
                raise TypeError(f"got an unexpected keyword argument {name!r}")
        options: dict[str, Any] = {**settings}
        self.target: DialectName | None = options.pop("target", None)
        self.on_receipt = _function("on_receipt", options.pop("on_receipt", None))
        self.on_losses = _function("on_losses", options.pop("on_losses", None))
        self.on_error: str = options.pop("on_error", DEFAULTS["on_error"])
        self.pinned = _places(options.pop("pinned", ()))
        ledger = options.pop("ledger", DEFAULTS["ledger"])
        self.max_bytes = max_bytes
        self.options = options
        self.rendering: Any = {name: options[name] for name in RenderOptions.__annotations__ if name in options}
        self._told, self._told_lost = Told(), Told()
        if self.on_error not in ("raise", "log"):
            expected = f"expected 'raise' or 'log' as on_error, got {self.on_error!r}"
            raise TurnwireError(expected, code="unknown_option")
        self.converts = self._read_rest(options.pop("rest", "caller"), no_rest)
        marks = options.get("cache") or (isinstance(ledger, Ledger) and ledger._options.get("cache"))
        if no_cache and marks:
            raise TurnwireError(f"expected no cache: {no_cache}", code="unknown_option")
        self._ledgers = self._read_ledger(ledger, takes_ledger)
        self.has_ledger = self._ledgers is not None
        self._summaries = self._read_summarise(awaits, no_summary)
        self._try()
        refuse(settings)
        if takes_bytes:
            # Media that a repair changes are written anew.
            self.options["blobs"] = self.rendering["blobs"] = "raw"
            if self._ledgers is not None:
                self._ledgers.write_bytes()
        if heeds is not None:
            self.options = {name: value for name, value in options.items() if name in heeds}

    def _read_ledger(self, given: object, taken: bool) -> Ledgers | None:
        if not isinstance(given, bool | Ledger):
            raise TypeError(f"ledger: expected a bool or a Ledger, got {type(given).__name__}")
        if given is False:
            return None
        if not taken:
            expected = "expected no ledger: this adapter does not see whole requests"
            raise TurnwireError(expected, code="unknown_option")
        if self.converts:
            raise TurnwireError("expected no rest='convert' beside ledger", code="conflicting_options")
        return Ledgers(given, self.target, self.max_bytes, self.options)

    @staticmethod
    def _read_rest(given: object, no_rest: str) -> bool:
        if not isinstance(given, str):
            raise TypeError(f"rest: expected a str, got {type(given).__name__}")
        if given not in ("caller", "convert"):
            # `rest="keep"` is not offered, because an adapter always keeps what is beside the conversation.
            raise TurnwireError(f"expected 'caller' or 'convert' as rest, got {given!r}", code="unknown_option")
        if given == "convert" and no_rest:
            raise TurnwireError(f"expected no rest='convert': {no_rest}", code="unknown_option")
        return given == "convert"

    def _read_summarise(self, awaits: bool, no_summary: str) -> Summaries | None:
        function = _function("summarise", self.options.pop("summarise", None))
        if function is None:
            return None
        if no_summary:
            raise TurnwireError(f"expected no summarise: {no_summary}", code="unknown_option")
        if self.options.get("summary") is not None:
            expected = "expected no summary beside summarise: an adapter keeps those that it asked for"
            raise TurnwireError(expected, code="conflicting_options")
        return Summaries(function, awaits)

    @property
    def as_text(self) -> bool:
        """Whether reasoning of another provider becomes text."""
        return self.rendering.get("reasoning") == "text"

    @property
    def sums_up(self) -> bool:
        """Whether a request may have to wait for a summary."""
        return self._summaries is not None

    def _try(self) -> None:
        """Let `prepare` check the options, with a conversation that needs no repair."""
        budget: Any = {name: self.options[name] for name in BudgetOptions.__annotations__ if name in self.options}
        builder = MessageBuilder().set_budget(self.max_bytes, **budget)
        if (summary := self.options.get("summary")) is not None:
            builder.set_compression_summary(summary)
        # The budget may be too small for this conversation, and a summary fits only its own.
        left: Any = {name: value for name, value in self.options.items() if name not in (*budget, "summary")}
        target: Any = self.target if self.target is not None else "openai"
        if self.converts:
            prepare([{"role": "user", "content": "x"}], target, source="openai", rest="convert", **left)
            return
        tried = _prepared([{"role": "user", "content": "x"}], "openai", target, None, _NOTHING, **left)
        tried.render(target, **self.rendering)

    def prepared(
        self,
        payload: Any,
        source: SourceName,
        dialect: DialectName,
        target: DialectName | None,
        pinned: Iterable[int] | None = None,
        relay: Relay = _NOTHING,
        lost: Sequence[Loss] = (),
        carrier: Carrier = _CARRIER,
        own: Callable[[str | None, list[Any]], list[Any]] | None = None,
        heard: Sequence[Any] | None = None,
    ) -> Rendered[Any] | None:
        """Build `payload` for `target`, write it as `dialect`, and report what is new. Every adapter calls this.

        Returns None if the build fails and `on_error` is `"log"`: the adapter then sends the original messages. `lost`
        has the adapter's own losses. `carrier` says what a ledger has to know about the framework. `own` turns an
        earlier summary and dropped elements into the argument of `summarise`. `heard` has the framework's elements, if
        `payload` has fewer of them: what was already reported is found by these.
        """
        elements = _elements(payload)

        def write() -> Rendered[Any]:
            if self.rendering.get("strict"):
                for loss in lost:
                    if loss.kind == "lost":
                        raise refused(loss, target or dialect)
            pins = [at for at in self.pinned if at < len(elements)] if pinned is None else pinned
            # A profile of the dialect may write an element otherwise, and replays reasoning of its own only.
            alike = target is not None and target.partition(":")[0] == dialect.partition(":")[0]
            whose = target if target is not None and alike else dialect
            if self._ledgers is not None:
                return self._ledgers.prepared(
                    payload, elements, (source, carrier.profile or whose), pins, relay, carrier
                )
            question = None
            if self._summaries is not None:
                question = self._summaries.question(elements, own or _told_in(dialect))
            if self.converts:
                options = self._options(pins, question=question)
                made = prepare(payload, dialect, self.max_bytes, source=source, rest="convert", **options)
            else:
                own_form = whose if source == dialect else source
                built = self._built(payload, own_form, target, pins, relay=relay, question=question)
                made = built.render(whose, **self.rendering)
            if question is not None and self._summaries is not None:
                self._summaries.keep(question, made.receipt)
            return made

        ready = self.tried(write)
        if ready is not None:
            receipt, losses = self._told.news(
                elements if heard is None else heard, ready.receipt, (*lost, *ready.losses)
            )
            for change in receipt if relay.only_objects else ():
                if change.code == "arguments":
                    _logger.warning("%s", on_one_line(str(change)))
            self.tell(receipt, losses)
        return ready

    def built(self, conversation: Conversation, extra: int) -> Conversation | None:
        """A conversation built without a target, with `extra` added to the budget; None as in `prepared`."""
        built = self.tried(lambda: self.fitted(conversation, "auto", extra))
        if built is not None:
            self.tell(built.receipt)
        return built

    def fitted(self, payload: Any, source: SourceName, extra: int) -> Conversation:
        """The same, but it reports no receipt and raises its errors."""
        return self._built(payload, source, None, (), extra)

    def tried(self, work: Callable[[], _T]) -> _T | None:
        """What `work` returns, or None if it fails and `on_error` is `"log"`."""
        return self._guarded(work, "what there was is sent as it is")

    def tell(self, receipt: Receipt, losses: tuple[Loss, ...] = ()) -> None:
        """Report what a request changed and lost, if anything."""
        if (on_losses := self.on_losses) is None:
            for loss in losses:
                _logger.log(logging.WARNING if loss.kind == "lost" else logging.DEBUG, "%s", loss)
        elif losses:
            self._guarded(lambda: on_losses(losses), "what was prepared is sent")
        if (on_receipt := self.on_receipt) is not None and (receipt or receipt.warnings):
            self._guarded(lambda: on_receipt(receipt), "what was prepared is sent")

    def tell_lost(self, elements: Sequence[Any], losses: Sequence[Loss]) -> None:
        """Report losses that are known only after a request with these elements was sent, each once."""
        self.tell(*self._told_lost.news(elements, _UNCHANGED, tuple(losses)))

    def _guarded(self, work: Callable[[], _T], then: str) -> _T | None:
        try:
            return work()
        except PendingError:
            raise
        except Exception as error:
            if self.on_error == "raise":
                raise
            _logger.error("%s; %s", error, then)
            return None

    def _built(
        self,
        payload: Any,
        source: SourceName,
        target: DialectName | None,
        pinned: Iterable[int],
        extra: int = 0,
        relay: Relay = _NOTHING,
        question: Question | None = None,
    ) -> Conversation:
        max_bytes = self.max_bytes if self.max_bytes is None else max(self.max_bytes + extra, 0)
        return _prepared(payload, source, target, max_bytes, relay, **self._options(pinned, extra, question))

    def _options(self, pinned: Iterable[int], extra: int = 0, question: Question | None = None) -> Any:
        """The options of `prepare` for one request, with `extra` added to the budget."""
        options: Any = {**self.options, "pinned": pinned}
        if question is not None:
            options |= {"summary": question.known, "summarise": question.ask}
        if options.get("max_tokens") is not None:
            options["max_tokens"] = max(options["max_tokens"] + extra, 0)
        return options


def _function(name: str, value: Any) -> Callable[[Any], object] | None:
    if value is not None and not callable(value):
        raise TypeError(f"{name}: expected a function, got {type(value).__name__}")
    function: Callable[[Any], object] | None = value
    return function


def _places(pinned: Any) -> frozenset[int]:
    """Pinned indices for lists to come. An index beyond the end of a list pins nothing in it."""
    if isinstance(pinned, str | bytes) or not isinstance(pinned, Iterable):
        raise TypeError(f"pinned: expected the indices of messages, got {type(pinned).__name__}")
    places = frozenset(pinned)
    for place in places:
        if isinstance(place, bool) or not isinstance(place, int):
            raise TypeError(f"pinned: expected an int, got {type(place).__name__}")
        if place < 0:
            raise TurnwireError(f"pinned: expected an index from 0 on, got {place}", code="unknown_option")
    return places


def _told_in(dialect: DialectName) -> Callable[[str | None, list[Any]], list[Any]]:
    """Makes the argument of `summarise`: an earlier summary first, as a user message of the dialect, then the rest."""
    return lambda earlier, gone: [*([] if earlier is None else [message(earlier, dialect)]), *gone]


def message(text: str, dialect: DialectName) -> Any:
    """A user message as an element of a dialect."""
    return _elements(convert([{"role": "user", "content": text}], "openai", dialect).payload)[0]


def _elements(payload: Any) -> Sequence[Any]:
    """The list of a payload."""
    return next((payload[key] for key in LISTS if isinstance(payload.get(key), list)), ())
