"""Training rows: prompts with their completions, and the requirements of trainers and services."""

import json
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from training_makers import TOOLS, Talk, told
from turnwire import batch

SEEDS = range(tries(300))


def converted(row: Any, source: Any, target: Any, **options: Any) -> Any:
    return counted(row, source, target, **options)[0]


def counted(row: Any, source: Any, target: Any, **options: Any) -> tuple[Any, int]:
    """What a row becomes, and how many losses it has."""
    lines = batch.convert_lines(
        [json.dumps(row, ensure_ascii=False).encode()], target, source=source, stop=True, **options
    )
    made = next(lines)
    with pytest.raises(StopIteration) as end:
        next(lines)
    return json.loads(made), end.value.value


def failed(row: Any, target: Any = "openai", source: Any = "auto") -> tuple[str, str]:
    errors: list[batch.RowError] = []
    assert list(batch.convert_lines([json.dumps(row).encode()], target, source=source, errors=errors.append)) == []
    return errors[0].code, errors[0].path


def preference(talk: Talk) -> dict[str, Any]:
    """A row of OpenAI's preferences."""
    body: dict[str, Any] = {"messages": talk.prompt()}
    if talk.random.random() < 0.7:
        body["tools"] = TOOLS
    return {"input": body, "preferred_output": talk.answer(), "non_preferred_output": talk.answer(), "id": talk.word()}


def test_preferences_go_to_trl_and_back() -> None:
    for seed in SEEDS:
        there_and_back(preference(Talk(seed)))


def there_and_back(row: Any) -> None:
    trl, losses = counted(row, "openai", "openai:hf")
    prompt, sides = row["input"]["messages"], ("preferred_output", "non_preferred_output")
    assert list(trl) == ["prompt", "chosen", "rejected", "id"] + ["tools"] * ("tools" in row["input"])
    for key, side in zip(("chosen", "rejected"), sides, strict=True):
        whole = tw.convert([*prompt, *row[side]], "openai:hf", source="openai").payload["messages"]
        assert trl["prompt"] + trl[key] == whole
        assert trl[key][-1]["role"] == "assistant"
        assert_trl(trl["prompt"] + trl[key])
    back, none = counted(trl, "openai:hf", "openai")
    assert none == 0
    everything = [prompt, *(row[side] for side in sides)]
    spoken = [[one for one in told(messages) if one[0] != "thought"] for messages in everything]
    assert [told(back["input"]["messages"]), *(told(back[side]) for side in sides)] == spoken
    # Reasoning stays with the servers that made it: each piece is a loss, those of the prompt once.
    assert losses == sum(map(len, map(told, everything))) - sum(map(len, spoken))
    assert (back["input"].get("tools"), back["id"]) == (row["input"].get("tools"), row["id"])
    for side in sides:
        assert_paired(back["input"]["messages"] + back[side])


def assert_trl(messages: list[Any]) -> None:
    """The rules of trl's documentation: arguments are objects, a result has the name of its tool."""
    for message in messages:
        for call in message.get("tool_calls", ()):
            assert type(call["function"]["arguments"]) is dict
        assert message["role"] != "tool" or isinstance(message["name"], str)


def assert_paired(messages: list[Any]) -> None:
    """The rules of OpenAI: arguments are text, each call has its result after it."""
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
        else:
            assert open_calls == []
            calls = message.get("tool_calls") or []
            assert all(isinstance(call["function"]["arguments"], str) for call in calls)
            open_calls = [call["id"] for call in calls]
    assert open_calls == []


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock", "mistral:v3", "openai:hf"])
def test_a_completion_is_the_same_as_after_its_prompt(target: Any) -> None:
    for seed in SEEDS:
        talk = Talk(seed)
        prompt, completion = talk.prompt(), talk.answer()
        row = converted({"prompt": prompt, "completion": completion, "label": True, "tools": TOOLS}, "openai", target)
        body = {"messages": [*prompt, *completion], "tools": TOOLS}
        payload = tw.convert(body, target, source="openai", end="row").payload
        listed = "contents" if target == "gemini" else "messages"
        assert row.pop("prompt") + row.pop("completion") == payload.pop(listed), seed
        assert row.pop("label") is True
        assert row == payload, seed


