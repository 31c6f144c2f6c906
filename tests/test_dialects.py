"""The vectors of every dialect through the Python functions: the same payload and losses, the caller's own strings."""

import base64
import copy
import json
from pathlib import Path

import pytest
import turnwire as tw

VECTORS = [
    pytest.param(vector, id=f"{vector['source']}-{vector['target']}-{vector['name']}")
    for name in tw.dialects()
    if ":" not in name
    for vector in json.loads((Path(__file__).parent / f"vectors/{name}.json").read_text(encoding="utf-8"))
]


def text_of(vector):
    return vector["payload_text"] if "payload_text" in vector else json.dumps(vector["payload"], separators=(",", ":"))


def containers(value):
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def check_error(vector, error):
    assert {"code": error.code, "path": error.path} == vector["error"]
    assert isinstance(error, tw.RenderError if error.code in ("refused", "loss") else tw.ParseError)


def losses_of(rendered):
    return in_order({"kind": change.kind, "code": change.code, "path": change.path} for change in rendered.receipt)


def in_order(changes):
    """Changes by their text, each once: they come in the order of the payload, whatever a vector lists first."""
    return sorted({json.dumps(change) for change in changes})


def expected_of(vector):
    return json.loads(vector["expect_text"]) if "expect_text" in vector else vector["expect"]


@pytest.mark.parametrize("vector", VECTORS)
def test_bytes(vector):
    options = vector.get("options", {})
    try:
        rendered = tw.convert_json(text_of(vector), vector["target"], source=vector["source"], **options)
    except tw.TurnwireError as error:
        check_error(vector, error)
        return
    if "expect_text" in vector:
        assert rendered.payload == vector["expect_text"].encode()
    # Text, so that the order of keys counts.
    assert json.dumps(json.loads(rendered.payload)) == json.dumps(expected_of(vector))
    assert losses_of(rendered) == in_order(vector["losses"])


def objects_hold(vector):
    """Only bytes can hold invalid JSON, a lone surrogate as U+FFFD, a number beyond Python's, or a bare string."""
    text = text_of(vector)
    only_bytes = vector.get("error", {}).get("code") == "invalid_json" or r"\ud83d" in text or r"\": 1e400" in text
    return not only_bytes and not isinstance(json.loads(text), str)


@pytest.mark.parametrize("vector", [param for param in VECTORS if objects_hold(*param.values)])
def test_objects(vector):
    payload = json.loads(text_of(vector))
    before = copy.deepcopy(payload)
    options = vector.get("options", {})
    try:
        # As in JSON, so that one expected payload is enough.
        options = {"blobs": "base64", **options}
        rendered = tw.convert(payload, vector["target"], source=vector["source"], **options)
    except tw.TurnwireError as error:
        check_error(vector, error)
        return
    assert json.dumps(rendered.payload) == json.dumps(expected_of(vector))
    assert losses_of(rendered) == in_order(vector["losses"])
    assert json.dumps(payload) == json.dumps(before), "the input is untouched"
    assert {id(one) for one in containers(rendered.payload)}.isdisjoint(id(one) for one in containers(payload))


def test_strings_that_do_not_change_come_back_as_the_same_object():
    words = {name: name * 20 for name in ("system", "user", "assistant", "result")}
    words |= {name: name * 9 for name in ("name", "id")}
    call = {"id": words["id"], "type": "function", "function": {"name": words["name"], "arguments": "{}"}}
    payload = {
        "messages": [
            {"role": "system", "content": words["system"]},
            {"role": "user", "content": words["user"]},
            {"role": "assistant", "content": words["assistant"], "tool_calls": [call]},
            {"role": "tool", "tool_call_id": words["id"], "content": words["result"]},
        ]
    }
    for target in ("anthropic", "openai"):
        there = {id(text) for text in strings(tw.convert(payload, target, source="openai").payload)}
        assert {name for name, text in words.items() if id(text) not in there} == set()
    there = {id(text) for text in strings(tw.convert(payload, "amazon-q", source="openai").payload)}
    assert {name for name, text in words.items() if id(text) not in there} == {"system"}


