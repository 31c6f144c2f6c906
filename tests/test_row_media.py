"""Media of Hugging Face's training rows: addresses, data, paths, and placeholders for an entry of another column."""

import json
from typing import Any

import pytest
import turnwire as tw
from turnwire.batch import convert_lines

PROFILES = [name for name in tw.dialects() if name.startswith("openai:hf")]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
KINDS = ["image", "video", "audio"]
FORMS: list[dict[str, str]] = [{"url": "https://x.y/a.b"}, {"path": "a.b"}, {}]


def body(block: Any) -> Any:
    return {"messages": [{"role": "user", "content": [block, {"type": "text", "text": "?"}]}]}


def blocks(payload: Any) -> list[Any]:
    content = payload["messages"][0]["content"]
    return [one for one in content if one["type"] != "text"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [*FORMS, {"own": "a.b"}, {"own": "https://x.y/a.b"}], ids=str)
def test_media_without_a_source_are_hugging_faces(kind: str, form: dict[str, str]) -> None:
    block = {"type": kind} | {kind if key == "own" else key: value for key, value in form.items()}
    # The AI SDK has an image under this key, too.
    if "own" not in form or kind != "image":
        assert tw.detect(body(block)) == "openai:hf"
    for profile in PROFILES:
        same = tw.convert(body(block), profile, source=profile)
        assert (same.payload, (*same.receipt,)) == (body(block), ())


@pytest.mark.parametrize("target", PROFILES)
@pytest.mark.parametrize("source", PROFILES)
def test_every_profile_reads_what_every_other_writes(source: Any, target: Any) -> None:
    for kind in KINDS:
        for form in FORMS:
            block = {"type": kind} | form
            made = tw.convert(body(block), target, source=source)
            assert (blocks(made.payload), (*made.receipt,)) == ([block], ())
            assert tw.convert(made.payload, source, source=target).payload == body(block)
            assert tw.detect(made.payload) == "openai:hf"


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_path_and_a_placeholder_are_lost_elsewhere(kind: str, target: Any) -> None:
    for form in ({"path": "a.b"}, {kind: "a.b"}, {}):
        made = tw.convert(body({"type": kind} | form), target, source="openai:hf")
        assert [(loss.code, loss.path) for loss in made.receipt] == [("media", "$.messages[0].content[0]")]
    address = body({"type": "image", "url": "https://x.y/a.png"})
    assert not tw.convert(address, target).receipt


def test_what_other_formats_call_an_image_stays_theirs() -> None:
    def found(block: Any) -> str:
        return tw.detect(body({"type": "image"} | block))

    assert found({"source": {"type": "url", "url": "https://x.y/a.png"}}) == "anthropic"
    assert found({"source": {"type": "url", "value": "https://x.y/a.png"}}) == "ag-ui"
    strange = body({"type": "image", "data": "aGk="})
    assert "aGk=" in json.dumps(tw.convert(strange, "openai:hf", source="openai:hf").payload)
    assert [loss.code for loss in tw.convert(strange, "openai", source="openai:hf").receipt] == ["opaque"]


def test_a_placeholder_becomes_the_next_entry_of_its_column() -> None:
    entries = ["https://x.y/a.png", "b.png", {"bytes": PNG, "path": "c.png"}, "https://x.y/d.png"]
    content = [{"type": "image"}, {"type": "text", "text": "?"}, {"type": "image"}]
    users = [{"role": "user", "content": content}, {"role": "user", "content": [{"type": "image"}]}]
    row = {"messages": users, "images": entries}
    made = tw.convert(row, "openai", source="openai:hf", settings="keep")
    addresses = [
        one["image_url"]["url"] for user in made.payload["messages"] for one in user["content"] if "image_url" in one
    ]
    assert addresses == ["https://x.y/a.png", f"data:image/png;base64,{PNG}"]
    assert made.payload["images"] == entries
    assert [(loss.code, loss.path) for loss in made.receipt if loss.code == "media"] == [
        ("media", "$.messages[0].content[2]")
    ]
    left = tw.convert(row, "openai", source="openai:hf")
    assert [loss.path for loss in left.receipt] == ["$.messages[0].content[2]", "$.images[3]"] or [
        loss.path for loss in left.receipt
    ] == ["$.images[3]", "$.messages[0].content[2]"]
    same = tw.convert(row, "openai:hf-llama", source="openai:hf", end="row", settings="keep")
    assert (same.payload, (*same.receipt,)) == (row, ())
    with pytest.raises(tw.RenderError):
        tw.convert(row, "openai", source="openai:hf", strict=True)


@pytest.mark.parametrize("column", ["images", "videos", "audios"])
def test_entries_of_a_column_that_is_left_out_are_losses(column: str) -> None:
    talk = [{"from": "human", "value": "<image>What?"}, {"from": "gpt", "value": "A cat."}]
    row = {"conversations": talk, column: ["a.b", "https://x.y/c.d"]}
    made = tw.convert(row, "openai", source="sharegpt")
    assert made.payload["messages"][0]["content"] == "<image>What?"
    assert [(loss.code, loss.path) for loss in made.receipt] == [
        ("media", f"$.{column}[0]"),
        ("media", f"$.{column}[1]"),
    ]
    [kept] = convert_lines([json.dumps(row).encode()], "openai", source="sharegpt", strict=True)
    assert json.loads(kept)[column] == row[column]
