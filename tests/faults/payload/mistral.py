"""Mistral's chat: like Chat Completions, with chunks of its own."""

from .openai import OpenAI


class Mistral(OpenAI):
    PROFILES = ("v3", "v7", "v11", "v15")
    RARE = True
