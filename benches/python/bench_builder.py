"""Building a history: repair on a parsed Conversation, beside a plain Python loop over dicts that only checks.

The loop is a lower bound for Python: it checks that each call has its result after it and that no id is repeated, but
repairs nothing and reports nothing. The cost per message must not grow with the history. Only that is asserted, as a
ratio. Fitting to a budget is measured against itself on a history a tenth as long.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import side_by_side
import turnwire as tw

Json = dict[str, Any]
LENGTHS = (200, 2_000, 20_000)

#: How much a message may cost at the greatest length, relative to its cost at the least. Memory caches cause 1.5 to
#: 2.5. A cost that grows with the history would cause 100.
GROWTH = 6.0

#: How much fitting ten times as many things may cost, relative to the cost of the few.
LINEAR = 12.0


def history(messages: int, *, broken: bool = False) -> list[Json]:
    """User, two calls, their results, answer, over and over. `broken`: one result of each round comes too late."""
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


def crowd(rounds: int, calls: int) -> Json:
    """Rounds of so many calls each, as Anthropic writes them: the results of a round are one message."""
    messages: list[Json] = [{"role": "user", "content": "go"}]
    for turn in range(rounds):
        names = [f"call_{turn}_{call}" for call in range(calls)]
        uses = [{"type": "tool_use", "id": name, "name": "f", "input": {"q": "x" * 90}} for name in names]
        results = [{"type": "tool_result", "tool_use_id": name, "content": "r" * 200} for name in names]
        messages += [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]
    return {"messages": [*messages, {"role": "user", "content": "and now?"}]}


def by_hand(messages: list[Json]) -> bool:
    """A hand-written check: every call is answered in the messages after it, and no id is repeated."""
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
    """A whole build of a conversation that is parsed already."""
    return tw.spec.MessageBuilder().set_messages(conversation).build()


def row_of(table: side_by_side.Table, length: int, rounds: int) -> float:
    """Add the rows of one length; return what one message costs in the pair stage."""
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
            "add": lambda: parsed.extended("and now?"),
            "copy": lambda: [*messages, "and now?"],
            "all again": lambda: tw.spec.MessageBuilder().set_messages(grown).build(),
        },
        rounds=rounds,
    )
    table.row(f"{length:,} messages, the pair stage alone", took["pair"], "Python loop", took["loop"], at_least=3)
    table.row(f"{length:,} messages in order, whole build", took["build"], "Python loop", took["loop"])
    table.row(f"{length:,} messages, a fifth out of place", took["mend"], "Python loop that only looks", took["loop"])
    table.row(f"{length:,} messages and one more", took["one more"], "the whole list again", took["all again"])
    table.row(f"{length:,} messages, one added", took["add"], "a copy of the list", took["copy"])
    # Between the others its turns would be in no near cache, which costs more than all that is looked for here.
    return side_by_side.fastest(parsed._is_paired, rounds=10 * rounds) / len(messages)


def fit_rows(table: side_by_side.Table, most: int, rounds: int) -> list[float]:
    """Add the rows of fitting `most` things to a budget; how many times the cost of a tenth of them each takes."""
    shapes: dict[str, Callable[[int], Json]] = {
        "rounds of one call, half of them dropped": lambda many: crowd(many, 1),
        "rounds of a hundred calls, half of them dropped": lambda many: crowd(many // 100, 100),
        "results of the newest exchange, all cut": lambda many: {"messages": crowd(1, many)["messages"][:-1]},
    }
    ratios = []
    for job, made in shapes.items():
        sizes = {"all": most, "tenth": most // 10}
        builds = {
            name: tw.spec.MessageBuilder().set_messages(made(size), "anthropic").set_budget(size * 200).build
            for name, size in sizes.items()
        }
        took = side_by_side.medians(builds, rounds=rounds)
        table.row(f"fit: {most:,} {job}", took["all"], "a tenth as many", took["tenth"], at_most=LINEAR)
        all_of_them, tenth = (side_by_side.fastest(builds[size], rounds=3 * rounds) for size in sizes)
        ratios.append(all_of_them / tenth)
    return ratios


def main() -> None:
    """Print one table; fail when the cost per message grows."""
    options = side_by_side.options(__doc__ or "")
    logging.disable()  # otherwise the bench would measure mostly one log line for each change
    table = side_by_side.Table("Building a history")
    cost = [row_of(table, length, 7 if options.quick else 41) for length in LENGTHS]
    fitted = fit_rows(table, 20_000 if options.quick else 100_000, 3 if options.quick else 7)
    table.print()
    growth = cost[-1] / cost[0]
    print(f"  a message of {LENGTHS[-1]:,} costs {growth:.2f} times a message of {LENGTHS[0]:,}")
    assert growth < GROWTH, "the cost of a message grows with the history"
    assert max(fitted) < 2 * LINEAR, "the cost of a fit grows faster than what is fitted"


if __name__ == "__main__":
    main()
