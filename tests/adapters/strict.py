"""Providers that note what they would refuse."""

from __future__ import annotations

from typing import ClassVar

from proof import refused
from provider import Handler


class Strict(Handler):
    """Notes each conversation, and what the provider behind a path would refuse.

    Only the conversation counts: some frameworks add to their provider's types. Bedrock and Vertex AI have the model in
    the path.
    """

    # What a path has, and the dialect behind it.
    DIALECTS: ClassVar = {
        "/chat/completions": "openai",
        "/messages": "anthropic",
        "/responses": "openai-responses",
        "enerateContent": "gemini",
        "/converse": "bedrock",
        ":rawPredict": "anthropic",
        ":streamRawPredict": "anthropic",
        "/invoke": "anthropic",
    }
    KEYS: ClassVar = ("messages", "input", "system", "instructions", "contents", "systemInstruction")

    def send_response(self, code: int, message: str | None = None) -> None:
        dialect = next(dialect for part, dialect in self.DIALECTS.items() if part in self.path)
        body = {key: value for key, value in self.server.bodies[-1].items() if key in self.KEYS}
        self.server.conversations.append((dialect, body))
        self.server.wrong += refused(dialect, body)
        super().send_response(code, message)
