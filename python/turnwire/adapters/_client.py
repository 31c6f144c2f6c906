"""Wraps an SDK's client so that each request is prepared before it is sent; all else is unchanged."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from turnwire import detect, dialects
from turnwire._core import Change, _dialect_table
from turnwire._families import family
from turnwire.errors import TurnwireError
from turnwire.types import DialectName, SourceName

from ._foreign import domestic
from ._learning import Attempt, Learner
from ._ledgers import Carrier
from ._policy import LISTS, Policy
from ._way import Sent, Step, Way

__all__ = ["Sent", "Step", "learned_body", "prepared_body", "profile", "wrapped"]

_C = TypeVar("_C")


_CARRIER: Final = Carrier(system=True, tools=True)


def wrapped(client: _C, step: Step, awaits: bool) -> _C:
    """A copy of `client` that shares its connections and posts what the step makes of a request.

    `awaits` says whether the client is asynchronous. Every way to send ends in the client's own `post`:
    helpers that stream or parse, raw responses, tool runners. The new `post` is set on the copy and not in a subclass,
    because the SDKs check for their exact classes.
    """
    # A client that is wrapped twice: requests pass through both wrappers, the new one first.
    below, _ = vars(client).get("_turnwire", ((), False))
    made: _C = _sending(copy.copy(client), client, (step, *below), awaits)
    return made


def _sending(made: Any, client: Any, steps: tuple[Step, ...], awaits: bool) -> Any:
    """`made`, a copy of `client`, which posts what the steps make of a request, one after the other."""
    kind = type(made)

    def sent(path: str, way: Way, more: dict[str, Any]) -> Any:
        options = dict(more.get("options") or {})
        if way.is_whole:
            options.pop("extra_json")
        if way.needs:
            options = _with_headers(options, way.needs, made.default_headers)
        return kind.post(made, path, body=way.body, **(more | {"options": options} if options or more else more))

    def post(path: str, *, body: Any = None, **more: Any) -> Any:
        way = Way(made, steps, _endpoint(path), _listed(body), more)
        return way.go(lambda: sent(path, way, more))

    async def post_later(path: str, *, body: Any = None, **more: Any) -> Any:
        way = Way(made, steps, _endpoint(path), _listed(body), more)
        return await way.go_later(lambda: sent(path, way, more))

    def again(*args: Any, **more: Any) -> Any:
        other = kind.copy(made, *args, **more)
        return _sending(other, other, steps, awaits)

    made.post, made.copy, made.with_options = post_later if awaits else post, again, again
    made._turnwire = steps, awaits
    for name, held in [*vars(made).items()]:
        # Resources that were already made keep the client that made them, and would send through it.
        if getattr(held, "_client", None) is client:
            setattr(made, name, type(held)(made))
    return made


def _endpoint(path: str) -> str:
    """The path without its query, however it is spelled."""
    return "/" + path.partition("?")[0].strip("/")


def _listed(body: Any) -> Any:
    """The body with lists in place of iterators, which can be read only once."""
    found = [key for key in LISTS if isinstance(body, Mapping) and isinstance(body.get(key), Iterable)]
    made = {key: list(body[key]) for key in found if not isinstance(body[key], str | bytes | list | Mapping)}
    return {**body, **made} if made else body


def _with_headers(
    options: Mapping[str, Any], needs: Iterable[Mapping[str, str]], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """The SDK's options of a request with values added to its headers. A header may be a list."""
    headers = dict(options.get("headers") or {})
    for name, value in ((name, one) for needed in needs for name, all_ in needed.items() for one in all_.split(",")):
        known = next((key for key in (*headers, *defaults) if key.lower() == name), name)
        # A header of the request takes the place of the client's own.
        said = headers.get(known, defaults.get(known))
        values = said.split(",") if isinstance(said, str) and said else []
        if value not in (one.strip() for one in values):
            headers[known] = ",".join([*values, value])
    return {**options, "headers": headers}


def profile(policy: Policy, *dialects: DialectName) -> dict[str, DialectName]:
    """The dialect of a client's requests in each of these formats, if `target` names a row of it.

    Raises:
        TurnwireError: `unknown_option` for a target of another dialect, which the client could not send.
    """
    if policy.target is None:
        return {}
    whose = family(policy.target)
    if whose not in dialects:
        known = " or ".join(map(repr, dialects))
        expected = f"expected {known} or one of its profiles as target, got {policy.target!r}"
        raise TurnwireError(expected, code="unknown_option")
    return {whose: policy.target}


def learned_body(policy: Policy, learner: Learner, attempt: Attempt, absent: tuple[type, ...]) -> Sent:
    """The same for a client that learns: the row and the settings are as it has learned them."""
    given = {key: value for key, value in attempt.asked.items() if not isinstance(value, absent)}
    dialect, said = learner.built(attempt, given)
    settings, told = learner.settings(attempt, said, dialect, _keys(dialect))
    return prepared_body(policy, settings, dialect, absent, told)


def prepared_body(
    policy: Policy, body: Any, dialect: DialectName, absent: tuple[type, ...], told: Sequence[Change] = ()
) -> Sent:
    """The body of a request with its conversation prepared. Its other keys do not change. `told` is lost already."""
    if not isinstance(body, Mapping):
        return body, {}
    given = {key: value for key, value in body.items() if not isinstance(value, absent)}
    if not any(given.get(key) for key in LISTS):
        # The server has the messages: a stored prompt, or a conversation that it continues.
        return given, {}
    read, lost = given, list[Change]()
    source: SourceName = "auto"
    if "messages" in given and family(dialect) == "openai" and not _is_foreign(given):
        # A body is in its endpoint's dialect, even with other providers' blocks in it.
        messages, lost = domestic(given["messages"], policy.as_text)
        read, source = {**given, "messages": messages}, dialect
    ready = policy.prepared(read, source, dialect, dialect, lost=[*lost, *told], carrier=_CARRIER)
    if ready is None:
        return given, {}
    if policy.converts:
        return ready.payload, ready.headers
    ours = _keys(dialect)
    return {key: value for key, value in given.items() if key not in ours} | ready.payload, ready.headers


def _is_foreign(body: Mapping[str, Any]) -> bool:
    """Whether a whole body is in the format of another provider than OpenAI."""
    try:
        found = detect(body)
    except TurnwireError:
        return False
    # What only a layout claims is no body of a provider.
    return found in dialects() and family(found) != "openai"


@cache
def _keys(dialect: DialectName) -> frozenset[str]:
    """The keys of a body that hold its conversation."""
    payload = next(dict(row)["payload"] for name, row in _dialect_table() if name == family(dialect))
    return frozenset(key.partition(".")[0] for key in payload.replace("`", "").split(", "))
