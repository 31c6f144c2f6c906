"""Measured numbers have one source: tables have those that the benches wrote, and pages have those of the tables."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NUMBERS = (ROOT / "benches/README.md").read_text(encoding="utf-8")


def row(section: str, *start: str) -> list[str]:
    """The cells of the row that begins with these, in a section; an empty first cell repeats the one above."""
    (text,) = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", NUMBERS, flags=re.S | re.M)
    first = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        first = cells[0] = cells[0] or first
        if line.startswith("|") and cells[: len(start)] == list(start):
            return cells
    raise AssertionError(f"benches/README.md has no row {start} in {section}")


def number(cell: str) -> float:
    """The number that a cell begins with."""
    found = re.match(r"[\d,.]+", cell)
    assert found, cell
    return float(found[0].replace(",", ""))


def times(section: str, *start: str) -> float:
    """How many times more LiteLLM's proxy would need: our column by its column."""
    _, ours, _, theirs, *_ = row(section, *start)
    return number(ours) / number(theirs)


def rates(*start: str) -> list[float]:
    """Whole replies and streams a second of the example with another part."""
    return [number(cell) for cell in row("Gateway", *start)[1:3]]


def by(one: str, other: str) -> list[float]:
    """How many times faster the first is."""
    return [mine / theirs for mine, theirs in zip(rates(one), rates(other), strict=True)]


RUNS = [f"{kind}, {budget} bytes" for kind in ("plain", "eventful") for budget in ("200,000", "100,000")]


def window() -> list[float]:
    """What a sliding window costs, by what a ledger costs, in each run with a budget."""
    section = "Runs of bound reasoning"
    costs = [(row(section, run, "`Ledger`")[-1], row(section, run, "sliding window")[-1]) for run in RUNS]
    return [number(theirs) / number(ours) for ours, theirs in costs]


WHOLE, STREAMS = "whole replies a second", "streams a second"
SLOW, PLAIN, FAST = "httpx instead of aiohttp", "aiohttp, as it is", "uvloop and httptools beside it"
CLAIMS: list[tuple[str, str, Callable[[], list[float]], Callable[[float, list[float]], bool]]] = [
    ("README.md", r"(\d+) times as fast as\s+LiteLLM's proxy",
     lambda: [times("Gateway", WHOLE), times("Gateway", STREAMS)], lambda said, found: said <= min(found)),
    ("README.md", r"costs less\s+than a (fifth) of what a sliding window costs", window,
     lambda said, found: said <= min(found)),
    ("docs/gateway.md", r"answers ([\d,]+) whole replies", lambda: [number(row("Gateway", WHOLE)[1])],
     lambda said, found: said == found[0]),
    ("docs/gateway.md", r"or ([\d,]+) streams a second", lambda: [number(row("Gateway", STREAMS)[1])],
     lambda said, found: said == found[0]),
    ("docs/gateway.md", r"in\s+(\d+) MB of memory", lambda: [number(row("Gateway", "memory after all of them")[1])],
     lambda said, found: said == found[0]),
    ("docs/gateway.md", r"That is (\d+) and", lambda: [times("Gateway", WHOLE)],
     lambda said, found: said == round(found[0])),
    ("docs/gateway.md", r"and (\d+) times as many", lambda: [times("Gateway", STREAMS)],
     lambda said, found: said == round(found[0])),
    ("docs/gateway.md", r"in place of aiohttp makes it ([\d.]+) times", lambda: by(PLAIN, SLOW),
     lambda said, found: min(found) - 0.05 <= said <= max(found) + 0.05),
    ("docs/gateway.md", r"makes it ([\d.]+) times faster", lambda: by(FAST, PLAIN),
     lambda said, found: min(found) - 0.05 <= said <= max(found) + 0.05),
    *(("docs/ledgers.md", rf"{before} ([\d.]+) %",
       lambda name=name: [number(row("Runs of bound reasoning", name)[1])],
       lambda said, found: said == found[0])
      for before, name in (("the cache reads", '`Ledger`, `cache="auto"`'),
                           (r"marks, and", "`Ledger`, one mark at the end"),
                           ("possible is", "the most that can be read"))),
]  # fmt: skip
"""For each number: the page, where it is in the page, what the tables have, and whether they agree."""


