"""Contents of Google's ADK that are broken in many ways."""

import pytest
from generator import told, without_other_arguments
from needs import framework
from proof import SEEDS, prove

framework("google.adk", "google-adk")
from contents import spelled  # noqa: E402
from google.adk.models import LlmRequest  # noqa: E402
from google.genai.types import (  # noqa: E402
    GenerateContentConfig,
)
from turnwire.adapters.google_adk import before_model  # noqa: E402


def plain(contents):
    return [content.model_dump(mode="json", by_alias=True, exclude_none=True) for content in contents]


def send(model):
    def sent(contents, **settings):
        asked = LlmRequest(model=model, contents=contents, config=GenerateContentConfig())
        before_model(wording={"opening": "(begin)"}, **settings)(None, asked)
        return asked.contents

    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_the_model(seed):
    one = told(seed).closed()
    without_other_arguments(one)
    for message in one.messages:
        # The system instruction is not among the contents.
        message["role"] = "user" if message["role"] == "system" else message["role"]
    prove(one, spelled(one), send("gemini-3-pro-preview"), plain, lambda sent: {"contents": plain(sent)}, "gemini")
