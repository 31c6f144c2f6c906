"""What can go wrong at Slack or on the way there: one error type, bounded patience, and no token anywhere."""

import asyncio
import json
import logging
import pickle
import time
import traceback

import pytest
from aiohttp import web
from fake_slack import TOKEN, FakeSlack, Fault, body, cut_short, drop, hang, limit, refuse, reply
from turnwire.tools.slack import SlackSearchClient, SlackToolError, user_search_messages


async def failure(client: SlackSearchClient, **arguments: object) -> SlackToolError:
    """The error of a search that must fail, checked for the token."""
    with pytest.raises(SlackToolError) as caught:
        await user_search_messages("incident", client=client, **arguments)
    error = caught.value
    shown = "".join(traceback.format_exception(error, chain=True)) + repr(error) + json.dumps(error.to_dict())
    assert TOKEN not in shown
    assert error.__context__ is None or isinstance(error.__context__, SlackToolError)
    assert str(error) == f"{error.code}: {error.message}"
    assert " " in error.message
    return error


BODIES: dict[str, Fault] = {
    "html 200": body("<html>maintenance</html>", "text/html"),
    "html 404": body("<html>no such page</html>", "text/html", 404),
    "html 503": body("<html>upstream</html>", "text/html", 503),
    "text": body("something is wrong", "text/plain"),
    "text 500": body("something is wrong", "text/plain", 500),
    "list": body("[1, 2]"),
    "string": body('"ok"'),
    "number": body("3"),
    "null": body("null"),
    "broken": body('{"ok": true, "messages": '),
    "empty": body(""),
    "not UTF-8": body(b'{"ok": true, "query": "\xff\xfe"}'),
    "no ok": body("{}"),
    "ok is false without an error": body('{"ok": false}'),
    "error is no code": body('{"ok": false, "error": {"a": 1}}'),
    "error is a sentence": body('{"ok": false, "error": "You did it wrong"}'),
    "too deep": body("[" * 100_000),
    "gzip": body(b"\x1f\x8b", "application/gzip"),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", BODIES)
async def test_bodies_that_are_no_answer(slack: FakeSlack, client: SlackSearchClient, kind: str):
    slack.faults.append(BODIES[kind])
    error = await failure(client)
    assert error.code == "unexpected_response"
    assert error.status in (None, 200, 404, 500, 503)
    if kind[-3:].isdigit():
        assert error.status == int(kind[-3:])
    assert len(slack.calls) == 1
    # The client still works.
    assert (await user_search_messages("incident", client=client))["messages"]["total"] == 45


@pytest.mark.asyncio
async def test_codes_of_slack(slack: FakeSlack, client: SlackSearchClient):
    slack.faults.append(refuse("fatal_error"))
    error = await failure(client)
    assert (error.code, error.status) == ("fatal_error", 200)
    assert error.message == "Slack refused the call with the error 'fatal_error'."
    slack.faults.append(refuse("internal_error", status=500))
    assert (await failure(client)).status == 500


@pytest.mark.asyncio
async def test_remarks_of_slack_reach_the_model(slack: FakeSlack, client: SlackSearchClient):
    remarks = {"messages": [f"[ERROR] bad value {TOKEN}", 5, "x" * 1000, "never shown", "never shown"]}
    slack.faults.append(refuse("invalid_arguments", response_metadata=remarks))
    error = await failure(client)
    assert "Slack says: [ERROR] bad value [token]" in error.message
    assert "never shown" not in error.message
    assert len(error.message) < 400


@pytest.mark.asyncio
async def test_missing_scope_names_the_scopes(slack: FakeSlack, client: SlackSearchClient):
    slack.faults.append(refuse("missing_scope", needed="search:read", provided="identify,users:read"))
    error = await failure(client)
    assert (error.code, error.needed, error.provided) == ("missing_scope", "search:read", "identify,users:read")
    assert "Needed: search:read; provided: identify,users:read." in error.message
    assert error.to_dict()["needed"] == "search:read"


@pytest.mark.asyncio
async def test_wrong_tokens(slack: FakeSlack):
    async with SlackSearchClient("xoxp-another", base_url=slack.base_url) as client:
        assert (await failure(client)).code == "invalid_auth"
    # Only Slack itself notices a bot token with another prefix.
    slack.faults.append(refuse("not_allowed_token_type"))
    async with SlackSearchClient(TOKEN, base_url=slack.base_url) as client:
        assert "xoxp-" in (await failure(client)).message


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (refuse("invalid_auth"), "invalid_auth"),
        (body("<html>", "text/html", 503), "unexpected_response"),
        (refuse("", ok=True), "unexpected_response"),
        (refuse("", ok=True, user_id="U0> in:<#C01"), "unexpected_response"),
        (refuse("", ok=True, user_id=7), "unexpected_response"),
    ],
)
async def test_no_search_without_a_user(slack: FakeSlack, client: SlackSearchClient, fault: Fault, code: str):
    slack.auth_faults.append(fault)
    error = await failure(client, to_me=True)
    assert error.code == code
    assert error.message.startswith(f"Failed to get current user info: {code}. ")
    assert slack.methods() == ["auth.test"]
    # A failure is not cached.
    assert (await user_search_messages("incident", to_me=True, client=client))["ok"] is True


