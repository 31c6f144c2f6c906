"""Counts the instructions of eight jobs with callgrind, beside those of another revision.

Unlike times, counts do not depend on what else the machine does: two runs differ by less than 0.5 % (hashes differ).
They say nothing about caches and waiting, so a count that falls is a reason to measure the time and no substitute for
it.

Needs valgrind and git. The other revision is built once and its counts are kept below `target/count`.

With `--check` it fails if a job needs over 5 % more than the base's, and says which. On GitHub it also writes the table
into the summary of the run, which a pull request links to.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "target" / "count"

#: What the counts depend on: a change here makes the kept counts of other revisions invalid.
JOB_SOURCES = ["count.py", "bench_convert.py", "bench_builder.py", "bench_text.py", "streams.py"]

#: `--check` fails above this ratio. Two runs differ by less than a tenth of it.
MOST = 1.05

#: A C function that nothing else calls: callgrind writes its counts whenever the function is entered.
MARK = "getpgrp"


def jobs() -> dict[str, Callable[[], object]]:
    """The eight jobs. They use the public API only, and their inputs are made before anything is counted."""
    import bench_builder
    import bench_convert
    import bench_text
    import streams
    import turnwire as tw
    from turnwire import batch

    history = bench_convert.history(200)
    # Each dialect is read once and written once.
    circle: list[Any] = ["openai", "anthropic", "gemini", "openai-responses", "bedrock", "mistral", "cohere", "openai"]
    payloads = [
        tw.convert({"messages": history, "tools": bench_convert.TOOLS}, name, source="openai").payload
        for name in circle
    ]
    bodies = [json.dumps(payload, ensure_ascii=False).encode() for payload in payloads]
    pairs = list(itertools.pairwise(circle))
    small = [json.dumps({"messages": bench_convert.history(6 + at % 12)}).encode() for at in range(60)]
    question = {"role": "user", "content": "and now?"}
    in_order, late = ([*bench_builder.history(500, broken=broken), question] for broken in (False, True))
    asked = [*history, question]
    answers = bench_builder.crowd(150, 2)["messages"]
    chunks: dict[Any, Any] = {
        "openai": streams.openai(300),
        "openai-responses": streams.openai_responses(300),
        "anthropic": streams.anthropic(300),
        "gemini": streams.gemini(300),
        "bedrock": streams.bedrock(300),
    }
    events = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks["anthropic"])
    texts = [bench_text.text_of(kind, size) for kind in bench_text.UNITS for size in (1_000, 1_000_000)]
    results = [tw.ToolUseResult(f"call_{at}", text[:50_000]) for at, text in enumerate(texts)]

    def convert() -> None:
        for payload, (source, target) in zip(payloads, pairs, strict=False):
            tw.convert(payload, target, source=source)

    def convert_json() -> None:
        for body, (source, target) in zip(bodies, pairs, strict=False):
            tw.convert_json(body, target, source=source)

    def build() -> None:
        for messages in (in_order, late):
            tw.spec.MessageBuilder().set_messages(messages, "openai").build()
            tw.spec.MessageBuilder().set_messages(messages).build(target="anthropic")

    def prepare() -> None:
        for target in circle[1:]:
            tw.prepare(asked, target, 300_000, tools=bench_convert.TOOLS)

    def fit() -> None:
        for messages in (answers, answers[:-1]):
            for budget in (60_000, 20_000):
                tw.spec.MessageBuilder().set_messages(messages, "anthropic").set_budget(budget).build()

    def stream() -> None:
        for dialect, of_it in chunks.items():
            assembler = tw.StreamAssembler(dialect)
            for chunk in of_it:
                assembler.feed(chunk)
            assembler.finish()
        assembler = tw.StreamAssembler("anthropic")
        for at in range(0, len(events), 4096):
            assembler.feed_bytes(events[at : at + 4096])
        assembler.finish()

    def lines() -> None:
        for _ in batch.convert_lines(small, "anthropic", source="openai", threads=1):
            pass

    def truncate() -> None:
        for text in texts:
            for _ in range(20):
                tw.truncate(text)
            tw.truncate(text, 400_000, keep="middle")
        tw.text.truncate_tool_results(results, 100_000)

    return {
        "convert": convert,
        "convert_json": convert_json,
        "build": build,
        "prepare": prepare,
        "fit": fit,
        "stream": stream,
        "lines": lines,
        "truncate": truncate,
    }


def run_jobs() -> None:
    """The code that runs under callgrind: each job twice, and the second time between two marks."""
    import gc

    logging.disable()
    made = jobs()
    gc.collect()
    gc.disable()
    for job in made.values():
        job()  # The first run makes what is made only once, such as interned keys and reusable memory.
        os.getpgrp()
        job()
        os.getpgrp()
    print(*made)


def counted(package: Path) -> dict[str, int]:
    """The instructions of each job with the `turnwire` in this folder."""
    # The same hashes, and nothing of the caller's environment; the bytecode of the revisions is kept apart.
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(package),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", f"--dump-before={MARK}"]
        done = subprocess.run(
            [*command, sys.executable, "-s", __file__, "--run"], env=env, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(f"the jobs failed with the package in {package}:\n{done.stderr[-2000:]}")
        names = done.stdout.split()
        # Every other dump is a job: the one before it is start-up and a first run, the one after it the next job's
        # first run.
        dumps = [Path(f"{folder}/out.{2 * at + 2}") for at in range(len(names))]
        return {name: total(dump) for name, dump in zip(names, dumps, strict=True)}


def total(dump: Path) -> int:
    """The instructions of one of callgrind's files."""
    found = re.search(r"^(?:summary|totals): (\d+)", dump.read_text(), re.MULTILINE)
    if found is None:
        sys.exit(f"callgrind wrote no total: it never saw a call of `{MARK}`")
    return int(found[1])


