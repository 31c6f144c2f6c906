"""Films and sound in Chat Completions: a part of its own where films are taken, and never a document."""

import json
from typing import Any

import pytest
import turnwire as tw

GO: Any = {"type": "text", "text": "go"}
FILM = "data:video/mp4;base64,AAAA"
BY_DATA: Any = {"type": "video_url", "video_url": {"url": FILM}}
BY_URL: Any = {"type": "video_url", "video_url": {"url": "https://e.x/a.mp4"}}
AS_FILE: Any = {"type": "file", "file": {"filename": "a.mp4", "file_data": FILM}}
SOUND: Any = {"type": "file", "file": {"filename": "a.mp3", "file_data": "data:audio/mp3;base64,SUQz"}}
TAKE_FILMS: Any = ("openai:openrouter", "openai:qwen", "openai:compatible")
NOBODY: Any = (
    "anthropic",
    "openai",
    "openai-responses",
    "openai:deepseek",
    "openai:groq",
    "mistral",
    "cohere",
    "ollama",
)


def asked(block: Any) -> list[Any]:
    return [{"role": "user", "content": [block, GO]}]


@pytest.mark.parametrize("block", [BY_DATA, BY_URL])
@pytest.mark.parametrize("target", TAKE_FILMS)
def test_a_film_stays_where_films_are_taken(target: Any, block: Any) -> None:
    made = tw.prepare(asked(block), target, source="openai:openrouter")
    assert made["messages"] == asked(block)
    assert not made.receipt.changed
    assert not made.receipt.changed


@pytest.mark.parametrize("block", [BY_DATA, AS_FILE])
@pytest.mark.parametrize("source", ["openai", "openai:openrouter"])
def test_films_by_data(source: Any, block: Any) -> None:
    made = tw.prepare(asked(block), "gemini", source=source)
    film = made["contents"][0]["parts"][0]["inlineData"]
    assert (film["mimeType"], film["data"]) == ("video/mp4", "AAAA")
    made = tw.prepare(asked(block), "bedrock", source=source, blobs="base64")
    assert made["messages"][0]["content"][0] == {"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}


def test_a_film_of_another_format() -> None:
    film = {"inlineData": {"mimeType": "video/mp4", "data": "AAAA"}}
    made = tw.prepare([{"role": "user", "parts": [film, {"text": "go"}]}], "openai:qwen", source="gemini")
    assert made["messages"][0]["content"][0] == BY_DATA


@pytest.mark.parametrize("target", NOBODY)
@pytest.mark.parametrize("block", [BY_DATA, BY_URL, AS_FILE])
def test_elsewhere_a_film_is_lost_and_told(target: Any, block: Any) -> None:
    made = tw.prepare(asked(block), target, source="openai")
    assert "video" not in json.dumps(made.payload)
    told = [*(loss.code for loss in made.receipt), *(entry.code for entry in made.receipt if entry.kind != "warning")]
    assert "media" in told


@pytest.mark.parametrize("target", ["openai", "gemini", "mistral"])
def test_sound_in_a_file_is_sound(target: Any) -> None:
    made = tw.prepare(asked(SOUND), target, source="openai")
    assert "SUQz" in json.dumps(made.payload)
    assert '"file"' not in json.dumps(made.payload)
