"""Adapters for agent frameworks: one module for each framework, imported where it is first used."""

_MODULES = (
    "anthropic",
    "claude_agent",
    "google_adk",
    "google_genai",
    "langchain",
    "litellm",
    "mcp",
    "openai",
    "openai_agents",
    "pydantic_ai",
    "smolagents",
    "strands",
)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        known = "" if name.startswith("_") else f": the adapters are {', '.join(_MODULES)}"
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{known}")
    from importlib import import_module

    return import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return [*_MODULES]
