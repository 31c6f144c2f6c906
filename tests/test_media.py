"""Media: bytes stay the caller's own until a target needs text, and a `data:` URL is cut between characters."""

import base64
import json
from typing import Any

import pytest
import turnwire as tw

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
CODED = base64.b64encode(PNG).decode()
SOURCE = {"type": "base64", "media_type": "image/png", "data": CODED}


def only_part(conversation: tw.Conversation) -> Any:
    (part,) = conversation.turns[0].parts
    return part


def session(data: object) -> list[Any]:
    return [{"userInputMessage": {"content": "", "images": [{"format": "png", "source": {"bytes": data}}]}}]


def test_bytes_are_base64_text_where_a_target_wants_text() -> None:
    for media in (
        tw.Media(PNG, media_type="image/png"),
        tw.Media(bytearray(PNG), media_type="image/png"),
        tw.Media(CODED, media_type="image/png"),
        only_part(tw.Conversation.parse(session(PNG), "amazon-q")),
    ):
        assert media.data == CODED
        conversation = tw.Conversation([tw.Turn("user", [media])])
        for door in (
            conversation.render("anthropic").payload,
            json.loads(conversation.render_json("anthropic").payload),
        ):
            assert door["messages"][0]["content"] == [{"type": "image", "source": SOURCE}]


def test_bytes_and_their_base64_text_say_the_same() -> None:
    assert tw.Media(PNG, media_type="image/png") == tw.Media(CODED, media_type="image/png")
    assert tw.Media(CODED, media_type="image/png") == tw.Media(PNG, media_type="image/png")
    assert tw.Media(PNG, media_type="image/png") != tw.Media(PNG[:-1], media_type="image/png")
    parsed = [tw.Conversation.parse(session(data), "amazon-q") for data in (PNG, CODED, bytearray(PNG))]
    assert parsed[0] == parsed[1] == parsed[2]


def test_bytes_are_replayed_as_the_same_object() -> None:
    source = tw.convert(session(PNG), "amazon-q", source="amazon-q").payload[0]["userInputMessage"]["images"][0][
        "source"
    ]
    assert source["bytes"] is PNG


def test_a_buffer_is_copied_where_it_is_kept() -> None:
    buffer = bytearray(PNG)
    media, conversation = tw.Media(buffer), tw.Conversation.parse(session(buffer), "amazon-q")
    buffer[:] = b""
    assert media.data == only_part(conversation).data == CODED


def test_bytes_count_as_their_base64_text() -> None:
    def needed(data: object) -> str:
        with pytest.raises(tw.BuildError) as raised:
            tw.spec.MessageBuilder().set_messages(tw.Conversation.parse(session(data), "amazon-q")).set_budget(
                1
            ).build()
        return str(raised.value)

    assert needed(PNG) == needed(CODED)


NAMES = ["é", "日本", "🙂", "plain", "\ud83d", "a" * 200]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_data_url_is_taken_apart_in_whole_characters(name: str) -> None:
    url = f"data:image/png;name={name};base64,{CODED}"
    payload = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]
    for ascii_only in (True, False):
        text = json.dumps(payload, ensure_ascii=ascii_only)
        for read in (payload, text):
            found = tw.convert(read, "anthropic", source="openai")
            assert found.payload["messages"][0]["content"] == [{"type": "image", "source": SOURCE}]
            found = tw.convert_json(read, "anthropic", source="openai")
            assert json.loads(found.payload)["messages"][0]["content"] == [{"type": "image", "source": SOURCE}]
    assert tw.Media(url=url).data == CODED


@pytest.mark.parametrize(
    "key", [{"citations": {"enabled": True}}, {"context": "c"}, {"cache_control": {"type": "ephemeral"}}, {"odd": 1}]
)
def test_the_line_before_moved_media_has_none_of_their_keys(key: dict[str, Any]) -> None:
    source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    document = {"type": "document", "source": source, "title": "d", **key}
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    failed = {"type": "tool_result", "tool_use_id": "c", "is_error": True, "content": [document]}
    asked = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [call]}]
    ready = tw.prepare([*asked, {"role": "user", "content": [failed]}], "anthropic", source="anthropic")
    line = {"type": "text", "text": "Media from the result of tool call c:"}
    assert ready.payload["messages"][2]["content"][1:] == [line, document]


