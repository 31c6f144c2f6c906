"""`MessageHistory` (spec 003): what its messages are, how they are rendered, and the three ways to bound them."""

import asyncio
import copy
import functools
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st

Json = dict[str, Any]
VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.json"))
TASK = "hello.py を読んで"
BODY = "def greet():\n    return 'Hello, World!'"
READS = {
    "role": "assistant",
    "content": [
        {"type": "text", "text": "ファイルを読みます。"},
        {"type": "tool_use", "id": "call_abc123", "name": "read_file", "input": {"path": "hello.py"}},
    ],
}
SAYS = {"role": "assistant", "content": [{"type": "text", "text": "このファイルは greet 関数を定義…"}]}
RESULT = {"type": "tool_result", "tool_use_id": "call_abc123", "tool_name": "read_file", "content": BODY}
FLOW = [{"role": "user", "content": TASK}, READS, {"role": "user", "content": [RESULT]}, SAYS]


def flow() -> tw.MessageHistory:
    """The conversation of spec 003's section "典型的な会話フロー", with the calls of that section."""
    history = tw.MessageHistory()
    history.add_user_message(TASK)
    history.add_raw_message(READS)
    history.add_tool_result("call_abc123", BODY, "read_file")
    history.add_raw_message(SAYS)
    return history


# --- Spec 003, row by row ---


def test_spec_003_messages_begins_empty() -> None:
    assert tw.MessageHistory().messages == []


def test_spec_003_add_user_message() -> None:
    history = tw.MessageHistory()
    history.add_user_message(TASK)
    assert history.messages == [{"role": "user", "content": TASK}]
    assert history.messages[0]["content"] is TASK


def test_spec_003_add_raw_message() -> None:
    history = tw.MessageHistory()
    history.add_raw_message(READS)
    assert history.messages == [READS]
    assert list(history.messages[0]["content"][1]) == ["type", "id", "name", "input"]


def test_spec_003_add_tool_result() -> None:
    history = tw.MessageHistory()
    history.add_tool_result("call_abc123", BODY, "read_file")
    assert history.messages == [{"role": "user", "content": [RESULT]}]


def test_spec_003_add_tool_result_names_the_tool_unknown_by_default() -> None:
    history = tw.MessageHistory()
    history.add_tool_result("c", "r")
    (block,) = history.messages[0]["content"]
    assert block["tool_name"] == "unknown"


def test_spec_003_get_messages_is_a_copy() -> None:
    history = flow()
    given = history.get_messages()
    given.append({"role": "user", "content": "not yours"})
    given[1]["content"].clear()
    assert history.get_messages() == history.messages == FLOW


def test_spec_003_clear() -> None:
    history = flow()
    history.clear()
    assert history.messages == []
    history.add_user_message("anew")
    assert len(history) == 1


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ({"role": "user", "content": TASK}, tw.parts.Text(TASK)),
        ({"role": "assistant", "content": [{"type": "text", "text": "確認します。"}]}, tw.parts.Text("確認します。")),
        (READS, tw.parts.AssistantToolUse("call_abc123", "read_file", {"path": "hello.py"})),
        ({"role": "user", "content": [RESULT]}, tw.ToolUseResult("call_abc123", BODY)),
    ],
    ids=["user message", "assistant message of text", "assistant message of a call", "tool result message"],
)
def test_spec_003_kinds_of_messages(message: Json, part: object) -> None:
    history = tw.MessageHistory([message])
    assert history.messages == [message]
    assert history.conversation.turns[0].parts[-1] == part


def test_spec_003_kinds_of_messages_hold_blocks_of_an_sdk() -> None:
    anthropic = pytest.importorskip("anthropic.types")
    text = anthropic.TextBlock(type="text", text="ファイルを読みます。")
    use = anthropic.ToolUseBlock(type="tool_use", id="call_abc123", name="read_file", input={"path": "hello.py"})
    history = tw.MessageHistory([{"role": "assistant", "content": [text, use]}])
    assert history.messages == [READS]


