"""Each row of docs/specifications.md names a place and a test that exist."""

import ast
import functools
import importlib
import json
import re
from pathlib import Path

import pytest
import turnwire as tw

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/specifications.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith(("| row |", "|---"))
]


def is_place(cell):
    """Whether a dialect, a noun of a module, or a file exists."""
    named = re.fullmatch(r"(dialect )?`([^`]+)`", cell)
    if named is None:
        return False
    name = named[2]
    if named[1]:
        return name in tw.dialects()
    if "/" in name:
        return (ROOT / name).exists()
    parts = name.split(".")
    for split in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:split]))
        except ImportError:
            continue
        try:
            functools.reduce(getattr, parts[split:], thing)
        except AttributeError:
            return False
        return True
    return False


def is_test(cell):
    """Whether a file of tests has this function, or a file of vectors one whose name begins with it."""
    named = re.fullmatch(r"`(tests/[^`]+)`: (.+)", cell)
    if named is None or not (ROOT / named[1]).exists():
        return False
    text = (ROOT / named[1]).read_text(encoding="utf-8")
    if named[1].endswith(".json"):
        read = json.loads(text)
        vectors = read if isinstance(read, list) else read["build"]
        return any(vector["name"].startswith(named[2]) for vector in vectors)
    # What pytest collects: a function of the module with a test's name and without a mark that always skips it.
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.parse(text).body if isinstance(node, functions) and node.name == named[2]]
    skipped = any(
        re.match(r"pytest\.mark\.skip\b", ast.unparse(mark)) for node in found for mark in node.decorator_list
    )
    return len(found) == 1 and named[2].startswith("test_") and not skipped


def test_the_page_has_rows():
    assert len(ROWS) > 90
    assert re.findall(r"^## (\d+)", PAGE, flags=re.M) == ["000", "001", "002", "003", "004"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_each_row_is_where_the_page_says(row):
    assert len(row) == 3, row
    assert is_place(row[1]), f"{row[1]} is no place that is there: a dialect `name`, a `module.noun` or a `file`"
    assert is_test(row[2]), (
        f"{row[2]} is no test that is there: `tests/file.py`: function, or `tests/file.json`: vector"
    )


def test_the_check_sees_what_is_missing():
    wrong = ("dialect `nobody`", "`turnwire.structured.nothing`", "`turnwire.nothing`", "`rust/none.rs`", "history")
    assert not any(is_place(cell) for cell in wrong)
    assert is_place("`rust/turnwire-core/src/lib.rs`")
    here = "`tests/test_specifications.py`"
    assert is_test(f"{here}: test_the_page_has_rows")
    assert is_test("`tests/vectors/builder.json`: spec 001: an empty list")
    wrong = (
        f"{here}: nothing",
        f"{here}: is_test",
        "`tests/vectors/builder.json`: nothing",
        "`tests/none.py`: f",
        "`tests/vectors/llama.json`: nothing",
        "tests/test_text.py",
    )
    assert not any(is_test(cell) for cell in wrong)
