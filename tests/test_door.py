"""The door: what each command says to a file of this field, row by row of `door/cases.jsonl`.

A row has a file (`text` or `hex`), a command, and what is `right`:

| key | meaning |
|---|---|
| `exit` | the exit code |
| `source` | the dialect that the command names |
| `findings` | of `check`: severity, code and path of each; a code may be `one\\|other`, `null` is any path |
| `errors` | of the other commands: code and path of each row that failed |
| `lines` | the lines of the findings |
| `rows`, `output` | how many rows are written, and which |
| `inside` | what JSON text under a key of the row that is written says |
| `losses` | the code of each loss |
| `words`, `lacks` | what is said or written somewhere, and what is not |
| `same`, `repaired` | the command, or `repair`, writes the same bytes |
"""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_cli import run

CASES = [json.loads(line) for line in (Path(__file__).parent / "door" / "cases.jsonl").read_text("utf-8").splitlines()]
OUT = "o.jsonl"
TOLD = re.compile(r"^\S+?:\d+: error (\w+) at (\S+): ", re.MULTILINE)
TIMES = re.compile(r"^ *(\d+) +\d+ +(?:lost|restated|added|dropped|repaired) ", re.MULTILINE)


class Said:
    """What a command does with the file of a case."""

    def __init__(self, case: dict[str, Any], folder: Path, capfd: Any) -> None:
        self.text = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode()
        (folder / case["file"]).write_bytes(self.text)
        self.command, *options = case["command"].split()
        words = dict(itertools.pairwise(options))
        self.settings: Any = {"settings": words["--settings"]} if "--settings" in words else {}
        self.file, self.target = case["file"], dict(zip(options[::2], options[1::2], strict=True)).get("--target")
        shown = ["--format=json"] if self.command in ("check", "detect") else []
        self.exit, self.out, self.err = run(capfd, self.command, case["file"], *options, *shown)
        self.written = (folder / OUT).read_text("utf-8") if OUT in options else self.out
        self.capfd = capfd

    def source(self) -> str:
        """The dialect that the command names."""
        if self.command == "detect":
            return str(json.loads(self.out)["dialect"])
        (names,) = re.findall(r"^detected: (.*)$", self.err, re.MULTILINE)
        return str(names)

    def findings(self) -> list[dict[str, Any]]:
        """What `check` found."""
        return [json.loads(line) for line in self.out.splitlines()]

    def rows(self) -> list[Any]:
        """The rows that were written."""
        return [json.loads(line) for line in self.written.splitlines()]

    def differs(self, right: dict[str, Any]) -> str:
        """In what it is not right, or an empty text."""
        for key, wanted in right.items():
            got = getattr(self, f"_{key}")(wanted)
            if got is not None:
                return f"{key}: expected {wanted!r}, got {got!r}\n{self.out}{self.err}"
        return ""

    def _exit(self, wanted: int) -> Any:
        return None if self.exit == wanted else self.exit

    def _source(self, wanted: str) -> Any:
        return None if (got := self.source()) == wanted else got

    def _findings(self, wanted: list[list[str | None]]) -> Any:
        return self._alike([(one["severity"], one["code"], one["path"]) for one in self.findings()], wanted)

    def _errors(self, wanted: list[list[str | None]]) -> Any:
        return self._alike(TOLD.findall(self.err), wanted)

    @staticmethod
    def _alike(got: list[tuple[str, ...]], wanted: list[list[str | None]]) -> Any:
        def fits(one: tuple[str, ...], said: list[str | None]) -> bool:
            return all(word is None or text in word.split("|") for text, word in zip(one, said, strict=True))

        return None if len(got) == len(wanted) and all(map(fits, got, wanted)) else got

    def _lines(self, wanted: list[int]) -> Any:
        return None if (got := [one["row"] for one in self.findings()]) == wanted else got

    def _rows(self, wanted: int) -> Any:
        got = self.rows()
        return None if len(got) == wanted and not any(isinstance(row, list) for row in got) else got

    def _output(self, wanted: list[Any]) -> Any:
        return None if (got := self.rows()) == wanted else got

    def _inside(self, wanted: dict[str, Any]) -> Any:
        got = [{key: json.loads(row[key]) for key in wanted} for row in self.rows()]
        return None if got == [wanted] else got

    def _losses(self, wanted: list[str]) -> Any:
        assert self.target is not None
        pa = pytest.importorskip("pyarrow")
        from turnwire import arrow

        text = self.text.decode()
        made = arrow.convert(
            pa.array(text.splitlines() if self.file.endswith("l") else [text]), self.target, **self.settings
        )
        got = [one["code"] for changes in made.field("changes").to_pylist() for one in changes]
        counted = sum(map(int, TIMES.findall(self.err)))
        return None if got == wanted and counted == len(wanted) else (got, counted)

    def _words(self, wanted: list[str]) -> Any:
        said = self.out + self.err + self.written
        said += "".join(one["reason"] for one in self.findings()) if self.command == "check" else ""
        return None if all(word in said for word in wanted) else said

    def _lacks(self, wanted: list[str]) -> Any:
        return self.written if any(word in self.written for word in wanted) else None

    def _same(self, wanted: bool) -> Any:
        return None if (self.written.encode() == self.text) is wanted else self.written

    def _repaired(self, wanted: bool) -> Any:
        _, out, _ = run(self.capfd, "prepare", self.file)
        return None if (out.encode() == self.text) is wanted else out


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_command_says_what_is_right(case, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    said = Said(case, tmp_path, capfd)
    assert not (differs := said.differs(case["right"])), differs


def test_every_case_is_there_once():
    names = [case["id"] for case in CASES]
    assert len(names) == len(set(names)) == 131
    assert {name[0] for name in names} == set("ABCDEFN")
