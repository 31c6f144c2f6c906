"""Training rows of each layout and dialect stay as they are, and requests are repaired as before."""

import json
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from training_makers import Json, Talk, told
from turnwire.batch import check_file, check_lines, convert_lines, prepare_file, prepare_lines

SEEDS = range(12)
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
TOOLS = [
    {"type": "function", "function": {"name": name, "description": f"does {name}", "parameters": SCHEMA}}
    for name in ("look", "sum_up")
]
BODIES = ["openai", "openai:hf", "openai:hf-llama", "anthropic", "gemini", "bedrock", "mistral:v3", "sharegpt"]
CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
]}  # fmt: skip
HI, YO = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}
ROW = {"messages": [HI, CALL], "tools": TOOLS}


def line(row: Any) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def found(record: Any, source: Any = "auto", target: Any = "same", **options: Any) -> list[Json]:
    [said] = check_lines([line(record)], target, source=source, stop=True, **options)
    return list(json.loads(said))


def codes(record: Any, /, *names: Any, **options: Any) -> list[tuple[str, str]]:
    return [(one["code"], one["path"]) for one in found(record, *names, **options)]


def made(record: Any, source: Any, target: Any, **options: Any) -> Any:
    [one] = convert_lines([line(record)], target, source=source, stop=True, **options)
    return json.loads(one)


def said(messages: list[Json]) -> list[str]:
    """What messages say, in any order and with JSON in any spelling."""
    return sorted(repr((who, read(text))) for who, text in told(messages))


