"""References to tools that a request does not define go, and a call of a hidden tool says where its tool is."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
USER = {"role": "user", "content": "hi"}
PLAIN = {"name": "plain", "input_schema": {"type": "object"}}
SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}


def tool(name: str) -> Json:
    return {"name": name, "description": "d", "input_schema": {"type": "object"}, "defer_loading": True}


def refer(*names: str) -> list[Json]:
    return [{"type": "tool_reference", "tool_name": name} for name in names]


def of_client(*names: str, **more: Any) -> list[Json]:
    """A search that the client ran."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "plain", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": refer(*names), **more}
    return [USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def of_server(*names: str) -> list[Json]:
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {"query": "q"}}
    found = {"type": "tool_search_tool_search_result", "tool_references": refer(*names)}
    result = {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found}
    return [USER, {"role": "assistant", "content": [call, result, {"type": "text", "text": "ok"}]}, USER]


def named(messages: list[Json]) -> list[str]:
    """The tools that the blocks name, in their order."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if value.get("type") == "tool_reference":
                found.append(value["tool_name"])
            value = list(value.values())
        if isinstance(value, list):
            for one in value:
                walk(one)

    walk(messages)
    return found


def built(body: Json, dialect: str) -> tuple[Json, list[tuple[str, str]]]:
    made = tw.spec.MessageBuilder().set_messages(body, dialect).build(target=dialect)
    payload = made.render(dialect).payload
    again = tw.spec.MessageBuilder().set_messages(payload, dialect).build(target=dialect)
    assert not again.receipt.changed and again.render(dialect).payload == payload
    changes = [(change.code, change.path) for change in made.receipt or ()]
    findings = [(one.code, one.path) for one in tw.check(body, dialect, source=dialect) if one.severity == "error"]
    assert findings == changes
    return payload, changes


@pytest.mark.parametrize("messages", [of_client, of_server])
def test_a_reference_to_an_unknown_tool_goes(messages: Any) -> None:
    body = {"messages": messages("gone", "here", "lost"), "tools": [SEARCH, PLAIN, tool("here")]}
    payload, changes = built(body, "anthropic")
    assert named(payload["messages"]) == ["here"]
    assert [code for code, _ in changes] == ["reshaped", "reshaped"]
    places = ["messages[2].content[0].content[0]", "messages[2].content[0].content[2]"]
    if messages is of_server:
        places = [f"messages[1].content[1].content.tool_references[{at}]" for at in (0, 2)]
    assert [path for _, path in changes] == [f"$.{place}" for place in places]


def test_a_result_without_a_reference_left_has_no_content() -> None:
    payload, _ = built({"messages": of_client("gone"), "tools": [PLAIN]}, "anthropic")
    assert "content" not in payload["messages"][2]["content"][0]
    payload, _ = built({"messages": of_server("gone"), "tools": [SEARCH, PLAIN]}, "anthropic")
    assert payload["messages"][1]["content"][1]["content"]["tool_references"] == []


def test_an_error_without_a_reference_left_says_something() -> None:
    payload, _ = built({"messages": of_client("gone", is_error=True), "tools": [PLAIN]}, "anthropic")
    assert payload["messages"][2]["content"][0]["content"]


def test_a_reference_follows_the_new_name_of_its_tool() -> None:
    for messages in (of_client, of_server):
        body = {"messages": messages("a.b"), "tools": [SEARCH, PLAIN, tool("a.b")]}
        payload = (
            tw.spec.MessageBuilder()
            .set_messages(body, "anthropic")
            .build(target="anthropic")
            .render("anthropic")
            .payload
        )
        names = [one["name"] for one in payload["tools"]]
        assert named(payload["messages"]) == [names[2]] and names[2] != "a.b"


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [PLAIN, {"type": "mcp_toolset", "mcp_server_name": "s"}]},
        {"tools": [PLAIN], "mcp_servers": [{"type": "url", "url": "https://example.com", "name": "s"}]},
        {},
        {"tools": []},
    ],
)
def test_nobody_knows_the_tools_of_a_server_or_of_a_list_alone(more: Json) -> None:
    body = {"messages": of_client("gone"), **more}
    made = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert named(made.render("anthropic").payload["messages"]) == ["gone"]


def test_a_message_may_define_a_tool() -> None:
    added = {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": tool("later")}}
    body = {"messages": [*of_client("later"), {"role": "system", "content": [added]}], "tools": [PLAIN]}
    made = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert named(made.render("anthropic").payload["messages"]) == ["later"]


# --- The place of a hidden tool ---


def function(name: str, **more: Any) -> Json:
    parameters = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    return {"type": "function", "name": name, "description": "d", "parameters": parameters, "strict": True, **more}


def called(**more: Any) -> list[Json]:
    call = {"type": "function_call", "call_id": "c1", "name": "late", "arguments": "{}", **more}
    return [USER, call, {"type": "function_call_output", "call_id": "c1", "output": "r"}]


@pytest.mark.parametrize("more", [{}, {"namespace": None}, {"namespace": 7}])
def test_a_call_of_a_hidden_tool_names_its_place(more: Json) -> None:
    body = {"input": called(**more), "tools": [{"type": "tool_search"}, function("late", defer_loading=True)]}
    payload, changes = built(body, "openai-responses")
    assert payload["input"][1]["namespace"] == "late"
    assert changes == [("reshaped", "$.input[1]")]


def test_a_call_that_says_its_place_or_has_a_plain_tool_stays() -> None:
    hidden, plain = function("late", defer_loading=True), function("late")
    for items, tools in (
        (called(namespace="late"), [hidden]),
        (called(namespace="mcp"), [hidden]),
        (called(), [plain]),
    ):
        body = {"input": items, "tools": [{"type": "tool_search"}, *tools]}
        assert built(body, "openai-responses") == (body, [])


def test_a_tool_that_a_search_has_shown_is_hidden() -> None:
    search = {"type": "tool_search_call", "call_id": "t1", "execution": "client", "arguments": {}}
    shown = {"type": "tool_search_output", "call_id": "t1", "execution": "client", "status": "completed"}
    shown["tools"] = [function("late", defer_loading=True)]  # type: ignore[assignment]
    client = {"type": "tool_search", "execution": "client", "description": "d", "parameters": {"type": "object"}}
    payload, _ = built({"input": [USER, search, shown, *called()[1:]], "tools": [client]}, "openai-responses")
    assert payload["input"][3]["namespace"] == "late"


@pytest.mark.parametrize("more", [{}, {"namespace": "a b"}, {"namespace": ""}])
def test_the_place_of_a_hidden_tool_follows_its_new_name(more: Json) -> None:
    items = called(**more)
    items[1]["name"] = "a b"
    body = {"input": items, "tools": [{"type": "tool_search"}, function("a b", defer_loading=True)]}
    ready = tw.prepare(body, "openai-responses", source="openai-responses")
    name = ready.payload["tools"][1]["name"]
    assert name != "a b" and (ready.payload["input"][1]["name"], ready.payload["input"][1]["namespace"]) == (name, name)
    assert not tw.prepare(ready.payload, "openai-responses", source="openai-responses").receipt


# --- Reasoning with content ---


def test_content_of_reasoning_becomes_the_summary_and_both_texts_are_converted() -> None:
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
    item["content"] = [{"type": "reasoning_text", "text": "thought"}]
    said = [{"type": "summary_text", "text": "short"}]
    block = {"type": "output_text", "text": "a", "annotations": []}
    answer = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [block]}
    for summary, stays in (([], "thought"), (said, "short")):
        body = {"input": [USER, item | {"summary": summary}, answer, USER]}
        payload, changes = built(body, "openai-responses")
        assert payload["input"][1] == {k: v for k, v in item.items() if k != "content"} | {
            "summary": [{"type": "summary_text", "text": stays}]
        }
        assert changes == [("reshaped", "$.input[1]")]
        other = tw.prepare(body, "anthropic", source="openai-responses", reasoning="text").payload
        assert all(text in str(other) for text in ("thought", *(one["text"] for one in summary)))
