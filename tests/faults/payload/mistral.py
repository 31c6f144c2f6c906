"""Mistral's chat: as Chat Completions has it, with chunks of its own."""

from .openai import OpenAI


class Mistral(OpenAI):
    WHOLE = False