def read(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text


def without_reasoning(messages: list[Json]) -> list[Json]:
    return [{key: value for key, value in one.items() if key != "reasoning_content"} for one in messages]


def random_row(seed: int) -> Json:
    """A row of OpenAI's that ends with text or with calls, and has keys of its own."""
    talk = Talk(seed)
    prompt = without_reasoning(talk.prompt())
    ends = without_reasoning(talk.exchange()[:1] if seed % 2 else talk.answer())
    return {"messages": [*prompt, *ends], "tools": TOOLS, "label": True, "meta": {"id": seed, "é": [None, 1.50]}}


@pytest.mark.parametrize("dialect", BODIES)
def test_a_row_is_checked_in_silence_repaired_to_the_same_bytes_and_converted_back(dialect: Any) -> None:
    for seed in SEEDS:
        row = random_row(seed)
        there = made(row, "openai", dialect)
        assert found(there, dialect) == [], seed
        assert list(prepare_lines([line(there)], source=dialect, stop=True)) == [line(there)], seed
        back = made(there, dialect, "openai")
        assert said(back.pop("messages")) == said(row.pop("messages")), seed
        assert [one["function"]["name"] for one in back.pop("tools")] == ["look", "sum_up"], seed
        row.pop("tools")
        assert back == row, seed


@pytest.mark.parametrize("dialect", ["openai", "openai:hf", "anthropic", "gemini", "bedrock"])
@pytest.mark.parametrize("kind", ["completion", "chosen"])
def test_a_row_of_lists_is_repaired_to_the_same_bytes(kind: str, dialect: Any) -> None:
    for seed in SEEDS:
        talk = Talk(seed)
        prompt, *ends = map(without_reasoning, (talk.prompt(), talk.exchange()[:1], talk.answer()))
        lists = {"completion": ends[0]} if kind == "completion" else {"chosen": ends[0], "rejected": ends[1]}
        row = made({"prompt": prompt, **lists, "tools": TOOLS, "score": 0.50}, "openai", dialect)
        assert row["score"] == 0.5
        assert [one for one in found(row, dialect) if one["severity"] == "error"] == [], seed
        assert list(prepare_lines([line(row)], source=dialect, stop=True)) == [line(row)], seed


@pytest.mark.parametrize("key", ["model", "temperature", "tool_choice", "stream", "max_tokens"])
def test_a_key_that_only_a_request_has_makes_a_request(key: str) -> None:
    value = {"model": "m", "temperature": 0.5, "tool_choice": "auto", "stream": True, "max_tokens": 9}[key]
    request = ROW | {key: value}
    assert codes(request, "openai") == [("missing_result", "$.messages[1].tool_calls[0]")]
    [repaired] = prepare_lines([line(request)], source="openai")
    assert json.loads(repaired)["messages"][-1]["role"] == "tool"
    assert "missing_result" not in [code for code, _ in codes(ROW | {key: None}, "openai")]


@pytest.mark.parametrize("weight", [0, 1])
def test_a_row_may_say_which_answers_are_learned(weight: int) -> None:
    row = {"messages": [HI, YO | {"weight": weight}]}
    unknown = [("unknown_key", "$.messages[1].weight")]
    assert made(row, "openai", "openai") == row
    assert unknown[0] in codes(row | {"model": "m"}, "openai", "openai")
    [one] = [one for one in found(row, "openai", "openai") if one["code"] == "unknown_key"]
    assert "training row: --row" in one["reason"]
    assert codes(row, "openai", "openai", end="row") == []
    user = {"messages": [HI | {"weight": weight}, YO]}
    assert codes(user, "openai", "openai", end="row") == [("unknown_key", "$.messages[0].weight")]
    for wrong in (2, 0.5, "1", True):
        assert codes({"messages": [HI, YO | {"weight": wrong}]}, "openai", "openai", end="row") == unknown


def test_a_list_and_a_body_without_tools_that_end_with_calls_are_requests() -> None:
    assert codes([HI, CALL]) == [("missing_result", "$[1].tool_calls[0]")]
    assert codes({"messages": [HI, CALL]}) == [("missing_result", "$.messages[1].tool_calls[0]")]
    assert codes({"messages": [HI, CALL], "tools": []})[0][0] in ("missing_result", "no_tools")


def test_a_call_before_the_end_needs_its_result_in_a_row_too() -> None:
    row = {"messages": [HI, CALL, HI, YO], "tools": TOOLS}
    assert codes(row) == [("missing_result", "$.messages[1].tool_calls[0]")]


def test_the_caller_may_say_what_a_record_is() -> None:
    assert codes([HI, CALL], end="row") == []
    assert codes(ROW, end="request") == [("missing_result", "$.messages[1].tool_calls[0]")]
    assert codes({"prompt": [HI], "completion": [CALL]}, end="request") == [
        ("missing_result", "$.completion[0].tool_calls[0]")
    ]
    assert not tw.check(ROW, end="row")
    assert [one.code for one in tw.check(ROW)] == ["missing_result"]


def test_a_provider_as_the_target_takes_an_example_as_a_request_and_says_how_to_name_it() -> None:
    [call] = found(ROW, "openai", "openai")
    assert call["code"] == "missing_result" and call["reason"].endswith(
        'if this is a training row: --row, or end="row"'
    )
    [end] = found({"messages": [HI, YO]}, "openai", "gemini")
    assert end["code"] == "ends_with_assistant" and "--row" in end["reason"]
    assert "--row" not in found(ROW | {"model": "m"}, "openai", "openai")[0]["reason"]
    failed: list[Any] = []
    assert list(prepare_lines([line({"messages": [HI, YO]})], "gemini", errors=failed.append)) == []
    assert failed[0].code == "ends_with_assistant" and "--row" in failed[0].message
    assert list(prepare_lines([line({"messages": [HI, YO]})], "gemini", end="row")) != []
    assert codes({"prompt": [HI], "completion": [CALL]}, "openai", "openai") == []


def test_a_dialect_that_is_only_stored_has_rows() -> None:
    row = {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}], "model": "m"}
    assert found(row, "sharegpt", "gemini") == []
    assert made(row, "sharegpt", "openai") == {"messages": [HI, YO], "model": "m"}
    assert made({"model": "m", "messages": [HI, YO]}, "openai", "openai:hf") == {"messages": [HI, YO], "model": "m"}
    request = {"model": "m", "messages": [HI, YO]}
    assert made(request, "openai", "anthropic", settings="omit") == {"messages": [HI, YO]}
    assert made(request, "openai", "anthropic").keys() == {"model", "messages", "max_tokens"}


@pytest.mark.parametrize(("target", "stand_in"), [("gemini", "thoughtSignature"), ("openai:kimi", "reasoning_content")])
def test_nothing_stands_in_for_reasoning_in_a_row(target: Any, stand_in: str) -> None:
    assert stand_in not in json.dumps(made(ROW, "openai", target))
    assert stand_in in json.dumps(made(ROW | {"model": "m"}, "openai", target))
    assert stand_in in json.dumps(made(ROW, "openai", target, end="request"))