@pytest.mark.parametrize(
    ("page", "place", "found", "agree"), CLAIMS, ids=[f"{page}-{place}" for page, place, *_ in CLAIMS]
)
def test_a_number_of_a_page_is_that_of_the_benches(
    page: str, place: str, found: Callable[[], list[float]], agree: Callable[[float, list[float]], bool]
) -> None:
    said = re.search(place, (ROOT / page).read_text(encoding="utf-8"))
    assert said, f"{page} no longer says {place!r}"
    value = 5.0 if said[1] == "fifth" else number(said[1])
    assert agree(value, found()), (value, found())


def test_every_ratio_of_the_readme_is_checked() -> None:
    """A new number in the README needs a row above."""
    readme = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    said = re.findall(r"\b(?:\d+ times as|a (?:third|quarter|fifth|sixth|tenth)\b|\d+(?:\.\d+)?\s?%)", readme)
    assert len(said) == sum(page == "README.md" for page, *_ in CLAIMS), said


FILES = (ROOT / "benches/results").glob("*.json")
RESULTS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def text_of(section: str) -> str:
    """A section of benches/README.md."""
    (text,) = re.findall(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", NUMBERS, flags=re.S | re.M)
    return str(text)


def table(section: str, first: str, columns: set[str]) -> list[dict[str, str]]:
    """The rows of the table whose head begins with this cell and has these columns.

    An empty first cell repeats the one above.
    """
    head: list[str] = []
    rows: list[dict[str, str]] = []
    for line in text_of(section).splitlines():
        cells = [cell.strip(" *").replace("`", "") for cell in line.removeprefix("|").removesuffix("|").split("|")]
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells
        elif head[0] == first and columns <= set(head) and not set(line) <= set("|- "):
            rows.append(dict(zip(head, cells, strict=True)))
            rows[-1]["job"] = cells[0] or rows[-2]["job"]
    return rows


def agree(cell: str, value: float) -> bool:
    """Whether a cell is a value, rounded as the table rounds. A time has a unit."""
    number, _, unit = cell.replace(",", "").partition(" ")
    digits = number.rstrip("%")
    step = 10.0 ** -len(digits.partition(".")[2])
    return abs(float(digits) - value / UNITS.get(unit, 1.0)) <= step / 2 + 1e-9


@pytest.mark.parametrize("name", RESULTS)
def test_a_table_has_the_numbers_that_the_bench_wrote(name: str) -> None:
    """All of them: a number that was changed by hand, in either place, or a row without a measurement fails."""
    result = RESULTS[name]
    section = text_of(result["section"])
    # Counts are the same on every machine and on every day.
    assert result["date"] in section or "counts, no times" in section
    assert Path(result["script"]).name in section
    assert (ROOT / result["script"]).exists()
    for title in {row["table"] for row in result["rows"]}:
        saved: list[dict[str, Any]] = [row for row in result["rows"] if row["table"] == title]
        columns = {column for row in saved for column in row} - {"table", "job", "against"}
        rows = table(result["section"], title, columns)
        places = [(row["job"], row.get("against", "")) for row in rows]
        assert sorted(places) == sorted((row["job"], row.get("against", "")) for row in saved)
        for one in saved:
            row = rows[places.index((one["job"], one.get("against", "")))]
            for column, value in one.items():
                if column not in ("table", "job", "against"):
                    assert agree(row[column], value), (title, one["job"], column, row[column], value)


def test_the_comparison_sees_another_number() -> None:
    assert agree("21.5 µs", 21.46e-6)
    assert not agree("21.5 µs", 21.6e-6)
    assert agree("2,481", 2481.3)
    assert not agree("2,481", 2482)
    assert not agree("21.5 µs", 21.5e-3)
