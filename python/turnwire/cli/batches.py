"""`turnwire convert --batch` and `turnwire results`: convert a provider's batch file, and its results back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from turnwire.batch import BatchReport, convert_batch, convert_batch_results

from . import check, inputs
from .options import Json
from .screen import by_code, note_left, table, write_json

__all__ = ["convert_requests", "results"]


def convert_requests(
    paths: list[str], target: Any, out: str | None, *, as_json: bool, refused: dict[str, object], **options: Any
) -> int:
    """Runs `convert --batch`. `refused` has the options of `convert` that have no meaning here."""
    for name, given in refused.items():
        if given:
            raise typer.BadParameter("--batch goes without it: the lines of a batch tell", param_hint=name)
    path = _file(paths, "--batch")
    if out is None:
        raise typer.BadParameter("--batch needs --out, because the result may be several files")
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    report = convert_batch(path, out, target, errors=check.tell(str(path)), **options)
    return _shown(str(path), report, as_json=as_json)


def results(
    paths: Annotated[
        list[str],
        typer.Argument(help="The provider's results: one file or several, not compressed.", show_default=False),
    ],
    requests: Annotated[
        str,
        typer.Option("--requests", "-r", help="The file that `convert --batch` has read.", show_default=False),
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", help="A file: a line for each result, under your ids.", show_default=False)
    ],
    as_json: Json = False,
) -> int:
    """Write a batch's results in the form of the original requests' provider, with your own ids."""
    found = inputs.find(paths)
    files = [one.path for one in found if one.path is not None]
    if len(files) < len(found):
        raise typer.BadParameter("results reads files, not stdin")
    name = str(files[0]) if len(files) == 1 else "results"
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    report = convert_batch_results(files, requests, out, errors=check.tell(name))
    return _shown(name, report, as_json=as_json)


def _file(paths: list[str], option: str) -> Path:
    found = inputs.find(paths)
    if len(found) != 1 or found[0].path is None:
        raise typer.BadParameter(f"{option} reads one file at a time, and not stdin")
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