def git(*arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def counts_of(revision: str, profile: str) -> dict[str, int]:
    """The counts of a commit: kept ones, or those of a new build of it."""
    kept = kept_at(revision, profile)
    if not kept.exists():
        keep(kept, counted(built(revision, profile)))
    return json.loads(kept.read_text())


def kept_at(revision: str, profile: str) -> Path:
    """Where the counts of a commit are kept: the jobs and the interpreter are part of the name."""
    key = hashlib.sha256(sys.version.encode())
    for name in JOB_SOURCES:
        key.update(Path(__file__).with_name(name).read_bytes())
    return KEPT / f"{revision[:12]}-{profile}-{key.hexdigest()[:8]}.json"


def keep(kept: Path, counts: dict[str, int]) -> None:
    """Keep them for the next comparison."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(counts))


def built(revision: str, profile: str) -> Path:
    """The Python folder of a commit with its extension, built with that commit's own definition of this profile."""
    package = KEPT / f"{revision[:12]}-{profile}"
    if package.exists():
        return package
    print(f"Building {revision[:12]} ({profile}): once", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=made(KEPT)) as folder:
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", revision], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        env = {
            **os.environ,
            "PYO3_PYTHON": sys.executable,
            "PYO3_BUILD_EXTENSION_MODULE": "1",
            "RUSTFLAGS": rustflags(Path(folder)),
        }
        cargo = ["cargo", "build", "--quiet", "--locked", "--package", "turnwire-py", "--profile", profile]
        target = KEPT / "cargo"
        if subprocess.run([*cargo, "--target-dir", str(target)], cwd=folder, env=env).returncode:
            sys.exit(f"{revision[:12]} does not build with the profile `{profile}`")
        library = target / ("debug" if profile == "dev" else profile) / "libturnwire_py.so"
        shutil.copy(library, f"{folder}/python/turnwire/_core{sysconfig.get_config_var('EXT_SUFFIX')}")
        shutil.move(f"{folder}/python", package)
    return package


def rustflags(checkout: Path) -> str:
    """The flags of that checkout. Cargo by itself would also take those of this one, because that one lies inside."""
    config = checkout / ".cargo" / "config.toml"
    return " ".join(tomllib.loads(config.read_text())["build"]["rustflags"]) if config.exists() else ""


def made(folder: Path) -> Path:
    """The folder, which may be new."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compare(base: str | None, profile: str) -> tuple[list[str], list[str]]:
    """The lines of the table and of the jobs that became slow: this checkout, built with `profile`, beside the base."""
    changed = git("status", "--porcelain", "--", "rust", "python", "Cargo.toml", "Cargo.lock")
    if base is not None and Path(base).is_dir():
        name, theirs = base, counted(Path(base).resolve())
    else:
        revision = git("rev-parse", "--verify", f"{base or ('HEAD' if changed else 'HEAD~1')}^{{commit}}")
        name, theirs = revision[:12], counts_of(revision, profile)
    ours = counted(ROOT / "python")
    if not changed:
        keep(kept_at(git("rev-parse", "HEAD"), profile), ours)
    title = f"Instructions of each job, profile {profile}, CPython {sys.version.split()[0]}; base: {name}"
    return [title, *table(theirs, ours)], slower(theirs, ours)


def table(theirs: dict[str, int], ours: dict[str, int]) -> list[str]:
    """A line for each job: the base's count, ours, and their ratio."""
    lines = [f"  {'job':<14}{'base':>16}{'now':>16}{'ratio':>9}"]
    for job, count in ours.items():
        before = theirs.get(job)
        ratio = f"{count / before:>9.4f}" if before else f"{'new':>9}"
        lines.append(f"  {job:<14}{before or 0:>16,}{count:>16,}{ratio}")
    return lines


def slower(theirs: dict[str, int], ours: dict[str, int]) -> list[str]:
    """A sentence for each job that needs too many more instructions than the base's, or is gone."""
    gone = [f"{job}: the base counted it, and this checkout has no such job" for job in theirs if job not in ours]
    shared = {job: ours[job] / theirs[job] for job in ours if theirs.get(job)}
    return gone + [
        f"{job}: {100 * (ratio - 1):.1f} % more instructions than the base, and the limit is {100 * (MOST - 1):.0f} %"
        for job, ratio in shared.items()
        if ratio > MOST
    ]


def main() -> None:
    """Compare, or run the jobs under callgrind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--base", help="a revision, or a folder that holds a built `turnwire`; by default the last commit"
    )
    parser.add_argument("--profile", default="release", help="the cargo profile of both builds")
    parser.add_argument("--check", action="store_true", help="fail if a job needs over 5 %% more than the base's")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        run_jobs()
        return
    for tool in ("valgrind", "git"):
        if shutil.which(tool) is None:
            sys.exit(
                f"count.py needs {tool}, which is not on the PATH: install it (`apt install {tool}`) and try again"
            )
    lines, slow = compare(chosen.base or None, chosen.profile)
    print(*lines, *slow, sep="\n")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as page:
            print("```text", *lines, "```", *slow, sep="\n", file=page)
    if chosen.check and slow:
        sys.exit(f"{len(slow)} of the jobs became slow: find the cause, or say in the commit message why it must be")


if __name__ == "__main__":
    main()
