"""A document that is made of texts is read whatever stands beside them, and is never lost for a key."""

from typing import Any

import pytest
import turnwire as tw

GO: dict[str, Any] = {"type": "text", "text": "go"}
MARK = {"cache_control": {"type": "ephemeral"}}
TARGETS = ("openai", "openai-responses", "gemini", "gemini-interactions", "mistral", "cohere", "ollama", "bedrock")


def paper(*texts: Any, **keys: Any) -> list[dict[str, Any]]:
    source: dict[str, Any] = {"type": "content", "content": list(texts)}
    return [{"role": "user", "content": [{"type": "document", "source": source, **keys}, GO]}]


def text(words: str, **keys: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **keys}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("keys", "lost"), [(MARK, 1), ({"citations": None}, 0), ({"some": 1, **MARK}, 2)])
def test_a_key_beside_a_text_is_lost_alone(target: str, keys: dict[str, Any], lost: int) -> None:
    made = tw.prepare(paper(text("SECRET", **keys), text("more")), target)
    assert "SECRET" in str(made.payload) and "more" in str(made.payload)
    told = [one for one in made.receipt if one.kind == "lost"]
    assert [one.code for one in told] == ["key"] * lost
    assert all(any(key in one.reason for one in told) for key in keys if key != "citations")


def test_a_text_of_converse_may_have_other_keys_too() -> None:
    document = {"name": "A", "format": "txt", "source": {"content": [{"text": "SECRET", "some": 1}]}}
    given = [{"role": "user", "content": [{"document": document}, {"text": "go"}]}]
    for target in ("anthropic", "openai"):
        made = tw.prepare(given, target)
        assert "SECRET" in str(made.payload)
        assert [one.code for one in made.receipt if one.kind == "lost"] == ["key"]
    assert tw.prepare(given, "bedrock").messages == given


def test_at_home_it_stays_and_can_be_cut() -> None:
    given = paper(text("w " * 6000, **MARK), text("short", **MARK), title="T")
    assert tw.prepare(given, "anthropic").messages == given
    made = tw.prepare(given, "anthropic", 600)
    words = [one["text"] for one in made.messages[0]["content"][0]["source"]["content"]]
    assert words[1:] == ["short"] and len(words[0]) < 600
    assert [one.code for one in made.receipt] == ["cut_text", "key"]


@pytest.mark.parametrize("target", ["openai", "cohere", "ollama", "gemini"])
@pytest.mark.parametrize("source", [{"type": "text", "media_type": "text/plain", "data": ""}])
def test_an_empty_document_still_says_what_stands_above_it(target: str, source: dict[str, Any]) -> None:
    block = {"type": "document", "source": source, "title": "T", "context": "C"}
    made = tw.prepare([{"role": "user", "content": [block, GO]}], target)
    assert "T\\nC" in str(made.payload)
    assert not [one for one in made.receipt if one.kind in ("lost", "dropped")]


@pytest.mark.parametrize("content", [5, None, {"a": 1}, True])
def test_a_content_of_the_wrong_type_is_named(content: Any) -> None:
    given = [{"role": "user", "content": [{"type": "document", "source": {"type": "content", "content": content}}, GO]}]
    with pytest.raises(tw.BuildError, match="a text, or a list of texts and images"):
        tw.prepare(given, "anthropic")