@pytest.mark.asyncio
@pytest.mark.parametrize(("header", "waits"), [("0", 0.0), ("0.2", 0.2), ("0.4999", 0.4999)])
async def test_short_rate_limit_is_waited_out_once(
    slack: FakeSlack, client: SlackSearchClient, header: str, waits: float
):
    slack.faults.append(limit(header))
    start = time.monotonic()
    answer = await user_search_messages("incident", client=client)
    assert answer["messages"]["total"] == 45
    assert len(slack.calls) == 2
    assert time.monotonic() - start >= waits


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("header", "seconds"),
    [("30", 30.0), ("0.75", 0.75), (None, 1.0), ("soon", 1.0), ("-3", 1.0), ("inf", 1.0), ("nan", 1.0)],
)
async def test_longer_rate_limit_is_reported_at_once(
    slack: FakeSlack, client: SlackSearchClient, header: str | None, seconds: float
):
    slack.faults.append(limit(header))
    error = await failure(client)
    assert (error.code, error.status, error.retry_after) == ("ratelimited", 429, seconds)
    assert f"Slack asks for {seconds:g} seconds." in error.message
    assert len(slack.calls) == 1


@pytest.mark.asyncio
async def test_rate_limit_twice(slack: FakeSlack, client: SlackSearchClient):
    slack.faults += [limit("0"), limit("0.1"), limit("0")]
    error = await failure(client)
    assert (error.code, error.retry_after) == ("ratelimited", 0.1)
    assert len(slack.calls) == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/json"])
async def test_rate_limit_with_any_body(slack: FakeSlack, client: SlackSearchClient, kind: str):
    slack.faults.append(body("slow down", kind, 429, headers={"Retry-After": "77"}))
    error = await failure(client)
    assert (error.code, error.status, error.retry_after) == ("ratelimited", 429, 77.0)


@pytest.mark.asyncio
async def test_rate_limit_before_the_user_is_known(slack: FakeSlack, client: SlackSearchClient):
    slack.auth_faults.append(limit("0"))
    assert (await user_search_messages("incident", to_me=True, client=client))["ok"] is True
    assert slack.methods() == ["auth.test", "auth.test", "search.messages"]


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", [drop, cut_short])
async def test_dropped_connection_is_tried_again_once(slack: FakeSlack, client: SlackSearchClient, fault: Fault):
    slack.faults.append(fault)
    assert (await user_search_messages("incident", client=client))["messages"]["total"] == 45
    slack.faults += [fault] * 4
    assert (await failure(client)).code == "connection_failed"


@pytest.mark.asyncio
async def test_a_closed_port(slack: FakeSlack):
    url = slack.base_url
    await slack.server.close()
    async with SlackSearchClient(TOKEN, base_url=url) as client:
        error = await failure(client)
    assert error.code == "connection_failed"
    assert error.message == "The connection to 127.0.0.1 failed (ClientConnectorError)."


@pytest.mark.asyncio
async def test_timeout(slack: FakeSlack):
    async with SlackSearchClient(TOKEN, base_url=slack.base_url, timeout=0.1) as client:
        slack.faults.append(hang)
        error = await failure(client)
        assert error.code == "timeout"
        assert error.message == "127.0.0.1 did not answer within 0.1 seconds."
        assert len(slack.calls) == 1
        assert (await user_search_messages("incident", client=client))["ok"] is True


