"""Fixtures: the loopback Slack, a client for it, and an environment without Slack settings or proxies."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from fake_slack import TOKEN, FakeSlack
from matches import corpus
from turnwire.tools.slack import SlackSearchClient


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    names = ("SLACK_USER_TOKEN", "SLACK_API_BASE_URL", "SLACK_TEAM_ID")
    for name in (*names, "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack(corpus(45)) as fake:
        yield fake


@pytest_asyncio.fixture
async def client(slack: FakeSlack) -> AsyncIterator[SlackSearchClient]:
    async with SlackSearchClient(TOKEN, base_url=slack.base_url, timeout=2, max_retry_wait=0.5) as client:
        yield client
