"""Calls that another provider ran, and their results: left out, or readable text where the caller asks for it."""

import itertools
import json
import random
from typing import Any

import pytest
import turnwire as tw

Blocks = list[dict[str, Any]]


def claude(*blocks: Any) -> list[Any]:
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [*blocks, {"type": "text", "text": "Done."}]},
        {"role": "user", "content": "And now?"},
    ]


def ran(name: str, given: Any, kind: str, content: Any) -> Blocks:
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": name, "input": given}
    return [call, {"type": kind, "tool_use_id": "srvtoolu_1", "content": content}]


HIT = {"type": "web_search_result", "title": "T", "url": "https://e.x/a", "encrypted_content": "QUJD"}
DOCUMENT: Any = {
    "type": "document",
    "title": "Page",
    "source": {"type": "text", "media_type": "text/plain", "data": "Body"},
}
OUTPUT = {"stdout": "7\n", "stderr": "", "return_code": 0, "content": []}
CLAUDE: dict[str, tuple[Blocks, str]] = {
    "search": (
        ran("web_search", {"query": "q"}, "web_search_tool_result", [HIT, HIT]),
        'web_search {"query":"q"}\nT\nhttps://e.x/a\nT\nhttps://e.x/a',
    ),
    "search that failed": (
        ran(
            "web_search",
            {"query": "q"},
            "web_search_tool_result",
            {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
        ),
        'web_search {"query":"q"}\nmax_uses_exceeded',
    ),
    "fetch": (
        ran(
            "web_fetch",
            {"url": "https://e.x"},
            "web_fetch_tool_result",
            {"type": "web_fetch_result", "url": "https://e.x", "content": DOCUMENT},
        ),
        'web_fetch {"url":"https://e.x"}\nPage\nhttps://e.x\nBody',
    ),
    "code": (
        ran(
            "code_execution", {"code": "3+4"}, "code_execution_tool_result", {"type": "code_execution_result", **OUTPUT}
        ),
        'code_execution {"code":"3+4"}\n7\n',
    ),
    "code that failed": (
        ran(
            "bash_code_execution",
            {"command": "ls x"},
            "bash_code_execution_tool_result",
            {"type": "bash_code_execution_result", **OUTPUT, "stdout": "", "stderr": "no x", "return_code": 2},
        ),
        'bash_code_execution {"command":"ls x"}\nno x\n2',
    ),
    "editor": (
        ran(
            "text_editor_code_execution",
            {"command": "view", "path": "a"},
            "text_editor_code_execution_tool_result",
            {"type": "text_editor_code_execution_view_result", "content": "line", "file_type": "text"},
        ),
        'text_editor_code_execution {"command":"view","path":"a"}\nline',
    ),
    "mcp": (
        [
            {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "ask", "server_name": "s", "input": {"x": 1}},
            {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": [{"type": "text", "text": "yes"}]},
        ],
        'ask {"x":1}\nyes',
    ),
}


def responses(*items: Any) -> list[Any]:
    return [
        {"role": "user", "content": "go"},
        *items,
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "And now?"},
    ]


OPENAI: dict[str, tuple[dict[str, Any], str]] = {
    "search": (
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "q", "sources": [{"type": "url", "url": "https://e.x/a"}]},
        },
        'web_search {"type":"search","query":"q"}\nhttps://e.x/a',
    ),
    "files": (
        {
            "type": "file_search_call",
            "id": "fs_1",
            "status": "completed",
            "queries": ["q"],
            "results": [{"file_id": "f", "filename": "a.txt", "score": 0.5, "text": "found"}],
        },
        'file_search {"queries":["q"]}\na.txt\nfound',
    ),
    "code": (
        {
            "type": "code_interpreter_call",
            "id": "ci_1",
            "status": "completed",
            "container_id": "c",
            "code": "3+4",
            "outputs": [{"type": "logs", "logs": "7"}],
        },
        'code_interpreter {"code":"3+4"}\n7',
    ),
    "mcp": (
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "name": "ask",
            "server_label": "s",
            "arguments": '{"x":1}',
            "output": "yes",
        },
        'ask {"x":1}\nyes',
    ),
}
TARGETS: Any = (
    *("openai", "openai-responses", "anthropic", "gemini", "gemini-interactions"),
    *("bedrock", "mistral", "cohere", "ollama", "openai:deepseek", "openai:groq"),
)


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inside for text in strings(one)]


