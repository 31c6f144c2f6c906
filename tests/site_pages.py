"""The pages of the site in memory: those written by hand, and those that `docs/generate.py` makes of the code."""

import importlib
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
if str(DOCS) not in sys.path:
    sys.path.append(str(DOCS))
api_reference = importlib.import_module("api_reference")
"""`docs/api_reference.py`."""
definitions = importlib.import_module("definitions")
"""`docs/definitions.py`."""


@cache
def generated() -> dict[str, str]:
    """Every page and picture that is made, by its path in the folder of the site."""
    import generate

    return generate.pages()


@cache
def written() -> dict[str, str]:
    """Every page that is written by hand, by the same."""
    return {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}


@cache
def pages() -> dict[str, str]:
    """All of them, without the pictures."""
    return written() | {name: text for name, text in generated().items() if name.endswith(".md")}