def test_spec_003_a_typical_conversation() -> None:
    assert flow().messages == FLOW


def test_spec_003_each_request_holds_all_that_was_said_before() -> None:
    history, requests = tw.MessageHistory(), []
    history.add_user_message(TASK)
    requests.append(history.get_messages())
    history.add_raw_message(READS)
    history.add_tool_result("call_abc123", BODY, "read_file")
    requests.append(history.get_messages())
    history.add_raw_message({"role": "assistant", "content": [{"type": "text", "text": "It greets."}]})
    requests.append(history.get_messages())
    assert [len(request) for request in requests] == [1, 3, 4]
    assert all(later[: len(request)] == request for request, later in pairwise(requests))
    assert tw.prepare(requests[1], "anthropic").payload["messages"][0] == {"role": "user", "content": TASK}


def test_spec_003_gemini_gets_function_responses_and_roles() -> None:
    contents = flow().render("gemini").payload["contents"]
    assert [content["role"] for content in contents] == ["user", "model", "user", "model"]
    response = contents[2]["parts"][0]["functionResponse"]
    assert response["name"] == "read_file"
    assert BODY in response["response"].values()


@pytest.mark.parametrize("tool_name", ["unknown", "write_file"])
def test_spec_003_gemini_gets_the_name_of_the_call(tool_name: str) -> None:
    history = tw.MessageHistory(FLOW[:2])
    history.add_tool_result("call_abc123", BODY, tool_name)
    for ready in (history.render("gemini"), history.prepare("gemini")):
        assert ready.payload["contents"][2]["parts"][0]["functionResponse"]["name"] == "read_file"


def test_spec_003_gemini_gets_the_name_of_the_result_where_there_is_no_call() -> None:
    history = tw.MessageHistory()
    history.add_tool_result("c", BODY, "read_file")
    assert history.render("gemini").payload["contents"][0]["parts"][0]["functionResponse"]["name"] == "read_file"


@pytest.mark.parametrize("tool_name", ["read_file", "unknown"])
def test_spec_003_llama_gets_results_as_json_text(tool_name: str) -> None:
    history = tw.MessageHistory(FLOW[:2])
    history.add_tool_result("call_abc123", BODY, tool_name)
    (result,) = (message for message in history.render("llama").payload if "tool_result" in message["content"])
    assert result["role"] == "user"
    assert json.loads(result["content"]) == {"tool_result": {"name": "read_file", "result": BODY}}


def test_spec_003_llama_gets_user_messages_as_they_are() -> None:
    assert flow().render("llama").payload[0] == {"role": "user", "content": TASK}


def test_spec_003_open_points_a_summary_pins_and_a_sliding_window() -> None:
    assert len(flow().summarise("s", turns=2)) == 3
    assert len(flow().window(turns=2)) == 2
    assert FLOW[2] in flow().window(turns=4, pinned=[2]).messages


# --- What is handed in and out ---


def said(payload: Any, dialect: Any) -> tw.Conversation:
    return tw.Conversation.parse(payload, dialect)


@pytest.mark.parametrize("target", tw.dialects())
def test_every_dialect_gets_it_through_both_functions(target: Any) -> None:
    history, messages = flow(), [*FLOW, {"role": "user", "content": "more"}]
    history.add_user_message("more")
    rendered = history.render(target).payload
    # A text may be a str or a block: the content is the same.
    assert said(rendered, target) == said(tw.convert(messages, target).payload, target)
    assert json.loads(history.render_json(target).payload) == rendered
    ready = history.prepare(target, 100, system="Be brief.")
    assert said(ready.payload, target) == said(tw.prepare(messages, target, 100, system="Be brief.").payload, target)
    assert json.loads(history.prepare_json(target, 100, system="Be brief.").payload) == ready.payload
    assert ready.receipt.totals is not None


