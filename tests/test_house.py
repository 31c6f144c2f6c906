"""Rules of the repository: CI calls the verbs, every fuzz target is built, versions agree, actions are pinned."""

import re
import tomllib
from pathlib import Path

import pytest
import turnwire
from gates import LITERAL_OPTION, MEDIA_RULE, PROFILE_NAME, House, room
from rust_imports import circles, imports

ROOT = Path(__file__).parent.parent
CORE = ROOT / "rust/turnwire-core/src"


def test_ci_calls_verbs_and_nothing_else():
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    (verbs,) = re.findall(r"^for verb in (.+); do$", script, flags=re.M)
    assert verbs == "lint test adapters-newest engines-light bench-smoke demo"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [verb for verb in verbs.split() if f"\n.PHONY: {verb}\n" not in makefile] == []
    assert re.findall(r"\b(pip|cargo|curl|apt-get|pytest|ruff|mypy)\b", script) == []


def test_fuzz_targets_are_all_built():
    manifest = (ROOT / "fuzz/Cargo.toml").read_text(encoding="utf-8")
    built = set(re.findall(r'^path = "fuzz_targets/(\w+)\.rs"$', manifest, flags=re.M))
    missing = {path.stem for path in (ROOT / "fuzz/fuzz_targets").glob("*.rs")} - built
    fix = "\n".join(
        f'[[bin]]\nname = "{m}"\npath = "fuzz_targets/{m}.rs"\ntest = false\ndoc = false\nbench = false\n'
        for m in missing
    )
    assert not missing, f"fuzz/Cargo.toml lacks:\n{fix}"
    kept = (ROOT / "fuzz/src/lib.rs").read_text(encoding="utf-8")
    assert set(re.findall(r'^    \("(\w+)", \1::try_input\),$', kept, flags=re.M)) == built


