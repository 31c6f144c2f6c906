"""`convert_batch`: converts a provider's batch file to files for another provider's batches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Unpack, cast

from turnwire._core import Budget, _html, prepare
from turnwire._families import family
from turnwire._signature import spelled_out
from turnwire.errors import ParseError, RenderError, TurnwireError
from turnwire.types import DialectName, HistoryOptions, SourceName

from .batch_elements import Element, elements
from .batch_files import BatchFile, Limits, Numbered, Parts, Told
from .batch_schema import with_schema
from .batch_wires import WIRES, Request, batch_id, head_and_tail, read_request
from .counts import Count, Counted, counts_of, joined, tallied
from .engine import Errors, PathLike
from .tasks import build_task

__all__ = ["BatchReport", "convert_batch", "dumped", "requests_of"]

_CLAUDE: Final[dict[str, Any]] = {"anthropic_version": "bedrock-2023-05-31"}
"""The keys that Bedrock's InvokeModel demands in a body for Claude."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What a conversion did with a provider's batch file."""

    rows: int
    """The number of requests or results, failed ones included."""
    failed: int
    """The number that are in no output file; `errors` says why."""
    changes: tuple[Count, ...]
    """How often each change was made in all others, by kind and code, the most frequent first."""
    renamed: int
    """The number of requests with another id until their results come back, because the target refuses theirs."""
    files: tuple[BatchFile, ...]
    """The files that were written, in order."""
    left_keys: dict[str, int] = field(default_factory=dict)
    """The other keys of requests' lines that were left out, each with the number of lines that had it."""

    def _repr_html_(self) -> str:
        return _html(self, self.__match_args__)


# Users import it from here, so pickles survive a move of this file.
BatchReport.__module__ = "turnwire.batch"


@spelled_out
def convert_batch(
    path: PathLike,
    out: PathLike,
    target: DialectName,
    budget: int | Budget | None = None,
    *,
    invoke_model: bool = False,
    max_requests: int | None = None,
    max_file_bytes: int | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[HistoryOptions],
) -> BatchReport:
    """Convert a provider's batch file to files for another provider's batches.

        convert_batch("openai.jsonl", "anthropic.json", "anthropic", model="claude-opus-5")

    Each request is prepared for the target with `settings="convert"`, so that you can submit the file. It reads JSON
    Lines of OpenAI (chat and Responses), Mistral, Gemini and Bedrock, Anthropic's object with `requests`, and Gemini's
    inline requests, and detects which. All lines of a file must be of one provider. Keys that ask for a stream are left
    out. An id that the target refuses is replaced by `batch_id`; `read_batch_results` returns yours. Lines that fail
    are left out and do not stop the run. Memory grows with the longest line, and by some hundred bytes a request.

    Args:
        path: The batch file, not compressed.
        out: The file to write: one JSON object for Anthropic, JSON Lines for all others. When it is full, further files
            follow, `out-2.jsonl` beside `out.jsonl`. Requests for another model get their own file, except for
            Anthropic. All files get their names when they are complete.
        target: The dialect to write, of one of the providers above.
        budget: As in `prepare`, for each request.
        invoke_model: For `bedrock`: write Claude's own body for InvokeModel instead of Converse's, which takes no tools
            in batches.
        max_requests: The most requests in a file; None for the provider's limit.
        max_file_bytes: The most bytes in a file; None for the provider's limit.
        errors: Where to report failing lines: a file of JSON Lines (`line`, `code`, `path`, `message`), or a function
            that is called with a `RowError`. In a list, the line is the number of the element.
        stop: Raise at the first line that fails.
        options: Those of `prepare`, the same for each request, such as `model` and
            `settings={"defaults": {"max_tokens": 8192}}`.

    Raises:
        TurnwireError: `unknown_option` for a target without batches, and for options that would not write whole
            requests (`settings="omit"` and `"keep"`, `blobs="raw"`); `conflicting_options` for an output that is the
            input, that another run writes, or that is a device or a pipe; `out_of_range` for limits below 1;
            `invalid_json` for a compressed file; with `stop`, the error of the line.
        UnknownDialectError: `unknown_dialect`.
        OSError: A file cannot be read or written.
    """
    written: Any = "anthropic:2023-06-01" if invoke_model else target
    # Wrong options raise here, before any line is read.
    asked: Any = {"settings": "convert", "end": "request", "blobs": "base64", **options}
    for name, word in (("settings", "omit"), ("settings", "keep"), ("blobs", "raw")):
        if asked[name] == word:
            text = f"expected {name} to be left out, got {word!r}: each line of a batch is a whole request, as JSON"
            raise TurnwireError(text, code="unknown_option")
    build_task("convert_batch", "auto", written, None, budget, asked)
    wire = _wire(target, invoke_model=invoke_model)
    known = WIRES[wire]
    limits = Limits(
        known.most_requests if max_requests is None else max_requests,
        known.most_bytes if max_file_bytes is None else max_file_bytes,
        known.container,
    )
    if limits.most_requests < 1 or limits.most_bytes < 1:
        text = f"expected limits of 1 or more, got {limits.most_requests} requests and {limits.most_bytes} bytes"
        raise TurnwireError(text, code="out_of_range")
    between, body_key = head_and_tail(target)
    done = renamed = 0
    changes: Counted = {}
    left = Counter[str]()
    with (
        Parts(Path(out), path) as parts,
        Told(errors, parts, stop=stop) as told,
        Numbered(parts, Path(out), limits) as files,
    ):
        for element, request, given in requests_of(Path(path), told, wire):
            try:
                ready = prepare(request.body, written, budget, **asked, source=cast("SourceName", request.dialect))
            except TurnwireError as error:
                told.tell(element.number, error, request.path)
                continue
            try:
                body, model = _submitted(ready.payload, wire, request, options, invoke_model=invoke_model)
                line = {known.id_key: given, **between, body_key: body}
                files.write(dumped(line), None if known.model_each else model)
            except RenderError as error:
                told.tell(element.number, error)
                continue
            done, renamed = done + 1, renamed + (given != request.id)
            changes = joined(changes, tallied(element.number, ready.receipt))
            left.update(request.left)
        made = files.close()
    return BatchReport(done + told.count, told.count, counts_of(changes), renamed, made, dict(left))


