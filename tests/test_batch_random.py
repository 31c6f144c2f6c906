"""Random files through `turnwire.batch`: each row has the result of the function for one, whatever is around it."""

import gzip
import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch

FILES = range(int(os.environ.get("TURNWIRE_SEEDS", "25")))
VECTORS = Path(__file__).parent / "vectors"
POOL = {
    dialect: [
        vector["payload"]
        for vector in json.loads((VECTORS / f"{dialect}.json").read_text(encoding="utf-8"))
        if isinstance(vector.get("payload"), dict) and vector.get("source") == dialect
    ]
    for dialect in ("openai", "anthropic", "gemini", "bedrock", "openai-responses")
}
BAD = [
    b"{",
    b"nope",
    b'{"messages":[}',
    b"\xff\xfe",
    b'{"messages":[{"role":"user","content":"\xff"}]}',
    b"[" * 400,
    b"7",
]
BLANK = [b"", b" ", b"\t"]
# Envelopes that are found without `at`, and the value of `at` for each.
AROUND = [
    (b"", b"", "$"),
    (b'{"custom_id": "r-1","method":"POST" , "body": ', b', "n": 1.0e0}', "body"),
    (b'{"custom_id":"r","params":', b" }", "params"),
    (b'{"a":[1,2 ],"deep":{"x":{"y":', b'}},"z":"\\u00e9"}', "deep.x.y"),
]

Row = Callable[[bytes], bytes]


@dataclass
class Job:
    name: str
    given: tuple[Any, ...]
    options: dict[str, Any]
    one: Row
    """The same for a single row."""

    def file(self, *places: Path, **more: Any) -> batch.Report:
        return getattr(batch, f"{self.name}_file")(*places, *self.given, **self.options, **more)

    def lines(self, rows: Any, **more: Any) -> list[bytes]:
        return list(getattr(batch, f"{self.name}_lines")(rows, *self.given, **self.options, **more))


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def job(dice: random.Random, dialect: Any) -> Job:
    target: Any = dice.choice([*POOL])
    match dice.choice(["convert", "convert", "prepare", "repair", "truncate"]):
        case "convert":
            options: Any = {"settings": dice.choice(["omit", "keep"]), "strict": dice.random() < 0.2, "end": "request"}
            return Job(
                "convert",
                (target,),
                options | {"source": dialect},
                lambda row: tw.convert_json(row, target, source=dialect, **options).payload,
            )
        case "prepare":
            most, options = (
                dice.choice([None, 200, 5_000]),
                {"source": dialect, "wording": {"opening": "go"}, "settings": "omit", "end": "request"},
            )
            return Job(
                "prepare", (target, most), options, lambda row: tw.prepare_json(row, target, most, **options).payload
            )
        case "repair":

            def repaired(row: bytes) -> bytes:
                line = next(batch.prepare_lines([row], source=dialect, at="$", end="request", stop=True))
                built = tw.spec.MessageBuilder().set_messages(row, dialect).build(dialect).render_json(dialect).payload
                # The other keys of the body stay; of its own keys, an empty one may be removed.
                said = {key: value for key, value in json.loads(row).items() if value is not None}
                left = {key: value for key, value in json.loads(line).items() if value is not None}
                assert left == said | {key: value for key, value in json.loads(built).items() if value is not None}
                return line

            return Job("prepare", ("same",), {"source": dialect}, repaired)
        case _:

            def cut(row: bytes) -> bytes:
                return next(batch.truncate_lines([row], 100, source=dialect, at="$", stop=True))

            return Job("truncate", (100,), {"source": dialect}, cut)


