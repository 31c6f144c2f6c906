"""What other servers of OpenAI's format refuse and OpenAI accepts: their profiles mend it, and `openai` keeps it."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

ASKED: Json = {"role": "user", "content": "q"}
# Profiles whose servers parse the arguments of calls, and those that take one text from the assistant and from tools.
PARSING = ["openai:compatible", "openai:qwen"]
ONE_TEXT = ["openai:deepseek", "openai:groq"]
OTHERS = ["openai", "openai:openrouter", "openai:kimi"]


def texts(*said: str) -> list[Json]:
    return [{"type": "text", "text": one} for one in said]


def calling(arguments: str, **more: Any) -> Json:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return {"role": "assistant", "content": None, "reasoning_content": "", "tool_calls": [call]} | more


def answered(content: Any) -> Json:
    return {"role": "tool", "tool_call_id": "c", "content": content}


def told(messages: list[Json], target: str) -> tuple[list[Json], list[tuple[str, str]]]:
    """The request and its changes, after a look at what `check` says and that a second build changes nothing."""
    ready = tw.prepare(messages, target, source=target)
    changes = [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"]
    found = [(one.code, one.path) for one in tw.check(messages, source=target, target=target)]
    assert [one for one in changes if one not in found] == []
    again = tw.prepare(ready.payload, target, source=target)
    assert (again.payload, [*again.receipt]) == (ready.payload, [])
    return ready.payload["messages"], changes


def unchanged(messages: list[Json], target: str) -> bool:
    return told(messages, target) == (messages, [])


def test_deepseek_gets_a_developers_words_as_system_text() -> None:
    messages = [{"role": "developer", "content": "Be brief."}, ASKED]
    said = [{"role": "system", "content": "Be brief."}, ASKED]
    assert told(messages, "openai:deepseek") == (said, [("reshaped", "$[0]")])
    assert unchanged(said, "openai:deepseek")
    assert all(unchanged(messages, target) for target in ["openai", "openai:groq", "openai:openrouter"])
    other = tw.convert(
        {"input": [{"role": "developer", "content": "Be brief."}]}, "openai:deepseek", source="openai-responses"
    )
    assert other.payload["messages"] == said[:1]


@pytest.mark.parametrize("target", PARSING)
@pytest.mark.parametrize("arguments", ['{"city": "Tok', "[1", "x", "{'city': 1}", "", " ", "[1]", '"x"', "5"])
def test_arguments_that_the_target_refuses_become_an_empty_object(arguments: str, target: str) -> None:
    if target == "openai:qwen" and arguments in ("[1]", '"x"', "5"):
        # It only parses them.
        assert unchanged([ASKED, calling(arguments), answered("r")], target)
        return
    messages = [ASKED, calling(arguments, reasoning_content="hm"), answered("r")]
    said, changes = told(messages, target)
    assert said == [ASKED, calling("{}", reasoning_content="hm"), answered("r")]
    assert changes == [("arguments", "$[1].tool_calls[0]")]


@pytest.mark.parametrize("target", PARSING)
@pytest.mark.parametrize("arguments", ["{}", ' {"b": 1.0,  "a": "\\u00e9"}\n'])
def test_arguments_that_are_an_object_stay_as_they_are_spelled(arguments: str, target: str) -> None:
    assert unchanged([ASKED, calling(arguments), answered("r")], target)


@pytest.mark.parametrize("source", ["openai", "auto"])
def test_a_list_as_arguments_is_kept_as_its_text_for_qwen(source: Any) -> None:
    messages = [ASKED, calling("", tool_calls=[calling("[1]")["tool_calls"][0]]), answered("r")]
    messages[1]["tool_calls"][0]["function"]["arguments"] = [1]
    ready = tw.prepare(messages, "openai:qwen", source=source)
    assert ready.payload["messages"][1]["tool_calls"] == calling("[1]")["tool_calls"]
    assert [change.code for change in ready.receipt] in (["reshaped"], ["arguments"])


@pytest.mark.parametrize("target", PARSING)
def test_free_text_of_a_tool_becomes_an_object(target: str) -> None:
    call = {"id": "c", "type": "custom", "custom": {"name": "f", "input": "free"}}
    said, changes = told([ASKED, calling("", tool_calls=[call]), answered("r")], target)
    assert said[1]["tool_calls"] == calling('{"input":"free"}')["tool_calls"]
    assert changes == [("arguments", "$[1].tool_calls[0]")]
    assert unchanged([ASKED, calling("", tool_calls=[call]), answered("r")], "openai:litellm")


@pytest.mark.parametrize("target", ["openai:groq", "openai:openrouter", "openai:gemini"])
def test_servers_that_know_only_functions_get_functions(target: Any) -> None:
    """Codex has a tool with free text, `apply_patch`."""
    body = {"input": [ASKED], "tools": [{"type": "custom", "name": "apply_patch"}]}
    [tool] = tw.prepare(body, target, source="openai-responses").payload["tools"]
    assert (tool["type"], tool["function"]["name"]) == ("function", "apply_patch")
    assert tool["function"]["parameters"]["required"] == ["input"]


@pytest.mark.parametrize("source", ["openai", "openai-responses"])
def test_free_text_is_a_function_for_responses_without_it(source: Any) -> None:
    body: Json = {
        "messages": [
            ASKED,
            calling("", tool_calls=[{"id": "c", "type": "custom", "custom": {"name": "f", "input": "free"}}]),
            answered("r"),
        ],
        "tools": [{"type": "custom", "custom": {"name": "f", "description": "d"}}],
        "tool_choice": {"type": "custom", "custom": {"name": "f"}},
    }
    given = body if source == "openai" else tw.convert(body, source, source="openai").payload
    ready = tw.prepare(given, "openai-responses:compatible", source=source)
    call, answer = ready.payload["input"][1:]
    assert call == {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"input":"free"}'}
    assert answer == {"type": "function_call_output", "call_id": "c", "output": "r"}
    schema = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
    tool = {"type": "function", "name": "f", "description": "d", "parameters": schema, "strict": False}
    assert (ready.payload["tools"], ready.payload["tool_choice"]) == ([tool], {"type": "function", "name": "f"})
    again = tw.prepare(ready.payload, "openai-responses:compatible", source="openai-responses:compatible")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


@pytest.mark.parametrize("target", [*OTHERS, *ONE_TEXT])
def test_other_servers_take_any_text_as_arguments(target: str) -> None:
    more = {"reasoning_content": " "} if target in ("openai:kimi", "openai:deepseek") else {"reasoning_content": None}
    messages = [ASKED, calling('{"city": "Tok') | more, answered("r")]
    if more["reasoning_content"] is None:
        del messages[1]["reasoning_content"]
    assert unchanged(messages, target)


@pytest.mark.parametrize("target", ONE_TEXT)
def test_lists_of_texts_become_one_text(target: str) -> None:
    more = {"reasoning_content": " "} if target == "openai:deepseek" else {}
    call = calling("{}")["tool_calls"]
    user = {"role": "user", "content": texts("a", "b")}
    reply = {"role": "assistant", **more, "content": texts("c", "d"), "tool_calls": call}
    messages = [
        user,
        reply,
        answered(texts("e", "f")),
        user,
        {"role": "assistant", **more, "content": texts("g")},
        ASKED,
    ]
    said, changes = told(messages, target)
    assert [one["content"] for one in said] == [user["content"], "c\nd", "e\nf", user["content"], "g", "q"]
    assert [one["role"] for one in said] == [one["role"] for one in messages]
    assert said[1]["tool_calls"] == call
    assert changes == [
        ("reshaped", "$[1]"),
        ("joined", "$[1].content[1]"),
        ("reshaped", "$[2].content"),
        ("joined", "$[2].content[1]"),
        ("reshaped", "$[4]"),
    ]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_system_text_is_one_text_for_groq_alone(role: str) -> None:
    messages: list[Json] = [{"role": role, "content": texts("a", "b")}, {"role": "user", "content": texts("c")}]
    one = [{"role": role, "content": "a\nb"}, messages[1]]
    assert told(messages, "openai:groq") == (one, [("reshaped", "$[0]"), ("joined", "$[0].content[1]")])
    assert all(unchanged(messages, target) for target in ["openai", "openai:openrouter"])
    assert role == "developer" or all(
        unchanged(messages, target) for target in ["openai:deepseek", "openai:kimi", *PARSING]
    )


@pytest.mark.parametrize("target", [*OTHERS, "openai:compatible", "openai:qwen"])
def test_other_servers_take_lists_of_texts(target: str) -> None:
    more = {"reasoning_content": ""} if target == "openai:kimi" else {}
    reply = {"role": "assistant", **more, "content": texts("c", "d"), "tool_calls": calling("{}")["tool_calls"]}
    assert unchanged([ASKED, reply, answered(texts("e", "f"))], target)


@pytest.mark.parametrize("target", ONE_TEXT)
def test_keys_of_joined_parts_are_told(target: str) -> None:
    part = {"type": "text", "text": "a", "x_odd": 1}
    ready = tw.prepare([ASKED, {"role": "assistant", "content": [part]}, ASKED], target, source=target)
    assert ready.payload["messages"][1]["content"] == "a"
    # Groq refuses unknown keys, so they go before anything is joined.
    path = "$[1].content[0]" if target == "openai:groq" else "$[1].content[0].x_odd"
    assert ("key", path) in [(one.code, one.path) for one in ready.receipt]


@pytest.mark.parametrize("target", ONE_TEXT)
def test_a_failed_result_of_another_format_is_one_text(target: str) -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "is_error": True, "content": texts("e", "f")}
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    messages = [
        ASKED,
        {"role": "assistant", "content": [*texts("a", "b"), call]},
        {"role": "user", "content": [result]},
    ]
    said = tw.prepare(messages, target, source="anthropic").payload["messages"]
    assert [one["content"] for one in said] == ["q", "a\nb", "[tool error] e\nf"]
    assert unchanged(said, target)


@pytest.mark.parametrize("content", ["", " ", "\n\t", texts(""), texts("", " ")])
def test_kimi_gets_no_blank_text_beside_calls(content: Any) -> None:
    messages = [ASKED, calling("{}", content=content), answered("r"), ASKED]
    said, changes = told(messages, "openai:kimi")
    assert said == [ASKED, calling("{}"), answered("r"), ASKED]
    assert changes
    assert {code for code, _ in changes} == {"blank_text"}
    assert unchanged(messages, "openai:compatible")


def test_kimi_gets_no_blank_part_beside_text() -> None:
    messages = [ASKED, calling("{}", content=texts("", "a")), answered("r"), ASKED]
    said, changes = told(messages, "openai:kimi")
    assert said[1]["content"] == texts("a")
    assert changes == [("blank_text", "$[1].content[0]")]


KEYS = {
    "openai:deepseek": "reasoning_content",
    "openai:kimi": "reasoning_content",
    "openai:glm": "reasoning_content",
    "openai:fireworks": "reasoning_content",
    "openai:litellm": "reasoning_content",
    "openai:groq": "reasoning",
    "openai:cerebras": "reasoning",
}


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("target", KEYS)
@pytest.mark.parametrize("source", ["openai:qwen", "openai:openrouter", "openai:groq", "openai:compatible"])
def test_readable_reasoning_goes_to_every_server_under_the_key_that_it_knows(
    source: Any, target: Any, key: str
) -> None:
    messages = [ASKED, {"role": "assistant", "content": "ok", key: "hm"}, ASKED]
    for choice in ("keep", "valid"):
        ready = tw.prepare(messages, target, source=source, reasoning=choice)
        said = ready.payload["messages"][1]
        assert said == {"role": "assistant", "content": "ok", KEYS[target]: "hm"}
        assert [one.code for one in tw.check(ready.payload, target, source=target)] == []


@pytest.mark.parametrize("target", ["openai", "openai:xai", "openai:plain", "openai:gemini", "openai:perplexity"])
def test_reasoning_goes_to_no_server_that_refuses_it(target: Any) -> None:
    messages = [ASKED, {"role": "assistant", "content": "ok", "reasoning_content": "hm"}, ASKED]
    ready = tw.prepare(messages, target, source="openai:qwen")
    assert ready.payload["messages"][1] == {"role": "assistant", "content": "ok"}
    assert [(one.kind, one.code) for one in ready.receipt] == [("lost", "reasoning")]


@pytest.mark.parametrize("source", ["openai", "anthropic"])
def test_media_of_results_and_the_users_words_are_one_message_where_sides_alternate(source: Any) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    messages: list[Json] = [ASKED, calling("{}"), answered([*texts("r"), image]), ASKED]
    given = messages if source == "openai" else tw.convert(messages, source, source="openai").payload
    ready = tw.prepare(given, "openai:perplexity", source=source)
    said = ready.payload["messages"]
    assert [one["role"] for one in said] == ["user", "assistant", "tool", "user"]
    assert said[3]["content"][1:] == [image, *texts("q")]
    assert ("merged_turn" in [one.code for one in ready.receipt]) == (source == "openai")
    again = tw.prepare(ready.payload, "openai:perplexity", source="openai:perplexity")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


def test_a_turn_of_which_nothing_is_left_parts_nobody_where_sides_alternate() -> None:
    sound = {"inlineData": {"mimeType": "audio/wav", "data": "UklGRiQAAABXQVZF"}}
    said = [("user", {"text": "a"}), ("model", sound), ("user", {"text": "b"})]
    contents = [{"role": role, "parts": [part]} for role, part in said]
    ready = tw.prepare({"contents": contents}, "openai:plain", source="gemini")
    assert ready.payload["messages"] == [{"role": "user", "content": "a\nb"}]


def test_both_keys_with_one_text_are_written_once() -> None:
    reply = {"role": "assistant", "content": "ok", "reasoning": "hm", "reasoning_content": "hm"}
    ready = tw.prepare([ASKED, reply, ASKED], "openai:deepseek", source="openai:openrouter")
    assert ready.payload["messages"][1] == {"role": "assistant", "reasoning_content": "hm", "content": "ok"}
    other = tw.prepare([ASKED, {**reply, "reasoning": "aha"}, ASKED], "openai:deepseek", source="openai:openrouter")
    assert sorted(other.payload["messages"][1]["reasoning_content"].split("\n\n")) == ["aha", "hm"]


@pytest.mark.parametrize("target", ["openai", "openai:qwen", "mistral"])
@pytest.mark.parametrize("id", [{}, {"tool_call_id": "c1"}])
def test_a_result_that_gets_the_id_of_another_formats_call_is_no_older_function(target: Any, id: Json) -> None:
    """Gemini's call has no id, so one is made up for both. OpenAI refuses a message of the role `function` there."""
    asked = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    messages = [ASKED, asked, {"role": "tool", "content": "r", **id}]
    call, answer = tw.prepare(messages, target).payload["messages"][1:]
    assert (answer["role"], answer["tool_call_id"]) == ("tool", call["tool_calls"][0]["id"])
