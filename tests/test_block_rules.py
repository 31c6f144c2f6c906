"""Values deep inside unchanged blocks: what the target's types refuse is repaired, or an error says where."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]


def converse(*blocks: Json, **around: Any) -> Json:
    """A question with these blocks, and the messages around it."""
    return {"messages": [{"role": "user", "content": [{"text": "q"}, *blocks]}], **around}


def contents(*parts: Json, **around: Any) -> Json:
    return {"contents": [{"role": "user", "parts": [{"text": "q"}, *parts]}], **around}


def build(body: Json, dialect: str) -> tw.Conversation:
    return tw.spec.MessageBuilder().set_messages(body, dialect).build(target=dialect)


SPEC = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
PDF = "JVBERi0xLjQK"
SAID = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "a", "annotations": []}],
}


def paper(name: str, source: Json) -> Json:
    return {"document": {"format": "pdf", "name": name, "source": source}}


def quote(**citation: Any) -> Json:
    """The model's citations."""
    return {
        "role": "assistant",
        "content": [{"citationsContent": {"content": [{"text": "a"}], "citations": [citation]}}],
    }


ASKED = {"role": "user", "content": [{"text": "q"}]}
USER = {"role": "user", "parts": [{"text": "q"}]}
UNQUOTED = {"role": "assistant", "content": [{"text": "a"}]}


def items(*given: Json, **around: Any) -> Json:
    return {"input": [{"role": "user", "content": "q"}, *given], **around}


def asked(*blocks: Json) -> Json:
    """An assistant's message with these blocks, and the question before it."""
    said = {"role": "assistant", "content": [*blocks, {"type": "text", "text": "a"}]}
    return {"messages": [{"role": "user", "content": "q"}, said, {"role": "user", "content": "q"}]}


def ran(kind: str, content: Any) -> Json:
    return {"type": f"{kind}_tool_result", "tool_use_id": "s", "content": content}


def looked(said: Any, name: str | None = None, **call: Any) -> Json:
    """A call in the form of Chat Completions, and its result."""
    made = {"id": "a12345678", "type": "function", "function": {"name": "f", "arguments": "{}"}} | call
    result = {"role": "tool", "tool_call_id": "a12345678", "content": said} | ({} if name is None else {"name": name})
    return {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": None, "tool_calls": [made]},
            result,
        ]
    }


def defined(schema: Any) -> Json:
    return {
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}],
    }


# By the fault: the dialect, the input, the output, and the codes of the receipt.
STRICT: Json = {
    "type": "function",
    "name": "f",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    "strict": True,
}

