"""A provider's reply: read it, write it for another provider's client, whole or streamed."""

from ._core import (
    RenderedReply,
    Reply,
    StreamAssembler,
    StreamConverter,
    Tokens,
    convert_reply,
    convert_reply_json,
    parse_reply,
)

__all__ = [
    "RenderedReply",
    "Reply",
    "StreamAssembler",
    "StreamConverter",
    "Tokens",
    "convert_reply",
    "convert_reply_json",
    "parse_reply",
]
