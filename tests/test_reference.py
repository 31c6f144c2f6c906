"""The reference is complete: every public name is on a page, has a description, and has an example."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest
from site_pages import DOCS, api_reference, definitions, pages

PAGES = {topic: pages()[f"reference/{topic}.md"] for topic in api_reference.TOPICS}
TEXT = "".join(PAGES.values())
EXAMPLES = tomllib.loads((DOCS / "examples.toml").read_text(encoding="utf-8"))
SIGNED = re.compile(r"```py\n(\w+\(.*?)```\n(.*?)(?=^##+ |^```py\n|\Z)", flags=re.S | re.M)
MODULES = (
    "turnwire", "turnwire.parts", "turnwire.replies", "turnwire.text", "turnwire.constants", "turnwire.codes",
    "turnwire.types", "turnwire.settings", "turnwire.spec", "turnwire.history", "turnwire.batch", "turnwire.arrow",
    "turnwire.structured",
)  # fmt: skip
WITHOUT_EXAMPLE = (
    "turnwire.types.",
    "turnwire.adapters.",
    "turnwire._core.",
    "turnwire.answers.Expl",
    "turnwire.codes.",
)
"""The beginnings of names that need none: types, and functions of frameworks, which the page of the adapters shows."""


def section(full: str) -> str:
    """What the page of a name says of it."""
    heading = re.escape(full.replace("._core", ""))
    found = re.search(
        rf"^## `(?:class )?{heading}`\n(.*?)(?=^## |\Z)", PAGES[api_reference.homes()[full]], flags=re.S | re.M
    )
    return found[1] if found else ""


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_on_a_page(module: str) -> None:
    """By its own name, or by another module's that has the same object."""
    if module == "turnwire.arrow":
        pytest.importorskip("pyarrow")
    there = importlib.import_module(module)
    missing = [f"{module}.{name}" for name in there.__all__ if not is_on_a_page(name, getattr(there, name))]
    assert not missing, f"docs/topics.toml: put {', '.join(missing)} on a page"


def is_on_a_page(name: str, value: object) -> bool:
    """Whether a page has this name of this module, or of another one with the same object."""
    homes = [full for full in api_reference.homes() if full.rpartition(".")[2] == name]
    modules = [importlib.import_module(full.rpartition(".")[0]) for full in homes if ".adapters." not in full]
    return any(getattr(one, name, None) is value for one in modules)


def test_every_adapter_is_on_a_page() -> None:
    files = (Path(definitions.PACKAGE) / "adapters").glob("[a-z]*.py")
    for file in files:
        (names,) = re.findall(r"^__all__ = \[(.*)\]$", file.read_text(encoding="utf-8"), flags=re.M)
        for name in re.findall(r'"(\w+)"', names):
            assert f"turnwire.adapters.{file.stem}.{name}" in api_reference.homes()


@pytest.mark.parametrize("full", api_reference.homes())
def test_a_name_is_described_with_an_example(full: str) -> None:
    module, _, name = full.rpartition(".")
    said = section(full)
    assert re.sub(r"```.*?```|\s", "", said, flags=re.S), f"{full} has no docstring"
    if not full.startswith(WITHOUT_EXAMPLE):
        example = EXAMPLES.get(module.rpartition(".")[2], EXAMPLES["turnwire"]).get(name, "")
        assert re.search(r"^ *(?:assert|print)\b", example, flags=re.M), f"docs/examples.toml: give {full} an example"
        assert "```python\n" in said


def test_every_example_is_of_a_name() -> None:
    used = {(full.split(".")[-2], full.rpartition(".")[2]) for full in api_reference.homes()}
    names = {name for _, name in used}
    for table, examples in EXAMPLES.items():
        old = [name for name in examples if (name not in names if table == "turnwire" else (table, name) not in used)]
        assert not old, f"docs/examples.toml: [{table}] has examples of nothing: {old}"


def test_every_parameter_is_described() -> None:
    """The options of a function are described where it takes them. An exception is made by turnwire alone."""
    signed = SIGNED.findall(TEXT)
    assert len(signed) > 100
    for signature, said in signed:
        inside = signature[signature.index("(") + 1 : signature.rindex(")")]
        plain = re.sub(r"\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\]", "", inside)
        given = set(re.findall(r"(?:^|[\n,(])\s*(\w+): ", plain))
        described = set(re.findall(r"^- `(\w+)` \(", said, flags=re.M))
        if not re.match(r"\w+Error\(|get\(", signature):
            assert given - described == set(), signature
        # The adapters share theirs, which stand first on their page.
        for name in re.findall(r"\*\*(\w+)", signature):
            assert f"- `{name}`: " in said, f"spell out the {name}: {signature}"


def test_no_description_sends_the_reader_elsewhere() -> None:
    described = [line for line in TEXT.splitlines() if re.match(r"- `[a-z_]+` \(", line)]
    assert len(described) > 500
    assert [line for line in described if re.search(r"`\): (?:As in|Those of|The same)\b", line)] == []


def test_types_are_linked() -> None:
    """Each class and type of ours in the type of a parameter, an attribute or a property."""
    ours = set(re.findall(r"^##+ `?(?:class turnwire\.(?:\w+\.)*|Type `)(\w+)`", TEXT, flags=re.M))
    assert {"Receipt", "Report", "PathLike"} <= ours
    kinds = re.findall(r"^- `\w+` \((.*?)\): ", TEXT, flags=re.M)
    assert len(kinds) > 500
    bare = [re.sub(r"\[`\w+`\]\([\w.]+#[\w-]+\)|\"[^\"]*\"", "", kind) for kind in kinds]
    assert [kind for kind in bare if ours & set(re.findall(r"\b[A-Z]\w+", kind))] == []


def test_every_class_shows_what_it_holds() -> None:
    for name, said in re.findall(r"^## `class ([\w.]+)`\n(.*?)(?=^## |\Z)", TEXT, flags=re.S | re.M):
        parts = r"^\*\*(?:Attributes|Properties|Parameters)\*\*$|^### |Error\(|^The other keys"
        assert re.search(parts, said, flags=re.M), name


def test_the_important_pages_are_found_first() -> None:
    for name in ("reference/requests.md", "send.md"):
        assert re.match(r"---\nsearch:\n  boost: [2-9]\n---\n", pages()[name]), name
    assert next(iter(PAGES)) == "requests"
    assert PAGES["requests"].index("## `turnwire.prepare`") < PAGES["requests"].index("## `turnwire.check`")


def test_no_page_is_too_long() -> None:
    """A page of 30 screens is some 1,000 lines, without what is folded; `make site-look` measures the screens."""
    shown = {name: re.sub(r"<details.*?</details>", "", text, flags=re.S) for name, text in pages().items()}
    assert {name: lines for name, text in shown.items() if (lines := len(text.splitlines())) > 1_000} == {}


def test_the_check_of_names_sees_a_name_on_two_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(api_reference.TOPICS, "again", {"names": ["turnwire.prepare"]})
    api_reference.homes.cache_clear()
    with pytest.raises(SystemExit, match="on two pages"):
        api_reference.homes()
    monkeypatch.undo()
    api_reference.homes.cache_clear()
