"""The words of a command line: help, examples, what is said to wrong words, and what is imported for it."""

import shlex
import subprocess
import sys
from time import perf_counter

import pytest
import turnwire as tw
from turnwire.cli import main
from turnwire.cli.commands import COMMANDS
from turnwire.cli.options import OPTIONS
from turnwire.cli.parser import Parser, overview
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
        ("dialects a", "turnwire dialects: expected no more than options, got 'a'; see turnwire dialects -h"),
        ("explain", "turnwire explain: it needs WHAT; see turnwire explain -h"),
        ("explain a b", "turnwire explain: expected one WHAT, got 2: a text with spaces needs quotes"),
        ("stats a.jsonl --top x", "turnwire stats: --top: expected a number, got 'x'"),
        ("check a --severity", "turnwire check: --severity: expected one argument"),
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


LOADED = "import sys; from turnwire.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


@pytest.mark.parametrize("words", [["--version"], ["-h"], ["prepare", "-h"], ["check", "--nonsense"], ["convert"]])
def test_nothing_heavy_is_imported_before_the_words_are_parsed(words):
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "turnwire.cli.app" in loaded
    assert not loaded & {"turnwire.batch", "turnwire.answers", "turnwire.names", "pyarrow", "json", "asyncio"}
    assert ("argparse" in loaded) is (words != ["--version"])


def seconds(*words: str) -> float:
    started = perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - started


def test_the_version_takes_no_more_than_twice_the_time_of_argparse():
    pairs = [(seconds("-m", "turnwire", "--version"), seconds("-c", "import argparse")) for _ in range(15)]
    ours, theirs = (min(times) for times in zip(*pairs, strict=True))
    assert ours < 2 * theirs
