"""The commands: what each does, the options that it takes, and examples."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """A command."""

    name: str
    runs: str
    """The module and the function that do the work."""
    what: str
    """What it does, in one sentence."""
    options: tuple[str, ...]
    """The names in `OPTIONS` of what it takes."""
    examples: tuple[str, ...]
    usage: str = "[OPTIONS] PATH ..."
    more: str = ""
    """What else the help says."""
    differs: Mapping[str, dict[str, Any]] = MappingProxyType({})
    """What an option is here, and not in other commands."""


_INPUT: Final = ("paths", "dialect", "at", "column", "tool_results")
_FROM: Final = ("paths", "from", "at", "column", "tool_results")
_BODY: Final = ("rest", "defaults")
_OUTPUT: Final = ("out", "json", "threads")
_NEEDED: Final[dict[str, Any]] = {"required": True}

COMMANDS: Final = (
    Command(
        "check",
        "check:check",
        "List what the target would refuse, and what prepare does about it.",
        (*_INPUT, "target", "row", "severity", "github", "json"),
        (
            "turnwire check logs/*.jsonl",
            "turnwire check logs --target anthropic",
            "turnwire check requests.jsonl --target openai --github --severity warning",
            "turnwire check train.jsonl --row",
        ),
        more="Exit code 1 if a finding has the severity, or a row cannot be read.",
    ),
    Command(
        "repair",
        "rewrite:repair",
        "Repair each conversation in its own dialect, without a budget.",
        (*_INPUT, "row", *_OUTPUT),
        ("turnwire repair broken.jsonl -o fixed.jsonl",),
        more="Lists the changes. Exit code 1 if a row fails.",
    ),
    Command(
        "convert",
        "rewrite:convert",
        "Write each conversation in another dialect; repair nothing.",
        (
            *(*_FROM, "to", "model", "row", "reasoning", "strict", *_BODY, "batch", "invoke_model"),
            *("out", "losses", "json", "threads"),
        ),
        (
            "turnwire convert chat.jsonl --to anthropic -o out.jsonl",
            "turnwire convert sharegpt.json --to openai:hf -o train.jsonl",
            """turnwire convert body.jsonl --to anthropic --rest convert --defaults '{"top_k": 9}'""",
            "turnwire convert openai.jsonl --to anthropic --batch -o anthropic.json",
        ),
        "--to NAME [OPTIONS] PATH ...",
        "What the target cannot express is counted by code. Exit code 1 if a row fails.",
    ),
    Command(
        "results",
        "batches:results",
        "Write a batch's results for the original provider, with your own ids.",
        ("batch_results", "requests", "out", "json"),
        ("turnwire results results.jsonl --requests openai.jsonl -o answers.jsonl",),
        "--requests FILE --out PATH RESULTS ...",
        differs={"out": _NEEDED | {"help": "the file to write"}},
    ),
    Command(
        "prepare",
        "rewrite:prepare",
        "Repair each conversation, fit it to a budget, write the request.",
        (*_FROM, "to", "max_bytes", "max_result_bytes", "model", "row", "opening", *_BODY, "diff", *_OUTPUT),
        (
            "turnwire prepare logs --to anthropic -b 300000 --max-result-bytes 20000 -o ready/",
            "turnwire prepare logs.jsonl --to gemini --diff | less",
        ),
        "--to NAME [OPTIONS] PATH ...",
        "Exit code 1 if a row fails; with --diff also if a row changes.",
    ),
    Command(
        "truncate",
        "rewrite:truncate",
        "Cut the tool results of each conversation to a budget.",
        (*_INPUT, "max_bytes", "split", "row", *_OUTPUT),
        ("turnwire truncate logs.jsonl -b 100000 -o cut.jsonl",),
        "--max-bytes N [OPTIONS] PATH ...",
        differs={"max_bytes": _NEEDED | {"help": "the most bytes of all of a conversation's results"}},
    ),
    Command(
        "stats",
        "stats:stats",
        "Count turns, calls, results and bytes; show the largest results.",
        (*_INPUT, "top", "json"),
        ("turnwire stats logs", "turnwire stats logs --top 20 --json"),
    ),
    Command(
        "diff",
        "diff:diff",
        "Show where each request differs from the one before it.",
        ("paths", "dialect", "at", "column", "model", "json"),
        ("turnwire diff before.json after.json", "turnwire diff run.jsonl --model claude-opus-5-5"),
        more="""\
Two files with a request each, or a file with a request in each row. Shows what
reasoning and cache it costs. Exit code 1 if something that was sent has changed.""",
        differs={"model": {"help": "the model that is asked, where the requests do not name it"}},
    ),
    Command(
        "detect",
        "detect:detect",
        "Show the dialect of each file, from its first rows.",
        ("paths", "at", "column", "json"),
        ("turnwire detect data/*.jsonl",),
        more="Exit code 1 if one cannot be detected.",
    ),
    Command(
        "dialects",
        "dialects:dialects",
        "List the names that --from and --to take.",
        ("json",),
        ("turnwire dialects",),
        "[--json]",
    ),
    Command(
        "explain",
        "explain:explain",
        "Explain a code, or a provider's error message, and what to do.",
        ("what", "json"),
        (
            "turnwire explain missing_result",
            'turnwire explain "messages.1: `tool_use` ids were found without `tool_result` blocks"',
            "turnwire explain -                            then paste, and press Ctrl-D",
            "python agent.py 2>&1 | turnwire explain -     finds the message in a traceback",
        ),
        "CODE|MESSAGE|-",
        "Exit code 2 if it is not known.",
    ),
)
