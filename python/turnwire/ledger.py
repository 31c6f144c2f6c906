"""`Ledger`: the requests of one conversation, each of which continues the one before it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Container, Iterable
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from ._core import Rendered, _ledger_prepared, _LedgerState
from .errors import BuildError, RenderError, TurnwireError

if TYPE_CHECKING:
    from ._core import _Messages
    from .names import DialectName, SourceName

__all__ = ["Ledger", "LedgerOptions"]


class LedgerOptions(TypedDict, total=False):
    """The options of `prepare` that hold for every request of a ledger; each as there."""

    max_tokens: int | None
    count: Callable[[str], int] | None
    reserve: float
    max_result_bytes: int | None
    max_result_tokens: int | None
    thinking: Literal["valid", "keep"]
    model: str | None
    prefill: bool
    opening: str | None
    omitted: str | None
    missing_result: str | None
    strict: bool
    reasoning: Literal["drop", "text"]
    blobs: Literal["base64", "raw"]
    assistant_role: Literal["gemini", "chatgpt"] | None
    cache: Literal["auto"] | None
    on_cut: Callable[[str, str, str], object] | None


_OVER = ("cut", "error", "soft")
_CHANGE = ("append", "freeze", "break")


class Ledger:
    """The requests of one conversation: what was sent and answered stays, byte for byte; the rest is appended.

        ledger = Ledger("anthropic", 200_000, model=MODEL)
        ready = ledger.prepare(messages, system=SYSTEM, tools=TOOLS)
        reply = client.messages.create(model=MODEL, max_tokens=4096, **ready.payload)

    Call `prepare` with the whole list each time. Models that bind their reasoning to everything before it find nothing
    changed, and a provider's cache can read all of it again. When the budget is full, one deep cut is made. Only then
    is reasoning left out, and only blocks that no longer verify. One ledger serves one conversation and one target;
    several threads may share it. A list of another conversation is a break, and so is the way back: what each block of
    reasoning is bound to stays known, for some 1,000 blocks that are not in the list.
    """

    def __init__(
        self,
        target: DialectName,
        max_bytes: int | None = None,
        *,
        keep: float = 0.5,
        over: Literal["cut", "error", "soft"] = "cut",
        system: Literal["append", "freeze", "break"] = "append",
        tools: Literal["append", "freeze", "break"] = "append",
        **options: Unpack[LedgerOptions],
    ) -> None:
        """Make a ledger that has sent nothing.

        Args:
            target: Who is to take the requests, one of `dialects()`.
            max_bytes: At most so many UTF-8 bytes of words, as `MessageBuilder.set_budget` counts them. `max_tokens`
                with `count` among the options counts tokens instead.
            keep: The share of the budget, from 0 to 1, that a cut leaves. Less means fewer cuts, and that the model
                sees less behind one.
            over: What happens where the budget is full. `"cut"`: a cut. `"error"`: BuildError `ledger_full`, and you
                make room. `"soft"`: nothing; all of it is sent, for servers that clear old results themselves.
            system: What becomes of system text that is another than before. `"append"`: lines that are new are said at
                the end, where the target takes system text there; elsewhere it is a break. `"freeze"`: the first one
                stays. `"break"`: the new one is sent, and what was sent before does not stand.
            tools: The same of tools. Appended ones are shown by a message where the target has that.
            options: Those of `prepare`, for every request.

        Raises:
            TurnwireError: `unknown_option`, `out_of_range`, `conflicting_options`; `unknown_dialect`.
            TypeError: An argument of another type.
        """
        _chosen("over", over, _OVER)
        _chosen("system", system, _CHANGE)
        _chosen("tools", tools, _CHANGE)
        if isinstance(keep, bool) or not isinstance(keep, (int, float)):
            raise TypeError(f"keep: expected a number, got {type(keep).__name__}")
        if not 0 <= keep <= 1:
            raise TurnwireError(f"expected keep between 0 and 1, got {keep}", code="out_of_range")
        self._target: DialectName = target
        self._max_bytes = max_bytes
        self._choices = (float(keep), over, system, tools)
        self._options = options
        self._state = _LedgerState()
        self._lock = RLock()
        # A trial request checks all of these options. Its build may fail, as there is no conversation yet.
        with contextlib.suppress(BuildError, RenderError):
            self._after(self._state, [{"role": "user", "content": "?"}], "json", "openai", False, None, None, ())

    @property
    def target(self) -> DialectName:
        """Who takes the requests."""
        return self._target

    def prepare(
        self,
        messages: _Messages,
        *,
        source: SourceName = "auto",
        tool_results: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] = (),
    ) -> Rendered[Any]:
        """The next request, as `prepare` gives it; the ledger remembers it.

        Args:
            messages: The whole list, as `prepare` takes it.
            source: As for `prepare`.
            tool_results: As for `prepare`.
            system: System text to go before that of `messages`.
            tools: Tool definitions to go before those of `messages`.
            pinned: Indices of messages that a cut leaves alone.

        Raises:
            BuildError: `ledger_full` with `over="error"`; else as `prepare`. The ledger stays as it was.
            TurnwireError: As `prepare`.
        """
        return self._next(messages, "objects", source, tool_results, system, tools, pinned)

    def prepare_json(
        self,
        messages: _Messages,
        *,
        source: SourceName = "auto",
        tool_results: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] = (),
    ) -> Rendered[bytes]:
        """The same as `prepare`, with the payload as compact JSON bytes, ready to send."""
        return self._next(messages, "json", source, tool_results, system, tools, pinned)

    def compaction(
        self,
        messages: _Messages,
        *,
        source: SourceName = "auto",
        tool_results: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] = (),
    ) -> Rendered[Any]:
        """The last request once more, with what asks the provider for a summary of it: of Anthropic and of OpenAI.

            asked = ledger.compaction(messages, system=SYSTEM, tools=TOOLS)
            betas = [value for _, value in asked.needs]
            block = client.beta.messages.create(model=MODEL, max_tokens=4096, betas=betas, **asked.payload).content[0]
            messages.append({"role": "assistant", "content": [block]})

            items += client.responses.create(model=MODEL, **asked.payload).output  # with "openai-responses"

        Send it, and append what comes back: from then on it replaces all messages of that request, and the messages
        since then follow it, with their reasoning. OpenAI's does not replace what users and developers said: that stays
        before it. New lines of the system text and new tools are said again. The conversation may go on in the
        meantime; ask for one summary at a time.

        Args:
            messages: The list as it is now; what the last request did not have is left out.
            source: As for `prepare`.
            tool_results: As for `prepare`.
            system: As for `prepare`.
            tools: As for `prepare`.
            pinned: As for `prepare`.

        Raises:
            RenderError: `refused` for a target whose provider summarises of its own accord only, or not at all.
            BuildError, TurnwireError: As `prepare`.
        """
        return self._next(messages, "summary", source, tool_results, system, tools, pinned)

    def _next(
        self,
        messages: _Messages,
        form: Literal["objects", "json", "summary"],
        source: SourceName,
        tool_results: bool,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        pinned: Iterable[int],
    ) -> Rendered[Any]:
        # Each request goes on from the one before it. A callback of the caller's may ask for one, too.
        with self._lock:
            ready = self._after(self._state, messages, form, source, tool_results, system, tools, pinned)
            return self._remembered(ready)

    def _remembered(self, ready: Rendered[Any]) -> Rendered[Any]:
        state = ready._ledger
        assert state is not None
        self._state = state
        return ready

    def _after(
        self,
        state: _LedgerState,
        messages: _Messages,
        form: Literal["objects", "json", "summary"],
        source: SourceName,
        tool_results: bool,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        pinned: Iterable[int],
        *,
        relay: tuple[bool, bool, bool] = (False, False, False),
        takes: tuple[Container[str], Container[str]] = (_CHANGE, _CHANGE),
    ) -> Rendered[Any]:
        """The request that goes on from a state, which is not remembered here.

        `relay` is for a framework that writes the request itself. `takes`: what can become of other system text there,
        and of other tools; where the choice is not among it, the change is a break.
        """
        keep, over, *changes = self._choices
        on_system, on_tools = (
            choice if choice in taken else "break" for choice, taken in zip(changes, takes, strict=True)
        )
        return _ledger_prepared(
            messages,
            self._target,
            self._max_bytes,
            state,
            (keep, over, on_system, on_tools),
            form,
            source,
            tool_results,
            system,
            tools,
            relay,
            pinned=tuple(pinned),
            **self._options,
        )

    def state(self) -> bytes:
        """What the next request has to know, as JSON: for `Ledger.load` in another process, or `prepare(…, after=)`.

        It holds target and budget, decisions and hashes, and of what was said only system text, tools and notes.
        """
        keep, over, system, tools = self._choices
        settings = {
            "max_bytes": self._max_bytes,
            "max_tokens": self._options.get("max_tokens"),
            "keep": keep,
            "over": over,
            "system": system,
            "tools": tools,
        }
        return self._state.with_settings(json.dumps({**settings, "target": self._target})).to_bytes()

    @classmethod
    def load(cls, state: bytes, **options: Unpack[LedgerOptions]) -> Ledger:
        """The ledger that gave this state. Target and budget are in it; other options are given again.

        Args:
            state: What `state()` gave, of this version of turnwire or an earlier one.
            options: `count` where tokens are counted, and what else the ledger was made with.

        Raises:
            TurnwireError: `bad_state` for anything else, or what a later version wrote; as the class.
            TypeError: An argument of another type.
        """
        if not isinstance(state, bytes):
            raise TypeError(f"state: expected bytes, got {type(state).__name__}")
        kept = _LedgerState(state)
        settings = json.loads(kept.settings)
        if not isinstance(settings, dict):
            raise TurnwireError(
                "expected the state of a ledger, got that of a request: give it to prepare(after=)", code="bad_state"
            )
        try:
            given: dict[str, Any] = {name: settings[name] for name in ("keep", "over", "system", "tools")}
            target, max_bytes, max_tokens = settings["target"], settings["max_bytes"], settings["max_tokens"]
        except KeyError as missing:
            raise TurnwireError(
                f"expected the state of a ledger, got one without {missing}", code="bad_state"
            ) from None
        if max_tokens is not None:
            given["max_tokens"] = max_tokens
        ledger = cls(target, max_bytes, **{**given, **options})
        ledger._state = kept
        return ledger

    def forget(self) -> None:
        """Begin again with the next request: for a reset, or a deliberate break.

        What is known of each block of reasoning stays known, so that none goes out that would be refused.
        """
        self._state = self._state.forgotten()

    @property
    def breaks(self) -> tuple[tuple[int, str], ...]:
        """Every request that did not go on where the one before it ended: the length of your list, and where in it."""
        return self._state.breaks

    def __reduce__(self) -> tuple[Callable[..., Ledger], tuple[bytes, LedgerOptions]]:
        return _restored, (self.state(), self._options)

    def __repr__(self) -> str:
        return f"<Ledger: {self._target}, {len(self.breaks)} break{'' if len(self.breaks) == 1 else 's'}>"


def _restored(state: bytes, options: LedgerOptions) -> Ledger:
    return Ledger.load(state, **options)


def _chosen(name: str, value: object, known: tuple[str, ...]) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, got {type(value).__name__}")
    if value not in known:
        words = ", ".join(repr(word) for word in known)
        raise TurnwireError(f"expected {name} to be one of {words}, got {value!r}", code="unknown_option")
