"""Cohere's chat: like Chat Completions, with plans before calls, and documents in results."""

from typing import Any

from .openai import OpenAI


class Cohere(OpenAI):
    RARE = True

    def choice(self, mode: str) -> Any:
        return {"auto": None, "none": "NONE"}[mode]
