"""Writes each loss of a conversion to a file: `turnwire convert --losses`."""

from __future__ import annotations

import json
import os
from typing import IO

from turnwire.errors import TurnwireError

from . import inputs, outputs


def is_another(losses: str, files: list[inputs.Input], out: str | None) -> None:
    """Refuses to write losses to what is read or written otherwise."""
    others = [one.path for one in files if one.path is not None]
    others += [] if out is None else outputs.places(files, out)
    if os.path.realpath(losses) in map(os.path.realpath, others):
        text = f"expected another file for the losses, got {losses}, which this run reads or writes"
        raise TurnwireError(text, code="conflicting_options")


def write_loss(file: IO[str], name: str, loss: tuple[int, str, str, str]) -> None:
    """Writes a loss as a line of JSON."""
    line, path, code, reason = loss
    said = {"file": name, "line": line, "path": path, "code": code, "reason": reason}
    file.write(json.dumps(said, ensure_ascii=False) + "\n")
