"""Writes the pages that are made from the code, so that no list stands twice: `make docs`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import turnwire

HERE = Path(__file__).parent

ERRORS = """\
# Errors

<!-- Written by docs/generate.py: change error.rs, then `make docs`. -->

Bad data raises a `TurnwireError`, which is a `ValueError`, or one of its four children. Its `.code` is one of the names
below and never changes, its `.path` says where in the payload (`$.messages[3].content[0]`), its `.dialect` which wire
format was being read or written. A wrong argument type is a plain `TypeError`. `turnwire.error_codes()` is this table.

| code | exception | meaning |
|---|---|---|
"""


def errors_page() -> str:
    """`errors.md`: every code with its exception and what it means."""
    codes = turnwire.error_codes().items()
    return ERRORS + "".join(f"| `{code}` | `{kind.__name__}` | {meaning} |\n" for code, (kind, meaning) in codes)


LOSSES = """\
# Losses

<!-- Written by docs/generate.py: change loss.rs, then `make docs`. -->

A conversion keeps what the target can express and lists everything else in `Rendered.losses`, each with one of these
codes. With `strict=True` the first one of kind `lost` is a `RenderError`. `turnwire.loss_codes()` is this table.

| code | meaning |
|---|---|
"""


def losses_page() -> str:
    """`losses.md`: every code of a loss and what it means."""
    return LOSSES + "".join(f"| `{code}` | {meaning} |\n" for code, meaning in turnwire.loss_codes().items())


CHANGES = """\
# Changes

<!-- Written by docs/generate.py: change receipt.rs, then `make docs`. -->

`MessageBuilder.build` gives a conversation whose `.receipt` lists everything that it changed, each entry with one of
these codes, your own index, the call's id, sizes in bytes and a sentence; its `.totals` say what a budget came to.
`turnwire.change_codes()` is this table.

| code | meaning |
|---|---|
"""


def changes_page() -> str:
    """`changes.md`: every code of a change and what it means."""
    return CHANGES + "".join(f"| `{code}` | {meaning} |\n" for code, meaning in turnwire.change_codes().items())


DIFFS = """\
# Two requests in a row

<!-- Written by docs/generate.py: change prefix/cause.rs, then `make docs`. -->

`turnwire.diff(a, b)` says where a request first says something else than the one before it, and what that costs:
reasoning that the newest models refuse or drop, and bytes that a cache reads anew. Its `.code` is one of these; an edit
changes what was said before. `turnwire.diff_codes()` is this table, `turnwire diff` the command.

| code | edit | meaning |
|---|---|---|
"""


def diffs_page() -> str:
    """`diffs.md`: every code of a diff, whether it is an edit and what it means."""
    codes = turnwire.diff_codes().items()
    return DIFFS + "".join(f"| `{code}` | {'yes' if edit else 'no'} | {meaning} |\n" for code, (edit, meaning) in codes)


NAMES = '''\
"""The names of dialects as types, so that a checker sees a name that is misspelt."""

# Written by docs/generate.py: add the dialect, then `make docs`.

from typing import Literal, TypeAlias

__all__ = ["BodyName", "DialectName", "ListName", "ReplyName", "SourceName"]

BodyName: TypeAlias = {bodies}
"""Dialects whose payload is a dict."""

ListName: TypeAlias = {lists}
"""Dialects whose payload is a list."""

DialectName: TypeAlias = Literal[BodyName, ListName]
"""Every name in `dialects()`."""

ReplyName: TypeAlias = {replies}
"""Dialects of providers, whose replies can be read, whole or streamed."""

SourceName: TypeAlias = Literal["auto", DialectName]
"""What a payload may be read as: `"auto"` for what it looks like."""
'''


def names_module() -> str:
    """`names.py`: every name in `dialects()`, by what its payload is."""
    payloads = {name: turnwire.Conversation(["x"]).render(name).payload for name in turnwire.dialects()}
    kinds = {kind: [name for name, payload in payloads.items() if isinstance(payload, kind)] for kind in (dict, list)}
    replies = [name for name in turnwire.dialects() if _has_replies(name)]
    return NAMES.format(bodies=_literal(kinds[dict]), lists=_literal(kinds[list]), replies=_literal(replies))


def _has_replies(name: Any) -> bool:
    try:
        turnwire.StreamAssembler(name)
    except turnwire.UnknownDialectError:
        return False
    return True


def _literal(names: Iterable[str]) -> str:
    return "Literal[\n" + "".join(f'    "{name}",\n' for name in names) + "]"


DIALECTS = """\
# Dialects

<!-- Written by docs/generate.py: change the row of the dialect, then `make docs`. -->

A dialect is one wire format; a name behind a colon is a profile, the same wire with other limits.
`turnwire.dialects()` are the names. `parse` takes the payload, a whole request body, whose other keys stay yours, or
the bare list; `render` writes the payload. What a limit of this page refuses, a build mends or raises before anything
is sent.

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


PAGES = {
    "docs/errors.md": errors_page,
    "docs/losses.md": losses_page,
    "docs/changes.md": changes_page,
    "docs/diffs.md": diffs_page,
    "docs/dialects.md": dialects_page,
    "python/turnwire/names.py": names_module,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE.parent / name).write_text(page(), encoding="utf-8")
        print(f"{name}: written")
