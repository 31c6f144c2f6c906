"""Building a history: repair on a parsed Conversation, beside a plain Python loop over dicts that only looks.

The loop is a lower bound for Python: it checks that each call has its result behind it and no id stands twice, but
mends nothing and says nothing. The cost per message must not grow with the history; that alone is asserted, as a ratio.
"""

from __future__ import annotations

import logging
from typing import Any

import side_by_side
import turnwire as tw

Json = dict[str, Any]
LENGTHS = (200, 2_000, 20_000)

#: How much a message may cost at the greatest length, in its cost at the least: memory caches account for a part of it.
GROWTH = 6.0


def history(messages: int, *, broken: bool = False) -> list[Json]:
    """User, two calls, their results, answer; again and again. `broken`: one result of each round stands too late."""
    made: list[Json] = []
    turn = 0
    while len(made) < messages:
        ids = f"call_{turn}_a", f"call_{turn}_b"
        calls = [{"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}} for one in ids]
        first, second = ({"role": "tool", "tool_call_id": one, "content": f"result {turn}"} for one in ids)
        said = {"role": "assistant", "content": f"answer {turn}"}
        made += [
            {"role": "user", "content": f"question {turn}"},
            {"role": "assistant", "content": None, "tool_calls": calls},
            first,
            *((said, second) if broken else (second, said)),
        ]
        turn += 1
    return made[: messages - messages % 5]


def by_hand(messages: list[Json]) -> bool:
    """What people write: every call answered in the run behind it, no id twice."""
    seen: set[str] = set()
    waiting: set[str] = set()
    for message in messages:
        role = message["role"]
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return False
        if role == "assistant":
            for call in message.get("tool_calls") or ():
                if call["id"] in seen:
                    return False
                seen.add(call["id"])
                waiting.add(call["id"])
    return not waiting


def build(conversation: tw.Conversation) -> tw.Conversation:
    """A whole build of what was parsed before."""
    return tw.MessageBuilder().set_messages(conversation).build()


def row_of(table: side_by_side.Table, length: int, rounds: int) -> float:
    """Add the rows of one length; the cost of one message in a whole build."""
    messages, late = history(length), history(length, broken=True)
    parsed = tw.Conversation.parse(messages, "openai")
    broken = tw.Conversation.parse(late, "openai")
    grown = [*messages, {"role": "user", "content": "and now?"}]
    assert by_hand(messages)
    assert not build(parsed).receipt
    assert not by_hand(late)
    assert build(broken).receipt
    took = side_by_side.medians(
        {
            "loop": lambda: by_hand(messages),
            "pair": parsed._is_paired,
            "build": lambda: build(parsed),
            "mend": lambda: build(broken),
            "one more": lambda: build(parsed.extended("and now?")),
            "all again": lambda: tw.MessageBuilder().set_messages(grown).build(),
        },
        rounds=rounds,
    )
    table.row(f"{length:,} messages, the pair stage alone", took["pair"], "Python loop", took["loop"], at_least=3)
    table.row(f"{length:,} messages in order, whole build", took["build"], "Python loop", took["loop"])
    table.row(f"{length:,} messages, a fifth out of place", took["mend"], "Python loop that only looks", took["loop"])
    table.row(f"{length:,} messages and one more", took["one more"], "the whole list again", took["all again"])
    return took["pair"] / len(messages)


def main() -> None:
    """Print one table; fail when the cost per message grows."""
    options = side_by_side.options(__doc__ or "")
    logging.disable()  # a line for each change would be all that is measured
    table = side_by_side.Table("Building a history")
    cost = [row_of(table, length, 7 if options.quick else 41) for length in LENGTHS]
    table.print()
    growth = cost[-1] / cost[0]
    print(f"  a message of {LENGTHS[-1]:,} costs {growth:.2f} times a message of {LENGTHS[0]:,}")
    assert growth < GROWTH, "the cost of a message grows with the history"


if __name__ == "__main__":
    main()
