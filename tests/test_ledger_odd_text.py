"""Texts of subclasses of `str` that define their own methods: a ledger reads their characters only."""

from __future__ import annotations

from typing import Any

import pytest
import turnwire as tw
from turnwire._core import _fingerprint

Json = dict[str, Any]


class OneHash(str):
    def __hash__(self) -> int:
        return 1


class NoHash(str):
    __hash__ = None  # type: ignore[assignment]


class Random(str):
    def __hash__(self) -> int:
        return id(self)

    def __len__(self) -> int:
        return 3

    def __getitem__(self, key: Any) -> str:
        return "no"


KINDS = (OneHash, NoHash, Random)


def fresh(word: str) -> str:
    """A text whose hash nobody has asked for yet. A copy of another class would have it, too."""
    return " ".join([word] * 4)


def messages(text: str) -> list[Json]:
    return [{"role": "user", "content": [{"type": "text", "text": text}]}, {"role": "assistant", "content": "Yes."}]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loads", [False, True])
def test_an_edit_is_found(kind: type[str], loads: bool) -> None:
    """From the third request on, the ledger knows a message by the hashes of its texts."""
    ledger = tw.Ledger("anthropic")
    given = messages(kind(fresh("one")))
    for step in range(3):
        given.append({"role": "user", "content": f"u{step}"})
        ready = ledger.prepare(given)
        given.append({"role": "assistant", "content": f"r{step}"})
    assert ready.receipt.break_at is None and ledger.breaks == ()
    if loads:
        ledger = tw.Ledger.load(ledger.state())
    # The same characters, of whatever class, are no edit.
    for same in (fresh("one"), kind(fresh("one")), kind(fresh("one"))):
        given[0] = messages(same)[0]
        assert ledger.prepare([*given, {"role": "user", "content": "on"}]).receipt.break_at is None
    given[0] = messages(kind(fresh("two")))[0]
    ready = ledger.prepare([*given, {"role": "user", "content": "on"}])
    assert ready.receipt.break_at == "$[0]" and "differs from what was sent" in str(
        [told.reason for told in ready.receipt.only("warning")]
    )
    # As JSON, too, it is what the caller has now.
    assert fresh("two").encode() in ledger.prepare_json([*given, {"role": "user", "content": "on"}]).payload


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [3, 5_000])
@pytest.mark.parametrize("whole", [False, True])
def test_an_element_is_known_by_its_characters(kind: type[str], length: int, whole: bool) -> None:
    number = _fingerprint(messages("a" * length), whole)
    assert _fingerprint(messages(kind("a" * length)), whole) == number
    assert _fingerprint(messages(kind("b" * length)), whole) != number
