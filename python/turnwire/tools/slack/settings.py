"""Checks the settings of a client, from arguments or environment: the token, the URL, the workspace and the times."""

import ipaddress
import logging
import math
import os
import re
from urllib.parse import urlsplit

from .errors import SlackToolError, describe_code, shown

__all__ = [
    "BASE_URL_VARIABLE",
    "TEAM_ID_VARIABLE",
    "TOKEN_VARIABLE",
    "checked_base_url",
    "checked_seconds",
    "checked_team_id",
    "checked_token",
    "is_loopback",
]

TOKEN_VARIABLE = "SLACK_USER_TOKEN"
BASE_URL_VARIABLE = "SLACK_API_BASE_URL"
TEAM_ID_VARIABLE = "SLACK_TEAM_ID"
SLACK_URL = "https://slack.com/api/"

_TOKEN = re.compile(r"[!-~]+")
_TEAM_ID = re.compile(r"[TE][A-Z0-9]{2,}")

_logger = logging.getLogger(__name__)


def checked_token(token: str | None) -> str:
    """Give the user token to use: ``token``, else the environment's, without white space around it.

    Raises:
        SlackToolError: ``missing_token``, ``not_allowed_token_type`` or ``invalid_arguments``; none shows the value,
            because a token with a stray character is still a token.
    """
    value: object = os.environ.get(TOKEN_VARIABLE) if token is None else token
    if value is None or (isinstance(value, str) and not value.strip()):
        raise SlackToolError("missing_token", f"There is no Slack token; set {TOKEN_VARIABLE} to a user token (xoxp-).")
    if not isinstance(value, str) or not _TOKEN.fullmatch(value.strip()):
        raise SlackToolError("invalid_arguments", "The Slack token must be one word of printable ASCII characters.")
    if value.strip().startswith(("xoxb-", "xapp-")):
        raise SlackToolError("not_allowed_token_type", describe_code("not_allowed_token_type"))
    return value.strip()


def checked_team_id(team_id: str | None) -> str | None:
    """Give the workspace to use: ``team_id``, else the environment's, else none.

    Raises:
        SlackToolError: ``invalid_arguments`` for what is not an id.
    """
    value = team_id or os.environ.get(TEAM_ID_VARIABLE)
    if not value:
        return None
    if not isinstance(value, str) or not _TEAM_ID.fullmatch(value):
        raise SlackToolError("invalid_arguments", f"team_id must be an id such as T012AB3CD, but it is {shown(value)}.")
    return value


def checked_base_url(url: str | None) -> tuple[str, str]:
    """Give the base URL to use, with a slash at its end, and its host: ``url``, else the environment's, else Slack's.

    Raises:
        SlackToolError: ``invalid_arguments``; it does not show the value, which may hold a password.
    """
    value: object = url or os.environ.get(BASE_URL_VARIABLE) or SLACK_URL
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        host = parts.hostname if parts and parts.scheme in ("http", "https") and parts.port != 0 else None
    except ValueError:
        parts = host = None
    if parts is None or not host or "@" in parts.netloc or parts.query or parts.fragment:
        raise SlackToolError(
            "invalid_arguments",
            "base_url must be an http or https URL with a host and without user, query or fragment.",
        )
    if parts.scheme == "http" and not is_loopback(host):
        _logger.warning("The Slack token will be sent to %s without encryption.", host)
    return parts.geturl().rstrip("/") + "/", host


def checked_seconds(name: str, value: object) -> float:
    """Give ``value`` as a time in seconds; ``name`` is for the message.

    Raises:
        SlackToolError: ``invalid_arguments`` for what is no finite number of at least 0.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise SlackToolError("invalid_arguments", f"{name} must be 0 or more seconds, but it is {shown(value)}.")
    return float(value)


def is_loopback(host: str) -> bool:
    """Say whether ``host`` (a name or an address, without port) is this machine by its very name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
