"""What must be true of the messages that reach a model, however broken the history was."""

from __future__ import annotations

import copy
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from operator import eq, is_
from typing import Any

import turnwire as tw
from generator import PNG, Told
from mutants import judged as judge

__all__ = ["BUDGET", "SEEDS", "prove", "refused"]

SEEDS = range(int(os.environ.get("TURNWIRE_SEEDS", "20")))
"""So many histories in CI, and more by hand."""
BUDGET = 20_000

# Changes that are reported once: for an exchange, for the second of two messages, for the part that joined another
# message.
_OF_SEVERAL = {"dropped_exchange", "merged_turn", "missing_result", "moved_result", "renamed_id"}
_WORD = re.compile(r"w\d{4}w")


def words(value: Any) -> list[str]:
    """The words of the generator, in their order."""
    return _WORD.findall(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def lost_words(one: Told, sent: Any) -> set[str]:
    """Words that should reach the model and do not: all but those of results that no call asked for."""
    there = Counter(words(sent))
    calls = Counter(call["id"] for message in one.messages for call in message.get("tool_calls") or ())
    asked = {word for message in one.messages if message["role"] != "tool" for word in words(message)}
    lost = asked - {*there}
    results: dict[str, list[bool]] = {}
    for message in one.messages:
        if message["role"] == "tool" and (own := words(message["content"])):
            results.setdefault(message["tool_call_id"], []).append(own[0] in there)
    for ident, left in results.items():
        if sum(left) < min(calls[ident], len(left)):
            lost.add(f"{sum(left)} of {len(left)} results of {ident!r}, which is called {calls[ident]} times")
    return lost


def order(one: Told, sent: Any) -> bool:
    """Whether the words of users and assistants come in their old order."""
    texts = [message["content"] for message in one.messages if message["role"] in ("user", "assistant")]
    said = [word for text in texts for word in words(text)]
    once = [word for word, times in Counter(said).items() if times == 1]
    return [word for word in dict.fromkeys(words(sent)) if word in once] == [
        word for word in once if word in words(sent)
    ]


def copied(given: Sequence[Any], sent: Iterable[Any]) -> list[Any]:
    """The messages that were sent as copies, though their content did not change."""

    def equal(one: Any, other: Any) -> bool:
        return type(one) is type(other) and bool(one == other)

    return [one for one in sent if not any(one is other for other in given) and any(equal(one, old) for old in given)]


def accounted(
    done: object,
    given: Sequence[Any],
    handed: Sequence[Any],
    receipts: Sequence[tw.Receipt],
    count: Callable[[Any], int],
    same: Callable[[Any, Any], bool],
) -> None:
    """Whether the receipt reports what was changed: each message that differs, and the first of them."""
    whole = len(given) == len(handed) and all(map(same, given, handed))
    receipts = [receipt for receipt in receipts if receipt.changed]  # others have only warnings
    assert len(receipts) == (not whole), f"{done}: {receipts}"
    if whole:
        return
    (receipt,) = receipts
    # A message may stand for several elements, or for none.
    starts = [*accumulate(map(count, given), initial=0)]
    told = {entry.index for entry in receipt}
    for at, message in enumerate(given) if _OF_SEVERAL.isdisjoint(entry.code for entry in receipt) else ():
        here = range(starts[at], starts[at + 1])
        gone = not any(same(message, other) for other in handed)
        assert not gone or told.intersection(here), f"{done}: nothing is said of {at}: {message}\n{receipt}"
    stays = next((at for at, (old, new) in enumerate(zip(given, handed, strict=False)) if not same(old, new)), None)
    stays = min(len(given), len(handed)) if stays is None else stays
    first = receipt.first_changed_index
    assert first is not None
    # What joins a message comes after its elements; system text that has to move joins the first message.
    head = any(entry.code == "moved_system" for entry in receipt)
    behind = [*starts, first][stays + 1]
    assert starts[stays] <= first <= behind or (head and first == 0), f"{done}: {stays} is the first\n{receipt}"


def judged(dialect: str) -> None:
    """Skip the test without the checker of a dialect. A server's thread cannot skip: its test calls this first."""
    judge.problems(dialect, {})


def refused(dialect: str, payload: Any) -> list[str]:
    """What the provider would refuse, by a checker that is not turnwire; tool definitions can be given separately."""
    judged(dialect)
    # The types of an old SDK know less than the servers of today.
    narrow = os.environ.get("TURNWIRE_ADAPTERS", "").startswith("adapters-oldest")
    found = [one for one in judge.problems(dialect, payload) if not (narrow and one.code == "type")]
    return [f"{one.code} {one.path} {one.message}" for one in found if one.code not in judge.TOOLS_MISSING]


def accepted(one: Told, dialect: str, payload: Any) -> None:
    found = refused(dialect, payload)
    assert found == [], f"{one.done}: {found[:3]}"


def prove(
    one: Told,
    given: Sequence[Any],
    send: Callable[..., Sequence[Any]],
    said: Callable[[Any], Any],
    wire: Callable[[Any], Any],
    dialect: str,
    *,
    objects: bool = True,
    media: bool = True,
    handed: Callable[[Any], Sequence[Any]] | None = None,
    count: Callable[[Any], int] = lambda message: 1,
) -> None:
    """What holds of everything that an adapter sends.

    Args:
        one: The history in the generator's own words.
        given: The same history in the framework's objects.
        send: What reaches the model from a list of messages, under an adapter with these options.
        said: The words in it, in the order of the messages.
        wire: The payload that it makes.
        dialect: The dialect of that payload.
        media: Whether images count, and no other text is added around the words.
        objects: Whether the framework's own messages reach the model.
        handed: The messages that the adapter returned, where they differ from what was sent.
        count: How many elements of a payload stand for a message.
    """
    before, receipts = copy.deepcopy(given), []
    try:
        sent = send(given, on_receipt=receipts.append)
    except tw.BuildError as error:
        # Nothing is left to send where all messages are results without a call.
        assert error.code == "empty_messages", (one.done, error)
        assert not any(message["role"] in ("user", "assistant") for message in one.messages)
        return
    assert given == before, one.done
    assert lost_words(one, said(sent)) == set(), one.done
    assert order(one, said(sent)), one.done
    accepted(one, dialect, wire(sent))
    same = is_ if objects else eq
    accounted(one.done, given, handed(sent) if handed else sent, receipts, count, same)
    receipts.clear()
    if objects:
        # Of two identical messages, the remains of one may equal the other.
        assert "stored twice" in one.done or copied(given, sent) == [], one.done
        again = send(sent)
        assert len(again) == len(sent) and all(map(lambda a, b: a is b, again, sent)), one.done
    small = send(given, budget=BUDGET, on_receipt=receipts.append)
    accounted(one.done, given, handed(small) if handed else small, receipts, count, same)
    assert given == before, one.done
    assert order(one, said(small)), one.done
    accepted(one, dialect, wire(small))
    payload = wire(small)
    made = tw.spec.MessageBuilder().set_messages(payload, dialect).set_budget(10**9).build(dialect).receipt.totals
    images = 0 if media else json.dumps(payload).count(PNG) * len(f"data:image/png;base64,{PNG}") + 300
    assert made is not None and made["after"] <= BUDGET + images, f"{one.done}: {made['after']}"