MENDED: dict[str, tuple[str, Json, Json, list[tuple[str, str]]]] = {
    "a place that counts backwards": (
        "bedrock",
        {"messages": [ASKED, quote(location={"documentPage": {"start": -1}}), ASKED]},
        {"messages": [ASKED, UNQUOTED, ASKED]},
        [("reshaped", "$.messages[1].content[0]")],
    ),
    "a place of no kind": (
        "bedrock",
        {"messages": [ASKED, quote(title="t", location={}), ASKED]},
        {"messages": [ASKED, UNQUOTED, ASKED]},
        [("reshaped", "$.messages[1].content[0]")],
    ),
    "a choice that is no object": (
        "bedrock",
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"auto": [{}]}}),
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"auto": {}}}),
        [("reshaped", "$.toolConfig.toolChoice")],
    ),
    "a choice of a tool that nobody defines": (
        "bedrock",
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"tool": {"name": "g"}}}),
        converse(toolConfig={"tools": [SPEC]}),
        [("lone_choice", "$.toolConfig.toolChoice")],
    ),
    "a configuration without tools": (
        "bedrock",
        converse(toolConfig={"x": 1}),
        converse(),
        [("reshaped", "$")],
    ),
    "strict that is no flag": (
        "bedrock",
        converse(toolConfig={"tools": [{"toolSpec": SPEC["toolSpec"] | {"strict": 1}}]}),
        converse(toolConfig={"tools": [SPEC]}),
        [("reshaped", "$.toolConfig.tools[0]")],
    ),
    "a mark in the system text without its type": (
        "bedrock",
        converse(system=[{"text": "s"}, {"cachePoint": {}}]),
        converse(system=[{"text": "s"}]),
        [("reshaped", "$.system[1]")],
    ),
    "a result that the user says the service made": (
        "bedrock",
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [], "type": "x"}}]},
            ]
        },
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": []}}]},
            ]
        },
        [("reply_keys", "$.messages[2].content[0]")],
    ),
    "two documents of one name, one of which nobody reads": (
        "bedrock",
        converse(paper("a", {"bytes": PDF}), paper("a", {"content": [{"text": "x"}]})),
        converse(paper("a", {"bytes": PDF}), paper("a 2", {"content": [{"text": "x"}]})),
        [("reshaped", "$.messages[0].content[2].document.name")],
    ),
    "two documents of one name that nobody reads": (
        "bedrock",
        converse(*[paper("a", {"content": [{"text": "x"}]}) for _ in range(2)]),
        converse(*[paper(name, {"content": [{"text": "x"}]}) for name in ("a", "a 2")]),
        [("reshaped", "$.messages[0].content[2].document.name")],
    ),
    "a clip that is no object": (
        "gemini",
        contents({"text": "x", "videoMetadata": []}),
        contents({"text": "x"}),
        [("reshaped", "$.contents[0].parts[1]")],
    ),
    "a speaker that is no word": (
        "gemini",
        contents(systemInstruction={"role": [], "parts": [{"text": "s"}]}),
        contents(systemInstruction={"parts": [{"text": "s"}]}),
        [("reshaped", "$.systemInstruction")],
    ),
    "system text that is none": (
        "gemini",
        contents(systemInstruction={"parts": [{"text": "s"}, {"name": "x"}]}),
        contents(systemInstruction={"parts": [{"text": "s"}]}),
        [("reshaped", "$.systemInstruction.parts[1]")],
    ),
    "a list of names that is none": (
        "gemini",
        contents(
            tools=[{"functionDeclarations": [{"name": "f"}]}],
            toolConfig={"functionCallingConfig": {"mode": "AUTO"}, "includeServerSideToolInvocations": "yes"},
        ),
        contents(
            tools=[{"functionDeclarations": [{"name": "f"}]}],
            toolConfig={"functionCallingConfig": {"mode": "AUTO"}},
        ),
        [("reshaped", "$.toolConfig")],
    ),
    "properties that are no object": (
        "gemini",
        contents(tools=[{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "required": [1]}}]}]),
        contents(
            tools=[
                {"functionDeclarations": [{"name": "f", "parametersJsonSchema": {"type": "object", "required": []}}]}
            ]
        ),
        [
            ("reshaped", "$.tools[0].functionDeclarations[0]"),
            ("mended_schema", "$.tools[0].functionDeclarations[0].parameters.required"),
        ],
    ),
    "a flag that is none": (
        "openai-responses",
        items(tools=[STRICT | {"defer_loading": "x"}]),
        items(tools=[STRICT]),
        [("reshaped", "$.tools[0]")],
    ),
    "a choice among what is no tool": (
        "openai-responses",
        items(
            tools=[STRICT],
            tool_choice={"type": "allowed_tools", "mode": "auto", "tools": [1]},
        ),
        items(tools=[STRICT]),
        [("reshaped", "$.tool_choice")],
    ),
    "a mark that lasts for a day": (
        "anthropic",
        asked({"type": "text", "text": "b", "cache_control": {"type": "ephemeral", "ttl": "1d"}}),
        asked({"type": "text", "text": "b"}),
        [("reshaped", "$.messages[1].content[0]")],
    ),
    "half a character beside a thought": (
        "openai-responses",
        items({"type": "reasoning", "id": "rs_1", "summary": [], "x": "\ud800"}, SAID),
        items({"type": "reasoning", "id": "rs_1", "summary": [], "x": "\ufffd"}, SAID),
        [("lone_surrogate", "$.input[1]")],
    ),
    "content that is an empty list": (
        "ollama",
        {"messages": [{"role": "user", "content": "q"}, {"role": "user", "content": []}]},
        {"messages": [{"role": "user", "content": "q"}, {"role": "user", "content": ""}]},
        [("reshaped", "$.messages[1]")],
    ),
    "a thought that is a number": (
        "ollama",
        {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "thinking": 1}]},
        {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]},
        [("reasoning", "$.messages[1].thinking")],
    ),
    "a document whose data is a list": (
        "cohere",
        looked([{"type": "document", "document": {"data": [1]}}]),
        looked([{"type": "text", "text": "[1]"}]),
        [("reshaped", "$.messages[2].content")],
    ),
    "a call of no type": (
        "mistral",
        looked("x", type=None),
        looked("x", type="function"),
        [("reshaped", "$.messages[1].tool_calls[0]")],
    ),
    "a result that names no tool": (
        "mistral",
        looked("x", name="a b"),
        looked("x"),
        [("reshaped", "$.messages[2]")],
    ),
    "data without its type": (
        "gemini",
        contents({"inlineData": {"data": PDF}}),
        contents({"inlineData": {"mimeType": "application/pdf", "data": PDF}}),
        [("reshaped", "$.contents[0].parts[1]")],
    ),
    "a signature with bits of no byte": (
        "gemini",
        {"contents": [USER, {"role": "model", "parts": [{"text": "a", "thoughtSignature": "Zh=="}]}, USER]},
        {"contents": [USER, {"role": "model", "parts": [{"text": "a"}]}, USER]},
        [("reshaped", "$.contents[1].parts[0]")],
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_content_that_the_target_refuses_is_repaired(name: str) -> None:
    dialect, body, expected, told = MENDED[name]
    built = build(body, dialect)
    assert sorted((entry.code, entry.path) for entry in built.receipt if entry.kind != "warning") == sorted(told)
    assert built.render(dialect).payload == expected
    assert not build(expected, dialect).receipt.changed
    found = [(one.code, one.path) for one in tw.check(body, dialect, source=dialect) if one.severity != "info"]
    assert set(told) <= set(found)


SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}}
FETCHED = {
    "type": "web_fetch_result",
    "url": "u",
    "content": {"type": "document", "source": {"type": "url", "url": "u"}},
}
SERVED = {"role": "model", "parts": [{"toolCall": {"toolType": "x"}}]}

