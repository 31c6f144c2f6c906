"""Writes down what `prepare`, `convert` and `check` return for many small conversations, and compares two such files.

    python tests/pin.py write FILE [--cases 1500]     a line of JSON for each conversation, target and set of options
    python tests/pin.py compare OLD NEW [--show 3]    each kind of difference: payload, receipt, losses, totals, error

`make pin` writes the file of this build, and later `make pin-compare` compares another build with it. A commit that
should change nothing compares equal, and any other names its differences. Callers read a receipt in its order, so a new
order is a difference, too.

The conversations are random and always the same. They hold what rules are about: blank texts, media that are refused,
moved or declared wrongly, documents, results that fail, are empty, late or without a call, arguments in every form,
free text, reasoning with and without a signature, system text anywhere, ids that are used twice.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import turnwire as tw

PNG = "iVBORw0KGgo="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
OPTIONS = [
    {},
    {"reasoning": "text"},
    {"budget": 400},
    {"budget": 400, "reasoning": "text"},
    {"budget": 90},
    {"end": "prefill"},
    {"end": "calls"},
    {"end": "row"},
    {"wording": {"opening": "Go on."}},
    {"budget": tw.Budget(per_result=40)},
    {"reasoning": "drop"},
    {"wording": {"omitted": "Some messages are left out."}, "budget": 300},
    {"budget": tw.Budget(max_tokens=80, count=len), "reasoning": "text"},
]


class Maker:
    """Makes random conversations, broken in many ways."""

    def __init__(self, seed: int) -> None:
        self.rng, self.calls = random.Random(seed), []

    def pick(self, *values: Any) -> Any:
        return self.rng.choice(values)

    def text(self) -> str:
        return self.pick("Hello", "", " ", "w" * self.rng.randint(1, 120), "Tool error: no", '{"a": 1}', "trailing  ")

    def args(self) -> str:
        return self.pick(
            "{}", '{"city": "Kyoto"}', "", "[1]", '{"cut', '"x"', json.dumps({"long": "y" * self.rng.randint(1, 200)})
        )

    def call_id(self) -> str:
        if self.calls and self.rng.random() < 0.1:
            return self.rng.choice(self.calls)
        return self.pick(f"call_{len(self.calls)}", f"toolu_{len(self.calls)}", "c.1", "") or ""

    def openai(self) -> list[dict[str, Any]]:
        out = []
        for _ in range(self.rng.randint(1, 7)):
            role = self.pick("user", "user", "assistant", "assistant", "tool", "system")
            if role == "system":
                out.append({"role": self.pick("system", "developer"), "content": self.text()})
            elif role == "user":
                parts = [
                    self.pick(
                        {"type": "text", "text": self.text()},
                        {
                            "type": "image_url",
                            "image_url": {
                                "url": self.pick(
                                    f"data:image/png;base64,{PNG}",
                                    "data:image/heic;base64,AAAA",
                                    f"data:image/jpeg;base64,{PNG}",
                                    "https://example.org/a.png",
                                )
                            },
                        },
                        {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
                        {
                            "type": "file",
                            "file": {"filename": "a b.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjQK"},
                        },
                    )
                    for _ in range(self.rng.randint(1, 3))
                ]
                out.append({"role": "user", "content": self.pick(self.text(), parts)})
            elif role == "assistant":
                turn = {"role": "assistant", "content": self.pick(self.text(), None)}
                if self.rng.random() < 0.3:
                    turn["reasoning_content"] = self.text()
                if self.rng.random() < 0.6:
                    turn["tool_calls"] = []
                    for _ in range(self.rng.randint(0, 2)):
                        self.calls.append(self.call_id())
                        made = self.pick(
                            {
                                "type": "function",
                                "function": {"name": self.pick("f", "a.b c"), "arguments": self.args()},
                            },
                            {"type": "custom", "custom": {"name": "free", "input": 'say "hi"\n'}},
                        )
                        turn["tool_calls"].append({"id": self.calls[-1], **made})
                out.append(turn)
            else:
                out.append(
                    {
                        "role": "tool",
                        "tool_call_id": self.pick(*(self.calls or ["call_9"]), "call_9"),
                        "content": self.text(),
                    }
                )
        return out

    def anthropic(self) -> list[dict[str, Any]]:
        out = []
        for _ in range(self.rng.randint(1, 7)):
            if self.rng.random() < 0.5:
                parts = [
                    self.pick(
                        {"type": "text", "text": self.text()},
                        {
                            "type": "image",
                            "source": {
                                "type": "base64",
                                "media_type": self.pick("image/png", "image/bmp"),
                                "data": PNG,
                            },
                        },
                        {
                            "type": "document",
                            "source": {"type": "text", "media_type": "text/plain", "data": self.text()},
                        },
                        {
                            "type": "tool_result",
                            "tool_use_id": self.pick(*(self.calls or ["toolu_9"])),
                            "is_error": self.pick(True, False),
                            "content": self.pick(
                                self.text(),
                                [
                                    {"type": "text", "text": self.text()},
                                    {
                                        "type": "image",
                                        "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                                    },
                                ],
                                [],
                            ),
                        },
                    )
                    for _ in range(self.rng.randint(1, 3))
                ]
                out.append({"role": "user", "content": self.pick(self.text(), parts)})
                continue
            parts = []
            if self.rng.random() < 0.4:
                parts.append({"type": "thinking", "thinking": self.text(), **self.pick({"signature": "c2ln"}, {})})
            for _ in range(self.rng.randint(0, 2)):
                self.calls.append(self.call_id())
                parts.append(
                    self.pick(
                        {"type": "text", "text": self.text()},
                        {
                            "type": "tool_use",
                            "id": self.calls[-1],
                            "name": self.pick("f", "a b"),
                            "input": self.pick({}, {"x": "y" * 90}),
                        },
                    )
                )
            out.append({"role": "assistant", "content": parts or self.text()})
        return out

    def gemini(self) -> dict[str, Any]:
        out = []
        for _ in range(self.rng.randint(1, 6)):
            parts = [
                self.pick(
                    {"text": self.text()},
                    {"text": "think", "thought": True},
                    {"inlineData": {"mimeType": "audio/wav", "data": WAV}},
                    {"functionCall": {"name": "f", "args": {"x": 1}}, **self.pick({}, {"thoughtSignature": "c2ln"})},
                    {
                        "functionResponse": {
                            "name": "f",
                            "response": self.pick({"result": "r"}, {"error": "no"}, {"a": 1}, {}),
                        }
                    },
                )
                for _ in range(self.rng.randint(1, 3))
            ]
            out.append({"role": self.pick("user", "model"), "parts": parts})
        return {"contents": out, **self.pick({}, {"systemInstruction": {"parts": [{"text": self.text()}]}})}


def told(receipt: tw.Receipt) -> dict[str, Any]:
    return {
        "receipt": [[entry.code, entry.index, str(entry.path), str(entry)] for entry in receipt],
        "warnings": [str(warning) for warning in [told.reason for told in receipt.only("warning")]],
        "totals": receipt.totals,
    }


def shown(call: Callable[[], Any]) -> dict[str, Any]:
    """What a call returns or raises, as plain data."""
    try:
        made = call()
    except tw.TurnwireError as error:
        return {"error": [error.code, str(error.path), str(error)]}
    if isinstance(made, tw.Receipt):
        return told(made)
    receipt = made.receipt
    return {
        # A format of Python objects has media as bytes.
        "payload": json.dumps(made.payload, ensure_ascii=False, default=repr),
        "losses": [[loss.code, loss.kind, str(loss.path), loss.reason] for loss in made.receipt],
        **({} if receipt is None else told(receipt)),
    }


def cases(count: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each conversation with its own format and three others as targets, and two sets of options for each."""
    for seed in range(count):
        for source in ("openai", "anthropic", "gemini"):
            messages = getattr(Maker(seed), source)()
            rng = random.Random(f"{seed}{source}")
            for target in dict.fromkeys([source, *rng.sample(tw.dialects(), 3)]):
                name, given = f"{seed} {source} {target}", (messages, target, source)
                for at in rng.sample(range(len(OPTIONS)), 2):
                    yield f"{name} {at}", lambda g=given, o=OPTIONS[at]: tw.prepare(g[0], g[1], source=g[2], **o)
                yield f"{name} check", lambda g=given: tw.check(g[0], g[1], source=g[2])
                yield f"{name} convert", lambda g=given: tw.convert(g[0], g[1], source=g[2])


