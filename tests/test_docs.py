"""What the site is built of: no generated page is in the repository, every address in the package is a page."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import turnwire
from site_pages import DOCS, ROOT, generated, pages, written
from turnwire import codes
from turnwire.answers.said import PAGE, known
from turnwire.cli.commands import COMMANDS
from turnwire.errors import SITE, TurnwireError, address


def test_no_generated_page_is_in_the_repository() -> None:
    listed = subprocess.run(["git", "ls-files", "docs"], capture_output=True, text=True, check=False, cwd=ROOT)
    if listed.returncode:  # not a clone
        files = [str(path.relative_to(ROOT)) for path in DOCS.rglob("*")]
    else:
        files = listed.stdout.splitlines()
    assert files
    assert [name for name in files if name.removeprefix("docs/") in generated()] == []
    assert [name for name in files if name.endswith(".svg")] == []


def test_a_build_has_both_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import generate

    monkeypatch.setattr(generate, "BUILT", tmp_path / "docs")
    generate.build()
    built = {
        path.relative_to(tmp_path / "docs").as_posix() for path in (tmp_path / "docs").rglob("*") if path.is_file()
    }
    assert built == {*written(), *generated(), "site.css", "site.js"}


def is_page(link: str) -> bool:
    """Whether an address of the site is that of a page, and of a heading on it if it names one."""
    path, _, anchor = link.removeprefix(SITE).partition("#")
    place = path.rstrip("/")
    text = next((pages()[name] for name in (f"{place}.md", f"{place}/index.md".lstrip("/")) if name in pages()), None)
    if text is None:
        return path.endswith(".svg") and path in generated()
    return not anchor or anchor in anchors(text)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings: those that it names, and those that are made of the words."""
    named = re.findall(r"\{#([^}\s]+)\}$", text, flags=re.M)
    titles = re.findall(r"^#+ (.+)$", text, flags=re.M)
    made = (re.sub(r"[^\w\s-]", "", title).strip().lower() for title in titles)
    return {*named, *(re.sub(r"[-\s]+", "-", one) for one in made)}


def test_the_site_has_one_address() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Documentation"] == SITE


def test_every_code_has_a_page() -> None:
    every = [*codes.CHANGES, *codes.ERRORS, *codes.DIFFS]
    assert len(every) > 100
    assert [code for code in every if not is_page(address(code))] == []
    for code in every:
        assert pages()[f"codes/{code}.md"].startswith(f"# `{code}`\n")
        assert f"[`{code}`]({code}.md)" in pages()["codes/index.md"]
        assert all(answer.page == address(code) for answer in turnwire.explain(code))


def test_every_message_of_a_provider_has_a_place() -> None:
    assert is_page(PAGE)
    places = [one.page for one in known()]
    assert [place for place in places if not is_page(place)] == []
    assert not is_page(f"{PAGE}anthropic/#no-such-message")


def test_every_address_in_the_package_is_a_page() -> None:
    """As it stands in the code, and in the README and the changelog, which the package index shows."""
    files = [*(ROOT / "python/turnwire").rglob("*.py"), *(ROOT / "rust").rglob("*.rs"), *ROOT.glob("*.md")]
    files += (ROOT / "python/turnwire/answers").glob("*.toml")
    links = {
        (path.name, link)
        for path in files
        for link in re.findall(re.escape(SITE) + r"[\w/#.-]*", path.read_text(encoding="utf-8"))
    }
    assert len(links) > 10
    assert [one for one in sorted(links) if not is_page(one[1])] == []


def test_an_error_names_its_page() -> None:
    error = TurnwireError("no", code="unknown_option")
    (note,) = error.__notes__
    assert note == f"What to do: turnwire explain unknown_option, or {SITE}codes/unknown_option/"


def our_names() -> list[str]:
    """The middle column of the table in spec-names.md."""
    rows = written()["spec-names.md"].splitlines()
    return [found[1] for row in rows if (found := re.fullmatch(r"\| `.+` \| `([\w.]+)` \|.*\|", row))]


