"""Builds the search query that Slack sees from the caller's words, the channels and the wish for one's own messages."""

import re
from collections.abc import Sequence
from typing import Literal

from .errors import SlackToolError, shown

__all__ = ["MENTION_CLAUSE", "TO_ME_CLAUSE", "ToMe", "build_query", "is_user_id", "query_parts"]

ToMe = Literal["dm", "mention", "off"]
"""Which messages to the authenticated user are wanted: sent to them, mentioning them, or any."""

# Slack documents ids in angle brackets for from: and in:. The plain "to:@U..." names a handle, not an id.
TO_ME_CLAUSE = "to:<@{user_id}>"
MENTION_CLAUSE = "<@{user_id}>"

_CHANNEL_ID = re.compile(r"[CGDUW][A-Z0-9]{2,}")
_USER_ID = re.compile(r"[UW][A-Z0-9]{2,}")


def build_query(
    query: str,
    *,
    channel_ids: Sequence[str] = (),
    to_me: ToMe = "off",
    user_id: str | None = None,
) -> str:
    """Join the caller's words and the clauses that Slack's search understands.

    The order is words, ``to_me``, channels. Slack reads several ``in:`` clauses as "in any of them".

    Args:
        query: The caller's words and operators; outer white space is dropped.
        channel_ids: Ids of channels (``C``, ``G``, ``D``), or of users (``U``, ``W``) for the direct messages with
            them. An id that comes twice counts once.
        to_me: ``"dm"`` for messages sent to the user, ``"mention"`` for the user's mentions, ``"off"`` for neither.
        user_id: The user's id; needed unless ``to_me`` is ``"off"``.

    Raises:
        SlackToolError: ``no_query`` when nothing is left to search for; ``invalid_arguments`` for an id that is not
            an id, for a missing ``user_id`` and for a query that is not valid Unicode.
    """
    words, scopes = query_parts(query, channel_ids)
    clauses = [words] if words else []
    if to_me != "off":
        if user_id is None or not is_user_id(user_id):
            raise SlackToolError("invalid_arguments", f"user_id must be the id of a user, but it is {shown(user_id)}.")
        clause = TO_ME_CLAUSE if to_me == "dm" else MENTION_CLAUSE
        clauses.append(clause.format(user_id=user_id))
    clauses += scopes
    if not clauses:
        raise SlackToolError("no_query", "The query is blank; give words to search for, channel_ids or to_me.")
    return " ".join(clauses)


def query_parts(query: str, channel_ids: Sequence[str]) -> tuple[str, list[str]]:
    """Check both and give the stripped words and the ``in:`` clauses.

    Raises:
        SlackToolError: ``invalid_arguments``, as `build_query` says.
    """
    try:
        query.encode()
    except UnicodeEncodeError:
        raise SlackToolError("invalid_arguments", "query holds half of a surrogate pair; send valid Unicode.") from None
    scopes: dict[str, None] = {}
    for channel_id in channel_ids:
        # A full match, as any other text could add clauses to the query.
        if not _CHANNEL_ID.fullmatch(channel_id):
            raise SlackToolError(
                "invalid_arguments",
                f"channel_ids must hold ids such as C012AB3CD (not names), but it holds {shown(channel_id)}.",
            )
        mark = "@" if is_user_id(channel_id) else "#"
        scopes[f"in:<{mark}{channel_id}>"] = None
    return query.strip(), list(scopes)


def is_user_id(value: str) -> bool:
    """Say whether ``value`` has the form of a user id (``U`` or ``W`` and at least two more capitals or digits)."""
    return _USER_ID.fullmatch(value) is not None
