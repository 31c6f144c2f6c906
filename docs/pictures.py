"""Draws the pictures of the README and the pages: a broken history before and after, and measurements. `make docs`.

The history is what `prepare` really makes, and the numbers are those of `benches/README.md`, with their date.
"""

import itertools
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import turnwire as tw

HERE = Path(__file__).parent
NUMBERS = HERE.parent / "benches/README.md"

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
        text(480, 22, "After prepare(messages)", "title"),
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
    ("Text", "1 MB Japanese", "best pure Python", "Cut 1 MB of Japanese text to 400 kB"),
    ("Convert", "dict → dict", "by hand + orjson.loads", "Convert 1,000 messages, dict to dict"),
    ("Convert", "dict → dict", "LiteLLM", "The same beside a library"),
    ("Convert", "dict → JSON bytes", "by hand + orjson.dumps", "dict to JSON bytes"),
    ("Convert", "JSON bytes → JSON bytes", "orjson both ways + by hand", "JSON bytes to JSON bytes"),
]
"""Section, job and rival of the tables in benches/README.md, and what the picture calls the job."""


def measured() -> list[tuple[str, str, str, str, str]]:
    """For each row that is shown: the job, the rival, our time, its time, and the day."""
    sections = dict(
        re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", NUMBERS.read_text(encoding="utf-8"), flags=re.S | re.M)
    )
    found = []
    for section, job, rival, name in SHOWN:
        current, row = "", None
        for line in sections[section].splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not line.startswith("|") or len(cells) < 5:
                continue
            current = cells[0] or current
            if (current, cells[1]) == (job, rival):
                row = cells
                break
        day = re.search(r"\d{4}-\d{2}-\d{2}", sections[section])
        if row is None or day is None:
            raise SystemExit(f"benches/README.md has no row {job}, {rival} with a day in {section}")
        found.append((name, rival, row[2], row[3], day[0]))
    return found


def seconds(time: str) -> float:
    """A time of a table, such as `21.5 µs`."""
    number, unit = time.split()
    return float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


def speed() -> str:
    """`speed.svg`: our time beside a rival's, as far as both are measured in one run."""
    rows = measured()
    parts = [text(10, 22, "Time for the same job: turnwire (green) and others; shorter is better", "title")]
    for at, (name, rival, ours, theirs, _) in enumerate(rows):
        top, longest = 46 + 74 * at, max(seconds(ours), seconds(theirs))
        parts.append(text(10, top, name, "small"))
        for line, (who, time, kind) in enumerate((("turnwire", ours, "bar"), (rival, theirs, "rival"))):
            width = max(2, round(480 * seconds(time) / longest))
            y = top + 8 + 24 * line
            parts.append(f'<rect x="10" y="{y}" width="{width}" height="18" rx="3" class="{kind}"/>')
            parts.append(text(width + 20, y + 14, f"{time}  {who}"))
    bottom = 46 + 74 * len(rows)
    days = " and ".join(sorted({day for *_, day in rows}))
    parts.append(text(10, bottom, f"Measured on {days}, CPython 3.11 without PGO, 2 cores: benches/README.md", "small"))
    return svg(930, bottom + 14, "Measured speed", parts)


RUN = "eventful, 100,000 bytes"
"""The run of benches/README.md that `reasoning.svg` shows."""


def runs() -> list[tuple[str, str, str, str]]:
    """For each way to send the run: its name, refused requests, blocks of reasoning shown, and cost in MB."""
    rows = re.findall(
        r"^\| ([^|]*) \| ([^|]+) \| (\d+) \| ([\d,]+) \| \d+ \| \d+% \| ([\d.]+) \|$", NUMBERS.read_text("utf-8"), re.M
    )
    names = [run for run, *_ in rows]
    start = names.index(RUN)
    end = next((at for at in range(start + 1, len(rows)) if names[at].strip()), len(rows))
    return [(name.replace("`", ""), refused, shown, cost) for _, name, refused, shown, cost in rows[start:end]]


def reasoning() -> str:
    """`reasoning.svg`: what 120 steps cost, how many requests are refused, and how much reasoning the model sees."""
    rows = [
        (f"{name}: {refused} requests refused, {shown} blocks of reasoning shown", f"{cost} MB", float(cost))
        for name, refused, shown, cost in runs()
    ]
    title = f"120 steps of Claude ({RUN}): cost of the input; shorter is better"
    foot = "Counted, not timed: benches/README.md, Runs of bound reasoning"
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


def table(section: str, first: str) -> tuple[list[dict[str, str]], str]:
    """The rows of a table of benches/README.md, from the one that begins with `first`, and the section's day.

    Each row is a dict by the heads of its columns. The last column without a head is `""`.
    """
    found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", NUMBERS.read_text("utf-8"), flags=re.S | re.M)
    lines = found[1].splitlines() if found else []
    start = next((at for at, line in enumerate(lines) if line.startswith(f"| {first} |")), None)
    day = re.search(r"\d{4}-\d{2}-\d{2}", found[1]) if found else None
    if start is None or day is None:
        raise SystemExit(f"benches/README.md has no row {first} with a day in {section}")
    above = itertools.takewhile(lambda line: line.startswith("|"), reversed(lines[:start]))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start:])
    head = cells([*above][-1])
    return [dict(zip(head, cells(line), strict=True)) for line in rows], day[0]


def cells(line: str) -> list[str]:
    """The cells of a row, without marks."""
    return [cell.strip(" *").replace("`", "") for cell in line.removeprefix("|").removesuffix("|").split("|")]


def scores() -> str:
    """`scores.svg`: how many broken histories each library repairs right."""
    every, day = table("Repair: who gets it right", "turnwire")
    tried = every[0]["vectors"]
    some = [row for row in every if row["vectors"] == tried]
    rows = [(row["library"], f"{row['right']} of {tried}", float(row["right"])) for row in some]
    title = f"Histories that are valid and complete after a repair, of {tried}; longer is better"
    foot = f"Counted on {day}: benches/README.md, Repair. The vectors are turnwire's own."
    return bars("Repaired histories", title, rows, foot)


def breaks() -> str:
    """`breaks.svg`: how often a request of a long run does not continue the one before it."""
    run = "plain, 200,000 bytes"
    every, _ = table("Runs of bound reasoning", run)
    rows = [(row[""], f"{row['breaks']} of 120", float(row["breaks"])) for row in every[:6]]
    title = f"120 steps of Claude ({run}): requests that break the prompt cache; shorter is better"
    foot = "Counted, not timed: benches/README.md, Runs of bound reasoning"
    return bars("Breaks of the prompt cache", title, rows, foot)


def memory() -> str:
    """`memory.svg`: the memory of gateways after the same requests."""
    (row, *_), day = table("Gateway", "memory after all of them")
    names = {
        "ours": "turnwire's example",
        "by hand": "by hand, for these two formats only",
        "LiteLLM": "LiteLLM's proxy",
        "rolter": "rolter, in Rust",
        "nemo-switchyard": "nemo-switchyard, in Rust",
    }
    rows = [(name, row[head], float(row[head].split()[0])) for head, name in names.items()]
    title = "Memory of one gateway process after the same requests; shorter is better"
    return bars("Memory of a gateway", title, rows, f"Measured on {day}: benches/README.md, Gateway")


PICTURES = {
    "docs/pictures/history.svg": history,
    "docs/pictures/speed.svg": speed,
    "docs/pictures/reasoning.svg": reasoning,
    "docs/pictures/scores.svg": scores,
    "docs/pictures/breaks.svg": breaks,
    "docs/pictures/memory.svg": memory,
}
