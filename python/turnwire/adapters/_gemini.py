"""Tells from a model's name whether Gemini requires the signatures of its calls."""

from __future__ import annotations

from turnwire.types import DialectName

__all__ = ["target_of"]


def target_of(model: str) -> DialectName:
    """`gemini` for a model of the third generation or later, and `gemini:2` for all others."""
    _, found, version = model.rpartition("/")[2].partition("gemini-")
    return "gemini" if found and version[:1].isdigit() and int(version[0]) > 2 else "gemini:2"
