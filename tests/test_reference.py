"""The reference is complete: every public name is there, has a description, and has an example."""

import importlib
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "reference.md").read_text(encoding="utf-8")
EXAMPLES = tomllib.loads((DOCS / "examples.toml").read_text(encoding="utf-8"))
SIGNED = re.compile(r"```py\n(\w+\(.*?)```\n(.*?)(?=^#### |^```py\n|\Z)", flags=re.S | re.M)
MODULES = ("turnwire", "turnwire.batch", "turnwire.arrow", "turnwire.structured")


def section(module: str, name: str) -> str:
    """The page's section on a name."""
    found = re.search(rf"^### `(?:class )?{module}\.{name}`\n(.*?)(?=^### |^## |\Z)", PAGE, flags=re.S | re.M)
    return found[1] if found else ""


def names(module: str) -> list[str]:
    if module == "turnwire.arrow":
        pytest.importorskip("pyarrow")
    return importlib.import_module(module).__all__


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_described_with_an_example(module: str) -> None:
    examples = EXAMPLES[module.rpartition(".")[2]]
    for name in names(module):
        said = section(module, name)
        assert re.sub(r"```.*?```|\s", "", said, flags=re.S), f"{module}.{name} has no docstring in docs/reference.md"
        assert name in examples, f"docs/examples.toml: give {module}.{name} an example"
        assert re.search(r"^ *(?:assert|print)\b", examples[name], flags=re.M), f"{module}.{name} proves nothing"
        assert "```python\n" in said
    assert set(examples) == set(names(module))


def signed() -> list[tuple[str, str]]:
    """Every signature on the page, and the text below it."""
    return SIGNED.findall(PAGE)


def test_every_parameter_is_described() -> None:
    """The options of a function are described where it takes them. An exception is made by turnwire alone."""
    for signature, said in signed():
        inside = signature[signature.index("(") + 1 : signature.rindex(")")]
        plain = re.sub(r"\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\]", "", inside)
        given = set(re.findall(r"(?:^|[\n,(])\s*(\w+): ", plain))
        described = set(re.findall(r"^- `(\w+)` \(", said, flags=re.M))
        if not re.match(r"\w+Error\(", signature):
            assert given - described == set(), signature
        assert "**" not in signature, f"spell out the options: {signature}"


def test_no_description_sends_the_reader_elsewhere() -> None:
    described = [line for line in PAGE.splitlines() if re.match(r"- `[a-z_]+` \(", line)]
    assert len(described) > 500
    assert [line for line in described if re.search(r"`\): (?:As in|Those of|The same)\b", line)] == []


def test_types_are_linked() -> None:
    """Each class and type of ours in the type of a parameter, an attribute or a property."""
    ours = set(re.findall(r"^### `?(?:class turnwire\.(?:\w+\.)?|Type `)(\w+)`", PAGE, flags=re.M))
    assert {"Receipt", "Report", "SourceName"} <= ours
    kinds = re.findall(r"^- `\w+` \((.*?)\): ", PAGE, flags=re.M)
    assert len(kinds) > 500
    bare = [re.sub(r"\[`\w+`\]\(#[\w-]+\)|\"[^\"]*\"", "", kind) for kind in kinds]
    assert [kind for kind in bare if ours & set(re.findall(r"\b[A-Z]\w+", kind))] == []


def test_every_class_shows_what_it_holds() -> None:
    for name, said in re.findall(r"^### `class ([\w.]+)`\n(.*?)(?=^### |^## |\Z)", PAGE, flags=re.S | re.M):
        parts = r"^\*\*(?:Attributes|Properties|Parameters)\*\*$|^#### |Error\("
        assert re.search(parts, said, flags=re.M), name


def test_its_links_lead_to_headings() -> None:
    slug = {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", PAGE, flags=re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= slug


def test_the_pages_of_the_site_are_in_its_navigation() -> None:
    site_hooks = _site_hooks()

    class Config:
        nav: list[dict[str, list[str]]]

    nav = site_hooks.on_config(Config()).nav
    listed = [page for section in nav for pages in section.values() for page in pages]
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert site_hooks.on_page_markdown("[a](../README.md#x)").startswith("[a](https://github.com/")
    inner = _page("contributing/x.md")
    assert site_hooks.on_page_markdown("[a](../../README.md)", page=inner).startswith("[a](https://github.com/")
    assert site_hooks.on_page_markdown("[a](../losses.md)", page=inner) == "[a](../losses.md)"
    with pytest.raises(SystemExit, match="from elsewhere"):
        site_hooks.on_post_page('<script src="https://example.org/x.js">', page=_page())


def test_the_site_repairs_the_html_of_its_theme() -> None:
    site_hooks = _site_hooks()
    html = "".join(f"<p{theirs}>" for theirs in site_hooks.THEME)
    assert site_hooks.on_post_page(html, page=_page()) == "".join(f"<p{ours}>" for ours in site_hooks.THEME.values())
    assert site_hooks.on_post_template(html, "404.html") == site_hooks.on_post_page(html, page=_page())
    assert site_hooks.on_post_template(html, "sitemap.xml") == html
    for theirs in site_hooks.THEME:
        with pytest.raises(SystemExit, match="no longer writes"):
            site_hooks.on_post_page(html.replace(theirs, ""), page=_page())


def _site_hooks() -> Any:
    sys.path.insert(0, str(DOCS))
    try:
        import site_hooks
    finally:
        sys.path.remove(str(DOCS))
    return site_hooks


def _page(path: str = "x.md") -> object:
    class File:
        src_path = path

    class Page:
        file = File

    return Page