def test_files_and_columns_decide_alike(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"model": "m"}, [HI, CALL], {"prompt": [HI], "completion": [CALL]}]
    source, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_bytes(b"".join(line(row) + b"\n" for row in rows))
    assert sum(one.times for one in check_file(source, out).changes) == 2
    assert [json.loads(one)["line"] for one in out.read_bytes().splitlines()] == [2, 3]
    assert check_file(source, out, end="row").changes == ()
    prepare_file(source, out)
    kept = [new == old for new, old in zip(out.read_bytes().splitlines(), map(line, rows), strict=True)]
    assert kept == [True, False, False, True]
    pa = pytest.importorskip("pyarrow")
    from turnwire import arrow

    column = pa.array([line(row).decode() for row in rows])
    found = [json.loads(one["payload"]) for one in arrow.check(column).to_pylist()]
    assert [len(one) for one in found] == [0, 1, 1, 0]
    told = arrow.check(column, end="request").to_pylist()
    assert [len(json.loads(one["payload"])) for one in told] == [1, 1, 1, 1]
    converted = arrow.convert(column, "gemini", source="openai").field("changes").to_pylist()
    codes = [sorted(one["code"] for one in changes) for changes in converted]
    assert codes == [[], ["setting", "stand_in"], ["stand_in"], []]


def test_a_prompt_that_is_text_is_the_users_message() -> None:
    begun = {"prompt": "Hi", "chosen": [HI, YO], "rejected": [HI, {"role": "assistant", "content": "No"}], "score": 1}
    assert made(begun, "auto", "openai:hf") == begun
    assert made(begun, "auto", "openai") == {
        "prompt": "Hi",
        "preferred_output": [YO],
        "non_preferred_output": [{"role": "assistant", "content": "No"}],
        "input": {"messages": [HI]},
        "score": 1,
    }
    apart = {"prompt": "Hi", "chosen": [YO], "rejected": [{"role": "assistant", "content": "No"}]}
    assert made(apart, "auto", "openai:hf") == apart | {"prompt": [HI]}
    assert made(apart, "auto", "gemini")["prompt"] == [{"role": "user", "parts": [{"text": "Hi"}]}]
    spoken = {"prompt": "Hi", "completion": [{"from": "gpt", "value": "Yo"}]}
    assert made(spoken, "auto", "openai")["prompt"] == [HI]
    for row in (begun, apart, spoken):
        assert list(prepare_lines([line(row)], stop=True)) == [line(row)]
        assert found(row) == []


def test_a_row_may_have_sharegpts_key_around_openais_messages() -> None:
    row = {"conversations": [HI, YO], "system": "S", "id": 7}
    assert codes(row) == []
    system = {"role": "system", "content": "S"}
    wanted = {"messages": [system, HI, YO], "id": 7}
    assert [json.loads(one) for one in prepare_lines([line(row)], stop=True)] == [wanted]
    assert made(row, "auto", "openai:hf") == wanted
    assert made(row, "auto", "sharegpt")["conversations"][0] == {"from": "human", "value": "Hi"}
    # A request's key around another format's messages stays an error.
    with pytest.raises(tw.TurnwireError, match="expected elements of one dialect, got gemini"):
        list(prepare_lines([line({"contents": [HI, YO]})], stop=True))


# --- The address of a batch's line ---


def batch_line(url: str, body: Json) -> Json:
    return {"custom_id": "1", "method": "POST", "url": url, "body": body}


@pytest.mark.parametrize(
    ("url", "dialect"),
    [("/v1/chat/completions", "openai"), ("/v1/responses", "openai-responses"), ("/v1/messages", "anthropic")],
)
def test_the_address_of_a_line_decides_its_dialect(url: str, dialect: Any) -> None:
    """`country` is a key that no format knows. With a model of Claude's, the signs alone would say Anthropic."""
    key = "input" if dialect == "openai-responses" else "messages"
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, key: [{"role": "user", "content": "Hi", "country": "X"}]}
    asked = batch_line(url, body)
    assert list(convert_lines([line(asked)], "gemini")) == list(convert_lines([line(asked)], "gemini", source=dialect))
    made_by = [list(prepare_lines([line(asked)], "gemini", source=source)) for source in ("auto", dialect)]
    assert made_by[0] == made_by[1] != []
    # The caller's own word counts more.
    assert found(asked, "auto", "gemini") == found(asked, dialect, "gemini")
    other = batch_line(url, {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]})
    failed: list[Any] = []
    for lines in (check_lines, convert_lines):
        list(lines([line(other)], "mistral", errors=failed.append))
    assert [(one.code, one.path) for one in failed] == [("wrong_dialect", "$.body")] * 2
    assert found(other, "gemini", "mistral") == []
