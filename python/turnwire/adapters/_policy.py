"""The settings of an adapter: the options of `prepare`, a callback for changes, the handling of errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from turnwire._budgets import changed, grown, whole
from turnwire._core import (
    Budget,
    Change,
    Conversation,
    Receipt,
    Rendered,
    _prepared,
    _to_send,
    _tried,
    convert,
    prepare,
)
from turnwire._families import family
from turnwire._hints import unexpected
from turnwire._log import logger, on_one_line
from turnwire._servers import server_called
from turnwire.builder import MessageBuilder
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger
from turnwire.types import AdapterOptions, DialectName, SourceName

from ._changes import refused
from ._idle import refuse
from ._learn_option import learns
from ._ledgers import Carrier, Ledgers
from ._summaries import PendingError, Question, Summaries
from ._told import Told

__all__ = ["LISTS", "Policy", "Relay", "message", "unknown"]

_T = TypeVar("_T")
_logger: Final = logger.getChild("adapters")


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

_RENDERS: Final = ("reasoning", "cache", "strict", "blobs", "assistant_role", "server_tools")
"""The options of a rendering."""

_NOTHING: Final = Relay()
_CARRIER: Final = Carrier()
_NAMES: Final = frozenset(AdapterOptions.__annotations__)


def unknown(value: object) -> None:
    """Log a warning that a value of an unknown class is not read."""
    kind = type(value)
    _logger.warning("turnwire does not know %s.%s, which goes on as it is", kind.__module__, kind.__qualname__)


class Policy:
    """The settings of one adapter. Any number of threads may share it.

    Between requests it keeps the last receipts that it reported, the summaries that it asked for, and with a
    ledger what was sent.
    """

    def __init__(
        self,
        budget: int | Budget | None,
        settings: AdapterOptions,
        *,
        takes_ledger: bool = False,
        awaits: bool = True,
        no_summary: str = "",
        no_rest: str = "the framework of this adapter writes the settings itself",
        no_cache: str = "the framework of this adapter writes its payloads itself",
        no_learn: str = "this adapter does not send the request: wrap the framework's own client with turnwire.wrap",
        heeds_options: bool = True,
        takes_bytes: bool = False,
    ) -> None:
        """Read the options, and raise for a wrong one before anything is sent.

        Args:
            budget: The budget.
            settings: The other options.
            takes_ledger: Whether the framework sends what is built here, and keeps the whole list.
            awaits: Whether the adapter can await `summarise`.
            no_summary: The reason, if the adapter cannot use a summary.
            no_rest: The reason, if the adapter does not convert settings.
            no_cache: The reason, if the adapter cannot add cache marks.
            no_learn: The reason, if the adapter cannot learn from a server's refusal.
            heeds_options: Whether options of `prepare` have an effect in the adapter. Otherwise they are only checked.
            takes_bytes: Whether the framework takes media as bytes, and not as base64.

        Raises:
            TypeError: An option is unknown or has the wrong type.
            TurnwireError: As in `prepare` for its options; `unknown_option` for an unknown value of `on_error`,
                `learn` or `settings`, for a ledger, `summarise`, `cache`, `learn` or `settings="convert"` that the
                adapter does not take, and for an option that has no effect in any adapter; `conflicting_options` for
                options that exclude each other.
        """
        for name, value in settings.items():
            if name not in _NAMES:
                raise TypeError(unexpected("an adapter", name, value))
        options: dict[str, Any] = {**settings}
        target: Any = options.pop("target", None)
        # A short name stands for the server with its rules for models.
        called: Any = server_called(target) if type(target) is str else None
        self.target: DialectName | None = target if called is None else called
        self.on_receipt = _function("on_receipt", options.pop("on_receipt", None))
        self.on_error: str = options.pop("on_error", "raise")
        self.pinned = options.pop("pinned", ())
        if not callable(self.pinned):
            self.pinned = _places(self.pinned)
        ledger = options.pop("ledger", False)
        self.budget = whole(budget)
        self.learn = learns(options.pop("learn", False), no_learn)
        self._on_learn = _function("on_learn", options.pop("on_learn", None))
        self.options = options
        self._told, self._told_lost = Told(), Told()
        if self.on_error not in ("raise", "log"):
            expected = f"expected 'raise' or 'log' as on_error, got {self.on_error!r}"
            raise TurnwireError(expected, code="unknown_option")
        self.converts = self._read_settings(options.pop("settings", "omit"), no_rest)
        self.rendering: Any = {name: options[name] for name in _RENDERS if name in options}
        marks = options.get("cache") or (isinstance(ledger, Ledger) and ledger._options.get("cache"))
        if no_cache and marks:
            raise TurnwireError(f"expected no cache: {no_cache}", code="unknown_option")
        self._ledgers = self._read_ledger(ledger, takes_ledger)
        self.has_ledger = self._ledgers is not None
        self._summaries = self._read_summarise(awaits, no_summary)
        self._try()
        refuse(settings, is_summing=self._summaries is not None)
        if takes_bytes:
            # Media that a repair changes are written anew.
            self.options["blobs"] = self.rendering["blobs"] = "raw"
            if self._ledgers is not None:
                self._ledgers.write_bytes()
        if not heeds_options:
            words = (self.options.get("wording") or {}).get("cut")
            self.options = {} if words is None else {"wording": {"cut": words}}

    def _read_ledger(self, given: object, taken: bool) -> Ledgers | None:
        if not isinstance(given, bool | Ledger):
            raise TypeError(f"ledger: expected a bool or a Ledger, got {type(given).__name__}")
        if given is False:
            return None
        if not taken:
            expected = "expected no ledger: this adapter does not see whole requests"
            raise TurnwireError(expected, code="unknown_option")
        if self.converts:
            raise TurnwireError("expected no settings='convert' beside ledger", code="conflicting_options")
        if self.budget.summarise is not None:
            text = "expected a budget without summarise= beside ledger, which keeps everything that was sent"
            raise TurnwireError(text, code="conflicting_options")
        return Ledgers(given, self.target, self.budget, self.options)

    def _read_settings(self, given: object, no_rest: str) -> bool:
        """Whether settings are converted. The options of the conversion are then with the other ones."""
        if isinstance(given, Mapping):
            self.options["settings"] = given
        elif not isinstance(given, str):
            raise TypeError(f"settings: expected a str or a dict, got {type(given).__name__}")
        elif given not in ("omit", "convert"):
            # `settings="keep"` is not offered, because an adapter always keeps what is beside the conversation.
            raise TurnwireError(f"expected 'omit' or 'convert' as settings, got {given!r}", code="unknown_option")
        elif given == "convert":
            self.options["settings"] = given
        converts = "settings" in self.options
        if converts and no_rest:
            raise TurnwireError(f"expected no settings='convert': {no_rest}", code="unknown_option")
        return converts

    def _read_summarise(self, awaits: bool, no_summary: str) -> Summaries | None:
        function: Any = self.budget.summarise
        if function is None:
            return None
        self.budget = changed(self.budget, summarise=None)
        if no_summary:
            raise TurnwireError(f"expected a budget without summarise=: {no_summary}", code="unknown_option")
        if self.options.get("summary") is not None:
            expected = "expected no summary beside a budget's summarise=: an adapter keeps those that it asked for"
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
        if (summary := self.options.get("summary")) is not None:
            MessageBuilder().set_compression_summary(summary)
        # The budget may be too small for this conversation, and a summary fits only its own.
        left: Any = {name: value for name, value in self.options.items() if name != "summary"}
        target: Any = self.target if self.target is not None else "openai"
        if self.converts:
            _tried([{"role": "user", "content": "x"}], target, source="openai", **left)
            return
        tried = _prepared([{"role": "user", "content": "x"}], "openai", target, None, _NOTHING, False, **left)
        tried.render(target, **self.rendering)

    def prepared(
        self,
        payload: Any,
        source: SourceName,
        dialect: DialectName,
        target: DialectName | None,
        pinned: Iterable[int] | None = None,
        relay: Relay = _NOTHING,
        lost: Sequence[Change] = (),
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
            pins = self._pins(elements) if pinned is None else pinned
            # A profile of the dialect may write an element otherwise, and replays reasoning of its own only.
            alike = target is not None and family(target) == family(dialect)
            whose = target if target is not None and alike else dialect
            if self._ledgers is not None:
                return self._ledgers.prepared(
                    payload, elements, (source, carrier.profile or whose), pins, relay, carrier
                )
            question = None
            if self._summaries is not None:
                question = self._summaries.question(elements, own or _told_in(dialect))
            room, options = self._room(question=question), self._options(pins, question)
            if self.converts:
                made = prepare(payload, dialect, room, source=source, share=True, **options)
            else:
                own_form = whose if source == dialect else source
                made = _to_send(payload, own_form, target, room, relay, whose, self.rendering, **options)
            if question is not None and self._summaries is not None:
                self._summaries.keep(question, made.receipt)
            return made

        ready = self.tried(write)
        if ready is not None:
            # The settings beside the messages are the client's own, whatever format the messages have.
            of_messages = ready.receipt if self.converts else ready.receipt._without("foreign_setting")
            whole = of_messages._with(lost) if lost else of_messages
            receipt = self._told.news(elements if heard is None else heard, whole)
            for change in receipt if relay.only_objects else ():
                if change.code == "arguments":
                    _logger.warning("%s", on_one_line(str(change)))
            self.tell(receipt)
        return ready

    def built(self, conversation: Conversation, extra: int) -> Conversation | None:
        """A conversation built without a target, with `extra` added to the budget; None as in `prepared`."""
        built = self.tried(lambda: self.fitted(conversation, "auto", extra))
        if built is not None:
            self.tell(built.receipt)
        return built

    def fitted(self, payload: Any, source: SourceName, extra: int) -> Conversation:
        """The same, but it reports no receipt and raises its errors."""
        return _prepared(payload, source, None, self._room(extra), _NOTHING, True, **self._options(()))

    def tried(self, work: Callable[[], _T]) -> _T | None:
        """What `work` returns, or None if it fails and `on_error` is `"log"`."""
        return self._guarded(work, "what there was is sent as it is")

    def tell(self, receipt: Receipt) -> None:
        """Report what a request changed, if anything. Without a callback, what is lost is logged."""
        if (on_receipt := self.on_receipt) is None:
            for change in receipt.only("lost"):
                _logger.warning("%s", on_one_line(str(change)))
        elif receipt:
            self._guarded(lambda: on_receipt(receipt), "what was prepared is sent")

    def heard_lesson(self, lesson: Any) -> None:
        """Call the caller's function with what was learned."""
        if (on_learn := self._on_learn) is not None:
            self._guarded(lambda: on_learn(lesson), "what was learned is kept")

    def tell_lost(self, elements: Sequence[Any], losses: Sequence[Change]) -> None:
        """Report what is lost, and known only after a request with these elements was sent, each once."""
        self.tell(self._told_lost.news(elements, Receipt()._with(losses)))

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

    def _room(self, extra: int = 0, question: Question | None = None) -> Budget:
        """The budget for one request, with `extra` added to it."""
        room = grown(self.budget, extra)
        return room if question is None else changed(room, summarise=question.ask)

    def _options(self, pinned: Iterable[int], question: Question | None = None) -> Any:
        """The options of `prepare` for one request."""
        summed = {} if question is None else {"summary": question.known}
        return {**self.options, **summed, "pinned": pinned}

    def _pins(self, elements: Sequence[Any]) -> list[int]:
        """The indices of pinned messages. One beyond the end of a list pins nothing in it."""
        if callable(self.pinned):
            return [at for at, element in enumerate(elements) if self.pinned(element)]
        return [at for at in self.pinned if at < len(elements)]


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
    return convert([{"role": "user", "content": text}], dialect, source="openai").messages[0]


def _elements(payload: Any) -> Sequence[Any]:
    """The list of a payload."""
    return next((payload[key] for key in LISTS if isinstance(payload.get(key), list)), ())
