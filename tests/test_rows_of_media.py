"""Each kind of media goes where the row of the server says: as it came, in another form, as text, or as a loss."""

import base64
import json
from typing import Any

import pytest
import turnwire as tw
from judges import wire

Json = dict[str, Any]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = base64.b64encode(b"RIFF\x24\0\0\0WAVEfmt ").decode()
PDF = base64.b64encode(b"%PDF-1.4\n%%EOF").decode()
MP4 = base64.b64encode(b"\0\0\0\x18ftypmp42").decode()
GO: Json = {"type": "text", "text": "go"}
PICTURE: Json = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
SHOWN: Json = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
FRAMES: Json = {"type": "video", "video": ["https://e.x/1.png", "https://e.x/2.png"]}
SOUND: Json = {"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{WAV}"}}
FAR_SOUND: Json = {"type": "audio_url", "audio_url": {"url": "https://e.x/a.wav"}}
FAR_FILE: Json = {"type": "file", "file": {"filename": "a.pdf", "file_data": "https://e.x/a.pdf"}}
STORED: Json = {"type": "file", "file": {"file_id": "file-1"}}
PAPER: Json = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}}
HEARD: Json = {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}}
TEXTS: Any = ("openai", "openai-responses", "gemini", "gemini-interactions", "mistral", "cohere", "ollama")


def coded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def asked(*parts: Json) -> list[Any]:
    return [{"role": "user", "content": [*parts, GO]}]


def sent(messages: Any, target: Any, **more: Any) -> tuple[list[Any], Any]:
    """The parts of the first message, and what was prepared. No judge refuses it."""
    raw = {"blobs": "base64"} if target == "bedrock" else {}
    ready = tw.prepare(messages, target, **raw, **more)
    body: Any = ready.payload
    if target in wire.PROVIDERS:
        name, beside = wire.PROVIDERS[target]
        key = {"gemini": "contents", "openai-responses": "input"}.get(target, "messages")
        assert not wire.errors(wire.check(name, {**beside, **(body if isinstance(body, dict) else {key: body})}))
    if isinstance(body, dict):
        body = next(body[key] for key in ("messages", "input", "contents") if key in body)
    content = body[0].get("content", body[0].get("parts"))
    return (content if isinstance(content, list) else [content, *body[0].get("images", [])]), ready


def told(ready: Any) -> list[tuple[str, str]]:
    return [(change.kind, change.code) for change in ready.receipt]


def text_of(part: Any) -> Any:
    return part if isinstance(part, str) else part.get("text")


def of_content(*blocks: Any, **more: Any) -> Json:
    return {"type": "document", "source": {"type": "content", "content": [*blocks]}, **more}


P1: Json = {"type": "text", "text": "P1"}


