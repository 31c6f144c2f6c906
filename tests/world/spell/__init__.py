"""Spells neutral turns as each format is documented, by hand and never by turnwire.

A file holds `request`, which spells turns, and `TOOLS`, the part of a request that defines the tool, if there is one.
`READ` names the options without which the format is read as another one.
"""

from types import ModuleType
from typing import Any

from . import (
    ag_ui,
    ai_sdk,
    ai_sdk_ui,
    amazon_q,
    anthropic,
    bedrock,
    cohere,
    gemini,
    gemini_interactions,
    history,
    hugging_face,
    llama,
    llama_3,
    mistral,
    ollama,
    openai,
    openai_responses,
    otel,
    sharegpt,
    structured,
)
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
    "amazon-q": amazon_q,
    "history": history,
    "llama": llama,
    "llama:3": llama_3,
    "sharegpt": sharegpt,
    "structured": structured,
    "openai:hf": hugging_face,
    "ai-sdk": ai_sdk,
    "ai-sdk-ui": ai_sdk_ui,
    "ag-ui": ag_ui,
    "gemini-interactions": gemini_interactions,
    "otel": otel,
}


def request(dialect: str, turns: list[dict[str, Any]], *, with_tools: bool) -> Any:
    """The request. Raises `CannotError` for what the format has no place for."""
    made = FORMATS[dialect].request(turns)
    return made | FORMATS[dialect].TOOLS if with_tools and FORMATS[dialect].TOOLS else made


def tools(dialect: str) -> Any:
    """The tool's definition, alone. Formats whose tools are no list of objects take OpenAI's."""
    file = FORMATS.get(dialect) or FORMATS.get(dialect.partition(":")[0], openai)
    (made,) = (openai if file is sharegpt or not file.TOOLS else file).TOOLS.values()
    return made["tools"] if isinstance(made, dict) else made


def needed(dialect: str) -> dict[str, Any]:
    """The options without which the format is read as another one."""
    return getattr(FORMATS.get(dialect), "READ", {})
