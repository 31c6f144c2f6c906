"""Media of Converse are bytes in the objects that boto3 takes, and base64 in JSON, whatever form they came in."""

import base64
import json
from typing import Any

import pytest
import turnwire as tw

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
PDF = b"%PDF-1.4 x"


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def run(paper: Any, picture: Any) -> list[dict[str, Any]]:
    shot = {"image": {"format": "png", "source": {"bytes": picture}}}
    call = {"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}
    return [
        {
            "role": "user",
            "content": [
                {"document": {"note": 1, "name": "A", "format": "pdf", "source": {"bytes": paper}}},
                {"text": "go"},
            ],
        },
        {"role": "assistant", "content": [call]},
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "t1", "content": [shot, {"json": {"a": 1}}], "status": "success"}}
            ],
        },
    ]


@pytest.mark.parametrize("came", [run(PDF, PNG), run(text(PDF), text(PNG)), run(PDF, text(PNG))])
def test_objects_have_one_form_of_bytes(came: list[dict[str, Any]]) -> None:
    for blobs, want in (("raw", run(PDF, PNG)), ("base64", run(text(PDF), text(PNG)))):
        made = tw.prepare(came, "bedrock", blobs=blobs)
        assert made.messages == want
        assert not made.receipt.changed
        assert tw.prepare(made.payload, "bedrock", blobs=blobs).payload == made.payload
        assert tw.Ledger("bedrock", blobs=blobs).prepare(came).messages == want


def test_what_is_right_is_the_callers_own() -> None:
    came = run(PDF, PNG)
    made = tw.prepare(came, "bedrock", share=True)
    assert all(one is other for one, other in zip(made.messages, came, strict=True))


def test_a_conversion_and_json_keep_the_form() -> None:
    for came in (run(PDF, PNG), run(text(PDF), text(PNG))):
        assert tw.convert(came, "bedrock", source="bedrock").messages == came
    body = json.dumps(run(text(PDF), text(PNG)), indent=1).encode()
    assert json.loads(tw.prepare_json(body, "bedrock").payload)["messages"] == json.loads(body)


def test_a_picture_of_another_format_beside_them_has_the_same_form() -> None:
    chat = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{text(PNG)}"}}
    came = [*run(text(PDF), text(PNG)), {"role": "user", "content": [chat]}]
    made = tw.prepare(came, "bedrock")
    assert made.messages[-1]["content"][-1]["image"]["source"] == {"bytes": PNG}
    assert made.messages[0]["content"][0]["document"]["source"] == {"bytes": PDF}


def test_a_ledger_takes_both_forms_for_the_same() -> None:
    ledger = tw.Ledger("bedrock")
    ledger.prepare(run(text(PDF), text(PNG)))
    again = tw.Ledger.load(ledger.state())
    more = [{"role": "assistant", "content": [{"text": "ok"}]}, {"role": "user", "content": [{"text": "on"}]}]
    again.prepare(run(PDF, PNG) + more)
    again.prepare_json(json.dumps(run(text(PDF), text(PNG)) + more))
    assert not again.breaks


def test_hidden_reasoning_has_the_same_form() -> None:
    def said(data: Any) -> list[dict[str, Any]]:
        hidden = {"reasoningContent": {"redactedContent": data}}
        asked = {"role": "user", "content": [{"text": "go"}]}
        return [asked, {"role": "assistant", "content": [hidden, {"text": "ok"}]}, asked]

    for came in (said(b"secret"), said(text(b"secret"))):
        assert tw.prepare(came, "bedrock").messages == said(b"secret")
        assert tw.prepare(came, "bedrock", blobs="base64").messages == said(text(b"secret"))


def test_what_only_looks_like_bytes_stays() -> None:
    args = {"image": {"source": {"bytes": text(PNG)}}}
    call = {"toolUse": {"toolUseId": "t1", "name": "f", "input": args}}
    result = {
        "toolResult": {
            "toolUseId": "t1",
            "content": [{"json": args}, run(PDF, text(PNG))[2]["content"][0]["toolResult"]["content"][0]],
            "status": "success",
        }
    }
    came = [
        {"role": "user", "content": [{"text": "go"}]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    made = tw.prepare(came, "bedrock").messages
    assert made[1] == came[1]
    assert made[2]["content"][0]["toolResult"]["content"][0] == {"json": args}
    assert made[2]["content"][0]["toolResult"]["content"][1]["image"]["source"] == {"bytes": PNG}