def test_messages_of_several_dialects_stand_together() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = tw.MessageHistory()
    history.add_user_message("q")
    history.add_raw_message({"role": "assistant", "content": None, "tool_calls": [call]})
    history.add_raw_message({"role": "tool", "tool_call_id": "c1", "content": "r"})
    history.add_raw_message({"role": "model", "parts": [{"text": "found"}]})
    history.add_raw_message({"role": "user", "content": [{"text": "more"}]}, "bedrock")
    history.add_raw_message({"role": "assistant", "content": "x", "reasoning_content": "y"}, "openai:deepseek")
    roles = [message["role"] for message in history.render("anthropic").payload["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user", "assistant"]
    assert history.render("openai:deepseek").payload["messages"][-1]["reasoning_content"] == "y"
    assert [message["role"] for message in history.messages] == [
        "user",
        "assistant",
        "tool",
        "model",
        "user",
        "assistant",
    ]


def test_what_could_be_several_is_what_came_before() -> None:
    history = tw.MessageHistory()
    history.add_raw_message(
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}
    )
    history.add_raw_message({"role": "assistant", "content": [{"type": "text", "text": "x", "odd": 1}]})
    assert history.render("anthropic").payload["messages"][1]["content"][0]["odd"] == 1


def test_typed_messages_and_replies_are_messages() -> None:
    history = tw.MessageHistory(["q", tw.spec.UserMessage.new_prompt("typed"), tw.Turn("assistant", "turn")])
    history.add_raw_message(
        tw.spec.AssistantMessage.new_tool_use("m", "", [tw.parts.AssistantToolUse("c", "f", {"a": 1})])
    )
    history.add_raw_message(tw.ToolUseResult("c", {"b": 2}, status="error", name="f"))
    reply = {"choices": [{"message": {"role": "assistant", "content": "done"}, "finish_reason": "stop"}]}
    history.add_raw_message(tw.parse_reply(reply, "openai"))
    parts = [part for turn in history.conversation for part in turn.parts]
    # Only one dialect has the user's environment.
    assert [part for part in parts if not isinstance(part, tw.parts.Opaque)] == [
        tw.parts.Text("q"),
        tw.parts.Text("typed"),
        tw.parts.Text("turn"),
        tw.parts.AssistantToolUse("c", "f", {"a": 1}),
        tw.ToolUseResult("c", {"b": 2}, status="error"),
        tw.parts.Text("done"),
    ]
    assert tw.MessageHistory(history.get_messages()) == history


def test_strings_are_not_copied_and_containers_are() -> None:
    given = copy.deepcopy(READS)
    history = tw.MessageHistory([given])
    shown = history.messages[0]
    assert shown["content"][0]["text"] is given["content"][0]["text"]
    given["content"].clear()
    shown["content"].clear()
    assert history.messages == [READS]


@pytest.mark.parametrize(
    "change",
    [
        lambda shown: shown.append({}),
        lambda shown: shown.clear(),
        lambda shown: shown.pop(),
        lambda shown: shown.__setitem__(0, {}),
        lambda shown: shown.__delitem__(0),
        lambda shown: shown.__iadd__([{}]),
        lambda shown: shown.sort(),
    ],
)
def test_messages_refuse_to_be_changed_unnoticed(change: Any) -> None:
    with pytest.raises(TypeError, match="add_raw_message"):
        change(flow().messages)
    assert type(copy.copy(flow().messages)) is list
    assert pickle.loads(pickle.dumps(flow().messages)) == FLOW


def test_pickling_and_copying() -> None:
    history = flow()
    for made in (pickle.loads(pickle.dumps(history)), copy.copy(history), copy.deepcopy(history)):
        assert made == history
        made.add_user_message("more")
        assert made != history
        assert made.messages[:-1] == FLOW
    window = history.window(turns=2)
    assert pickle.loads(pickle.dumps(window)).receipt == window.receipt
    assert tw.MessageHistory(history) == history
    assert history != FLOW
    with pytest.raises(TypeError):
        hash(history)


