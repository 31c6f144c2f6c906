"""Types of the adapters: a wrapped client keeps its type, and so does a limited tool."""

from typing import reveal_type

import anthropic
import openai
from turnwire.adapters.anthropic import wrap as wrap_anthropic
from turnwire.adapters.mcp import limit
from turnwire.adapters.openai import wrap

reveal_type(wrap(openai.OpenAI(), max_bytes=300_000, on_error="log"))  # OpenAI
reveal_type(wrap(openai.AsyncOpenAI(), 300_000, target="openai:groq", reserve=0.1, on_receipt=print))  # AsyncOpenAI
reveal_type(wrap_anthropic(anthropic.Anthropic(), opening="(begin)"))  # Anthropic
reveal_type(wrap_anthropic(anthropic.AsyncAnthropic()))  # AsyncAnthropic


@limit(max_bytes=50_000)
async def tool(query: str) -> list[str]:
    """Search."""
    return [query]


async def use() -> None:
    """A use by an agent's author."""
    reveal_type(await tool("q"))  # list[str]