def _wire(target: str, *, invoke_model: bool) -> str:
    wire = family(target).removesuffix("-responses")
    if wire not in WIRES or target.startswith("openai:hf"):
        text = f"expected a target with batches, one of {', '.join((*WIRES, 'openai-responses'))}, got {target!r}"
        raise TurnwireError(text, code="unknown_option")
    if invoke_model and target != "bedrock":
        raise TurnwireError(f"expected `invoke_model` only for bedrock, got {target!r}", code="unknown_option")
    return wire


def _submitted(
    body: dict[str, Any], wire: str, request: Request, options: HistoryOptions, *, invoke_model: bool
) -> tuple[dict[str, Any], str | None]:
    """The body for the batch, and its model."""
    named = options.get("model") or request.body.get("model") or request.body.get("modelId")
    model = named if isinstance(named, str) else None
    if WIRES[wire].names_model:
        if model is None:
            text = f"expected a model, which each request of {wire}'s batches names: pass `model=`"
            raise RenderError(text, code="missing_key", path=request.path)
        body.setdefault("model", model)
    if wire == "gemini":
        body = with_schema(body)
    if invoke_model:
        body.pop("model", None)
        return {**_CLAUDE, **body}, model
    if wire == "bedrock" and "toolConfig" in body:
        text = "Converse takes no tools in batches: pass `invoke_model=True`, which writes Claude's own body"
        raise RenderError(text, code="refused", path=request.path)
    return body, model


def dumped(line: dict[str, Any]) -> bytes:
    """A line as JSON, in ASCII.

    Raises:
        RenderError: `not_json` for NaN or an infinite number.
    """
    try:
        return json.dumps(line, allow_nan=False, separators=(",", ":")).encode()
    except ValueError as error:
        raise RenderError(f"expected numbers that JSON has: {error}", code="not_json") from None


def requests_of(path: Path, told: Told, wire: str) -> Iterator[tuple[Element, Request, str]]:
    """The requests of a file, and the id of each in a batch of `wire`. Other lines are reported to `told`."""
    seen: set[bytes] = set()
    first: str | None = None
    for element in elements(path):
        try:
            request = read_request(element.read())
            first = first or request.wire
            if request.wire != first:
                text = f"expected a request of {first}'s batches, as in the lines before, got one of {request.wire}'s"
                raise ParseError(text, code="wrong_dialect")
            given = batch_id(request.id, wire)
            keys = {_digest(request.id), _digest(given)}
            if not seen.isdisjoint(keys):
                text = f"expected each id once, got {request.id!r:.80} again"
                raise ParseError(text, code="wrong_id", path=f"$.{WIRES[first].id_key}")
        except TurnwireError as error:
            told.tell(element.number, error)
            continue
        seen |= keys
        yield element, request, given


def _digest(given: str) -> bytes:
    return sha256(given.encode("utf-8", "surrogatepass")).digest()[:16]
