"""A client for Slack's search: one session, one user token, time limits, and every failure as a `SlackToolError`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Protocol, Self

try:
    import aiohttp
    from slack_sdk.web.async_client import AsyncWebClient
    from slack_sdk.web.async_slack_response import AsyncSlackResponse
except ImportError as error:
    raise ImportError(
        f'turnwire.tools.slack needs the package {error.name!r}; install it with: pip install "turnwire[slack]"',
        name=error.name,
    ) from error

from .errors import SlackToolError
from .faults import AnswerWatch, explain
from .query import is_user_id
from .settings import checked_base_url, checked_seconds, checked_team_id, checked_token, is_loopback

__all__ = ["SearchProvider", "SlackSearchClient"]

_logger = logging.getLogger(__name__)

# At DEBUG the SDK logs whole answers, which have other people's messages and could echo the token. This logger is in
# no hierarchy, so that no setting of the application can turn it on.
_silent = logging.Logger("turnwire.tools.slack.sdk", level=logging.CRITICAL)
_silent.disabled = True

_Send = Callable[[AsyncWebClient], Awaitable[AsyncSlackResponse]]


class SearchProvider(Protocol):
    """What the tool needs of Slack; another search API can take the place of ``search.messages`` behind it."""

    async def get_current_user_id(self) -> str:
        """Give the id of the user whose messages are searched."""
        ...

    async def search(
        self,
        *,
        query: str,
        count: int,
        page: int | None,
        cursor: str | None,
        sort: str,
        sort_dir: str,
        highlight: bool,
    ) -> dict[str, Any]:
        """Give one page of matches in the form of ``search.messages``."""
        ...


class SlackSearchClient:
    """A client for ``auth.test`` and ``search.messages`` with a user token.

    It serves one event loop. Close it with ``await client.aclose()`` or use it in ``async with``.
    """

    def __init__(
        self,
        token: str | None = None,
        *,
        base_url: str | None = None,
        team_id: str | None = None,
        timeout: float = 30.0,
        max_retry_wait: float = 10.0,
        session: aiohttp.ClientSession | None = None,
    ) -> None:
        """Check the settings; nothing is sent yet.

        Args:
            token: A user token (xoxp-); by default the environment's ``SLACK_USER_TOKEN``.
            base_url: The URL that method names are appended to; by default the environment's ``SLACK_API_BASE_URL``,
                else Slack's own. A loopback URL is never asked through a proxy.
            team_id: The workspace to search with an organisation-wide token; by default the environment's
                ``SLACK_TEAM_ID``.
            timeout: Seconds that one request may take, its answer included.
            max_retry_wait: Seconds; a request that Slack asks to repeat within this time is repeated once. A longer
                wait is reported at once.
            session: A session to use; it is not closed by this client.

        Raises:
            SlackToolError: ``missing_token``, ``not_allowed_token_type`` for a bot or app token, and
                ``invalid_arguments`` for everything else that cannot work.
        """
        self._token = checked_token(token)
        self._base_url, self._host = checked_base_url(base_url)
        self._team_id = checked_team_id(team_id)
        self._timeout = checked_seconds("timeout", timeout)
        self._max_retry_wait = checked_seconds("max_retry_wait", max_retry_wait)
        self._session = session
        self._own_session = session is None
        self._web: AsyncWebClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._user_id: str | None = None
        self._user_id_lock = asyncio.Lock()

    def __repr__(self) -> str:
        return f"SlackSearchClient(base_url={self._base_url!r}, team_id={self._team_id!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the session, unless it was handed in. A second call does nothing; a search after it fails."""
        self._closed = True
        self._web = None
        if self._own_session and self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def get_current_user_id(self) -> str:
        """Give the id of the token's owner. Slack is asked once, however many callers wait for it.

        Raises:
            SlackToolError: With Slack's code, when it does not say who the owner is.
        """
        async with self._user_id_lock:
            if self._user_id is None:
                self._user_id = await self._ask_user_id()
            return self._user_id

    async def _ask_user_id(self) -> str:
        refusal: SlackToolError
        try:
            data = await self._call("auth.test", lambda web: web.auth_test())
        except SlackToolError as error:
            refusal = error
        else:
            user_id = data.get("user_id")
            if isinstance(user_id, str) and is_user_id(user_id):
                return user_id
            refusal = SlackToolError("unexpected_response", "Slack's answer to auth.test holds no user id.", status=200)
        raise refusal.with_message(f"Failed to get current user info: {refusal.code}. {refusal.message}")

    async def search(
        self,
        *,
        query: str,
        count: int,
        page: int | None = None,
        cursor: str | None = None,
        sort: str = "score",
        sort_dir: str = "desc",
        highlight: bool = True,
    ) -> dict[str, Any]:
        """Call ``search.messages`` and give its whole answer.

        Args:
            query: The query as Slack's search understands it.
            count: Messages on one page, 1 to 100.
            page: The number of the page, 1 to 100; None lets Slack choose.
            cursor: A cursor that Slack gave; None to send none.
            sort: ``"score"`` or ``"timestamp"``.
            sort_dir: ``"asc"`` or ``"desc"``.
            highlight: Whether Slack marks the found words.

        Raises:
            SlackToolError: For everything that fails.
        """
        return await self._call(
            "search.messages",
            lambda web: web.search_messages(
                query=query,
                count=count,
                page=page,
                cursor=cursor,
                sort=sort,
                sort_dir=sort_dir,
                highlight=highlight,
            ),
        )

    async def _call(self, method: str, send: _Send) -> dict[str, Any]:
        # Both methods only read, so a repeated request does no harm.
        retries = {"ratelimited": 1, "connection_failed": 1}
        while True:
            try:
                return await self._attempt(method, send)
            except SlackToolError as error:
                wait = error.retry_after or 0.0
                if not retries.get(error.code) or wait > self._max_retry_wait:
                    raise
                retries[error.code] -= 1
                _logger.debug("%s: %s, trying again in %g seconds", method, error.code, wait)
            await asyncio.sleep(wait)

    async def _attempt(self, method: str, send: _Send) -> dict[str, Any]:
        web = self._open()
        AnswerWatch.reset()
        failure: Exception | None = None
        try:
            async with asyncio.timeout(self._timeout):
                response = await send(web)
            if isinstance(response.data, dict):
                _logger.debug("%s: status %d", method, response.status_code)
                return response.data
        # Everything: the SDK lets AttributeError, ValueError and more through for bodies it does not expect.
        except Exception as error:
            failure = error
        # Raised outside of the except block, so that the SDK's error, which quotes the answer, is not chained to it.
        raise explain(failure, AnswerWatch.last(), host=self._host, timeout=self._timeout, token=self._token)

    def _open(self) -> AsyncWebClient:
        """Give the SDK's client over one shared session, both made at the first call because they need its loop."""
        if self._closed:
            raise SlackToolError("client_unusable", "This SlackSearchClient is closed; make a new one.")
        loop = asyncio.get_running_loop()
        if self._web is not None:
            if self._loop is not loop:
                raise SlackToolError(
                    "client_unusable", "This SlackSearchClient serves the event loop of its first call; make a new one."
                )
            return self._web
        if self._session is None:
            # The time limit is set around each attempt, for sessions that are handed in too.
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        web = AsyncWebClient(
            self._token,
            base_url=self._base_url,
            session=self._session,
            team_id=self._team_id,
            logger=_silent,
            retry_handlers=[AnswerWatch()],
        )
        if is_loopback(self._host):
            # The SDK takes a proxy from the environment for loopback addresses too, and does not read NO_PROXY.
            web.proxy = None
        self._web, self._loop = web, loop
        return web
