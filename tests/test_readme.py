"""The code of the README and the docs runs from an empty folder, and the verbs and files that they name exist."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from site_pages import ROOT, generated, pages
from test_docs import anchors, is_page

README = "README.md"
PAGES: dict[str, str] = {
    **{path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.glob("*.md")},
    **{f"benches/{path.name}": path.read_text(encoding="utf-8") for path in (ROOT / "benches").glob("*.md")},
    **{f"docs/{name}": text for name, text in pages().items()},
}
"""Every page by its place in the repository, those that are made when the site is built included."""

# The recipes for engines have a test of their own, where the engines are.
WITH_CODE = [name for name in PAGES if name != "docs/engines.md"]


def fenced(page: str, language: str) -> list[str]:
    """The bodies of a page's fenced code blocks."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], flags=re.S | re.M)


CODE = [
    pytest.param(page, code, id=f"{page}-{number}")
    for page in WITH_CODE
    for number, code in enumerate(fenced(page, "python"))
]


# Clients of providers: where one is not installed, the code that needs it is skipped.
CLIENTS = {"openai", "anthropic", "pyarrow"}


def run(page: str, code: str) -> dict[str, Any]:
    """Runs a block and returns its names."""
    for client in CLIENTS & set(re.findall(r"^(?:from|import) (\w+)", code, flags=re.M)):
        pytest.importorskip(client)
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(code, page, "exec"), names)
    return names


@pytest.mark.parametrize(("page", "code"), CODE)
def test_code_runs(page, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # The tutorials send to the example's own providers.
    monkeypatch.syspath_prepend(ROOT / "examples")
    run(page, code)
    # Comments on the lines below a `print` are its output.
    shown = [line.removeprefix("# ") for line in re.findall(r"^# .*$", "".join(PRINTED.findall(code)), flags=re.M)]
    if shown:
        assert capsys.readouterr().out.splitlines() == shown


PRINTED = re.compile(r"^(?: {4})?print\(.*\)\n((?:# .*\n)+)", flags=re.M)


def test_the_readme_shows_what_is_printed():
    blocks = fenced(README, "python")
    assert sum("\nprint(" in block for block in blocks) >= 2
    assert len(PAGES[README].splitlines()) <= 135


def test_the_first_page_begins_as_the_readme() -> None:
    first, index = PAGES[README].partition("\n[Before and after]")[0], PAGES["docs/index.md"]
    assert index.startswith(first.rstrip())


@pytest.mark.parametrize("code", fenced(README, "python"))
def test_examples_of_the_readme_are_without_warnings(code):
    rendered = [value for value in run(README, code).values() if isinstance(value, tw.Rendered)]
    assert [
        warning
        for one in rendered
        if one.receipt is not None
        for warning in (told.reason for told in one.receipt.only("warning"))
    ] == []


@pytest.mark.parametrize("page", PAGES)
def test_verbs_exist(page):
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M))
    code = "\n".join([*fenced(page, "sh"), *re.findall(r"`([^`\n]+)`", PAGES[page])])
    assert set(re.findall(r"\bmake ([a-z-]+)", code)) <= verbs


def targets(page: str) -> list[str]:
    """The targets of a page's links: `[text](target)` and `[text]: target`."""
    text = re.sub(r"```.*?^```$", "", PAGES[page], flags=re.S | re.M)
    return re.findall(r"\]\(([^)\s]+)", text) + re.findall(r"^\[[^\]]+\]: (\S+)", text, flags=re.M)


URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
FILES = f"{URLS['Repository']}/blob/main/"
SITE = URLS["Documentation"]


def leads_somewhere(page: str, link: str) -> bool:
    """Whether a link is a page, with the heading that it names, or a file."""
    if link.startswith(SITE):
        return is_page(link)
    if link.startswith(FILES):
        return (ROOT / link.removeprefix(FILES).partition("#")[0]).exists()
    if link.startswith(("https:", "http:")):
        return True
    path, _, anchor = link.partition("#")
    place = Path(page).parent / path if path else Path(page)
    name = (ROOT / place).resolve().relative_to(ROOT.resolve()).as_posix()
    if name in PAGES:
        return not anchor or anchor in anchors(PAGES[name])
    return name.removeprefix("docs/") in generated() or (ROOT / name).exists()


@pytest.mark.parametrize("page", PAGES)
def test_links_resolve(page):
    assert [link for link in targets(page) if not leads_somewhere(page, link)] == []


def test_the_links_of_the_readme_work_on_an_index_page():
    links = targets(README)
    assert len(links) > 10
    assert [link for link in links if not link.startswith((FILES, SITE))] == []
    text = re.sub(r"```.*?```|`[^`\n]*`|!\[.*?\]\(\S+\)", "", PAGES[README], flags=re.S)
    prose, *definitions = re.split(r"^(?=\[[^\]]+\]: )", text, flags=re.M)
    used = {(name or label).lower() for label, name in re.findall(r"\[([^\]]+)\](?:\[([^\]]+)\])?", prose)}
    defined = {line[1 : line.index("]")].lower() for line in definitions}
    assert used == defined


def test_the_addresses_of_the_project() -> None:
    assert URLS["Issues"] == f"{URLS['Repository']}/issues"
    assert URLS["Changelog"].startswith(FILES)
    assert (ROOT / URLS["Changelog"].removeprefix(FILES)).exists()
