"""Types of the adapters: a wrapped client keeps its type, and so does a limited tool."""

from typing import reveal_type

import anthropic
import openai
import turnwire as tw
from turnwire import Budget
from turnwire.adapters.anthropic import wrap as wrap_anthropic
from turnwire.adapters.mcp import limit
from turnwire.adapters.openai import wrap

reveal_type(wrap(openai.OpenAI(), budget=300_000, on_error="log"))  # OpenAI
BUDGET = Budget(300_000, reserve=0.1)
reveal_type(wrap(openai.AsyncOpenAI(), BUDGET, target="openai:groq", on_receipt=print))  # AsyncOpenAI
reveal_type(wrap_anthropic(anthropic.Anthropic(), wording={"opening": "(begin)"}))  # Anthropic
reveal_type(tw.wrap(openai.OpenAI(), 300_000))  # OpenAI
reveal_type(wrap_anthropic(anthropic.AsyncAnthropic()))  # AsyncAnthropic


@limit(budget=50_000)
async def tool(query: str) -> list[str]:
    """Search."""
    return [query]


async def use() -> None:
    """A use by an agent's author."""
    reveal_type(await tool("q"))  # list[str]
