"""Traffic that others recorded with real servers. It is theirs, so it is not in this repository.

It is a file of JSON Lines for each dialect, in the folder that `TURNWIRE_RECORDED` names, or beside this checkout. A
line has the request, the response or the stream, the host, and the status: 200 means that the server accepted it.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ.get("TURNWIRE_RECORDED") or Path(__file__).resolve().parents[2] / "shared/data/wire")
MISSING = "the recorded traffic is not here"


@cache
def _read(dialect: str) -> tuple[str, ...]:
    path = FOLDER / f"{dialect}.jsonl"
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()


def exchanges(dialect: str) -> list[dict[str, Any]]:
    """All of them, refused requests too; none where there are no recordings."""
    return [json.loads(line) for line in _read(dialect)]


def recorded(dialect: str) -> list[dict[str, Any]]:
    """Those that a server answered with status 200; none where there are no recordings."""
    return [record for record in exchanges(dialect) if record["status"] == 200]


def records(dialect: str) -> list[dict[str, Any]]:
    """The same, for a test that needs them."""
    return recorded(dialect) or pytest.skip(MISSING)


def requests(dialect: str) -> list[Any]:
    """The requests that a server accepted, for a test that needs them."""
    return [record["request"] for record in records(dialect)]
