"""Writes the pages that are made from the code, so that no list stands twice: `make docs`."""

from pathlib import Path

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
these codes, your own index, the call's id, sizes in bytes and a sentence. `turnwire.change_codes()` is this table.

| code | meaning |
|---|---|
"""


def changes_page() -> str:
    """`changes.md`: every code of a change and what it means."""
    return CHANGES + "".join(f"| `{code}` | {meaning} |\n" for code, meaning in turnwire.change_codes().items())


PAGES = {"errors.md": errors_page, "losses.md": losses_page, "changes.md": changes_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}: written")
