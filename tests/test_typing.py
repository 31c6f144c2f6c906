"""The types that checkers reveal of the public API are those in `tests/typing/*.py`; the code of the docs is strict."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

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


class Message(NamedTuple):
    """What a checker says of a line: an error, or the type that it reveals."""

    file: str
    line: int
    is_error: bool
    text: str


def by_mypy(paths: list[Path]) -> list[Message]:
    """What mypy says."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty", *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent.parent)
    messages = []
    for line in run.stdout.splitlines():
        found = re.fullmatch(r"(.+?):(\d+): (error|note): (.*)", line)
        assert found, f"mypy: {line}"
        messages.append(Message(Path(found[1]).name, int(found[2]), found[3] == "error", found[4]))
    return messages


def by_pyright(paths: list[Path]) -> list[Message]:
    """What pyright says (basedpyright's build of it, which needs no network), without its warnings."""
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, *map(str, paths)]
    # From the folder of the files, so that it finds modules beside them.
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths[0].parent)
    messages = [
        Message(
            Path(item["file"]).name, item["range"]["start"]["line"] + 1, item["severity"] == "error", item["message"]
        )
        for item in json.loads(run.stdout)["generalDiagnostics"]
    ]
    return [one for one in messages if one.is_error or REVEALED.fullmatch(one.text)]


REVEALED = re.compile(r'(?:Revealed type|Type of ".*") is "(.*)"', flags=re.S)


def types_in(messages: list[Message]) -> dict[tuple[str, int], str]:
    """The types that are revealed; any other message is an error."""
    types = {}
    for one in messages:
        found = None if one.is_error else REVEALED.fullmatch(one.text)
        assert found, one
        types[one.file, one.line] = plain(found[1])
    return types


# A checker takes seconds to start, so it reads all files at once.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_types_are_revealed_and_mistakes_are_found(checker):
    pytest.importorskip("mypy" if checker is by_mypy else "basedpyright")
    messages = checker([*FILES, MISTAKES])
    revealed = types_in([one for one in messages if one.file != MISTAKES.name])
    said = {(path.name, at): text for path in FILES for at, text in expected(path).items()}
    assert said
    assert revealed == said

    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    wrong = {at: line for at, line in enumerate(lines, 1) if "  # " in line}
    assert len(wrong) >= 24
    found = {one.line for one in messages if one.file == MISTAKES.name and one.is_error}
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
    # The check sees what is not strict.
    loose = tmp_path / "loose.py"
    loose.write_text("# pyright: strict\ndef f(x): return x\n", encoding="utf-8")
    messages = checker([*files, loose])
    assert [one for one in messages if one.file != loose.name] == []
    assert any(one.is_error for one in messages if one.file == loose.name)