def test_images_of_stored_results_follow_the_last_result_of_their_run() -> None:
    calls = [{"type": "function", "function": {"name": name, "arguments": {}}} for name in "fgh"]
    images = [{"type": "image", "url": f"http://x/{number}.png"} for number in (1, 2)]
    between = {"role": "tool", "name": "g", "content": "b", "own": 1}
    asked = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "", "tool_calls": calls}]
    first = {"role": "tool", "name": "f", "content": [{"type": "text", "text": "a"}, images[0]]}
    last = {"role": "tool", "name": "h", "content": [images[1]]}
    more = {"role": "user", "content": "more"}
    ready = tw.prepare([*asked, first, between, last, more], "openai:hf", source="openai:hf")
    lines = [{"type": "text", "text": f"Media from the result of tool call function_{name}:"} for name in "fh"]
    moved = {"role": "user", "content": [lines[0], images[0], lines[1], images[1]]}
    results = [{**first, "content": "a"}, between, {**last, "content": ""}]
    assert ready.payload == {"messages": [*asked, *results, moved, more]}
    assert ready.sources == ((0,), (1,), (2,), (3,), (4,), (2, 4), (5,))
    assert not tw.prepare(ready.payload, "openai:hf", source="openai:hf").receipt


@pytest.mark.parametrize("mime", ["text/plain", "text/csv"])
def test_a_text_file_in_base64_becomes_a_document_of_text_where_only_that_is_accepted(mime: str) -> None:
    """Anthropic: "media_type: Input should be 'application/pdf'"."""
    source = {"type": "base64", "media_type": mime, "data": base64.b64encode("é, b".encode()).decode()}
    asked: Any = [{"role": "user", "content": [{"type": "document", "title": "t", "source": source}]}]
    assert [(one.code, one.severity) for one in tw.check(asked, "anthropic", source="anthropic")] == [
        ("media_type", "error")
    ]
    ready = tw.prepare(asked, "anthropic", source="anthropic")
    said = {"type": "text", "media_type": "text/plain", "data": "é, b"}
    assert ready.payload["messages"][0]["content"] == [{"type": "document", "source": said, "title": "t"}]
    assert [change.code for change in ready.receipt] == ["media_type"]
    # A file that stays one is replayed.
    pdf = {"type": "base64", "media_type": "application/pdf", "data": base64.b64encode(b"%PDF-1.4").decode()}
    asked[0]["content"][0]["source"] = pdf
    assert not tw.prepare(asked, "anthropic", source="anthropic").receipt


def test_sound_that_is_not_written_is_no_sound_beside_system_text():
    sound = {"inlineData": {"mimeType": "audio/wav", "data": "UklGRiQAAABXQVZF"}}
    user = {"role": "user", "parts": [{"text": "q"}]}
    body = {
        "systemInstruction": {"parts": [{"text": "s"}]},
        "contents": [user, {"role": "model", "parts": [{"text": "a"}, sound]}, user],
    }
    ready = tw.prepare(body, "mistral:v11", source="gemini")
    assert [loss.code for loss in ready.receipt] == ["media"]
    assert ready.payload == tw.convert(body, "mistral:v11", source="gemini").payload
    # What is written is refused, as before.
    body["contents"][0] = {"role": "user", "parts": [{"text": "q"}, sound]}
    with pytest.raises(tw.BuildError, match="sound"):
        tw.prepare(body, "mistral:v11", source="gemini")


