"""One function reads every file: each conversation with how to read it, its kind, its line and its path."""

import json
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch

HI = {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]}
LANGCHAIN = [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Yo"}]


def read(path: Path, text: str, at: str | None = None) -> list[batch.Found]:
    path.write_text(text, encoding="utf-8")
    return list(batch.read_file(path, at))


@pytest.mark.parametrize(
    ("documents", "kinds"),
    [
        ([{"messages": [HI], "max_tokens": 9, "model": "claude-x"}], [("anthropic", "anthropic", 1, "$")]),
        (
            [{"question": "q", "answer": "a"}, {"messages": LANGCHAIN}],
            [("otel", "qa", 1, "$"), ("otel", "langchain", 2, "$")],
        ),
        ([LANGCHAIN], [("otel", "langchain", 1, "$")]),
        (LANGCHAIN, [("otel", "langchain", 1, "$")]),
        ([[{"question": "q", "answer": "a"}] * 2], [("otel", "qa", 1, "$[0]"), ("otel", "qa", 1, "$[1]")]),
        (
            [{"custom_id": "a", "body": {"messages": [HI], "max_tokens": 9, "model": "claude-x"}}],
            [("anthropic", "anthropic", 1, "$.body")],
        ),
        ([{"input": [{"role": "user", "content": "Hi"}], "ideal": "Yo"}], [("auto", "exchange", 1, "$")]),
        (
            [{"prompt": [{"role": "user", "content": "Hi"}], "completion": [{"role": "assistant", "content": "Yo"}]}],
            [("openai", "openai", 1, "$.completion")],
        ),
    ],
)
def test_each_conversation_says_what_it_is(tmp_path: Path, documents: list[Any], kinds: list[Any]) -> None:
    found = read(tmp_path / "a.jsonl", "".join(json.dumps(one) + "\n" for one in documents))
    assert [(one.dialect, one.kind, one.line, one.path) for one in found] == kinds
    for one in found:
        assert len(tw.Conversation.parse(one.payload, one.dialect)) > 0


def test_a_key_leads_to_the_conversation(tmp_path: Path) -> None:
    found = read(tmp_path / "a.json", json.dumps({"state": {"messages": LANGCHAIN}}), "state")
    assert [(one.kind, one.path) for one in found] == [("langchain", "$.state")]


def test_a_record_that_cannot_be_read_is_told_or_raised(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"a": 1}\n{"question": "q", "answer": "a"}\n{"instruction": "q", "output": 3}\n{\n', encoding="utf-8"
    )
    failed: list[batch.RowError] = []
    assert [one.line for one in batch.read_file(path, errors=failed.append)] == [2]
    assert [(one.line, one.code, one.path) for one in failed] == [
        (1, "no_dialect", "$"),
        (3, "wrong_type", "$.output"),
        (4, "invalid_json", "$"),
    ]
    with pytest.raises(tw.TurnwireError, match="cannot tell the dialect"):
        list(batch.read_file(path))
