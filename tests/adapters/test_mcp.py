"""The decorator under the SDK's own server and client, in one process."""

import asyncio
import json
from typing import Any

import pytest
import turnwire as tw
from needs import framework, rows

mcp = framework("mcp", "mcp")
from mcp import types  # noqa: E402
from pydantic import BaseModel  # noqa: E402
from turnwire.adapters import mcp as adapter  # noqa: E402

limit = adapter.limit
BUDGET = 2_000
LONG = "行\n" * 3_000


class Found(BaseModel):
    path: str
    lines: list[str]
    count: int


def connected(tools):
    """A server of these tools, and a client of it, by either generation of the SDK."""
    if hasattr(mcp, "Client"):
        server = mcp.server.MCPServer("test")
        opened = mcp.Client(server, raise_exceptions=True)
    else:
        from mcp.server.fastmcp import FastMCP
        from mcp.shared.memory import create_connected_server_and_client_session

        server = FastMCP("test")
        opened = create_connected_server_and_client_session(server._mcp_server, raise_exceptions=True)
    for tool in tools:
        server.tool()(tool)
    return opened


def run(tools, *asked):
    """A client's list of the tools, and its results from them."""

    async def call():
        async with connected(tools) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            return listed, [await client.call_tool(name, arguments) for name, arguments in asked]

    return asyncio.run(call())


def structured(result):
    return getattr(result, adapter._STRUCTURED)


def schema(tool, which):
    """Its input or output schema."""
    return next(value for key, value in dict(tool).items() if key.lower().replace("_", "") == which)


def size(result):
    value = structured(result)
    said = 0 if value is None else len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    return said, sum(len(block.text.encode()) for block in result.content if block.type == "text")


def test_a_server_with_it_keeps_its_tools_as_they_were(receipts):
    @limit(budget=BUDGET, on_receipt=receipts.append)
    async def text(query: str, page: int = 1) -> str:
        """Search."""
        return query + LONG

    @limit(budget=BUDGET, on_receipt=receipts.append)
    def model(query: str) -> Found:
        return Found(path=query, lines=[LONG, "x"], count=3)

    @limit(budget=BUDGET, on_receipt=receipts.append)
    def plain(query: str) -> dict[str, Any]:
        return {"query": query, "rows": [{"at": n, "text": "x"} for n in range(1_000)]}

    asked = [("text", {"query": "q"}), ("model", {"query": "q"}), ("plain", {"query": "q"})]
    listed, (said, found, rows) = run([text, model, plain], *asked)
    assert [*schema(listed["text"], "inputschema")["properties"]] == ["query", "page"]
    assert listed["text"].description == "Search."
    assert schema(listed["model"], "outputschema")["properties"].keys() == {"path", "lines", "count"}
    assert size(said)[1] <= BUDGET and said.content[0].text.startswith("q行")
    assert structured(found)["path"] == "q" and structured(found)["count"] == 3
    assert structured(found)["lines"][1] == "x"
    assert 0 < size(found)[0] <= BUDGET
    assert 0 < len(structured(rows)["rows"]) < 100 and size(rows)[0] <= BUDGET
    assert [[entry.code for entry in receipt] for receipt in receipts] == [["cut_result"]] * 3


def test_results_that_a_tool_makes_itself(receipts):
    image = types.ImageContent(type="image", data="aGk=", mimeType="image/png")
    notes = {"audience": ["user"]}
    words = types.TextContent(type="text", text=LONG, annotations=notes)
    found = types.EmbeddedResource(
        type="resource", resource=types.TextResourceContents(uri="file:///a", text=LONG, mimeType="text/plain")
    )
    made = types.CallToolResult(content=[words, image, found], structuredContent={"a": LONG}, isError=True)
    cut = limit(budget=BUDGET, on_receipt=receipts.append)(lambda: made)()
    value = structured(cut)
    texts = [cut.content[0].text, cut.content[2].resource.text]
    assert sum(len(text.encode()) for text in texts) + len(json.dumps(value).encode()) <= BUDGET * 2
    assert sum(len(text.encode()) for text in [*texts, json.dumps(value, ensure_ascii=False)]) <= BUDGET + 20
    assert cut.content[1] is image
    assert cut.content[0].annotations == words.annotations
    assert str(cut.content[2].resource.uri) == "file:///a"
    assert cut.model_dump()[next(name for name in type(cut).model_fields if "rror" in name)] is True
    assert made.content == [words, image, found] and words.text == LONG
    assert len(receipts) == 1


def test_text_and_structured_content_stay_equal():
    value = {"rows": [LONG, "x"], "n": 1}
    made = types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps(value, indent=2))], structuredContent=value
    )
    cut = limit(budget=BUDGET)(lambda: made)()
    assert json.loads(cut.content[0].text) == structured(cut) != value
    assert len(cut.content[0].text.encode()) <= BUDGET
    content, said = limit(budget=BUDGET)(lambda: (made.content, value))()
    assert json.loads(content[0].text) == said == structured(cut)


@pytest.mark.parametrize(
    "result",
    [
        "short",
        {"a": 1},
        ["a", 2],
        7,
        None,
        Found(path="p", lines=[], count=1),
        types.TextContent(type="text", text="x"),
        [types.TextContent(type="text", text="x")],
        types.CallToolResult(content=[types.TextContent(type="text", text="x")]),
        types.CallToolResult(content=[]),
    ],
    ids=lambda result: type(result).__name__,
)
def test_what_fits_is_the_same_object(result):
    assert limit(budget=BUDGET)(lambda: result)() is result


def test_blocks_alone_are_cut():
    text = types.TextContent(type="text", text=LONG)
    # There is no list of messages, so these options have no effect.
    one = limit(BUDGET, wording={"omitted": "Some are gone.", "opening": "Go on."}, pinned=[0])(lambda: text)()
    (other,) = limit(budget=BUDGET)(lambda: [text])()
    assert one.text == other.text and len(one.text.encode()) <= BUDGET


def test_concurrent_calls(receipts):
    @limit(budget=BUDGET, on_receipt=receipts.append)
    async def tool(n):
        await asyncio.sleep(0)
        return f"{n}:" + "x" * 10_000

    async def all_of_them():
        return await asyncio.gather(*(tool(n) for n in range(50)))

    for n, text in enumerate(asyncio.run(all_of_them())):
        assert text.startswith(f"{n}:x") and len(text) <= BUDGET
    assert len(receipts) == 50


def test_errors_by_option(caplog):
    def tool():
        return LONG

    with pytest.raises(tw.BuildError) as caught:
        limit(budget=10)(tool)()
    assert caught.value.code == "budget_too_small"
    assert limit(budget=10, on_error="log")(tool)() is LONG
    assert "what there was is sent" in caplog.text
    other = object()
    assert limit(budget=10)(lambda: other)() is other
    assert "does not know builtins.object" in caplog.text
    with pytest.raises(tw.TurnwireError):
        limit(budget=-1)

    def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        limit(budget=10)(fails)()


def test_the_line_of_the_page():
    names = {"limit": limit, "tool": lambda: LONG * 9}
    exec(rows()["mcp"], names)
    assert len(names["tool"]().encode()) <= 50_000
