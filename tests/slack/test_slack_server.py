"""The MCP server under the official MCP client: in memory, as a subprocess over stdio, and over streamable HTTP."""

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fake_slack import BOT_TOKEN, TOKEN, FakeSlack, body, limit, refuse
from matches import ME, answer_of, corpus, make_match
from mcp import Client, MCPError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from turnwire.tools.slack import SlackSearchClient
from turnwire.tools.slack.server import TOOL, build_server, call_tool, main

NAME = "slack_user_search_messages"
PYTHON_PATH = os.pathsep.join(filter(None, [str(Path(__file__).parents[2] / "python"), os.environ.get("PYTHONPATH")]))


def settings(slack: FakeSlack, **more: str) -> dict[str, str]:
    return {"SLACK_USER_TOKEN": TOKEN, "SLACK_API_BASE_URL": slack.base_url, "PYTHONPATH": PYTHON_PATH} | more


def command(*options: str) -> list[str]:
    """The console script's own entry, with every warning an error."""
    return ["-W", "error", "-m", "turnwire.tools.slack.server", *options]


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def check_conversation(mcp: Client, slack: FakeSlack) -> None:
    """What a client does: list, call, page, ask for more, fail."""
    (tool,) = (await mcp.list_tools()).tools
    assert tool.name == NAME
    first = await mcp.call_tool(NAME, {"query": "障害", "count": 20.0, "to_me": False})
    assert first.is_error is False
    answer = json.loads(text_of(first))
    assert answer == first.structured_content
    assert "障害" in text_of(first) and "\\u" not in text_of(first)
    assert answer["messages"]["total"] == 45
    second = await mcp.call_tool(NAME, {"query": "障害", "cursor": answer["response_metadata"]["next_cursor"]})
    assert {m["ts"] for m in answer["messages"]["matches"]}.isdisjoint(
        m["ts"] for m in second.structured_content["messages"]["matches"]
    )
    detailed = await mcp.call_tool(NAME, {"query": "障害", "response_format": "detailed", "highlight": False})
    assert detailed.structured_content["messages"] == answer_of(corpus(45, "ja"))["messages"]
    await mcp.call_tool(NAME, {"query": "障害", "to_me": "mention"})
    assert slack.searches()[-1]["query"] == f"障害 <@{ME}>"
    refused = await mcp.call_tool(NAME, {"query": "障害", "count": 20.5})
    assert refused.is_error is True
    assert json.loads(text_of(refused)) == {
        "ok": False,
        "error": "invalid_arguments",
        "message": "count must be a whole number, but it is 20.5.",
    }
    slack.faults.append(refuse("missing_scope", needed="search:read", provided="identify"))
    failed = await mcp.call_tool(NAME, {"query": "障害"})
    assert failed.is_error is True
    assert json.loads(text_of(failed))["needed"] == "search:read"


@pytest.fixture(autouse=True)
def japanese(request: pytest.FixtureRequest) -> None:
    if "slack" in request.fixturenames:
        request.getfixturevalue("slack").matches = corpus(45, "ja")


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_in_memory(slack: FakeSlack, client: SlackSearchClient, mode: str):
    async with Client(build_server(client), raise_exceptions=True, mode=mode) as mcp:
        (tool,) = (await mcp.list_tools()).tools
        assert tool.model_dump(by_alias=True, exclude_none=True) == TOOL.model_dump(by_alias=True, exclude_none=True)
        assert tool.annotations.read_only_hint is True
        assert tool.meta == {"category": "SLACK_MESSAGE"}
        await check_conversation(mcp, slack)
        with pytest.raises(MCPError, match="Unknown tool"):
            await mcp.call_tool("slack_delete_everything", {})


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_stdio(slack: FakeSlack, mode: str, tmp_path: Path):
    """Under DEBUG logging: the client would choke on a log line in the server's standard output."""
    parameters = StdioServerParameters(
        command=sys.executable, args=command("--log-level", "debug"), env=settings(slack, PYTHONASYNCIODEBUG="1")
    )
    with (tmp_path / "log").open("w+") as log:
        async with Client(stdio_client(parameters, errlog=log), mode=mode) as mcp:
            await check_conversation(mcp, slack)
        log.seek(0)
        written = log.read()
    assert "search.messages: status 200" in written
    assert TOKEN not in written
    assert "Traceback" not in written and "Warning" not in written


