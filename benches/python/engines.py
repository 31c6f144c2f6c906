"""The recipes of docs/engines.md on a large table, each beside itself with a function that does nothing.

Rows are agent runs of 2 to 20 kB, OpenAI to Anthropic, a third of them Japanese, from Parquet to Parquet. Each recipe
runs four times in one process of its own. In the first run the engine starts; of the others, the middle one counts. MB
are those of the text. `make bench-engines` makes the environments that are needed.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import bench_batch
import pyarrow as pa
import side_by_side
from pyarrow import parquet

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests/engines"))

import recipes  # noqa: E402

TIMED = """
import json, pathlib, shutil, time

took = []
for _ in range({rounds}):
    shutil.rmtree("cache", ignore_errors=True)
    made = pathlib.Path({made!r})
    shutil.rmtree(made) if made.is_dir() else made.unlink(missing_ok=True)
    started = time.perf_counter()
    exec(compile({code!r}, "recipe", "exec"), {{"__name__": "__main__"}})
    took.append(time.perf_counter() - started)
pathlib.Path("took.json").write_text(json.dumps(took))
"""


def seconds(recipe: recipes.Recipe, code: str, home: Path, rounds: int) -> list[float]:
    """How long each run takes."""
    python = Path(sys.prefix) / recipe.group / "bin/python"
    recipes.run(TIMED.format(rounds=rounds, made=recipes.MADE, code=code), home, str(python), limit=900)
    return [float(one) for one in json.loads((home / "took.json").read_text())]


def main() -> None:
    """Print a row for each engine."""
    chosen = side_by_side.options(__doc__ or "")
    rounds = 2 if chosen.quick else 4
    lines = [line.decode() for line in bench_batch.lines(30 if chosen.quick else 300) if len(line) < 20_000]
    size = sum(len(line.encode()) for line in lines) / 1e6
    print(f"{len(lines)} rows, {size:.0f} MB: MB/s of the recipe, of one that does nothing, and seconds to start")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copy(HERE / "idle.py", home)
        table = pa.table({"id": pa.array(range(len(lines)), pa.int64()), "body": lines})
        parquet.write_table(table, home / recipes.GIVEN, row_group_size=10_000)
        for recipe in recipes.RECIPES:
            first, *ours = seconds(recipe, recipe.code, home, rounds)
            idle = recipe.code.replace("from turnwire import arrow", "import idle as arrow")
            nothing = statistics.median(seconds(recipe, idle, home, rounds)[1:])
            took = statistics.median(ours)
            print(f"  {recipe.name}: {size / took:.0f}, {size / nothing:.0f}, {max(first - took, 0):.1f}", flush=True)


if __name__ == "__main__":
    main()
