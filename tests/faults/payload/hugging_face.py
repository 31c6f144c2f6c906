"""Training sets of Hugging Face: like Chat Completions, with arguments as objects, and results by their tools."""

from typing import Any

from .ollama import Ollama
from .view import Json


class HuggingFace(Ollama):
    NAME = "openai:hf"
    GROUPS = ("messages", "family")

    def made_result(self, call_id: Any) -> Json:
        made = super().made_result(call_id)
        return {"name" if key == "tool_name" else key: value for key, value in made.items()}
