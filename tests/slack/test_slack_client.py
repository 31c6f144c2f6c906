"""The client: its settings, its session, the proxy, many searches at once, and what happens after it is closed."""

import asyncio

import aiohttp
import pytest
from fake_slack import BOT_TOKEN, TOKEN, FakeSlack
from turnwire.tools.slack import SlackSearchClient, SlackToolError, user_search_messages


@pytest.mark.parametrize(
    ("token", "code"),
    [
        (None, "missing_token"),
        ("", "missing_token"),
        (" \n", "missing_token"),
        (BOT_TOKEN, "not_allowed_token_type"),
        ("xapp-1-secret", "not_allowed_token_type"),
        ("two secrets", "invalid_arguments"),
        ("line\nsecret", "invalid_arguments"),
        ("sécret", "invalid_arguments"),
        (b"secret", "invalid_arguments"),
    ],
)
def test_tokens_that_cannot_work(token: object, code: str):
    with pytest.raises(SlackToolError) as caught:
        SlackSearchClient(token)  # type: ignore[arg-type]
    assert caught.value.code == code
    assert "secret" not in str(caught.value) and "a-bot" not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "slack.com/api/"},
        {"base_url": "ftp://slack.com/"},
        {"base_url": "https://"},
        {"base_url": "https://me:pass@slack.com/api/"},
        {"base_url": "https://slack.com/api/?x=1"},
        {"base_url": "https://slack.com/api/#x"},
        {"base_url": "https://slack.com:99999/"},
        {"base_url": "https://[bad/"},
        {"base_url": 5},
        {"team_id": "my team"},
        {"timeout": -1},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"timeout": "5"},
        {"max_retry_wait": True},
    ],
)
def test_settings_that_cannot_work(settings: dict):
    with pytest.raises(SlackToolError, match=next(iter(settings))) as caught:
        SlackSearchClient(TOKEN, **settings)
    assert caught.value.code == "invalid_arguments"
    assert "pass" not in str(caught.value)


def test_plain_http_is_noted_unless_it_stays_on_this_machine(caplog: pytest.LogCaptureFixture):
    for host in ("localhost", "127.0.0.1", "127.9.9.9", "[::1]", "slack.localhost"):
        SlackSearchClient(TOKEN, base_url=f"http://{host}:1/api")
    assert caplog.records == []
    SlackSearchClient(TOKEN, base_url="http://slack.example/api")
    assert "without encryption" in caplog.text


@pytest.mark.asyncio
async def test_fifty_searches_at_once_over_one_session(slack: FakeSlack, client: SlackSearchClient):
    slack.together = asyncio.Barrier(50)
    searches = [
        user_search_messages("incident", to_me="mention" if n % 2 else False, count=n + 1, client=client)
        for n in range(50)
    ]
    answers = await asyncio.gather(*searches)
    for n, answer in enumerate(answers):
        assert len(answer["messages"]["matches"]) == (0 if n % 2 else min(n + 1, 45))
    assert slack.methods().count("auth.test") == 1
    assert slack.methods().count("search.messages") == 50


@pytest.mark.asyncio
async def test_loopback_is_never_asked_through_a_proxy(slack: FakeSlack, monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with SlackSearchClient(TOKEN, base_url=slack.base_url) as client:
        assert (await user_search_messages("incident", client=client))["ok"] is True


@pytest.mark.asyncio
async def test_other_hosts_are_asked_through_the_proxy(slack: FakeSlack, monkeypatch: pytest.MonkeyPatch):
    # The fake is not a proxy; the test is whether the request reaches it at all.
    monkeypatch.setenv("HTTP_PROXY", slack.base_url.removesuffix("/api/"))
    async with SlackSearchClient(TOKEN, base_url="http://slack.invalid/api/") as client:
        assert (await user_search_messages("incident", client=client))["ok"] is True
    assert slack.methods() == ["search.messages"]


@pytest.mark.asyncio
async def test_session_that_is_handed_in_stays_open(slack: FakeSlack):
    async with aiohttp.ClientSession() as session:
        async with SlackSearchClient(TOKEN, base_url=slack.base_url, session=session) as client:
            await user_search_messages("incident", client=client)
        assert not session.closed


@pytest.mark.asyncio
async def test_closed_client(client: SlackSearchClient):
    await user_search_messages("incident", client=client)
    await client.aclose()
    await client.aclose()
    with pytest.raises(SlackToolError, match="client_unusable"):
        await user_search_messages("incident", client=client)


def test_client_in_another_event_loop():
    async def first() -> SlackSearchClient:
        async with FakeSlack() as slack:
            client = SlackSearchClient(TOKEN, base_url=slack.base_url)
            await user_search_messages("incident", client=client)
            search = user_search_messages("incident", client=client)
            with pytest.raises(SlackToolError, match="client_unusable"):
                await asyncio.get_running_loop().run_in_executor(None, asyncio.run, search)
            await client.aclose()
            return client

    asyncio.run(first())
