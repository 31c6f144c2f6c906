"""Decides where a command writes each output: to a file, or to a folder laid out like the inputs' folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from turnwire.batch.compressed import PACKED
from turnwire.batch.partial_file import beside
from turnwire.errors import TurnwireError

from . import inputs

__all__ = ["places"]


def places(files: Sequence[inputs.Input], out: str) -> list[Path]:
    """The output file for each input. No two are the same, and none is an input. Nothing is written here.

    Raises:
        TurnwireError: `conflicting_options`.
    """
    is_folder = out.endswith(("/", os.sep)) or Path(out).is_dir()
    if len(files) > 1 and not is_folder:
        text = f"expected a folder for what becomes of {len(files)} files, got {out}: a new folder's name ends with /"
        raise TurnwireError(text, code="conflicting_options")
    inside = [Path(out) / one.inside.with_name(_name(one.inside)) for one in files]
    chosen = inside if is_folder else [Path(out)]
    taken: dict[str, str] = {}
    read = {os.path.realpath(one.path) for one in files if one.path is not None}
    for one, place in zip(files, chosen, strict=True):
        real = os.path.realpath(place)
        if read & {real, *(os.path.realpath(beside(place, suffix)) for suffix in (".part", ".part.log"))}:
            text = f"expected another place to write to, got {place}, which this run reads"
            raise TurnwireError(text, code="conflicting_options")
        if real in taken:
            text = f"{taken[real]} and {one.name} would both be written to {place}: give the folder that holds both"
            raise TurnwireError(f"{text}, or one at a time", code="conflicting_options")
        taken[real] = one.name
    return chosen


def _name(path: Path) -> str:
    """The name of an input's output in a folder. Its ending is that of JSON Lines, which is what is written."""
    plain = path.with_suffix("") if path.suffix in PACKED else path
    packed = path.suffix if path.suffix in PACKED else ""
    return f"{plain.stem}.jsonl{packed}" if plain.suffix in inputs.SUFFIXES else path.name
