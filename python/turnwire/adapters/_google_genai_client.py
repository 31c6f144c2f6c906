"""Copies Google's client so that what it posts is prepared first; the copy shares the connections."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from ._summaries import later

__all__ = ["wrapped"]

_C = TypeVar("_C")
_Prepared = Callable[[str, Any], Any]
"""From the path and the body to the body that is posted."""


def wrapped(client: _C, prepared: _Prepared) -> _C:
    """A copy of `client` whose API client prepares each body. All services send through that API client."""
    old: Any = client._api_client  # type: ignore[attr-defined]
    plain: Any = type(old)
    below: tuple[_Prepared, ...] = ()
    if hasattr(old, "_turnwire"):
        # A client that is wrapped twice: requests pass through both wrappers, the new one first.
        plain, below = plain.__mro__[1], old._turnwire[0]
    api: Any = object.__new__(_prepares(plain))
    # Both have one state, so that they also share sessions and tokens that are made later.
    api.__dict__ = old.__dict__
    # The original closes the connections when it is deleted, so it must live as long as the copy.
    api._turnwire = (prepared, *below), client
    made: _C = _rebound(client, old, api)
    return made


def _rebound(one: Any, old: Any, new: Any) -> Any:
    """A copy of a client or service, with its services, that sends through `new` instead of `old`."""
    kind: Any = type(one)
    made: Any = object.__new__(_unowned(kind))
    for name, held in vars(one).items():
        sends = getattr(held, "_api_client", None) is old
        setattr(made, name, new if held is old else _rebound(held, old, new) if sends else held)
    return made


@cache
def _unowned(kind: Any) -> Any:
    """A subclass that closes nothing when it is deleted."""
    if not hasattr(kind, "__del__"):
        return kind
    return type(kind.__name__, (kind,), {"__del__": _nothing, "__module__": kind.__module__})


def _nothing(self: object) -> None:
    """Close nothing: the connections are another object's."""


@cache
def _prepares(kind: Any) -> type:
    """A subclass of the API client that prepares each body before it posts it."""

    class Prepares(kind):
        # A slot, because the instance's dict is shared with the original.
        __slots__ = ("_turnwire",)
        __del__ = _nothing

        def _prepared(self, path: str, body: Any) -> Any:
            for step in self._turnwire[0]:
                body = step(path, body)
            return body

        async def _prepared_later(self, path: str, body: Any) -> Any:
            for step in self._turnwire[0]:
                # Each on its own: the first one reports once, though the second one waits and runs again.
                body = await later(partial(step, path, body))
            return body

        def request(self, http_method: str, path: str, request_dict: Any, *args: Any, **more: Any) -> Any:
            return kind.request(self, http_method, path, self._prepared(path, request_dict), *args, **more)

        def request_streamed(self, http_method: str, path: str, request_dict: Any, *args: Any, **more: Any) -> Any:
            return kind.request_streamed(self, http_method, path, self._prepared(path, request_dict), *args, **more)

        async def async_request(self, http_method: str, path: str, request_dict: Any, *args: Any, **more: Any) -> Any:
            body = await self._prepared_later(path, request_dict)
            return await kind.async_request(self, http_method, path, body, *args, **more)

        async def async_request_streamed(
            self, http_method: str, path: str, request_dict: Any, *args: Any, **more: Any
        ) -> Any:
            body = await self._prepared_later(path, request_dict)
            return await kind.async_request_streamed(self, http_method, path, body, *args, **more)

    return Prepares
