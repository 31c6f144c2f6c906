"""Parses the words of a command line, writes the help, and says in one line what is wrong with the words."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from . import old_words
from .commands import COMMANDS, Command
from .options import OPTIONS
from .usage_error import UsageError

__all__ = ["Parser", "overview", "parsed"]

_WIDEST: Final = 88
"""The most characters of a line of help."""
_EXAMPLES: Final = (
    ("turnwire check logs/*.jsonl --target anthropic", "what it would refuse, and why"),
    ("turnwire prepare logs -t openai -b 300k -o ready/", "repaired, within a budget"),
    ("turnwire convert chat.jsonl -t anthropic -o out.jsonl", "in another dialect"),
    ('turnwire explain "No tool output found for function call call_1."', ""),
    ("python agent.py 2>&1 | turnwire explain -", ""),
)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help with the value once, after the names: `-b, --budget SIZE`."""

    def __init__(self, prog: str, **given: Any) -> None:
        super().__init__(prog, max_help_position=22, width=min(_WIDEST, _columns()), **given)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        names = ", ".join(action.option_strings)
        if not names:
            return str(action.metavar)
        return names if action.nargs == 0 else f"{names} {action.metavar}"


class Parser(argparse.ArgumentParser):
    """The parser of one command."""

    def __init__(self, command: Command, *, is_help: bool = False) -> None:
        """`is_help`: it only writes the help, which lists the words that are no options, too."""
        examples = "".join(f"\n  {one}" for one in command.examples)
        super().__init__(
            prog=f"turnwire {command.name}",
            usage=f"turnwire {command.name} {command.usage}",
            description=f"{command.what}\n{command.more}".rstrip(),
            epilog=f"Examples:{examples}",
            formatter_class=_Help,
            add_help=False,
            allow_abbrev=False,
        )
        self._command = command
        groups: dict[str, Any] = {}
        for name in (*command.options, "help"):
            option = OPTIONS[name]
            if option.names[0].startswith("-") or is_help:
                if option.group not in groups:
                    groups[option.group] = self.add_argument_group(option.group)
                groups[option.group].add_argument(*option.names, **option.how | command.differs.get(name, {}))

    def error(self, message: str) -> NoReturn:
        """Raises `UsageError` with one line."""
        text = message.removeprefix("argument ").replace("the following arguments are required:", "it needs")
        raise UsageError(f"{self.prog}: {text}; see {self.prog} -h")

    def format_help(self) -> str:
        """The help."""
        return argparse.ArgumentParser.format_help(Parser(self._command, is_help=True))

    def given(self, words: Sequence[str]) -> argparse.Namespace:
        """The options in words, and the words that are no options, before and behind them."""
        end = [*words, "--"].index("--")
        for word in words[:end]:
            self._known(word)
        given, others = self.parse_known_args(words[:end])
        given.command = self._command.name
        self._place(given, [*others, *words[end + 1 :]])
        return given

    def _place(self, given: argparse.Namespace, words: list[str]) -> None:
        """Sets what the words say that are no options."""
        place = next(
            (OPTIONS[name] for name in self._command.options if not OPTIONS[name].names[0].startswith("-")), None
        )
        if place is None:
            if words:
                self.error(f"expected no more than options, got {words[0]!r}")
            return
        if not words and place.how.get("nargs") == "?":
            setattr(given, place.names[0], None)
            return
        if not words:
            self.error(f"it needs {place.how['metavar']}")
        takes_many = place.how.get("nargs") == "+"
        if not takes_many and len(words) > 1:
            self.error(f"expected one {place.how['metavar']}, got {len(words)}: a text with spaces needs quotes")
        setattr(given, place.names[0], words if takes_many else words[0])

    def _known(self, word: str) -> None:
        """Raises `UsageError` for an option that the command does not have."""
        if not word.startswith("-") or word == "-" or " " in word or word[1:2].isdigit():
            return
        names = list(self._option_string_actions)
        name = word.partition("=")[0] if word.startswith("--") else word[:2]
        if name in names:
            return
        old = old_words.OPTIONS.get(name, "")
        is_here = not old.startswith("-") or old.split()[0] in names
        meant = f": use {old}" if old and is_here else _meant(name, names, self.prog)
        raise UsageError(f"{self.prog}: no option {name}{meant}")


def _columns() -> int:
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns - 2, 40)
    except (OSError, ValueError):
        return _WIDEST


def _meant(word: str, known: Sequence[str], program: str) -> str:
    """What a person meant who typed an unknown word, or where the known ones are listed."""
    near = difflib.get_close_matches(word, known, 1)
    return f": did you mean {near[0]}?" if near else f"; see {program} -h"


def overview() -> str:
    """The help without a command."""
    wide = max(len(command.name) for command in COMMANDS)
    listed = "\n".join(f"  {command.name:{wide}}  {command.what}" for command in COMMANDS)
    far = max(len(example) for example, why in _EXAMPLES if why)
    examples = "\n".join(f"  {example:{far}}  {why}".rstrip() for example, why in _EXAMPLES)
    return f"""\
Usage: turnwire COMMAND [OPTIONS] [PATH ...]

Check, repair and convert conversations with language models.

Commands:
{listed}

Options:
  -V, --version  print the version and exit
  -h, --help     show this and exit

Examples:
{examples}

turnwire COMMAND -h shows the options of a command, with examples.
Exit codes: 0 all well, 1 problems or rows that failed, 2 wrong use or unreadable files,
130 Ctrl-C. All of it: https://github.com/turnwire/turnwire"""


def parsed(words: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """The command that words name, and its options.

    Raises:
        UsageError: They are no command line.
        SystemExit: They asked for the help, which is printed.
    """
    first, *rest = words
    for command in COMMANDS:
        if command.name == first:
            return command, Parser(command).given(rest)
    if first in old_words.COMMANDS:
        raise UsageError(f"turnwire: no command {first!r}: use {old_words.COMMANDS[first]}")
    kind = "option" if first.startswith("-") else "command"
    if first in old_words.OPTIONS:
        raise UsageError(f"turnwire: no option {first!r}: use {old_words.OPTIONS[first]}")
    names = [command.name for command in COMMANDS] if kind == "command" else ["--help", "--version"]
    raise UsageError(f"turnwire: no {kind} {first!r}{_meant(first, names, 'turnwire')}")
