"""The words of a command line: help, examples, what is said to wrong words, and what is imported for it."""

import shlex
import subprocess
import sys
from argparse import ArgumentTypeError
from time import perf_counter

import pytest
import turnwire as tw
from turnwire.cli import main, old_words
from turnwire.cli.commands import COMMANDS
from turnwire.cli.options import OPTIONS
from turnwire.cli.parser import Parser, overview
from turnwire.cli.sizes import size
from turnwire.cli.usage_error import UsageError

NAMES = [command.name for command in COMMANDS]
BY_NAME = {command.name: command for command in COMMANDS}


def words_of(example: str) -> list[str]:
    """The words that the shell hands to turnwire."""
    whole = shlex.split(example)
    words = whole[whole.index("turnwire") + 1 :]
    return words[: words.index("|")] if "|" in words else words


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command(name, capsys):
    for word in ("-h", "--help"):
        assert main([name, word]) == 0
        said, why = capsys.readouterr()
        assert why == ""
        assert said.startswith(f"Usage: turnwire {name} ")
        assert max(map(len, said.splitlines())) <= 88
        command = BY_NAME[name]
        assert command.what in said
        for option in (OPTIONS[one] for one in command.options):
            assert ", ".join(option.names) in said or option.how["metavar"] in said
        shown = said[said.index("\nExamples:\n") :].splitlines()[2:]
        assert [line[2:] for line in shown] == list(command.examples)


@pytest.mark.parametrize(
    ("name", "example"), [(command.name, example) for command in COMMANDS for example in command.examples]
)
def test_every_example_of_the_help_is_a_command_line(name, example):
    first, *words = words_of(example.split("    ")[0])
    assert first == name
    given = vars(Parser(BY_NAME[name]).given(words))
    assert all(value is not None for value in given.values()) or len(given) > len(words) / 2


def test_the_overview_lists_every_command_and_its_examples_are_command_lines(capsys):
    assert main(["-h"]) == main(["--help"]) == 0
    said = capsys.readouterr().out
    assert said == f"{overview()}\n" * 2
    assert main([]) == 2
    listed = said[said.index("Commands:") : said.index("Options:")].split("\n")[1:-2]
    assert [line.split()[0] for line in listed] == NAMES
    assert max(map(len, said.splitlines())) <= 88
    for line in said[said.index("Examples:") : said.index("turnwire COMMAND")].splitlines()[1:-1]:
        first, *words = words_of(line.strip().split("   ")[0])
        assert Parser(BY_NAME[first]).given(words)


def test_the_version(capsys):
    assert main(["--version"]) == main(["-V"]) == 0
    assert capsys.readouterr().out == f"{tw.__version__}\n" * 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("prepar a.jsonl", "turnwire: no command 'prepar': did you mean prepare?"),
        ("xyzzy", "turnwire: no command 'xyzzy'; see turnwire -h"),
        ("--versio", "turnwire: no option '--versio': did you mean --version?"),
        ("check --severty info a.jsonl", "turnwire check: no option --severty: did you mean --severity?"),
        ("check -x a.jsonl", "turnwire check: no option -x; see turnwire check -h"),
        ("dialects a b", "turnwire dialects: expected one NAME, got 2: a text with spaces needs quotes"),
        ("explain", "turnwire explain: it needs WHAT; see turnwire explain -h"),
        ("explain a b", "turnwire explain: expected one WHAT, got 2: a text with spaces needs quotes"),
        ("stats a.jsonl --top x", "turnwire stats: --top: expected a number of 0 or more, got 'x'"),
        ("check a --severity", "turnwire check: --severity: expected one argument"),
        ("repair a.jsonl", "turnwire: no command 'repair': use prepare"),
        ("results -h", "turnwire: no command 'results': use batch-results"),
        ("--install-completion", "turnwire: no option '--install-completion': use turnwire -h"),
        ("check a --dialect openai", "turnwire check: no option --dialect: use --source"),
        ("convert a --from openai -t gemini", "turnwire convert: no option --from: use --source"),
        ("stats -d openai a", "turnwire stats: no option -d: use -s"),
        ("convert -f openai a", "turnwire convert: no option -f: use -s"),
        ("convert a --to=gemini", "turnwire convert: no option --to: use --target"),
        ("prepare a --max-bytes 9", "turnwire prepare: no option --max-bytes: use --budget"),
        ("prepare a --max-result-bytes 9", "turnwire prepare: no option --max-result-bytes: use --per-result"),
        ("convert a -t gemini --rest caller", "turnwire convert: no option --rest: use --settings"),
        ("convert a -t gemini --settings caller", "turnwire convert: --settings: no 'caller': use omit"),
        ("convert a -t gemini --losses l", "turnwire convert: no option --losses: use --changes"),
        ("convert a -t gemini --batch", "turnwire convert: no option --batch: use the command batch"),
        ("check a --json", "turnwire check: no option --json: use --format json"),
        ("check a --github", "turnwire check: no option --github: use --format github"),
        ("diff a -m m", "turnwire diff: no option -m: use --model"),
        ("prepare a -b lots", "turnwire prepare: -b/--budget: expected a size such as 300000, 300k, 1.5M or 64Ki, got"),
        ("prepare a --max-tokens 100k", "turnwire prepare: --max-tokens needs --count module:function, because each"),
        ("prepare a --count a:b", "turnwire prepare: --count needs --max-tokens"),
        ("prepare a --count a", "turnwire prepare: --count: expected module:function, got 'a'"),
        ("prepare a --max-tokens 9 --count no_such:f", "turnwire prepare: --count: expected module:function, got"),
        ("prepare a --settings keep --defaults {}", "turnwire prepare: --defaults needs --settings convert"),
        ("convert a -t gemini --settings omit --model m", "turnwire convert: --model needs --settings convert"),
        ("prepare a --format json", "turnwire prepare: --format json needs --out, because the rows go to stdout"),
    ],
)
def test_wrong_words_get_one_line(line, said, capsys):
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said) and err.count("\n") == 1


