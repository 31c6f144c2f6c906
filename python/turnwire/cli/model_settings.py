"""`turnwire settings`: what a model takes in the settings of a body, as turnwire knows it."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from turnwire import dialects
from turnwire._core import _settings_column

from .tables import table, write_json

__all__ = ["settings"]


def settings(given: Namespace) -> int:
    """Prints every setting of one dialect for a model, or in each dialect those in which the model differs."""
    if given.target:
        columns = {given.target: _settings_column(given.target, given.name)}
    else:
        columns = {name: _differing(name, given.name) for name in dialects()}
    columns = {name: column for name, column in columns.items() if column}
    if given.format == "json":
        for name, column in columns.items():
            write_json({"dialect": name, "model": given.name, "settings": column})
        return 0
    if not columns:
        print(f"nothing is known of {given.name}: each dialect writes what all of its models take")
        return 0
    has = [(name, setting, cell) for name, column in columns.items() for setting, cell in column.items()]
    rows = [(name, setting, ", ".join(cell["places"]), _said(cell)) for name, setting, cell in has if _is_told(cell)]
    table(("dialect", "setting", "keys", "value"), rows)
    return 0


def _differing(name: str, model: str) -> dict[str, Any]:
    """The settings for which a model has other rules than its dialect, and than on the dialect's own provider."""
    column, plain = _settings_column(name, model), _settings_column(name, None)
    wire, _, row = name.partition(":")
    own = _settings_column(wire, model) if row else {}
    return {setting: cell for setting, cell in column.items() if cell not in (plain[setting], own.get(setting))}


def _is_told(cell: dict[str, Any]) -> bool:
    return cell["kind"] != "none" or "why" in cell or not cell["places"]


def _said(cell: dict[str, Any]) -> str:
    """A cell in words: its own words, its bounds, or why it is refused."""
    if "why" in cell:
        return str(cell["why"])
    if "choices" in cell:
        return ", ".join(cell["choices"]) or "refused"
    said = [cell["kind"] if cell["kind"] != "none" else "not there"]
    if "words" in cell:
        said = [", ".join(dict.fromkeys(word for word, _ in cell["words"] if word))]
    if "range" in cell:
        said.append(" to ".join("any" if abs(bound) > 2**50 else f"{bound:g}" for bound in cell["range"]))
    said += [f"not beside {', '.join(cell['excludes'])}"] if "excludes" in cell else []
    said += [f"{when.replace('_', ' ')}: {_said(cell[when])}" for when in ("with_tools", "at_rest") if when in cell]
    return "; ".join(said)
