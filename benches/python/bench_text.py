"""Truncation, budget splitting and import beside the usual Python idiom, the best pure Python, and an empty C call.

Each cut gets a fresh copy of its text, as in a program that has just read it, except where a row says `warm`. Only
growth is asserted: cutting a text that is ten times as long must not cost ten times as much.
"""

from __future__ import annotations

import gc
import importlib.util
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import timeit
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import results
import side_by_side
import turnwire as tw

BUDGET = 400_000
SUFFIX = tw.constants.TRUNCATED_SUFFIX
UNITS = {
    "ASCII": "2026-11-21 06:00:19 ERROR pool exhausted\n",
    "Japanese": "2026年11月21日 決済サービス: 接続プールから接続を取得できませんでした。\n",
    "Latin-1": "Le café était fermé; où êtes-vous allés déjeuner?\n",
    "emoji": "step 4 of 9 done 🚀 all checks passed ✅ nothing to do 🙂\n",
}


def idiom(text: str) -> str:
    """The usual idiom."""
    data = text.encode()
    return text if len(data) <= BUDGET else data[:BUDGET].decode("utf-8", "ignore") + SUFFIX


def best(text: str) -> str:
    """The best pure Python we know for just our result: encodes only what is kept, in chunks, and decodes nothing."""
    length = len(text)
    if length * 4 <= BUDGET:
        return text
    if text.isascii():
        return text if length <= BUDGET else text[: BUDGET - len(SUFFIX)] + SUFFIX
    at, left = 0, BUDGET - len(SUFFIX)
    while step := min(left // 4, 16_384, length - at):
        left -= len(text[at : at + step].encode())
        at += step
    while at < length and (width := len(text[at].encode())) <= left:
        left -= width
        at += 1
    if length - at <= left + len(SUFFIX) and len(text[at:].encode()) <= left + len(SUFFIX):
        return text
    return text[:at] + SUFFIX


def text_of(kind: str, size: int) -> str:
    unit = UNITS[kind]
    return unit * (size // len(unit.encode()))


def fresh_medians(text: str, functions: dict[str, Callable[[str], str]], rounds: int) -> dict[str, float]:
    """Median seconds of one call on a copy that was never read; rotating order."""
    samples: dict[str, list[float]] = {name: [] for name in functions}
    names = list(functions)
    gc.disable()
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            copy = text[:1] + text[1:]
            start = time.perf_counter()
            result = functions[name](copy)
            samples[name].append(time.perf_counter() - start)
            del copy, result
    gc.enable()
    return {name: statistics.median(times) for name, times in samples.items()}


def truncation(rounds: int) -> list[dict[str, object]]:
    table = side_by_side.Table(f"cut to {BUDGET:,} bytes")
    goals = {
        "Japanese": {1: (30, 6), 10: (150, 6)},
        "Latin-1": {1: (8, 3), 10: (8, 3)},
        "emoji": {1: (8, 3), 10: (8, 3)},
    }
    for kind, sizes in goals.items():
        for size, (over_idiom, over_best) in sizes.items():
            text = text_of(kind, size * 1_000_000)
            assert tw.truncate(text, BUDGET) == best(text)
            took = fresh_medians(text, {"ours": tw.truncate, "idiom": idiom, "best": best}, rounds)
            job = f"{size} MB {kind}"
            table.row(job, took["ours"], "encode, cut, decode", took["idiom"], at_least=over_idiom)
            table.row(job, took["ours"], "best pure Python", took["best"], at_least=over_best)
    for job, text in (
        ("10 MB ASCII, warm", text_of("ASCII", 10_000_000)),
        ("300 kB ASCII that fits", text_of("ASCII", 300_000)),
    ):
        assert tw.truncate(text, BUDGET) == best(text)
        took = side_by_side.medians(
            {"ours": lambda t=text: tw.truncate(t), "best": lambda t=text: best(t)}, rounds=rounds
        )
        table.row(job, took["ours"], "best pure Python", took["best"], at_most=1.2)
    for kind in ("Japanese", "Latin-1", "emoji"):
        text = text_of(kind, 300_000)
        took = side_by_side.medians(
            {"ours": lambda t=text: tw.truncate(t), "best": lambda t=text: best(t)}, rounds=rounds
        )
        table.row(f"300 kB {kind} that fits", took["ours"], "best pure Python", took["best"])
    table.print()
    return table.measured


def call_cost(rounds: int) -> None:
    """Timed inside timeit's own loop: a lambda around the call would cost more than the call."""
    table = side_by_side.Table("a call on 1 kB that fits")
    names = {"truncate": tw.truncate, "text": "x" * 1_000, "suffix": "[cut]", "noop": noop_function()}
    if names["noop"] is None:
        print("\na call on 1 kB that fits: skipped, there is no C compiler for the function that does nothing")
        return
    calls = [
        "noop(text, 400_000, suffix)",
        "truncate(text)",
        "truncate(text, 400_000)",
        "truncate(text, 400_000, suffix=suffix)",
    ]
    timers = {call: timeit.Timer(call, globals=names) for call in calls}
    samples: dict[str, list[float]] = {call: [] for call in calls}
    for _ in range(rounds * 5):
        for call, timer in timers.items():
            samples[call].append(timer.timeit(20_000) / 20_000)
    took = {call: statistics.median(times) for call, times in samples.items()}
    for call in calls[1:]:
        table.row(call, took[call], "C, 3 arguments, nothing", took[calls[0]], at_most=2)
    table.print()


def noop_function() -> Callable[..., None] | None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"noop{sysconfig.get_config_var('EXT_SUFFIX')}"
        include = f"-I{sysconfig.get_paths()['include']}"
        source = Path(__file__).with_name("noop.c")
        built = subprocess.run([compiler, "-O2", "-shared", "-fPIC", include, source, "-o", library], check=False)
        if built.returncode:
            return None
        spec = importlib.util.spec_from_file_location("noop", library)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.noop


def memory() -> None:
    print(
        "\nmemory while truncating 10 MB (tracemalloc; design: at most 1.5x the result, and nothing kept on the input)"
    )
    for kind in UNITS:
        text = text_of(kind, 10_000_000)
        before = sys.getsizeof(text)
        tracemalloc.start()
        cut = tw.truncate(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        kept, result = sys.getsizeof(text) - before, sys.getsizeof(cut)
        said = "reached" if peak <= 1.5 * result and kept == 0 else "MISSED"
        print(
            f"  {kind:9} peak {peak:>9,}  result {result:>9,}  {peak / result:.2f}x  kept on the input {kept}  {said}"
        )


def splitting(rounds: int) -> None:
    """Fifty texts into one budget, each no more than it needs: the text part of a budget over tool results."""
    table = side_by_side.Table(f"split {BUDGET:,} bytes over 50 texts")
    for label, kinds in (("ASCII", ["ASCII"]), ("mixed", ["ASCII", "Japanese", "Latin-1", "emoji"])):
        texts = [text_of(kinds[at % len(kinds)], 500 * (at + 1) ** 2 // 4) for at in range(50)]

        def ours(texts: list[str] = texts) -> list[str]:
            shares = tw.text.split_budget(map(tw.text.utf8_len, texts), BUDGET, split="fair")
            return list(map(tw.truncate, texts, shares))

        def theirs(texts: list[str] = texts) -> list[str]:
            data = [text.encode() for text in texts]
            left, level, wanting = BUDGET, BUDGET, len(data)
            for size in sorted(map(len, data)):
                if size * wanting > left:
                    level = left // wanting
                    break
                left, wanting = left - size, wanting - 1
            room = level - len(SUFFIX)
            return [
                text if len(raw) <= level else raw[:room].decode("utf-8", "ignore") + SUFFIX
                for text, raw in zip(texts, data, strict=True)
            ]

        assert sum(map(tw.text.utf8_len, ours())) <= BUDGET
        assert [text is cut for text, cut in zip(texts, ours(), strict=True)] == [
            text is cut for text, cut in zip(texts, theirs(), strict=True)
        ]
        took = side_by_side.medians({"ours": ours, "theirs": theirs}, rounds=rounds)
        table.row(
            f"fair, {label}",
            took["ours"],
            "encode, cut, decode",
            took["theirs"],
            at_least=2 if label == "mixed" else 0.8,
        )
    table.print()


def importing(rounds: int) -> None:
    package = str(Path(tw.__file__).parent.parent)
    codes = {"nothing": "pass", "turnwire": f"import sys; sys.path.insert(0, {package!r}); import turnwire"}
    samples: dict[str, list[float]] = {name: [] for name in codes}
    for _ in range(rounds):
        for name, code in codes.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
            samples[name].append(time.perf_counter() - start)
    nothing, ours = (statistics.median(samples[name]) * 1e3 for name in ("nothing", "turnwire"))
    said = "reached" if ours - nothing <= 15 else "MISSED"
    print(f"\nimport turnwire: {ours:.1f} ms, python -I -S -c pass: {nothing:.1f} ms, so +{ours - nothing:.1f} ms")
    print(f"  design: +15 ms at most: {said}")


def growth() -> None:
    """Ten times the text, the same cut: the part that is cut away must never be read."""
    print("\ncutting 100 MB against 10 MB (asserted: less than four times the time)")
    for kind in ("ASCII", "Japanese", "Latin-1"):
        long = text_of(kind, 100_000_000)
        short = long[: len(long) // 10]
        for keep in ("head", "tail", "middle"):
            took = side_by_side.medians(
                {
                    "10 MB": lambda text=short, keep=keep: tw.truncate(text, BUDGET, keep=keep),
                    "100 MB": lambda text=long, keep=keep: tw.truncate(text, BUDGET, keep=keep),
                },
                rounds=9,
            )
            ratio = took["100 MB"] / took["10 MB"]
            print(f"  {kind:9} {keep:6}  {ratio:.2f}x")
            assert ratio < 4, f"cutting {kind} text grows with what is cut away"


def main() -> None:
    options = side_by_side.options(__doc__)
    rounds = 7 if options.quick else 31
    measured = truncation(rounds)
    call_cost(rounds)
    memory()
    splitting(rounds)
    importing(rounds)
    growth()
    if options.save:
        results.save("Text", __file__, measured)


if __name__ == "__main__":
    main()
