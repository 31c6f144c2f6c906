"""Writes the pages that are made from the code, so that no list stands twice: `make docs`.

They are in no commit. The site is built from `target/docs`, which has them beside the pages of this folder.
"""

import shutil
from pathlib import Path
from typing import Any

import api_reference
import benchmarks_page
import codes_pages
import layouts_page
import pictures
import troubles_pages
import turnwire
from turnwire.cli.commands import COMMANDS
from turnwire.cli.parser import Parser, overview

HERE = Path(__file__).parent
BUILT = HERE.parent / "target/docs"

DIALECTS = """\
# Dialects

A dialect is one wire format. A name with a colon is a profile: the same format with other limits. `turnwire.dialects()`
lists the names. `parse` takes a payload, a whole request body or a bare list, and `render` writes a payload. If your
messages exceed a limit on this page, a build repairs them, or raises an error before anything is sent.

"""


def dialects_page() -> str:
    """`dialects.md`: every dialect with what its payload is and what its servers take."""
    table = turnwire._core._dialect_table()
    heads = [name for name, _ in table[0][1]]
    wires = [(name, dict(row)) for name, row in table]
    page = DIALECTS
    for start in range(0, len(wires), 5):
        some = wires[start : start + 5]
        page += "| | " + " | ".join(f"`{name}`" for name, _ in some) + " |\n" + "|---" * (len(some) + 1) + "|\n"
        page += "".join(f"| {head} | " + " | ".join(row[head] for _, row in some) + " |\n" for head in heads) + "\n"
    return page.rstrip() + "\n"


SETTINGS = """\
# Settings

`settings="convert"` converts a whole body, settings included. A page for each dialect says the key of each setting, the
type of its value and its bounds, and what servers and models of it take otherwise.

- A setting that the target does not have is lost, with the code `setting`.
- A setting outside the target's bounds is changed, and a setting that the target requires is added. Both are
  told with the same code.
- A body in the target's own format keeps its keys, except for those that another version of the API, or the model in
  `model=`, refuses. `turnwire.check(body)` finds the keys that its provider refuses.
- A body that refers to messages on another server, for example by `previous_response_id`, raises `RenderError`: send
  the whole history. Without `settings="convert"`, such a key is lost.

`turnwire.settings.table()` returns this table as data.

"""


OF_DIALECT = """\
# Settings of `{dialect}`

The first key is written, where there are several. A value `its own` exists in one dialect only. In a list of words,
`high` = max means that this dialect writes `high` for what others call `max`.

| setting | keys | value |
|---|---|---|
"""

EXCEPTIONS = """
## Versions, servers and models

What differs, by the beginning of a model's name, which may have its provider's before it, and a date or a version
behind it. For each setting, the line with the longest name counts. A word for effort that a model lacks becomes the
next lower one, else the lowest.

| dialect | models | setting | keys | value |
|---|---|---|---|---|
"""


def settings_pages() -> dict[str, str]:
    """`settings.md` with the meaning of every setting, and for each dialect a page that says how it has them."""
    table = turnwire.settings.table()
    dialects = {name: name.replace(":", "-") for row in table["settings"].values() for name in row["wires"]}
    page = SETTINGS + "| setting | meaning | dialects |\n|---|---|---|\n"
    for name, row in table["settings"].items():
        have = (dialect for dialect, cell in row["wires"].items() if cell["kind"] != "none")
        links = ", ".join(f"[{dialect}](settings/{dialects[dialect]}.md)" for dialect in have)
        page += f"| `{name}` | {row['meaning']} | {links} |\n"
    page += "\n## How much a model thinks\n\nThe tokens for each level of effort, for dialects that count tokens. "
    page += "The key `effort_budgets` of `settings=` sets others.\n\n"
    heads = list(table["efforts"]["none"])
    page += "| effort | " + " | ".join(f"`{head}`" for head in heads) + " |\n" + "|---" * (len(heads) + 1) + "|\n"
    for word, budgets in table["efforts"].items():
        page += f"| `{word}` | " + " | ".join(_tokens(budgets[head]) for head in heads) + " |\n"
    return {"settings.md": page} | {f"settings/{file}.md": _settings_of(name, table) for name, file in dialects.items()}


