"""Writes what a bench measured to `benches/results`, from which pictures are drawn and tables are checked: `--save`."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "results"


def save(section: str, script: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Write the rows of a section of benches/README.md, with the day and the machine. Times are in seconds."""
    found = {
        "section": section,
        "script": f"benches/python/{Path(script).name}",
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "rows": [*rows],
    }
    path = RESULTS / f"{section.partition(':')[0].lower().replace(' ', '-')}.json"
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"benches/results/{path.name}: written")


def machine() -> str:
    """The processor, its load, the interpreter and the system."""
    cpu, info = platform.machine(), Path("/proc/cpuinfo")
    for line in info.read_text(encoding="utf-8").splitlines() if info.exists() else ():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    python = f"CPython {platform.python_version()} ({platform.python_compiler()})"
    return f"{cpu}, {os.cpu_count()} processors (load {os.getloadavg()[0]:.1f}), {python}, {platform.system()}"
