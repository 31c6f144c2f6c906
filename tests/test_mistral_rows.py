"""The rows of Mistral: ids, who may speak where, thinking, and blank text, judged by the vendor's own validators."""

import pytest
import turnwire as tw
from judges import wire

ROWS = {"mistral": "v13", "mistral:v3": "v3", "mistral:v7": "v7", "mistral:v11": "v11", "mistral:v15": "v15"}
GO = {"role": "user", "content": "go"}
SYSTEM = {"role": "system", "content": "s"}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def said(content, **more):
    return {"role": "assistant", "content": content, **more}


def call(ident):
    return said("", tool_calls=[{"id": ident, "type": "function", "function": {"name": "f", "arguments": "{}"}}])


def result(ident, content="r"):
    return {"role": "tool", "tool_call_id": ident, "name": "f", "content": content}


def thought(**more):
    return {"type": "thinking", "thinking": [{"type": "text", "text": "t"}], **more}


def coded(receipt):
    return [one.code for one in receipt]


def words(message):
    content = message["content"]
    return content.split("\n") if isinstance(content, str) else [part["text"] for part in content]


def sent(messages, row, **options):
    ready = tw.prepare(messages, row, source=options.pop("source", "mistral"), **options)
    body = {"model": "m", **ready.payload, "tools": [TOOL]}
    problems = wire.check("mistral", body, tokenizer=ROWS[row], oldest="1.11.7")
    assert not [problem for problem in problems if problem.severity == "error"], [str(one) for one in problems]
    return ready


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("source", ["mistral", "openai"])
def test_ids_are_nine_letters_or_digits_in_every_row(row, source):
    messages = [GO, call("call_abc123"), result("call_abc123")]
    if source == "openai":
        messages[2].pop("name")
    ready = sent(messages, row, source=source)
    ident = ready.payload["messages"][1]["tool_calls"][0]["id"]
    assert len(ident) == 9 and ident.isalnum()
    assert ready.payload["messages"][2]["tool_call_id"] == ident
    assert "renamed_id" in coded(tw.check(messages, row, source=source))
    kept = [GO, call("abcDEF123"), result("abcDEF123")]
    assert sent(kept, row).payload["messages"] == kept
    made = tw.prepare([GO, call("abcDEF123"), GO, call("abcDEF123"), result("abcDEF123")], row, source="mistral")
    assert all(len(one["tool_calls"][0]["id"]) == 9 for one in made.payload["messages"] if "tool_calls" in one)


@pytest.mark.parametrize("row", ROWS)
def test_the_user_right_after_a_result_is_a_warning(row):
    messages = [GO, call("abcDEF123"), result("abcDEF123"), GO]
    ready = sent(messages, row)
    assert ready.payload["messages"] == messages
    found = [one for one in tw.check(messages, row, source="mistral") if one.code == "user_after_result"]
    assert [(one.kind, one.severity, str(one.path)) for one in found] == [("warning", "warning", "$[3]")]
    between = [*messages[:3], said("Done."), GO]
    assert "user_after_result" not in coded(tw.check(between, row, source="mistral"))
    bridged = tw.prepare(messages, row, source="mistral", wording={"bridge": "Done."})
    assert bridged.payload["messages"] == between and coded(bridged.receipt) == ["bridge_added"]
    blocks = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "abcDEF123", "name": "f", "input": {}}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "abcDEF123", "content": "r"},
                {"type": "text", "text": "and"},
            ],
        },
    ]
    ready = tw.prepare(blocks, row, source="anthropic")
    assert [one.code for one in ready.receipt.only("warning")] == ["user_after_result"]
    assert "user_after_result" not in coded(tw.prepare(blocks, "openai", source="anthropic").receipt)


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("source", ["mistral", "openai"])
def test_system_text_stays_behind_the_user_and_moves_from_elsewhere(row, source):
    for stays in ([GO, SYSTEM, said("x"), GO], [GO, SYSTEM, GO], [GO, SYSTEM], [GO, SYSTEM, SYSTEM, said("x"), GO]):
        ready = sent(stays, row, source=source)
        assert ready.payload["messages"] == stays and not ready.receipt.changed
    late = {"role": "system", "content": "late"}
    ready = sent([GO, said("x"), late, GO], row, source=source)
    assert ready.payload["messages"] == [late, GO, said("x"), GO]
    assert "moved_system" in coded(ready.receipt)
    ready = sent([SYSTEM, GO, call("abcDEF123"), result("abcDEF123"), late], row)
    assert words(ready.payload["messages"][0]) == ["s", "late"]
    both = sent([SYSTEM, GO, late, said("x"), {"role": "system", "content": "later"}, GO], row)
    assert [one["role"] for one in both.payload["messages"]] == ["system", "user", "system", "assistant", "user"]
    assert words(both.payload["messages"][0]) == ["s", "later"]


