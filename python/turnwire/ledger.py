"""`Ledger`: the requests of one conversation, each of which continues the one before it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Container, Iterable
from threading import RLock
from typing import Any, Final, Literal, Unpack, cast

from ._core import Budget, Rendered, _html, _ledger_prepared, _LedgerState
from ._families import long_name
from ._idle_options import taken
from ._signature import spelled_out
from .errors import BuildError, RenderError, TurnwireError
from .types import LedgerOptions, Messages, RowName, SourceName

__all__ = ["Ledger"]

_CHANGE: Final = ("append", "freeze", "break")
_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "on_full": ("cut", "error", "send"),
    "on_system_change": _CHANGE,
    "on_tools_change": _CHANGE,
}
_RESERVE: Final = 0.5
_STORED: Final = {
    "target": str,
    "max_bytes": int | None,
    "max_tokens": int | None,
    "per_result": int | None,
    "reserve": int | float,
    "on_full": str,
    "on_system_change": str,
    "on_tools_change": str,
}
"""The types of the settings in a state."""


class Ledger:
    """The requests of one conversation. What was sent and answered stays, byte for byte; new messages are appended.

        ledger = Ledger("anthropic", 200_000, model=MODEL)
        ready = ledger.prepare(messages, system=SYSTEM, tools=TOOLS)
        reply = client.messages.create(model=MODEL, max_tokens=4096, **ready)

    Call `prepare` with the whole list each time. Models that bind their reasoning to everything before it find nothing
    changed, and a provider's cache can read all of it again. When the budget is full, one deep cut is made. Only then
    is reasoning left out, and only blocks that the provider would refuse.

    Use one ledger for one conversation and one target. Several threads may share it. A list of another conversation is
    a break, and so is the first conversation's next list. Each is sent with its own system text and tools. The ledger
    still knows what each block of reasoning is bound to, for some 1,000 blocks that are not in the list.
    """

    @spelled_out
    def __init__(
        self,
        target: RowName,
        budget: int | Budget | None = None,
        *,
        on_full: Literal["cut", "error", "send"] = "cut",
        on_system_change: Literal["append", "freeze", "break"] = "append",
        on_tools_change: Literal["append", "freeze", "break"] = "append",
        **options: Unpack[LedgerOptions],
    ) -> None:
        """Make a ledger that has sent nothing.

        Args:
            target: The API that you call, one of `dialects()`.
            budget: The most UTF-8 bytes, or a `Budget`. Its `reserve` is the share of the budget that a cut frees, 0.5
                by default. With a larger share there are fewer cuts, and the model sees less after each.
            on_full: What happens when the budget is full. `"cut"` makes a cut. `"error"` raises BuildError
                `ledger_full`, and you make room. `"send"` sends everything, for servers that clear old results
                themselves.
            on_system_change: What happens when the system text changes. `"append"` adds the new lines at the end, if
                the target takes system text there; otherwise this is a break. `"freeze"` keeps the first text.
                `"break"` sends the new text, which is a break.
            on_tools_change: What happens when the tools change. `"append"` adds new tools with a message, if the target
                has one for that; otherwise this is a break. `"freeze"` keeps the first tools. `"break"` sends the new
                ones, which is a break.
            options: `model`, `end`, `reasoning`, `wording`, `cache`, `strict` and options of single
                dialects, with the meaning that they have in `prepare`, for every request.

        Raises:
            TurnwireError: `unknown_option`, also for an option of `prepare` that has no effect in a ledger;
                `out_of_range`, `conflicting_options`, `unknown_dialect`.
            TypeError: An argument has the wrong type.
        """
        _chosen("on_full", on_full)
        _chosen("on_system_change", on_system_change)
        _chosen("on_tools_change", on_tools_change)
        self._target: RowName = target
        self._budget = budget if isinstance(budget, Budget | None) else Budget(budget)
        self._choices = (on_full, on_system_change, on_tools_change)
        self._options = cast("LedgerOptions", taken(LedgerOptions.__annotations__, options))
        self._state = _LedgerState()
        self._lock = RLock()
        # A trial request checks all of these options. Its build may fail, because there is no conversation yet.
        with contextlib.suppress(BuildError, RenderError):
            trial = [{"role": "user", "content": "?"}]
            self._after(self._state, trial, "json", "openai", None, None, (), logs=False)
        # The state is read in other processes, which may not know a short name.
        if (name := long_name(target)) != target:
            self._target = cast("RowName", name)

    @property
    def target(self) -> RowName:
        """The dialect of the requests."""
        return self._target

    @property
    def budget(self) -> Budget | None:
        """The budget, or None."""
        return self._budget

    def prepare(
        self,
        messages: Messages,
        *,
        source: SourceName = "auto",
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[Any]:
        """The next request, as `prepare` returns it. The ledger remembers it.

        Args:
            messages: The whole list: messages in any dialect, or in several, a request body, or a conversation.
            source: The dialect of `messages`; `"auto"` detects it for each message that was not sent before.
            system: System text to put before that of `messages`.
            tools: Tool definitions to put before those of `messages`.
            pinned: Messages that a cut neither cuts nor drops: their indices, or a function of a message.
                `Budget.per_result` does not apply to them. But what was sent and answered stays cut or whole, as it
                was.

        Raises:
            BuildError: `ledger_full` with `on_full="error"`; otherwise as in `prepare`. The ledger does not change
                then.
            TurnwireError: As in `prepare`.
        """
        return self._next(messages, "objects", source, system, tools, pinned)

    def prepare_json(
        self,
        messages: Messages,
        *,
        source: SourceName = "auto",
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[bytes]:
        """The same as `prepare`, with the payload as compact JSON bytes, ready to send."""
        return self._next(messages, "json", source, system, tools, pinned)

    def compaction(
        self,
        messages: Messages,
        *,
        source: SourceName = "auto",
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[Any]:
        """The last request again, with what asks Anthropic or OpenAI for a summary of it.

            asked = ledger.compaction(messages, system=SYSTEM, tools=TOOLS)
            more = {"model": MODEL, "max_tokens": 4096, "extra_headers": asked.headers}
            block = client.beta.messages.create(**more, **asked).content[0]
            messages.append({"role": "assistant", "content": [block]})

            items += client.responses.create(model=MODEL, **asked).output  # with "openai-responses"

        Send it, and append the reply to your list. From then on the summary replaces all messages of that request, and
        later messages follow it, with their reasoning. OpenAI's summary does not replace messages of the user and the
        developer: they stay before it. New lines of the system text and new tools are sent again. You may continue the
        conversation while you wait. If you ask again before the summary has come, you ask for the same one: append one
        of the replies. Others in your list are not sent.

        OpenAI's endpoint `/responses/compact` takes the same items without the last one. Append the last item of its
        output; the other items are the user's messages, which your list has. Or replace your list by the whole output,
        which is a break.

        Args:
            messages: The list as it is now. Messages that the last request did not have are left out.
            source: The dialect of `messages`; `"auto"` detects it for each message that was not sent before.
            system: System text to put before that of `messages`.
            tools: Tool definitions to put before those of `messages`.
            pinned: Messages that a cut neither cuts nor drops: their indices, or a function of a message.

        Raises:
            RenderError: `refused` for a target whose provider cannot be asked for a summary.
            BuildError, TurnwireError: As in `prepare`.
        """
        return self._next(messages, "summary", source, system, tools, pinned)

    def _next(
        self,
        messages: Messages,
        form: Literal["objects", "json", "summary"],
        source: SourceName,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        pinned: Iterable[int] | Callable[[Any], object],
    ) -> Rendered[Any]:
        # The lock makes each request continue the one before it. It is reentrant: a callback may also ask for one.
        with self._lock:
            ready = self._after(self._state, messages, form, source, system, tools, pinned)
            return self._remembered(ready)

    def _remembered(self, ready: Rendered[Any]) -> Rendered[Any]:
        state = ready._ledger
        assert state is not None
        self._state = state
        return ready

    def _after(
        self,
        state: _LedgerState,
        messages: Messages,
        form: Literal["objects", "json", "summary"],
        source: SourceName,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        pinned: Iterable[int] | Callable[[Any], object],
        *,
        relay: tuple[bool, bool, bool] = (False, False, False),
        share: bool = False,
        logs: bool = True,
        takes: tuple[Container[str], Container[str]] = (_CHANGE, _CHANGE),
    ) -> Rendered[Any]:
        """The request that continues a state. The ledger does not remember it here.

        `relay` is for a framework that writes the request itself. With `share`, the elements of `messages` are handed
        on where they are unchanged. `logs` says whether the build is logged. `takes` has the choices for changed system
        text, and for changed tools, that the framework can carry out. For any other choice, a change is a break.
        """
        over, *changes = self._choices
        reserve = self._reserve
        on_system, on_tools = (
            choice if choice in taken else "break" for choice, taken in zip(changes, takes, strict=True)
        )
        return _ledger_prepared(
            messages,
            self._target,
            self._budget,
            state,
            (1 - reserve, over, on_system, on_tools),
            form,
            source,
            system,
            tools,
            relay,
            share,
            logs,
            pinned=pinned if callable(pinned) else tuple(pinned),
            **self._options,
        )

    @property
    def _reserve(self) -> float:
        """The share of the budget that a cut frees."""
        given = None if self._budget is None else self._budget.reserve
        return _RESERVE if given is None else given

    def state(self) -> bytes:
        """What the next request needs, as JSON: for `Ledger.load` in another process.

        It has the target, the budget, decisions and hashes. Of the conversation's text it has only the system text, the
        tools, notes, and what `on_cut` returned.
        """
        over, system, tools = self._choices
        budget = self._budget or Budget()
        settings = {
            "target": self._target,
            "max_bytes": budget.max_bytes,
            "max_tokens": budget.max_tokens,
            "per_result": budget.per_result,
            "reserve": self._reserve,
            "on_full": over,
            "on_system_change": system,
            "on_tools_change": tools,
        }
        return self._state.with_settings(json.dumps(settings)).to_bytes()

    @classmethod
    @spelled_out
    def load(cls, state: bytes, *, budget: Budget | None = None, **options: Unpack[LedgerOptions]) -> Ledger:
        """The ledger that returned this state. The state has its target and budget; pass other options again.

        Args:
            state: What `state()` returned, in this version of turnwire or an earlier one.
            budget: The budget again, if it has functions (`count`, `on_cut`). Otherwise the state has it.
            options: The other options that the ledger was made with.

        Raises:
            TurnwireError: `bad_state` for any other bytes, or a state of a later version; also as in the class.
            TypeError: An argument has the wrong type.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"state: expected bytes, got {type(state).__name__}")
        kept = _LedgerState(state)
        settings = _settings(json.loads(kept.settings))
        if budget is None and settings["max_tokens"] is not None:
            text = "the state has a budget in tokens: pass budget=Budget(max_tokens=…, count=your_tokenizer) again"
            raise TurnwireError(text, code="conflicting_options")
        given: dict[str, Any] = {name: settings[name] for name in ("on_full", "on_system_change", "on_tools_change")}
        if budget is None:
            limits = {name: settings[name] for name in ("per_result", "reserve")}
            budget = Budget(settings["max_bytes"], **limits)
        ledger = cls(settings["target"], budget, **{**given, **options})
        ledger._state = kept
        return ledger

    def forget(self) -> None:
        """Start again with the next request: for a reset, or a deliberate break.

        The ledger still knows what each block of reasoning is bound to, so that it sends none that would be refused.
        """
        self._state = self._state.forgotten()

    @property
    def breaks(self) -> tuple[tuple[int, str], ...]:
        """Every request that did not continue the one before it: the length of your list, and the path of the break."""
        return self._state.breaks

    def __reduce__(self) -> tuple[Callable[..., Ledger], tuple[bytes, LedgerOptions, Budget | None]]:
        return _restored, (self.state(), self._options, self._budget)

    def __repr__(self) -> str:
        return f"<Ledger: {self._target}, {len(self.breaks)} break{'' if len(self.breaks) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return _html(self, ["target", "breaks"])


