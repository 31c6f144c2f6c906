"""Each recipe of the page on 2,000 rows: it must write what `convert_json` makes of each row, with its settings."""

import json
import re
import sys
from pathlib import Path

import pytest
import turnwire as tw

sys.path.insert(0, str(Path(__file__).parent))

from recipes import GIVEN, MADE, RECIPES, pinned, rows, run

ROWS = 2_000


def text(at: int) -> str | None:
    """A row of the column: agent runs; every hundredth is cut off, and every fiftieth is missing."""
    call = {"id": f"c{at}", "type": "function", "function": {"name": "search", "arguments": f'{{"q": {at}}}'}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"質問 {at} 🚧"},
        {"role": "assistant", "content": None, "refusal": "no" if at % 3 == 0 else None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{at}", "content": "é\n" * (at % 40)},
    ]
    said = json.dumps({"messages": messages, "model": "m"}, ensure_ascii=at % 2 == 0)
    return None if at % 50 == 49 else said[:-9] if at % 100 == 7 else said


def expected(row: str | None) -> tuple[str | None, str | None, list[str]]:
    """The payload, the code of the error, the codes of the changes."""
    if row is None:
        return None, None, []
    try:
        made = tw.convert_json(row, "anthropic", source="openai", settings="convert")
    except tw.TurnwireError as error:
        return None, error.code, []
    return made.payload.decode(), None, [loss.code for loss in made.receipt]


EACH = [pytest.param(one, id=one.module, marks=pytest.mark.needs(group=one.group)) for one in RECIPES]


@pytest.mark.parametrize("recipe", EACH)
def test_a_recipe_of_the_page_runs(recipe, tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    texts = [text(at) for at in range(ROWS)]
    table = pa.table({"id": pa.array(range(ROWS), pa.int64()), "body": pa.array(texts)})
    parquet.write_table(table, tmp_path / GIVEN, row_group_size=300)
    run(recipe.code, tmp_path)
    made = parquet.read_table(tmp_path / MADE).sort_by("id")
    assert made.column_names == ["id", "payload", "changes", "error"]
    assert made["id"].to_pylist() == list(range(ROWS))
    columns = (made[name].to_pylist() for name in made.column_names[1:])
    for row, payload, changes, error in zip(texts, *columns, strict=True):
        said = (payload, error and error["code"], [change["code"] for change in changes or ()])
        assert said == expected(row)


def test_rows_are_good_bad_and_absent():
    made = [expected(text(at)) for at in range(100)]
    assert {code for _, code, _ in made} == {None, "invalid_json"}
    assert [payload for payload, code, _ in made if code is None].count(None) == 2
    assert any(changes for _, _, changes in made)


def test_the_table_has_the_versions_of_the_groups():
    versions = {name: cells[0] for name, cells in rows().items()}
    assert versions == {recipe.name: pinned(recipe.group)[recipe.module] for recipe in RECIPES}


def test_the_table_says_when_each_was_run():
    in_ci = {recipe.name for recipe in RECIPES if recipe.group == "engines-light"}
    assert {name for name, cells in rows().items() if cells[1] == "in CI"} == in_ci
    assert all(re.fullmatch(r"in CI|20\d\d-\d\d-\d\d", cells[1]) for cells in rows().values())
