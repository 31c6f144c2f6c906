"""Draws the pictures of the README and the pages: a broken history before and after, and measurements. `make docs`.

The history is what `prepare` really makes. The numbers and their days are those that the benches wrote to
`benches/results`.
"""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import turnwire as tw

HERE = Path(__file__).parent
RESULTS = HERE.parent / "benches/results"
UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}

STYLE = """<style>
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #24292f }
.title { font: bold 14px system-ui, sans-serif } .small { font: 12px system-ui, sans-serif; fill: #57606a }
.box { fill: #f6f8fa; stroke: #d0d7de } .bad { fill: #ffebe9; stroke: #cf222e } .new { fill: #dafbe1; stroke: #1a7f37 }
.bar { fill: #1a7f37 } .rival { fill: #afb8c1 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9198a1 } .box { fill: #151b23; stroke: #3d444d }
.bad { fill: #3c1618; stroke: #f85149 } .new { fill: #12261e; stroke: #3fb950 }
.bar { fill: #3fb950 } .rival { fill: #656c76 } }
</style>"""


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """A picture that follows the reader's light or dark mode, and says what it shows."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    body = "\n".join([f' role="img">\n<title>{escape(title)}</title>', STYLE, *parts])
    return f"{head}{body}\n</svg>\n"


def text(x: int, y: int, said: str, kind: str = "") -> str:
    """A line of text."""
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(said)}</text>'


def call(id: str, city: str) -> dict[str, Any]:
    """A call of OpenAI's wire."""
    return {"id": id, "type": "function", "function": {"name": "weather", "arguments": f'{{"city": "{city}"}}'}}


BROKEN: list[dict[str, Any]] = [
    {"role": "user", "content": "Weather in Tokyo and Osaka?"},
    {"role": "assistant", "content": None, "tool_calls": [call("call_1", "Tokyo"), call("call_2", "Osaka")]},
    {"role": "user", "content": "Quickly, please."},
    {"role": "tool", "tool_call_id": "call_1", "content": "Sunny."},
]


def said(message: dict[str, Any]) -> str:
    """A message on one line."""
    calls = ", ".join(f"{one['id']}: {one['function']['name']}" for one in message.get("tool_calls", ()))
    of = f"{message['tool_call_id']}: " if "tool_call_id" in message else ""
    words = of + (message.get("content") or calls)
    return f"{message['role']:<9} {words if len(words) < 36 else words[:35] + '…'}"


def history() -> str:
    """`history.svg`: the list on the left is refused, the one on the right accepted."""
    ready = tw.prepare(BROKEN, "openai")
    after = ready.payload["messages"]
    moved = {entry.index for entry in ready.receipt if entry.code == "moved_result"}
    bad = {entry.index for entry in ready.receipt}
    parts = [
        text(10, 22, "Before: refused with 400, like every later request", "title"),
        text(480, 22, 'After prepare(messages, "openai")', "title"),
    ]
    for row, message in enumerate(BROKEN):
        parts += box(10, row, said(message), "bad" if row in bad else "box")
    for row, (message, sources) in enumerate(zip(after, ready.sources, strict=True)):
        made = message not in BROKEN
        parts += box(480, row, said(message), "new" if made or set(sources) & moved else "box")
    bottom = 44 + 36 * max(len(BROKEN), len(after)) + 12
    codes = ", ".join(f"{entry.code} at {entry.path}" for entry in ready.receipt)
    parts.append(text(10, bottom, f"Receipt: {codes}", "small"))
    return svg(930, bottom + 14, "A broken history, before and after", parts)


def box(x: int, row: int, words: str, kind: str) -> list[str]:
    """A message of the list."""
    top = 36 + 36 * row
    return [f'<rect x="{x}" y="{top}" width="440" height="30" rx="5" class="{kind}"/>', text(x + 12, top + 20, words)]


SHOWN = [
    ("text", "1 MB Japanese", "best pure Python", "Cut 1 MB of Japanese text to 400 kB"),
    ("convert", "dict → dict", "by hand + orjson.loads", "Convert 1,000 messages, dict to dict"),
    ("convert", "dict → dict", "LiteLLM", "The same beside a library"),
    ("convert", "dict → JSON bytes", "by hand + orjson.dumps", "dict to JSON bytes"),
    ("convert", "JSON bytes → JSON bytes", "orjson both ways + by hand", "JSON bytes to JSON bytes"),
]
"""File, job and rival of the measurements, and what the picture calls the job."""


