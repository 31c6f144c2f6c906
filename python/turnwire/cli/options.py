"""The arguments and options of all commands, each declared once."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentTypeError, BooleanOptionalAction
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from .counters import counter
from .old_words import VALUES
from .sizes import size

__all__ = ["OPTIONS", "Option"]


class Option(NamedTuple):
    """An option: the group of the help that it is in, its names, and what argparse takes."""

    group: str
    names: tuple[str, ...]
    how: dict[str, Any]


def _option(group: str, *names: str, **how: Any) -> Option:
    return Option(group, names, how)


def _flag(group: str, name: str, help: str) -> Option:
    return Option(group, (name,), {"action": "store_true", "help": help})


def one_of(*words: str) -> Callable[[str], str]:
    """Takes one of a few words."""

    def word(text: str) -> str:
        if text in words:
            return text
        if VALUES.get(text) in words:
            raise ArgumentTypeError(f"no {text!r}: use {VALUES[text]}")
        raise ArgumentTypeError(f"expected {', '.join(words[:-1])} or {words[-1]}, got {text!r}")

    return word


def _number(text: str) -> int:
    """Takes a number that is not negative."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"expected a number of 0 or more, got {text!r}")
    return int(text)


def _json(text: str, kind: type, word: str) -> Any:
    """Takes JSON of a kind."""
    import json

    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ArgumentTypeError(f"expected JSON, got {text!r}: {error}") from None
    if not isinstance(value, kind):
        raise ArgumentTypeError(f"expected {word}, got {text!r}")
    return value


def _object(text: str) -> Any:
    return _json(text, dict, "a JSON object")


def _tools(path: str) -> Any:
    from pathlib import Path

    return _json(Path(path).read_text("utf-8"), list, "a JSON list of tool definitions")


_FILES: Final = """files, folders, globs; - is stdin. JSON Lines (plain, .gz, .zst), a JSON list of rows, a JSON
document, Parquet, OpenTelemetry traces"""

