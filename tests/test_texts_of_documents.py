"""A document that is made of texts is read whatever stands beside them, and is never lost for a key."""

from typing import Any

import pytest
import turnwire as tw
from judges import wire

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


@pytest.mark.parametrize("target", TARGETS)
def test_so_is_one_in_a_result(target: str) -> None:
    (question,) = paper(text("SECRET", **MARK, some=1))
    call = {"type": "tool_use", "id": "call12345", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "call12345", "content": question["content"][:1]}
    run = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}]
    made = tw.prepare([*run, {"role": "user", "content": [result]}], target)
    assert "SECRET" in str(made.payload)
    told = [one.reason for one in made.receipt if one.code == "key"]
    assert any("cache_control" in reason for reason in told) and any('"some"' in reason for reason in told)


def test_a_key_in_a_result_that_is_cut_is_told() -> None:
    (question,) = paper(text("w " * 6000, some=1))
    call = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": question["content"][:1]}
    run = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}]
    made = tw.prepare([*run, {"role": "user", "content": [result]}], "anthropic", 600)
    assert '"some"' in "".join(one.reason for one in made.receipt if one.code == "key")


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


@pytest.mark.parametrize("target", ["anthropic", "gemini", "cohere", "mistral", "openai-responses"])
def test_a_blank_title_says_nothing_where_blank_text_is_refused(target: str) -> None:
    document = {"document": {"name": " ", "format": "txt", "source": {"text": ""}}}
    claude = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": ""}, "title": " "}
    for block, beside in ((document, {"text": "go"}), (claude, GO)):
        try:
            made = tw.prepare([{"role": "user", "content": [block, beside]}], target)
        except tw.BuildError as error:
            assert error.code
            continue
        assert not wire.refused(target, made.payload)
