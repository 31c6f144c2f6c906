"""Counts how often a rule of a target is decided, by reading the core's source: `make gates`.

A rule that two rooms decide drifts apart. So these numbers may fall and not rise. Comments do not count.

    python tests/gates.py [--verbose] [--library PATH]
"""

import argparse
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "rust/turnwire-core/src"

COLUMN = re.compile(r"\blimits(?:\(\))?\??\.(?=(\w+))")
METHOD = re.compile(r"(?<!fn )\b(merges|joins_results)\b(?=\(|\))")
COMMENT = re.compile(r"//[^\n]*")
LITERAL_OPTION = re.compile(r"\b(?:says|is_silent|asks|is_written|user_asks)\([^;{}()\n]*\b(?:true|false)\b")
MEDIA_RULE = re.compile(r"limits\.media(?:_\w+)?\b")
PROFILE_NAME = re.compile(r'\(_, "[a-z-]+:[a-z]+"\)|name\(\)\s*==\s*"[a-z-]+:')
SENTENCE = re.compile(r'"((?:[^"\\\n]|\\.|\\\n)*)"')
USE = re.compile(r"^[ \t]*(?:pub(?:\([a-z: ]+\))? )?use [^;]+;[^\n]*\n", re.MULTILINE)
ROW = re.compile(r"dialects/[a-z_]+\.rs")

# Each list of codes: its file, and the macro that declares it.
REGISTERS = {
    "report/register.rs": "edits",
    "report/notice.rs": "notices",
    "report/error.rs": "codes",
    "prefix/cause.rs": "causes",
}


def room(file: str) -> str:
    return file.split("/")[0].removesuffix(".rs")


class House:
    """The core's source, and what its files read and say."""

    def __init__(self, source: Path = SOURCE) -> None:
        self.files = {str(path.relative_to(source)): path.read_text() for path in sorted(source.rglob("*.rs"))}
        self.code = {file: COMMENT.sub("", text) for file, text in self.files.items()}
        self.readers = self._readers()

    def _readers(self) -> dict[str, Counter[str]]:
        """How often each file reads each column, or calls a method that combines some. The table does not count."""
        body = self.files["rules/limits.rs"].split("pub struct Limits {", 1)[1].split("\n}", 1)[0]
        columns = re.findall(r"^    pub (\w+):", body, re.MULTILINE)
        readers = {name: Counter[str]() for name in (*columns, "merges()", "joins_results()")}
        for file, text in self.code.items():
            if room(file) != "rules":
                for name in (*COLUMN.findall(text), *(f"{method}()" for method in METHOD.findall(text))):
                    if name in readers:
                        readers[name][file] += 1
        return readers

    def columns_read_in(self, *rooms: str) -> list[str]:
        """The columns that every one of these rooms reads."""
        return [column for column, readers in self.readers.items() if set(rooms) <= {room(file) for file in readers}]

    def places_of_stage(self) -> tuple[int, int]:
        """How many places of the stages read a column, and in how many files."""
        files = Counter[str]()
        for readers in self.readers.values():
            files.update({file: count for file, count in readers.items() if room(file) == "stage"})
        return files.total(), len(files)

    def files_per_column(self) -> dict[str, int]:
        """How many files read each column, besides the rows of the formats."""
        return {column: sum(not ROW.fullmatch(file) for file in readers) for column, readers in self.readers.items()}

    def matches(self, pattern: re.Pattern[str], rooms: str | None = None) -> int:
        texts = [text for file, text in self.code.items() if rooms is None or room(file) == rooms]
        return sum(len(pattern.findall(text)) for text in texts)

    def sentences_said_twice(self) -> dict[str, list[str]]:
        """The sentences that stand in several places, each with its files."""
        said = defaultdict(list)
        for file, text in self.code.items():
            for match in SENTENCE.finditer(re.sub(r'reason = "[^"]*"', "", text)):
                sentence = re.sub(r"\\\n\s*", "", match[1])
                if len(sentence) >= 28 and sentence.count(" ") >= 4:
                    said[sentence].append(file)
        return {sentence: files for sentence, files in said.items() if len(files) > 1}

    def registers(self) -> list[int]:
        """How many codes each list of codes has."""
        found = []
        for file, macro in REGISTERS.items():
            _, _, behind = self.files.get(file, "").partition(f"\n{macro}! {{")
            if behind:
                found.append(len(re.findall(r'^    \w+ = "\w+"', behind.split("\n}\n", 1)[0], re.MULTILINE)))
        return found


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--library", help="the built library, whose code is measured with `size`")
    ask.add_argument("--verbose", action="store_true", help="name the columns and the sentences")
    given = ask.parse_args()
    house = House()

    def columns(number: str, what: str, *rooms: str) -> None:
        found = house.columns_read_in(*rooms)
        print(f"{number:3}{what}: {len(found)}" + (f" ({' '.join(found)})" if given.verbose else ""))

    columns("1", "columns read in stage and in wire", "stage", "wire")
    columns("", "columns read in stage and in dialects", "stage", "dialects")
    places, files = house.places_of_stage()
    print(f"   places of stage that read a column: {places} in {files} files")
    print(f"   places of stage that read a media rule: {house.matches(MEDIA_RULE, 'stage')}")
    print(f"2  literals for an option: {house.matches(LITERAL_OPTION)}")
    twice = house.sentences_said_twice()
    apart = {said: files for said, files in twice.items() if len({room(file) for file in files}) > 1}
    print(f"3  sentences in two rooms: {len(apart)}; in two places: {len(twice)}")
    for said, files in sorted(apart.items()) if given.verbose else ():
        print(f"     {said[:90]} ({', '.join(sorted(set(files)))})")
    readers = house.files_per_column()
    most = ", ".join(f"{column} {count}" for column, count in Counter(readers).most_common(5))
    print(f"4  files that read a column: {sum(readers.values()) / len(readers):.2f} on average; most: {most}")
    print(f"5  matches on a profile's name: {house.matches(PROFILE_NAME)}")
    lines = sum(text.count("\n") for text in house.files.values())
    uses = sum(match[0].count("\n") for text in house.files.values() for match in USE.finditer(text))
    print(f"6  lines of the core: {lines} in {len(house.files)} files; `use`: {uses / lines:.1%}")
    codes = house.registers()
    print(f"7  registers of codes: {len(codes)} with {' + '.join(map(str, codes))} codes")
    if given.library:
        sizes = subprocess.run(["size", given.library], capture_output=True, text=True, check=True)
        print(f"8  bytes of code: {sizes.stdout.splitlines()[1].split()[0]}")


if __name__ == "__main__":
    main()