def _settings_of(dialect: str, table: dict[str, Any]) -> str:
    cells = {name: row["wires"][dialect] for name, row in table["settings"].items()}
    page = OF_DIALECT.format(dialect=dialect)
    page += "".join(_row(name, cell) for name, cell in cells.items() if cell["kind"] != "none")
    page += f"\nIt lacks {', '.join(f'`{name}`' for name, cell in cells.items() if cell['kind'] == 'none')}.\n"
    rows = ""
    for rule in (rule for rule in table["models"] if rule["dialect"].partition(":")[0] == dialect):
        names = ", ".join(f"`{name}`" for name in rule["names"]) or "all others"
        names += " but " + ", ".join(f"`{name}`" for name in rule["but"]) if rule["but"] else ""
        rows += "".join(
            f"| `{rule['dialect']}` | {names} " + _row(name, cell) for name, cell in rule["settings"].items()
        )
    return page + (EXCEPTIONS + rows if rows else "")


def _row(head: str, cell: dict[str, Any]) -> str:
    keys = ", ".join(f"`{place}`" for place in cell["places"])
    said = [cell["why"] if "why" in cell else cell["kind"]]
    if "range" in cell:
        said.append(" to ".join("any" if abs(bound) > 2**50 else f"{bound:g}" for bound in cell["range"]))
    if "most" in cell:
        said.append(f"at most {cell['most']}")
    if "words" in cell:
        said.append(", ".join(f"`{wire}`" + ("" if wire == word else f" = {word}") for wire, word in cell["words"]))
    said += [f"required, added as {cell['needed']}"] if "needed" in cell else []
    said += [f"absent means {cell['absent']}"] if "absent" in cell else []
    said += [f"not together with {', '.join(cell['excludes'])}"] if "excludes" in cell else []
    said += [f"only with {', '.join(cell['needs'])}"] if "needs" in cell else []
    said += ["some of " + ", ".join(cell["choices"]) if cell["choices"] else "refused"] if "choices" in cell else []
    for key, when in (("with_tools", "with tools"), ("at_rest", "at rest")):
        if key in cell:
            said.append(f"{when}: " + _row("", cell[key]).split(" | ")[-1].removesuffix(" |\n"))
    said += ["recorded for " + ", ".join(f"`{name}`" for name in cell["recorded"])] if "recorded" in cell else []
    return f"| `{head}` | {keys} | {'; '.join(said)} |\n"


def _tokens(tokens: int | None) -> str:
    return "no limit" if tokens is None else str(tokens)


def commands_page() -> str:
    """`reference/commands.md`: what `turnwire -h` and the help of each command print."""
    page = "# Commands\n\nWhat `-h` prints. [The command line](../command-line.md) is the guide.\n"
    said = {"turnwire": overview()} | {f"turnwire {one.name}": Parser(one).format_help().strip() for one in COMMANDS}
    return page + "".join(f"\n## `{name}`\n\n```text\n{help}\n```\n" for name, help in said.items())


def pages() -> dict[str, str]:
    """Every generated page and picture, by its path in the folder of the site."""
    return {
        **api_reference.pages(),
        **codes_pages.pages(),
        **troubles_pages.pages(),
        **pictures.pages(),
        "reference/commands.md": commands_page(),
        "benchmarks.md": benchmarks_page.page(),
        "dialects.md": dialects_page(),
        "layouts.md": layouts_page.page(),
        **settings_pages(),
    }


def written() -> list[Path]:
    """The pages that are written by hand, and what the site needs beside them."""
    return [path for path in HERE.rglob("*") if path.suffix in (".md", ".css", ".js")]


def build() -> None:
    """Writes the folder that the site is built from."""
    shutil.rmtree(BUILT, ignore_errors=True)
    for path in written():
        place = BUILT / path.relative_to(HERE)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    for name, text in pages().items():
        place = BUILT / name
        if (HERE / name).exists():
            raise SystemExit(f"docs/{name} is written by hand and by docs/generate.py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build()
    print(f"{BUILT}: written")
