"""Walks the search tool over an independent emulator of Slack, backlot.

``BACKLOT=path/to/backlot python tests/slack/peers.py``, or `make peers`. It is not part of the test run, because the
emulator takes a hundred megabytes to install.
"""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from turnwire.tools.slack import SlackSearchClient, SlackToolError, user_search_messages

MESSAGES = 45
ADMIN = "admin-service-token"
# No telemetry from the emulator.
QUIET = os.environ | {"BACKLOT_TELEMETRY": "0", "DO_NOT_TRACK": "1"}


def corpus() -> Iterator[dict[str, Any]]:
    """Messages in Japanese and English in two channels, some with a reply, and some that no query here finds."""
    for n in range(MESSAGES):
        text = f"障害 incident {n}: 接続が枯渇しています" if n % 2 else f"incident {n} 障害: the pool is exhausted"
        reply = {"content": f"looking {n}", "author_email": "ava@example.com", "created": f"2026-03-01T11:{n:02d}:30Z"}
        yield {
            "source_type": "slack",
            "channel": "incidents" if n % 3 else "general",
            "author_email": "bob@example.com",
            "created": f"2026-03-01T10:{n:02d}:00Z",
            "content": text,
            "replies": [reply] if n % 9 == 0 else [],
        }
    for n in range(10):
        yield {
            "source_type": "slack",
            "channel": "general",
            "author_email": "ava@example.com",
            "created": f"2026-03-02T10:{n:02d}:00Z",
            "content": f"lunch {n}",
        }


@contextmanager
def emulator(command: str) -> Iterator[tuple[str, Path]]:
    """Serve the corpus on a free port; gives the base URL of its Slack and its folder."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        data = Path(folder, "data")
        source = Path(folder, "corpus.jsonl")
        source.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in corpus()), encoding="utf-8")
        common = ["--data-dir", str(data)]
        subprocess.run([command, "import", str(source), *common], env=QUIET, check=True, stdout=subprocess.DEVNULL)
        serve = [command, "serve", "--port", str(port), "--disable-telemetry", "--log-level", "warning", *common]
        with subprocess.Popen(serve, env=QUIET) as process:
            try:
                base_url = f"http://127.0.0.1:{port}/slack/api/"
                wait_for(base_url + "api.test", process)
                yield base_url, data
            finally:
                process.terminate()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        try:
            direct.open(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            if process.poll() is not None:
                sys.exit("the emulator ended before it answered")
            time.sleep(0.1)
        else:
            return
    sys.exit("the emulator does not answer")


async def walk(client: SlackSearchClient, **arguments: Any) -> tuple[list[dict[str, Any]], int, int]:
    """All matches of a search, its total, and its number of pages."""
    found, cursor = [], None
    for page in range(1, 101):
        answer = await user_search_messages(cursor=cursor, client=client, **arguments)
        found += answer["messages"]["matches"]
        cursor = answer.get("response_metadata", {}).get("next_cursor")
        assert ("Use next_cursor" in answer["summary"]) == (cursor is not None)
        if cursor is None:
            return found, answer["messages"]["total"], page
    raise AssertionError("the walk does not end")


async def check(base_url: str, data: Path) -> None:
    channel = await check_pages(base_url)
    await check_users(base_url, data, channel)
    await check_mcp(base_url)


async def check_pages(base_url: str) -> str:
    """The union of all pages is the total, whatever the page size; gives the id of a channel."""
    async with SlackSearchClient(ADMIN, base_url=base_url) as client:
        for response_format in ("concise", "detailed"):
            for count in (1.0, 7, 20, 45, 100):
                found, total, pages = await walk(
                    client, query="incident", count=count, response_format=response_format, sort="timestamp"
                )
                stamps = [match["ts"] for match in found]
                assert len(stamps) == len(set(stamps)) == total == MESSAGES, (len(stamps), total)
                assert stamps == sorted(stamps, reverse=True)
                assert pages == -(-MESSAGES // int(count))
                print(f"{response_format}, {count:g} a page: {pages} pages, union {len(set(stamps))} of {total}")
        answer = await user_search_messages("障害", count=100, client=client)
        assert answer["messages"]["total"] == MESSAGES
        (channel,) = {m["channel_id"] for m in answer["messages"]["matches"] if m["channel_name"] == "general"}
        replies = await user_search_messages("looking", client=client)
        assert all(re.fullmatch(r"\d+\.\d+", match["thread_ts"]) for match in replies["messages"]["matches"])
        assert replies["messages"]["total"] == 5
        print(f"a query in Japanese: {answer['messages']['total']} found; replies that name their thread: 5")
        return channel


async def check_users(base_url: str, data: Path, channel: str) -> None:
    """A stranger is refused, a user of the corpus is known."""
    async with SlackSearchClient("xoxp-nobody", base_url=base_url) as stranger:
        for to_me in (False, True):
            try:
                await user_search_messages("incident", to_me=to_me, client=stranger)
            except SlackToolError as error:
                assert error.code == "invalid_auth", error
            else:
                raise AssertionError("a stranger's search was answered")
    print("a stranger is refused: invalid_auth")
    token = re.search(r"email: bob@example\.com\s+name: \S+\s+token: (\S+)", (data / "tokens.yaml").read_text())
    assert token is not None
    async with SlackSearchClient(token.group(1), base_url=base_url) as bob:
        me = await bob.get_current_user_id()
        answer = await user_search_messages("incident", [channel], to_me="mention", client=bob)
    assert answer["query"] == f"incident <@{me}> in:<#{channel}>"
    print(f"a user of the corpus: {me}, asked for {answer['query']!r}")


async def check_mcp(base_url: str) -> None:
    """The same through the server that a client starts."""
    settings = {"SLACK_USER_TOKEN": ADMIN, "SLACK_API_BASE_URL": base_url}
    settings |= {name: value for name, value in os.environ.items() if name == "PYTHONPATH"}
    server = StdioServerParameters(command=sys.executable, args=["-m", "turnwire.tools.slack.server"], env=settings)
    async with Client(server) as mcp:
        await mcp.list_tools()
        result = await mcp.call_tool("slack_user_search_messages", {"query": "incident", "count": 5})
    assert result.structured_content["messages"]["total"] == MESSAGES
    print("over MCP and stdio:", result.structured_content["summary"])


def main() -> None:
    command = os.environ.get("BACKLOT")
    if not command:
        sys.exit("BACKLOT must be the path of the command `backlot`")
    with emulator(command) as (base_url, data):
        asyncio.run(check(base_url, data))


if __name__ == "__main__":
    main()
