"""Turns Slack's page numbers into one opaque cursor, because its search has no dependable cursor of its own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import SlackToolError, shown

__all__ = ["LAST_PAGE", "Page", "SlackCursor", "next_cursor", "parse_cursor"]

LAST_PAGE = 100
"""Slack serves no page after this one; it answers a higher number with the first page."""

_PREFIX = "page:"
_NUMBER = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True)
class Page:
    """A cursor of this tool: the page with this number, 2 to 100."""

    number: int


@dataclass(frozen=True)
class SlackCursor:
    """A cursor from Slack, which is sent back unchanged."""

    value: str


def parse_cursor(cursor: str | None) -> Page | SlackCursor | None:
    """Read a ``next_cursor`` of an earlier answer; None or a blank text is the first page.

    Raises:
        SlackToolError: ``invalid_arguments`` for ``page:`` with anything but a number from 2 to 100.
    """
    if cursor is None or not cursor.strip():
        return None
    if not cursor.startswith(_PREFIX):
        return SlackCursor(cursor)
    digits = cursor.removeprefix(_PREFIX)
    if _NUMBER.fullmatch(digits) and 2 <= int(digits) <= LAST_PAGE:
        return Page(int(digits))
    raise SlackToolError(
        "invalid_arguments",
        f"cursor must be the next_cursor of an earlier answer (page:2 to page:{LAST_PAGE}), but it is {shown(cursor)}.",
    )


def next_cursor(response: Mapping[str, Any], requested_page: int | None) -> str | None:
    """Give the cursor of the page after this ``response`` of ``search.messages``, or None when there is none.

    A cursor from Slack comes first. Without one, the page that Slack echoes must be the requested one: Slack answers a
    page out of range with the first page, and to trust that would repeat the pages without end.

    Args:
        response: The whole answer of Slack.
        requested_page: The number of the page that was asked for, None when Slack's own cursor was sent.
    """
    metadata = response.get("response_metadata")
    own = metadata.get("next_cursor") if isinstance(metadata, Mapping) else None
    if isinstance(own, str) and own:
        return own
    page, pages = echoed_page(response)
    if requested_page is None or page != requested_page or page >= min(pages, LAST_PAGE):
        return None
    return f"{_PREFIX}{page + 1}"


def beyond_reach(response: Mapping[str, Any], requested_page: int | None) -> bool:
    """Say whether ``response`` is the last page that Slack serves although more messages match."""
    page, pages = echoed_page(response)
    return requested_page == page == LAST_PAGE < pages and next_cursor(response, requested_page) is None


def echoed_page(response: Mapping[str, Any]) -> tuple[int, int]:
    """Give the number of the page that Slack says it sent, and of all pages; zeros when it says nothing usable."""
    messages = response.get("messages")
    if isinstance(messages, Mapping):
        for block, pages_key in (("pagination", "page_count"), ("paging", "pages")):
            paging = messages.get(block)
            if isinstance(paging, Mapping):
                page, pages = paging.get("page"), paging.get(pages_key)
                if isinstance(page, int) and isinstance(pages, int):
                    return page, pages
    return 0, 0
