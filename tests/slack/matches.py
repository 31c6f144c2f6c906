"""Matches of search.messages as Slack sends them: every field, rich text blocks, and texts in Japanese and English."""

import copy
import itertools
from typing import Any

ME = "U0ME"
TEXTS = {
    "ja": (
        "本番環境のデータベースで障害が発生しました。接続プールが枯渇しており、{n}件のリクエストが失敗しています。"
        "原因を調査中ですので、デプロイは一時停止してください。"
    ),
    "en": (
        "The production database is having an incident: the connection pool is exhausted and {n} requests failed. "
        "We are looking into the cause, please hold all deployments for now."
    ),
}
_NAMES = {"ja": ("佐藤 花子", "障害対応"), "en": ("Hanako Sato", "incidents")}


def make_match(number: int, language: str = "en", **changes: Any) -> dict[str, Any]:
    """One match in a public channel, with all fields that a workspace gives; ``changes`` replace top-level fields."""
    ts = f"17{number:08d}.000100"
    channel_id = f"C{number % 3:02d}CHAN"
    person, channel = _NAMES[language]
    text = TEXTS[language].format(n=number)
    link = f"https://example.slack.com/archives/{channel_id}/p{ts.replace('.', '')}"
    match = {
        "iid": f"11111111-2222-3333-4444-{number:012d}",
        "team": "T0TEAM",
        "score": 0,
        "channel": {
            "id": channel_id,
            "is_channel": True,
            "is_group": False,
            "is_im": False,
            "is_mpim": False,
            "is_shared": False,
            "is_org_shared": False,
            "is_ext_shared": False,
            "is_private": False,
            "is_pending_ext_shared": False,
            "name": f"{channel}-{number % 3}",
            "name_normalized": f"{channel}-{number % 3}",
            "pending_shared": [],
        },
        "type": "message",
        "user": f"U{number % 5:02d}USER",
        "username": person,
        "ts": ts,
        "blocks": [_rich_text(number, text)],
        "text": text,
        "permalink": link,
        "no_reactions": True,
        "attachments": [
            {
                "id": 1,
                "color": "d00000",
                "fallback": f"[{person}] {text}",
                "title": text[:30],
                "title_link": f"https://status.example.com/incidents/{number}",
                "text": text,
                "mrkdwn_in": ["text"],
                "footer": "status.example.com",
                "from_url": f"https://status.example.com/incidents/{number}",
                "original_url": f"https://status.example.com/incidents/{number}",
            }
        ],
    }
    return match | changes


def make_direct_message(number: int, **changes: Any) -> dict[str, Any]:
    """One match in a direct message: Slack gives the other user's id as the channel's name."""
    match = make_match(number)
    match["type"] = "im"
    match["channel"] |= {
        "id": f"D{number:02d}DM",
        "is_channel": False,
        "is_im": True,
        "name": "U0PEER",
        "user": "U0PEER",
    }
    return match | changes


def make_reply(number: int, root: str) -> dict[str, Any]:
    """One match that is a reply: only the link shows it."""
    match = make_match(number)
    match["permalink"] += f"?thread_ts={root}&cid={match['channel']['id']}"
    return match


def corpus(size: int, language: str = "en") -> list[dict[str, Any]]:
    return [make_match(number, language) for number in range(size)]


def answer_of(matches: list[dict[str, Any]], page: int = 1, per_page: int = 20, **extra: Any) -> dict[str, Any]:
    """The whole answer of search.messages for one page of ``matches``."""
    pages = -(-len(matches) // per_page)
    first = (page - 1) * per_page
    chosen = list(itertools.islice(matches, first, first + per_page))
    return {
        "ok": True,
        "query": "incident",
        "messages": {
            "total": len(matches),
            "pagination": {
                "total_count": len(matches),
                "page": page,
                "per_page": per_page,
                "page_count": pages,
                "first": first + 1 if chosen else 0,
                "last": first + len(chosen),
            },
            "paging": {"count": per_page, "total": len(matches), "page": page, "pages": pages},
            "matches": copy.deepcopy(chosen),
        },
        **extra,
    }


def _rich_text(number: int, text: str) -> dict[str, Any]:
    head, tail = text[: len(text) // 2], text[len(text) // 2 :]
    elements = [
        {"type": "user", "user_id": f"U{number % 7:02d}USER"},
        {"type": "text", "text": " "},
        {"type": "text", "text": head, "style": {"bold": True}},
        {"type": "text", "text": tail},
        {"type": "link", "url": f"https://status.example.com/incidents/{number}", "text": "status"},
        {"type": "emoji", "name": "rotating_light", "unicode": "1f6a8"},
    ]
    return {
        "type": "rich_text",
        "block_id": f"b{number:04d}",
        "elements": [{"type": "rich_text_section", "elements": elements}],
    }
