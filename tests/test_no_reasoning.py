"""`reasoning="drop"` leaves out all reasoning, and what is sent stays acceptable for every target."""

import json
from typing import Any

import pytest
import turnwire as tw

GO = {"role": "user", "content": "go"}
THOUGHT = {"type": "thinking", "thinking": "t", "signature": "c2ln"}
ITEM = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
SHELL = {"type": "shell_call", "call_id": "c1", "status": "completed", "action": {"commands": ["ls"]}}
RAN = {
    "type": "shell_call_output",
    "call_id": "c1",
    "output": [{"stdout": "", "stderr": "", "outcome": {"type": "timeout"}}],
}
CALL = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "r"}
THINKS = {"role": "assistant", "content": "a", "reasoning_content": "hm"}
SAYS = {"role": "assistant", "content": "a"}
STAND_IN = "skip_thought_signature_validator"


def said(text: str, name: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": name, "status": "completed", "role": "assistant", "content": content}


def model(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    answer = {"functionResponse": {"name": "f", "response": {"output": "x"}}}
    return [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [*parts]},
        {"role": "user", "parts": [answer]},
    ]


CASES: dict[str, tuple[str, list[Any], list[Any]]] = {
    "ids up to the next output": (
        "openai-responses",
        [GO, ITEM, said("a", "msg_1"), {**CALL, "id": "fc_1"}, OUTPUT, said("b", "msg_2"), GO],
        [GO, SAYS, CALL, OUTPUT, said("b", "msg_2"), GO],
    ),
    "an item that is nothing without its id": (
        "openai-responses",
        [GO, ITEM, SEARCH, said("a", "msg_1"), GO],
        [GO, SAYS, GO],
    ),
    "an item that the caller ran": (
        "openai-responses",
        [GO, ITEM, {**SHELL, "id": "sh_1"}, RAN, GO],
        [GO, SHELL, RAN, GO],
    ),
    "two reasonings, each with its own items": (
        "openai-responses",
        [GO, ITEM, said("a", "msg_1"), {**ITEM, "id": "rs_2"}, said("b", "msg_2"), GO],
        [GO, SAYS, {**SAYS, "content": "b"}, GO],
    ),
    "Claude": (
        "anthropic",
        [
            GO,
            {
                "role": "assistant",
                "content": [THOUGHT, {"type": "redacted_thinking", "data": "ZA=="}, {"type": "text", "text": "a"}],
            },
            GO,
        ],
        [GO, {"role": "assistant", "content": [{"type": "text", "text": "a"}]}, GO],
    ),
    "a turn of thoughts alone": ("anthropic", [GO, {"role": "assistant", "content": [THOUGHT]}, GO], [GO, GO]),
    "a signed call of this turn": (
        "gemini",
        model({"text": "th", "thought": True}, {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}),
        model({"functionCall": {"name": "f", "args": {}}, "thoughtSignature": STAND_IN}),
    ),
    "a signed text": (
        "gemini",
        [*model({"text": "a", "thoughtSignature": "c2ln"})[:2], {"role": "user", "parts": [{"text": "x"}]}],
        [*model({"text": "a"})[:2], {"role": "user", "parts": [{"text": "x"}]}],
    ),
    "DeepSeek": (
        "openai:deepseek",
        [GO, THINKS, GO],
        [GO, {"role": "assistant", "reasoning_content": " ", "content": "a"}, GO],
    ),
    "Kimi": ("openai:kimi", [GO, THINKS, GO], [GO, {"role": "assistant", "reasoning_content": "", "content": "a"}, GO]),
    "another server of OpenAI's format": ("openai:qwen", [GO, THINKS, GO], [GO, SAYS, GO]),
    "a training set": ("openai:hf", [GO, THINKS, GO], [GO, SAYS, GO]),
    "Ollama": ("ollama", [GO, {**SAYS, "thinking": "t"}, GO], [GO, SAYS, GO]),
    "Mistral": (
        "mistral",
        [
            GO,
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "t"}]},
                    {"type": "text", "text": "a"},
                ],
            },
            GO,
        ],
        [GO, {"role": "assistant", "content": [{"type": "text", "text": "a"}]}, GO],
    ),
}


def elements(payload: Any) -> list[Any]:
    return next(value for value in payload.values() if isinstance(value, list))