def has_text(payload: Any, text: str) -> bool:
    """Whether the text is one text of the payload, or the beginning of one, where a format joins texts."""
    return any(one == text or one.startswith(text + "\n") for one in strings(payload))


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "anthropic"])
@pytest.mark.parametrize("case", CLAUDE)
def test_claudes_calls_become_text(case: str, target: Any) -> None:
    blocks, text = CLAUDE[case]
    for write in (tw.prepare, tw.convert):
        made = write(claude(*blocks), target, source="anthropic", server_tools="text")
        assert has_text(made.payload, text), made.payload
        assert [change.kind for change in made.receipt if change.code == "opaque"] == ["restated"] * 2
        left = write(claude(*blocks), target, source="anthropic")
        assert not has_text(left.payload, text)
        lost = [change for change in left.receipt if change.kind == "lost"]
        assert len(lost) == 2 and all('server_tools="text"' in change.reason for change in lost)


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "openai-responses"])
@pytest.mark.parametrize("case", OPENAI)
def test_openais_calls_become_text(case: str, target: Any) -> None:
    item, text = OPENAI[case]
    made = tw.prepare(responses(item), target, source="openai-responses", server_tools="text")
    assert has_text(made.payload, text), made.payload
    assert not made.receipt.only("lost")


def test_googles_calls_become_text() -> None:
    parts: Any = [
        {"executableCode": {"language": "PYTHON", "code": "3+4"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "7"}},
        {"executableCode": {"language": "PYTHON", "code": "1/0"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}},
        {"text": "Done."},
    ]
    contents = [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": parts},
        {"role": "user", "parts": [{"text": "And now?"}]},
    ]
    made = tw.prepare(contents, "anthropic", server_tools="text").payload
    assert [block["text"] for block in made["messages"][1]["content"]] == [
        'code_execution {"language":"PYTHON","code":"3+4"}\n7',
        'code_execution {"language":"PYTHON","code":"1/0"}\nOUTCOME_FAILED\nno',
        "Done.",
    ]


def test_googles_steps_become_text() -> None:
    steps: Any = [
        {"type": "user_input", "content": [{"type": "text", "text": "go"}]},
        {"type": "google_search_call", "id": "g1", "arguments": {"queries": ["q"]}},
        {"type": "google_search_result", "call_id": "g1", "result": [{"title": "T", "url": "https://e.x/a"}]},
        {"type": "mcp_server_tool_call", "id": "m1", "name": "ask", "server_name": "s", "arguments": {}},
        {"type": "mcp_server_tool_result", "call_id": "m1", "result": {"answer": 1}},
        {"type": "model_output", "content": [{"type": "text", "text": "Done."}]},
        {"type": "user_input", "content": [{"type": "text", "text": "And now?"}]},
    ]
    made = tw.prepare(steps, "openai", source="gemini-interactions", server_tools="text").payload
    said = strings(made["messages"][1:-1])
    # Steps are elements of their own, so each is a text of its own.
    words = ['google_search {"queries":["q"]}', "T\nhttps://e.x/a", "ask {}", '{"answer":1}', "Done."]
    assert [text for text in said if text != "assistant"] == words


def test_the_sdks_parts_become_text() -> None:
    call = {
        "type": "tool-call",
        "toolCallId": "srv_1",
        "toolName": "web_search",
        "input": {"query": "q"},
        "providerExecuted": True,
    }
    result = {
        "type": "tool-result",
        "toolCallId": "srv_1",
        "toolName": "web_search",
        "output": {"type": "json", "value": [{"title": "T", "text": "found"}]},
    }
    messages: Any = [
        {"role": "user", "content": [{"type": "text", "text": "go"}]},
        {"role": "assistant", "content": [call, result, {"type": "text", "text": "Done."}]},
        {"role": "user", "content": [{"type": "text", "text": "And now?"}]},
    ]
    made = tw.prepare(messages, "anthropic", source="ai-sdk", server_tools="text").payload
    assert made["messages"][1]["content"][0]["text"] == 'web_search {"query":"q"}\nfound'
    part = {
        "type": "tool-web_search",
        "toolCallId": "srv_1",
        "state": "output-available",
        "input": {"query": "q"},
        "output": {"n": 1},
        "providerExecuted": True,
    }
    ui: Any = [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]},
        {"id": "2", "role": "assistant", "parts": [part, {"type": "text", "text": "Done."}]},
        {"id": "3", "role": "user", "parts": [{"type": "text", "text": "And now?"}]},
    ]
    made = tw.prepare(ui, "anthropic", source="ai-sdk-ui", server_tools="text").payload
    assert made["messages"][1]["content"][0]["text"] == 'web_search {"query":"q"}\n{"n":1}'


