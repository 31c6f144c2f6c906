"""`read_batch_results` and `convert_batch_results`: read a batch's results under the caller's own ids."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from turnwire._log import logger
from turnwire.errors import ParseError, TurnwireError

from .batch_answers import BatchResult, failed_reply, read_result, whose, write_result
from .batch_elements import Element, elements
from .batch_files import Limits, Numbered, Parts, Told
from .batch_requests import BatchReport, dumped, requests_of
from .batch_wires import WIRES, Request, read_request
from .counts import Counted, counts_of, joined, tallied
from .engine import Errors, PathLike, RowError

__all__ = ["Results", "convert_batch_results", "read_batch_results"]

Results: TypeAlias = PathLike | Iterable[PathLike]
"""The file of results, or several."""


def read_batch_results(
    results: Results, requests: PathLike, *, errors: Callable[[RowError], object] | None = None, stop: bool = False
) -> Iterator[BatchResult]:
    """Read the results of a batch, with the ids of the file that its requests were converted from.

        for result in read_batch_results("results.jsonl", "openai.jsonl"):
            print(result.id, result.status, result.reply and result.reply.text)

    They are in the order of the provider's file, which may differ from that of the requests. Requests without a result
    follow at the end, as `"missing"`. Tool calls have the names from your requests. Memory grows by some hundred bytes
    a request.

    Args:
        results: The provider's results: JSON Lines of OpenAI, Anthropic, Gemini, Bedrock or Mistral, or Gemini's object
            with `inlinedResponses`. Several files are read as one, such as OpenAI's second file with failed requests,
            or those of several batches.
        requests: The file that `convert_batch` read, unchanged.
        errors: A function that is called with a `RowError` for each line that is not the result of a request, or a
            second result. Without it, the log has their number.
        stop: Raise at the first line that is not a result, and at the first request without one.

    Raises:
        TurnwireError: `invalid_json` for a compressed file; with `stop`, `wrong_id`, `wrong_dialect`, `no_result` or
            another error of a line.
        OSError: A file cannot be read.
    """
    told = Told(errors, None, stop=stop)
    with Path(requests).open("rb") as file:
        for number, result, _, _ in _each(_paths(results), Path(requests), file, told):
            if stop and result.status in ("missing", "unreadable"):
                told.tell(number, _failure(result))
            yield result
    if told.count and errors is None:
        logger.getChild("batch").warning("%d lines of results failed, and errors= was not given to say why", told.count)


def convert_batch_results(
    results: Results, requests: PathLike, out: PathLike, *, errors: Errors = None, stop: bool = False
) -> BatchReport:
    """Write the results of a batch as the provider of the original requests would: the same ids, the same form of line.

        convert_batch_results("results.jsonl", "openai.jsonl", "answers.jsonl")

    A request that failed, expired or was cancelled at the provider gets a line with that status. A request without a
    readable result gets no line: it is reported as `no_result` with line 0.

    Args:
        results: The provider's results, one file or several, in any form that `read_batch_results` takes.
        requests: The file that `convert_batch` read, unchanged.
        out: The file to write: JSON Lines, one for each result. It gets its name when it is complete.
        errors: Where to report failures: a file of JSON Lines (`line`, `code`, `path`, `message`), or a function that
            is called with a `RowError`.
        stop: Raise at the first failure.

    Raises:
        TurnwireError: As in `read_batch_results`; `conflicting_options` for an output that is an input, that another
            run writes, or that is a device or a pipe.
        OSError: A file cannot be read or written.
    """
    done = renamed = 0
    changes: Counted = {}
    paths, place, limits = _paths(results), Path(out), Limits(_ANY, _ANY, container=False)
    with (
        Parts(place, requests, *paths) as parts,
        Told(errors, parts, stop=stop) as told,
        Numbered(parts, place, limits) as written,
        Path(requests).open("rb") as file,
    ):
        for number, result, (request, line), given in _each(paths, Path(requests), file, told):
            if result.status in ("missing", "unreadable"):
                told.tell(number, _failure(result))
                continue
            body = None
            try:
                if result.reply is not None:
                    made = result.reply.render(cast("Any", request.dialect), request=request.body)
                    changes = joined(changes, tallied(number, made.receipt))
                    if made.status is None:
                        body = made.payload
                    else:
                        result = failed_reply(result, made.payload, made.status)
                written.write(dumped(write_result(result, body, request, line)), None)
            except TurnwireError as error:
                told.tell(number, error)
                continue
            done, renamed = done + 1, renamed + (given != result.id)
        files = written.close()
    return BatchReport(done + told.count, told.count, counts_of(changes), renamed, files)


_ANY = 1 << 62
"""No limit, because a provider's file of results has none."""


def _paths(results: Results) -> list[Path]:
    if isinstance(results, str | os.PathLike):
        return [Path(results)]
    return [Path(one) for one in results]


def _failure(result: BatchResult) -> ParseError:
    if result.status == "missing":
        return ParseError(f"expected a result for {result.id!r:.80}, got none", code="no_result")
    return ParseError(f"the result for {result.id!r:.80}: {result.message}", code=result.code or "no_result")


def _each(
    results: list[Path], requests: Path, file: BinaryIO, told: Told
) -> Iterator[tuple[int, BatchResult, tuple[Request, dict[str, Any]], str]]:
    """Each result with the number of its line, its request and that request's line, and the id that it came with."""
    first: str | None = None
    places: dict[str, tuple[int, int]] = {}
    seen: set[str] = set()
    for path in results:
        for element in elements(path):
            try:
                line = element.read()
                wire, given = whose(line)
                if first is None:
                    first, places = wire, _places(requests, wire)
                if wire != first:
                    text = f"expected a result of {first}'s batches, as in the lines before, got one of {wire}'s"
                    raise ParseError(text, code="wrong_dialect")
                if given not in places or given in seen:
                    wanted = "each id once" if given in seen else f"an id of a request in {requests.name}"
                    text = f"expected {wanted}, got {given!r:.80}"
                    raise ParseError(text, code="wrong_id", path=f"$.{WIRES[wire].id_key}")
                seen.add(given)
                found = _request(file, *places[given])
                result = read_result(found[0].id, wire, line, found[0])
            except TurnwireError as error:
                told.tell(element.number, error)
                continue
            yield element.number, result, found, given
    if first is None:
        places = _places(requests, "openai")
    for given, place in places.items():
        if given not in seen:
            found = _request(file, *place)
            missing = _failure(BatchResult(found[0].id, "missing"))
            yield 0, BatchResult(found[0].id, "missing", None, missing.code, str(missing.args[0])), found, given


def _places(requests: Path, wire: str) -> dict[str, tuple[int, int]]:
    """The offset and length of each request in its file, by its id in a batch of `wire`."""
    # Errors in requests were reported when they were converted.
    silent = Told(None, None)
    return {given: (one.start, len(one.data)) for one, _, given in requests_of(requests, silent, wire)}


def _request(file: BinaryIO, start: int, size: int) -> tuple[Request, dict[str, Any]]:
    file.seek(start)
    line = Element(0, start, file.read(size)).read()
    return read_request(line), line
