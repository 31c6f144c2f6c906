"""What a run writes next to its output: it overwrites no other file and leaves nothing."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch
from turnwire.batch.partial_file import Beside, Counts, beside

ROW = b'{"messages":[{"role":"user","content":"hi"}]}\n'
AS_GEMINI = tw.convert_json(ROW, "gemini", source="openai").payload + b"\n"


def convert(source: Path, out: Path, **options: Any) -> batch.Report:
    return batch.convert_file(source, out, "gemini", source="openai", **options)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["out.part", "out.part.log", "errors.part"])
def test_what_is_read_is_not_written_beside_the_output(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(ROW)
    with pytest.raises(tw.TurnwireError, match="which this run reads or writes already") as raised:
        convert(tmp_path / name, tmp_path / "out", errors=tmp_path / "errors")
    assert raised.value.code == "conflicting_options"
    assert (tmp_path / name).read_bytes() == ROW
    assert names(tmp_path) == [name]


@pytest.mark.parametrize("name", ["out.part", "out.part.log"])
def test_errors_are_not_written_beside_the_output(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").write_bytes(ROW)
    with pytest.raises(tw.TurnwireError, match="which this run reads or writes already"):
        convert(tmp_path / "in", tmp_path / "out", errors=tmp_path / name)
    assert names(tmp_path) == ["in"]


@pytest.mark.parametrize("name", ["out.part", "out.part.log", "errors.part"])
@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_a_link_beside_the_output_is_not_written_through(tmp_path: Path, name: str, link: str) -> None:
    (tmp_path / "in").write_bytes(ROW)
    if link == "symbolic":
        (tmp_path / name).symlink_to(tmp_path / "in")
        with pytest.raises(tw.TurnwireError, match="which this run reads or writes already"):
            convert(tmp_path / "in", tmp_path / "out", errors=tmp_path / "errors")
    elif name.endswith(".part"):
        (tmp_path / name).hardlink_to(tmp_path / "in")
        convert(tmp_path / "in", tmp_path / "out", errors=tmp_path / "errors")
        assert (tmp_path / "out").read_bytes() == AS_GEMINI
    assert (tmp_path / "in").read_bytes() == ROW


def test_two_runs_do_not_write_one_output(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(ROW * 9)
    out = tmp_path / "out"
    for resume in (False, True):
        with Beside([out], "job", resume=False) as first:
            first.write([b"mine\n"], Counts())
            with pytest.raises(tw.TurnwireError, match="is being written by another run") as raised:
                convert(tmp_path / "in", out, resume=resume)
            assert raised.value.code == "conflicting_options"
        assert out.read_bytes() == b"mine\n"
        assert names(tmp_path) == ["in", "out"]
    convert(tmp_path / "in", out)
    assert out.read_bytes() == AS_GEMINI * 9


@pytest.mark.parametrize("length", [246, 247, 250, 251, 255])
def test_a_name_as_long_as_names_may_be(tmp_path: Path, length: int) -> None:
    (tmp_path / "in").write_bytes(ROW + b"{\n")
    out, errors = tmp_path / ("o" * length), tmp_path / ("e" * length)
    convert(tmp_path / "in", out, errors=errors)
    assert out.read_bytes() == AS_GEMINI
    assert json.loads(errors.read_bytes())["line"] == 2
    assert names(tmp_path) == sorted([errors.name, "in", out.name])


class StoppedError(Exception):
    pass


def broken_off(source: Path, out: Path, errors: Path, steps: int) -> None:
    def progress(_: object) -> None:
        nonlocal steps
        steps -= 1
        if steps < 0:
            raise StoppedError

    with pytest.raises(StoppedError):
        convert(source, out, errors=errors, resume=True, progress=progress, threads=1)


def test_whatever_is_left_a_run_is_resumed_right(tmp_path: Path) -> None:
    dice = random.Random("left")
    source, out, errors = tmp_path / "in", tmp_path / "out", tmp_path / "errors"
    row = b'{"messages":[{"role":"user","content":"%d %s"}]}\n'
    source.write_bytes(
        b"".join(row % (at, b"x" * (at * 37 % 9_000)) for at in range(900)).replace(b"user", b"robot", 3)
    )
    convert(source, tmp_path / "whole", errors=tmp_path / "failed")
    log = beside(out, ".part.log")
    junk = [b"", b"\n", b"null\n", b"5\n", b'"x"\n', b"[1]\n", b"[[]]\n", b'["a","b","c","d","e","f","g"]\n']
    junk += [b"[-1,-1,-1,-1,-1,-1,-1]\n", b"[1e9,1,1,1,1,1,1]\n", b"\xff\n", b"[" * 3000 + b"\n"]
    for trial in range(40):
        broken_off(source, out, errors, dice.randrange(6))
        match trial % 4:
            case 0:
                victim = dice.choice([beside(out), beside(errors), log])
                data = victim.read_bytes()
                victim.write_bytes(data[: dice.randrange(len(data) + 1)])
            case 1:
                lines = log.read_bytes().splitlines(keepends=True)
                kept = lines[: dice.randint(0, len(lines))]
                # Behind a step, this word is what a complete run writes.
                word = [b'"done"\n'] if len(kept) < 2 else []
                log.write_bytes(b"".join(kept) + dice.choice([*junk, *word]))
            case 2:
                dice.choice([beside(out), beside(errors), log]).unlink()
            case _:
                with log.open("ab") as file:
                    file.write(b"[1, 2, ")
        convert(source, out, errors=errors, resume=True)
        assert out.read_bytes() == (tmp_path / "whole").read_bytes()
        assert errors.read_bytes() == (tmp_path / "failed").read_bytes()
        assert names(tmp_path) == ["errors", "failed", "in", "out", "whole"]
        out.unlink()
        errors.unlink()


FULL = """
import resource, sys
from turnwire import batch
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]),) * 2)
try:
    batch.convert_file(*sys.argv[1:3], "gemini", source="openai", errors=sys.argv[3], threads=1)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no files")
@pytest.mark.parametrize("most", [0, 10, 100, 300_000, 1_999_999])
def test_where_no_more_can_be_written_nothing_is_left(tmp_path: Path, most: int) -> None:
    (tmp_path / "in").write_bytes((ROW + b"{\n") * 30_000)
    (tmp_path / "out").write_bytes(b"before")
    run = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "in", tmp_path / "out", tmp_path / "errors", str(most)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("File too large\n", "")
    assert names(tmp_path) == ["in", "out"]
    assert (tmp_path / "out").read_bytes() == b"before"
