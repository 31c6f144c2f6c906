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


PAGES = {"errors.md": errors_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}: written")
