"""Writes `benchmarks.md`: what the benches measured, with the strongest rival of each job, from `benches/results`."""

from typing import Any

import pictures

HEAD = """\
# Benchmarks

Each table names its script, the day and the machine. Machines are shared and noisy, so compare only the numbers of one
table. A ratio above 1 means that turnwire is faster. The rival is the strongest that was tried at the job.
[All numbers](../benches/README.md), with the rows that missed their target and why, and how to run them.

![Measured speed: turnwire beside hand-written Python and LiteLLM](pictures/speed.svg)
"""
COUNTED = {
    "Repair: who gets it right": ("repair", "library", ("right", "vectors"), "pictures/scores.svg"),
    "Runs of bound reasoning": (
        "runs-of-bound-reasoning",
        "against",
        ("refused requests", "blocks of reasoning shown", "breaks", "cost, MB"),
        "pictures/reasoning.svg",
    ),
}
"""Counts, which are the same on every machine: their file, what a row is called, what is counted, and the picture."""


def page() -> str:
    """The page."""
    return HEAD + times("text", "Text") + times("convert", "Convert") + gateway() + "".join(map(counts, COUNTED))


def times(name: str, title: str) -> str:
    """Times beside the strongest rival of each job."""
    rows, _ = pictures.results(name)
    text = (
        f"\n## {title}\n\n{measured(name)}\n\n| job | turnwire | strongest rival | | ratio |\n|---|---|---|---|---|\n"
    )
    jobs = dict.fromkeys((row["table"], row["job"]) for row in rows)
    for table, job in jobs:
        best = min((row for row in rows if (row["table"], row["job"]) == (table, job)), key=lambda row: row["theirs"])
        ours, theirs = pictures.duration(best["ours"]), pictures.duration(best["theirs"])
        text += f"| {job}, {table} | {ours} | {best['against']} | {theirs} | {ratio(best)} |\n"
    return text


def ratio(row: dict[str, Any]) -> str:
    """How many times as fast as the rival."""
    times = row["theirs"] / row["ours"]
    return f"{times:,.0f}×" if times >= 10 else f"{times:.2g}×"


def measured(name: str) -> str:
    """Where and when."""
    found: dict[str, Any] = pictures.file(name)
    return f"`{found['script']}`, {found['date']}, {found['machine']}."


def gateway() -> str:
    """The example's gateway beside others."""
    rows, _ = pictures.results("gateway")
    names = [key for key in rows[0] if key not in ("table", "job")]
    text = f"\n## Gateway\n\n{measured('gateway')}\n\n| | " + " | ".join(names).replace("ours", "turnwire's example")
    text += " |\n|---" + "|---" * len(names) + "|\n"
    for row in rows:
        text += f"| {row['job']} | " + " | ".join(f"{row[name]:,}" if name in row else "" for name in names) + " |\n"
    return text


def counts(title: str) -> str:
    """A table of counts."""
    name, what, columns, picture = COUNTED[title]
    rows, _ = pictures.results(name)
    text = f"\n## {title}\n\n{measured(name)}\n\n![{title}]({picture})\n\n| | {' | '.join(columns)} |\n"
    text += "|---" + "|---" * len(columns) + "|\n"
    for row in rows:
        label = row["job"] if what == "library" else f"{row['job']}: {row[what]}"
        text += f"| {label} | " + " | ".join(str(row.get(column, "")) for column in columns) + " |\n"
    return text
