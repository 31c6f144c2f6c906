"""A body's other keys, kept: in the own dialect where they were, elsewhere after the payload's, always reported."""

import json
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from turnwire import batch

USER = {"role": "user", "content": "q"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ORPHANED = [USER, {"role": "assistant", "content": None, "tool_calls": [CALL]}]
LISTS = [name for name in tw.dialects() if isinstance(tw.convert([USER], name, source="openai").payload, list)]
Json = dict[str, Any]


def both(body: Json, source: Any, target: Any, **options: Any) -> tw.Rendered[Any]:
    """The same through both functions."""
    made = tw.convert(body, target, source=source, settings="keep", **options)
    text = tw.convert_json(json.dumps(body), target, source=source, settings="keep", **options)
    assert json.loads(text.payload) == made.payload
    assert list(json.loads(text.payload)) == list(made.payload)
    assert text.receipt == made.receipt
    return made


KEYS = st.sampled_from(["model", "temperature", "system", "metadata", "é", "instructions", "contents", "stream", "x.y"])
OTHERS = st.dictionaries(KEYS, st.sampled_from([None, 1, "s", [1], {"a": {"b": "c"}}]), max_size=5)


@given(before=OTHERS, after=OTHERS, target=st.sampled_from(tw.dialects()), system=st.booleans())
def test_every_other_key_is_kept_or_lost_with_a_word(before: Json, after: Json, target: Any, system: bool) -> None:
    messages = [{"role": "system", "content": "S"}, USER] if system else [USER]
    body = {**before, "messages": messages, **after}
    others = {key: value for key, value in body.items() if key != "messages"}
    left = tw.convert(body, target, source="openai")
    made = both(body, "openai", target)
    if isinstance(made.payload, list):
        lost = list(others)
        assert made.payload == left.payload
    elif target.partition(":")[0] == "openai" and not target.startswith("openai:hf"):  # which is a separate format
        lost = []
        assert list(made.payload) == list(body)
        assert made.payload == {**others, **left.payload}
    else:
        lost = [key for key in others if key in left.payload]
        assert list(made.payload) == [*left.payload, *(key for key in others if key not in lost)]
        assert made.payload == {**others, **left.payload}
    said = [loss for loss in made.receipt if loss.code == "key"]
    assert sorted(loss.path for loss in said) == sorted(
        f'$["{key}"]' if not key.isascii() or "." in key else f"$.{key}" for key in lost
    )
    assert {loss.kind for loss in said} <= {"lost"}


def test_the_own_dialect_gives_the_very_bytes_back() -> None:
    text = b'{ "model" : "m", "n":1.50, "messages" :[{"role":"user","content":"q"}],"tools":[], "x":"\\ud800",\n"n":2}'
    assert tw.convert_json(text, "openai", source="openai", settings="keep").payload == text
    assert (
        tw.convert_json(text, "openai", source="openai").payload
        == b'{"messages":[{"role":"user","content":"q"}],"tools":[]}'
    )


def test_a_repaired_body_keeps_each_key_in_its_place() -> None:
    body = {
        "model": "m",
        "messages": ORPHANED,
        "n": 1,
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "z": 0,
    }
    (made,) = batch.prepare_lines([json.dumps(body).encode()])
    assert list(json.loads(made)) == ["model", "messages", "n", "tools", "z"]
    (without,) = batch.prepare_lines([json.dumps(body).encode()], settings="omit")
    assert list(json.loads(without)) == ["messages", "tools"]
    assert json.loads(made)["messages"] == json.loads(without)["messages"] != ORPHANED
    body = {"a": 1, "messages": [{"role": "system", "content": "s"}, USER], "b": 2}
    (made,) = batch.prepare_lines([json.dumps(body).encode()], "anthropic", source="openai", settings="keep")
    assert list(json.loads(made)) == ["system", "messages", "a", "b"]


def test_strict_refuses_what_cannot_be_kept() -> None:
    body = {"messages": [{"role": "system", "content": "s"}, USER], "system": "mine"}
    with pytest.raises(tw.RenderError) as raised:
        tw.convert(body, "anthropic", source="openai", settings="keep", strict=True)
    assert (raised.value.code, raised.value.path) == ("loss", "$.system")
    assert not tw.convert(body, "anthropic", source="openai", strict=True).receipt
    assert LISTS
    for name in LISTS:
        with pytest.raises(tw.RenderError):
            tw.convert({"messages": [USER], "model": "m"}, name, source="openai", settings="keep", strict=True)
    with pytest.raises(tw.TurnwireError, match=r"rest is 'all'|expected one of"):
        tw.convert(body, "anthropic", source="openai", settings="all")  # type: ignore[call-overload]


def test_what_is_kept_shares_nothing_that_can_change() -> None:
    text = "".join(["a", " text of its own"])
    body = {"messages": [USER], "metadata": {"list": [text]}, "user": text}
    made = tw.convert(body, "anthropic", source="openai", settings="keep").payload
    assert made["user"] is text
    assert made["metadata"]["list"][0] is text
    made["metadata"]["list"].append(1)
    assert body["metadata"] == {"list": [text]}


def test_what_the_server_holds_is_no_key_for_others() -> None:
    body = {"model": "m", "input": "q", "previous_response_id": "r"}
    assert both(body, "openai-responses", "openai-responses").payload == body
    made = both(body, "openai-responses", "openai")
    assert made.payload == {"messages": [USER], "model": "m"}
    assert [(loss.code, loss.path) for loss in made.receipt] == [("opaque", "$.previous_response_id")]


@pytest.mark.parametrize(
    ("body", "source", "key"),
    [
        ({"input": "q", "previous_response_id": "r"}, "openai-responses", "previous_response_id"),
        ({"input": "q", "conversation": {"id": "c"}}, "openai-responses", "conversation"),
        ({"input": "q", "previous_interaction_id": "i"}, "gemini-interactions", "previous_interaction_id"),
        ({"messages": [USER], "thread": {"type": "continue", "previous_message_id": "m"}}, "anthropic", "thread"),
    ],
)
def test_a_whole_body_is_refused_without_the_history_that_another_server_holds(
    body: dict[str, Any], source: Any, key: str
) -> None:
    body = {"model": "m", **body}
    others: list[Any] = [
        "openai",
        "openai-responses",
        "anthropic",
        "gemini",
        "bedrock",
        "gemini-interactions",
        "history",
    ]
    others.remove(source)
    for target in others:
        for refused in (
            lambda target=target: tw.convert(body, target, source=source, settings="convert"),
            lambda target=target: tw.convert_json(json.dumps(body), target, source=source, settings="convert"),
            lambda target=target: tw.prepare(body, target, source=source, settings="convert"),
        ):
            with pytest.raises(tw.RenderError) as caught:
                refused()
            assert (caught.value.code, caught.value.path) == ("refused", f"$.{key}"), target
        assert "opaque" in [loss.code for loss in tw.convert(body, target, source=source).receipt]
    assert tw.convert(body, source, source=source, settings="convert").payload == body
    named = {**body, key: None}
    assert tw.convert(named, "openai", source=source, settings="convert").payload["messages"]


def test_files_keep_them_too(tmp_path: Path) -> None:
    line = {"custom_id": "1", "body": {"model": "m", "messages": [USER]}}
    (tmp_path / "in").write_text(json.dumps(line) + "\n")
    batch.convert_file(tmp_path / "in", tmp_path / "out", "anthropic", source="openai", settings="keep")
    assert json.loads((tmp_path / "out").read_bytes()) == line
    batch.convert_file(tmp_path / "in", tmp_path / "out", "anthropic", source="openai", settings="omit")
    assert json.loads((tmp_path / "out").read_bytes())["body"] == {"messages": [USER]}
    batch.convert_file(tmp_path / "in", tmp_path / "out", "anthropic", source="openai")
    assert json.loads((tmp_path / "out").read_bytes())["body"].keys() == {"model", "messages", "max_tokens"}
    batch.truncate_file(tmp_path / "in", tmp_path / "out", 0)
    assert (tmp_path / "out").read_bytes() == (tmp_path / "in").read_bytes()
