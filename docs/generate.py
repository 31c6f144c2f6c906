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

`settings="convert"` converts a whole body, settings included, by this table. It has, for each setting, the key in each
dialect, the type of the value, and its bounds. If a dialect has several keys for a setting, the first is written. A
value `its own` exists in one dialect only. In a list of words, `high` = max means that the dialect writes `high` for
what others call `max`.

- A setting that the target does not have is lost, with the code `setting`.
- A setting outside the target's bounds is changed, and a setting that the target requires is added. Both are
  told with the same code.
- A body in the target's own format keeps its keys, except for those that another version of the API, or the model in
  `model=`, refuses. `turnwire.check(body)` finds the keys that its provider refuses.
- A body that refers to messages on another server, for example by `previous_response_id`, raises `RenderError`: send
  the whole history. Without `settings="convert"`, such a key is lost.

`turnwire.settings.table()` returns this table as data.

"""


def settings_page() -> str:
    """`settings.md`: every setting as each wire says it, and what models take otherwise."""
    table = turnwire.settings.table()
    page = SETTINGS
    for name, row in table["settings"].items():
        meaning = row["meaning"][0].upper() + row["meaning"][1:]
        page += f"## {name}\n\n{meaning}.\n\n| dialect | keys | value |\n|---|---|---|\n"
        cells = row["wires"].items()
        page += "".join(_row(wire, cell) for wire, cell in cells if cell["kind"] != "none")
        without = ", ".join(f"`{wire}`" for wire, cell in cells if cell["kind"] == "none")
        page += f"\nNot in: {without}.\n\n" if without else "\n"
    page += "## Versions and models\n\nThe exceptions for versions and models, by the beginning of a model's name. "
    page += "A name may have its provider's before it, and a date or a version behind it. Several lines may be about "
    page += "one model: for each setting, the one with the longest name counts. A word for effort that a model lacks "
    page += "becomes the next lower one, else the lowest.\n\n"
    page += "| dialect | models | setting | keys | value |\n|---|---|---|---|---|\n"
    lines: dict[tuple[str, str], list[str]] = {}
    for rule in table["models"]:
        names = ", ".join(f"`{name}`" for name in rule["names"]) or "all others"
        names += " but " + ", ".join(f"`{name}`" for name in rule["but"]) if rule["but"] else ""
        alike: dict[str, list[str]] = {}
        for setting, cell in rule["settings"].items():
            alike.setdefault(_row("", cell).removeprefix("| ``"), []).append(f"`{setting}`")
        for row, settings in alike.items():
            lines.setdefault((names, ", ".join(settings) + row), []).append(f"`{rule['dialect']}`")
    page += "".join(f"| {', '.join(one)} | {names} | {row}" for (names, row), one in lines.items())
    page += "\n## How much a model thinks\n\nThe tokens for each level of effort, for dialects that count tokens. "
    page += "The key `effort_budgets` of `settings=` sets others.\n\n"
    heads = list(table["efforts"]["none"])
    page += "| effort | " + " | ".join(f"`{head}`" for head in heads) + " |\n" + "|---" * (len(heads) + 1) + "|\n"
    for word, budgets in table["efforts"].items():
        page += f"| `{word}` | " + " | ".join(_tokens(budgets[head]) for head in heads) + " |\n"
    return page


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
        "settings.md": settings_page(),
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
