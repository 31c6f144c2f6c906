"""The stable codes, each with its meaning."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from . import _core

__all__ = ["CHANGES", "DIFFS", "ERRORS", "ChangeMeaning", "DiffMeaning", "ErrorMeaning"]


class ChangeMeaning(NamedTuple):
    """What a code of a change means."""

    kinds: tuple[str, ...]
    """The kinds that a change with this code may have."""
    meaning: str
    """What it means, in a sentence or two."""


class ErrorMeaning(NamedTuple):
    """What a code of an error means."""

    error: type[Exception]
    """The exception that has it."""
    meaning: str
    """What it means."""


class DiffMeaning(NamedTuple):
    """What a code of a difference means."""

    edit: bool
    """Whether it is an edit of what was sent."""
    meaning: str
    """What it means."""


_MEANINGS: Final = {**_core.finding_codes(), **_core.loss_codes(), **_core.change_codes()}
_KINDS: Final = _core._edit_kinds()

CHANGES: Final[Mapping[str, ChangeMeaning]] = MappingProxyType(
    {code: ChangeMeaning(tuple(_KINDS.get(code, ["warning"])), meaning) for code, meaning in _MEANINGS.items()}
)
"""The codes of changes, losses and warnings."""
ERRORS: Final[Mapping[str, ErrorMeaning]] = MappingProxyType(
    {code: ErrorMeaning(*said) for code, said in _core.error_codes().items()}
)
"""The codes of `TurnwireError`."""
DIFFS: Final[Mapping[str, DiffMeaning]] = MappingProxyType(
    {code: DiffMeaning(*said) for code, said in _core.diff_codes().items()}
)
"""The codes of `Diff`."""