def test_a_notebook_shows_a_table_in_which_everything_is_escaped() -> None:
    evil = "<script>alert(1)</script>"
    shown = tw.MessageHistory([*FLOW, {"role": "user", "content": evil}])._repr_html_()
    assert shown.startswith("<table><caption>MessageHistory of 5 messages</caption>")
    assert shown.endswith("</table>")
    assert "<script>" not in shown
    assert shown.count("<tr>") == 6


def test_threads_may_add_together() -> None:
    history = tw.MessageHistory()
    with ThreadPoolExecutor(4) as threads:
        seen = list(
            threads.map(lambda number: (history.add_user_message(str(number)), len(history.conversation)), range(400))
        )
    assert max(count for _, count in seen) == len(history.conversation) == 400
    assert sorted(int(message["content"]) for message in history) == list(range(400))


# --- Bad input ---

BAD: dict[str, tuple[Any, str, str, str]] = {
    "a role nobody has": ({"role": "robot", "content": "x"}, "openai", "unknown_role", "$.role"),
    "no role": ({"content": "x"}, "openai", "missing_key", "$"),
    "content of a wrong type": ({"role": "user", "content": 5}, "anthropic", "wrong_type", "$.content"),
    "another dialect": ({"role": "model", "parts": []}, "openai", "wrong_dialect", "$.role"),
    "a dialect nobody knows": ({"role": "user", "content": "x"}, "nobody", "unknown_dialect", "$"),
    "nothing that tells": ({"foo": 1}, "auto", "no_dialect", "$"),
    "signs that do not go together": ({"role": "model", "tool_calls": []}, "auto", "conflicting_signs", "$"),
    "a body": ({"model": "m", "messages": []}, "auto", "missing_key", "$"),
    "a list": ([{"role": "user", "content": "x"}], "auto", "wrong_type", "$"),
    "nothing": (None, "auto", "wrong_type", "$"),
    "bytes": (b'{"role": "user"}', "auto", "wrong_type", "$"),
    "a foreign object": ({"role": "user", "content": object()}, "openai", "not_json", "$.content"),
    "a key that is no text": ({"role": "user", 5: "x"}, "openai", "not_json", "$"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_messages_are_refused(name: str) -> None:
    message, dialect, code, path = BAD[name]
    history = flow()
    with pytest.raises(tw.TurnwireError) as caught:
        history.add_raw_message(message, dialect)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert history.messages == FLOW


def test_too_deep_and_endless_messages_are_refused() -> None:
    endless: Json = {"role": "user"}
    endless["content"] = endless
    with pytest.raises(tw.ParseError) as caught:
        tw.MessageHistory([endless])
    assert caught.value.code == "too_deep"


@pytest.mark.parametrize("content", [None, 5, b"x", ["x"], {"role": "user"}])
def test_what_the_user_says_is_a_str(content: Any) -> None:
    with pytest.raises(TypeError, match="expected a str"):
        tw.MessageHistory().add_user_message(content)


@pytest.mark.parametrize("arguments", [(5, "r"), ("c", "r", None)])
def test_a_result_is_made_of_str(arguments: Any) -> None:
    with pytest.raises(TypeError, match=": expected a str"):
        tw.MessageHistory().add_tool_result(*arguments)


@pytest.mark.parametrize("messages", ["x", b"[]", {"messages": FLOW}, tw.Conversation(["x"], system="s"), 5])
def test_a_history_begins_with_a_list(messages: Any) -> None:
    with pytest.raises(TypeError, match="messages: expected a list"):
        tw.MessageHistory(messages)


def test_a_turn_that_no_dialect_writes_whole_is_refused() -> None:
    # A file at an unknown provider.
    turn = tw.Turn("user", [tw.Media(file_id="f", media_type="image/png")])
    with pytest.raises(tw.RenderError) as caught:
        tw.MessageHistory([turn])
    assert caught.value.code == "refused"


# --- Windows ---


def chat(rounds: int) -> list[Json]:
    """`rounds` questions, each with a call, its result and an answer: the last result long."""
    messages: list[Json] = [{"role": "system", "content": "Be brief."}]
    for number in range(rounds):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages += [
            {"role": "user", "content": f"question {number}"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"result {number} " * 20},
            {"role": "assistant", "content": f"answer {number}"},
        ]
    return messages


def test_a_window_of_turns() -> None:
    messages = chat(5)
    window = tw.MessageHistory(messages).window(turns=10)
    # System text and the task stay; then the newest whole exchanges.
    assert window.messages == [*messages[:2], *messages[-8:]]
    assert [entry.code for entry in window.receipt if entry.kind != "warning"] == ["dropped_exchange"] * 2 + [
        code for _ in range(2) for code in ("dropped_turn", "dropped_exchange", "dropped_exchange")
    ]
    totals = window.receipt.totals
    assert totals is not None
    assert (totals["unit"], totals["before"], totals["after"]) == ("turns", 21, 10)
    assert sum(totals["freed"].values()) == 11
    assert tw.MessageHistory(messages).window(turns=21).messages == messages
    assert not tw.MessageHistory(messages).window(turns=21).receipt


def test_a_window_by_a_predicate() -> None:
    messages = chat(5)
    history = tw.MessageHistory(messages)
    important = history.window(turns=9, pinned=lambda message: "question 1" in str(message["content"]))
    assert messages[5] in important.messages
    by_index = history.window(turns=9, pinned=[7])
    assert messages[6:8] == by_index.messages[2:4]


def test_the_calls_of_the_last_turn_stay_open() -> None:
    messages = chat(3)[:-2]
    for window in (tw.MessageHistory(messages).window(turns=4), tw.MessageHistory(messages).window(budget=400)):
        assert window.messages[-1] == messages[-1]
        assert len(window.conversation.pending_tool_uses) == 1


def test_a_result_far_from_its_call_is_put_after_it() -> None:
    late = chat(2)
    late[2:4], late[4] = [late[2], late[4]], late[3]
    window = tw.MessageHistory(late).window(turns=9)
    assert "moved_result" in [entry.code for entry in window.receipt if entry.kind != "warning"]
    assert window.messages == chat(2)


def test_a_window_in_tokens() -> None:
    history = tw.MessageHistory(chat(20))
    window = history.window(budget=tw.Budget(max_tokens=300, count=lambda text: len(text.split())))
    totals = window.receipt.totals
    assert totals is not None
    assert totals["unit"] == "tokens"
    assert totals["after"] <= 300 < totals["before"]


def test_an_empty_history_has_an_empty_window() -> None:
    empty = tw.MessageHistory()
    assert empty.window(turns=0) == empty.window(budget=0) == empty.summarise("s", turns=0) == empty


@pytest.mark.parametrize(
    ("bounds", "kind", "code"),
    [
        ({}, TypeError, ""),
        ({"turns": -1}, tw.TurnwireError, "negative_budget"),
        ({"budget": -1}, tw.TurnwireError, "negative_budget"),
        ({"turns": True}, TypeError, ""),
        ({"turns": "5"}, TypeError, ""),
        ({"turns": 5, "budget": 5}, tw.TurnwireError, "conflicting_options"),
        ({"budget": "5"}, TypeError, ""),
        ({"budget": tw.Budget(max_tokens=5, count=lambda text: -1)}, tw.TurnwireError, "bad_count"),
        ({"turns": 5, "pinned": [4]}, tw.TurnwireError, "out_of_range"),
        ({"turns": 5, "pinned": [-1]}, tw.TurnwireError, "out_of_range"),
        ({"turns": 5, "pinned": ["0"]}, TypeError, ""),
        ({"turns": 1}, tw.BuildError, "budget_too_small"),
        ({"budget": 10}, tw.BuildError, "budget_too_small"),
    ],
)
def test_bad_bounds(bounds: Json, kind: type[Exception], code: str) -> None:
    with pytest.raises(kind) as caught:
        flow().window(**bounds)
    assert getattr(caught.value, "code", "") == code


def test_what_a_predicate_or_a_counter_raises_comes_out() -> None:
    with pytest.raises(KeyError, match="important"):
        flow().window(turns=2, pinned=lambda message: message["important"])
    with pytest.raises(ZeroDivisionError):
        flow().window(budget=tw.Budget(max_tokens=2, count=lambda text: 1 // 0))


# --- Summaries ---


def test_a_summary_comes_before_the_newest_exchanges() -> None:
    messages = chat(3)
    asked = []

    def sum_up(old: tw.MessageHistory) -> str:
        asked.append(old)
        return f"{len(old)} old ones"

    summed = tw.MessageHistory(messages).summarise(sum_up, turns=5)
    said = "[Previous conversation summary (8 messages compressed)]\n\n8 old ones"
    assert summed.messages == [messages[0], {"role": "system", "content": said}, *messages[-4:]]
    assert [old.messages for old in asked] == [messages[1:9]]
    assert summed.receipt[-1].code == "summary_added"
    assert summed.receipt.first_changed_index == 1
    built = tw.spec.MessageBuilder().set_messages([{"id": str(at), "body": one} for at, one in enumerate(messages)])
    built.set_compression_summary(
        {"summary": "8 old ones", "startMessageId": "9", "messageIds": [str(at) for at in range(1, 9)]}
    )
    assert summed.conversation.turns[1] in built.build().turns


def test_a_summary_of_a_summary() -> None:
    history = tw.MessageHistory(chat(3)).summarise("first", turns=5)
    for message in chat(2)[1:]:
        history.add_raw_message(message)
    heard = []
    again = history.summarise(lambda old: heard.append(str(old.messages)) or "second", turns=5)
    assert "first" in heard[0]
    assert [message["content"] for message in again.messages if message["role"] == "system"] == [
        "Be brief.",
        "[Previous conversation summary (9 messages compressed)]\n\nsecond",
    ]


def test_nothing_to_sum_up() -> None:
    history = flow()

    async def later(old: tw.MessageHistory) -> str:
        raise AssertionError(old)

    def never(old: tw.MessageHistory) -> str:
        raise AssertionError(old)

    assert history.summarise(never, turns=4) == history
    assert history.summarise("unused", turns=4) == history
    assert asyncio.run(history.summarise(later, turns=4)) == history


class Summariser:
    async def __call__(self, old: tw.MessageHistory) -> str:
        await asyncio.sleep(0)
        return f"{len(old)}"

    async def method(self, old: tw.MessageHistory) -> str:
        return await self(old)


@pytest.mark.parametrize("function", [Summariser(), Summariser().method, functools.partial(Summariser().method)])
def test_an_async_function_is_awaited(function: Any) -> None:
    assert "(2 messages" in asyncio.run(flow().summarise(function, turns=2)).messages[0]["content"]
    assert asyncio.run(flow().summarise(function, turns=4)) == flow()


def test_bad_summaries() -> None:
    for bad in (lambda old: None, lambda old: b"x"):
        with pytest.raises(TypeError, match="expected a summary that is a str"):
            flow().summarise(bad, turns=2)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="function_or_text: expected a function or a str"):
        flow().summarise(None, turns=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="turns: expected an int"):
        flow().summarise("s", turns=None)  # type: ignore[arg-type]
    with pytest.raises(tw.BuildError) as caught:
        flow().summarise("s", turns=0)
    assert caught.value.code == "budget_too_small"
    assert "\ufffd" in flow().summarise("half \ud83d", turns=2).messages[0]["content"]


# --- Properties ---


def payloads() -> list[tuple[str, list[Any], str]]:
    """Every list of messages in the vectors, with its dialect."""
    found = []
    for path in VECTORS:
        vectors = json.loads(path.read_text(encoding="utf-8"))
        for vector in vectors if isinstance(vectors, list) else []:
            source, payload = vector.get("source"), vector.get("payload")
            if isinstance(payload, dict):
                payload = next(
                    (value for key, value in payload.items() if key in ("messages", "contents", "input")), None
                )
            if source in tw.dialects() and isinstance(payload, list):
                found.append((f"{path.stem}: {vector['name']}", payload, source))
    return found


PAYLOADS = payloads()


def test_there_are_payloads() -> None:
    assert len(PAYLOADS) > 300


def test_step_by_step_is_the_same_as_at_once() -> None:
    for name, messages, source in PAYLOADS:
        try:
            parsed = tw.Conversation.parse(messages, source)
        except tw.TurnwireError:
            continue
        history = tw.MessageHistory(messages, source)
        assert history.conversation == parsed, name
        assert history.messages == messages, name
        for target in ("openai", "anthropic", "gemini", "history"):
            try:
                expected = parsed.render(target).payload
            except tw.TurnwireError as error:
                with pytest.raises(type(error)):
                    history.render(target)
            else:
                assert history.render(target).payload == expected, name
        assert pickle.loads(pickle.dumps(history)) == history, name


def test_every_window_of_the_vectors_can_be_written() -> None:
    windows = 0
    for name, messages, source in PAYLOADS:
        try:
            history = tw.MessageHistory(messages, source)
        except tw.TurnwireError:
            continue
        for bounds in ({"turns": 1}, {"turns": 3}, {"budget": 30}, {"budget": 200}):
            try:
                window = history.window(**bounds)
            except tw.BuildError as error:
                assert error.code == "budget_too_small", name
                continue
            windows += 1
            assert len(window.get_messages()) == len(window)
            assert window.window(**bounds) == window, name
    assert windows > 500


IDS = st.sampled_from("abc")


@st.composite
def histories(draw: st.DrawFn) -> list[Json]:
    """Messages of two dialects: with results that are late, missing, repeated or without a call."""
    messages: list[Json] = []
    for at in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from("uuaccrrs"))
        one = draw(IDS)
        if kind == "u":
            messages.append({"role": "user", "content": f"says {at}"})
        elif kind == "s":
            messages.append({"role": "system", "content": f"rule {at}"})
        elif kind == "a":
            messages.append({"role": "assistant", "content": f"answer {at}"})
        elif kind == "c" and draw(st.booleans()):
            block = {"type": "tool_use", "id": one, "name": "f", "input": {"at": at}}
            messages.append({"role": "assistant", "content": [block]})
        elif kind == "c":
            calls = [
                {"id": one, "type": "function", "function": {"name": "f", "arguments": "{}"}}
                for one in draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
            ]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        else:
            messages.append(
                {"role": "tool", "tool_call_id": one, "content": f"result {at} " * draw(st.integers(1, 30))}
            )
    return messages


def calls_and_results(history: tw.MessageHistory) -> tuple[list[str], list[str]]:
    parts = [part for turn in history.conversation for part in turn.parts]
    calls = [part.id for part in parts if isinstance(part, tw.parts.AssistantToolUse)]
    return calls, [part.tool_use_id for part in parts if isinstance(part, tw.ToolUseResult)]


@settings(deadline=None)
@given(histories(), st.integers(0, 15))
def test_a_window_never_splits_an_exchange(messages: list[Json], turns: int) -> None:
    history = tw.MessageHistory(messages)
    # A window with space for all messages does all pairing.
    whole = history.window(turns=10_000)
    try:
        window = history.window(turns=turns)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        needed = int(str(error).split("at least ")[1].split()[0])
        assert turns < needed
        assert len(history.window(turns=needed)) == needed
        return
    assert len(window) <= max(turns, 0) or not messages
    assert window.window(turns=turns) == window
    assert whole.window(turns=turns) == window
    # The rest is a subset of the messages, in order and uncut.
    rest = iter(whole.conversation)
    assert all(any(turn == one for one in rest) for turn in window.conversation)
    calls, results = calls_and_results(window)
    open_calls = {use.id for use in window.conversation.pending_tool_uses}
    assert set(results) <= set(calls)
    assert set(calls) - open_calls <= set(results)
    kept = {turn.role for turn in whole.conversation if turn.role == "system"}
    assert kept <= {turn.role for turn in window.conversation}


@settings(deadline=None)
@given(histories(), st.integers(0, 800))
def test_a_window_in_bytes_is_the_rule_of_fit(messages: list[Json], budget: int) -> None:
    history = tw.MessageHistory(messages)
    builder = tw.spec.MessageBuilder().set_messages(history.conversation).set_budget(budget)
    if not messages:
        return
    try:
        window = history.window(budget=budget)
    except tw.BuildError as error:
        with pytest.raises(tw.BuildError) as caught:
            builder.build(end="calls")
        assert str(caught.value) == str(error)
        return
    try:
        built = builder.build(end="calls")
    except tw.BuildError as error:
        # A build also needs something to send.
        assert error.code == "empty_messages"
        assert not window
        return
    assert window.conversation == built
    assert window.receipt == built.receipt
    assert window.window(budget=budget) == window


@settings(deadline=None)
@given(histories(), st.integers(0, 15))
def test_a_summary_leaves_whole_exchanges_and_counts_the_rest(messages: list[Json], turns: int) -> None:
    history = tw.MessageHistory(messages)
    gone: list[tw.MessageHistory] = []
    try:
        summed = history.summarise(lambda old: gone.append(old) or "s", turns=turns)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    calls, results = calls_and_results(summed)
    assert set(results) <= set(calls)
    assert len([turn for turn in summed.conversation if turn.role != "system"]) <= turns or not messages
    if gone:
        (said,) = [turn for turn in summed.conversation if turn.role == "system" and "[Previous" in turn.parts[0].text]
        assert f"({len(gone[0])} messages compressed)" in said.parts[0].text
        assert all(message in history.messages for message in gone[0])
        assert summed.summarise(lambda old: pytest.fail("again"), turns=turns) == summed


@pytest.mark.parametrize("status", ["success", "error"])
@pytest.mark.parametrize(
    "given",
    [
        "r",
        {"a": [1]},
        2.5,
        ["r", {"a": 1}],
        tw.parts.ToolUseResultBlock.Json([1]),
        [tw.parts.ToolUseResultBlock.Text("r")],
    ],
)
def test_a_result_may_be_what_a_tool_use_result_takes(given: Any, status: Any) -> None:
    history = tw.MessageHistory()
    history.add_user_message("q")
    history.add_raw_message(CALLED, "openai")
    history.add_tool_result("c1", given, "f", status=status)
    expected = tw.ToolUseResult("c1", given, status, "f")
    [result] = [part for turn in history.conversation for part in turn.parts if isinstance(part, tw.ToolUseResult)]
    assert result == expected
    other = tw.Conversation.parse([{"role": "user", "content": "q"}, CALLED], "openai").extended(expected)
    for target in ("openai", "anthropic", "gemini"):
        assert history.prepare(target).payload == tw.prepare(other, target).payload


@pytest.mark.parametrize("given", [None, b"r", object(), {1: 2}])
def test_a_result_of_another_type_is_an_error_that_adds_nothing(given: Any) -> None:
    history = tw.MessageHistory()
    with pytest.raises((TypeError, tw.TurnwireError)):
        history.add_tool_result("c", given)
    assert not len(history)


CALLED: Any = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}


@pytest.mark.parametrize("name", ["prepare", "prepare_json", "render", "render_json"])
def test_a_missing_target_names_the_history(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^MessageHistory\.{name}\(\) missing .* 'target'$"):
        getattr(tw.MessageHistory(), name)()
