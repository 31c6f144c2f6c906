"""Slack message search as a tool: concise by default, complete on request, pageable, with errors a model can act on.

Needs the extra ``slack`` (``pip install "turnwire[slack]"``); the MCP server in ``turnwire.tools.slack.server`` also
needs ``mcp``.
"""

from .client import SearchProvider, SlackSearchClient
from .cursor import Page, SlackCursor, next_cursor, parse_cursor
from .errors import SlackToolError
from .format import DETAILS_HINT, channel_name, extract_thread_ts, format_message_response, generate_summary
from .query import build_query
from .search import get_current_user_id, user_search_messages

__all__ = [
    "DETAILS_HINT",
    "Page",
    "SearchProvider",
    "SlackCursor",
    "SlackSearchClient",
    "SlackToolError",
    "build_query",
    "channel_name",
    "extract_thread_ts",
    "format_message_response",
    "generate_summary",
    "get_current_user_id",
    "next_cursor",
    "parse_cursor",
    "user_search_messages",
]
