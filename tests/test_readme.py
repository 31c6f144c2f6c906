"""The code of the README and the docs runs from an empty folder, and the verbs and files that they name exist."""

import html
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benches").glob("*.md")]

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


# Clients of providers: where one is not installed, the code that needs it is skipped.
CLIENTS = {"openai", "anthropic", "pyarrow"}


def run(page: Path, code: str) -> dict[str, Any]:
    """Runs a block and returns its names."""
    for client in CLIENTS & set(re.findall(r"^(?:from|import) (\w+)", code, flags=re.M)):
        pytest.importorskip(client)
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(code, page.name, "exec"), names)
    return names


@pytest.mark.parametrize(("page", "code"), CODE)
def test_code_runs(page, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # The tutorials send to the example's own providers.
    monkeypatch.syspath_prepend(ROOT / "examples")
    run(page, code)
    # A comment on the line below a `print` is its output.
    shown = re.findall(r"^print\(.*\)\n# (.*)$", code, flags=re.M)
    if shown:
        assert capsys.readouterr().out.splitlines() == shown


README = ROOT / "README.md"


def test_the_readme_shows_what_is_printed():
    blocks = fenced(README, "python")
    assert sum("\nprint(" in block for block in blocks) >= 2
    assert len(blocks[0].strip().splitlines()) <= 5, "the first example has three lines of code and what they print"


@pytest.mark.parametrize("code", fenced(README, "python"))
def test_examples_of_the_readme_are_without_warnings(code):
    rendered = [value for value in run(README, code).values() if isinstance(value, tw.Rendered)]
    assert [warning for one in rendered if one.receipt is not None for warning in one.receipt.warnings] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_exist(page):
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M))
    code = "\n".join([*fenced(page, "sh"), *re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))])
    assert set(re.findall(r"\bmake ([a-z-]+)", code)) <= verbs


def targets(page: Path) -> list[str]:
    """The targets of a page's links, without anchors: `[text](target)` and `[text]: target`."""
    text = page.read_text(encoding="utf-8")
    inline = re.findall(r"\]\(([^)#\s]+)", text)
    return inline + re.findall(r"^\[[^\]]+\]: ([^#\s]+)", text, flags=re.M)


URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
FILES, PICTURES = f"{URLS['Repository']}/blob/main/", f"{URLS['Repository']}/raw/main/"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    ours = [
        ROOT / link.removeprefix(start)
        for link in targets(page)
        for start in (FILES, PICTURES)
        if link.startswith(start)
    ]
    beside = [page.parent / link for link in targets(page) if not link.startswith(("https:", "http:"))]
    assert [path for path in ours + beside if not path.exists()] == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", html.unescape(title)).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_with_an_anchor_lead_to_a_heading(page):
    links = re.findall(r"\]\(([\w./-]*)#([^)\s]+)\)", page.read_text(encoding="utf-8"))
    known = {name: anchors(page.parent / name if name else page) for name, _ in links if name[-3:] in ("", ".md")}
    assert [(name, anchor) for name, anchor in links if name in known and anchor not in known[name]] == []


def test_the_links_of_the_readme_work_on_an_index_page():
    links = targets(README)
    assert len(links) > 10
    assert [link for link in links if not link.startswith((FILES, PICTURES))] == []
    text = re.sub(r"```.*?```|`[^`\n]*`|!\[.*?\]\(\S+\)", "", README.read_text(encoding="utf-8"), flags=re.S)
    prose, *definitions = re.split(r"^(?=\[[^\]]+\]: )", text, flags=re.M)
    used = {(name or label).lower() for label, name in re.findall(r"\[([^\]]+)\](?:\[([^\]]+)\])?", prose)}
    defined = {line[1 : line.index("]")].lower() for line in definitions}
    assert used == defined


def test_the_addresses_of_the_project_are_files_of_the_repository():
    assert URLS["Issues"] == f"{URLS['Repository']}/issues"
    for name in ("Documentation", "Changelog"):
        assert URLS[name].startswith(FILES)
        assert (ROOT / URLS[name].removeprefix(FILES)).exists()