def rows_of(dice: random.Random, dialect: str, before: bytes, after: bytes) -> list[tuple[bytes, bytes | None]]:
    """Lines, and the payload in each; None for a line that is not JSON."""
    made: list[tuple[bytes, bytes | None]] = []
    for _ in range(dice.randint(0, 40)):
        kind = dice.random()
        if kind < 0.1:
            made.append((dice.choice(BAD), None))
            continue
        payload = dict(dice.choice(POOL[dialect]))
        if kind < 0.25:
            payload |= {"model": "m", "temperature": 1.0, "metadata": {"k": ["v"]}}
        if kind > 0.97:
            payload["padding"] = "長い" * dice.choice([100_000, 300_000])
        text = json.dumps(payload, ensure_ascii=dice.random() < 0.5, separators=dice.choice([(",", ":"), (", ", ": ")]))
        body = text.encode("utf-8", "surrogatepass")
        try:
            body.decode()
        except UnicodeDecodeError:
            body = json.dumps(payload).encode()
        made.append((before + body + after, body))
    return made


@pytest.mark.parametrize("seed", FILES)
def test_each_row_is_what_the_function_for_one_says(seed: int, tmp_path: Path) -> None:
    dice = random.Random(f"batch {seed}")
    dialect = dice.choice([*POOL])
    what = job(dice, dialect)
    before, after, at = dice.choice(AROUND)
    rows = rows_of(dice, dialect, before, after)
    content, expected, failed, number = b"\xef\xbb\xbf" * (dice.random() < 0.2), b"", [], 0
    lines: list[bytes] = []
    for line, payload in rows:
        while dice.random() < 0.2:
            lines.append(dice.choice(BLANK))
        lines.append(line)
        number = len(lines)
        try:
            if payload is None:
                # The envelope is read first: all we know is that such a line fails.
                failed.append((number, None, None))
                continue
            said = what.one(payload)
            expected += before + said + after + b"\n"
        except tw.TurnwireError as error:
            failed.append((number, error.code, error.path))
    end = dice.choice([b"\n", b"\r\n"])
    content += end.join(lines) + end * (dice.random() < 0.7)
    source = tmp_path / dice.choice(["in.jsonl", "in.jsonl.gz"])
    source.write_bytes(gzip.compress(content, 1) if source.suffix == ".gz" else content)
    place = None if at in ("body", "params") and dice.random() < 0.5 else at
    out, errors, threads = tmp_path / "out.jsonl", tmp_path / "errors.jsonl", dice.choice([0, 1, 2, 3])
    report = what.file(source, out, at=place, threads=threads, errors=errors, resume=dice.random() < 0.3)
    # JSON allows white space around a line.
    for made, said in zip(out.read_bytes().splitlines(), expected.splitlines(), strict=True):
        assert made == said, (what.name, what.given, what.options, dialect)
    told = [json.loads(line) for line in errors.read_bytes().splitlines()]
    assert [one["line"] for one in told] == [line for line, _, _ in failed]
    assert [one["code"] for one, (_, code, _) in zip(told, failed, strict=True) if code] == [
        c for _, c, _ in failed if c
    ]
    inside = "$" if at == "$" else f"$.{at}"
    for one, (_, code, path) in zip(told, failed, strict=True):
        assert code is None or one["path"] == path.replace("$", inside, 1)
    assert (report.rows, report.failed) == (len(rows), len(failed))
    assert (report.bytes_in, report.bytes_out) == (source.stat().st_size, out.stat().st_size)
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([source.name, "out.jsonl", "errors.jsonl"])
    # The same lines from an iterable.
    seen: list[batch.RowError] = []
    again = what.lines(lines, at=place, threads=threads, errors=seen.append)
    assert b"".join(line + b"\n" for line in again) == expected
    assert [error.line for error in seen] == [line for line, _, _ in failed]
    # A compressed file that is cut off anywhere is an error, and leaves nothing.
    if source.suffix == ".gz":
        packed = source.read_bytes()
        source.write_bytes(packed[: dice.randrange(11, len(packed))])
        for left in (out, errors):
            left.unlink()
        with pytest.raises(tw.TurnwireError) as caught:
            what.file(source, out, at=place, threads=threads, errors=errors)
        assert caught.value.code == "damaged_file"
        assert [one.name for one in tmp_path.iterdir()] == [source.name]
