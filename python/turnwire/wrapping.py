"""`wrap`: the adapter for a client, found by the client's class; `learned`: what a wrapped client has learned."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, Unpack

from ._signature import spelled_out
from .types import AdapterOptions

if TYPE_CHECKING:
    from ._core import Budget
    from ._servers import Server

__all__ = ["learned", "wrap"]

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


def learned(client: object) -> dict[str, Server]:
    """The rows of a client's server with what was learned from its refusals, by the model; `""` is for every model.

        client = wrap(OpenAI(base_url=url), learn=True)
        ...
        print(learned(client)[""].toml())

    A row that was learned for one model only is under that model's name. Write the rows into your program, so that the
    next process need not learn them. An OpenAI client has a second format: the rows of Responses are under
    `"/responses"` and `"/responses MODEL"`.

    Args:
        client: What `wrap` returned, or a copy of it.

    Raises:
        TypeError: `client` is not a wrapped client of `openai` or `anthropic`.
    """
    held: Any = getattr(client, "_turnwire", None)
    steps = held[0] if isinstance(held, tuple) and held else ()
    if not (isinstance(steps, tuple) and steps and hasattr(steps[0], "learner")):
        kind = type(client)
        raise TypeError(f"client: expected what wrap returned for a client, got {kind.__module__}.{kind.__qualname__}")
    made: dict[str, Server] = {}
    for step in reversed(steps):
        made |= step.learner.rows(step.targets(client))
    return made
