"""The kinds of parts that a conversation can have, in a neutral form. Every text holds a word that occurs once."""

import base64
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]


def _base64(head: bytes, length: int) -> str:
    return base64.b64encode(head + bytes(n % 251 for n in range(length))).decode()


#: The class and the type of a medium, and how its data begin.
MEDIA: dict[str, tuple[str, str, bytes]] = {
    "png": ("image", "image/png", b"\x89PNG\r\n\x1a\n"),
    "jpeg": ("image", "image/jpeg", b"\xff\xd8\xff\xe0"),
    "heic": ("image", "image/heic", b"\0\0\0\x18ftypheic"),
    "bmp": ("image", "image/bmp", b"BM"),
    "pdf": ("document", "application/pdf", b"%PDF-1.4\n"),
    "wav": ("audio", "audio/wav", b"RIFF\0\0\0\0WAVE"),
    "csv": ("document", "text/csv", b"a,b\n1,2\n"),
    "txt": ("document", "text/plain", b"plain words "),
}
#: Data of text types, which stay text.
SPOKEN = ("csv", "txt")

USER = ("text", "two_texts", "blank", "emoji", "long", "image_url", "text_document", *MEDIA)
MODEL = (
    *("say", "say_two", "thought", "thought_unsigned", "redacted", "call", "calls", "call_no_args", "think_call"),
    *("refusal", "say_nothing"),
)
RESULT = ("r_text", "r_blocks", "r_json", "r_error", "r_empty", "r_image", "r_long", "r_bmp")


class Words:
    """Makes words and ids that occur once."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._words, self._calls, self._names = itertools.count(1), itertools.count(1), itertools.count(1)

    def word(self) -> str:
        return f"w{next(self._words)}z"

    def text(self, more: str = "") -> Json:
        return {"text": self.word() + more}

    def name(self) -> str:
        """Documents of one request have different names."""
        return f"notes{next(self._names)}"

    def call(self, args: Json | None = None) -> Json:
        given = {"q": self.word()} if args is None else args
        return {"call": f"call_{next(self._calls):08d}", "name": "look", "args": given}

    def media(self, kind: str, length: int | None = None) -> Json:
        cls, mime, head = MEDIA[kind]
        size = self._dice.choice((8, 300)) if length is None else length
        data = _base64(head, 0 if kind in SPOKEN else size)
        return {"data": data, "class": cls, "mime": mime, "name": "file1"}

    def thought(self, signature: bool, more: str = "") -> Json:
        return {"thought": self.word() + more, "signature": _base64(b"sig", 40) if signature else None}


def user(kind: str, words: Words) -> Json:
    """What a user says."""
    match kind:
        case "two_texts":
            parts = [words.text(), words.text()]
        case "blank":
            parts = [{"text": " \n"}, words.text()]
        case "emoji":
            parts = [words.text(" 🎌é日本")]
        case "long":
            parts = [words.text(" x" * 150)]
        case "image_url":
            url = f"https://example.org/{words.word()}.png"
            parts = [words.text(), {"url": url, "class": "image", "mime": "image/png"}]
        case "text_document":
            parts = [words.text(), {"plain": words.word(), "class": "document", "name": words.name()}]
        case _ if kind in MEDIA:
            parts = [words.text(), words.media(kind)]
        case _:
            parts = [words.text()]
    return {"role": "user", "parts": parts}


def model(kind: str, words: Words) -> Json:
    """What a model says, thinks and calls."""
    made: dict[str, Callable[[], list[Json]]] = {
        "say": lambda: [words.text()],
        "say_two": lambda: [words.text(), words.text()],
        "thought": lambda: [words.thought(True, " t" * 60), words.text()],
        "thought_unsigned": lambda: [words.thought(False, " t" * 60), words.text()],
        "redacted": lambda: [{"redacted": _base64(b"red", 40)}, words.text()],
        "call": lambda: [words.call()],
        "calls": lambda: [words.text(), words.call(), words.call()],
        "call_no_args": lambda: [words.call({})],
        "think_call": lambda: [words.thought(True), words.call()],
        "refusal": lambda: [{"refusal": words.word()}],
        "say_nothing": lambda: [{"text": ""}],
    }
    return {"role": "model", "parts": made[kind]()}


def results(turn: Json, kind: str, words: Words) -> list[Json]:
    """The results of a turn's calls."""
    return list(_results(turn, kind, words))


def _results(turn: Json, kind: str, words: Words) -> Iterator[Json]:
    for part in turn["parts"]:
        if "call" not in part:
            continue
        match kind:
            case "r_blocks":
                content = [words.text(), words.text()]
            case "r_json":
                content = [{"text": json.dumps({"k": words.word()})}]
            case "r_empty":
                content = []
            case "r_image":
                content = [words.text(), words.media("png", 8)]
            case "r_bmp":
                content = [words.text(), words.media("bmp", 300)]
            case "r_long":
                content = [words.text(" y" * 200)]
            case _:
                content = [words.text()]
        yield {"result": part["call"], "name": part["name"], "content": content, "error": kind == "r_error"}
