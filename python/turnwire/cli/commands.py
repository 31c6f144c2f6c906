"""The commands: what each does, the options that it takes, and examples."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from .options import one_of

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


_INPUT: Final = ("paths", "source", "servers", "at", "column", "tool_results")
_FILES: Final = ("out", "errors", "changes", "format", "threads", "quiet")
_WRITES: Final[dict[str, Any]] = {
    "required": True,
    "default": None,
    "help": "the dialect to write: openai, anthropic, gemini ...",
}
_ONE_FILE: Final[dict[str, Any]] = {"required": True, "help": "the file to write"}

COMMANDS: Final = (
    Command(
        "check",
        "check:check",
        "List what the target would refuse, and what prepare does about it.",
        (
            *(
                *_INPUT,
                "target",
                "budget",
                "max_tokens",
                "count",
                "per_result",
                "model",
                "tools",
                "row",
                "opening",
                "bridge",
            ),
            *("statistics", "severity", "format"),
        ),
        (
            "turnwire check logs/*.jsonl",
            "turnwire check logs -t anthropic --statistics",
            "turnwire check requests.jsonl -t openai --format github --severity warning",
            "turnwire check train.jsonl --row",
        ),
        more="""\
Warnings and errors are listed; --severity info lists the rest, too. Exit code 1 if
something has at least this severity, or a row cannot be read.""",
        differs={"format": {"type": one_of("text", "json", "github"), "help": "text, json, github [text]"}},
    ),
    Command(
        "prepare",
        "rewrite:prepare",
        "Repair each conversation, fit it to a budget, write the request.",
        (
            *(*_INPUT, "target", "budget", "max_tokens", "count", "per_result", "model", "tools", "row"),
            *(
                "opening",
                "bridge",
                "reasoning",
                "server_tools",
                "omitted",
                "cache",
                "strict",
                "settings",
                "defaults",
                "diff",
            ),
            *_FILES,
        ),
        (
            "turnwire prepare broken.jsonl -o fixed.jsonl",
            "turnwire prepare logs -t anthropic -b 300k --per-result 20k -o ready/",
            "turnwire prepare a.jsonl -t openai --max-tokens 100k --count tokens:count -o b.jsonl",
            "turnwire prepare train.jsonl --row --errors bad.jsonl --changes seen.jsonl -o ok.jsonl",
            "turnwire prepare logs.jsonl -t gemini --diff | less",
        ),
        more="""\
Without --target each row is repaired in its own dialect. Changes are counted by code.
Exit code 1 if a row fails; with --diff also if a row changes.""",
    ),
    Command(
        "convert",
        "rewrite:convert",
        "Write each conversation in another dialect; repair nothing.",
        (*_INPUT, "target", "model", "row", "reasoning", "server_tools", "strict", "settings", "defaults", *_FILES),
        (
            "turnwire convert chat.jsonl -t anthropic -o out.jsonl",
            "turnwire convert sharegpt.json -t openai:hf -o train.jsonl",
            "turnwire convert traces.jsonl -t openai:hf --settings keep -o train.jsonl",
            """turnwire convert body.jsonl -t anthropic --defaults '{"max_tokens": 8192}' -o b.jsonl""",
        ),
        "--target NAME [OPTIONS] PATH ...",
        """\
What the target cannot express is counted by code. For requests, use prepare.
Exit code 1 if a row fails.""",
        {"target": _WRITES},
    ),
    Command(
        "truncate",
        "rewrite:truncate",
        "Cut the tool results of each conversation to a budget.",
        (*_INPUT, "budget", "split", "row", *_FILES),
        ("turnwire truncate logs.jsonl -b 100k -o cut.jsonl",),
        "--budget SIZE [OPTIONS] PATH ...",
        differs={"budget": {"required": True, "help": "the most bytes of a row's results: 100k"}},
    ),
    Command(
        "stats",
        "stats:stats",
        "Count turns, calls, results and bytes; show the largest results.",
        (*_INPUT, "top", "format"),
        ("turnwire stats logs", "turnwire stats logs --top 20 --format json"),
    ),
    Command(
        "diff",
        "diff:diff",
        "Show where each request differs from the one before it.",
        ("paths", "source", "servers", "at", "column", "model", "format"),
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
        ("paths", "at", "column", "format"),
        ("turnwire detect data/*.jsonl",),
        more="Exit code 1 if one cannot be detected.",
    ),
    Command(
        "dialects",
        "dialects:dialects",
        "List the names that --source and --target take, or the rules of one.",
        ("row_name", "servers", "format"),
        ("turnwire dialects", "turnwire dialects openai:groq"),
        "[NAME] [OPTIONS]",
    ),
    Command(
        "settings",
        "model_settings:settings",
        "List what is known of a model: words for effort, thinking, sampling ...",
        ("model_name", "target", "servers", "format"),
        ("turnwire settings claude-opus-5-5", "turnwire settings gpt-5.6 --target openai-responses"),
        "[OPTIONS] MODEL",
        "With --target every setting of that dialect is listed, else where the model differs.",
        {"target": {"default": None, "help": "the dialect whose settings are listed"}},
    ),
    Command(
        "servers",
        "servers:servers",
        "Check a file of servers, and print the name of each row.",
        ("servers_file", "format"),
        ("turnwire servers servers.toml",),
        "[--format json] FILE",
    ),
    Command(
        "explain",
        "explain:explain",
        "Explain a code, or a provider's error message, and what to do.",
        ("what", "format"),
        (
            "turnwire explain missing_result",
            'turnwire explain "messages.1: `tool_use` ids were found without `tool_result` blocks"',
            "turnwire explain -                            then paste, and press Ctrl-D",
            "python agent.py 2>&1 | turnwire explain -     finds the message in a traceback",
        ),
        "CODE|MESSAGE|-",
        "Exit code 2 if it is not known.",
    ),
    Command(
        "batch",
        "batches:batch",
        "Convert a provider's batch file for another provider.",
        (
            *("file", "target", "servers", "model", "defaults", "reasoning", "strict", "invoke_model"),
            *("max_requests", "max_file_bytes", "out", "errors", "format", "quiet"),
        ),
        (
            "turnwire batch openai.jsonl -t anthropic --model claude-opus-5 -o anthropic.json",
            "turnwire batch openai.jsonl -t bedrock --invoke-model -o bedrock.jsonl",
        ),
        "--target NAME --out PATH [OPTIONS] FILE",
        "When a file is full by the provider's limits, out-2 follows. Exit code 1 if a row fails.",
        {
            "target": _WRITES | {"help": "the provider whose batches take it"},
            "model": {"help": "the model that is asked, instead of those that the rows name"},
            "out": _ONE_FILE,
        },
    ),
    Command(
        "batch-results",
        "batches:results",
        "Write the results of such a batch under your own ids.",
        ("results", "requests", "out", "errors", "format", "quiet"),
        ("turnwire batch-results results.jsonl --requests openai.jsonl -o answers.jsonl",),
        "--requests FILE --out PATH RESULTS ...",
        "They get the form of the original provider.",
        {"out": _ONE_FILE},
    ),
)