OPTIONS: Final[dict[str, Option]] = {
    # Input
    "paths": _option("Input", "paths", metavar="PATH", nargs="+", help=_FILES),
    "file": _option(
        *("Input", "file"),
        metavar="FILE",
        help="the batch file of OpenAI, Anthropic, Gemini, Bedrock or Mistral, not packed",
    ),
    "results": _option(
        "Input", "paths", metavar="RESULTS", nargs="+", help="the provider's results, one file or several"
    ),
    "what": _option(
        "Input", "what", metavar="WHAT", help="a code, a message in quotes, or - for stdin, which needs no quotes"
    ),
    "source": _option(
        *("Input", "-s", "--source"),
        metavar="NAME",
        default="auto",
        help="the dialect to read [auto: each row by itself]",
    ),
    "servers": _option(
        *("Input", "--servers"),
        metavar="FILE",
        help="a TOML file with the rules of your servers [$TURNWIRE_SERVERS]",
    ),
    "servers_file": _option("Input", "file", metavar="FILE", help="a TOML file with a table [servers.NAME] for each"),
    "model_name": _option("Input", "name", metavar="MODEL", help="the name of a model"),
    "row_name": _option(
        "Input", "name", metavar="NAME", nargs="?", help="a dialect or a server whose rules are listed"
    ),
    "at": _option("Input", "--at", metavar="KEYS", help="the conversation in a row: body.messages, samples.*.messages"),
    "column": _option("Input", "--column", metavar="NAME", help="the column of a Parquet file"),
    "tool_results": _flag("Input", "--tool-results", 'llama: read a user\'s text {"tool_result": ...} as a result'),
    "requests": _option(
        *("Input", "-r", "--requests"), metavar="FILE", required=True, help="the file that turnwire batch read"
    ),
    # Request
    "target": _option(
        *("Request", "-t", "--target"),
        metavar="NAME",
        default="same",
        help="the API: openai, anthropic, gemini ... [same: that of each row]",
    ),
    "budget": _option(
        *("Request", "-b", "--budget"),
        metavar="SIZE",
        type=size,
        help="the most bytes of text in a request: 300k, 1.5M [no limit]",
    ),
    "max_tokens": _option(
        "Request", "--max-tokens", metavar="N", type=size, help="the most tokens instead: 100k. Needs --count"
    ),
    "count": _option(
        "Request",
        "--count",
        metavar="HOW",
        type=counter,
        help="what counts tokens: tiktoken:o200k_base, or module:function",
    ),
    "per_result": _option(
        "Request", "--per-result", metavar="SIZE", type=size, help="the most of each tool result: 20k"
    ),
    "model": _option(
        "Request", "--model", metavar="NAME", help="the model that is asked, where the rows do not name it"
    ),
    "tools": _option(
        "Request", "--tools", metavar="FILE", type=_tools, help="tool definitions, a JSON list in any form"
    ),
    "row": _option(
        "Request",
        "--row",
        action=BooleanOptionalAction,
        default=None,
        help="rows of training data, or requests [each decides]",
    ),
    "opening": _option(
        "Request", "--opening", metavar="TEXT", help="the user's words before an assistant that comes first"
    ),
    "bridge": _option(
        "Request", "--bridge", metavar="TEXT", help="the assistant's words between a result and the user's"
    ),
    "reasoning": _option(
        *("Request", "--reasoning"),
        metavar="WHAT",
        default="valid",
        type=one_of("valid", "keep", "drop", "text"),
        help="valid (what is still accepted), keep, drop, text [valid]",
    ),
    "server_tools": _option(
        *("Request", "--server-tools"),
        metavar="WHAT",
        default="drop",
        type=one_of("drop", "text"),
        help="calls that another provider ran: drop, text [drop]",
    ),
    "omitted": _option("Request", "--omitted", metavar="TEXT", help="a note where the budget left messages out"),
    "cache": _flag("Request", "--cache", "add marks for the provider's prompt cache"),
    "strict": _flag("Request", "--strict", "a row that loses something fails"),
    "settings": _option(
        *("Request", "--settings"),
        metavar="WHAT",
        type=one_of("convert", "keep", "omit"),
        help="a body's other keys: convert, keep, omit [convert; rows keep]",
    ),
    "defaults": _option(
        *("Request", "--defaults"),
        metavar="JSON",
        type=_object,
        help="""keys of the target that a body lacks: '{"max_tokens": 8192}'""",
    ),
    "split": _option(
        *("Request", "--split"),
        metavar="HOW",
        default="even",
        type=one_of("even", "fair"),
        help="even, or fair: large results get what small ones leave [even]",
    ),
    "invoke_model": _flag("Request", "--invoke-model", "bedrock: Claude's own body, which takes tools"),
    "max_requests": _option(
        "Request", "--max-requests", metavar="N", type=_number, help="the most in a file [the provider's limit]"
    ),
    "max_file_bytes": _option(
        "Request", "--max-file-bytes", metavar="SIZE", type=size, help="the most of a file [the provider's limit]"
    ),
    # Report
    "diff": _flag("Report", "--diff", "show each row before and after, and write nothing"),
    "statistics": _flag("Report", "--statistics", "a line for each code with its number, not for each problem"),
    "severity": _option(
        *("Report", "--severity"),
        metavar="LEVEL",
        default="error",
        type=one_of("info", "warning", "error"),
        help="info, warning, error: from when the exit code is 1 [error]",
    ),
    "top": _option(
        "Report", "--top", metavar="N", type=_number, default=5, help="how many of the largest results to show [5]"
    ),
    # Output
    "out": _option(
        "Output", "-o", "--out", metavar="PATH", help="a file; a folder (ends with /) for several inputs [stdout]"
    ),
    "errors": _option("Output", "--errors", metavar="FILE", help="rows that fail, a line of JSON each [stderr]"),
    "changes": _option("Output", "--changes", metavar="FILE", help="every change, a line of JSON each [only counted]"),
    "format": _option(
        *("Output", "--format"), metavar="HOW", default="text", type=one_of("text", "json"), help="text, json [text]"
    ),
    "threads": _option("Output", "--threads", metavar="N", type=_number, default=0, help="0: one on each core [0]"),
    "quiet": _flag("Output", "-q", "no counts, only errors")._replace(names=("-q", "--quiet")),
    "help": _option("Output", "-h", "--help", action="help", default=SUPPRESS, help="show this and exit"),
}