def test_a_prompt_that_both_lists_repeat_is_found() -> None:
    for seed in SEEDS:
        talk = Talk(seed)
        prompt = talk.prompt()
        row = {"chosen": prompt + talk.answer(), "rejected": prompt + talk.answer()}
        made = converted(row, "openai", "openai")
        for key, side in (("chosen", "preferred_output"), ("rejected", "non_preferred_output")):
            assert made["input"]["messages"] + made[side] == row[key], seed
            assert made[side]
        assert len(made["input"]["messages"]) >= len(prompt)
        # trl leaves the prompt out of such rows, and the result may do the same.
        assert list(converted(row, "openai", "openai:hf")) == ["chosen", "rejected"]


def test_llama_factory_has_one_element_for_an_answer() -> None:
    said = [{"role": "assistant", "content": word} for word in ("yes", "no")]
    row = {"prompt": [{"role": "user", "content": "q"}], "chosen": said[:1], "rejected": said[1:], "tools": TOOLS}
    made = converted(row, "openai", "sharegpt")
    assert made["conversations"] == [{"from": "human", "value": "q"}]
    assert (made["chosen"], made["rejected"]) == ({"from": "gpt", "value": "yes"}, {"from": "gpt", "value": "no"})
    assert json.loads(made["tools"])[0]["name"] == "look"
    back = converted(made, "auto", "openai:hf")
    assert (back["prompt"], back["chosen"], back["rejected"]) == (row["prompt"], row["chosen"], row["rejected"])
    two = {**row, "chosen": [*Talk(1).exchange(), said[0]]}
    assert failed(two, "sharegpt", "openai") == ("refused", "$.chosen")


def test_broken_rows_say_what_is_wrong() -> None:
    user, said = {"role": "user", "content": "q"}, [{"role": "assistant", "content": "a"}]
    assert failed({"prompt": "q", "completion": 7})[0] == "wrong_type"
    assert failed({"prompt": [user], "chosen": said}) == ("missing_key", "$")
    assert failed({"prompt": [user], "chosen": said, "rejected": [user]}) == ("refused", "$.rejected")
    assert failed({"prompt": [user], "chosen": said, "rejected": []}) == ("refused", "$.rejected")
    assert failed({"input": {}, "preferred_output": said, "non_preferred_output": said}) == ("missing_key", "$.input")
    assert failed({"prompt": [user], "chosen": said, "rejected": [{"role": "wizard"}]})[1] == "$.rejected[0].role"
    # A key that the target needs is already used.
    taken = {"prompt": [user], "chosen": said, "rejected": said, "input": 1}
    assert failed(taken) == ("refused", "$.input")


@pytest.mark.parametrize(
    "row",
    [
        {"input": {"messages": []}, "preferred_output": [], "non_preferred_output": []},
        {"input": {"messages": [{"role": "user", "content": "q"}]}},
        {"prompt": [{"role": "user", "content": "q"}], "completion": []},
        {"chosen": [], "rejected": []},
    ],
)
def test_a_row_is_no_payload(row: Any) -> None:
    with pytest.raises(tw.UnknownDialectError):
        tw.detect(row)
    with pytest.raises(tw.TurnwireError):
        tw.convert(row, "openai")


def test_check_and_stats_read_each_completion(tmp_path: Any, capfd: Any) -> None:
    from turnwire.cli import main

    def shown(row: Any, *arguments: str) -> list[Any]:
        file = tmp_path / "rows.jsonl"
        file.write_text(json.dumps(row) + "\n")
        main([arguments[0], str(file), "--format=json", *arguments[1:]])
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    open_call = [{"role": "user", "content": "q"}, Talk(3).exchange()[0], {"role": "user", "content": "r"}]
    said = [{"role": "assistant", "content": "a"}]
    found = shown({"prompt": open_call, "chosen": said, "rejected": said}, "check", "--source", "openai")
    # A fault in the prompt counts once.
    paths = [one["path"] for one in found]
    assert paths and len(paths) == len(set(paths)) and all(path.startswith("$.prompt[1]") for path in paths)
    assert shown(preference(Talk(5)), "stats")[0]["conversations"] == 2


