"""The tool itself: from arguments to one page of matching messages, small or complete."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from .budget import fit_texts
from .client import SearchProvider, SlackSearchClient
from .cursor import LAST_PAGE, Page, SlackCursor, beyond_reach, next_cursor, parse_cursor
from .errors import SlackToolError, shown
from .format import DETAILS_HINT, format_message_response, generate_summary
from .query import build_query, query_parts
from .schema import check_arguments

__all__ = ["get_current_user_id", "search_messages", "user_search_messages"]

_MAX_COUNT = 100


async def get_current_user_id(*, client: SearchProvider | None = None) -> str:
    """Give the id of the owner of a Slack user token.

    Args:
        client: The client to use. Without one, a client is made from the environment and closed after the call.

    Raises:
        SlackToolError: For everything that fails at Slack or on the way there.
    """
    if client is not None:
        return await client.get_current_user_id()
    async with SlackSearchClient() as own:
        return await own.get_current_user_id()


async def user_search_messages(
    query: str,
    channel_ids: Sequence[str] | None = None,
    to_me: bool | str = False,
    sort: str | None = None,
    sort_dir: str | None = None,
    count: float | None = None,
    cursor: str | None = None,
    highlight: bool | None = None,
    response_format: str | None = None,
    *,
    client: SearchProvider | None = None,
    max_text_bytes: int | None = None,
    hint: str = DETAILS_HINT,
) -> dict[str, Any]:
    """Search the messages that the owner of a Slack user token can see.

    None means the default everywhere.

    Args:
        query: Words and Slack search operators. It may be blank when ``channel_ids`` or ``to_me`` narrow the search.
        channel_ids: Search only in these channels: ids, not names. A user's id means direct messages with that user.
        to_me: True or ``"dm"`` for messages sent to the owner of the token, ``"mention"`` for messages that mention
            them, False or ``"off"`` for all.
        sort: ``"score"`` (default) or ``"timestamp"``.
        sort_dir: ``"desc"`` (default) or ``"asc"``.
        count: Messages on one page, a whole number; below 1 counts as 1 and above 100 as 100. The default is 20.
        cursor: ``response_metadata.next_cursor`` of the answer before this page, with the other arguments unchanged.
        highlight: Whether Slack marks the found words, with U+E000 before and U+E001 after each. The default is True.
        response_format: ``"concise"`` (default) or ``"detailed"``, everything that Slack sent, never cut.
        client: The client to use. Without one, a client is made from the environment and closed after the call.
        max_text_bytes: UTF-8 bytes that the texts of a concise answer share; the longest are cut first. Without it no
            text is cut.
        hint: How to get the full message and its thread, at the end of a concise summary. The default is the
            specification's and names the tools ``slack_get_channel_history`` and ``slack_get_thread_replies``; where
            your model has other tools, say so, and where it has none, give "".

    Returns:
        ``ok``, ``query`` (as sent to Slack), ``messages`` (``total`` and ``matches``), ``summary`` and, only when
        there is another page, ``response_metadata`` with ``next_cursor``.

    Raises:
        SlackToolError: For refused arguments (before anything is sent) and for everything that fails at Slack or on
            the way there.
    """
    arguments = {
        "query": query,
        "channel_ids": channel_ids,
        "to_me": to_me,
        "sort": sort,
        "sort_dir": sort_dir,
        "count": count,
        "cursor": cursor,
        "highlight": highlight,
        "response_format": response_format,
    }
    if client is not None:
        return await search_messages(arguments, client, max_text_bytes=max_text_bytes, hint=hint)
    async with SlackSearchClient() as own:
        return await search_messages(arguments, own, max_text_bytes=max_text_bytes, hint=hint)


async def search_messages(
    arguments: Mapping[str, Any],
    client: SearchProvider,
    *,
    max_text_bytes: int | None = None,
    hint: str = DETAILS_HINT,
) -> dict[str, Any]:
    """Do what `user_search_messages` does, with the arguments in one mapping, as a model sends them."""
    checked = check_arguments(arguments)
    if max_text_bytes is not None and (
        isinstance(max_text_bytes, bool) or not isinstance(max_text_bytes, int) or max_text_bytes < 0
    ):
        raise SlackToolError(
            "invalid_arguments", f"max_text_bytes must be a whole number of at least 0, not {shown(max_text_bytes)}."
        )
    query, channel_ids = checked["query"], checked["channel_ids"] or ()
    to_me = {True: "dm", False: "off"}.get(checked["to_me"], checked["to_me"])
    start = parse_cursor(checked["cursor"])
    # Refuses bad words and ids before auth.test is sent for to_me.
    query_parts(query, channel_ids)
    user_id = await client.get_current_user_id() if to_me != "off" else None
    full_query = build_query(query, channel_ids=channel_ids, to_me=to_me, user_id=user_id)
    count = min(max(checked["count"], 1), _MAX_COUNT)
    response = await client.search(
        query=full_query,
        count=count,
        page=start.number if isinstance(start, Page) else None,
        cursor=start.value if isinstance(start, SlackCursor) else None,
        sort=checked["sort"],
        sort_dir=checked["sort_dir"],
        highlight=checked["highlight"],
    )
    requested_page = start.number if isinstance(start, Page) else None if start else 1
    try:
        return _answer(response, full_query, requested_page, count, checked["response_format"], max_text_bytes, hint)
    except RecursionError:
        raise SlackToolError("unexpected_response", "Slack's answer is nested too deeply to be read.") from None


def _answer(
    response: Mapping[str, Any],
    query: str,
    requested_page: int | None,
    count: int,
    response_format: str,
    max_text_bytes: int | None,
    hint: str,
) -> dict[str, Any]:
    total, matches = _read_messages(response)
    following = next_cursor(response, requested_page)
    concise = response_format == "concise"
    summary = generate_summary(total, len(matches), following is not None, include_hint=concise, hint=hint)
    if beyond_reach(response, requested_page):
        summary += f" Only the first {LAST_PAGE * count:,} results are reachable; narrow the query."
    answer: dict[str, Any]
    if concise:
        shaped = [format_message_response(match, response_format) for match in matches]
        cut = 0 if max_text_bytes is None else fit_texts(shaped, max_text_bytes)
        if cut:
            summary += f" {cut} of {len(shaped)} texts were cut to fit {max_text_bytes} bytes in all."
        answer = {"ok": True, "query": query, "messages": {"total": total, "matches": shaped}}
        metadata = {}
    else:
        answer = copy.deepcopy(dict(response))
        if not isinstance(answer.get("query"), str):
            answer["query"] = query
        answer["messages"]["total"] = total
        found = answer.pop("response_metadata", None)
        metadata = found if isinstance(found, dict) else {}
        metadata.pop("next_cursor", None)
    answer["summary"] = summary
    if following is not None:
        metadata["next_cursor"] = following
    if metadata:
        answer["response_metadata"] = metadata
    return answer


def _read_messages(response: Mapping[str, Any]) -> tuple[int, list[Mapping[str, Any]]]:
    """Give the total and the matches of an answer of Slack, or refuse one that has not got them."""
    messages = response.get("messages")
    matches = messages.get("matches") if isinstance(messages, Mapping) else None
    if (
        not isinstance(messages, Mapping)
        or not isinstance(matches, list)
        or not all(isinstance(match, Mapping) for match in matches)
    ):
        raise SlackToolError("unexpected_response", "Slack's answer says ok but holds no list of matches.")
    total = messages.get("total")
    return (total if isinstance(total, int) and not isinstance(total, bool) else len(matches)), matches