@pytest.mark.parametrize("workflow", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned(workflow):
    actions = re.findall(r"uses: (\S+)", workflow.read_text(encoding="utf-8"))
    assert actions
    assert [action for action in actions if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


def test_versions_agree():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert turnwire.__version__ == cargo["workspace"]["package"]["version"]
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)
    assert newest is not None
    assert newest[1] in ("Unreleased", turnwire.__version__)


def test_what_is_tested_is_what_is_published_and_said():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    classifiers = "\n".join(project["classifiers"])
    versions = re.findall(r"^Programming Language :: Python :: (3\.\d+)$", classifiers, flags=re.M)
    systems = re.findall(r"^Operating System :: .*?(\w+)$", classifiers, flags=re.M)
    assert project["requires-python"] == f">={versions[0]}"

    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    tested = re.findall(r'"(3\.\d+)"', "".join(re.findall(r"python(?:-version)?: .*", workflow)))
    assert sorted(set(tested)) == versions

    wheels = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    interpreters = re.search(r"INTERPRETERS: (.+)", wheels)[1].split()
    assert [name for name in interpreters if not name.endswith("t")] == versions
    assert {name.removesuffix("t") for name in interpreters} == set(versions)
    assert any(name.endswith("t") for name in interpreters) == ("Free Threading" in classifiers)
    assert sorted(set(re.findall(r"{ os: (\w+),", wheels))) == sorted(name.lower() for name in systems)

    said = (ROOT / "docs/compatibility.md").read_text(encoding="utf-8").lower()
    assert f"cpython {versions[0]} to {versions[-1]}." in said
    names = [*systems, *(name for name in interpreters if name.endswith("t")), "main interpreter only"]
    assert [name for name in names if name.lower() not in said] == []


def test_every_environment_has_the_python_of_the_first():
    made = re.findall(r"(\S+) -m venv (.+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert ("@$(PYTHON)", "$(VENV)") in made
    assert {python for python, folder in made if folder != "$(VENV)"} == {"$(PY)"}


def test_the_files_of_where_is_what_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Where to look\n")[1].split("\n## ")[0]
    questions = [row for row in section.splitlines() if row.startswith("| ") and row.count("`") > 1]
    assert len(questions) == 22
    missing = []
    for row in questions:
        paths = re.findall(r"`([\w/<>]+\.rs)`", row)
        assert paths
        missing += [path for path in paths if not any(CORE.glob(path.replace("<name>", "*")))]
    assert missing == []


def test_a_rule_of_a_target_is_decided_once():
    """`make gates` names the columns and the sentences."""
    house = House()
    # Stages read these two for reasons of their own: how large a list of tools may be, and which models are relatives.
    assert house.columns_read_in("stage", "wire") == ["tool", "family"]
    assert house.places_of_stage()[0] < 25
    assert house.matches(MEDIA_RULE, "stage") == 0
    assert house.matches(LITERAL_OPTION) == 0
    assert house.matches(PROFILE_NAME) == 0
    twice = house.sentences_said_twice()
    assert len(twice) <= 10, "say it in `report/sentence.rs`, `model/flaw.rs` or `wire/plan/rules.rs`"
    assert sum(len({room(file) for file in files}) > 1 for files in twice.values()) <= 2


def test_each_room_of_the_core_uses_only_rooms_after_it():
    rooms = re.findall(r"^pub mod (\w+);", (CORE / "lib.rs").read_text(encoding="utf-8"), flags=re.M)
    assert sorted(rooms) == sorted(path.stem for path in CORE.glob("*.rs") if path.stem != "lib")
    up = [
        f"{'/'.join(module)} uses {'/'.join(other)}"
        for module, others in imports(CORE).items()
        for other in others
        if module and rooms.index(other[0]) < rooms.index(module[0])
    ]
    assert up == [], "move the name to the lower room, or change the order in lib.rs"


def test_no_circle_of_imports_in_the_core_has_more_than_five_files():
    found = [sorted("/".join(module) for module in circle) for circle in circles(imports(CORE))]
    large = [circle for circle in found if len(circle) > 5]
    assert large == [], "move what two files share to a file that uses neither"


def test_circles_of_imports_are_found(tmp_path):
    files = {
        "lib.rs": "mod a;\nmod b;\nmod c;\n",
        "a.rs": "mod deep;\npub use self::deep::Deep;\nuse crate::b::{self, One};\n// use crate::c::No;\n",
        "a/deep.rs": "use super::super::c;\npub struct Deep(c::Two);\n",
        "b.rs": 'use super::a::Deep as Other;\npub const ONE: &str = "crate::c::No";\n',
        "c.rs": "pub struct Two;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
    }
    for name, code in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    found = imports(tmp_path)
    assert found == {
        (): set(),
        ("a",): {("b",)},
        ("a", "deep"): {("c",)},
        ("b",): {("a", "deep")},
        ("c",): set(),
    }
    assert circles(found) == []
    assert circles({**found, ("c",): {("b",)}}) == [{("a", "deep"), ("b",), ("c",)}]


def test_every_test_is_in_the_readme_of_the_tests():
    tests, core = ROOT / "tests", ROOT / "rust/turnwire-core"
    proofs, sources = (tests / "README.md").read_text(encoding="utf-8").split("## Core files without")
    named = set(re.findall(r"`([\w/.*-]+\.(?:py|rs))`", proofs))
    there = {path.name for path in tests.glob("test_*.py")} | {path.name for path in (core / "tests").glob("*.rs")}
    assert sorted(there - named - {"main.rs"}) == []
    compiled = re.findall(r"^mod (\w+);", (core / "tests/main.rs").read_text(encoding="utf-8"), flags=re.M)
    assert compiled == sorted(path.stem for path in (core / "tests").glob("*.rs") if path.stem != "main")
    homes = [tests, core / "tests", core / "src", ROOT]
    assert sorted(name for name in named if not any(any(home.glob(name)) for home in homes)) == []
    rows = [row for row in sources.splitlines() if row.startswith("| `")]
    assert len(rows) > 8
    for row in rows:
        file, proof = row.strip("| ").split(" | ")
        assert [name for name in re.findall(r"`(.+?)`", file) if not (core / "src" / name).exists()] == []
        assert [
            name for name in re.findall(r"`(.+?)`", proof) if not any((home / name).exists() for home in homes)
        ] == []