def test_a_lone_surrogate_survives_in_objects():
    text = "a\ud83d b"
    rendered = tw.convert({"messages": [{"role": "user", "content": text}]}, "anthropic", source="openai")
    assert rendered.payload["messages"][0]["content"] is text


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize("data", [PNG, bytearray(PNG)], ids=["bytes", "bytearray"])
@pytest.mark.parametrize("door", ["convert", "parse"])
@pytest.mark.parametrize("target", ["openai", "anthropic", "bedrock", "history", "amazon-q"])
def test_images_as_bytes_are_base64_elsewhere(data, door, target):
    def session(data):
        image = {"format": "png", "source": {"bytes": data}}
        return [{"userInputMessage": {"content": "see", "images": [image]}}]

    def converted(payload):
        if door == "convert":
            return tw.convert(payload, target, source="amazon-q")
        return tw.Conversation.parse(payload, "amazon-q").render(target)

    as_bytes, as_text = converted(session(data)), converted(session(base64.b64encode(PNG).decode()))
    assert not as_bytes.receipt.changed and not as_text.receipt.changed
    assert as_bytes.payload == (session(PNG) if target == "amazon-q" else as_text.payload)


def test_blobs_of_converse():
    def said(data):
        return [{"role": "user", "content": [{"image": {"format": "png", "source": {"bytes": data}}}]}]

    def blob(rendered):
        return rendered.payload["messages"][0]["content"][0]["image"]["source"]["bytes"]

    coded = base64.b64encode(PNG).decode()
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{coded}"}}
    chat = [{"role": "user", "content": [image]}]
    # A blob keeps its form in its own dialect.
    for data in (PNG, coded):
        for kind in ("base64", "raw"):
            assert blob(tw.convert(said(data), "bedrock", source="bedrock", blobs=kind)) == data
        assert tw.convert(said(data), "openai", source="bedrock").payload["messages"] == chat
    # A new one has the form that the caller wants, and is the same object where it was bytes.
    assert blob(tw.convert(chat, "bedrock", source="openai")) == PNG
    assert blob(tw.convert(chat, "bedrock", source="openai", blobs="base64")) == coded
    q = [{"userInputMessage": {"content": "", "images": [{"format": "png", "source": {"bytes": PNG}}]}}]
    assert blob(tw.convert(q, "bedrock", source="amazon-q", blobs="raw")) is PNG
    turn = tw.Turn("user", [tw.Media(PNG, media_type="image/png")])
    assert blob(tw.Conversation([turn]).render("bedrock", blobs="raw")) is PNG
    # JSON bytes hold text.
    for rendered in (
        tw.convert_json(said(PNG), "bedrock", source="bedrock"),
        tw.convert_json(chat, "bedrock", source="openai"),
    ):
        assert json.loads(rendered.payload)["messages"] == said(coded)


def own_payload(name):
    """A payload that the dialect replays, its list of messages, and where that list is."""
    base = name.partition(":")[0]
    found = (v.values[0] for v in VECTORS if v.values[0]["source"] == v.values[0]["target"] == base)
    # A number beyond Python's would be infinity.
    payload = next(json.loads(text_of(vector).replace("1e400", "1")) for vector in found if "error" not in vector)
    if isinstance(payload, list):
        return payload, payload, "$"
    known = ("messages", "contents", "input", "conversations", "gen_ai.input.messages")
    key = next(key for key in known if key in payload)
    return payload, payload[key], f'$["{key}"]' if "." in key else f"$.{key}"


@pytest.mark.parametrize("name", tw.dialects())
def test_bad_containers(name):
    cyclic = []
    cyclic.append(cyclic)
    with pytest.raises(tw.ParseError) as caught:
        tw.convert(cyclic, name, source=name)
    assert (caught.value.code, caught.value.path) == ("wrong_type", "$[0]")
    payload, messages, where = own_payload(name)
    depth = 2 if payload is messages else 3
    messages[0]["odd"] = cyclic
    with pytest.raises(tw.ParseError) as caught:
        tw.convert(payload, name, source=name)
    assert caught.value.code == "too_deep"
    assert caught.value.path == f"{where}[0].odd" + "[0]" * (tw.constants.MAX_DEPTH - depth)


@pytest.mark.parametrize("name", tw.dialects())
def test_every_dialect_takes_the_greatest_allowed_depth(name):
    payload, messages, _ = own_payload(name)
    deep = []
    for _ in range(tw.constants.MAX_DEPTH - (2 if payload is messages else 3) - 1):
        deep = [deep]
    messages[0]["odd"] = deep
    assert tw.convert(payload, name, source=name).payload == payload
    assert json.loads(tw.convert_json(json.dumps(payload), name, source=name).payload) == payload
    assert tw.Conversation.parse(payload, name).render(name).payload == payload