# What cannot be written in another way, and its path.
REFUSED: dict[str, tuple[str, Json, str]] = {
    "a system tool without a name that may be": (
        "bedrock",
        converse(toolConfig={"tools": [{"systemTool": {"name": "a b"}}]}),
        "$.toolConfig.tools[0]",
    ),
    "a document of an unknown format that nobody reads": (
        "bedrock",
        converse({"document": {"format": "x", "name": "a", "source": {"content": [{"other": "x"}]}}}),
        "$.messages[0].content[1]",
    ),
    "a block of nobody's beside nothing": ("bedrock", converse({"text": None, "x": 1}), "$.messages[0].content[1]"),
    "a tool of the server's that is no object": (
        "gemini",
        contents(tools=[{"googleSearch": []}]),
        "$.tools[0].googleSearch",
    ),
    "names of stores that are none": (
        "gemini",
        contents(tools=[{"fileSearch": {"fileSearchStoreNames": [1]}}]),
        "$.tools[0].fileSearch",
    ),
    "files of a container that are none": (
        "openai-responses",
        items(tools=[{"type": "code_interpreter", "container": {"type": "auto", "file_ids": [1]}}]),
        "$.tools[0]",
    ),
    "half a page": (
        "anthropic",
        asked(ran("web_fetch", FETCHED | {"content": {"type": "document", "source": {"type": "text", "data": "x"}}})),
        "$.messages[1].content[0]",
    ),
    "a hit without an address": (
        "anthropic",
        asked(ran("web_search", [{"type": "web_search_result", "title": "t", "encrypted_content": "x"}])),
        "$.messages[1].content[0]",
    ),
    "half a use of a search": (
        "anthropic",
        asked() | {"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 1.5}]},
        "$.tools[0]",
    ),
    "a schema of a text": ("mistral", defined({"type": "text"}), "$.tools[0].function.parameters.type"),
    "a schema of a word": ("ollama", defined({"type": "string"}), "$.tools[0].function.parameters.type"),
    "a call of a tool that no server has": (
        "gemini",
        {"contents": [USER, SERVED]},
        "$.contents[1].parts[0]",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_content_that_cannot_be_repaired_is_refused(name: str) -> None:
    dialect, body, path = REFUSED[name]
    with pytest.raises(tw.BuildError) as caught:
        build(body, dialect)
    assert (caught.value.code, caught.value.path) == ("unsendable", path)


BY_ITSELF = {
    "a search for no words": (
        "openai-responses",
        items(SEARCH | {"action": {"type": "search", "query": [1]}}),
        "$.input[1]",
    ),
    "an item of a bad id": ("openai-responses", items(SEARCH | {"id": "a b"}), "$.input[1]"),
    "a search that says nothing of how far it came": (
        "openai-responses",
        items({key: value for key, value in SEARCH.items() if key != "status"}),
        "$.input[1]",
    ),
}


@pytest.mark.parametrize("name", BY_ITSELF)
def test_an_item_of_the_provider_that_cannot_be_repaired_is_left_out(name: str) -> None:
    dialect, body, path = BY_ITSELF[name]
    built = build(body, dialect)
    assert ("empty_turn", path) in [(entry.code, entry.path) for entry in built.receipt]


def test_system_text_between_two_turns_of_the_assistant_makes_way() -> None:
    said = [{"role": "assistant", "content": [{"text": word}]} for word in ("a", "b")]
    system = {"role": "system", "content": [{"text": "s"}]}
    built = build({"messages": [ASKED, said[0], system, said[1], ASKED]}, "bedrock")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["moved_system", "merged_turn"]
    together = {"role": "assistant", "content": [{"text": "a"}, {"text": "b"}]}
    assert built.render("bedrock").payload == {"system": [{"text": "s"}], "messages": [ASKED, together, ASKED]}


def test_a_block_in_a_rewritten_result_is_checked() -> None:
    found = {"searchResult": {"source": "s", "title": "t", "content": [], "citations": "x"}}
    turns = [
        ASKED,
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "\ud800"}, found]}}]},
    ]
    with pytest.raises(tw.BuildError) as caught:
        build({"messages": turns}, "bedrock")
    assert (caught.value.code, caught.value.path) == ("unsendable", "$.messages[2].content[0]")