def test_a_set_in_the_manner_of_hermes_has_calls_and_results() -> None:
    for seed in SEEDS:
        talk = Talk(seed)
        messages = [talk.user(), *talk.exchange(), *talk.answer()]
        texts: list[Any] = []
        for message in messages:
            if message["role"] == "tool":
                said = f"<tool_response>\n{message['content']}\n</tool_response>"
                if texts[-1]["from"] == "tool":
                    texts[-1]["value"] += "\n" + said
                else:
                    texts.append({"from": "tool", "value": said})
                continue
            calls = [call["function"] for call in message.get("tool_calls", [])]
            calls = [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in calls]
            tagged = [f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in calls]
            value = "\n".join([message["content"] or "", *tagged]) if tagged else message["content"]
            texts.append({"from": "human" if message["role"] == "user" else "gpt", "value": value})
        read = tw.convert({"conversations": texts}, "openai")
        plain = [{key: value for key, value in one.items() if key != "reasoning_content"} for one in messages]
        # White space between text and tags is removed with the tags.
        assert [*map(stripped, told(read.payload["messages"]))] == [*map(stripped, told(plain))], seed
        # OpenAI needs ids, which this form does not have.
        assert {(loss.kind, loss.code) for loss in read.receipt} == {("repaired", "renamed_id")}
        assert_paired(read.payload["messages"])


def stripped(said: tuple[str, Any]) -> tuple[str, Any]:
    kind, value = said
    return (kind, value.strip()) if isinstance(value, str) else said


@pytest.mark.parametrize("text", ["<tool_call>", "<tool_call>{}</tool_call>", "see <tool_call>\n1\n</tool_call> there"])
def test_text_with_tags_and_no_call_stays_text(text: str) -> None:
    row = {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": text}]}
    assert converted(row, "auto", "openai")["messages"][1] == {"role": "assistant", "content": text}


def test_tools_may_be_json_text() -> None:
    row = {"messages": [{"role": "user", "content": "q"}], "tools": json.dumps(TOOLS)}
    assert tw.detect(row) == "openai:hf"
    assert converted(row, "auto", "openai:hf") == row
    assert converted(row, "auto", "openai")["tools"] == TOOLS
    flat = [tool["function"] for tool in TOOLS]
    share = {"conversations": [{"from": "human", "value": "q"}], "tools": flat}
    assert converted(share, "auto", "openai")["tools"] == TOOLS
    prompt = {"prompt": row["messages"], "completion": [], "tools": row["tools"]}
    assert converted(prompt, "openai:hf", "openai:hf") == prompt
    assert failed({**row, "tools": "[{"}, "openai", "openai:hf")[1] == "$.tools"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("auto", ("conflicting_signs", "$.conversations[1]")),
        ("sharegpt", ("unknown_role", "$.conversations[1].role")),
    ],
)
def test_a_row_with_two_keys_for_the_speaker_is_an_error(source: Any, expected: tuple[str, str]) -> None:
    twice = {"from": "human", "role": "user", "value": "q", "content": "q"}
    assert failed({"conversations": [{"from": "human", "value": "p"}, twice]}, "openai", source) == expected


@pytest.mark.parametrize(
    ("row", "dialect"),
    [
        (
            {"conversations": [{"from": "user", "value": "q"}, {"from": "assistant", "value": "a", "train": True}]},
            "sharegpt",
        ),
        (
            {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "weight": 0}]},
            "openai",
        ),
        (
            {
                "systemInstruction": {"role": "system", "parts": [{"text": "s"}]},
                "contents": [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "a"}]}],
            },
            "gemini",
        ),
        (
            {
                "schemaVersion": "bedrock-conversation-2024",
                "system": [{"text": "s"}],
                "messages": [
                    {"role": "user", "content": [{"text": "q"}]},
                    {"role": "assistant", "content": [{"text": "a"}]},
                ],
            },
            "bedrock",
        ),
    ],
)
def test_rows_of_services_are_read(row: Any, dialect: str) -> None:
    assert tw.detect(row) == dialect
    made = [(one["role"], one["content"]) for one in converted(row, dialect, "openai:hf")["messages"]]
    assert made[-2:] == [("user", "q"), ("assistant", "a")]
    # They come back unchanged.
    assert converted(row, dialect, dialect, settings="keep") == row


@pytest.mark.parametrize(
    ("messages", "dialect"),
    [
        ([{"role": "user", "content": "hi"}], "openai"),
        ([{"id": "1", "role": "user", "content": "hi"}], "ag-ui"),
        ([{"role": "user", "parts": [{"type": "text", "content": "hi"}]}], "otel"),
        ([{"type": "user_input", "content": [{"type": "text", "text": "hi"}]}], "gemini-interactions"),
        ([{"type": "text", "text": "hi"}], "gemini-interactions"),
        ([{"role": "user", "parts": [{"text": "hi"}]}], "gemini"),
    ],
)
def test_lists_of_text_are_recognised_by_their_signs(messages: Any, dialect: str) -> None:
    assert tw.detect(messages) == dialect


