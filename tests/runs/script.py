"""Reads a script: events `verb arguments`, a line each or with ` / ` between them, and behind a request
`# expect name value; name value`.

The verbs are the methods `do_…` of `world.World`, the names those of `expected.EXPECTED`. An event that begins with
`#` is a comment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).parent / "cases"


class Event(NamedTuple):
    line: str
    verb: str
    rest: str
    expected: tuple[tuple[str, str], ...] = ()


class Case(NamedTuple):
    name: str
    script: str


def event(line: str) -> Event:
    said, _, expected = line.partition("# expect ")
    verb, _, rest = said.strip().partition(" ")
    wanted = (one.strip().partition(" ") for one in expected.split(";") if one.strip())
    return Event(line.strip(), verb, rest.strip(), tuple((name, value.strip()) for name, _, value in wanted))


def events(script: str) -> Iterator[Event]:
    for line in script.splitlines():
        for one in line.split(" / "):
            if one.strip() and not one.strip().startswith("#"):
                yield event(one)


def cases() -> list[Case]:
    return [
        Case(f"{path.stem}: {run['name']}{named}", script)
        for path in sorted(CASES.glob("*.toml"))
        for run in tomllib.loads(path.read_text())["run"]
        for named, script in filled(run)
    ]


def filled(run: dict[str, Any]) -> list[tuple[str, str]]:
    """A script once for each value of its lists: `{x}` stands for one of the list `x`. A table has several values."""
    made = [("", run["script"])]
    for key, values in run.items():
        if isinstance(values, list):
            rows = [one if isinstance(one, dict) else {key: one} for one in values]
            made = [(f"{named} [{at}]", put(script, row)) for named, script in made for at, row in enumerate(rows)]
    return made


def put(script: str, row: dict[str, Any]) -> str:
    for key, value in row.items():
        script = script.replace("{" + key + "}", str(value))
    return script


def written(name: str, lines: list[str]) -> str:
    """A run as it stands in a file of cases."""
    return "\n".join(["[[run]]", f'name = "{name}"', 'script = """', *lines, '"""'])
