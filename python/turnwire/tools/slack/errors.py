"""The one error of the Slack tool: a stable code for programs and a sentence for models and people."""

from typing import Any

__all__ = ["SlackToolError", "describe_code", "shown"]

_SHOWN_CHARACTERS = 60

# Advice for those of Slack's codes that a caller can do something about.
_ADVICE = {
    "invalid_auth": "The token is not valid for this workspace; set SLACK_USER_TOKEN to a current user token (xoxp-).",
    "not_authed": "No token reached Slack; set SLACK_USER_TOKEN to a user token (xoxp-).",
    "token_revoked": "The token was revoked; install the Slack app again and use its new user token (xoxp-).",
    "token_expired": "The token has expired; refresh it or use a new user token (xoxp-).",
    "account_inactive": "The account of this token is deactivated; use the token of an active user.",
    "not_allowed_token_type": "Message search needs a user token (xoxp-); a bot or app token cannot search.",
    "missing_scope": "The token lacks a scope that this call needs; add it to the Slack app and install the app again.",
    "no_query": "The search has no terms; give a query, channel_ids or to_me.",
    "team_access_not_granted": "An organisation-wide token needs the id of one workspace (T...); set SLACK_TEAM_ID.",
    "ratelimited": "Slack limits how often this token may search; wait before the next call.",
}


class SlackToolError(Exception):
    """Why a search gave no result.

    ``str(error)`` is ``"code: message"``. It never holds the token.

    Attributes:
        code: A stable name. Slack's own codes (``missing_scope``, ``ratelimited``, ...) are kept as Slack spells them;
            the tool's own are ``invalid_arguments``, ``no_query``, ``missing_token``, ``timeout``,
            ``connection_failed``, ``unexpected_response``, ``client_unusable`` and, in the MCP server, ``tool_failed``.
        message: One or more sentences that say what to do about it.
        status: The HTTP status of the answer, None when there was none.
        retry_after: Seconds to wait before the next call, None when Slack did not ask for a wait.
        needed: The scopes Slack asked for, separated by commas, None when it named none.
        provided: The scopes the token has, separated by commas, None when Slack named none.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        needed: str | None = None,
        provided: str | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.status = status
        self.retry_after = retry_after
        self.needed = needed
        self.provided = provided

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Give the error as a JSON object in the shape of Slack's own failures; fields that are None are left out."""
        fields = {
            "status": self.status,
            "retry_after": self.retry_after,
            "needed": self.needed,
            "provided": self.provided,
        }
        known = {name: value for name, value in fields.items() if value is not None}
        return {"ok": False, "error": self.code, "message": self.message, **known}

    def with_message(self, message: str) -> "SlackToolError":
        """Give the same error with another ``message``."""
        return SlackToolError(
            self.code,
            message,
            status=self.status,
            retry_after=self.retry_after,
            needed=self.needed,
            provided=self.provided,
        )


def describe_code(code: str) -> str:
    """Give the sentence for an error ``code`` of Slack; a code without advice gets one that only names it."""
    return _ADVICE.get(code, f"Slack refused the call with the error {code!r}.")


def shown(value: object) -> str:
    """Give a short ASCII spelling of a refused ``value`` for a message, of at most 60 characters."""
    text = ascii(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."
