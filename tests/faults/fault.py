"""A fault: one thing wrong with a payload, registered by the files of the fault groups."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .payload import PROFILES, VIEWS, Payload


def group(name: str) -> tuple[str, ...]:
    """The dialects whose view lists this group."""
    return tuple(dialect for dialect in EVERY if name in VIEWS[dialect].GROUPS)


# Every dialect (its profiles have the same kinds), and the dialects whose calls have ids.
EVERY = tuple(dialect for dialect in VIEWS if dialect not in PROFILES)
WITH_IDS = tuple(dialect for dialect in EVERY if VIEWS[dialect].HAS_IDS)
# Turns with a role and content; among them requests to providers, and those that can name a tool to call.
MESSAGES, CHAT, CHOOSING = group("messages"), group("chat"), group("choosing")
# Dialects whose calls and results are typed blocks; and Chat Completions with the dialects like it.
BLOCKS, FAMILY = group("blocks"), group("family")


@dataclass(frozen=True)
class Fault:
    """A kind of fault, its dialects, and a function that makes it; `NoPlaceError` where it cannot be made."""

    kind: str
    variant: str
    dialects: tuple[str, ...]
    spoil: Callable[[Payload], None]

    @property
    def name(self) -> str:
        return f"{self.kind} ({self.variant})" if self.variant else self.kind


FAULTS: dict[str, Fault] = {}


def fault(
    dialects: tuple[str, ...] | str, variants: Mapping[str, Any] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a function as a kind of fault, with its variants where it has some.

    The name of a kind is made of the function's file, its name and its variant: `empty: user content (null)`.
    """
    known = (dialects,) if isinstance(dialects, str) else dialects
    known += tuple(profile for profile in PROFILES if profile.partition(":")[0] in known)

    def register(spoil: Callable[..., None]) -> Callable[..., None]:
        kind = f"{spoil.__module__.rpartition('.')[2]}: {spoil.__name__.replace('_', ' ')}"
        if variants is None:
            _add(Fault(kind, "", known, spoil))
        for variant, value in (variants or {}).items():
            _add(Fault(kind, variant, known, _with(spoil, value)))
        return spoil

    return register


def _with(spoil: Callable[..., None], value: Any) -> Callable[[Payload], None]:
    return lambda payload: spoil(payload, value)


def _add(one: Fault) -> None:
    if one.name in FAULTS:
        raise ValueError(f"two faults of one name: {one.name}")
    FAULTS[one.name] = one
