"""What a target refuses in its own format, and what a build writes instead: a case for each rule, by hand."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

PNG = "iVBORw0KGgo="


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def model(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def said(text: str) -> Json:
    return {"text": text}


def use(name: str, **more: Any) -> Json:
    return {"toolUse": {"toolUseId": name, "name": "f", **({"input": {}} | more)}}


def result(name: str, *blocks: Json, **more: Any) -> Json:
    return {"toolResult": {"toolUseId": name, "content": list(blocks), **more}}


def image(kind: str) -> Json:
    return {"image": {"format": kind, "source": {"bytes": PNG}}}


def document(name: str, **more: Any) -> Json:
    return {"document": {"format": "pdf", "name": name, "source": {"bytes": "JVBERi0xLjQK"}, **more}}


FILM = {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://bucket/v"}}}}
SOUND = {"audio": {"format": "mp3", "source": {"bytes": "SUQz"}}}

BEDROCK: dict[str, tuple[list[Json], list[Json], list[str]]] = {
    "sides that do not alternate": (
        [user(said("a")), user(said("b")), model(said("c")), model(said("d")), user(said("e"))],
        [user(said("a"), said("b")), model(said("c"), said("d")), user(said("e"))],
        ["merged_turn", "merged_turn"],
    ),
    "a document whose neighbour brings the text": (
        [user(document("n")), user(said("q"))],
        [user(document("n"), said("q"))],
        ["merged_turn"],
    ),
    "documents of one name, one in a result, and a name that is refused": (
        [
            user(said("q"), document("n"), document("n", context="c"), document("a.b")),
            model(use("c1")),
            user(result("c1", document("n"), document("m"))),
        ],
        [
            user(said("q"), document("n"), document("n 2", context="c"), document("a-b")),
            model(use("c1")),
            user(result("c1", document("n 3"), document("m"))),
        ],
        ["reshaped", "reshaped", "reshaped"],
    ),
    "blank text, calls without arguments or with a list, JSON that is no object": (
        [
            user(said("q"), said("  ")),
            model({"toolUse": {"toolUseId": "c1", "name": "f"}}, use("c2", input={"a": 1})),
            user(result("c1", {"json": [1]}), result("c2", {"json": {"a": 1}})),
        ],
        [
            user(said("q")),
            model(use("c1"), use("c2", input={"a": 1})),
            user(result("c1", said("[1]")), result("c2", {"json": {"a": 1}})),
        ],
        ["blank_text", "reshaped", "reshaped"],
    ),
    "an image of another format, film from the assistant, sound in a result": (
        [user(said("q"), image("jpeg")), model(said("a"), FILM, use("c1")), user(result("c1", SOUND))],
        [
            user(said("q"), image("png")),
            model(said("a"), use("c1")),
            user(result("c1"), said("Media from the result of tool call c1:"), SOUND),
        ],
        ["media_type", "media", "moved_media"],
    ),
}


@pytest.mark.parametrize("name", BEDROCK)
def test_converse(name: str) -> None:
    messages, expected, changes = BEDROCK[name]
    built = tw.spec.MessageBuilder().set_messages(messages, "bedrock").build(target="bedrock")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == changes
    assert built.render("bedrock", blobs="base64").payload == {"messages": expected}
    again = tw.spec.MessageBuilder().set_messages(expected, "bedrock").build(target="bedrock")
    assert not again.receipt.changed
    assert tw.spec.MessageBuilder().set_messages(built).build(target="bedrock") == built


def test_converse_around_the_list() -> None:
    spec = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
    mark = {"cachePoint": {"type": "default"}}
    body = {
        "system": [said("s"), mark, image("png"), said(" ")],
        "messages": [user(said("q"))],
        "toolConfig": {
            "tools": [spec, mark, {"toolSpec": {"name": "g", "description": ""}}, {"name": "h", "parameters": {}}],
            "toolChoice": "required",
        },
    }
    built = tw.spec.MessageBuilder().set_messages(body, "bedrock").build(target="bedrock")
    changes = ["blank_text", "mended_schema", "moved_system", "reshaped", "reshaped", "reshaped"]
    assert sorted(entry.code for entry in built.receipt if entry.kind != "warning") == changes
    empty = {"json": {"type": "object"}}
    listed = {"json": {"type": "object", "properties": {}}}
    assert built.render("bedrock").payload == {
        "system": [said("s"), mark],
        "messages": [user(said("q"))],
        "toolConfig": {
            "tools": [
                spec,
                mark,
                {"toolSpec": {"name": "g", "inputSchema": listed}},
                {"toolSpec": {"name": "h", "inputSchema": empty}},
            ],
            "toolChoice": {"any": {}},
        },
    }


def call(call_id: str, **more: Any) -> Json:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}", **more}


def output(name: str, said: Any = "r", **more: Any) -> Json:
    return {"type": "function_call_output", "call_id": name, "output": said, **more}


def asks(content: Any) -> Json:
    return {"role": "user", "content": content}


def reply(*parts: Json, **more: Any) -> Json:
    return {
        "type": "message",
        "id": "msg_1",
        "status": "completed",
        "role": "assistant",
        "content": list(parts),
        **more,
    }


def part(kind: str, **more: Any) -> Json:
    return {"type": kind, **more}


def out(text: str, **more: Any) -> Json:
    return part("output_text", text=text, annotations=[], **more)


def inp(text: str, **more: Any) -> Json:
    return part("input_text", text=text, **more)


DATA = f"data:image/png;base64,{PNG}"

RESPONSES: dict[str, tuple[list[Json], list[Json], list[str]]] = {
    "ids that do not look like those of their items": (
        [asks("q"), call("c1", id="call_1"), output("c1", id="call 1")],
        [asks("q"), call("c1"), output("c1")],
        ["reshaped", "reshaped"],
    ),
    "what only an SDK's reply objects have": (
        [
            asks("q"),
            reply(out("a", parsed={"x": 1}), status="completed", phase="commentary"),
            call("c1", id="fc_1", parsed_arguments={}, created_by="x", status="completed"),
            output("c1"),
        ],
        [
            asks("q"),
            reply(out("a"), status="completed", phase="commentary"),
            call("c1", id="fc_1", status="completed"),
            output("c1"),
        ],
        ["reply_keys", "reply_keys"],
    ),
    "what the other side says, and Chat Completions": (
        [asks([part("text", text="t"), out("z")]), {"role": "assistant", "content": [inp("b")]}],
        [asks([inp("t"), inp("z")]), {"role": "assistant", "content": "b"}],
        ["reshaped", "reshaped", "reshaped"],
    ),
    "a call's id that is too long": (
        [asks("q"), call("c" * 65), output("c" * 65)],
        [asks("q"), call("call_ZxJgMDZ7czJ"), output("call_ZxJgMDZ7czJ")],
        ["renamed_id"],
    ),
    "an image of another format, an unknown detail, a file without its address, an image from the system": (
        [
            asks(
                [
                    part("input_image", image_url=DATA.replace("png", "jpeg"), detail="huge"),
                    part("input_file", file_data="JVBERi0xLjQK", filename="a.pdf"),
                ]
            ),
            {"role": "system", "content": [part("input_image", image_url=DATA, detail="low"), inp("s")]},
        ],
        [
            asks(
                [
                    part("input_image", image_url=DATA, detail="auto"),
                    part("input_file", filename="a.pdf", file_data="data:application/pdf;base64,JVBERi0xLjQK"),
                ]
            ),
            {"role": "system", "content": [inp("s")]},
        ],
        ["reshaped", "media_type", "reshaped", "media"],
    ),
    "reasoning without what it led to": (
        [asks("q"), part("reasoning", id="rs_1", summary=[]), asks("x")],
        [asks("q"), asks("x")],
        ["lone_reasoning"],
    ),
    "reasoning before what a client gave back": (
        [
            asks("q"),
            part("shell_call", call_id="s1", action={"commands": ["ls"]}),
            part("reasoning", id="rs_1", summary=[]),
            part("shell_call_output", call_id="s1", output=[]),
        ],
        [
            asks("q"),
            part("shell_call", call_id="s1", action={"commands": ["ls"]}),
            part("shell_call_output", call_id="s1", output=[]),
        ],
        ["lone_reasoning"],
    ),
    "reasoning as an SDK dumps it, with what is null": (
        [asks("q"), part("reasoning", id="rs_1", summary=None, content=None, status="done"), call("c1"), output("c1")],
        [asks("q"), part("reasoning", id="rs_1", summary=[]), call("c1"), output("c1")],
        ["reshaped"],
    ),
    "reasoning of somebody else, and what it led to": (
        [asks("q"), part("reasoning", id="think-1", summary=[]), call("c1", id="fc_1"), output("c1")],
        [asks("q"), call("c1"), output("c1")],
        ["reasoning", "empty_turn", "reshaped"],
    ),
    "items of one id": (
        [
            asks("q"),
            *(part("reasoning", id="rs_1", summary=[]), call("c1", id="fc_1"), output("c1")),
            *(part("reasoning", id="rs_1", summary=[]), call("c2", id="fc_1"), output("c2")),
        ],
        [
            asks("q"),
            *(part("reasoning", id="rs_1", summary=[]), call("c1", id="fc_1"), output("c1")),
            *(call("c2"), output("c2")),
        ],
        ["repeated_item", "repeated_item"],
    ),
    "an id of a user, a message with a status and no list, an image that does not say how closely to look": (
        [
            {**asks([part("input_image", image_url="https://e.org/a.png")]), "id": "msg_9"},
            {**reply(), "status": "completed", "content": "a"},
            {**asks("x"), "status": "completed"},
        ],
        [
            asks([part("input_image", image_url="https://e.org/a.png")]),
            reply(out("a"), status="completed"),
            asks([inp("x")]) | {"status": "completed"},
        ],
        ["reshaped"] * 3,
    ),
    "keys that are null, states and phases that nobody knows": (
        [asks("q"), call("c1", id=None, status="done"), output("c1"), {**reply(out("a", logprobs=None)), "phase": "x"}],
        [asks("q"), call("c1"), output("c1"), reply(out("a"))],
        ["reshaped"] * 4,
    ),
}


@pytest.mark.parametrize("name", RESPONSES)
def test_responses(name: str) -> None:
    items, expected, changes = RESPONSES[name]
    built = tw.spec.MessageBuilder().set_messages(items, "openai-responses").build(target="openai-responses")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == changes
    assert built.render("openai-responses").payload == {"input": expected}
    again = tw.spec.MessageBuilder().set_messages(expected, "openai-responses").build(target="openai-responses")
    assert not again.receipt.changed


@pytest.mark.parametrize("item", [asks([part("input_image")]), asks([part("input_file")])])
def test_what_cannot_be_repaired_in_responses(item: Json) -> None:
    with pytest.raises(tw.BuildError) as caught:
        tw.spec.MessageBuilder().set_messages([asks("q"), item], "openai-responses").build(target="openai-responses")
    assert caught.value.code == "unsendable"


def test_responses_around_the_list() -> None:
    body = {
        "input": "hi",
        "tools": [{"type": "function", "function": {"name": "f"}}, {"name": "g", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "function", "function": {"name": "f"}},
    }
    built = tw.spec.MessageBuilder().set_messages(body, "openai-responses").build(target="openai-responses")
    assert [entry.code for entry in built.receipt if entry.kind != "warning"] == ["reshaped"] * 3 + ["mended_schema"]
    flat = {"type": "function", "parameters": {"type": "object", "properties": {}}, "strict": False}
    assert built.render("openai-responses").payload == {
        "input": "hi",
        "tools": [{**flat, "name": "f"}, {**flat, "name": "g"}],
        "tool_choice": {"type": "function", "name": "f"},
    }


def test_responses_around_a_list_that_says_nothing() -> None:
    for body in ({"input": ""}, {"input": [], "instructions": "be brief"}):
        with pytest.raises(tw.BuildError) as caught:
            tw.spec.MessageBuilder().set_messages(body, "openai-responses").build(target="openai-responses")
        assert caught.value.code == "empty_messages"
        body["previous_response_id"] = "resp_1"
        tw.spec.MessageBuilder().set_messages(body, "openai-responses").build(target="openai-responses")


def test_definitions_and_choices_of_responses() -> None:
    grammar = {"type": "grammar", "syntax": "lark", "definition": "start: /a/"}
    body = {
        "input": "hi",
        "tools": [
            {"type": "function", "name": "f"},
            {"type": "function", "name": "g", "parameters": {"type": "object"}, "strict": "yes"},
            {"type": "custom", "name": "h", "description": None, "format": {"type": "xml"}},
            {"type": "custom", "name": "i", "format": grammar},
        ],
        "tool_choice": {"type": "no_such_tool"},
    }
    built = tw.spec.MessageBuilder().set_messages(body, "openai-responses").build(target="openai-responses")
    changed = ["$.tool_choice", *(f"$.tools[{at}]" for at in (0, 1)), "$.tools[1].parameters.properties", "$.tools[2]"]
    assert [entry.path for entry in built.receipt if entry.kind != "warning"] == changed
    flat = {"type": "function", "parameters": {"type": "object", "properties": {}}, "strict": None}
    assert built.render("openai-responses").payload == {
        "input": "hi",
        "tools": [
            {**flat, "name": "f"},
            {**flat, "name": "g"},
            {"type": "custom", "name": "h"},
            {"type": "custom", "name": "i", "format": grammar},
        ],
    }


def test_what_stripped_reasoning_led_to_does_not_ask_for_it() -> None:
    items = [asks("q"), call("c" * 65), output("c" * 65), part("reasoning", id="rs_1", summary=[]), reply(out("a"))]
    builder = tw.spec.MessageBuilder().set_messages(items, "openai-responses")
    built = builder.build(target="openai-responses", reasoning="drop")
    last = built.render("openai-responses").payload["input"][-1]
    assert last == {"role": "assistant", "content": "a"}
    assert [entry.code for entry in built.receipt if entry.kind != "warning"][-2:] == ["unwanted_reasoning", "reshaped"]


# --- What the server holds (promise P2) ---


@pytest.mark.parametrize(
    "body",
    [
        {"previous_response_id": "resp_1", "input": [output("c1"), asks("x")]},
        {"conversation": {"id": "conv_1"}, "input": [output("c1")]},
        {"input": [part("item_reference", id="fc_9"), output("c1"), asks("x")]},
        {"input": [{"id": "fc_9"}, output("c1")]},
    ],
)
def test_an_output_whose_call_is_on_the_server_stays(body: Json) -> None:
    built = tw.spec.MessageBuilder().set_messages(body, "openai-responses").build(target="openai-responses")
    assert not built.receipt.changed
    assert built.render("openai-responses").payload == {"input": body["input"]}
    alone = {"input": [item for item in body["input"] if "id" not in item]}
    (entry,) = tw.spec.MessageBuilder().set_messages([*alone["input"], asks("y")], "openai-responses").build().receipt
    assert entry.code == "orphan_result"


def test_a_text_is_the_whole_input() -> None:
    conversation = tw.Conversation.parse({"input": "hi", "instructions": "s"}, "openai-responses")
    (turn,) = conversation.turns
    assert (turn.role, turn.parts) == ("user", (tw.parts.Text("hi"),))
    assert conversation.render("openai-responses").payload == {"input": "hi", "instructions": "s"}
    more = conversation.extended([tw.Turn("assistant", "yes")]).render("openai-responses")
    assert more.payload["input"] == [asks("hi"), {"role": "assistant", "content": "yes"}]
    (finding,) = tw.check({"input": " "}, source="openai-responses", target="anthropic")
    assert finding.path == "$.input"


def test_elements_know_what_they_were_written_from() -> None:
    used = [{"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}} for one in "ab"]
    answers = [{"role": "tool", "tool_call_id": one, "content": one} for one in "ab"]
    chat = [asks("q"), {"role": "assistant", "content": "t", "tool_calls": used}, *answers]
    rendered = tw.convert(chat, "openai-responses", source="openai")
    kinds = [item.get("type", item.get("role")) for item in rendered.payload["input"]]
    assert kinds == ["user", "assistant", *["function_call"] * 2, *["function_call_output"] * 2]
    assert rendered.sources == ((0,), (1,), (1,), (1,), (2,), (3,))


# --- What the provider runs: opaque blocks and tools ---

MARK = {"cache_control": {"type": "ephemeral"}}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
RAN = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
TEXT = {"type": "text", "text": "t"}


def around(tools: list[Json] | None = None, *blocks: Json, system: Any = None) -> Json:
    messages = [user(TEXT), *([model(*blocks, TEXT), user(TEXT)] if blocks else [])]
    body: Json = {"system": system} if system is not None else {}
    return body | {"messages": messages} | ({"tools": tools} if tools else {})


def refused(body: Json, dialect: str = "anthropic") -> tuple[str | None, str | None]:
    with pytest.raises(tw.BuildError) as caught:
        tw.spec.MessageBuilder().set_messages(body, dialect).build(target=dialect)
    assert [one.code for one in tw.check(body, dialect, source=dialect) if one.severity == "error"] == ["unsendable"]
    return caught.value.code, caught.value.path


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (around([{"type": "web_search_20250305"}]), "$.tools[0]"),
        (around([SEARCH | {"max_uses": "3"}]), "$.tools[0]"),
        (around([SEARCH | {"allowed_domains": [1]}]), "$.tools[0]"),
        (around([SEARCH | {"type": "a b"}]), "$.tools[0]"),
        (around([{"type": "mcp_toolset"}]), "$.tools[0]"),
        (around(None, {key: RAN[key] for key in RAN if key != "input"}), "$.messages[1].content[0]"),
        (around(None, RAN | {"input": "q"}, FOUND), "$.messages[1].content[0]"),
        (around(None, RAN, FOUND | {"content": "none"}), "$.messages[1].content[1]"),
        (around(None, {"type": "", "x": 1}), "$.messages[1].content[0]"),
        (around(None, {"type": "what is this?", "x": 1}), "$.messages[1].content[0]"),
        (around(None, {"type": "x" * 65, "x": 1}), "$.messages[1].content[0]"),
    ],
)
def test_what_cannot_be_rewritten_is_refused(body: Json, path: str) -> None:
    assert refused(body) == ("unsendable", path)


@pytest.mark.parametrize("kind", ["computer_toolset_20260801", "browser_toolset_20260801"])
def test_a_set_of_tools_needs_no_name(kind: str) -> None:
    body = around([{"type": kind, "cache_control": {"type": "ephemeral"}}])
    built = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert built.render("anthropic").payload == body and not built.receipt.changed
    assert not tw.check(body, "anthropic", source="anthropic")


def test_keys_with_a_refused_value_are_removed_and_the_rest_stays() -> None:
    tool = {"defer_loading": True, "name": "f", "input_schema": {"type": "object"}}
    body = around(
        [tool | {"strict": "yes"} | MARK, SEARCH],
        RAN | {"cache_control": {"type": "for ever"}},
        FOUND | MARK,
        system=[TEXT | {"cache_control": 5}, TEXT | MARK],
    )
    built = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert built.render("anthropic").payload == around(
        [tool | MARK, SEARCH], RAN, FOUND | MARK, system=[TEXT, TEXT | MARK]
    )
    assert [(one.code, one.path) for one in built.receipt] == [
        ("reshaped", "$.system[0]"),
        ("reshaped", "$.tools[0]"),
        ("reshaped", "$.messages[1].content[0]"),
    ]


def test_only_the_wrong_key_of_a_function_is_removed() -> None:
    function = {"name": "f", "parameters": {"type": "object", "properties": {}}}
    body = {"messages": [user(TEXT)], "tools": [{"function": function | {"strict": 1, "x": 2}, "type": "function"}]}
    built = tw.spec.MessageBuilder().set_messages(body, "openai").build(target="openai")
    assert built.render("openai").payload["tools"] == [{"function": function | {"x": 2}, "type": "function"}]


def test_a_tool_without_a_definition_is_reported() -> None:
    findings = tw.check(around([{"type": "oracle_20300101", "name": "oracle"}]), "anthropic", source="anthropic")
    assert [(one.code, one.severity, one.path) for one in findings] == [("unknown_tool", "warning", "$.tools[0]")]


def test_marks_around_the_turns_count_and_go_last() -> None:
    body = around(
        [{"name": "f", "input_schema": {"type": "object"}} | MARK], RAN | MARK, FOUND, system=[TEXT | MARK] * 5
    )
    built = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert {entry.code for entry in built.receipt if entry.kind != "warning"} == {"extra_marks"}
    payload = built.render("anthropic").payload
    assert payload["system"] == [TEXT, TEXT, TEXT | MARK, TEXT | MARK, TEXT | MARK]
    assert payload["tools"] == body["tools"]
    assert payload["messages"][1]["content"] == [RAN, FOUND, TEXT]


def test_lone_surrogates_in_opaque_blocks_are_replaced() -> None:
    body = around(None, RAN | {"input": {"query": "\ud83d"}}, FOUND)
    built = tw.spec.MessageBuilder().set_messages(body, "anthropic").build(target="anthropic")
    assert built.render("anthropic").payload == around(None, RAN | {"input": {"query": "\ufffd"}}, FOUND)
    assert [(one.code, one.path) for one in built.receipt] == [("lone_surrogate", "$.messages[1]")]


FUNCTION = {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}
AS_TOOL = {"type": "function", "function": FUNCTION}


@pytest.mark.parametrize("choice", ["auto", "none", {"name": "f"}])
def test_legacy_functions_go_back_as_they_came(choice):
    for body in (
        {"messages": [{"role": "user", "content": "q"}], "functions": [FUNCTION], "function_call": choice},
        {"function_call": choice, "functions": [FUNCTION], "messages": [{"role": "user", "content": "q"}]},
    ):
        ready = tw.prepare(body, "openai", source="openai")
        assert not ready.receipt.changed
        assert json.dumps(ready.payload) == json.dumps(body)
        text = json.dumps(body, indent=1).encode()
        assert tw.prepare_json(text, "openai", source="openai").payload == text
        assert not tw.check(body, "openai", source="openai")
        assert [tool["name"] for tool in tw.Conversation.parse(body, "openai").tools] == ["f"]


@pytest.mark.parametrize(
    "wrong",
    [AS_TOOL, {"name": "g", "parameters": "x"}, {"name": "g", "parameters": ["x"]}],
    ids=["wrapped", "text", "list"],
)
def test_legacy_functions_that_are_refused_become_tools(wrong):
    choice = {"name": "h"}
    known = {**FUNCTION, "name": "h"}
    body = {"messages": [{"role": "user", "content": "q"}], "functions": [known, wrong], "function_call": choice}
    ready = tw.prepare(body, "openai", source="openai")
    assert {change.code for change in ready.receipt} in ({"reshaped"}, {"reshaped", "key", "unknown_key"})
    assert list(ready.payload) == ["messages", "tools", "tool_choice"]
    assert ready.payload["tools"][0] == {"type": "function", "function": known}
    assert all(tool["type"] == "function" for tool in ready.payload["tools"])
    assert ready.payload["tool_choice"] == {"type": "function", "function": choice}
    assert not tw.prepare(ready.payload, "openai", source="openai").receipt


def test_tools_before_legacy_functions_make_them_tools():
    body = {"messages": [{"role": "user", "content": "q"}], "functions": [FUNCTION], "function_call": {"name": "f"}}
    ready = tw.prepare(body, "openai", source="openai", tools=[{"name": "g", "parameters": {"type": "object"}}])
    assert [tool["function"]["name"] for tool in ready.payload["tools"]] == ["g", "f"]
    assert ready.payload["tool_choice"] == {"type": "function", "function": {"name": "f"}}
    assert "functions" not in ready.payload
    # Beside tools no server reads them: they are the caller's own keys.
    both = {**body, "tools": [{"type": "function", "function": {"name": "g"}}]}
    ready = tw.prepare(both, "anthropic", source="openai")
    assert [tool["name"] for tool in ready.payload["tools"]] == ["g"]
    assert tw.convert(both, "openai", source="openai").payload == {key: both[key] for key in both if key != "functions"}
    assert tw.convert(both, "openai", source="openai", settings="keep").payload == both


def test_a_legacy_choice_needs_legacy_functions():
    user = {"role": "user", "content": "q"}
    for body in (
        {"messages": [user], "tools": [AS_TOOL], "function_call": {"name": "f"}},
        {"messages": [user], "functions": [FUNCTION], "tool_choice": {"type": "function", "function": {"name": "f"}}},
    ):
        ready = tw.prepare(body, "openai", source="openai")
        assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["reshaped"]
        chosen = {"type": "function", "function": {"name": "f"}}
        assert ready.payload == {"messages": [user], "tools": [AS_TOOL], "tool_choice": chosen}


@pytest.mark.parametrize(
    ("keys", "changes"),
    [
        ({"function_call": "auto", "tool_choice": "auto"}, ["tool_choice", "function_call"]),
        ({"function_call": None, "tool_choice": "auto"}, ["tool_choice", "function_call"]),
        ({"function_call": "auto", "tool_choice": "auto", "tools": []}, ["tools", "tool_choice", "function_call"]),
        ({"parallel_tool_calls": True}, ["parallel_tool_calls"]),
        ({"parallel_tool_calls": False, "tools": []}, ["tools", "parallel_tool_calls"]),
        ({"parallel_tool_calls": True, "tool_choice": "none"}, ["tool_choice", "parallel_tool_calls"]),
        ({"function_call": {"name": "f"}, "parallel_tool_calls": True}, ["function_call", "parallel_tool_calls"]),
    ],
)
def test_what_needs_tools_goes_at_once(keys: Json, changes: list[str]) -> None:
    rest = {"model": "m", "messages": [{"role": "user", "content": "q"}]}
    ready = tw.prepare({**keys, **rest}, "openai", source="openai", settings="keep")
    assert ready.payload == rest
    told = [("no_tools" if key == "tools" else "lone_choice", f"$.{key}") for key in sorted(changes)]
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == told
    assert [(one.code, one.path) for one in tw.check({**keys, **rest}, source="openai", target="openai")] == told
    again = tw.prepare(ready.payload, "openai", source="openai", settings="keep")
    assert (again.payload, list(again.receipt)) == (rest, [])


@pytest.mark.parametrize("choice", [None, {"type": "function", "function": {"name": "none"}}])
def test_a_legacy_choice_goes_with_the_choice_that_replaced_it(choice: Json | None) -> None:
    rest = {"messages": [{"role": "user", "content": "q"}], "tools": [AS_TOOL]}
    both = {**rest, "tool_choice": choice, "function_call": "auto"}
    ready = tw.prepare(both, "openai", source="openai", settings="keep")
    assert ready.payload == rest
    assert ("reshaped", "$.function_call") in [
        (entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"
    ]
    assert list(tw.prepare(ready.payload, "openai", source="openai", settings="keep").receipt) == []


@pytest.mark.parametrize("dialect", ["openai", "mistral", "openai-responses"])
def test_parallel_calls_stay_where_they_are_accepted(dialect: Any) -> None:
    body = tw.convert(
        {"messages": [{"role": "user", "content": "q"}], "tools": [AS_TOOL]}, dialect, source="openai"
    ).payload
    body = {"model": "m", **body, "parallel_tool_calls": False}
    without = {key: value for key, value in body.items() if key != "tools"}
    for said in (body, without) if dialect != "openai" else (body, {**without, "parallel_tool_calls": None}):
        ready = tw.prepare(said, dialect, source=dialect, settings="keep")
        assert ready.payload == said and not ready.receipt.changed


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({"guardContent": {"text": {"text": "a", "x_odd": 1}}}, None),
        ({"guardContent": {"text": {"text": "a"}, "x_odd": 1}}, None),
        ({"searchResult": {"source": "s", "title": "t", "content": [{"text": "f", "x_odd": 1}]}}, None),
        ({"cachePoint": {"type": "default", "x_odd": 1}}, None),
        ({"guardContent": {"text": {"text": "a"}}, "x_odd": 1}, "$.messages[0].content[1].x_odd"),
    ],
)
def test_an_unknown_key_is_reported_where_converse_blocks_are_read(block, path):
    """The tables of an opaque block list its required keys, not all allowed ones.

    A report about a new key of the service would be wrong. So such a key is kept with its block, and only a key beside
    the block is reported.
    """
    body = {"messages": [{"role": "user", "content": [{"text": "q"}, block]}]}
    told = [(finding.code, finding.path) for finding in tw.check(body, "bedrock", source="bedrock")]
    assert told == ([("unknown_key", path)] if path else [])
    built = tw.spec.MessageBuilder().set_messages(body, "bedrock").build(target="bedrock")
    assert not built.receipt.changed
    assert built.render("bedrock").payload == body


@pytest.mark.parametrize(
    ("dialect", "body", "path"),
    [
        ("anthropic", around([{**SEARCH, "x_odd": 1, "max_uses": 2}]), "$.tools[0].x_odd"),
        ("openai-responses", {"input": "q", "tools": [{"type": "web_search", "x_odd": 1}]}, "$.tools[0].x_odd"),
        (
            "gemini",
            {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "tools": [{"googleSearch": {"xOdd": 1}}]},
            "$.tools[0].googleSearch.xOdd",
        ),
        # The table lists no key of this type.
        ("openai-responses", {"input": "q", "tools": [{"type": "local_shell", "x_odd": 1}]}, None),
    ],
)
def test_an_unknown_key_of_a_tool_that_the_provider_runs_is_reported(dialect, body, path):
    told = [(finding.code, finding.path) for finding in tw.check(body, dialect, source=dialect)]
    assert told == ([("unknown_key", path)] if path else [])
    assert tw.spec.MessageBuilder().set_messages(body, dialect).build(target=dialect).render(dialect).payload == body


@pytest.mark.parametrize(("dialect", "key"), [("openai", "parts"), ("anthropic", "tool_calls"), ("ollama", "parts")])
def test_a_key_that_another_format_knows_stays_and_is_reported_again(dialect, key):
    """P7 keeps unknown keys with a finding, so the output has the same findings and no others."""
    body = {"messages": [{"role": "user", "content": "q", key: [{"text": "z"}]}]}
    told = [(finding.code, finding.path) for finding in tw.check(body, dialect, source=dialect)]
    built = tw.spec.MessageBuilder().set_messages(body, dialect).build(target=dialect)
    made = built.render(dialect).payload
    assert (built.receipt.first_changed_index, made) == (None, body)
    assert told == [("wrong_dialect", f"$.messages[0].{key}"), ("unknown_key", f"$.messages[0].{key}")]
    assert [(finding.code, finding.path) for finding in tw.check(made, dialect, source=dialect)] == told


@pytest.mark.parametrize("data", ["x", {"a": 1}])
def test_a_document_that_coheres_user_says_is_text(data):
    said = [{"type": "document", "document": {"data": data}}, {"type": "text", "text": "a"}]
    ready = tw.prepare([{"role": "user", "content": said}], "cohere", source="cohere")
    text = data if isinstance(data, str) else '{"a":1}'
    assert ready.payload["messages"][0]["content"] == [{"type": "text", "text": text}, said[1]]
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$[0].content[0]")
    ]


def test_a_mark_inside_a_source_is_reported():
    source: dict[str, Any] = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    source["cache_control"] = {"type": "ephemeral"}
    ready = tw.prepare([{"role": "user", "content": [{"type": "image", "source": source}]}], "anthropic")
    (warning,) = ready.receipt.only("warning")
    assert warning.path == "$[0].content[0].source.cache_control"


def takes(judge: str, message: Json) -> bool:
    """Whether these types of Mistral's know a message's first chunk; the client keeps an unknown chunk unread."""
    kind = pytest.importorskip(judge).AssistantMessage
    try:
        first = kind.model_validate(message).content[0]
    except ValueError:
        return False
    return bool(first.type == "thinking")


@pytest.mark.parametrize(
    ("thinking", "judge", "other"),
    [
        ("hm", "mistral_common.protocol.instruct.messages", "mistralai.client.models"),
        ([{"type": "text", "text": "hm"}], "mistralai.client.models", "mistral_common.protocol.instruct.messages"),
    ],
)
def test_both_forms_of_mistrals_thinking_go_back_as_they_came(thinking, judge, other):
    """The hosted API takes a list of chunks, servers that run `mistral_common` one text; neither takes the other."""
    messages = [
        {"role": "user", "content": "q"},
        model({"type": "thinking", "thinking": thinking}, {"type": "text", "text": "a"}),
    ]
    messages.append({"role": "user", "content": "r"})
    ready = tw.prepare(messages, "mistral", source="mistral")
    assert (ready.payload["messages"], list(ready.receipt)) == (messages, [])
    assert takes(judge, ready.payload["messages"][1])
    assert not takes(other, ready.payload["messages"][1])


def test_an_opening_comes_where_the_users_first_turn_is_emptied():
    refused = {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "no address"}}]}
    messages = [refused, {"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi."}]
    ready = tw.prepare(messages, "anthropic", source="anthropic", wording={"opening": "Begin."})
    assert [one["content"] for one in ready.payload["messages"]] == ["Begin.", "Hello.", "Hi."]
    assert sorted(change.code for change in ready.receipt) == ["empty_turn", "media", "opening_added"]


def test_a_call_of_the_old_form_keeps_it_beside_others() -> None:
    half = '{"a": "\\ud83d"}'
    said = {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "g", "arguments": half},
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "h", "arguments": "{}"}}],
    }
    results = [{"role": "function", "name": "g", "content": "r"}, {"role": "tool", "tool_call_id": "c", "content": "s"}]
    asked = [{"role": "user", "content": "q"}]
    ready = tw.prepare([*asked, said, *results], "openai")
    mended = {**said, "function_call": {"name": "g", "arguments": half.replace("ud83d", "ufffd")}}
    assert ready.payload["messages"] == [*asked, mended, *results]
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["lone_surrogate"]


def test_a_document_of_texts_is_the_users_alone() -> None:
    document = {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "d"}]}}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [document]}]
    made = tw.prepare([*messages, messages[0]], "anthropic", source="anthropic")
    assert made.payload["messages"] == [messages[0], messages[0]]
    assert ("media", "$[1].content[0]") in [
        (entry.code, entry.path) for entry in made.receipt if entry.kind != "warning"
    ]
    user = [{"role": "user", "content": [document]}]
    assert tw.prepare(user, "anthropic", source="anthropic").payload["messages"] == user


@pytest.mark.parametrize("spec", [{"inputSchema": {"json": {"type": "object"}, "x": None}}, {"x": None}])
def test_a_null_key_anywhere_in_a_tool_of_converse_is_left_out(spec: dict[str, Any]) -> None:
    tool = {"name": "f", "inputSchema": {"json": {"type": "object"}}}
    body = {
        "messages": [{"role": "user", "content": [{"text": "q"}]}],
        "toolConfig": {"tools": [{"toolSpec": tool | spec}]},
    }
    ready = tw.prepare(body, "bedrock")
    assert ready.payload["toolConfig"] == {"tools": [{"toolSpec": tool}]}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["reshaped"]
    assert not tw.check(ready.payload, "bedrock", source="bedrock")


ANSWERS: list[Any] = [{"a": 1}, 5, True, 0.5]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("custom", [False, True])
def test_an_output_that_is_no_text_becomes_text(answer: Any, custom: bool) -> None:
    kind, said = ("custom_tool_call", {"input": "x"}) if custom else ("function_call", {"arguments": "{}"})
    call = {"type": kind, "call_id": "c", "name": "f", **said}
    messages = [{"role": "user", "content": "q"}, call, {"type": f"{kind}_output", "call_id": "c", "output": answer}]
    for given in (messages, json.dumps(messages, separators=(",", ":"))):
        ready = tw.prepare(given, "openai-responses")
        assert ready.payload["input"][2]["output"] == json.dumps(answer, separators=(",", ":"))
        assert ("reshaped", "$[2]") in [(change.code, change.path) for change in ready.receipt]
    found = tw.check(messages, "openai-responses", source="openai-responses")
    assert ("reshaped", "$[2]") in [(finding.code, finding.path) for finding in found]


@pytest.mark.parametrize("answer", ["x", *ANSWERS[1:], [1, {"a": None}]])
@pytest.mark.parametrize("key", ["functionResponse", "function_response"])
def test_a_response_that_is_no_object_becomes_one(answer: Any, key: str) -> None:
    call = {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}
    contents = [
        {"role": "user", "parts": [{"text": "q"}]},
        {"role": "model", "parts": [call]},
        {"role": "user", "parts": [{key: {"name": "f", "response": answer}}]},
    ]
    for ready in (tw.prepare(contents, "gemini"), tw.prepare(json.dumps(contents), "gemini")):
        (part,) = ready.payload["contents"][2]["parts"]
        assert part["functionResponse"] == {"name": "f", "response": {"result": answer}}
        assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
            ("reshaped", "$[2].parts[0]")
        ]
    found = tw.check(contents, "gemini", source="gemini")
    assert ("reshaped", "$[2].parts[0]") in [(finding.code, finding.path) for finding in found]


@pytest.mark.parametrize("target", ["openai", "openai:compatible", "openai:groq"])
def test_an_empty_list_of_content_beside_calls_is_left_out(target: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked, told = {"role": "user", "content": "q"}, {"role": "tool", "tool_call_id": "c", "content": "r"}
    messages = [asked, {"role": "assistant", "content": [], "tool_calls": [call]}, told]
    for ready in (tw.prepare(messages, target), tw.prepare(json.dumps(messages), target)):
        assert ready.payload["messages"] == [asked, {**messages[1], "content": None}, told]
        assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
            ("reshaped", "$[1]")
        ]
    assert tw.convert(messages, "openai", source="openai").payload["messages"] == messages


TEXT_PART: Json = {"type": "text", "content": "a"}
CALLED: Json = {"id": "c", "name": "f", "arguments": {"a": 1}}
# Turns that are written anew, by dialect, with an unknown key in a place from which it could vanish.
BESIDE: dict[str, tuple[Any, list[str]]] = {
    "otel": (
        [
            {"role": "user", "parts": [{"type": "text", "content": "q"}]},
            {"role": "assistant", "x_odd": "W1", "parts": [{"type": "thinking", "content": "h"}, TEXT_PART]},
        ],
        ["W1"],
    ),
    "anthropic": (
        [
            {"role": "user", "content": "q"},
            model({"type": "tool_use", "id": "c", "name": "f", "input": {}}),
            model({"type": "tool_result", "tool_use_id": "c", "content": "r"}) | {"x_odd": "W1"},
        ],
        ["W1"],
    ),
    "gemini": (
        [
            {"role": "user", "parts": [{"text": "q"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            {"role": "model", "parts": [{"functionResponse": {"name": "f", "response": {"a": 1}}}], "x_odd": "W1"},
        ],
        ["W1"],
    ),
    "history": (
        [
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}],
                "toolCalls": [
                    {"id": "c", "function": {"name": "f", "arguments": '{"a": 1}', "x": "W1"}, "y": "W2"},
                    CALLED,
                ],
            },
        ],
        ["W1", "W2"],
    ),
}


@pytest.mark.parametrize("dialect", BESIDE)
def test_a_key_beside_what_moves_or_goes_stays(dialect: Any) -> None:
    messages, words = BESIDE[dialect]
    ready = tw.prepare(messages, dialect, source=dialect)
    assert list(ready.receipt)
    assert [word for word in words if word not in json.dumps(ready.payload)] == []
    text = json.loads(tw.prepare_json(json.dumps(messages), dialect, source=dialect).payload)
    assert text == json.loads(json.dumps(ready.payload))


def test_a_key_of_a_text_that_is_joined_in_a_result_is_told() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {}}}
    parts = [{"type": "text", "text": "a", "x_odd": 1}, {"type": "text", "text": "b", "x_odd": 2}]
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    messages: list[Any] = [{"role": "user", "content": "q"}, asked]
    messages.append({"role": "tool", "tool_call_id": "c1", "name": "f", "content": parts})
    ready = tw.prepare(messages, "openai:hf-mistral", source="openai:hf-mistral")
    assert ready.payload["messages"][2]["content"] == "a\nb"
    told = [loss.path for loss in ready.receipt if loss.code == "key"]
    assert told == ["$[2].content[0].x_odd", "$[2].content[1].x_odd"]


def test_a_call_of_the_legacy_form_needs_no_text() -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    messages = [{"role": "user", "content": "q"}, asked, {"role": "function", "name": "f", "content": "r"}]
    ready = tw.prepare(messages, "openai:kimi", source="openai")
    assert ready.payload["messages"][1] == asked | {"reasoning_content": ""}
    assert not tw.prepare(ready.payload, "openai:kimi", source="openai:kimi").receipt
