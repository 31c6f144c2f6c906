"""`turnwire batch` and `turnwire batch-results`: convert a provider's batch file, and its results back."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from turnwire.batch import BatchReport, convert_batch, convert_batch_results

from . import inputs
from .changes import show
from .reports import Reports
from .screen import note_left
from .tables import table, write_json
from .usage_error import UsageError

__all__ = ["batch", "results"]


def batch(given: Namespace) -> int:
    """Converts a provider's batch file for another provider."""
    (path,) = _files([given.file], "turnwire batch reads one file at a time")
    names = ("strict", "invoke_model", "model", "max_requests", "max_file_bytes")
    options: Any = {name: getattr(given, name) for name in names} | {"reasoning": given.reasoning}
    if given.defaults is not None:
        options["settings"] = {"defaults": given.defaults}
    with Reports(given.errors, None, [path, Path(given.out)]) as reports:
        Path(given.out).parent.mkdir(parents=True, exist_ok=True)
        report = convert_batch(path, given.out, given.target, errors=reports.error(str(path)), **options)
    return _shown(str(path), report, given)


def results(given: Namespace) -> int:
    """Writes a batch's results in the form of the original requests' provider, with your own ids."""
    files = _files(given.paths)
    name = str(files[0]) if len(files) == 1 else "results"
    with Reports(given.errors, None, [*files, Path(given.requests), Path(given.out)]) as reports:
        Path(given.out).parent.mkdir(parents=True, exist_ok=True)
        report = convert_batch_results(files, given.requests, given.out, errors=reports.error(name))
    return _shown(name, report, given)


def _files(paths: list[str], alone: str | None = None) -> list[Path]:
    """The files of paths. `alone` says why it must be one."""
    found = inputs.find(paths)
    files = [one.path for one in found if one.path is not None]
    if len(files) < len(found):
        raise UsageError("turnwire: expected files of a batch, got stdin")
    if alone is not None and len(files) > 1:
        raise UsageError(f"{alone}, and {paths[0]} is {len(files)}")
    return files


def _shown(name: str, report: BatchReport, given: Namespace) -> int:
    """Shows the report of a batch: a line for each file that was written."""
    if given.format == "json":
        files = [{"path": str(file.path), "rows": file.rows, "model": file.model} for file in report.files]
        counts = {key: getattr(report, key) for key in ("rows", "failed", "renamed")}
        changes = [one._asdict() for one in report.changes]
        write_json(counts | {"changes": changes, "left_keys": report.left_keys, "files": files})
    elif not given.quiet:
        note_left(name, report.left_keys)
        table(("file", "rows", "model"), ((file.path, file.rows, file.model or "") for file in report.files), ["rows"])
        table(("rows", "failed", "renamed"), [(report.rows, report.failed, report.renamed)])
        show([(name, report.changes)], aside=False)
    return int(report.failed > 0)
