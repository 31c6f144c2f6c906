"""A Slack Web API on a loopback port, with the behaviour that was measured at the real one."""

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer
from matches import ME, answer_of

TOKEN = "xoxp-1111-2222-very-secret"
BOT_TOKEN = "xoxb-1111-a-bot"
LAST_PAGE = 100

Fault = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Call:
    method: str
    params: dict[str, str]
    bearer: str


@dataclass
class FakeSlack:
    """Serves ``matches``; ``faults`` answer the next calls instead, in order."""

    matches: list[dict[str, Any]] = field(default_factory=list)
    user_id: str = ME
    # The real service ignores cursor=; with this option a cursor works, as its documentation says.
    cursors: bool = False
    calls: list[Call] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    auth_faults: deque[Fault] = field(default_factory=deque)
    # With it, searches are answered only when as many have arrived as it has parties.
    together: asyncio.Barrier | None = None

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/api/auth.test", self._auth_test)
        app.router.add_get("/api/search.messages", self._search)
        self.server = TestServer(app, host="127.0.0.1")
        await self.server.start_server()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.server.close()

    @property
    def base_url(self) -> str:
        return str(self.server.make_url("/api/"))

    def searches(self) -> list[dict[str, str]]:
        return [call.params for call in self.calls if call.method == "search.messages"]

    def methods(self) -> list[str]:
        return [call.method for call in self.calls]

    async def _auth_test(self, request: web.Request) -> web.StreamResponse:
        refused = self._note("auth.test", request)
        if self.auth_faults:
            return await self.auth_faults.popleft()(request)
        return refused or web.json_response(
            {
                "ok": True,
                "url": "https://example.slack.com/",
                "team": "Example",
                "user": "me",
                "team_id": "T0TEAM",
                "user_id": self.user_id,
                "is_enterprise_install": False,
            }
        )

    async def _search(self, request: web.Request) -> web.StreamResponse:
        refused = self._note("search.messages", request)
        if self.faults:
            return await self.faults.popleft()(request)
        if self.together is not None:
            await self.together.wait()
        return refused or web.json_response(self._answer(dict(request.query)))

    def _note(self, method: str, request: web.Request) -> web.Response | None:
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.calls.append(Call(method, dict(request.query), bearer))
        if bearer == TOKEN:
            return None
        error = "not_allowed_token_type" if bearer.startswith("xoxb-") else "invalid_auth" if bearer else "not_authed"
        return web.json_response({"ok": False, "error": error})

    def _answer(self, params: dict[str, str]) -> dict[str, Any]:
        if "query" not in params:
            return _invalid("missing required field: query")
        if not params["query"].strip():
            return {"ok": False, "error": "no_query"}
        count, page = params.get("count", "20"), params.get("page", "1")
        for name, value in (("count", count), ("page", page)):
            if not re.fullmatch("[0-9]+", value):
                return _invalid(f"must provide a number [json-pointer:/{name}]")
        if not 1 <= int(count) <= 100:
            return _invalid("must be between 1 and 100 [json-pointer:/count]")
        if params.get("sort_dir", "desc") not in ("asc", "desc"):
            return _invalid("must be a valid enum value [json-pointer:/sort_dir]")
        found = [match for match in self.matches if _hit(params["query"], match)]
        pages = min(-(-len(found) // int(count)), LAST_PAGE)
        number = int(page)
        if self.cursors and params.get("cursor", "*") != "*":
            number = int(params["cursor"].removeprefix("c="))
        # Out of range is not an error: it is the first page again.
        answer = answer_of(found, number if number <= pages else 1, int(count))
        answer["query"] = params["query"]
        if params.get("highlight") == "1":
            word = params["query"].split()[0]
            for match in answer["messages"]["matches"]:
                match["text"] = match["text"].replace(word, f"\ue000{word}\ue001")
        if self.cursors and number < pages:
            answer["response_metadata"] = {"next_cursor": f"c={number + 1}"}
        return answer


def _hit(query: str, match: dict[str, Any]) -> bool:
    channel = match["channel"]
    scopes = []
    for term in query.split():
        if scope := re.fullmatch(r"in:<([#@])(\w+)>", term):
            mark, wanted = scope.groups()
            scopes.append(channel["id"] == wanted if mark == "#" else channel.get("user") == wanted)
        elif re.fullmatch(r"to:<@\w+>", term):
            if not channel["is_im"]:
                return False
        elif term.lower() not in match["text"].lower():
            return False
    return any(scopes) if scopes else True


def _invalid(remark: str) -> dict[str, Any]:
    return {"ok": False, "error": "invalid_arguments", "response_metadata": {"messages": [f"[ERROR] {remark}"]}}


def refuse(error: str, status: int = 200, **fields: Any) -> Fault:
    return reply(web.json_response, {"ok": False, "error": error, **fields}, status=status)


def limit(header: str | None) -> Fault:
    headers = {} if header is None else {"Retry-After": header}
    return reply(web.json_response, {"ok": False, "error": "ratelimited"}, status=429, headers=headers)


def body(text: str | bytes, content_type: str = "application/json", status: int = 200, **more: Any) -> Fault:
    data = text.encode() if isinstance(text, str) else text
    return reply(
        web.Response, body=data, headers={"Content-Type": content_type} | more.pop("headers", {}), status=status
    )


def reply(make: Callable[..., web.Response], *arguments: Any, **options: Any) -> Fault:
    async def fault(request: web.Request) -> web.StreamResponse:
        return make(*arguments, **options)

    return fault


async def drop(request: web.Request) -> web.StreamResponse:
    """Close the connection without an answer."""
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def hang(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(5)
    return web.Response()


async def cut_short(request: web.Request) -> web.StreamResponse:
    """Promise more bytes than are sent."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"ok": true')
    assert request.transport is not None
    request.transport.close()
    return response
