"""The code of the README and the docs runs as it stands, and the verbs and files that they name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benches").glob("*.md")]

# The recipes for engines have a test of their own, where the engines are.
WITH_CODE = [page for page in PAGES if page.name != "engines.md"]


def fenced(page: Path, language: str) -> list[str]:
    """The bodies of a page's fenced code blocks."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.S | re.M)


CODE = [
    pytest.param(page, code, id=f"{page.name}-{number}")
    for page in WITH_CODE
    for number, code in enumerate(fenced(page, "python"))
]


@pytest.mark.parametrize(("page", "code"), CODE)
def test_code_runs(page, code):
    exec(compile(code, page.name, "exec"), {"__name__": "readme"})


def test_the_readme_has_code():
    assert any(case.id.startswith("README.md-") for case in CODE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_exist(page):
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M))
    code = "\n".join([*fenced(page, "sh"), *re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))])
    assert set(re.findall(r"\bmake ([a-z-]+)", code)) <= verbs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
