"""`Ledger`: the requests of one conversation, each of which continues the one before it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Container, Iterable
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast

from ._core import Rendered, _html, _ledger_prepared, _LedgerState
from ._idle_options import taken
from ._signature import spelled_out
from .errors import BuildError, RenderError, TurnwireError

if TYPE_CHECKING:
    from ._core import _Messages
    from .names import DialectName, SourceName

__all__ = ["Ledger", "LedgerOptions"]


class LedgerOptions(TypedDict, total=False):
    """The options of `prepare` for every request of a ledger, with the same meaning as there."""

    max_tokens: int | None
    count: Callable[[str], int] | None
    max_result_bytes: int | None
    max_result_tokens: int | None
    model: str | None
    prefill: bool
    opening: str | None
    omitted: str | None
    missing_result: str | None
    strict: bool
    reasoning: Literal["valid", "keep", "drop", "text"]
    blobs: Literal["base64", "raw"]
    assistant_role: Literal["gemini", "chatgpt"] | None
    cache: Literal["auto"] | None
    on_cut: Callable[[str, str, str], object] | None


_OVER = ("cut", "error", "soft")
_CHANGE = ("append", "freeze", "break")
_STORED = {
    "target": str,
    "max_bytes": int | None,
    "max_tokens": int | None,
    "keep": int | float,
    "over": str,
    "system": str,
    "tools": str,
}
"""The types of the settings in a state."""


class Ledger:
    """The requests of one conversation. What was sent and answered stays, byte for byte; new messages are appended.

        ledger = Ledger("anthropic", 200_000, model=MODEL)
        ready = ledger.prepare(messages, system=SYSTEM, tools=TOOLS)
        reply = client.messages.create(model=MODEL, max_tokens=4096, **ready.payload)

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
            target: The dialect of the requests, one of `dialects()`.
            max_bytes: The most UTF-8 bytes, as `MessageBuilder.set_budget` counts them. The options `max_tokens` and
                `count` count tokens instead.
            keep: The share of the budget, from 0 to 1, that a cut leaves. With a smaller share there are fewer cuts,
                and the model sees less after each.
            over: What happens when the budget is full. `"cut"` makes a cut. `"error"` raises BuildError `ledger_full`,
                and you make room. `"soft"` sends everything, for servers that clear old results themselves.
            system: What happens when the system text changes. `"append"` adds the new lines at the end, if the target
                takes system text there; otherwise this is a break. `"freeze"` keeps the first text. `"break"` sends the
                new text, which is a break.
            tools: What happens when the tools change. `"append"` adds new tools with a message, if the target has one
                for that; otherwise this is a break. `"freeze"` keeps the first tools. `"break"` sends the new ones,
                which is a break.
            options: The options of `prepare` that follow, for every request.
            max_tokens: The most tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a warning.
            count: Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again
                for each text that is cut.
            max_result_bytes: The most UTF-8 bytes of each tool result, marker included. A larger result is cut once,
                whatever the budget.
            max_result_tokens: The most tokens of each tool result, as `count` counts them, instead of
                `max_result_bytes`.
            model: The model's name, needed if the messages come without a body that names it. Some models check signed
                reasoning, and some refuse certain settings. With `rest="convert"`, the name is also written to the
                body.
            prefill: The last assistant turn is the beginning of the reply. Not all models accept that.
            opening: The user text to put first if the target requires the user to begin. With None, that raises
                `BuildError`.
            omitted: A note in the user's name, put once where the budget left messages out. It counts for the budget.
            missing_result: The text of the result for a call without one. `MISSING_RESULT` if None.
            strict: Raise `RenderError` at the first thing that the target cannot express.
            reasoning: Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"`
                all of the target's own, although something before it has changed, `"drop"` none, for a provider that
                refuses it. `"text"` is `"valid"`, and readable reasoning of other providers becomes text.
            blobs: How to write new media data: as base64 text, or as raw bytes for clients that take bytes (boto3).
            assistant_role: For `structured`: the role to write for the assistant of another dialect. None writes
                `chatgpt` for OpenAI's dialects, and `gemini` for others.
            cache: `"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`):
                at the end, before the newest reply, and at the end of the system text and the tools. There are at most
                four, yours included. Each is a loss `cache_mark` of the kind `changed`. None adds none.
            on_cut: Called with the call's id, the SHA-256 of the full text and the full text, for each result that is
                cut.

        Raises:
            TurnwireError: `unknown_option`, also for an option of `prepare` that has no effect in a ledger;
                `out_of_range`, `conflicting_options`, `unknown_dialect`.
            TypeError: An argument has the wrong type.
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
        self._options = cast("LedgerOptions", taken(LedgerOptions.__annotations__, options))
        self._state = _LedgerState()
        self._lock = RLock()
        # A trial request checks all of these options. Its build may fail, because there is no conversation yet.
        with contextlib.suppress(BuildError, RenderError):
            self._after(self._state, [{"role": "user", "content": "?"}], "json", "openai", False, None, None, ())

    @property
    def target(self) -> DialectName:
        """The dialect of the requests."""
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
        """The next request, as `prepare` returns it. The ledger remembers it.

        Args:
            messages: The whole list: messages in any dialect, or in several, a request body, or a conversation.
            source: The dialect of `messages`; `"auto"` detects it for each message that was not sent before.
            tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.
            system: System text to put before that of `messages`.
            tools: Tool definitions to put before those of `messages`.
            pinned: Indices of messages that a cut neither cuts nor drops. `max_result_bytes` does not
                apply to them. But what was sent and answered stays cut or whole, as it was.

        Raises:
            BuildError: `ledger_full` with `over="error"`; otherwise as in `prepare`. The ledger does not change then.
            TurnwireError: As in `prepare`.
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
        """The last request again, with what asks Anthropic or OpenAI for a summary of it.

            asked = ledger.compaction(messages, system=SYSTEM, tools=TOOLS)
            betas = [value for _, value in asked.needs]
            block = client.beta.messages.create(model=MODEL, max_tokens=4096, betas=betas, **asked.payload).content[0]
            messages.append({"role": "assistant", "content": [block]})

            items += client.responses.create(model=MODEL, **asked.payload).output  # with "openai-responses"

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
            tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.
            system: System text to put before that of `messages`.
            tools: Tool definitions to put before those of `messages`.
            pinned: Indices of messages that a cut neither cuts nor drops.

        Raises:
            RenderError: `refused` for a target whose provider cannot be asked for a summary.
            BuildError, TurnwireError: As in `prepare`.
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
        # The lock makes each request continue the one before it. It is reentrant: a callback may also ask for one.
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
        """The request that continues a state. The ledger does not remember it here.

        `relay` is for a framework that writes the request itself. `takes` has the choices for changed system text, and
        for changed tools, that the framework can carry out. For any other choice, a change is a break.
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
        """What the next request needs, as JSON: for `Ledger.load` in another process, or `prepare(…, after=)`.

        It has the target, the budget, decisions and hashes. Of the conversation's text it has only the system text, the
        tools and notes.
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
    @spelled_out
    def load(cls, state: bytes, **options: Unpack[LedgerOptions]) -> Ledger:
        """The ledger that returned this state. The state has its target and budget; pass other options again.

        Args:
            state: What `state()` returned, in this version of turnwire or an earlier one.
            options: `count` if the budget is in tokens, and the other options that the ledger was made with.

        Raises:
            TurnwireError: `bad_state` for any other bytes, or a state of a later version; also as in the class.
            TypeError: An argument has the wrong type.
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
        for name, known in _STORED.items():
            value = settings[name]
            if isinstance(value, bool) or not isinstance(value, known):
                got = type(value).__name__
                text = f"expected the state of a ledger, got one with {name} of the type {got}"
                raise TurnwireError(text, code="bad_state", path=f"$.settings.{name}")
        if max_tokens is not None:
            given["max_tokens"] = max_tokens
        ledger = cls(target, max_bytes, **{**given, **options})
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

    def __reduce__(self) -> tuple[Callable[..., Ledger], tuple[bytes, LedgerOptions]]:
        return _restored, (self.state(), self._options)

    def __repr__(self) -> str:
        return f"<Ledger: {self._target}, {len(self.breaks)} break{'' if len(self.breaks) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return _html(self, ["target", "breaks"])


def _restored(state: bytes, options: LedgerOptions) -> Ledger:
    return Ledger.load(state, **options)


def _chosen(name: str, value: object, known: tuple[str, ...]) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a str, got {type(value).__name__}")
    if value not in known:
        words = ", ".join(repr(word) for word in known)
        raise TurnwireError(f"expected {name} to be one of {words}, got {value!r}", code="unknown_option")
