"""Conversations out of a file of traces: how fast both passes are, and what memory they take.

`python benches/python/bench_traces.py [--quick]`, with a file of 20 or 200 MB. Beside it: `json.loads` of each line
alone, which any reader needs.
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import side_by_side
from turnwire.batch.traces import Traces

Json = dict[str, Any]


def span(trace: str, name: str, **attributes: list[Json]) -> Json:
    """A span whose attributes are JSON text, as instrumentations write them."""
    pairs = [
        {"key": f"gen_ai.{key.replace('_', '.')}", "value": {"stringValue": json.dumps(value)}}
        for key, value in attributes.items()
    ]
    return {"traceId": trace, "spanId": "1", "name": name, "attributes": pairs}


def write(path: Path, megabytes: float) -> None:
    """Agents of 1 to 12 steps, results of 0.1 to 4 kB, a span without messages for each step."""
    dice = random.Random(1)
    count = 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < megabytes * 1e6:
            count += 1
            trace = f"{count:032x}"
            messages: list[Json] = [
                {"role": "user", "parts": [{"type": "text", "content": "q" * dice.randint(20, 2_000)}]}
            ]
            for step in range(dice.randint(1, 12)):
                call = {"type": "tool_call", "id": f"c{step}", "name": "read", "arguments": {"path": "a" * 60}}
                answer = [{"role": "assistant", "parts": [call]}]
                chat = span(trace, "chat m", input_messages=messages, output_messages=answer)
                spans = [chat, span(trace, "POST")]
                file.write(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}) + "\n")
                said = 'line "r"\n' * dice.randint(10, 400)
                result = {"type": "tool_call_response", "id": f"c{step}", "response": said}
                messages = [*messages, *answer, {"role": "tool", "parts": [result]}]


def main() -> None:
    """Prints megabytes in a second, and the peak of the process."""
    megabytes = 20 if side_by_side.options("Conversations out of a file of traces").quick else 200
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        write(path, megabytes)
        size = path.stat().st_size / 1e6
        for _ in range(3):
            started = time.perf_counter()
            rows = sum(1 for _ in Traces(lambda: path.open("rb")).rows())
            ours = time.perf_counter() - started
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            started = time.perf_counter()
            with path.open("rb") as file:
                for line in file:
                    json.loads(line)
            alone = time.perf_counter() - started
            print(f"{size:.0f} MB, {rows} rows: {size / ours:.0f} MB/s, peak {peak:.0f} MB")
            print(f"json.loads alone: {size / alone:.0f} MB/s, {ours / alone:.2f} times its time")


if __name__ == "__main__":
    main()