@pytest.mark.asyncio
@pytest.mark.parametrize("header", ["5", None])
async def test_cancellation_in_the_middle_of_a_retry(slack: FakeSlack, header: str | None):
    async with SlackSearchClient(TOKEN, base_url=slack.base_url, max_retry_wait=60) as client:
        slack.faults.append(limit(header))
        task = asyncio.create_task(user_search_messages("incident", client=client))
        while not slack.calls:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(slack.calls) == 1
        assert (await user_search_messages("incident", client=client))["ok"] is True


@pytest.mark.asyncio
async def test_cancellation_of_the_first_request_for_the_user(slack: FakeSlack, client: SlackSearchClient):
    slack.auth_faults.append(hang)
    first = asyncio.create_task(user_search_messages("incident", to_me=True, client=client))
    while not slack.calls:
        await asyncio.sleep(0.01)
    second = asyncio.create_task(user_search_messages("incident", to_me=True, client=client))
    await asyncio.sleep(0.05)
    first.cancel()
    assert (await second)["ok"] is True
    assert first.cancelled()


@pytest.mark.asyncio
async def test_faults_stay_with_their_search(slack: FakeSlack, client: SlackSearchClient):
    slack.faults += [refuse("fatal_error"), body("x", "text/plain", 500), limit("60"), body("x", "text/html", 404)] * 3
    searches = [user_search_messages("incident", client=client) for _ in range(20)]
    outcomes = await asyncio.gather(*searches, return_exceptions=True)
    found = sorted((o.code, o.status) for o in outcomes if isinstance(o, SlackToolError))
    assert found == sorted(
        [("fatal_error", 200), ("unexpected_response", 500), ("ratelimited", 429), ("unexpected_response", 404)] * 3
    )
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 8


@pytest.mark.asyncio
async def test_token_is_in_no_log_and_no_repr(
    slack: FakeSlack, client: SlackSearchClient, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    for name in list(logging.root.manager.loggerDict):
        caplog.set_level(logging.DEBUG, name)
    # A server that sends everything back, the token included.
    echo = {"ok": False, "error": TOKEN, "needed": TOKEN, "response_metadata": {"messages": [TOKEN]}}
    slack.faults += [
        reply(web.json_response, echo),
        reply(web.json_response, echo | {"error": "missing_scope"}, status=400),
        reply(web.json_response, echo | {"error": "xoxp"}, status=500),
        body(TOKEN, "text/plain", 500),
        body(f"{{{TOKEN}"),
        limit("0"),
        drop,
    ]
    for code in ("unexpected_response", "missing_scope", "xoxp", "unexpected_response", "unexpected_response"):
        assert (await failure(client)).code == code
    await user_search_messages("incident", to_me=True, client=client)
    assert "search.messages: ratelimited, trying again" in caplog.text
    assert TOKEN not in caplog.text
    assert TOKEN not in "".join(str(record.__dict__) for record in caplog.records)
    assert TOKEN not in repr(client) + str(client)


def test_error_survives_pickle():
    error = SlackToolError("missing_scope", "No.", status=200, retry_after=1.5, needed="a", provided="b")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.to_dict()) == (str(error), error.to_dict())
    assert error.to_dict() == {
        "ok": False,
        "error": "missing_scope",
        "message": "No.",
        "status": 200,
        "retry_after": 1.5,
        "needed": "a",
        "provided": "b",
    }


@pytest.mark.asyncio
async def test_a_token_that_looks_like_a_code_is_not_repeated(slack: FakeSlack):
    slack.faults.append(refuse("plain_secret"))
    async with SlackSearchClient("plain_secret", base_url=slack.base_url) as client:
        error = await failure(client)
    assert error.code == "unexpected_response"
    assert "plain_secret" not in str(error)


@pytest.mark.asyncio
async def test_an_unreadable_answer_does_not_borrow_the_status_of_another(slack: FakeSlack, client: SlackSearchClient):
    limited = asyncio.Event()

    async def unreadable(request: web.Request) -> web.StreamResponse:
        await limited.wait()
        return await BODIES["not UTF-8"](request)

    slack.faults.append(unreadable)
    first = asyncio.create_task(failure(client))
    while not slack.calls:
        await asyncio.sleep(0.01)
    slack.faults.append(limit("60"))
    assert (await failure(client)).code == "ratelimited"
    limited.set()
    assert (await first).code == "unexpected_response"


@pytest.mark.asyncio
async def test_refused_values_are_shown_short(client: SlackSearchClient):
    error = await failure(client, sort="x" * 100_000)
    assert "'xxx" in error.message
    assert len(error.message) < 150
