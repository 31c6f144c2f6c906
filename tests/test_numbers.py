"""The measured numbers that pages repeat are those of the tables in `benches/README.md`."""

import re
from collections.abc import Callable
from pathlib import Path

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
    ("README.md", r"costs less than a (fifth) of what a sliding window costs", window,
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
    *(("docs/reasoning.md", rf"{before} ([\d.]+) %",
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
