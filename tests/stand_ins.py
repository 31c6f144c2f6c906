"""Gemini's stand-in for a signature. It is on calls of the current turn only, so it goes once the user speaks again."""

from typing import Any

#: The word that stands in for a signature.
WORD = "skip_thought_signature_validator"
#: The formats that have it.
FORMATS = ("gemini", "openai:gemini")


def without(value: Any) -> Any:
    """The value without stand-ins, and without the objects that hold nothing else."""
    if isinstance(value, list):
        return [without(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: without(one) for key, one in value.items() if not stands_in(one)}


def stands_in(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(map(stands_in, value.values()))
    return bool(value == WORD)