def write(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as out:
        written = 0
        for name, call in sorted(cases(count), key=lambda case: case[0]):
            out.write(json.dumps({"case": name, **shown(call)}, ensure_ascii=False) + "\n")
            written += 1
    print(written, "cases")


def kind_of(key: str, before: Any, after: Any) -> str:
    """How two values of a case differ."""
    if key not in ("receipt", "losses") or not before or not after:
        return key
    codes = [[entry[0] for entry in side] for side in (before, after)]
    if codes[0] == codes[1]:
        return f"{key}: sentence or path"
    return f"{key}: order" if sorted(codes[0]) == sorted(codes[1]) else f"{key}: codes"


def compare(old: Path, new: Path, show: int) -> None:
    counts, examples = Counter[str](), defaultdict(list)
    with old.open(encoding="utf-8") as one, new.open(encoding="utf-8") as two:
        for before, after in zip_longest(map(json.loads, one), map(json.loads, two), fillvalue={}):
            assert before.get("case") == after.get("case"), "the files hold different cases: write both by one pin.py"
            for key in sorted(before.keys() | after.keys()):
                was, now = before.get(key), after.get(key)
                if was != now:
                    kind = kind_of(key, was, now)
                    counts[kind] += 1
                    examples[kind].append((before["case"], was, now))
    for kind, number in counts.most_common():
        print(f"{kind}: {number}")
        for case, was, now in examples[kind][:show]:
            print(f"    {case}\n      was {str(was)[:400]}\n      is  {str(now)[:400]}")
    if not counts:
        print("equal")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = ask.add_subparsers(dest="verb", required=True)
    writing, comparing = verbs.add_parser("write"), verbs.add_parser("compare")
    writing.add_argument("file", type=Path)
    writing.add_argument("--cases", type=int, default=1500)
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--show", type=int, default=3)
    given = ask.parse_args()
    if given.verb == "write":
        write(given.file, given.cases)
    else:
        compare(given.old, given.new, given.show)


if __name__ == "__main__":
    main()