@pytest.mark.parametrize("name", CASES)
def test_all_reasoning_goes_and_nothing_asks_for_it(name: str) -> None:
    target, messages, expected = CASES[name]
    ready = tw.prepare(messages, target, source=target, reasoning="drop")
    assert elements(ready.payload) == expected
    assert {change.code for change in ready.receipt.only("dropped", "lost")} == {"unwanted_reasoning"}
    # What only loses its id stays.
    assert {change.code for change in ready.receipt.only("restated")} <= {"reshaped"}
    assert (
        json.loads(tw.prepare_json(json.dumps(messages), target, source=target, reasoning="drop").payload)
        == ready.payload
    )
    built = tw.spec.MessageBuilder().set_messages(messages, target).build(target, reasoning="drop")
    assert built.render(target).payload == ready.payload
    again = tw.prepare(ready.payload, target, reasoning="drop")
    assert again.payload == ready.payload and not again.receipt.changed


@pytest.mark.parametrize("name", CASES)
def test_a_conversion_leaves_out_the_same(name: str) -> None:
    target, messages, expected = CASES[name]
    made = tw.convert(messages, target, source=target, reasoning="drop")
    assert elements(made.payload) == expected
    assert {loss.code for loss in made.receipt if loss.kind == "lost"} == {"reasoning"}
    assert [tuple(made.sources)] == [tuple(tw.prepare(messages, target, source=target, reasoning="drop").sources)]
    assert (
        json.loads(tw.convert_json(json.dumps(messages), target, source=target, reasoning="drop").payload)
        == made.payload
    )
    assert tw.Conversation.parse(messages, target).render(target, reasoning="drop").payload == made.payload
    with pytest.raises(tw.RenderError, match="reasoning"):
        tw.convert(messages, target, source=target, reasoning="drop", strict=True)


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "gemini", "openai", "openai-responses"])
def test_reasoning_of_another_provider_goes_too(target: str) -> None:
    messages = [GO, {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "a"}]}, GO]
    ready = tw.prepare(messages, target, source="anthropic", reasoning="drop")
    assert "c2ln" not in str(ready.payload) and "'t'" not in str(ready.payload)


def test_where_thinking_is_enabled_the_open_turn_wants_reasoning() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "r"}
    messages = [GO, {"role": "assistant", "content": [THOUGHT, use]}, {"role": "user", "content": [result]}]
    enabled = {"type": "enabled", "budget_tokens": 1024}
    for body, told in (({"thinking": enabled}, True), ({"thinking": {"type": "adaptive"}}, False), ({}, False)):
        found = [one.code for one in tw.check({**body, "messages": messages}, "anthropic")]
        assert "open_turn_reasoning" not in found
        ready = tw.prepare({**body, "messages": messages}, "anthropic", reasoning="drop")
        assert (
            any("thinking is enabled" in text for text in (told.reason for told in ready.receipt.only("warning")))
            is told
        )
    answered = tw.prepare({"thinking": enabled, "messages": [*messages[:2], GO]}, "anthropic", reasoning="drop")
    assert not any("thinking is enabled" in text for text in (told.reason for told in answered.receipt.only("warning")))


def test_a_ledger_breaks_once_where_the_first_block_goes() -> None:
    def turn(sign: str) -> list[dict[str, Any]]:
        return [{"role": "assistant", "content": [{**THOUGHT, "signature": sign}, {"type": "text", "text": sign}]}, GO]

    messages: list[Any] = [GO]
    ledger = tw.Ledger("anthropic", model="claude-opus-5-5")
    for sign in ("c2lnMQ==", "c2lnMg=="):
        ledger.prepare(messages)
        messages += turn(sign)
    ledger = tw.Ledger.load(ledger.state(), reasoning="drop", model="claude-opus-5-5")
    breaks = []
    for sign in ("c2lnMw==", "c2lnNA==", "c2lnNQ=="):
        ready = ledger.prepare(messages)
        breaks.append(ready.receipt.break_at and str(ready.receipt.break_at))
        assert "signature" not in str(ready.payload)
        messages += turn(sign)
    assert breaks == ["$[1]", None, None]


def test_the_old_argument_says_what_to_write() -> None:
    hopeless: Any = tw.prepare
    with pytest.raises(TypeError, match="pass reasoning="):
        hopeless([GO], "openai", thinking="keep")
