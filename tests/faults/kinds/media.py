"""Images and files that a target refuses: their type, their data, their address."""

from typing import Any

from faults.fault import BLOCKS, CHAT, FAMILY, MESSAGES, fault
from faults.payload import ABSENT, PDF, PNG, Payload, put
from faults.payload.openai import LINK

JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=="
URL_SAFE = "_-8_-8-_"

# By the text before the base64 data, and the data.
IMAGES = {
    "declared as jpeg": ("image/jpeg", PNG),
    "declared as png": ("image/png", JPEG),
    "declared as jpg": ("image/jpg", JPEG),
    "declared in capitals": ("IMAGE/PNG", PNG),
    "declared with a parameter": ("image/png;name=a", PNG),
    "tiff": ("image/tiff", "SUkqAA=="),
    "svg": ("image/svg+xml", "PHN2Zy8+"),
    "bmp": ("image/bmp", "Qk0="),
    "pdf": ("application/pdf", PDF),
    "text": ("text/plain", "aGVsbG8="),
    "octets": ("application/octet-stream", PNG),
    "no data": ("image/png", ""),
    "no base64": ("image/png", "not base64!"),
    "broken padding": ("image/png", PNG.rstrip("=")),
    "line breaks": ("image/png", PNG[:20] + "\n" + PNG[20:]),
    "url-safe": ("image/png", URL_SAFE),
    "data url inside": ("image/png", f"data:image/png;base64,{PNG}"),
}


@fault(MESSAGES, IMAGES)
def image(p: Payload, pair: tuple[str, str]) -> None:
    kind, data = pair
    block = p.image(data, kind)
    blocks = p.blocks(p.some(p.plain("user")))
    blocks.insert(p.dice.choice([0, 99]), block)


@fault(BLOCKS, IMAGES)
def image_in_a_result(p: Payload, pair: tuple[str, str]) -> None:
    block = p.image(pair[1], pair[0])
    p.some(p.results()).node["content"] = [block]


URLS = {
    "raw base64": PNG,
    "empty": "",
    "file": "file:///tmp/a.png",
    "path": "/tmp/a.png",
    "ftp": "ftp://example.com/a.png",
    "no base64 mark": f"data:image/png,{PNG}",
    "no type": f"data:;base64,{PNG}",
    "number": 7,
    "null": None,
    "absent": ABSENT,
}


@fault(CHAT, URLS)
def address(p: Payload, url: Any) -> None:
    p.blocks(p.some(p.plain("user"))).append(p.image_at(url))


@fault(FAMILY)
def address_without_its_object(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append({"type": "image_url", "image_url": LINK["image_url"]["url"]})


@fault(FAMILY, {"unknown": "huge", "null": None, "number": 1})
def detail(p: Payload, value: Any) -> None:
    block = p.image()
    block["image_url"]["detail"] = value
    p.blocks(p.some(p.plain("user"))).append(block)


@fault(MESSAGES)
def only_an_image_that_is_refused(p: Payload) -> None:
    p.some(p.plain("user"))[p.CONTENT] = [p.image("SUkqAA==", "image/tiff")]


FILES: Any = {
    "raw base64": {"filename": "a.pdf", "file_data": PDF},
    "no data": {"filename": "a.pdf"},
    "empty data": {"filename": "a.pdf", "file_data": ""},
    "null data": {"filename": "a.pdf", "file_data": None},
    "nothing": {},
    "text": "a.pdf",
    "address": {"filename": "a.pdf", "file_url": "https://example.com/a.pdf"},
    "id": {"file_id": "file-1"},
    "id and data": {"file_id": "file-1", "file_data": f"data:application/pdf;base64,{PDF}"},
    "id with a number": {"file_id": 7},
}


@fault(FAMILY, FILES)
def file(p: Payload, value: Any) -> None:
    block: Any = {"type": "file"}
    put(block, "file", value)
    p.blocks(p.some(p.plain("user"))).append(block)


SOUNDS: Any = {
    "format": {"data": "AAAA", "format": "ogg"},
    "no format": {"data": "AAAA"},
    "no data": {"format": "wav"},
    "data url": {"data": "data:audio/wav;base64,AAAA", "format": "wav"},
}


@fault(FAMILY, SOUNDS)
def sound(p: Payload, value: Any) -> None:
    block: Any = {"type": "input_audio"}
    put(block, "input_audio", value)
    p.blocks(p.some(p.plain("user"))).append(block)


SOURCES: Any = {
    "null": None,
    "absent": ABSENT,
    "text": PNG,
    "no type": {"media_type": "image/png", "data": PNG},
    "no media type": {"type": "base64", "data": PNG},
    "null media type": {"type": "base64", "media_type": None, "data": PNG},
    "null data": {"type": "base64", "media_type": "image/png", "data": None},
    "bytes": {"bytes": PNG},
    "file id": {"type": "file", "file_id": "file_1"},
    "unknown": {"type": "s3", "uri": "s3://a/b.png"},
    "address without type": {"url": "https://example.com/a.png"},
}


@fault(BLOCKS, SOURCES)
def source(p: Payload, value: Any) -> None:
    block: Any = {"type": "image"}
    put(block, "source", value)
    p.blocks(p.some(p.plain("user"))).append(block)


DOCUMENTS: Any = {
    "image": {"type": "base64", "media_type": "image/png", "data": PNG},
    "word": {"type": "base64", "media_type": "application/msword", "data": "AAAA"},
    "declared as pdf": {"type": "base64", "media_type": "application/pdf", "data": PNG},
    "empty text": {"type": "text", "media_type": "text/plain", "data": ""},
    "html as text": {"type": "text", "media_type": "text/html", "data": "<p>"},
    "no blocks": {"type": "content", "content": []},
}


@fault("anthropic", DOCUMENTS)
def document(p: Payload, value: Any) -> None:
    block: Any = {"type": "document"}
    put(block, "source", value)
    p.blocks(p.some(p.plain("user"))).append(block)


@fault("anthropic", {"empty": "", "null": None, "number": 7})
def title_of_a_document(p: Payload, value: Any) -> None:
    plain = {"type": "text", "media_type": "text/plain", "data": f"said {p.word()}"}
    p.blocks(p.some(p.plain("user"))).append({"type": "document", "source": plain, "title": value})