def test_their_own_provider_gets_them_back() -> None:
    blocks, _ = CLAUDE["search"]
    messages = claude(*blocks)
    assert tw.prepare(messages, "anthropic", server_tools="text").payload == tw.prepare(messages, "anthropic").payload
    item, _ = OPENAI["mcp"]
    made = tw.prepare(responses(item), "openai-responses", server_tools="text").payload
    assert item in made["input"]


def test_a_result_that_follows_another_call_is_a_text_of_its_own() -> None:
    (one, found), _ = CLAUDE["search"]
    other = {**one, "id": "srvtoolu_2", "input": {"query": "r"}}
    more = {**found, "tool_use_id": "srvtoolu_2", "content": []}
    made = tw.prepare(claude(one, other, found, more), "openai-responses", source="anthropic", server_tools="text")
    said = strings(made.payload)
    assert 'web_search {"query":"q"}' in said and 'web_search {"query":"r"}' in said
    assert "T\nhttps://e.x/a\nT\nhttps://e.x/a" in said
    silent = made.receipt.only("lost")
    assert len(silent) == 1 and "nothing is readable" in silent[0].reason


def test_what_no_text_can_hold_is_a_loss() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    (call, result), _ = CLAUDE["mcp"]
    made = tw.prepare(
        claude(call, {**result, "content": [*result["content"], image]}),
        "openai",
        source="anthropic",
        server_tools="text",
    )
    assert has_text(made.payload, 'ask {"x":1}\nyes')
    assert [change.code for change in made.receipt.only("lost")] == ["media"]


@pytest.mark.parametrize("target", ["openai", "openai-responses", "gemini", "bedrock", "ollama"])
def test_the_text_counts_and_is_cut(target: Any) -> None:
    long = {
        "type": "document",
        "title": "Page",
        "source": {"type": "text", "media_type": "text/plain", "data": "w " * 9000},
    }
    content = {"type": "web_fetch_result", "url": "https://e.x", "content": long}
    blocks = ran("web_fetch", {"url": "https://e.x"}, "web_fetch_tool_result", content)
    for budget in (400, 2_000, 10_000):
        made = tw.prepare(claude(*blocks), target, budget, source="anthropic", server_tools="text", blobs="base64")
        size = len("".join(strings(made.payload)).encode())
        assert size <= budget + 400, (budget, size)
        assert has_text(made.payload, "And now?")
        again = tw.prepare(made.payload, target, budget, server_tools="text", blobs="base64")
        assert again.payload == made.payload


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(tw.TurnwireError, match="server_tools"):
        tw.prepare(claude(), "openai", source="anthropic", server_tools="both")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tw.convert(claude(), "openai", source="anthropic", server_tools=1)  # type: ignore[arg-type]


def test_a_ledger_writes_them_once_and_then_appends() -> None:
    ledger = tw.Ledger("openai", server_tools="text")
    blocks, text = CLAUDE["search"]
    messages = claude(*blocks)
    first = ledger.prepare(messages).payload
    assert has_text(first, text)
    more = [*messages, {"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Why?"}]
    second = ledger.prepare(more).payload
    assert second["messages"][: len(first["messages"])] == first["messages"]


def test_hostile_blocks_lose_nothing_untold() -> None:
    """Whatever stands in such blocks, each has a change in the receipt, and nothing raises."""
    draw = random.Random(54)
    values: list[Any] = [None, True, 0, 1.5, "", " ", "\ud800", "x\0y", [], {}, [[]], [None], {"a": {"b": []}}, HIT]
    kinds = [kind for blocks, _ in CLAUDE.values() for kind in blocks]
    for _, target in itertools.product(range(150), ("openai", "gemini", "openai-responses")):
        block = json.loads(json.dumps(draw.choice(kinds)))
        for key in [key for key in block if key != "type"]:
            if draw.random() < 0.6:
                block[key] = draw.choice(values)
        made = tw.convert(claude(block), target, source="anthropic", server_tools="text")  # type: ignore[arg-type]
        assert [change for change in made.receipt if change.code in ("opaque", "media")], block
