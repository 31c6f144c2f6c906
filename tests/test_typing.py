"""The types that checkers reveal of the public API are those in `tests/typing/*.py`; the code of the docs is strict."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_readme import WITH_CODE, fenced

HERE = Path(__file__).parent / "typing"
MISTAKES = HERE / "mistakes.py"
FILES = sorted(path for path in HERE.glob("*.py") if path != MISTAKES)


def expected(path: Path) -> dict[int, str]:
    """Line number to the type in that line's comment."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return {at: line.rpartition("  # ")[2] for at, line in lines if line.lstrip().startswith("reveal_type(")}


def plain(revealed: str) -> str:
    """A type without its module, in a notation that the output of both checkers can be brought to."""
    short = re.sub(
        r"\b(?:builtins|typing|collections\.abc|datetime|(?:openai|anthropic)\._client|turnwire(?:\._?\w+)*)\.(?=\w)",
        "",
        revealed,
    )
    # mypy spells out a named tuple.
    short = re.sub(r"tuple\[[^\[\]]*, fallback=(\w+)\]", r"\1", short)
    optional = re.sub(r"\b(?:Union|Optional)\[", "[", short)
    return optional.replace("?", "")


def by_mypy(paths: list[Path]) -> dict[tuple[str, int], str]:
    """What mypy reveals; any other message is an error."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty", *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent.parent)
    notes = {}
    for line in run.stdout.splitlines():
        found = re.fullmatch(r'(.+?):(\d+): note: Revealed type is "(.*)"', line)
        assert found, f"mypy: {line}"
        notes[Path(found[1]).name, int(found[2])] = found[3]
    return notes


def by_pyright(paths: list[Path]) -> dict[tuple[str, int], str]:
    """What pyright reveals (basedpyright's build of it, which needs no network); any error is an error."""
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, *map(str, paths)]
    # From the folder of the files, so that it finds modules beside them.
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths[0].parent)
    notes = {}
    for item in json.loads(run.stdout)["generalDiagnostics"]:
        found = re.fullmatch(r'Type of ".*" is "(.*)"', item["message"], flags=re.S)
        assert found or item["severity"] != "error", f"pyright: {item}"
        if found:
            notes[Path(item["file"]).name, item["range"]["start"]["line"] + 1] = found[1]
    return notes


@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_revealed_types(checker):
    pytest.importorskip("mypy" if checker is by_mypy else "basedpyright")
    revealed = {place: plain(text) for place, text in checker(FILES).items()}
    said = {(path.name, at): text for path in FILES for at, text in expected(path).items()}
    assert said
    assert revealed == said


def wrong_by_mypy(path: Path) -> set[int]:
    """The lines in which mypy finds an error."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent.parent)
    return {int(line) for line in re.findall(r":(\d+): error: ", run.stdout)}


def wrong_by_pyright(path: Path) -> set[int]:
    """The lines in which pyright does."""
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=path.parent)
    found = json.loads(run.stdout)["generalDiagnostics"]
    return {item["range"]["start"]["line"] + 1 for item in found if item["severity"] == "error"}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [wrong_by_mypy, wrong_by_pyright])
def test_mistakes_are_found(checker):
    pytest.importorskip("mypy" if checker is wrong_by_mypy else "basedpyright")
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    wrong = {at: line for at, line in enumerate(lines, 1) if "  # " in line}
    assert len(wrong) >= 24
    found = checker(MISTAKES)
    assert [line for at, line in wrong.items() if at not in found] == []
    assert found <= set(wrong)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_the_code_of_the_docs_is_strictly_typed(checker, tmp_path):
    pytest.importorskip("mypy" if checker is by_mypy else "basedpyright")
    # Copy the examples that the page imports next to it.
    shutil.copy(HERE.parent.parent / "examples/loopback.py", tmp_path)
    files = []
    for page in WITH_CODE:
        for number, code in enumerate(fenced(page, "python")):
            # pyarrow has no types, so code that uses it cannot be checked strictly.
            if checker is by_pyright and "import pyarrow" in code:
                continue
            name = re.sub(r"\W", "_", page).lower()
            files.append(tmp_path / f"{name}_{number}.py")
            files[-1].write_text(f"# pyright: strict\n{code}", encoding="utf-8")
    assert files
    assert checker(files) == {}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_the_check_sees_what_is_not_strict(checker, tmp_path):
    pytest.importorskip("mypy" if checker is by_mypy else "basedpyright")
    loose = tmp_path / "loose.py"
    loose.write_text("# pyright: strict\ndef f(x): return x\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        checker([loose])
