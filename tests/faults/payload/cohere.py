"""Cohere's chat: as Chat Completions has it, with plans before calls, and documents in results."""

from .openai import OpenAI


class Cohere(OpenAI):
    WHOLE = False
