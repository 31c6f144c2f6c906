"""Turns every way in which slack_sdk, aiohttp or Slack can fail into one `SlackToolError`, without the token."""

import math
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState

from .errors import SlackToolError, describe_code

__all__ = ["Answer", "AnswerWatch", "explain"]

_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_DEFAULT_WAIT = 1.0
_MAX_DETAILS = 3
_DETAIL_CHARACTERS = 200


@dataclass
class Answer:
    """What is known of an HTTP answer when its body could not be used; the status is 0 when there was none."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


_last_answer: ContextVar[Answer] = ContextVar("turnwire_slack_last_answer")


class AnswerWatch(AsyncRetryHandler):
    """Remembers the status and the headers of an answer and never retries.

    The SDK loses both when the body is text or a list (it raises an AttributeError). It calls its retry handlers in
    the task of the call, so a context variable keeps calls apart.
    """

    @staticmethod
    def reset() -> None:
        """Forget the last answer of this task."""
        _last_answer.set(Answer())

    @staticmethod
    def last() -> Answer:
        """Give what the last call of this task saw."""
        return _last_answer.get(Answer())

    async def can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        """Note the answer and decline."""
        if response is not None:
            _last_answer.set(Answer(response.status_code, _lowered(response.headers)))
        return False


def explain(failure: Exception | None, answer: Answer, *, host: str, timeout: float, token: str) -> SlackToolError:
    """Say what went wrong in the tool's own words; nothing of the failure's own text is used.

    Args:
        failure: What the SDK raised, or None when it returned something that is not an object.
        answer: The status and headers of the answer, as far as they are known.
        host: The name of the server, for the message.
        timeout: Seconds, for the message.
        token: Removed from everything that the server sent.
    """
    if isinstance(failure, TimeoutError):
        return SlackToolError("timeout", f"{host} did not answer within {timeout:g} seconds.")
    # A response error (a redirect too many, a bad header) is an answer that cannot be used, not a lost connection.
    if isinstance(failure, (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError)):
        return SlackToolError("connection_failed", f"The connection to {host} failed ({type(failure).__name__}).")
    data: Mapping[str, Any] = {}
    if isinstance(failure, SlackApiError):
        if isinstance(failure.response, aiohttp.ClientResponse):
            # For malformed JSON the SDK asks no retry handler, and returns aiohttp's answer instead of its own.
            answer = Answer(failure.response.status, _lowered(failure.response.headers))
        found = getattr(failure.response, "data", None)
        data = found if isinstance(found, Mapping) else {}
    status, code = answer.status, data.get("error")
    code = code if isinstance(code, str) and _CODE.fullmatch(code) and token not in code else None
    if status == 429 or code in ("ratelimited", "rate_limited"):
        wait = _seconds(answer.headers.get("retry-after"))
        return SlackToolError(
            "ratelimited",
            f"{describe_code('ratelimited')} Slack asks for {wait:g} seconds.",
            status=status,
            retry_after=wait,
        )
    if code is None:
        return SlackToolError(
            "unexpected_response",
            f"{host} answered with HTTP status {status} and something that is not an answer of Slack's API."
            if status
            else f"The call to {host} failed before an answer could be read.",
            status=status or None,
        )
    needed, provided = (_plain(data.get(name), token) for name in ("needed", "provided"))
    message = describe_code(code)
    if needed:
        message += f" Needed: {needed}; provided: {provided or 'none'}."
    details = _details(data, token)
    if details:
        message += f" Slack says: {details}"
    return SlackToolError(code, message, status=status, needed=needed, provided=provided)


def _lowered(headers: Mapping[str, str | list[str]]) -> dict[str, str]:
    """Give the first value of each header under its name in small letters."""
    values = {name.lower(): value if isinstance(value, list) else [value] for name, value in headers.items()}
    return {name: value[0] for name, value in values.items() if value}


def _seconds(header: object) -> float:
    """Read a Retry-After in seconds; anything other than a number of seconds counts as one second."""
    try:
        wait = float(str(header))
    except ValueError:
        return _DEFAULT_WAIT
    return wait if math.isfinite(wait) and wait >= 0 else _DEFAULT_WAIT


def _plain(value: object, token: str) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    return value.replace(token, "[token]")[:_DETAIL_CHARACTERS]


def _details(data: Mapping[str, Any], token: str) -> str:
    """Join the remarks that Slack adds to some refusals, such as which argument it did not like."""
    metadata = data.get("response_metadata")
    remarks = metadata.get("messages") if isinstance(metadata, Mapping) else None
    if not isinstance(remarks, list):
        return ""
    return " ".join(filter(None, (_plain(remark, token) for remark in remarks[:_MAX_DETAILS])))