@pytest.mark.asyncio
async def test_installed_command_is_all_that_a_client_needs(slack: FakeSlack):
    """As the documentation says: one command, one environment variable (and the fake instead of slack.com)."""
    script = Path(sys.executable).with_name("turnwire-slack-mcp")
    environment = {"SLACK_USER_TOKEN": TOKEN, "SLACK_API_BASE_URL": slack.base_url}
    async with Client(StdioServerParameters(command=str(script), env=environment)) as mcp:
        (tool,) = (await mcp.list_tools()).tools
        result = await mcp.call_tool(tool.name, {"query": "障害", "to_me": True})
    assert result.is_error is False
    assert slack.methods() == ["auth.test", "search.messages"]


def test_standard_output_is_protocol_only():
    """Every line of standard output, from start to end, is a JSON-RPC message."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        },
    }
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": NAME, "arguments": {"query": "x"}}}
    lines = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call]
    environment = os.environ | {
        "PYTHONPATH": PYTHON_PATH,
        "SLACK_USER_TOKEN": TOKEN,
        "SLACK_API_BASE_URL": "http://127.0.0.1:9/",
    }
    with subprocess.Popen(
        [sys.executable, *command("--log-level", "debug")],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, log = process.communicate(timeout=30)
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["isError"] is True
    assert "connection_failed" in answers[1]["result"]["content"][0]["text"]
    assert rest == ""
    assert process.returncode == 0
    assert "DEBUG" in log and TOKEN not in log and "Traceback" not in log


@asynccontextmanager
async def http_server(slack: FakeSlack) -> AsyncIterator[tuple[str, list[str]]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command("--transport", "http", "--port", "0", "--log-level", "info"),
        env=os.environ | settings(slack),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    log: list[str] = []
    try:
        url = None
        while url is None:
            line = (await asyncio.wait_for(process.stderr.readline(), 20)).decode()
            assert line, "".join(log)
            log.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            url = found and f"{found.group()}/mcp"
        yield url, log
    finally:
        process.terminate()
        out, err = await asyncio.wait_for(process.communicate(), 20)
        log.append(err.decode())
        assert out == b""


@pytest.mark.asyncio
async def test_over_streamable_http(slack: FakeSlack):
    async with http_server(slack) as (url, log):
        for mode in ("auto", "legacy"):
            async with Client(url, mode=mode) as mcp:
                await check_conversation(mcp, slack)
        async with Client(url) as one, Client(url) as other:
            calls = [mcp.call_tool(NAME, {"query": "障害", "to_me": True}) for mcp in (one, other) * 10]
            assert not any(result.is_error for result in await asyncio.gather(*calls))
    assert slack.methods().count("auth.test") == 1
    assert TOKEN not in "".join(log) and "Traceback" not in "".join(log)


@pytest.mark.asyncio
async def test_the_summary_names_only_tools_that_the_server_has(client: SlackSearchClient):
    async with Client(build_server(client)) as mcp:
        tools = {tool.name for tool in (await mcp.list_tools()).tools}
        summary = (await mcp.call_tool(NAME, {"query": "障害"})).structured_content["summary"]
    assert "To get full message details" in summary
    assert set(re.findall(r"slack_\w+", summary)) <= tools
    for argument, value in re.findall(r"(\w+)=(\w+)", summary):
        assert value in TOOL.input_schema["properties"][argument]["enum"]


@pytest.mark.asyncio
async def test_cut_texts_still_fit_the_output_schema(slack: FakeSlack, client: SlackSearchClient):
    slack.matches = [make_match(n, text="障害" * 5000) for n in range(100)]
    async with Client(build_server(client, max_text_bytes=5000)) as mcp:
        await mcp.list_tools()
        result = await mcp.call_tool(NAME, {"query": "障害", "count": 100, "highlight": False})
    texts = [match["text"] for match in result.structured_content["messages"]["matches"]]
    assert sum(len(text.encode()) for text in texts) <= 5000
    assert "100 of 100 texts were cut to fit 5000 bytes" in result.structured_content["summary"]
    jsonschema.validate(json.loads(text_of(result)), TOOL.output_schema)


@pytest.mark.asyncio
@pytest.mark.parametrize("response_format", ["concise", "detailed"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_json_cannot_hold(slack: FakeSlack, client: SlackSearchClient, response_format: str, mode: str):
    answer = answer_of([make_match(0, text="half", score="SCORE")])
    sent = json.dumps(answer).replace('"half"', '"half \\ud83d, whole \\ud83d\\ude00"').replace('"SCORE"', "NaN")
    slack.faults.append(body(sent))
    async with Client(build_server(client), mode=mode) as mcp:
        result = await mcp.call_tool(NAME, {"query": "障害", "response_format": response_format})
    (match,) = json.loads(text_of(result))["messages"]["matches"]
    assert match["text"] == "half \ufffd, whole 😀"
    assert match.get("score") is None
    assert result.structured_content == json.loads(text_of(result))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (None, "query is required"),
        ({}, "query is required"),
        ({"query": None}, "query is required"),
        ({"query": ""}, "blank"),
        ({"query": "x", "limit": 5}, "There is no argument 'limit'; the arguments are query, channel_ids, to_me"),
        ({"query": "x", "channel_ids": ["#general"]}, "not names"),
        ({"query": "x", "cursor": "page:x"}, "next_cursor of an earlier answer"),
    ],
)
async def test_refusals_say_what_the_model_can_do(
    slack: FakeSlack, client: SlackSearchClient, arguments: dict[str, Any] | None, words: str
):
    async with Client(build_server(client), raise_exceptions=True) as mcp:
        result = await mcp.call_tool(NAME, arguments)
    assert result.is_error is True
    assert words in json.loads(text_of(result))["message"]
    assert slack.calls == []


@pytest.mark.asyncio
async def test_null_means_not_given(slack: FakeSlack, client: SlackSearchClient):
    names = [name for name in TOOL.input_schema["properties"] if name != "query"]
    result = await call_tool({"query": "障害", **dict.fromkeys(names)}, client)
    assert result.is_error is False
    assert slack.searches() == [{"query": "障害", "count": "20", "sort": "score", "sort_dir": "desc", "highlight": "1"}]


@pytest.mark.asyncio
async def test_rate_limit_reaches_the_model(slack: FakeSlack, client: SlackSearchClient):
    slack.faults.append(limit("45"))
    result = await call_tool({"query": "障害"}, client)
    assert result.is_error is True
    assert json.loads(text_of(result))["retry_after"] == 45


@pytest.mark.asyncio
async def test_a_bug_is_a_failed_call_and_a_line_in_the_log(caplog: pytest.LogCaptureFixture):
    class Broken:
        async def search(self, **params: Any) -> dict[str, Any]:
            raise ZeroDivisionError("a detail for the log")

    with caplog.at_level(logging.ERROR):
        result = await call_tool({"query": "x"}, Broken())  # type: ignore[arg-type]
    assert result.is_error is True
    assert json.loads(text_of(result))["error"] == "tool_failed"
    assert "a detail" not in text_of(result)
    assert "a detail for the log" in caplog.text


@pytest.mark.asyncio
async def test_an_answer_that_is_nested_too_deeply_to_be_written_is_a_failed_call():
    deep: list[Any] = []
    for _ in range(sys.getrecursionlimit()):
        deep = [deep]

    class Nested:
        async def search(self, **params: Any) -> dict[str, Any]:
            return answer_of([make_match(1) | {"username": deep}])

    result = await call_tool({"query": "x"}, Nested())  # type: ignore[arg-type]
    assert result.is_error is True
    assert json.loads(text_of(result))["error"] == "tool_failed"


@pytest.mark.asyncio
async def test_cancelled_call_ends_in_the_middle_of_a_retry(slack: FakeSlack):
    async with SlackSearchClient(TOKEN, base_url=slack.base_url, max_retry_wait=60) as client:
        slack.faults.append(limit("30"))
        task = asyncio.create_task(call_tool({"query": "障害"}, client))
        while not slack.calls:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert len(slack.calls) == 1


@pytest.mark.asyncio
async def test_client_that_gives_up_stops_the_retry(slack: FakeSlack):
    """The client's cancellation reaches the wait for the rate limit: the request is not repeated."""
    async with (
        SlackSearchClient(TOKEN, base_url=slack.base_url, max_retry_wait=60) as client,
        Client(build_server(client), mode="legacy") as mcp,
    ):
        slack.faults.append(limit("0.5"))
        task = asyncio.create_task(mcp.call_tool(NAME, {"query": "障害"}))
        while not slack.calls:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.8)
        assert len(slack.calls) == 1
        assert (await mcp.call_tool(NAME, {"query": "障害"})).is_error is False


@pytest.mark.parametrize(
    ("token", "words"), [(None, "set SLACK_USER_TOKEN"), (BOT_TOKEN, "needs a user token (xoxp-)")]
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_server_without_a_usable_token(
    token: str | None,
    words: str,
    transport: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    if token:
        monkeypatch.setenv("SLACK_USER_TOKEN", token)
    assert main(["--transport", transport]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("turnwire-slack-mcp: ") and words in err
    assert BOT_TOKEN not in err


@pytest.mark.parametrize("options", [["--max-text-bytes", "-1"], ["--max-text-bytes", "x"], ["--transport", "tcp"]])
def test_bad_options(options: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(options)
    assert caught.value.code == 2
    assert options[0] in capsys.readouterr().err
