"""`wrap`: the adapter for a client, found by the client's class."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, Unpack

from ._signature import spelled_out
from .types import AdapterOptions

if TYPE_CHECKING:
    from ._core import Budget

__all__ = ["wrap"]

_C = TypeVar("_C")
_ADAPTERS: Final = {"openai": "openai", "anthropic": "anthropic", "google.genai": "google_genai"}
"""The adapter for the clients of a package."""


@spelled_out
def wrap(client: _C, budget: int | Budget | None = None, **options: Unpack[AdapterOptions]) -> _C:
    """A copy of an SDK's client that prepares each request before it is sent.

        client = wrap(OpenAI(), 300_000, on_receipt=print)

    Args:
        client: A client of `openai`, `anthropic` or `google.genai`, synchronous or not.
        budget: The most UTF-8 bytes of a request's messages, or a `Budget`; None for no limit.
        options: Those of the adapter: the keyword arguments of `prepare`, `target`, `on_receipt`, `ledger`, `on_error`.

    Raises:
        TypeError: No adapter wraps a client of this class.
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its messages.
    """
    packages = [base.__module__ for base in type(client).__mro__]
    for package, adapter in _ADAPTERS.items():
        if any(f"{one}.".startswith(f"{package}.") for one in packages):
            made: Any = import_module(f".adapters.{adapter}", __package__).wrap(client, budget, **options)
            return made  # type: ignore[no-any-return]
    kind = type(client)
    known = ", ".join(_ADAPTERS)
    raise TypeError(
        f"client: expected a client of {known}, got {kind.__module__}.{kind.__qualname__}: send what prepare returns "
        "yourself, as the page 'Send it' shows for each client"
    )
