"""`turnwire convert --batch` and `turnwire results`: convert a provider's batch file, and its results back."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from turnwire.batch import BatchReport, convert_batch, convert_batch_results

from . import check, inputs
from .screen import note_left
from .tables import by_code, table, write_json
from .usage_error import UsageError

__all__ = ["convert_requests", "results"]


def convert_requests(given: Namespace) -> int:
    """Runs `convert --batch`. The options about rows have no meaning here."""
    refused = {
        "--from": given.source != "auto",
        "--tool-results": given.tool_results,
        "--at": given.at,
        "--column": given.column,
        "--threads": given.threads,
        "--rest": given.rest == "keep",
        "--row": given.row is not None,
        "--losses": given.losses,
    }
    for name in (name for name, used in refused.items() if used):
        raise UsageError(f"--batch goes without {name}: the lines of a batch tell")
    path = _file(given.paths, "--batch")
    if given.out is None:
        raise UsageError("--batch needs --out, because the result may be several files")
    Path(given.out).parent.mkdir(parents=True, exist_ok=True)
    report = convert_batch(
        path,
        given.out,
        given.target,
        errors=check.tell(str(path)),
        strict=given.strict,
        reasoning=given.reasoning,
        invoke_model=given.invoke_model,
        defaults=given.defaults,
        model=given.model,
    )
    return _shown(str(path), report, as_json=given.json)


def results(given: Namespace) -> int:
    """Writes a batch's results in the form of the original requests' provider, with your own ids."""
    found = inputs.find(given.paths)
    files = [one.path for one in found if one.path is not None]
    if len(files) < len(found):
        raise UsageError("results reads files, not stdin")
    name = str(files[0]) if len(files) == 1 else "results"
    Path(given.out).parent.mkdir(parents=True, exist_ok=True)
    report = convert_batch_results(files, given.requests, given.out, errors=check.tell(name))
    return _shown(name, report, as_json=given.json)


def _file(paths: list[str], option: str) -> Path:
    found = inputs.find(paths)
    if len(found) != 1 or found[0].path is None:
        raise UsageError(f"{option} reads one file at a time, and not stdin")
    return found[0].path


def _shown(name: str, report: BatchReport, *, as_json: bool) -> int:
    """Shows the report of a batch: a line for each file that was written."""
    if as_json:
        files = [{"path": str(file.path), "rows": file.rows, "model": file.model} for file in report.files]
        counts = {key: getattr(report, key) for key in ("rows", "failed", "losses", "renamed")}
        write_json(counts | {"loss_codes": report.codes, "left_keys": report.left_keys, "files": files})
    else:
        note_left(name, report.left_keys)
        table(("file", "rows", "model"), ((file.path, file.rows, file.model or "") for file in report.files), ["rows"])
        table(("rows", "failed", "losses", "renamed"), [(report.rows, report.failed, report.losses, report.renamed)])
        if report.codes:
            print(by_code(report.codes))
    return int(report.failed > 0)