def test_openais_rows_are_not_taken_for_those_of_the_trainer():
    """Both formats can have these keys. But arguments as JSON text are how OpenAI writes them."""
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    made = converted({"messages": messages}, "auto", "openai:hf")
    assert made == converted({"messages": messages}, "openai", "openai:hf")
    assert made["messages"][1]["tool_calls"][0]["function"]["arguments"] == {"a": 1}
    assert made["messages"][2]["name"] == "look"
    # Without ids, OpenAI's format cannot be meant.
    del call["id"], messages[2]["tool_call_id"]
    messages[2]["name"] = "look"
    assert converted({"messages": messages}, "auto", "openai:hf") == {"messages": messages}
    assert tw.convert({"messages": messages}, "openai").payload["messages"][2]["content"] == "r"


def test_rows_of_the_trainer_without_ids_are_detected():
    """A chat server needs ids, so it cannot be meant. Of the formats without ids, only trl has `name` on results."""
    call = {"type": "function", "function": {"name": "look", "arguments": {"a": 1}}}
    result = {"role": "tool", "name": "look", "content": "r"}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [call]}, result]
    assert tw.detect(messages) == "openai:hf"
    for target in ("openai", "anthropic", "gemini", "otel", "mistral:v3"):
        made = converted({"messages": messages}, "auto", target)
        assert made == converted({"messages": messages}, "openai:hf", target)
    # With ids, both formats can have all keys but the form of the arguments.
    call["id"] = result["tool_call_id"] = "c"
    made = converted({"messages": messages}, "auto", "openai")
    assert json.loads(made["messages"][1]["tool_calls"][0]["function"]["arguments"]) == {"a": 1}


def test_a_thought_before_the_json_of_a_call_is_read():
    calls = [{"name": name, "arguments": {"tag": "</think>"}} for name in ("look", "sum_up")]
    for asked, said in ((calls, "1\n</tool_response>\n<tool_response>\n2"), (calls[0], "1")):
        row = {
            "conversations": [
                {"from": "human", "value": "q"},
                {"from": "function_call", "value": "<think>\nso\n</think>\n" + json.dumps(asked)},
                {"from": "observation", "value": said},
                {"from": "gpt", "value": "done"},
            ]
        }
        made = tw.prepare(row, "openai", end="row")
        count = 2 if isinstance(asked, list) else 1
        _, spoken, *results, _ = made.payload["messages"]
        assert spoken["content"] == "<think>\nso\n</think>"
        assert [json.loads(one["function"]["arguments"]) for one in spoken["tool_calls"]] == [
            {"tag": "</think>"}
        ] * count
        assert [one["content"] for one in results] == ["1", "2"][:count]
        assert {change.code for change in made.receipt} <= {"renamed_id"}
        assert converted(row, "sharegpt", "sharegpt") == row


def test_a_missing_id_decides_only_between_formats_that_know_the_rest() -> None:
    """Keys of one format stay its own, so the call without an id is a mistake there."""
    call = {"type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "c", "content": "r"}
    question = {"role": "user", "content": "q"}
    assert tw.detect([question, asked, result]) == "openai:hf"
    for messages in (
        [{"role": "developer", "content": "d"}, question, asked, result],
        [question, asked | {"reasoning_details": [{"type": "reasoning.text", "text": "t"}]}, result],
    ):
        assert tw.detect(messages) == "openai"
        made = tw.prepare(messages, "openai").payload["messages"]
        assert made[-1]["content"] == "r"
        assert made[-1]["tool_call_id"] == made[-2]["tool_calls"][0]["id"]


@pytest.mark.parametrize("target", [name for name in tw.dialects() if name.startswith(("gemini", "openai"))])
def test_nothing_stands_in_for_reasoning_in_a_row(target: str) -> None:
    """Signatures and the key of reasoning are for servers, which never read a row."""
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    row = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "r"},
        {"role": "assistant", "content": "a"},
    ]
    made = tw.prepare(row, target, source="openai", end="row")
    assert [loss for loss in made.receipt if loss.code == "stand_in"] == []
    assert "stand_in" not in {change.code for change in made.receipt}
    again = tw.prepare(made.payload, target, source=target, end="row")
    assert (again.payload, [*again.receipt]) == (made.payload, [])
    (line,) = batch.prepare_lines([json.dumps({"messages": row}).encode()], target, source="openai", end="row")
    assert json.loads(line) == made.payload
