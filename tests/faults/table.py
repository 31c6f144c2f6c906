"""A table of what is left to do: a row for each kind of fault, with the outcomes of its cases."""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

from . import checkers
from .suite import PAIRS, verdicts
from .verdict import PROMISES, Verdict

COLUMNS = ("cases", "wrong", "told", "mended", "raised", "excused", "left", "render", "crash", "needless")


def row(found: Iterable[Verdict]) -> Counter[str]:
    """The counts of one kind of fault."""
    counts: Counter[str] = Counter()
    for one in found:
        counts["cases"] += 1
        counts["wrong"] += bool(one.wrong)
        counts["told"] += bool(one.wrong) and one.told
        counts["mended"] += one.mended and not one.excused
        counts["excused"] += one.mended and bool(one.excused)
        counts["raised"] += one.raised
        counts["left"] += bool(one.left)
        counts["render"] += one.outcome == "render error"
        counts["needless"] += one.needless
        counts["crash"] += one.outcome == "crash"
        counts.update(one.broken.keys())
    return counts


def table(title: str, found: list[Verdict], *, variants: bool, everything: bool) -> None:
    """Prints the kinds of one pair of dialects; kinds without a problem only on request."""
    by_kind = defaultdict(list)
    for one in found:
        by_kind[one.case.name if variants and not one.case.kind.startswith("several") else one.case.kind].append(one)
    rows = {kind: row(some) for kind, some in by_kind.items()}
    print(f"\n{title}")
    total = row(found)
    heads = [*COLUMNS, *(promise for promise in PROMISES if total[promise])]

    def line(name: str, counts: Counter[str]) -> str:
        return f"{name:52}" + "".join(f"{counts[head] or '.':>{len(head) + 2}}" for head in heads)

    print(f"{'':52}" + "".join(f"  {head}" for head in heads))
    fine = 0
    for kind, counts in rows.items():
        bad = counts["left"] + counts["render"] + counts["crash"] + counts["wrong"] - counts["told"]
        if bad or everything or any(counts[promise] for promise in PROMISES):
            print(line(kind[:51], counts))
        else:
            fine += 1
    print(line(f"all {len(rows)} kinds, {fine} of them in order", total))


def show(found: Iterable[Verdict], wanted: str, count: int) -> None:
    """Prints cases of a kind that break something: the payload, the findings, and the result."""
    for one in found:
        bad = one.left or one.broken or one.outcome in ("render error", "crash") or not one.told
        if wanted not in one.case.name or not bad or count == 0:
            continue
        count -= 1
        print(f"\n=== {one.case.dialect} -> {one.target}: {one}")
        print(json.dumps(one.case.faulty, default=repr)[:3000])
        print("wrong:   ", *map(str, one.wrong or []), sep="\n  ")
        print("findings:", *[f"{f.severity} {f.code} {f.path}" for f in one.findings], sep="\n  ")
        print(json.dumps(one.made, default=repr)[:3000])
        print("left:    ", *map(str, one.left), sep="\n  ")
        print("broken:  ", *[f"{name}: {how}" for name, how in one.broken.items()], sep="\n  ")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("pairs", nargs="*", help="such as openai:anthropic or gemini:gemini:2; all by default")
    parser.add_argument("--variants", action="store_true", help="a row for each variant of a kind")
    parser.add_argument("--all", action="store_true", help="rows of kinds without any fault, too")
    parser.add_argument("--show", metavar="TEXT", help="print cases whose kind holds this text, instead of tables")
    parser.add_argument("--count", type=int, default=3, help="how many of them")
    parser.add_argument("--times", type=int, default=1, help="so many times the cases of a test run")
    options = parser.parse_args()
    named = {f"{source}:{target}": (source, target) for source, target in PAIRS}
    wanted = [named[pair] for pair in options.pairs] or list(PAIRS)
    print("wrong: what the target refuses without a build; told: where check says so; then what becomes of all cases:")
    print("mended, raised, excused by promise P7, left, RenderError, crash; then the promises that are broken")
    for source, target in wanted:
        if why := checkers.missing(target) or checkers.missing(source):
            print(f"\n{source} -> {target}: {why}", file=sys.stderr)
        found = verdicts(source, target, options.times)
        if options.show is not None:
            show(found, options.show, options.count)
        else:
            table(f"{source} -> {target}", found, variants=options.variants, everything=options.all)
