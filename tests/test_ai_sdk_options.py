"""Options of providers in the AI SDK's lists: to their maker in its own form, back under its name, and one loss elsewhere."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
SIG, TEXT_SIG, DATA, PROOF = "U0lH", "U0lK", "ZGF0YQ==", "RU5D"
GO: Any = {"role": "user", "content": "go"}
MORE: Any = {"role": "user", "content": "more"}
FORMATS = ("ai-sdk", "ai-sdk-ui")
OTHERS = (
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)


def said(text: str, kind: str = "text", **options: Any) -> Json:
    return {"type": kind, "text": text} | ({"providerOptions": options} if options else {})


def thought(text: str, **options: Any) -> Json:
    return said(text, "reasoning", **options)


def model(*parts: Any) -> list[Any]:
    return [GO, {"role": "assistant", "content": list(parts)}, MORE]


def ui(messages: list[Any]) -> list[Any]:
    """The same messages as the UI holds them."""
    made: list[Any] = []
    for at, message in enumerate(messages):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        named = {"providerOptions": "providerMetadata"}
        renamed = [{named.get(key, key): value for key, value in part.items()} for part in parts]
        made.append({"id": f"m{at}", "role": message["role"], "parts": renamed})
    return made


def given(messages: list[Any], source: str) -> list[Any]:
    return messages if source == "ai-sdk" else ui(messages)


def elements(payload: Any) -> Any:
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


def told(receipt: Any) -> list[tuple[str, str]]:
    """What changed, except for the ids of messages, which only the UI has."""
    return [(one.kind, one.code) for one in receipt if one.code not in ("id", "renamed_id", "tools_missing")]


X = said("x")
ITEM: Any = {
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}],
    "encrypted_content": PROOF,
}
THINKING: Any = {"type": "thinking", "thinking": "t", "signature": SIG}
CONTENT: Any = {"reasoningContent": {"reasoningText": {"text": "t", "signature": SIG}}}
DETAIL: Any = {"type": "reasoning.text", "text": "t", "signature": SIG, "format": "anthropic-claude-v1"}
# Each carrier: its parts, and what its maker's formats get of them.
CARRIERS: dict[str, tuple[list[Any], dict[str, list[Any]]]] = {
    "anthropic": ([thought("t", anthropic={"signature": SIG})], {"anthropic": [THINKING], "bedrock": [CONTENT]}),
    "anthropic, redacted": (
        [thought("", anthropic={"redactedData": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": DATA}],
            "bedrock": [{"reasoningContent": {"redactedContent": DATA.encode()}}],
        },
    ),
    "bedrock": ([thought("t", bedrock={"signature": SIG})], {"anthropic": [THINKING], "bedrock": [CONTENT]}),
    "amazonBedrock": (
        [thought("t", amazonBedrock={"signature": SIG})],
        {"anthropic": [THINKING], "bedrock": [CONTENT]},
    ),
    "bedrock, redacted": (
        [thought("", bedrock={"redactedData": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": "data"}],
            "bedrock": [{"reasoningContent": {"redactedContent": b"data"}}],
        },
    ),
    "bedrock, another key": (
        [thought("", bedrock={"redactedContent": DATA})],
        {
            "anthropic": [{"type": "redacted_thinking", "data": "data"}],
            "bedrock": [{"reasoningContent": {"redactedContent": b"data"}}],
        },
    ),
    "openai": (
        [
            thought("a", openai={"itemId": "rs_1"}),
            thought("b", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
        ],
        {"openai-responses": [ITEM]},
    ),
    "azure": (
        [
            thought("a", azure={"itemId": "rs_1"}),
            thought("b", azure={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
        ],
        {"openai-responses": [ITEM]},
    ),
    "openai without an id": (
        [thought("a", openai={"reasoningEncryptedContent": PROOF})],
        {"openai-responses": [ITEM | {"summary": ITEM["summary"][:1]}]},
    ),
    "openai without a summary": (
        [thought("", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF})],
        {"openai-responses": [ITEM | {"summary": []}]},
    ),
    "two items": (
        [thought(text, openai={"itemId": f"rs_{text}", "reasoningEncryptedContent": PROOF}) for text in "ab"],
        {"openai-responses": [ITEM | {"summary": [one]} for one in ITEM["summary"]]},
    ),
    "openrouter": (
        [thought("t", openrouter={"reasoning_details": [DETAIL]})],
        {"anthropic": [THINKING], "bedrock": [CONTENT]},
    ),
    "google": (
        [thought("t", google={"thoughtSignature": SIG})],
        {"gemini": [{"thought": True, "text": "t", "thoughtSignature": SIG}]},
    ),
    "xai": ([thought("a", xai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF})], {}),
    "an id alone": ([thought("a", openai={"itemId": "rs_1"})], {}),
    "nothing": ([thought("a")], {}),
}


def assistant(payload: Any, target: str) -> list[Any]:
    """What the target gets before the text."""
    if target == "openai-responses":
        return [item for item in elements(payload) if item.get("type") == "reasoning"]
    content = elements(payload)[1].get("parts", elements(payload)[1].get("content"))
    return [] if isinstance(content, str) else content[:-1]


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("name", CARRIERS)
def test_the_maker_takes_its_reasoning_and_nobody_else(name: str, source: Any) -> None:
    parts, takers = CARRIERS[name]
    for target in OTHERS:
        made = tw.prepare(given(model(*parts, X), source), target, source=source)
        if target in takers:
            assert assistant(made.payload, target) == takers[target], target
            assert told(made.receipt) == [], target
        else:
            assert told(made.receipt) == [("lost", "reasoning")] * len(parts), target
            assert SIG not in str(made.payload) and PROOF not in str(made.payload)


@pytest.mark.parametrize("name", CARRIERS)
@pytest.mark.parametrize(("source", "target"), [FORMATS, FORMATS[::-1]])
def test_both_lists_of_the_sdk_hold_the_same(name: str, source: Any, target: Any) -> None:
    parts = [*CARRIERS[name][0], said("x", openai={"itemId": "msg_1", "phase": "final_answer"})]
    made = tw.prepare(given(model(*parts), source), target, source=source)
    key, options = ("content", "providerOptions") if target == "ai-sdk" else ("parts", "providerMetadata")
    got = [part for part in elements(made.payload)[1][key] if part["type"] != "step-start"]
    assert got == [{options if name == "providerOptions" else name: value for name, value in p.items()} for p in parts]
    assert told(made.receipt) == []


def test_a_gateway_gets_its_details_back_whole() -> None:
    unknown = {"type": "reasoning.text", "text": "u", "format": "meta-responses-v1"}
    parts = [thought("t", openrouter={"reasoning_details": [DETAIL, unknown]}), X]
    made = tw.prepare(model(*parts), "openai:openrouter", source="ai-sdk")
    assert elements(made.payload)[1]["reasoning_details"] == [DETAIL | {"index": 0}, unknown | {"index": 1}]
    assert told(made.receipt) == []


CALL: Any = {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {}}
RESULT: Any = {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "text", "value": "r"}}


@pytest.mark.parametrize("provider", ["google", "vertex", "googleVertex"])
def test_google_gets_its_signatures_where_they_were(provider: str) -> None:
    signed = {"providerOptions": {provider: {"thoughtSignature": SIG}}}
    parts = [said("x", **{provider: {"thoughtSignature": TEXT_SIG}}), CALL | signed]
    messages = [GO, {"role": "assistant", "content": parts}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "gemini", source="ai-sdk")
    assert elements(made.payload)[1]["parts"] == [
        {"text": "x", "thoughtSignature": TEXT_SIG},
        {"functionCall": {"id": "c1", "name": "f", "args": {}}, "thoughtSignature": SIG},
    ]
    assert told(made.receipt) == []
    for target in ("anthropic", "openai", "bedrock", "ollama"):
        made = tw.prepare(messages, target, source="ai-sdk")
        assert told(made.receipt) == [("lost", "signature")] * 2
    back = tw.prepare(tw.prepare(messages, "gemini", source="ai-sdk").payload, "ai-sdk", source="gemini")
    got = elements(back.payload)[1]["content"]
    assert [part["providerOptions"] for part in got] == [
        {"google": {"thoughtSignature": TEXT_SIG}},
        {"google": {"thoughtSignature": SIG}},
    ]
    assert told(back.receipt) == []


def test_google_gets_the_signature_of_the_uis_calls() -> None:
    part = {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "r"}
    signed = part | {"callProviderMetadata": {"google": {"thoughtSignature": SIG}}}
    messages = [*ui([GO]), {"id": "a", "role": "assistant", "parts": [signed]}]
    made = tw.prepare(messages, "gemini", source="ai-sdk-ui")
    assert elements(made.payload)[1]["parts"][0]["thoughtSignature"] == SIG
    assert told(made.receipt) == []


def ids(payload: Any) -> list[Any]:
    return [item.get("id") for item in elements(payload) if item.get("role") != "user"]


NAMED: Any = [
    thought("a", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}),
    said("x", openai={"itemId": "msg_1", "phase": "commentary"}),
    CALL | {"providerOptions": {"openai": {"itemId": "fc_1", "namespace": "n"}}},
]


@pytest.mark.parametrize("source", FORMATS)
def test_ids_are_all_or_nothing(source: Any) -> None:
    messages = [GO, {"role": "assistant", "content": NAMED}, {"role": "tool", "content": [RESULT]}]
    if source == "ai-sdk-ui":
        part = {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "r"}
        options = {"callProviderMetadata": NAMED[2]["providerOptions"]}
        messages = ui([GO, {"role": "assistant", "content": NAMED[:2]}])
        messages[1]["parts"].append(part | options)
    made = tw.prepare(messages, "openai-responses", source=source)
    assert elements(made.payload)[1:4] == [
        ITEM | {"id": "rs_1", "summary": ITEM["summary"][:1]},
        {
            "type": "message",
            "status": "completed",
            "id": "msg_1",
            "phase": "commentary",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "x", "annotations": []}],
        },
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "id": "fc_1", "namespace": "n"},
    ]
    assert told(made.receipt) == []
    again = tw.prepare(made.payload, "openai-responses", source="openai-responses")
    assert again.payload == made.payload


@pytest.mark.parametrize("lacks", range(3))
def test_one_part_without_an_id_takes_those_of_the_others(lacks: int) -> None:
    parts = [dict(part) for part in NAMED]
    options = dict(parts[lacks]["providerOptions"]["openai"])
    del options["itemId"]
    parts[lacks]["providerOptions"] = {"openai": options}
    messages = [GO, {"role": "assistant", "content": parts}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "openai-responses", source="ai-sdk")
    assert ids(made.payload) == [None] * 4
    assert elements(made.payload)[1]["encrypted_content"] == PROOF


def test_reasoning_that_is_left_out_takes_the_ids_of_the_others() -> None:
    messages = [GO, {"role": "assistant", "content": NAMED}, {"role": "tool", "content": [RESULT]}]
    made = tw.prepare(messages, "openai-responses", source="ai-sdk", reasoning="drop")
    assert ids(made.payload) == [None] * 3


def test_stored_reasoning_goes_by_its_id() -> None:
    parts = [thought("a", openai={"itemId": "rs_1"}), said("x", openai={"itemId": "msg_1"})]
    made = tw.prepare(model(*parts), "openai-responses", source="ai-sdk")
    assert elements(made.payload)[1] == {"type": "reasoning", "id": "rs_1", "summary": ITEM["summary"][:1]}
    assert ids(made.payload) == ["rs_1", "msg_1"]
    assert told(made.receipt) == []


CONTROL: Any = {"type": "ephemeral"}
MARKS: Any = {
    "anthropic": {"cacheControl": CONTROL},
    "anthropic's other key": {"cache_control": CONTROL},
    "openrouter": {"cacheControl": CONTROL},
    "alibaba": {"cacheControl": CONTROL},
    "bedrock": {"cachePoint": {"type": "default"}},
    "openai": {"promptCacheBreakpoint": {"mode": "explicit"}},
}


def marked(name: str) -> Json:
    return {"providerOptions": {name.split("'")[0]: MARKS[name]}}


@pytest.mark.parametrize("name", MARKS)
def test_marks_go_wherever_marks_are_taken(name: str) -> None:
    mark = marked(name)
    messages = [
        {"role": "system", "content": "s"} | mark,
        {"role": "user", "content": [{"type": "text", "text": "go"} | mark]},
        {"role": "assistant", "content": "x"} | mark,
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [CALL | mark]},
        {"role": "tool", "content": [RESULT]} | mark,
    ]
    claude = tw.prepare(messages, "anthropic", source="ai-sdk")
    held = [part for message in elements(claude.payload) for part in message["content"] if isinstance(part, dict)]
    assert [part["cache_control"] for part in (*claude.payload["system"], *held)] == [CONTROL] * 5
    assert told(claude.receipt) == []
    nova = tw.prepare(messages, "bedrock", source="ai-sdk")
    point = {"cachePoint": {"type": "default"}}
    assert [part for message in elements(nova.payload) for part in message["content"]].count(point) == 4
    assert nova.payload["system"][1] == point and told(nova.receipt) == []
    lost = tw.prepare(messages, "ollama", source="ai-sdk")
    assert told(lost.receipt) == [("lost", "key")] * 5


def test_a_breakpoint_stays_one() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "go"} | marked("openai")]}]
    for target in ("openai", "openai-responses"):
        made = tw.prepare(messages, target, source="ai-sdk")
        assert elements(made.payload)[0]["content"][0]["prompt_cache_breakpoint"] == {"mode": "explicit"}


def test_only_what_is_left_of_the_options_is_lost() -> None:
    options = {"anthropic": {"cacheControl": CONTROL, "other": 1}, "openai": {"imageDetail": "low"}}
    messages = [{"role": "user", "content": [{"type": "text", "text": "go", "providerOptions": options}]}]
    made = tw.prepare(messages, "anthropic", source="ai-sdk")
    assert elements(made.payload)[0]["content"][0]["cache_control"] == CONTROL
    under = "$[0].content[0].providerOptions"
    assert [str(one.path) for one in made.receipt] == [f"{under}.anthropic.other", f"{under}.openai.imageDetail"]


def test_keys_of_files() -> None:
    options = {"title": "T", "context": "C", "citations": {"enabled": True}}
    page = {"type": "file", "data": "JVBERi0=", "mediaType": "application/pdf", "filename": "a.pdf"}
    shown = {"type": "file", "data": "iVBORw0KGgo=", "mediaType": "image/png"}
    content = [
        {"type": "text", "text": "go"},
        page | {"providerOptions": {"anthropic": options}},
        shown | {"providerOptions": {"openai": {"imageDetail": "low"}}},
    ]
    messages = [{"role": "user", "content": content}]
    claude = tw.prepare(messages, "anthropic", source="ai-sdk")
    document = elements(claude.payload)[0]["content"][1]
    assert {key: document[key] for key in options} == options
    assert [str(one.path) for one in claude.receipt] == ["$[0].content[2].providerOptions"]
    for target, at in (("openai", ("image_url", "detail")), ("openai-responses", ("detail",))):
        got: Any = elements(tw.prepare(messages, target, source="ai-sdk").payload)[0]["content"][2]
        for key in at:
            got = got[key]
        assert got == "low"


@pytest.mark.parametrize("source", FORMATS)
def test_a_compaction_is_one(source: Any) -> None:
    messages = [GO, {"role": "assistant", "content": [said("sum", anthropic={"type": "compaction"}), X]}, MORE]
    claude = tw.prepare(given(messages, source), "anthropic", source=source)
    assert elements(claude.payload)[-2]["content"][0] == {"type": "compaction", "content": "sum"}
    other = tw.prepare(given(messages, source), "openai", source=source)
    assert [message["content"] for message in elements(other.payload)] == ["sum", "x", "more"]


EFFORT: Any = {"role": "system", "content": "", "providerOptions": {"openai": {"reasoningEffortUpdate": "low"}}}


def test_an_effort_is_a_setting_in_the_list() -> None:
    messages = [GO, {"role": "assistant", "content": "x"}, EFFORT, MORE]
    item = {"type": "configuration_update", "reasoning": {"effort": "low"}}
    made = tw.prepare(messages, "openai-responses", source="ai-sdk")
    assert elements(made.payload)[2] == item and told(made.receipt) == []
    back = tw.prepare(made.payload, "ai-sdk", source="openai-responses")
    assert back.payload == messages and told(back.receipt) == []
    assert tw.prepare(messages, "ai-sdk", source="ai-sdk").payload == messages
    for target in OTHERS:
        if target == "openai-responses":
            continue
        made = tw.prepare(messages, target, source="ai-sdk")
        assert len(elements(made.payload)) == 3 and "system" not in str(made.payload), target
        assert ("lost", "opaque") in told(made.receipt), target


CLAUDE: Any = [
    {"role": "user", "content": [{"type": "text", "text": "go", "cache_control": CONTROL}]},
    {"role": "assistant", "content": [THINKING, {"type": "redacted_thinking", "data": DATA}, {"type": "text", "text": "x"}]},
    {"role": "user", "content": "more"},
]
CONVERSE: Any = [
    {"role": "user", "content": [{"text": "go"}, {"cachePoint": {"type": "default"}}]},
    {"role": "assistant", "content": [CONTENT, {"reasoningContent": {"redactedContent": b"data"}}, {"text": "x"}]},
    {"role": "user", "content": [{"text": "more"}]},
]
RESPONSES: Any = [
    {"role": "user", "content": "go"},
    ITEM | {"id": "rs_1"},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x", "annotations": []}],
        "status": "completed",
    },
    {"role": "user", "content": "more"},
]
# Each source: its list, and the options of what the SDK gets.
BACK: Any = {
    "anthropic": (CLAUDE, [{"cacheControl": CONTROL}, {"signature": SIG}, {"redactedData": DATA}]),
    "bedrock": (CONVERSE, [{"cachePoint": {"type": "default"}}, {"signature": SIG}, {"redactedData": DATA}]),
    "openai-responses": (
        RESPONSES,
        [{"itemId": "rs_1"}, {"itemId": "rs_1", "reasoningEncryptedContent": PROOF}, {"itemId": "msg_1"}],
    ),
}


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", BACK)
def test_back_under_the_name_of_the_maker(source: Any, target: Any) -> None:
    messages, options = BACK[source]
    made = tw.prepare({"messages": messages} if source == "bedrock" else messages, target, source=source)
    parts = [
        part
        for message in elements(made.payload)
        for part in (message.get("parts") or message["content"])
        if isinstance(part, dict)
    ]
    key = "providerOptions" if target == "ai-sdk" else "providerMetadata"
    name = "openai" if source == "openai-responses" else source
    assert [part[key] for part in parts if key in part] == [{name: one} for one in options]
    again = tw.prepare(made.payload, source, source=target)
    proof = {"anthropic": SIG, "bedrock": SIG, "openai-responses": PROOF}[source]
    assert proof in str(again.payload)
    if target == "ai-sdk" and source != "openai-responses":
        assert elements(again.payload) == messages


def test_null_options_say_nothing() -> None:
    parts = [
        thought("a", openai={"itemId": "rs_1", "reasoningEncryptedContent": None}),
        thought("b", openai={"itemId": "rs_1", "reasoningEncryptedContent": PROOF}, anthropic=None),
    ]
    made = tw.prepare(model(*parts, X), "openai-responses", source="ai-sdk")
    assert assistant(made.payload, "openai-responses") == [ITEM]
    assert told(made.receipt) == []


HIT: Any = {"type": "web_search_result", "url": "https://e.x", "title": "T", "pageAge": None, "encryptedContent": "QUJD"}
SNAKE: Any = {"type": "web_search_result", "url": "https://e.x", "title": "T", "page_age": None, "encrypted_content": "QUJD"}
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