def _restored(state: bytes, options: LedgerOptions, budget: Budget | None = None) -> Ledger:
    """Pickles call this, so arguments may be added to it but never removed. Those of 0.1 give no budget."""
    return Ledger.load(state, budget=budget, **options)


def _settings(given: object) -> dict[str, Any]:
    """The settings in a state. Those of 0.1 have other names."""
    if not isinstance(given, dict):
        text = "expected the state of a ledger, got that of a single request, which 0.1 wrote: it cannot be continued"
        raise TurnwireError(text, code="bad_state")
    settings: dict[str, Any] = {**given}
    if "keep" in settings:
        older = {"over": "on_full", "system": "on_system_change", "tools": "on_tools_change"}
        settings = {older.get(name, name): value for name, value in settings.items()}
        keep = settings.pop("keep")
        is_share = isinstance(keep, int | float) and not isinstance(keep, bool)
        settings["reserve"] = 1 - keep if is_share else keep
        settings["on_full"] = "send" if settings.get("on_full") == "soft" else settings.get("on_full")
        settings.setdefault("per_result", None)
    for name, known in _STORED.items():
        if name not in settings:
            raise TurnwireError(f"expected the state of a ledger, got one without {name!r}", code="bad_state")
        value = settings[name]
        if isinstance(value, bool) or not isinstance(value, known):
            text = f"expected the state of a ledger, got one with {name} of the type {type(value).__name__}"
            raise TurnwireError(text, code="bad_state", path=f"$.settings.{name}")
        if value not in _WORDS.get(name, (value,)):
            text = f"expected the state of a ledger, got one with {name}={value!r}"
            raise TurnwireError(text, code="bad_state", path=f"$.settings.{name}")
    return settings


def _chosen(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, got {type(value).__name__}")
    if value not in _WORDS[name]:
        words = ", ".join(repr(word) for word in _WORDS[name])
        raise TurnwireError(f"expected {name} to be one of {words}, got {value!r}", code="unknown_option")
