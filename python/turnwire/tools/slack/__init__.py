"""Slack message search as a tool: concise by default, complete on request, pageable, with errors a model can act on.

Needs the extra ``slack`` (``pip install "turnwire[slack]"``); the MCP server in ``turnwire.tools.slack.server`` also
needs ``mcp``.
"""

from .client import SearchProvider, SlackSearchClient
from .cursor import Page, SlackCursor, next_cursor, parse_cursor
from .errors import SlackToolError
from .format import channel_name, extract_thread_ts, format_message_response, generate_summary
from .query import build_query
from .search import DEFAULT_TEXT_BYTES, user_search_messages

__all__ = [
    "DEFAULT_TEXT_BYTES",
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
    "next_cursor",
    "parse_cursor",
    "user_search_messages",
]