def file(name: str) -> dict[str, Any]:
    """What a bench has written."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def results(name: str, job: str | None = None) -> tuple[list[dict[str, Any]], str]:
    """The rows that a bench has written, all of them or those of one job, and the day."""
    found = file(name)
    rows = [row for row in found["rows"] if job in (None, row["job"])]
    if not rows:
        raise SystemExit(f"benches/results/{name}.json has no row {job}")
    return rows, found["date"]


def duration(seconds: float) -> str:
    """A time in a unit that fits."""
    unit, size = next((unit, size) for unit, size in UNITS.items() if seconds >= size)
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 99.95 else f"{value:.3g} {unit}"


def speed() -> str:
    """`speed.svg`: our time beside a rival's, as far as both are measured in one run."""
    parts = [text(10, 22, "Time for the same job: turnwire (green) and others; shorter is better", "title")]
    days = set()
    for at, (name, job, rival, title) in enumerate(SHOWN):
        rows, day = results(name, job)
        row = next(row for row in rows if row["against"] == rival)
        days.add(day)
        top, longest = 46 + 74 * at, max(row["ours"], row["theirs"])
        parts.append(text(10, top, title, "small"))
        for line, (who, time, kind) in enumerate((("turnwire", row["ours"], "bar"), (rival, row["theirs"], "rival"))):
            width = max(2, round(480 * time / longest))
            y = top + 8 + 24 * line
            parts.append(f'<rect x="10" y="{y}" width="{width}" height="18" rx="3" class="{kind}"/>')
            parts.append(text(width + 20, y + 14, f"{duration(time)}  {who}"))
    bottom = 46 + 74 * len(SHOWN)
    said = f"Measured on {' and '.join(sorted(days))}, CPython 3.11 without PGO, 2 cores: benches/README.md"
    parts.append(text(10, bottom, said, "small"))
    return svg(930, bottom + 14, "Measured speed", parts)


RUN = "eventful, 100,000 bytes"
"""The run of the bench that `reasoning.svg` shows."""


def reasoning() -> str:
    """`reasoning.svg`: what 120 steps cost, how many requests are refused, and how much reasoning the model sees."""
    found, day = results("runs-of-bound-reasoning", RUN)
    rows = [
        (
            f"{row['against']}: {row['refused requests']} requests refused, "
            f"{row['blocks of reasoning shown']:,} blocks of reasoning shown",
            f"{row['cost, MB']:.2f} MB",
            row["cost, MB"],
        )
        for row in found
    ]
    title = f"120 steps of Claude ({RUN}): cost of the input; shorter is better"
    foot = f"Counted on {day}: benches/README.md, Runs of bound reasoning"
    return bars("Reasoning and cost of a long run", title, rows, foot)


def bars(name: str, title: str, rows: list[tuple[str, str, float]], foot: str) -> str:
    """A bar for each row: what it is, its value as written, and as a number. The first row is turnwire."""
    longest = max(value for *_, value in rows)
    parts = [text(10, 22, title, "title")]
    for at, (label, said, value) in enumerate(rows):
        top, width = 40 + 50 * at, max(2, round(440 * value / longest))
        kind = "bar" if at == 0 else "rival"
        parts.append(text(10, top + 12, label, "small"))
        parts.append(f'<rect x="10" y="{top + 18}" width="{width}" height="18" rx="3" class="{kind}"/>')
        parts.append(text(width + 20, top + 32, said))
    bottom = 40 + 50 * len(rows) + 12
    parts.append(text(10, bottom, foot, "small"))
    return svg(930, bottom + 14, name, parts)


def scores() -> str:
    """`scores.svg`: how many broken histories each library repairs right."""
    every, day = results("repair")
    tried = every[0]["vectors"]
    some = [row for row in every if row["vectors"] == tried]
    rows = [(row["job"], f"{row['right']} of {tried}", row["right"]) for row in some]
    title = f"Histories that are valid and complete after a repair, of {tried}; longer is better"
    foot = f"Counted on {day}: benches/README.md, Repair. The vectors are turnwire's own."
    return bars("Repaired histories", title, rows, foot)


def breaks() -> str:
    """`breaks.svg`: how often a request of a long run does not continue the one before it."""
    run = "plain, 200,000 bytes"
    found, day = results("runs-of-bound-reasoning", run)
    rows = [(row["against"], f"{row['breaks']} of 120", row["breaks"]) for row in found]
    title = f"120 steps of Claude ({run}): requests that break the prompt cache; shorter is better"
    foot = f"Counted on {day}: benches/README.md, Runs of bound reasoning"
    return bars("Breaks of the prompt cache", title, rows, foot)


def memory() -> str:
    """`memory.svg`: the memory of gateways after the same requests."""
    (row,), day = results("gateway", "memory after all of them")
    names = {
        "ours": "turnwire's example",
        "by hand": "by hand, for these two formats only",
        "LiteLLM": "LiteLLM's proxy",
        "rolter": "rolter, in Rust",
        "nemo-switchyard": "nemo-switchyard, in Rust",
    }
    rows = [(name, f"{row[column]:.0f} MB", row[column]) for column, name in names.items()]
    title = "Memory of one gateway process after the same requests; shorter is better"
    return bars("Memory of a gateway", title, rows, f"Measured on {day}: benches/README.md, Gateway")


PICTURES = {
    "history": history, "speed": speed, "reasoning": reasoning, "scores": scores, "breaks": breaks, "memory": memory,
}  # fmt: skip


def pages() -> dict[str, str]:
    """Every picture, by its path in the folder of the site."""
    return {f"pictures/{name}.svg": draw() for name, draw in PICTURES.items()}
