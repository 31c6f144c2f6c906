"""The stable codes, each with its meaning."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from . import _core

__all__ = ["CHANGES", "DIFFS", "ERRORS", "ChangeMeaning", "DiffMeaning", "ErrorMeaning"]


class ChangeMeaning(NamedTuple):
    """What a code of a change means."""

    kinds: Mapping[str, str]
    """The kinds that a change with this code may have, each with what is done, as a clause; empty for a warning."""
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


CHANGES: Final[Mapping[str, ChangeMeaning]] = MappingProxyType(
    {code: ChangeMeaning(dict(kinds), meaning) for code, (kinds, meaning) in _core._change_codes().items()}
)
"""The codes of a `Change`."""
ERRORS: Final[Mapping[str, ErrorMeaning]] = MappingProxyType(
    {code: ErrorMeaning(*said) for code, said in _core.error_codes().items()}
)
"""The codes of `TurnwireError`."""
DIFFS: Final[Mapping[str, DiffMeaning]] = MappingProxyType(
    {code: DiffMeaning(*said) for code, said in _core.diff_codes().items()}
)
"""The codes of `Diff`."""