@pytest.mark.parametrize("row", ROWS)
def test_the_assistant_may_be_first_if_more_follows(row):
    for messages in ([said("x"), GO], [SYSTEM, said("x"), GO], [SYSTEM, call("abcDEF123"), result("abcDEF123")]):
        ready = sent(messages, row, wording={"opening": "(silence)"})
        assert ready.payload["messages"] == messages
    with pytest.raises(tw.BuildError, match="speak first"):
        tw.prepare([call("abcDEF123"), result("abcDEF123")], row, source="mistral")
    with pytest.raises(tw.BuildError):
        tw.prepare([said("x", prefix=True)], row, source="mistral")
    opened = sent([call("abcDEF123"), result("abcDEF123")], row, wording={"opening": "(silence)"})
    assert opened.payload["messages"][0] == {"role": "user", "content": "(silence)"}


@pytest.mark.parametrize("row", ROWS)
def test_thinking_in_system_text(row):
    system = {"role": "system", "content": [{"type": "text", "text": "s"}, thought(closed=True)]}
    messages = [system, GO]
    ready = sent(messages, row)
    found = tw.check(messages, row, source="mistral")
    converted = tw.convert(messages, source="mistral", target=row).payload
    if row in ("mistral:v3", "mistral:v15"):
        assert [part["type"] for part in ready.payload["messages"][0]["content"]] == ["text"]
        assert "thinking" not in str(converted)
        assert "reasoning" in coded(found)
    else:
        assert ready.payload["messages"] == messages
        assert converted in (messages, {"messages": messages})
        assert not [one for one in found if one.severity == "error"]


@pytest.mark.parametrize("more", [{}, {"signature": "c2ln"}, {"signature": "c2ln", "closed": True}])
@pytest.mark.parametrize("source", ROWS)
@pytest.mark.parametrize("row", ROWS)
def test_all_rows_that_take_thinking_take_it_of_each_other(row, source, more):
    messages = [GO, said([thought(**more), {"type": "text", "text": "x"}]), GO]
    ready = sent(messages, row, source=source)
    if row in ("mistral:v3", "mistral:v7"):
        assert "thinking" not in str(ready.payload)
        assert "reasoning" in coded(ready.receipt)
    else:
        assert ready.payload["messages"] == messages
        assert tw.convert(messages, source=source, target=row).payload in (messages, {"messages": messages})
        assert not ready.receipt.changed


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("source", ROWS)
def test_the_keys_of_a_thought_do_not_stand_on_its_text(row, source):
    chunk = thought(signature="c2ln", closed=True)
    messages = [GO, said([chunk, {"type": "text", "text": "x"}]), GO]
    ready = sent(messages, row, source=source, reasoning="text")
    for part in ready.payload["messages"][1]["content"]:
        assert part["type"] != "text" or set(part) == {"type", "text"}


@pytest.mark.parametrize("row", ROWS)
def test_only_the_assistant_may_not_be_blank_in_the_oldest_row(row):
    blank = {"role": "user", "content": ""}
    assert sent([blank], row).payload["messages"] == [blank]
    messages = [blank, said("x"), {"role": "user", "content": [{"type": "text", "text": ""}]}]
    assert sent(messages, row).payload["messages"] == messages
    assert sent([{"role": "system", "content": ""}, GO], row).payload["messages"] == [
        {"role": "system", "content": ""},
        GO,
    ]
    results = [GO, call("abcDEF123"), result("abcDEF123", "")]
    assert sent(results, row).payload["messages"] == results


def test_models_of_mistral_on_bedrock_want_nine_letters_or_digits():
    messages = [GO, call("call_abc123"), result("call_abc123")]
    messages[2].pop("name")

    def ident(model):
        ready = tw.prepare(messages, "bedrock", source="openai", model=model)
        return ready.payload["messages"][1]["content"][0]["toolUse"]["toolUseId"]

    assert ident(None) == ident("anthropic.claude-sonnet-4-5") == "call_abc123"
    for model in ("mistral.mistral-large-2407-v1:0", "us.mistral.pixtral-large-2502-v1:0"):
        assert len(ident(model)) == 9 and ident(model).isalnum()
