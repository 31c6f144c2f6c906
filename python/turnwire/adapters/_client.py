"""Wraps an SDK's client so that each request is prepared before it is sent; all else is unchanged."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, TypeVar

from turnwire import detect
from turnwire._core import Loss, _dialect_table
from turnwire.errors import TurnwireError
from turnwire.names import DialectName, SourceName

from ._foreign import domestic
from ._ledgers import Carrier
from ._policy import LISTS, Policy
from ._summaries import later

__all__ = ["Sent", "prepared_body", "profile", "wrapped"]

_C = TypeVar("_C")


Sent = tuple[Any, tuple[tuple[str, str], ...]]
"""A body, and the headers that it needs, each as its name and one value."""
_CARRIER: Final = Carrier(system=True, tools=True)
_Prepared = Callable[[Any, str, Any], Sent]
"""From the client that posts, the path and the body to what is sent instead."""


def wrapped(client: _C, prepared: _Prepared, waits: bool) -> _C:
    """A copy of `client` that shares its connections and posts what `prepared` returns.

    `waits` says whether `prepared` may have to await something. Every way to send ends in the client's own `post`:
    helpers that stream or parse, raw responses, tool runners. The new `post` is set on the copy and not in a subclass,
    because the SDKs check for their exact classes.
    """
    kind: Any = type(client)
    made: Any = copy.copy(client)
    if (below := vars(made).get("_turnwire")) is not None:
        # A client that is wrapped twice: requests pass through both wrappers.
        prepared, waits = _through(prepared, below[0]), waits or below[1]

    def sent(path: str, ready: Sent, more: dict[str, Any]) -> Any:
        body, needs = ready
        if needs:
            more["options"] = _with_headers(more.get("options") or {}, needs)
        return kind.post(made, path, body=body, **more)

    def post(path: str, *, body: Any = None, **more: Any) -> Any:
        return sent(path, prepared(made, path.partition("?")[0], body), more)

    async def post_later(path: str, *, body: Any = None, **more: Any) -> Any:
        return await sent(path, await later(lambda: prepared(made, path.partition("?")[0], body)), more)

    def again(*args: Any, **more: Any) -> Any:
        return wrapped(kind.copy(made, *args, **more), prepared, waits)

    made.post, made.copy, made.with_options = post_later if waits else post, again, again
    made._turnwire = prepared, waits
    for name, held in [*vars(made).items()]:
        # Resources that were already made keep the client that made them, and would send through it.
        if getattr(held, "_client", None) is client:
            setattr(made, name, type(held)(made))
    wrapper: _C = made
    return wrapper


def _through(first: _Prepared, then: _Prepared) -> _Prepared:
    def both(client: Any, path: str, body: Any) -> Sent:
        body, needs = first(client, path, body)
        body, more = then(client, path, body)
        return body, (*needs, *more)

    return both


def _with_headers(options: Mapping[str, Any], needs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The SDK's options of a request with values added to its headers. A header may be a list."""
    headers = dict(options.get("headers") or {})
    for name, value in needs:
        known = next((key for key in headers if key.lower() == name), name)
        said = headers.get(known)
        values = said.split(",") if isinstance(said, str) and said else []
        if value not in (one.strip() for one in values):
            headers[known] = ",".join([*values, value])
    return {**options, "headers": headers}


def profile(policy: Policy, dialect: DialectName) -> DialectName:
    """The dialect of a client's requests, or the profile of it that `target` names.

    Raises:
        TurnwireError: `unknown_option` for a target of another dialect, which the client could not send.
    """
    if policy.target is not None and _family(policy.target) != dialect:
        expected = f"expected {dialect!r} or one of its profiles as target, got {policy.target!r}"
        raise TurnwireError(expected, code="unknown_option")
    return policy.target or dialect


def prepared_body(policy: Policy, body: Any, dialect: DialectName, absent: tuple[type, ...]) -> Sent:
    """The body of a request with its conversation prepared. Its other keys do not change."""
    if not isinstance(body, Mapping):
        return body, ()
    given = {key: value for key, value in body.items() if not isinstance(value, absent)}
    for key in given.keys() & {*LISTS}:
        if not isinstance(given[key], str | list) and isinstance(given[key], Iterable):
            given[key] = list(given[key])
    if not any(given.get(key) for key in LISTS):
        # The server has the messages: a stored prompt, or a conversation that it continues.
        return given, ()
    read, lost = given, list[Loss]()
    source: SourceName = "auto"
    if "messages" in given and _family(dialect) == "openai" and not _is_foreign(given):
        # A body is in its endpoint's dialect, even with other providers' blocks in it.
        messages, lost = domestic(given["messages"])
        read, source = {**given, "messages": messages}, dialect
    ready = policy.prepared(read, source, dialect, dialect, lost=lost, carrier=_CARRIER)
    if ready is None:
        return given, ()
    if policy.converts:
        return ready.payload, ready.needs
    ours = _keys(dialect)
    return {key: value for key, value in given.items() if key not in ours} | ready.payload, ready.needs


def _is_foreign(body: Mapping[str, Any]) -> bool:
    """Whether a whole body is in the format of another provider than OpenAI."""
    try:
        return _family(detect(body)) != "openai"
    except TurnwireError:
        return False


def _family(dialect: str) -> str:
    return dialect.partition(":")[0]


@cache
def _keys(dialect: DialectName) -> frozenset[str]:
    """The keys of a body that hold its conversation."""
    payload = next(dict(row)["payload"] for name, row in _dialect_table() if name == dialect)
    return frozenset(key.partition(".")[0] for key in payload.replace("`", "").split(", "))
