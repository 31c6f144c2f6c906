"""The pages that are generated from the code are up to date, and every name that a page mentions exists."""

import re
import runpy
import sys
from pathlib import Path

import pytest
import turnwire

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))
GENERATED = runpy.run_path(str(DOCS / "generate.py"))["PAGES"]
sys.path.remove(str(DOCS))


@pytest.mark.parametrize("name", GENERATED)
def test_generated_page_is_current(name):
    assert (DOCS.parent / name).read_text(encoding="utf-8") == GENERATED[name](), f"{name} is old: run `make docs`"


def our_names() -> list[str]:
    """The middle column of the table in spec-names.md."""
    rows = (DOCS / "spec-names.md").read_text(encoding="utf-8").splitlines()
    return [found[1] for row in rows if (found := re.fullmatch(r"\| `.+` \| `([\w.]+)` \|.*\|", row))]


def exists(name: str) -> bool:
    """Whether a dotted name can be reached from `turnwire`."""
    found = turnwire
    for step in name.split("."):
        if not hasattr(found, step):
            return False
        found = getattr(found, step)
    return True


def test_names_of_the_specification_exist():
    names = our_names()
    assert len(names) > 50
    assert [name for name in names if not exists(name)] == []


def test_a_term_is_defined_once():
    rows = (DOCS / "glossary.md").read_text(encoding="utf-8").splitlines()
    first = [row.split(" | ")[0] for row in rows if row.startswith("| **")]
    terms = [term for cell in first for term in re.findall(r"\*\*(.+?)\*\*", cell)]
    assert len(terms) > 60
    assert sorted({term for term in terms if terms.count(term) > 1}) == []
