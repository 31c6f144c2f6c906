"""The arguments and options of all commands, each declared once."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentTypeError, BooleanOptionalAction
from collections.abc import Callable
from typing import Any, Final, NamedTuple

__all__ = ["OPTIONS", "Option"]


class Option(NamedTuple):
    """An option: the group of the help that it is in, its names, and what argparse takes."""

    group: str
    names: tuple[str, ...]
    how: dict[str, Any]


def _option(group: str, *names: str, **how: Any) -> Option:
    return Option(group, names, how)


def _one_of(*words: str) -> Callable[[str], str]:
    """Takes one of a few words."""

    def word(text: str) -> str:
        if text not in words:
            raise ArgumentTypeError(f"expected {', '.join(words[:-1])} or {words[-1]}, got {text!r}")
        return text

    return word


def _least(least: int) -> Callable[[str], int]:
    """Takes a number that is not too small."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise ArgumentTypeError(f"expected a number, got {text!r}") from None
        if value < least:
            raise ArgumentTypeError(f"expected {least} or more, got {text}")
        return value

    return number


def _object(text: str) -> dict[str, Any]:
    """Takes a JSON object."""
    import json

    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ArgumentTypeError(f"expected JSON, got {text!r}: {error}") from None
    if not isinstance(value, dict):
        raise ArgumentTypeError(f"expected a JSON object, got {text!r}")
    return value


_FILES: Final = """files, folders, globs; - is stdin. JSON Lines (plain, .gz, .zst), a JSON list of rows, a JSON
document, Parquet, OpenTelemetry traces"""

OPTIONS: Final[dict[str, Option]] = {
    "paths": _option("Input", "paths", metavar="PATH", nargs="+", help=_FILES),
    "batch_results": _option(
        "Input", "paths", metavar="RESULTS", nargs="+", help="the provider's results, one file or several, not packed"
    ),
    "what": _option(
        "Input",
        "what",
        metavar="WHAT",
        help="a code, a message in quotes, or - for stdin, which needs no quotes",
    ),
    "dialect": _option(
        *("Input", "-d", "--dialect"),
        dest="source",
        metavar="NAME",
        default="auto",
        help="the dialect to read [auto: each row by itself]",
    ),
    "from": _option(
        *("Input", "-f", "--from"),
        dest="source",
        metavar="NAME",
        default="auto",
        help="the dialect to read [auto: each row by itself]",
    ),
    "at": _option("Input", "--at", metavar="KEYS", help="the conversation in a row: body.messages, samples.*.messages"),
    "column": _option("Input", "--column", metavar="NAME", help="the column of a Parquet file"),
    "tool_results": _option(
        "Input",
        "--tool-results",
        action="store_true",
        help='llama: read a user\'s text {"tool_result": ...} as a result',
    ),
    "requests": _option(
        *("Input", "-r", "--requests"),
        metavar="FILE",
        required=True,
        help="the file that the batch was made of",
    ),
    "target": _option("Request", "-t", "--target", metavar="NAME", help="the API: openai, anthropic, gemini ..."),
    "to": _option(
        *("Request", "-t", "--to"),
        dest="target",
        metavar="NAME",
        required=True,
        help="the dialect to write: openai, anthropic, gemini ...",
    ),
    "max_bytes": _option(
        "Request", "-b", "--max-bytes", metavar="N", type=_least(0), help="the most bytes of text [no limit]"
    ),
    "max_result_bytes": _option(
        "Request", "--max-result-bytes", metavar="N", type=_least(0), help="the most bytes of each tool result"
    ),
    "model": _option(
        "Request", "--model", metavar="NAME", help="the model that is asked, where the rows do not name it"
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
    "reasoning": _option(
        *("Request", "--reasoning"),
        metavar="WHAT",
        default="drop",
        type=_one_of("drop", "text"),
        help="of another provider: drop, text [drop]",
    ),
    "strict": _option("Request", "--strict", action="store_true", help="a row that loses something fails"),
    "rest": _option(
        *("Request", "--rest"),
        metavar="WHAT",
        type=_one_of("caller", "keep", "convert"),
        help="a body's other keys: caller, keep, convert [rows keep them]",
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
        type=_one_of("even", "fair"),
        help="even, or fair: large results get what small ones leave [even]",
    ),
    "batch": _option(
        "Request", "--batch", action="store_true", help="a provider's batch file, for the batches of the target"
    ),
    "invoke_model": _option(
        "Request", "--invoke-model", action="store_true", help="bedrock: Claude's own body, which takes tools"
    ),
    "diff": _option("Report", "--diff", action="store_true", help="show each row before and after, and write nothing"),
    "severity": _option(
        *("Report", "--severity"),
        metavar="LEVEL",
        default="error",
        type=_one_of("info", "warning", "error"),
        help="info, warning, error: from when the exit code is 1 [error]",
    ),
    "top": _option(
        "Report", "--top", metavar="N", type=_least(0), default=5, help="how many of the largest results to show [5]"
    ),
    "out": _option("Output", "-o", "--out", metavar="PATH", help="a file; a folder for several inputs [stdout]"),
    "losses": _option("Output", "--losses", metavar="FILE", help="every loss, a line of JSON each [only counted]"),
    "github": _option("Output", "--github", action="store_true", help="annotations of GitHub Actions"),
    "json": _option("Output", "--json", action="store_true", help="JSON Lines on stdout, for programs"),
    "threads": _option("Output", "--threads", metavar="N", type=_least(0), default=0, help="0: one on each core [0]"),
    "help": _option("Output", "-h", "--help", action="help", default=SUPPRESS, help="show this and exit"),
}
