"""What a receipt says was done, `check` says would be: sentence by sentence, over all vectors and targets."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import turnwire as tw

VECTORS = Path(__file__).parent / "vectors"
SENTENCES = Path(__file__).parents[1] / "rust/turnwire-core/src/report/sentence.rs"
DONE = re.compile(r"^(.*) (?:was|were) (.*)$", re.DOTALL)
# What was so before the build: the last verb of these says nothing that a build does.
BEFORE = (
    "the target requires the name of the tool that was called",
    "it was not right after its call",
    "it was behind something else",
    "this part was recorded without its content",
)


def payloads() -> list[tuple[str, Any]]:
    """Every payload of the vectors, with its dialect."""
    files = [json.loads(file.read_text("utf-8")) for file in sorted(VECTORS.glob("*.json"))]
    vectors = [one for file in files if isinstance(file, list) for one in file]
    built = [one for file in files if isinstance(file, dict) for one in file.get("build", ())]
    all_ = [(one["source"], one["payload"]) for one in vectors if "payload" in one and "source" in one]
    all_ += [(one.get("source", "openai"), one["payload"]) for one in built if "payload" in one]
    return all_ + MADE


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
USER = {"role": "user", "content": "q"}


# What no vector shows.
MADE: list[tuple[str, Any]] = [
    ("openai", [USER, ASKED, USER]),
    ("openai", [{"role": "user", "content": "\ud800"}]),
    ("openai", [USER, {"role": "developer", "content": "x"}, USER]),
]


def tenses() -> dict[str, str]:
    """Each sentence of the source as a receipt says it, and as `check` does."""
    rows = re.findall(r'^    \w+ = "(.*)" (was|were) "(.*)";$', SENTENCES.read_text("utf-8"), re.MULTILINE)
    return {f"{before} {verb} {after}": f"{before} would be {after}" for before, verb, after in rows}


TENSES = tenses()


def said(target: Any) -> tuple[set[str], set[str]]:
    """What `check` says of all payloads, and what receipts say."""
    found, receipts = set(), set()
    for source, payload in PAYLOADS:
        try:
            found |= {one.message for one in tw.check(payload, target, source=source)}
            receipts |= {entry.text for entry in tw.prepare(payload, target, source=source).receipt}
        except tw.BuildError as error:
            receipts |= {entry.text for entry in error.receipt or ()}
        except tw.TurnwireError:
            continue
    return found, receipts


PAYLOADS = payloads()


def done(texts: set[str]) -> set[str]:
    """Those that say what was done."""
    return {text for text in texts if DONE.match(text.rpartition(": ")[2]) and not text.startswith(BEFORE)}


@pytest.mark.parametrize("target", sorted(get_args(tw.DialectName)))
def test_a_check_says_what_would_be(target: str) -> None:
    found, receipts = said(target)
    assert done(found) == set()
    # The words of a receipt have a second tense, and with the same payloads `check` says that.
    assert done(receipts) <= set(TENSES)
    assert {TENSES[text] for text in done(receipts)} <= found
