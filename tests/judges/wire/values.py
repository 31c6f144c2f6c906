"""Values of a JSON body: JSON itself, base64, data URLs, and what bytes are."""

import base64
import binascii
import json
import math
import re
from collections.abc import Iterator
from typing import Any

from .findings import Report


def check_json(report: Report, value: Any, path: str = "", *, allow_bytes: bool = False) -> None:
    """NaN, non-string keys, lone surrogates and foreign objects all fail before any server sees them."""
    if value is None or isinstance(value, (bool, int)):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            report.add("json", path, "NaN or infinity")
    elif isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            report.add("json", path, "lone surrogate")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            check_json(report, item, f"{path}[{i}]", allow_bytes=allow_bytes)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                report.add("json", path, f"non-string key {key!r}")
            check_json(report, item, f"{path}.{key}" if path else str(key), allow_bytes=allow_bytes)
    elif not (allow_bytes and isinstance(value, (bytes, bytearray))):
        report.add("json", path, f"{type(value).__name__} object")


def each(value: Any) -> Iterator[tuple[int, dict]]:
    """Index and value of the dicts in a list; silent about anything else (types report that)."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            if isinstance(item, dict):
                yield i, item


def child(value: dict, key: str) -> dict:
    """The object under key, or an empty one."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return None


def mime_of(url: Any) -> str:
    """The type that a data URL declares, or an empty text."""
    m = DATA_URL.fullmatch(url) if isinstance(url, str) else None
    return m["mime"] if m else ""


def decoded(text: Any) -> bytes | None:
    """Strict standard base64, or None."""
    if not isinstance(text, str) or not text:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def sniffed(data: bytes) -> str | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith(b"%PDF"):
        return "application/pdf"
    return None


DATA_URL = re.compile(r"data:(?P<mime>[\w.+-]+/[\w.+-]+)(?:;[\w.+-]+=[^;,]+)*;base64,(?P<data>.*)", re.S)
_IMAGE_MIMES = {"image/png", "image/jpeg", "image/gif", "image/webp"}


def image_url_problem(url: Any) -> str | None:
    """Why a URL is not usable as an image input for OpenAI style APIs, or None."""
    if not isinstance(url, str):
        return None  # the type check reports it
    if url.startswith("data:"):
        m = DATA_URL.fullmatch(url)
        if not m:
            return "not a data:<mime>;base64,<data> URL"
        if m["mime"] not in _IMAGE_MIMES:
            return f"unsupported image type {m['mime']}"
        if decoded(m["data"]) is None:
            return "the data part is not base64"
        return None
    if re.match(r"https?://", url):
        return None
    return "neither an http(s) URL nor a data URL (raw base64?)"