@pytest.mark.parametrize("target", tw.dialects())
@pytest.mark.parametrize(
    ("address", "takers"),
    [("gs://bucket/a.png", ("gemini", "gemini-interactions")), ("s3://bucket/a.png", ("bedrock",))],
    ids=("google", "amazon"),
)
def test_an_address_in_a_cloud_goes_to_its_own_cloud_only(address: str, takers: tuple[str, ...], target: str) -> None:
    """From any part that holds an address. Stored formats keep every address."""
    seen = {"type": "image_url", "image_url": {"url": address}}
    written: list[list[Any]] = [
        [{"role": "user", "content": [{"type": "text", "text": "t"}, seen]}],
        [
            {
                "role": "user",
                "content": [{"type": "input_text", "text": "t"}, {"type": "input_image", "image_url": address}],
            }
        ],
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "t"},
                    {"type": "image", "source": {"type": "url", "url": address}},
                ],
            }
        ],
    ]
    if target.startswith("openai:hf"):
        return
    for messages, source in zip(written, ("openai", "openai-responses", "anthropic"), strict=True):
        made = tw.convert(messages, target, source=source)  # type: ignore[arg-type]
        if target.split(":")[0] == source or source == target:
            continue
        takes = target.split(":")[0] in takers
        sends = target.split(":")[0] in ("openai", "openai-responses", "anthropic", "mistral", "cohere", "ollama")
        if takes:
            assert address in str(made.payload) and not made.receipt.only("lost"), target
        elif sends or target.split(":")[0] in ("gemini", "gemini-interactions", "bedrock"):
            assert address not in str(made.payload) and made.receipt.only("lost"), target


def test_a_name_that_bedrock_takes_although_its_documentation_forbids_it() -> None:
    """Recorded: a document's name with an underscore was answered. From elsewhere it is written as documented."""
    file = {"name": "my_doc", "format": "txt", "source": {"bytes": "aGVsbG8="}}
    messages: Any = [{"role": "user", "content": [{"text": "t"}, {"document": file}]}]
    made = tw.prepare(messages, "bedrock", source="bedrock", blobs="base64")
    assert made.payload["messages"] == messages and not made.receipt
    (told,) = tw.check(messages, "bedrock", source="bedrock").only("warning")
    assert (told.code, told.severity) == ("name", "info") and "character" in told.reason
    twice: Any = [{"role": "user", "content": [{"text": "t"}, {"document": file}, {"document": file}]}]
    names = [block["document"]["name"] for block in tw.prepare(twice, "bedrock").payload["messages"][0]["content"][1:]]
    assert names == ["my_doc", "my-doc"]
    text = {"type": "text", "media_type": "text/plain", "data": "hello"}
    theirs: Any = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "t"}, {"type": "document", "title": "my_doc", "source": text}],
        }
    ]
    made = tw.prepare(theirs, "bedrock", source="anthropic")
    assert made.payload["messages"][0]["content"][1]["document"]["name"] == "my-doc"
    for name in ("a__b", "x/y", "a.b_c", " _", "_" * 201):
        odd: Any = [{"role": "user", "content": [{"text": "t"}, {"document": file | {"name": name}}]}]
        made = tw.prepare(odd, "bedrock", source="bedrock")
        stays = name == "a__b"
        assert (made.payload["messages"][0]["content"][1]["document"]["name"] == name) is stays, name


@pytest.mark.parametrize("form", ["mka", "x-aac", "mpeg", "mpga", "mp3", "m4a"])
@pytest.mark.parametrize("blobs", ["raw", "base64"])
def test_a_sound_of_converse_keeps_the_name_of_its_format(form: str, blobs: str) -> None:
    sound = {"audio": {"format": form, "source": {"bytes": "eHh4eHp6enp5eXl5"}}}
    made = tw.prepare([{"role": "user", "content": [sound, {"text": "go"}]}], "bedrock", blobs=blobs)
    assert made.messages[0]["content"][0]["audio"]["format"] == form
    assert not made.receipt.changed


@pytest.mark.parametrize(
    "uri", ["gs://b/a.mp4", "https://generativelanguage.googleapis.com/v1beta/files/a", "https://youtu.be/a"]
)
def test_a_file_of_google_goes_to_each_of_its_formats(uri: str) -> None:
    part = {"fileData": {"mimeType": "video/mp4", "fileUri": uri}}
    made = tw.prepare([{"role": "user", "parts": [part, {"text": "go"}]}], "gemini-interactions")
    assert made.payload["input"][0]["content"][0] == {"type": "video", "mime_type": "video/mp4", "uri": uri}
    assert not made.receipt.changed
    back = tw.prepare(made.payload, "gemini")
    assert back.payload["contents"][0]["parts"][0] == part
    for target in ("openai", "anthropic", "bedrock"):
        lost = tw.prepare([{"role": "user", "parts": [part, {"text": "go"}]}], target)
        assert [one.code for one in lost.receipt if one.kind == "lost"] == ["media"]
