"""The names of dialects as types, so that a checker sees a name that is misspelt."""

# Written by docs/generate.py: add the dialect, then `make docs`.

from typing import Literal, TypeAlias

from ._servers import Server

__all__ = ["DialectName", "LayoutName", "ReplyName", "RowName", "SourceName", "TargetName"]

DialectName: TypeAlias = Literal[
    "openai",
    "openai:deepseek",
    "openai:kimi",
    "openai:qwen",
    "openai:openrouter",
    "openai:groq",
    "openai:compatible",
    "openai:local",
    "openai:plain",
    "openai:gemini",
    "openai:litellm",
    "openai:xai",
    "openai:glm",
    "openai:minimax",
    "openai:cerebras",
    "openai:fireworks",
    "openai:perplexity",
    "openai-responses",
    "openai-responses:compatible",
    "anthropic",
    "anthropic:2023-06-01",
    "anthropic:compatible",
    "anthropic:deepseek",
    "gemini",
    "gemini:2",
    "bedrock",
    "bedrock:nova",
    "ollama",
    "mistral",
    "mistral:v3",
    "mistral:v7",
    "mistral:v11",
    "mistral:v15",
    "cohere",
    "sharegpt",
    "openai:hf",
    "openai:hf-deepseek",
    "openai:hf-llama",
    "openai:hf-gpt-oss",
    "openai:hf-mistral",
    "openai:hf-vision",
    "ag-ui",
    "gemini-interactions",
    "otel",
    "amazon-q",
    "history",
    "llama",
    "llama:3",
    "structured",
    "ai-sdk",
    "ai-sdk-ui",
]
"""Every name in `dialects()`."""

ReplyName: TypeAlias = Literal[
    "openai",
    "openai:deepseek",
    "openai:kimi",
    "openai:qwen",
    "openai:openrouter",
    "openai:groq",
    "openai:compatible",
    "openai:local",
    "openai:plain",
    "openai:gemini",
    "openai:litellm",
    "openai:xai",
    "openai:glm",
    "openai:minimax",
    "openai:cerebras",
    "openai:fireworks",
    "openai:perplexity",
    "openai-responses",
    "openai-responses:compatible",
    "anthropic",
    "anthropic:2023-06-01",
    "anthropic:compatible",
    "anthropic:deepseek",
    "gemini",
    "gemini:2",
    "bedrock",
    "bedrock:nova",
    "ollama",
    "mistral",
    "mistral:v3",
    "mistral:v7",
    "mistral:v11",
    "mistral:v15",
    "cohere",
    "ai-sdk-ui",
    "ag-ui",
    "gemini-interactions",
]
"""Dialects of providers, whose replies can be read, whole or streamed."""

LayoutName: TypeAlias = Literal[
    "xlam",
    "alpaca",
    "qa",
    "exchange",
    "pairs",
    "glaive",
    "transcript",
    "swift",
    "langchain",
    "pydantic-ai",
    "meai",
    "goose",
    "opencode",
    "inspect",
    "tau2",
    "atif",
    "dataclaw",
    "chatgpt",
    "claude-ai",
    "librechat",
]
"""Layouts of records that are read and not written, such as rows of a data set."""

RowName: TypeAlias = DialectName | Server
"""A dialect, or a server that you have stated."""

SourceName: TypeAlias = Literal["auto", DialectName, LayoutName] | Server
"""A dialect, a server or a layout to read a payload as, or `"auto"` to detect it."""

TargetName: TypeAlias = Literal["same", DialectName] | Server
"""A dialect or a server to write for, or `"same"` for that of the messages."""
