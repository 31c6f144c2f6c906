"""Sound conversations to spoil, a file for each dialect: our own, and those that real servers have accepted.

A file holds `OWN`, its conversations, and `JUDGE`, which checks them. `PROFILES` holds both for each profile of the
dialect, where it has some. Where requests have been recorded, `KEYS` names the keys of a request body that turnwire
writes. All other keys of a request are its caller's.
"""

import importlib
import random
from functools import cache
from typing import Any

import recordings

from faults.judge import Judge
from faults.payload import PROFILES, VIEWS, payload

_NAMES = {dialect: view.__module__.rpartition(".")[2] for dialect, view in VIEWS.items() if dialect not in PROFILES}
_FILES = {dialect: importlib.import_module(f"{__name__}.{name}") for dialect, name in _NAMES.items()}
OWN: dict[str, list[Any]] = {dialect: file.OWN for dialect, file in _FILES.items()}
JUDGES: dict[str, Judge] = {dialect: file.JUDGE for dialect, file in _FILES.items()}
for _dialect, _profile in (name.split(":") for name in PROFILES):
    JUDGES[f"{_dialect}:{_profile}"], OWN[f"{_dialect}:{_profile}"] = _FILES[_dialect].PROFILES[_profile]
KEYS: dict[str, tuple[str, ...]] = {dialect: file.KEYS for dialect, file in _FILES.items() if hasattr(file, "KEYS")}


def _marked(dialect: str, body: Any) -> Any:
    marked = payload(dialect, body, random.Random(0))
    marked.mark()
    return marked.made()


@cache
def own(dialect: str) -> list[Any]:
    """What the dialect's file writes."""
    return [_marked(dialect, body) for body in OWN[dialect]]


@cache
def recorded(dialect: str) -> list[Any]:
    """Requests that a server has accepted, without the caller's keys; none where the recordings are missing."""
    requests = [record["request"] for record in recordings.recorded(dialect)] if dialect in KEYS else []
    bodies = [{key: request[key] for key in KEYS[dialect] if key in request} for request in requests]
    return [_marked(dialect, body) for body in bodies]
