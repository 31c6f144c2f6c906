"""Shapes one match and the summary line of a search result, as the specification words them."""

import copy
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

__all__ = ["DETAILS_HINT", "channel_name", "extract_thread_ts", "format_message_response", "generate_summary"]

DETAILS_HINT = (
    "To get full message details, use slack_get_channel_history with "
    "channel_id and latest=ts, inclusive=true, limit=1. "
    "For threaded messages, use slack_get_thread_replies."
)
"""How to get more than a concise match, in the words of the specification, which name two tools of a larger server."""

_TIMESTAMP = re.compile(r"[0-9]+\.[0-9]+")


def format_message_response(match: Mapping[str, Any], response_format: str = "concise") -> dict[str, Any]:
    """Give one match of ``search.messages`` in the wanted format; the match itself is not touched.

    Args:
        match: One element of ``messages.matches``.
        response_format: ``"detailed"`` for a copy of everything Slack sent; otherwise only the channel, the user, the
            time, the text and the link, and for a message in a thread the ``thread_ts`` that addresses the thread.
    """
    if response_format == "detailed":
        return copy.deepcopy(dict(match))
    formatted = {
        "channel_id": _channel(match).get("id"),
        "channel_name": channel_name(match),
        "user_id": match.get("user"),
        "username": match.get("username"),
        "ts": match.get("ts"),
        "text": match.get("text"),
        "permalink": match.get("permalink"),
    }
    thread_ts = match.get("thread_ts")
    if not isinstance(thread_ts, str) or not thread_ts:
        # Slack's search does not send the field; only the link tells a reply from a message of its own.
        thread_ts = extract_thread_ts(match.get("permalink"))
    if thread_ts:
        formatted["thread_ts"] = thread_ts
    return formatted


def generate_summary(
    total: int, returned: int, has_more: bool, include_hint: bool = True, hint: str = DETAILS_HINT
) -> str:
    """Say in one line how many messages were found and how to get more.

    Args:
        total: How many messages match.
        returned: How many of them this answer holds.
        has_more: Whether there is a next page.
        include_hint: Whether to say how to get the full message and its thread.
        hint: How that is; an empty one says nothing.
    """
    summary = f"Found {total} messages"
    if total > returned:
        summary += f", showing {returned}"
    summary += "."
    if has_more:
        summary += " Use next_cursor for more results."
    if include_hint and hint:
        summary += f" {hint}"
    return summary


def extract_thread_ts(permalink: object) -> str | None:
    """Give the ``thread_ts`` of a link to a reply; None for any other link, and for what is no link."""
    if not isinstance(permalink, str):
        return None
    try:
        values = parse_qs(urlsplit(permalink).query).get("thread_ts", [])
    except ValueError:
        return None
    return next((value for value in values if _TIMESTAMP.fullmatch(value)), None)


def channel_name(match: Mapping[str, Any]) -> str | None:
    """Give the name of a match's channel; None for a direct message, where Slack puts the other user's id instead."""
    channel = _channel(match)
    name, channel_id = channel.get("name"), channel.get("id")
    direct = (
        channel.get("is_im") is True
        or match.get("type") == "im"
        or (isinstance(channel_id, str) and channel_id.startswith("D"))
        or name == channel.get("user")
    )
    return name if isinstance(name, str) and not direct else None


def _channel(match: Mapping[str, Any]) -> Mapping[str, Any]:
    channel = match.get("channel")
    return channel if isinstance(channel, Mapping) else {}