@pytest.mark.parametrize("target", TEXTS)
@pytest.mark.parametrize("place", ["user", "result"])
def test_images_of_a_document_stand_behind_its_text(target: Any, place: str) -> None:
    paper = of_content(P1, PICTURE, {"type": "text", "text": "P2"}, title="T", context="C")
    messages: Any = asked(paper)
    if place == "result":
        call = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": [paper]}
        messages = [*asked(), {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    _, ready = sent({"messages": messages}, target, source="anthropic")
    written = json.dumps(ready.payload)
    assert "T\\nC\\nP1\\nP2" in written
    assert written.index("P1") < written.index(PNG)
    assert ("lost", "media") not in told(ready)
    assert ("lost", "key") not in told(ready)
    again = tw.convert_json({"messages": messages}, target, source="anthropic")
    assert PNG.encode() in again.payload


def test_a_document_of_images_only_is_its_images() -> None:
    for target in TEXTS:
        parts, ready = sent({"messages": asked(of_content(PICTURE))}, target, source="anthropic")
        assert PNG in json.dumps(parts)
        assert ("lost", "media") not in told(ready)
    parts, ready = sent({"messages": asked(of_content(PICTURE))}, "openai:deepseek", source="anthropic")
    assert PNG not in json.dumps(parts)
    assert ("lost", "media") in told(ready)


def test_a_document_of_converse_holds_no_images() -> None:
    parts, ready = sent({"messages": asked(of_content(P1, PICTURE))}, "bedrock", source="anthropic")
    assert parts[0]["document"]["source"] == {"content": [{"text": "P1"}]}
    assert ("lost", "media") in told(ready)


@pytest.mark.parametrize("target", ["gemini", "gemini-interactions"])
def test_a_document_that_is_text_is_text_to_google(target: Any) -> None:
    for source in (
        {"type": "text", "media_type": "text/plain", "data": "hello"},
        {"type": "content", "content": "hello"},
        {"type": "content", "content": [{"type": "text", "text": "hello"}]},
    ):
        paper = {"type": "document", "title": "T", "context": "C", "source": source}
        parts, ready = sent({"messages": asked(paper)}, target, source="anthropic")
        assert text_of(parts[0]) == "T\nC\nhello"
        assert told(ready) == [("restated", "media")]


OF_TYPES = [
    ("application/json", "{}", "a.json"),
    ("application/xml", "<a/>", "a.xml"),
    ("application/yaml", "a: 1", "a.yaml"),
    ("text/x-python", "x=1", "a.py"),
    ("application/x-javascript", "1", "a.js"),
]


@pytest.mark.parametrize("target", ["gemini", "gemini-interactions"])
@pytest.mark.parametrize(("mime", "text", "name"), OF_TYPES)
def test_a_text_file_is_plain_text_to_google(target: Any, mime: str, text: str, name: str) -> None:
    part = {"type": "input_file", "filename": name, "file_data": f"data:{mime};base64,{coded(text)}"}
    parts, _ = sent(asked(part), target, source="openai-responses")
    data = parts[0].get("inlineData", parts[0])
    assert data.get("mimeType", data.get("mime_type")) == "text/plain"
    assert data["data"] == coded(text)


@pytest.mark.parametrize("target", ["gemini", "gemini-interactions"])
@pytest.mark.parametrize(("mime", "data"), [("text/plain", b"\xe9\xff"), ("application/rtf", b"{\\rtf1}")])
def test_no_text_goes_to_google_that_is_none(target: Any, mime: str, data: bytes) -> None:
    part = {"type": "input_file", "filename": "a", "file_data": f"data:{mime};base64,{coded(data)}"}
    _, ready = sent(asked(part), target, source="openai-responses")
    assert ("lost", "media") in told(ready)


def test_files_of_googles_own_stay() -> None:
    for mime in ("application/json", "application/rtf", "application/x-python"):
        part = {"inlineData": {"mimeType": mime, "data": coded("{}")}}
        contents = [{"role": "user", "parts": [part, {"text": "go"}]}]
        assert tw.prepare({"contents": contents}, "gemini").payload == {"contents": contents}


NAMED = [
    ("a.md", "aGVsbG8=", "text"),
    ("a.py", "aGVsbG8=", "text"),
    ("a.json", "e30=", "text"),
    ("a.pdf", PDF, "pdf"),
    ("a.mp4", MP4, "film"),
]


@pytest.mark.parametrize("mime", ["application/octet-stream", "binary/octet-stream"])
@pytest.mark.parametrize(("name", "data", "kind"), NAMED)
def test_the_ending_of_a_name_tells_what_its_type_does_not(mime: str, name: str, data: str, kind: str) -> None:
    given: Any = {"type": "input_file", "filename": name, "file_data": f"data:{mime};base64,{data}"}
    file: Any = {"type": "file", "file": {"filename": name, "file_data": f"data:{mime};base64,{data}"}}
    takers: Any = {"text": ("openai", "anthropic", "mistral", "cohere", "ollama", "openai:kimi", "bedrock", "gemini")}
    takers |= {"pdf": ("openai", "anthropic", "mistral", "bedrock", "gemini"), "film": ("gemini", "bedrock")}
    for target in takers[kind]:
        for part, source in ((given, "openai-responses"), (file, "openai:compatible")):
            if (target, kind) == ("openai", "pdf") and source != "openai-responses":
                continue
            parts, ready = sent(asked(part), target, source=source)
            assert ("lost", "media") not in told(ready), target
            assert "octet" not in json.dumps(parts), target
            if kind == "film":
                assert "mp4" in json.dumps(parts)
    _, ready = sent(asked({**given, "filename": "a.bin"}), "anthropic", source="openai-responses")
    assert ("lost", "media") in told(ready) or kind == "pdf"


def of_tool(*blocks: Any) -> list[Any]:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "c1", "content": [*blocks]}
    return [*asked(), {"role": "assistant", "content": None, "tool_calls": [call]}, result]


@pytest.mark.parametrize("source", [None, "openai", "mistral"])
def test_claudes_image_in_a_tool_message_is_one(source: Any) -> None:
    named = {} if source is None else {"source": source}
    for image, url in (
        (PICTURE, SHOWN),
        ({"type": "image", "source": {"type": "url", "url": "https://e.x/a.png"}}, None),
    ):
        messages = of_tool({"type": "text", "text": "r"}, image)
        made = tw.prepare(messages, "anthropic", **named).payload
        result = made["messages"][-1]["content"][0] if isinstance(made, dict) else made[-1]["content"][0]
        assert result["content"] == [{"type": "text", "text": "r"}, image]
        moved = tw.prepare(messages, "openai", **named).payload
        moved = moved["messages"] if isinstance(moved, dict) else moved
        assert [message["role"] for message in moved] == ["user", "assistant", "tool", "user"]
        assert moved[2]["content"] in ("r", [{"type": "text", "text": "r"}])
        if url is not None:
            assert moved[3]["content"][-1] == url
        assert not tw.prepare(moved, "openai").receipt


def test_claudes_document_in_a_tool_message_is_its_text() -> None:
    paper = {"type": "document", "title": "T", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}}
    made = tw.prepare(of_tool(paper), "openai").payload
    assert "T\nhi" in json.dumps(made).replace("\\n", "\n")


