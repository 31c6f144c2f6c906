"""What every spelling shares: the error for what a format has no place for, the tool's schema, the text of parts."""

from typing import Any

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOL = {"name": "look", "description": "To look."}


class CannotError(Exception):
    """The format has no place for a kind of part."""


def text_of(parts: list[dict[str, Any]]) -> str:
    return "".join(part.get("text", "") for part in parts)


def one_text(parts: list[dict[str, Any]]) -> str:
    """The text of parts, where the format has one text and nothing else."""
    if any("text" not in part for part in parts) or len(parts) > 1:
        raise CannotError("several texts, or none")
    return text_of(parts)


def only_first(turn: dict[str, Any], before: list[Any]) -> None:
    """System text that the format has no place for behind other messages."""
    if not turn.get("beside") and before:
        raise CannotError("system text in the middle")
