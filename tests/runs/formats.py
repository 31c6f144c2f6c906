"""A list in any format, for any target: what the caller has in OpenAI's format is converted before each request."""

from __future__ import annotations

from typing import Any

import turnwire as tw

from .makers import Bedrock, Chat, Gemini, Json, Maker, Responses

SOURCES = (
    "openai", "anthropic", "openai-responses", "gemini", "bedrock", "cohere", "mistral", "ai-sdk", "ai-sdk-ui",
    "ag-ui", "otel", "gemini-interactions", "ollama", "amazon-q",
)  # fmt: skip
# In these formats the last message is not a request.
TARGETS = [name for name in tw.dialects() if name not in ("structured", "history", "amazon-q")]
# The keys of a list of messages.
LISTS = ("messages", "input", "contents", "steps", "conversations", "gen_ai.input.messages")


def elements(payload: Any) -> list[Json]:
    """The messages of a payload; each part of the AI SDK's messages is one."""
    if isinstance(payload, dict):
        return next((payload[key] for key in LISTS if key in payload), [payload])
    return [
        {**message, "parts": [part]} if "parts" in message else message
        for message in payload
        for part in message.get("parts", [None])
    ]


class Any_(Chat):  # noqa: N801
    """Whoever answers: it says what OpenAI's chat format can hold."""

    model = None
    appends = False
    source: Any = "openai"
    second: Any = None

    def become(self, source: str, target: str) -> None:
        self.source, _, second = source.partition("+")
        self.second, self.target = second or None, target

    def given(self, messages: list[Json]) -> Any:
        def converted(some: list[Json], source: Any) -> Any:
            return tw.convert(some, source, source="openai", blobs="base64").payload if some else []

        if self.second is None:
            return converted(messages, self.source)
        # From the second question on whose calls have their results, the list is in the other format.
        at = next((at for at in range(1, len(messages)) if is_apart(messages, at)), len(messages))
        first, rest = converted(messages[:at], self.source), converted(messages[at:], self.second)
        return [respelled(one, n) for some in (first, rest) if some for n, one in enumerate(messages_of(some))]

    def listed(self, given: Any) -> list[Json]:
        return elements(given)

    def elements(self, body: Any) -> list[Json]:
        return elements(body)

    def head(self, body: Any) -> Any:
        said = elements(body)
        count = next((at for at, one in enumerate(said) if one.get("role") not in ("system", "developer")), len(said))
        items = body.items() if isinstance(body, dict) else ()
        beside = {key: held for key, held in items if held != said}
        if isinstance(beside.get("tools"), list):
            # A tool that a later message adds is hidden until then. An empty list says nothing.
            beside["tools"] = [one for one in beside["tools"] if not one.get("defer_loading")] or None
        return {key: held for key, held in beside.items() if held is not None}, said[:count]


def messages_of(payload: Any) -> list[Json]:
    return payload if isinstance(payload, list) else elements(payload)


def is_apart(messages: list[Json], at: int) -> bool:
    """Whether the user speaks, and no call has its result behind this message."""
    called = {call["id"] for one in messages[:at] for call in one.get("tool_calls", ())}
    return messages[at]["role"] == "user" and not any(one.get("tool_call_id") in called for one in messages[at:])


def respelled(message: Json, number: int) -> Json:
    """The same text as blocks, or the other way around, the same each time."""
    content: Any = message.get("content")
    if message.keys() != {"role", "content"} or number % 3 == 0:
        return message
    if isinstance(content, str):
        return {**message, "content": [{"type": "text", "text": content}]}
    if len(content) == 1 and content[0].keys() == {"type", "text"}:
        return {**message, "content": content[0]["text"]}
    return message


MAKERS = {"claude": Maker, "gpt": Responses, "bedrock": Bedrock, "gemini": Gemini, "chat": Chat, "any": Any_}