def test_a_film_of_frames_goes_to_its_server_only() -> None:
    assert sent(asked(FRAMES), "openai:qwen")[0] == [FRAMES, GO]
    assert not told(sent(asked(FRAMES), "openai:qwen", source="openai:qwen")[1])
    for target in (
        "openai",
        "openai:kimi",
        "openai:groq",
        "anthropic",
        "gemini",
        "bedrock",
        "mistral",
        "openai:compatible",
    ):
        parts, ready = sent(asked(FRAMES), target)
        assert [text_of(part) or part for part in parts][-1] in ("go", GO)
        assert len(parts) == 1, target
        assert {code for _, code in told(ready)} <= {"media"}, target
    assert tw.detect(asked(FRAMES)) == "openai"


def test_a_row_with_a_films_path_stays_a_row() -> None:
    for part in ({"type": "video"}, {"type": "video", "video": "/a/b.mp4"}):
        assert tw.detect([{"role": "user", "content": [part]}]) == "openai:hf"


@pytest.mark.parametrize("part", [SOUND, FAR_SOUND])
def test_sound_by_an_address_is_sound(part: Json) -> None:
    far = part is FAR_SOUND
    assert sent(asked(part), "openai:compatible")[0] == [part, GO]
    for target in ("openai", "openai:openrouter"):
        parts, _ = sent(asked(part), target, source="openai:compatible")
        assert parts == ([GO] if far else [HEARD, GO]), target
        assert sent(asked(part), target, source=target)[0] == parts
    for target in ("openai:kimi", "openai:groq", "openai:deepseek"):
        parts, ready = sent(asked(part), target, source=target)
        assert parts in ([GO], ["go"]), target
        assert {code for _, code in told(ready)} == {"media"}
    parts, _ = sent(asked(part), "gemini")
    data = parts[0]["fileData"] if far else parts[0]["inlineData"]
    assert data["mimeType"] == "audio/wav"
    assert len(sent(asked(part), "anthropic")[0]) == 1
    heard = {"role": "user", "parts": [{"fileData": {"fileUri": "https://e.x/a.wav", "mimeType": "audio/wav"}}]}
    made: Any = tw.prepare([heard], "openai:compatible", source="gemini").payload
    assert made["messages"][0]["content"] == [FAR_SOUND]


def test_a_gateway_fetches_documents() -> None:
    assert sent(asked(FAR_FILE), "openai:openrouter", source="openai:openrouter")[0] == [FAR_FILE, GO]
    paper = {"type": "document", "title": "a.pdf", "source": {"type": "url", "url": "https://e.x/a.pdf"}}
    assert sent(asked(paper), "openai:openrouter", source="anthropic")[0] == [FAR_FILE, GO]
    for target in ("openai", "openai:qwen"):
        _, ready = sent(asked(FAR_FILE), target, source=target)
        assert {code for _, code in told(ready)} == {"media"}, target


REFUSED = [
    *((target, part) for target in ("openai:kimi", "openai:groq") for part in (PAPER, HEARD)),
    *((f"openai:{name}", STORED) for name in ("kimi", "groq", "qwen", "deepseek")),
]


@pytest.mark.parametrize(("target", "part"), REFUSED)
def test_a_server_gets_no_media_that_its_row_does_not_have(target: Any, part: Json) -> None:
    for source in (target, "openai"):
        parts, ready = sent(asked(part), target, source=source)
        assert parts in ([GO], ["go"])
        assert [code for _, code in told(ready)] == ["media"] * len(told(ready))
        assert told(ready)
    assert sent(asked(part), "openai", source="openai")[0] == [part, GO]


LONG = "w " * 4000


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "openai", "gemini"])
def test_a_document_of_the_users_own_is_cut(target: Any) -> None:
    for source in (
        {"type": "text", "media_type": "text/plain", "data": LONG},
        {"type": "content", "content": [{"type": "text", "text": LONG}, {"type": "text", "text": "P2"}]},
        {"type": "content", "content": [{"type": "text", "text": LONG}, PICTURE]},
    ):
        paper = {"type": "document", "title": "T", "source": source}
        budget = 3000
        ready = tw.prepare({"messages": asked(paper)}, target, budget, source="anthropic")
        assert ready.receipt.totals is not None
        assert ready.receipt.totals["after"] <= budget
        assert "cut_text" in [change.code for change in ready.receipt]
        written = json.dumps(ready.payload, default=str)
        assert "w w" in written or target == "bedrock"
        assert ("P2" in written) == ("P2" in json.dumps(source))
        if target == "anthropic":
            block = ready.payload["messages"][0]["content"][0]
            assert block["type"] == "document"
            assert (PICTURE in block["source"].get("content", [])) == (PICTURE in source.get("content", []))
