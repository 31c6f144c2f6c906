"""Calls in the AI SDK's lists that a provider ran: back to Claude as its own blocks, and never to another provider."""

from typing import Any

import pytest
import turnwire as tw
from ai_sdk_lists import FORMATS, GO, MORE, X, elements, told, ui

HIT: Any = {
    "type": "web_search_result",
    "url": "https://e.x",
    "title": "T",
    "pageAge": None,
    "encryptedContent": "QUJD",
}
SNAKE: Any = {
    "type": "web_search_result",
    "url": "https://e.x",
    "title": "T",
    "page_age": None,
    "encrypted_content": "QUJD",
}
PAGE: Any = {
    "type": "web_fetch_result",
    "url": "https://e.x",
    "retrievedAt": "now",
    "content": {"type": "document", "source": {"type": "text", "mediaType": "text/plain", "data": "d"}},
}
SNAKE_PAGE: Any = {
    "type": "web_fetch_result",
    "url": "https://e.x",
    "retrieved_at": "now",
    "content": {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "d"}},
}
RAN: Any = {"type": "code_execution_result", "stdout": "7", "stderr": "", "return_code": 0, "content": []}
SHELL: Any = RAN | {"type": "bash_code_execution_result"}
# Each call: its tool, input and output, and its name, input, block and content as Anthropic spells them.
SERVED: Any = {
    "search": ("web_search", {"query": "q"}, [HIT], ("web_search", {"query": "q"}, "web_search_tool_result", [SNAKE])),
    "fetch": ("web_fetch", {"url": "u"}, PAGE, ("web_fetch", {"url": "u"}, "web_fetch_tool_result", SNAKE_PAGE)),
    "code": (
        "code_execution",
        {"type": "programmatic-tool-call", "code": "3+4"},
        RAN,
        ("code_execution", {"code": "3+4"}, "code_execution_tool_result", RAN),
    ),
    "shell": (
        "code_execution",
        {"type": "bash_code_execution", "command": "ls"},
        SHELL,
        ("bash_code_execution", {"command": "ls"}, "bash_code_execution_tool_result", SHELL),
    ),
    "tools": (
        "tool_search_tool_regex",
        {"pattern": "f"},
        [{"type": "tool_reference", "toolName": "f"}],
        (
            "tool_search_tool_regex",
            {"pattern": "f"},
            "tool_search_tool_result",
            {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": "f"}],
            },
        ),
    ),
    "an error": (
        "web_search",
        {"query": "q"},
        {"type": "web_search_tool_result_error", "errorCode": "max_uses_exceeded"},
        (
            "web_search",
            {"query": "q"},
            "web_search_tool_result",
            {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
        ),
    ),
}


def served(name: str, given: Any, output: Any, source: str, id: str = "srvtoolu_1", **options: Any) -> list[Any]:
    """A call that the provider ran, and its result."""
    common = {"toolCallId": id, "toolName": name}
    if source == "ai-sdk":
        more = {"providerOptions": options} if options else {}
        call = {"type": "tool-call", **common, "input": given, "providerExecuted": True, **more}
        result = {"type": "tool-result", **common, "output": {"type": "json", "value": output}, **more}
        return [GO, {"role": "assistant", "content": [call, result, X]}, MORE]
    part = {"toolCallId": id, "state": "output-available", "input": given, "output": output, "providerExecuted": True}
    part |= {"type": f"tool-{name}"} | ({"callProviderMetadata": options} if options else {})
    return [*ui([GO]), {"id": "a", "role": "assistant", "parts": [part, X]}, *ui([MORE])]


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("name", SERVED)
def test_a_call_that_claude_ran_goes_back_to_it(name: str, source: Any) -> None:
    tool, given, output, (called, asked, block, content) = SERVED[name]
    messages = served(tool, given, output, source)
    made = tw.prepare(messages, "anthropic", source=source)
    assert elements(made.payload)[1]["content"] == [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": called, "input": asked},
        {"type": block, "tool_use_id": "srvtoolu_1", "content": content},
        {"type": "text", "text": "x"},
    ]
    assert told(made.receipt) == []
    again = tw.prepare(made.payload, "anthropic", source="anthropic")
    assert again.payload == made.payload
    for target in ("openai", "bedrock", "gemini"):
        other = tw.prepare(messages, target, source=source)
        assert set(told(other.receipt)) == {("lost", "opaque")}
        assert "srvtoolu_1" not in str(other.payload)
        text = tw.prepare(messages, target, source=source, server_tools="text")
        assert tool in str(text.payload)


@pytest.mark.parametrize("source", FORMATS)
def test_a_call_that_claude_passed_on_goes_back_to_it(source: Any) -> None:
    output = [{"type": "text", "text": "r"}]
    options = {"anthropic": {"type": "mcp-tool-use", "serverName": "s"}}
    messages = served("echo", {"q": 1}, output, source, "mcptoolu_1", **options)
    made = tw.prepare(messages, "anthropic", source=source)
    assert elements(made.payload)[1]["content"][:2] == [
        {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "echo", "input": {"q": 1}, "server_name": "s"},
        {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": output},
    ]
    assert told(made.receipt) == []


@pytest.mark.parametrize("source", FORMATS)
def test_what_another_provider_ran_never_goes_to_claude(source: Any) -> None:
    messages = served("web_search", {"query": "q"}, [HIT], source, "ws_1")
    made = tw.prepare(messages, "anthropic", source=source)
    assert elements(made.payload)[1]["content"] in ("x", [{"type": "text", "text": "x"}])
    assert set(told(made.receipt)) == {("lost", "opaque")}


def test_half_of_a_pair_never_goes_to_claude() -> None:
    whole = served("web_search", {"query": "q"}, [HIT], "ai-sdk")
    for gone in (0, 1):
        content = [part for at, part in enumerate(whole[1]["content"]) if at != gone]
        made = tw.prepare([GO, {"role": "assistant", "content": content}, MORE], "anthropic", source="ai-sdk")
        assert told(made.receipt) == [("lost", "opaque")]
