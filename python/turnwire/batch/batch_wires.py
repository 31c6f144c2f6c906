"""The form of a batch line at each provider: its id, its request, its limits."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final, NamedTuple

from turnwire._families import family
from turnwire.errors import ParseError

__all__ = ["WIRES", "Request", "Wire", "batch_id", "head_and_tail", "read_request"]


class Wire(NamedTuple):
    """The form of a provider's batch files."""

    id_key: str
    """The key of the caller's id."""
    body_key: str
    """The key of the request."""
    most_requests: int
    """The most requests in a file."""
    most_bytes: int
    """The most bytes in a file."""
    alphabet: str
    """The pattern that an id must match."""
    container: bool = False
    """Whether a file is one JSON object with a list of `requests`, instead of JSON Lines."""
    model_each: bool = False
    """Whether each request of a file may be for another model."""
    names_model: bool = False
    """Whether each request must name its model. Elsewhere the job may do so."""


# Not all providers document their ids. Those that do not take both of these patterns.
_PRINTED: Final = r"[ -~]{1,64}"
_PLAIN: Final = r"[a-zA-Z0-9_-]{1,64}"
# From the reference of each provider's batch API, and the types of its SDK. Gemini's limits are those of Vertex, which
# are lower than those of the Gemini API.
WIRES: Final[dict[str, Wire]] = {
    "openai": Wire("custom_id", "body", 50_000, 200_000_000, _PRINTED, names_model=True),
    "anthropic": Wire("custom_id", "params", 100_000, 256_000_000, _PLAIN, True, True, True),
    "gemini": Wire("key", "request", 200_000, 1_000_000_000, _PRINTED),
    "bedrock": Wire("recordId", "modelInput", 50_000, 1_000_000_000, _PLAIN),
    "mistral": Wire("custom_id", "body", 1_000_000, 512_000_000, _PRINTED),
}
_ADDRESS: Final = ("method", "url")
_SENDING: Final = {"stream", "stream_options", "anthropic_version"}


class Request(NamedTuple):
    """One request of a batch, as its line has it."""

    wire: str
    """One of `WIRES`."""
    id: str
    """The caller's id."""
    body: dict[str, Any]
    dialect: str
    """The dialect of the body."""
    left: tuple[str, ...] = ()
    """The other keys of the line, which no line of another provider has."""

    @property
    def path(self) -> str:
        """Where in the line the body is."""
        return f"$.{WIRES[self.wire].body_key}"


def batch_id(given: str, wire: str) -> str:
    """The id of a request in a batch of another provider: the same id if that provider accepts it.

    If not, it is the part of it that the provider accepts, and a hash that makes it unique. The same arguments always
    return the same id.

    Args:
        given: Your id.
        wire: The dialect of the other provider.
    """
    if re.fullmatch(WIRES[wire].alphabet, given):
        return given
    tail = hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()[:20]
    kept = re.sub("[^a-zA-Z0-9_-]+", "_", given[:40]).strip("_")
    return f"{kept}_{tail}" if kept else tail


def read_request(line: dict[str, Any]) -> Request:
    """The request in a line, without keys that ask for a stream, because a batch answers in one piece.

    Raises:
        ParseError: `wrong_dialect` for a line of no known batch, and for an endpoint that is not a chat; `missing_key`
            and `wrong_type` for a missing or wrong id or body.
    """
    wire = _wire(line)
    id_key, body_key = WIRES[wire][:2]
    body, given = line[body_key], line.get(id_key)
    known = {id_key, body_key, *_ADDRESS}
    if given is None and wire == "gemini" and isinstance(line.get("metadata"), dict):
        given = line["metadata"].get("key")
        known.add("metadata")
    if given is None:
        text = f"expected the key `{id_key}`: without an id, no result finds its request"
        raise ParseError(text, code="missing_key", path=f"$.{id_key}")
    if not isinstance(given, str) or not given:
        text = f"expected a text of one character or more, got {given!r:.80}"
        raise ParseError(text, code="wrong_type", path=f"$.{id_key}")
    if not isinstance(body, dict):
        text = f"expected an object, got {type(body).__name__}"
        raise ParseError(text, code="wrong_type", path=f"$.{body_key}")
    asked = {key: value for key, value in body.items() if key not in _SENDING}
    return Request(wire, given, asked, _dialect(wire, line, body), tuple(key for key in line if key not in known))


def _wire(line: dict[str, Any]) -> str:
    if "params" in line:
        return "anthropic"
    if "modelInput" in line:
        return "bedrock"
    if "request" in line:
        return "gemini"
    if "body" in line:
        return "openai" if "url" in line or "method" in line else "mistral"
    text = "expected a request of a batch, with `body`, `params`, `request` or `modelInput` beside its id"
    raise ParseError(text, code="wrong_dialect")


def _dialect(wire: str, line: dict[str, Any], body: dict[str, Any]) -> str:
    if wire == "openai":
        url = line.get("url", "/v1/chat/completions")
        if not isinstance(url, str) or not url.endswith(("/responses", "/chat/completions")):
            text = f"expected /v1/chat/completions or /v1/responses, got {url!r:.80}"
            raise ParseError(text, code="wrong_dialect", path="$.url")
        return "openai-responses" if url.endswith("/responses") else "openai"
    return "anthropic:2023-06-01" if wire == "bedrock" and "anthropic_version" in body else wire


def head_and_tail(target: str) -> tuple[dict[str, Any], str]:
    """The keys of a target's line between the id and the body, and the key of the body."""
    wire = family(target)
    if wire == "openai-responses":
        return {"method": "POST", "url": "/v1/responses"}, "body"
    return {"method": "POST", "url": "/v1/chat/completions"} if wire == "openai" else {}, WIRES[wire].body_key
