"""Spells neutral turns as providers document their formats, by hand and never by turnwire."""

from types import ModuleType
from typing import Any

from . import anthropic, bedrock, cohere, gemini, mistral, ollama, openai, openai_responses
from .cannot import CannotError as CannotError

FORMATS: dict[str, ModuleType] = {
    "openai": openai,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
    "openai-responses": openai_responses,
    "mistral": mistral,
    "cohere": cohere,
    "ollama": ollama,
}


def request(dialect: str, turns: list[dict[str, Any]], *, with_tools: bool) -> dict[str, Any]:
    """The request. Raises `CannotError` for what the format has no place for."""
    made = FORMATS[dialect].request(turns)
    return made | FORMATS[dialect].TOOLS if with_tools else made


def tools(dialect: str) -> Any:
    """The tool's definition, alone. Formats without a spelling of their own take OpenAI's."""
    (made,) = FORMATS.get(dialect.partition(":")[0], openai).TOOLS.values()
    return made["tools"] if isinstance(made, dict) else made
