"""Tools of agent frameworks in `tools=`: turnwire gives a model the same definitions as the framework does."""

from typing import Any

import turnwire as tw
from needs import framework

Q = {"role": "user", "content": "q"}


def get_weather(city: str) -> str:
    """Get the weather.

    Args:
        city: Where.
    """
    return city


def told(tool: object) -> tuple[str, str, dict[str, Any]]:
    """The name, the description and the schema that a model gets."""
    (written,) = tw.prepare([Q], "anthropic", tools=[tool]).payload["tools"]
    assert set(written) <= {"name", "description", "input_schema", "strict"}
    return written["name"], written["description"], written["input_schema"]


def is_weather(tool: object) -> None:
    name, description, schema = told(tool)
    assert name == "get_weather" and description.startswith("Get the weather.")
    assert schema["type"] == "object" and schema["required"] == ["city"]
    assert schema["properties"]["city"]["type"] == "string" and set(schema["properties"]) == {"city"}


def test_openai_agents() -> None:
    agents = framework("agents", "openai-agents")
    is_weather(agents.function_tool(get_weather))


def test_pydantic_ai() -> None:
    ai = framework("pydantic_ai", "pydantic-ai-slim")
    is_weather(ai.Tool(get_weather).tool_def)


def test_langchain() -> None:
    framework("langchain", "langchain")
    tools = framework("langchain_core.tools", "langchain")
    is_weather(tools.tool(get_weather))


def test_smolagents() -> None:
    smolagents = framework("smolagents", "smolagents")
    is_weather(smolagents.tool(get_weather))


def test_strands() -> None:
    strands = framework("strands", "strands-agents")
    is_weather(strands.tool(get_weather))


def test_google_adk() -> None:
    framework("google.adk", "google-adk")
    tools = framework("google.adk.tools", "google-adk")
    is_weather(tools.FunctionTool(get_weather))