def test_moved_system_text_leaves_what_only_messages_hold() -> None:
    tools = [{"name": "f", "input_schema": {"type": "object"}}]
    added = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "f"}}
    user = {"role": "user", "content": "q"}
    body = {"messages": [user, {"role": "system", "content": [added]}, user], "tools": tools}
    built = build(body, "anthropic")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["moved_system"]
    made = built.render("anthropic")
    assert made.payload == {"messages": [user, user], "tools": tools}
    assert [(loss.code, loss.path) for loss in made.receipt] == [
        ("moved_system", "$.messages[1]"),
        ("opaque", "$.messages[1].content[0]"),
    ]


@pytest.mark.parametrize("key", ["previous_response_id", "conversation"])
def test_what_names_nothing_on_the_server_keeps_nothing_there(key: str) -> None:
    output = {"type": "function_call_output", "call_id": "c", "output": "x"}
    built = build(items(output) | {key: [1]}, "openai-responses")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["orphan_result"]
    assert not build(items(output) | {key: "r_1"}, "openai-responses").receipt


FILE: Any = {"brandNew": {"x": 1}}
# Bedrock's blocks with a source of a kind that its API does not have yet.
NEW_SOURCES: dict[str, Any] = {
    "document": {"format": "pdf", "name": "d", "source": FILE},
    "image": {"format": "png", "source": FILE},
    "video": {"format": "mp4", "source": FILE},
    "audio": {"format": "mp3", "source": FILE},
}


# No result can hold audio.
PLACES = [(kind, inside) for kind in NEW_SOURCES for inside in (False, True) if not (inside and kind == "audio")]


@pytest.mark.parametrize(("kind", "inside"), PLACES)
def test_a_source_of_an_unknown_kind_is_told_and_stays(kind: str, inside: bool) -> None:
    block: Any = {kind: NEW_SOURCES[kind]}
    messages: list[Any] = [{"role": "user", "content": [{"text": "q"}, block]}]
    path = "$.messages[0].content[1]"
    if inside:
        call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
        given = {"toolResult": {"toolUseId": "c", "content": [block]}}
        messages = [messages[0] | {"content": [{"text": "q"}]}, {"role": "assistant", "content": [call]}]
        messages.append({"role": "user", "content": [given]})
        path = "$.messages[2].content[0].toolResult.content[0]"
    body: Any = {"messages": messages}
    if inside:
        spec = {"name": "f", "inputSchema": {"json": {"type": "object"}}}
        body["toolConfig"] = {"tools": [{"toolSpec": spec}]}
    ready = tw.prepare(body, "bedrock", source="bedrock")
    assert ready.payload == body
    assert [(one.code, one.path) for one in tw.check(body, "bedrock", source="bedrock")] == [
        ("unknown_key", f"{path}.{kind}.source.brandNew")
    ]


PNG: Any = {"format": "png", "source": {"bytes": "iVBORw0KGgo=", "x_odd": 1}, "x_odd": 2}


@pytest.mark.parametrize(
    "mark",
    [{"image": PNG, "x_odd": 3}, {"text": {"text": "g", "qualifiers": ["query"], "x_odd": 1}, "x_odd": 2}],
)
def test_a_guarded_block_that_is_written_anew_keeps_its_keys(mark: Any) -> None:
    body: Any = {"messages": [{"role": "user", "content": [{"text": "q"}, {"guardContent": mark, "unset": None}]}]}
    ready = tw.prepare(body, "bedrock", source="bedrock")
    del body["messages"][0]["content"][1]["unset"]
    assert ready.payload == body
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$.messages[0].content[1]")
    ]
    assert json.loads(tw.prepare_json(json.dumps(body), "bedrock", source="bedrock").payload) == body


def test_a_second_source_is_told_in_its_place() -> None:
    source = {"bytes": "JVBERi0xLjQK", "s3Location": {"uri": "s3://bucket/w"}}
    block = {"document": {"format": "pdf", "name": "d", "source": source}}
    body: Any = {"messages": [{"role": "user", "content": [{"text": "q"}, block]}]}
    ready = tw.prepare(body, "bedrock", source="bedrock")
    place = "$.messages[0].content[1].document.source.s3Location"
    assert [(loss.code, loss.path) for loss in ready.receipt.only("lost")] == [("key", place)]