def exists(name: str) -> bool:
    """Whether a dotted name can be reached from `turnwire`."""
    found: Any = turnwire
    for step in name.split("."):
        if not hasattr(found, step):
            return False
        found = getattr(found, step)
    return True


def test_names_of_the_specification_exist() -> None:
    names = our_names()
    assert len(names) > 50
    assert [name for name in names if not exists(name)] == []


def test_a_term_is_defined_once() -> None:
    rows = written()["glossary.md"].splitlines()
    first = [row.split(" | ")[0] for row in rows if row.startswith("| **")]
    terms = [term for cell in first for term in re.findall(r"\*\*(.+?)\*\*", cell)]
    assert len(terms) > 60
    assert sorted({term for term in terms if terms.count(term) > 1}) == []


def test_the_names_of_dialects_are_those_that_are_known() -> None:
    """`_names.py` is kept by hand: a checker cannot ask the core."""
    from typing import get_args

    from turnwire import types

    def has_replies(name: Any) -> bool:
        try:
            turnwire.StreamAssembler(name)
        except turnwire.UnknownDialectError:
            return False
        return True

    known_names = {
        "DialectName": list(turnwire.dialects()),
        "ReplyName": [name for name in turnwire.dialects() if has_replies(name)],
        "LayoutName": [name for name, *_ in turnwire._core._layout_table()],
    }
    for kind, names in known_names.items():
        listed = list(get_args(getattr(types, kind)))
        new, old = [one for one in names if one not in listed], [one for one in listed if one not in names]
        assert not (new or old), f"python/turnwire/_names.py: add {new} to {kind} and take {old} out"
        assert len(listed) == len(set(listed))


def test_every_command_is_on_the_page_of_commands() -> None:
    page = pages()["reference/commands.md"]
    assert [one.name for one in COMMANDS if f"\n## `turnwire {one.name}`\n" not in page] == []


def test_the_navigation_has_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """But those of a single code, provider or dialect, to which an index leads."""
    site_hooks = _site_hooks()

    class Config:
        nav: list[dict[str, list[str]]]

    nav = site_hooks.on_config(Config()).nav
    listed = [page for section in nav for names in section.values() for page in names]
    assert len(listed) == len(set(listed))
    led = ("codes/", "troubleshooting/", "settings/")
    single = [name for name in pages() if name.startswith(led) and "index" not in name]
    assert sorted({*listed, *single}) == sorted(pages())


def test_links_lead_out_of_the_folder() -> None:
    site_hooks = _site_hooks()
    assert site_hooks.on_page_markdown("[a](../README.md#x)").startswith("[a](https://github.com/")
    inner = _page("contributing/x.md")
    assert site_hooks.on_page_markdown("[a](../../README.md)", page=inner).startswith("[a](https://github.com/")
    assert site_hooks.on_page_markdown("[a](../codes/index.md)", page=inner) == "[a](../codes/index.md)"
    with pytest.raises(SystemExit, match="from elsewhere"):
        site_hooks.on_post_page('<script src="https://example.org/x.js">', page=_page())


def test_the_list_for_language_models_links_every_page_of_the_index() -> None:
    site_hooks = _site_hooks()

    class Config:
        site_name, site_description = "turnwire", "Hand it any list."

    said = site_hooks.llms(Config())
    assert "](https://github.com/turnwire/turnwire/raw/main/docs/budgets.md)" in said
    assert f"]({SITE}reference/)" in said and f"]({SITE}dialects/)" in said
    assert "](https://github.com/turnwire/turnwire/raw/main/CHANGELOG.md)" in said
    assert re.findall(r"\]\((?!https://|pictures/)[^)]*", said) == []


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
    import site_hooks

    return site_hooks


def _page(path: str = "x.md") -> object:
    class File:
        src_path = path

    class Page:
        file = File

    return Page
