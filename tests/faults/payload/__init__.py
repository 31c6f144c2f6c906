"""Payloads that faults may change, a file for each dialect; a new file is a new dialect."""

import importlib
import pkgutil
import random
from typing import Any

from .view import ABSENT, PDF, PNG, Call, Json, NoPlaceError, Payload, Result, plain, put, text

__all__ = [
    "ABSENT",
    "PDF",
    "PNG",
    "PROFILES",
    "VIEWS",
    "Call",
    "Json",
    "NoPlaceError",
    "Payload",
    "Result",
    "payload",
    "plain",
    "put",
    "text",
]


def _view(name: str) -> type[Payload]:
    """The one class of a file."""
    module = importlib.import_module(f"{__name__}.{name}")
    (view,) = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    return view


_FILES = [name for _, name, _ in pkgutil.iter_modules(__path__) if name not in ("view", "json_text", "ui_parts")]
VIEWS = {_view(name).NAME or name.replace("_", "-"): _view(name) for name in _FILES}
# The profiles that have the faults of their dialect.
PROFILES = tuple(f"{dialect}:{profile}" for dialect, view in VIEWS.items() for profile in view.PROFILES)
VIEWS |= {name: VIEWS[name.partition(":")[0]] for name in PROFILES}


def payload(dialect: str, body: Any, dice: random.Random, first_word: int = 1) -> Payload:
    """The payload of a dialect."""
    return VIEWS[dialect](body, dice, first_word)
