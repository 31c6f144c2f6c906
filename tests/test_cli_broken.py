"""Broken files at the command line: `check` tells every line that `repair` or `prepare` refuses, and exits alike."""

import contextlib
import copy
import gzip
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import some

sys.path.insert(0, str(Path(__file__).parent / "adapters"))

from generator import told
from spelled import openai
from test_cli import objects, run

DIALECTS = ("openai", "anthropic", "openai-responses", "gemini", "bedrock", "mistral", "cohere", "ollama", "sharegpt")
TARGETS = ("openai", "anthropic", "gemini", "bedrock", "openai-responses", "mistral", "cohere")
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 1e300, 2**70, "", " ", "x", "user", "assistant", "tool", "system", "text", "\ud83d", "\0",
    [], {}, [[]], [None], ["x"], {"type": "text"}, {"text": "x"}, {"type": "text", "text": 3}, {"role": "user"},
)  # fmt: skip
KEYS = ("role", "content", "parts", "type", "text", "tool_calls", "id", "name", "messages", "tools", "system", "x")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value with each of its keys or indices."""
    found = []
    if isinstance(value, dict | list):
        for key, one in [*value.items()] if isinstance(value, dict) else [*enumerate(value)]:
            found += [(value, key), *places(one)]
    return found


def mutated(body: Any, dice: random.Random) -> Any:
    """A body with one to three places changed in any way."""
    body = copy.deepcopy(body)
    for _ in range(dice.choice([1, 1, 2, 3])):
        held, key = dice.choice(places(body) or [([body], 0)])
        way = dice.randrange(6)
        if way == 0:
            del held[key]
        elif way == 1 and isinstance(held, dict):
            held[dice.choice(KEYS)] = held.pop(key)
        elif way == 2 and isinstance(held, list):
            held.insert(dice.randrange(len(held) + 1), copy.deepcopy(dice.choice([*held, *VALUES])))
        elif way == 3 and isinstance(held, list):
            dice.shuffle(held)
        elif way == 4:
            held[key] = dice.choice([[held[key]], {"x": held[key]}, str(held[key])])
        else:
            held[key] = copy.deepcopy(dice.choice(VALUES))
    return body


def line(body: Any, dice: random.Random) -> bytes:
    """The body as a line, which may be no JSON."""
    text = json.dumps(body, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    cut = dice.randrange(len(text) + 1)
    ways = [text] * 12 + [
        text[:cut], text[cut:], text + b",", text.replace(b'"', b"'"), text + text, b"[" * 200_000, b"\xff" + text,
        text[:cut] + b"\x80" + text[cut:], text.replace(b"null", b"NaN"), b"null", b"[]", b"{}", b'"x"', b"3", b"   ",
        b"\xef\xbb\xbf" + text, text + b"\r", b"[" + text + b"]", b'{"body":' + text + b"}", b"// " + text,
    ]  # fmt: skip
    return dice.choice(ways)


def broken_file(folder: Path, dice: random.Random) -> Path:
    rows = []
    for number in range(dice.choice([0, 1, 1, 2, 30])):
        one = told(f"{dice.random()} {number}")
        messages = openai(one if dice.random() < 0.3 else one.closed())
        body = messages if dice.random() < 0.3 else {"messages": messages}
        with contextlib.suppress(tw.TurnwireError):
            body = (
                tw.convert(messages, dice.choice(DIALECTS), source="openai", blobs="base64").payload
                if dice.random() < 0.7
                else body
            )
        rows.append(line(body if dice.random() < 0.2 else mutated(body, dice), dice))
    data = b"\n".join(rows) + b"\n" * dice.choice([0, 1, 2])
    if len(rows) == 1 and dice.random() < 0.5:
        with contextlib.suppress(ValueError, RecursionError):
            data = json.dumps(json.loads(data), indent=2).encode("utf-8", "surrogatepass")
    name = dice.choice(["in.jsonl", "in.json", "in.ndjson", "in.txt"])
    if dice.random() < 0.2:
        name, data = name + ".gz", gzip.compress(data)[: dice.choice([None, None, -9])]
    file = folder / name
    file.write_bytes(data)
    return file


@pytest.mark.parametrize("seed", some(range(int(os.environ.get("TURNWIRE_SEEDS", 20)))))
def test_check_tells_what_repair_and_prepare_refuse(seed, tmp_path, capfd):
    dice = random.Random(f"broken {seed}")
    file, target = broken_file(tmp_path, dice), dice.choice(TARGETS)
    for towards, command in (([], ["prepare", file]), (["--target", target], ["prepare", file, "--target", target])):
        checked, out, said = run(capfd, "check", file, "--format=json", *towards)
        errors = {one["row"] for one in objects(out) if one["severity"] == "error"}
        code, _, err = run(capfd, *command, "--out", tmp_path / "out.jsonl")
        refused = {
            int(one.split(":")[1])
            for one in err.splitlines()
            if one.startswith(f"{file}:") and one.split(":")[1].isdigit()
        }
        here = (seed, command[0], target, sorted(refused - errors), said, err)
        assert refused <= errors, here
        assert checked == max(code, int(bool(errors))) and (code == 2) == (checked == 2), here
        assert code in (0, 1, 2) and (code == 2 or code == int(bool(refused))), here
        # Where the rows go to stdout, the code is the same.
        assert run(capfd, *command)[0] == code, here
        if code == 0 and (tmp_path / "out.jsonl").exists():
            _, out, _ = run(capfd, "check", tmp_path / "out.jsonl", "--format=json", *towards)
            left = [one for one in objects(out) if one["severity"] == "error"]
            assert not left, (here, left)