def test_options_stand_anywhere_and_names_behind_two_dashes_are_no_options():
    parser = Parser(BY_NAME["check"])
    given = parser.given(["a", "--severity", "info", "-", "--row", "b", "--", "-x.jsonl", "--", "--row"])
    assert given.paths == ["a", "-", "b", "-x.jsonl", "--", "--row"]
    assert (given.severity, given.row) == ("info", True)
    with pytest.raises(UsageError, match="it needs PATH"):
        parser.given(["--row", "--"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            ("0", 0),
            ("300000", 300_000),
            ("300_000", 300_000),
            ("300k", 300_000),
            ("300KB", 300_000),
            ("2.3M", 2_300_000),
        ),
        *(("1.5m", 1_500_000), ("64Ki", 65_536), ("1 MiB", 1 << 20), ("2G", 2 * 10**9), ("1Gi", 1 << 30), ("12B", 12)),
        *(("", None), ("k", None), ("-1", None), ("1,5k", None), ("1T", None), ("0x10", None), ("1e3", None)),
    ],
)
def test_sizes(text, expected):
    if expected is None:
        with pytest.raises(ArgumentTypeError, match="expected a size"):
            size(text)
    else:
        assert size(text) == expected


def test_a_name_means_the_same_in_every_command():
    """Each is declared once, so what differs is only what it is said to be for."""
    for command in COMMANDS:
        for name, how in command.differs.items():
            assert set(how) <= {"required", "default", "help", "type"}
            assert name in command.options
    named = [name for option in OPTIONS.values() for name in option.names if name.startswith("-")]
    assert len(named) == len(set(named))
    assert not set(named) & set(old_words.OPTIONS) and not set(NAMES) & set(old_words.COMMANDS)


LOADED = "import sys; from turnwire.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


@pytest.mark.parametrize("words", [["--version"], ["-h"], ["prepare", "-h"], ["check", "--nonsense"], ["convert"]])
def test_nothing_heavy_is_imported_before_the_words_are_parsed(words):
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "turnwire.cli.app" in loaded
    assert not loaded & {"turnwire.batch", "turnwire.answers", "pyarrow", "json", "asyncio"}
    assert ("argparse" in loaded) is (words != ["--version"])


def seconds(*words: str) -> float:
    started = perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def test_the_version_takes_no_more_than_twice_the_time_of_argparse():
    pairs = [(seconds("-m", "turnwire", "--version"), seconds("-c", "import argparse")) for _ in range(15)]
    ours, theirs = (min(times) for times in zip(*pairs, strict=True))
    assert ours < 2 * theirs
