"""References to tools that a request does not define go, and a call of a hidden tool says where its tool is."""

import json
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
    assert [code for code, _ in changes] == ["opaque", "opaque"]
    told = [one for one in tw.prepare(body, "anthropic").receipt if one.code == "opaque"]
    assert [one.kind for one in told] == ["lost", "lost"]
    assert '"gone"' in told[0].reason and '"lost"' in told[1].reason
    places = ["messages[2].content[0].content[0]", "messages[2].content[0].content[2]"]
    if messages is of_server:
        places = [f"messages[1].content[1].content.tool_references[{at}]" for at in (0, 2)]
    assert [path for _, path in changes] == [f"$.{place}" for place in places]


def test_a_result_without_a_reference_left_has_no_content() -> None:
    payload, _ = built({"messages": of_client("gone"), "tools": [PLAIN]}, "anthropic")
    assert "content" not in payload["messages"][2]["content"][0]


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


def test_content_of_reasoning_goes_and_both_texts_are_converted() -> None:
    """OpenAI refuses it: "array too long. Expected an array with maximum length 0"."""
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
    item["content"] = [{"type": "reasoning_text", "text": "thought"}]
    said = [{"type": "summary_text", "text": "short"}]
    block = {"type": "output_text", "text": "a", "annotations": []}
    answer = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [block]}
    for summary in ([], said):
        body = {"input": [USER, item | {"summary": summary}, answer, USER]}
        payload, changes = built(body, "openai-responses")
        assert payload["input"][1] == {k: v for k, v in item.items() if k != "content"} | {"summary": summary}
        assert changes == [("reshaped", "$.input[1]")]
        other = tw.prepare(body, "anthropic", source="openai-responses", reasoning="text").payload
        assert all(text in str(other) for text in ("thought", *(one["text"] for one in summary)))


OTHERS: Any = ("openai", "openai-responses", "ollama", "cohere", "mistral")


def data(document: Any) -> str:
    return json.dumps(document["document"]["data"], separators=(",", ":"))


def told_by(made: Any) -> str:
    """The result's text in the payload of another format."""
    if isinstance(made, dict):
        made = made.get("messages", made.get("input"))
    last = made[-1]
    said = last.get("content", last.get("output"))
    return said if isinstance(said, str) else "\n".join(one.get("text") or data(one) for one in said)


@pytest.mark.parametrize("target", OTHERS)
def test_other_formats_get_the_names_as_json(target: Any) -> None:
    for names, expected in ((("a",), '{"tools":["a"]}'), (("a", "b"), '{"tools":["a","b"]}')):
        ready = tw.prepare({"messages": of_client(*names), "tools": [PLAIN]}, target, source="anthropic")
        assert told_by(ready.payload) == expected
        told = [(change.kind, change.code) for change in ready.receipt if change.code != "mended_schema"]
        # Mistral takes no id that is not its own.
        assert {one for one in told if one[1] not in ("stand_in", "renamed_id")} == {("restated", "opaque")}
        given = {"messages": of_client(*names), "tools": [PLAIN]}
        text = tw.prepare_json(json.dumps(given), target, source="anthropic").payload
        assert told_by(json.loads(text)) == expected


def test_formats_with_values_get_a_value() -> None:
    given = {"messages": of_client("a", "b"), "tools": [PLAIN]}
    made: Any = tw.prepare(given, "gemini", source="anthropic").payload
    assert made["contents"][-1]["parts"][0]["functionResponse"]["response"] == {"tools": ["a", "b"]}
    made = tw.prepare(given, "bedrock", source="anthropic").payload
    assert made["messages"][-1]["content"][0]["toolResult"]["content"] == [{"json": {"tools": ["a", "b"]}}]
    made = tw.prepare(given, "gemini-interactions", source="anthropic").payload
    assert made["input"][-1]["result"] == {"tools": ["a", "b"]}


def test_names_stand_beside_other_blocks() -> None:
    messages = of_client("a", "b")
    messages[-1]["content"][0]["content"].insert(1, {"type": "text", "text": "between"})
    for target in OTHERS:
        made = tw.prepare({"messages": messages, "tools": [PLAIN]}, target, source="anthropic").payload
        assert told_by(made).split("\n") == ['{"tools":["a","b"]}', "between"]


def test_a_failed_result_has_the_names_as_text() -> None:
    given = {"messages": of_client("plain", is_error=True), "tools": [PLAIN]}
    made: Any = tw.prepare(given, "anthropic").payload
    assert made["messages"][-1]["content"][0]["content"] in (
        '{"tools":["plain"]}',
        [{"type": "text", "text": '{"tools":["plain"]}'}],
    )
    assert told_by(tw.prepare(given, "openai", source="anthropic").payload) == '[tool error] {"tools":["plain"]}'


def test_names_fit_a_budget() -> None:
    given = {"messages": of_client(*(f"tool_{at}" for at in range(400))), "tools": [PLAIN]}
    for target in ("openai", "gemini", "bedrock"):
        ready = tw.prepare(given, target, 1000, source="anthropic")
        assert ready.receipt.totals is not None
        assert ready.receipt.totals["after"] <= 1000


def test_a_servers_result_without_references_goes_with_its_call() -> None:
    ready = tw.prepare({"messages": of_server("gone", "lost"), "tools": [PLAIN, SEARCH]}, "anthropic")
    made: Any = ready.payload
    assert made["messages"][1]["content"] == [{"type": "text", "text": "ok"}]
    assert "orphan_call" in [change.code for change in ready.receipt]
    assert not tw.prepare(made, "anthropic").receipt
    kept: Any = tw.prepare({"messages": of_server("gone", "plain"), "tools": [PLAIN, SEARCH]}, "anthropic").payload
    assert named(kept["messages"]) == ["plain"]
    empty = {"messages": of_server(), "tools": [PLAIN, SEARCH]}
    assert tw.prepare(empty, "anthropic").payload == empty
