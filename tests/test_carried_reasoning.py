"""Reasoning that lies in another format's keys goes back to its maker, and stays as it is in its own format."""

import base64
import itertools
import json
import random
import time
from typing import Any

import pytest
import turnwire as tw
from judges import wire

GO: Any = {"role": "user", "content": "go"}
SIG, DATA = "U0lH", "ZGF0YQ=="
CALL: Any = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
OTHER: Any = {**CALL, "id": "c2"}
RESULT: Any = {"role": "tool", "tool_call_id": "c1", "content": "r"}
SENTINEL = "skip_thought_signature_validator"

THOUGHT: Any = {"type": "thinking", "thinking": "t", "signature": SIG}
HIDDEN: Any = {"type": "redacted_thinking", "data": DATA}
ITEM: Any = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "s"}],
    "encrypted_content": DATA,
}
CLAUDE = "anthropic-claude-v1"
DETAILS: Any = {
    "claude": [
        {"type": "reasoning.text", "text": "t", "signature": SIG, "format": CLAUDE, "index": 0},
        {"type": "reasoning.encrypted", "data": DATA, "format": CLAUDE, "index": 1},
    ],
    "openai": [
        {"type": "reasoning.summary", "summary": "s", "id": "rs_1", "format": "openai-responses-v1", "index": 0},
        {"type": "reasoning.encrypted", "data": DATA, "id": "rs_1", "format": "openai-responses-v1", "index": 1},
    ],
    "google": [
        {"type": "reasoning.encrypted", "id": "c1", "data": SIG, "format": "google-gemini-v1", "index": 0},
    ],
}


def turn(calls: Any = (CALL,), **beside: Any) -> list[Any]:
    return [GO, {"role": "assistant", "content": "x", "tool_calls": [*calls], **beside}, RESULT]


# Each carrier: the profile that it comes from, its maker, and the messages.
CARRIERS: Any = {
    "blocks": ("openai", "claude", turn(thinking_blocks=[THOUGHT, HIDDEN])),
    "blocks and their text": ("openai", "claude", turn(thinking_blocks=[THOUGHT, HIDDEN], reasoning_content="t")),
    "items": ("openai", "openai", turn(reasoning_items=[ITEM])),
    "details of Claude": ("openai:openrouter", "claude", turn(reasoning_details=DETAILS["claude"], reasoning="t")),
    "details of OpenAI": ("openai:openrouter", "openai", turn(reasoning_details=DETAILS["openai"])),
    "details of Google": ("openai:openrouter", "google", turn(reasoning_details=DETAILS["google"])),
    "extra content": (
        "openai",
        "google",
        turn([{**CALL, "extra_content": {"google": {"thought_signature": SIG}}}]),
    ),
    "fields of a call": ("openai", "google", turn([{**CALL, "provider_specific_fields": {"thought_signature": SIG}}])),
    "fields of a function": (
        "openai",
        "google",
        turn([{**CALL, "function": {**CALL["function"], "provider_specific_fields": {"thought_signature": SIG}}}]),
    ),
    "a key of a call": ("openai", "google", turn([{**CALL, "thought_signature": SIG}])),
}
USE: Any = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}
TOOL_USE: Any = {"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}
# What the maker's own provider gets for the assistant's turn.
TAKERS: Any = {
    "claude": {
        "anthropic": [THOUGHT, HIDDEN, {"type": "text", "text": "x"}, USE],
        "bedrock": [
            {"reasoningContent": {"reasoningText": {"signature": SIG, "text": "t"}}},
            {"reasoningContent": {"redactedContent": DATA.encode()}},
            {"text": "x"},
            TOOL_USE,
        ],
    },
    # Servers want all ids of a reply, or none.
    "openai": {"openai-responses": [{key: ITEM[key] for key in ITEM if key != "id"}]},
    "google": {
        "gemini": [
            {"text": "x"},
            {"functionCall": {"id": "c1", "name": "f", "args": {}}, "thoughtSignature": SIG},
        ]
    },
}
TARGETS: Any = (
    "anthropic",
    "bedrock",
    "openai-responses",
    "gemini",
    "mistral",
    "cohere",
    "ollama",
    "gemini-interactions",
)


def elements(payload: Any) -> Any:
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


def assistant(payload: Any, target: Any) -> Any:
    said = elements(payload)[1]
    if target == "openai-responses":
        return [said]
    return said.get("parts", said.get("content"))


def judged(payload: Any, target: Any) -> None:
    name, beside = wire.PROVIDERS[target]
    key = {"gemini": "contents", "openai-responses": "input"}.get(target, "messages")
    body = {key: payload} if isinstance(payload, list) else payload
    tools: dict[str, Any] = {
        "anthropic": {"tools": [{"name": "f", "input_schema": {"type": "object"}}]},
        "bedrock": {
            "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]}
        },
    }
    raw = {"blobs": "raw"} if target == "bedrock" else {}
    assert not wire.errors(wire.check(name, {**beside, **tools.get(target, {}), **body}, **raw))


@pytest.mark.parametrize(
    ("carrier", "target"),
    [(name, target) for name, (_, maker, _) in CARRIERS.items() for target in TAKERS[maker]],
)
def test_the_maker_takes_its_reasoning(carrier: str, target: Any) -> None:
    source, maker, given = CARRIERS[carrier]
    made = tw.prepare(given, target, source=source)
    assert assistant(made.payload, target) == TAKERS[maker][target]
    assert not made.receipt.changed
    judged(made.payload, target)
    again = tw.prepare(made.payload, target, source=target)
    assert again.payload == made.payload


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("target", TARGETS)
def test_nobody_else_gets_it(carrier: str, target: Any) -> None:
    source, maker, given = CARRIERS[carrier]
    if target in TAKERS[maker]:
        return
    made = tw.prepare(given, target, source=source)
    assert SIG not in json.dumps(made.payload)
    assert DATA not in json.dumps(made.payload)
    assert any(loss.kind == "lost" and loss.code in ("reasoning", "key", "signature") for loss in made.receipt)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_at_home_it_stays_and_is_not_reported(carrier: str) -> None:
    source, _, given = CARRIERS[carrier]
    if source == "openai" and "reasoning_content" in given[1]:
        source = "openai:compatible"
    made = tw.prepare(given, source, source=source)
    assert elements(made.payload) == given
    assert not made.receipt.changed
    assert not made.receipt.changed


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("home", [True, False])
def test_the_caller_may_want_none(carrier: str, home: bool) -> None:
    source, maker, given = CARRIERS[carrier]
    target: Any = source if home else next(iter(TAKERS[maker]))
    made = tw.prepare(given, target, source=source, reasoning="drop")
    assert SIG not in json.dumps(made.payload)
    assert DATA not in json.dumps(made.payload)
    assert "unwanted_reasoning" in [entry.code for entry in made.receipt if entry.kind != "warning"]
    assert "x" in json.dumps(made.payload)
    assert tw.prepare(made.payload, target, source=target, reasoning="drop").payload == made.payload


@pytest.mark.parametrize("word", [SENTINEL, base64.b64encode(SENTINEL.encode()).decode()])
def test_a_stand_in_is_no_signature(word: str) -> None:
    made = tw.prepare(turn([{**CALL, "thought_signature": word}]), "gemini", source="openai")
    assert assistant(made.payload, "gemini")[1]["thoughtSignature"] == SENTINEL


def test_only_the_call_that_was_signed_gets_it() -> None:
    given = [
        *turn([CALL, OTHER], reasoning_details=[{**DETAILS["google"][0], "id": "c2"}]),
        {**RESULT, "tool_call_id": "c2"},
    ]
    made = tw.prepare(given, "gemini", source="openai:openrouter")
    calls = assistant(made.payload, "gemini")[1:]
    assert [call.get("thoughtSignature") for call in calls] == [SENTINEL, SIG]


def test_a_signature_behind_an_id() -> None:
    name: Any = f"c1__thought__{SIG}"
    given = [*turn([{**CALL, "id": name}])[:2], {**RESULT, "tool_call_id": name}]
    made = tw.prepare(given, "gemini", source="openai")
    assert assistant(made.payload, "gemini")[1]["thoughtSignature"] == SIG
    assert elements(tw.prepare(given, "openai", source="openai").payload) == given
    other = [*turn([{**CALL, "id": "c1__thought__?"}])[:2], {**RESULT, "tool_call_id": "c1__thought__?"}]
    assert assistant(tw.prepare(other, "gemini", source="openai").payload, "gemini")[1]["thoughtSignature"] == SENTINEL


def test_a_signed_text() -> None:
    given = [GO, {"role": "assistant", "content": "x", "extra_content": {"google": {"thought_signature": SIG}}}, GO]
    made = tw.prepare(given, "gemini", source="openai")
    assert assistant(made.payload, "gemini") == [{"text": "x", "thoughtSignature": SIG}]
    assert not made.receipt.changed


def test_an_empty_list_of_details_stays() -> None:
    given = turn(reasoning_details=[])
    made = tw.prepare(given, "openai:openrouter", source="openai:openrouter")
    assert elements(made.payload) == given
    assert not made.receipt.changed


def test_details_that_are_repeated_count_once() -> None:
    made = tw.prepare(turn(reasoning_details=DETAILS["claude"] * 2), "anthropic", source="openai:openrouter")
    assert assistant(made.payload, "anthropic")[:2] == [THOUGHT, HIDDEN]


def test_details_of_another_maker_are_told() -> None:
    mixed = [
        *DETAILS["claude"],
        {"type": "reasoning.encrypted", "data": "eA==", "format": "xai-responses-v1", "index": 2},
    ]
    made = tw.prepare(turn(reasoning_details=mixed), "anthropic", source="openai:openrouter")
    assert assistant(made.payload, "anthropic")[:2] == [THOUGHT, HIDDEN]
    assert [loss.code for loss in made.receipt.only("lost")] == ["reasoning"]


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-4-5", "gpt-5"])
def test_a_model_that_checks_the_prefix(model: Any) -> None:
    before = [{"role": "user", "content": "a" * 5000}, {"role": "assistant", "content": "b" * 5000}]
    given = [*before * 3, *turn(thinking_blocks=[THOUGHT])]
    made = tw.prepare(given, "anthropic", 6000, source="openai", model=model)
    codes = {entry.code for entry in made.receipt if entry.kind != "warning"}
    assert "dropped_turn" in codes
    assert (SIG in json.dumps(made.payload)) == (model == "claude-sonnet-4-5")
    assert ("stale_reasoning" in codes) == (model == "claude-opus-5-5")


def test_a_chunk_of_mistrals_stays_with_all_of_its_models() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "t"}]}
    given = [GO, {"role": "assistant", "content": [thought, {"type": "text", "text": "x"}]}, GO]
    rows: list[Any] = ["mistral", "mistral:v11", "mistral:v15"]
    for source, target in itertools.permutations(rows, 2):
        assert elements(tw.prepare(given, target, source=source).payload) == given
    assert "reasoning" in [entry.code for entry in tw.prepare(given, "mistral:v7", source="mistral").receipt]


@pytest.mark.parametrize("value", ["no", [], [1, {"a": 2}], {"a": 1}, [{"type": "thinking"}], None])
@pytest.mark.parametrize("key", ["thinking_blocks", "reasoning_items", "reasoning_details", "extra_content"])
@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai-responses", "openai:openrouter"])
def test_a_carrier_of_something_else(key: str, value: Any, target: Any) -> None:
    made = tw.prepare(turn(**{key: value}), target, source="openai")
    assert "x" in json.dumps(made.payload)
    assert not value or made.receipt or made.receipt or target == "openai:openrouter"
    if target == "openai-responses":
        assert elements(made.payload)[1] == {"role": "assistant", "content": "x"}


ANSWER: Any = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "r"}]}
NATIVE: Any = {
    "claude": (
        "anthropic",
        [GO, {"role": "assistant", "content": [THOUGHT, HIDDEN, {"type": "text", "text": "x"}, USE]}, ANSWER],
    ),
    "openai": (
        "openai-responses",
        [
            GO,
            ITEM,
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "r"},
        ],
    ),
    "google": (
        "gemini",
        [
            {"role": "user", "parts": [{"text": "go"}]},
            {
                "role": "model",
                "parts": [{"functionCall": {"id": "c1", "name": "f", "args": {}}, "thoughtSignature": SIG}],
            },
            {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"output": "x"}}}]},
        ],
    ),
}


@pytest.mark.parametrize("maker", NATIVE)
def test_a_gateway_gets_details_and_gives_them_back(maker: str) -> None:
    source, given = NATIVE[maker]
    there = tw.prepare(given, "openai:openrouter", source=source)
    message = next(one for one in elements(there.payload) if one.get("reasoning_details"))
    assert message["reasoning_details"] == DETAILS[maker]
    assert not [loss for loss in there.receipt if loss.kind == "lost"]
    back = tw.prepare(there.payload, source, source="openai:openrouter")
    assert json.dumps(back.payload).count(SIG if maker != "openai" else DATA) == 1
    if maker == "claude":
        assert elements(back.payload) == given


def carried(rng: random.Random, count: Any) -> Any:
    """The keys of a message and of its call, and the proofs in them."""
    proof = base64.b64encode(f"proof{next(count)}".encode()).decode()
    claude = {**THOUGHT, "signature": proof}
    return rng.choice(
        [
            ({}, {}, []),
            ({"thinking_blocks": [claude]}, {}, [proof]),
            ({"reasoning_items": [{**ITEM, "encrypted_content": proof}]}, {}, [proof]),
            ({"reasoning_details": [{**DETAILS["claude"][0], "signature": proof}]}, {}, [proof]),
            ({}, {"extra_content": {"google": {"thought_signature": proof}}}, [proof]),
        ]
    )


@pytest.mark.parametrize(
    "target", ["anthropic", "bedrock", "gemini", "openai-responses", "openai:openrouter", "openai"]
)
def test_nothing_vanishes_untold(target: Any) -> None:
    for seed in range(60):
        rng, count = random.Random(seed), itertools.count()
        given: list[Any] = [GO]
        proofs: list[str] = []
        for step in range(rng.randint(1, 4)):
            beside, within, held = carried(rng, count)
            call = {**CALL, "id": f"c{step}", **within}
            given.append({"role": "assistant", "content": f"text{step}", "tool_calls": [call], **beside})
            given.append({**RESULT, "tool_call_id": f"c{step}", "content": f"result{step}"})
            proofs += held
        made = tw.prepare(given, target, source="openai:openrouter")
        written = json.dumps(made.payload)
        for step in range(len(given) // 2):
            assert f"text{step}" in written
            assert f"result{step}" in written
        gone = [
            proof
            for proof in proofs
            if proof not in written and base64.b64encode(proof.encode()).decode() not in written
        ]
        told = [*(loss for loss in made.receipt if loss.kind == "lost"), *made.receipt]
        assert len(told) >= len(gone), seed
        assert tw.prepare(made.payload, target, source=target).payload == made.payload


@pytest.mark.parametrize("signature", ["x", "a b", "\ud800", ["x"], [], {}, 7, None])
def test_a_signature_that_is_no_base64_is_not_sent(signature: Any) -> None:
    call = {**CALL, "extra_content": {"google": {"thought_signature": signature}}}
    messages = [GO, {"role": "assistant", "content": None, "tool_calls": [call]}, RESULT]
    ready = tw.prepare(messages, "gemini", source="openai")
    assert ready.payload["contents"][1]["parts"][0]["thoughtSignature"] == SENTINEL
    assert any("extra_content" in loss.path for loss in ready.receipt) or signature in ([], {}, None)
    assert tw.prepare(ready.payload, "gemini", source="gemini").payload == ready.payload


def test_the_details_of_a_message_are_read_once_for_all_of_its_calls() -> None:
    def request(count: int) -> Any:
        calls = [{**CALL, "id": f"c{at}"} for at in range(count)]
        form = {"type": "reasoning.encrypted", "format": "google-gemini-v1"}
        details = [{**form, "id": call["id"], "data": base64.b64encode(call["id"].encode()).decode()} for call in calls]
        said = {"role": "assistant", "content": None, "tool_calls": calls, "reasoning_details": details}
        return [GO, said, *({**RESULT, "tool_call_id": call["id"]} for call in calls)]

    def cost(count: int) -> float:
        begun = time.thread_time()
        ready = tw.prepare(requests[count], "gemini", source="openai:openrouter")
        signed = [part["thoughtSignature"] for part in ready.payload["contents"][1]["parts"]]
        assert signed == [base64.b64encode(f"c{at}".encode()).decode() for at in range(count)]
        return time.thread_time() - begun

    requests = {count: request(count) for count in (100, 800)}
    # In turn and several times, because other work on the machine makes single runs longer.
    small, large = (min(costs) for costs in zip(*((cost(100), cost(800)) for _ in range(5)), strict=True))
    # If each call read them again, it would be 64 times as much.
    assert large < 24 * small


@pytest.mark.parametrize("signature", [{}, {"signature": "c2lnbmVk"}], ids=("plain", "signed"))
def test_a_chunk_of_mistrals_in_a_gateways_list_goes_back_to_mistral(signature: Any) -> None:
    chunk = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], **signature}
    content = [chunk, {"type": "text", "text": "a"}]
    messages: Any = [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": content},
        {"role": "user", "content": "v"},
    ]
    for target in ("mistral", "mistral:v11", "mistral:v15"):
        made = tw.prepare(messages, target, source="openai")  # type: ignore[arg-type]
        assert made.payload["messages"][1]["content"] == content and not made.receipt.only("lost")
    others: Any = ("openai", "openai:compatible", "anthropic", "mistral:v3", "gemini", "cohere")
    for target in others:
        made = tw.prepare(messages, target, source="openai")
        assert "hm" not in str(made.payload), target
        assert any("reasoning" in change.code for change in made.receipt), target
        told = tw.prepare(messages, target, source="openai", reasoning="text")
        assert "hm" in str(told.payload) or target.startswith("openai"), target


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inside for text in texts(one)]


def test_a_signature_of_a_message_without_calls_is_that_of_its_text() -> None:
    detail = {"type": "reasoning.encrypted", "data": SIG, "format": "google-gemini-v1"}
    for beside in (
        {"reasoning_details": [detail]},
        {"provider_specific_fields": {"thought_signatures": [SIG]}},
        {"extra_content": {"google": {"thought_signature": SIG}}},
    ):
        given: Any = [GO, {"role": "assistant", "content": "x", **beside}, GO]
        made = tw.prepare(given, "gemini", source="openai")
        assert made.payload["contents"][1]["parts"] == [{"text": "x", "thoughtSignature": SIG}], beside
        assert not made.receipt.only("lost")


@pytest.mark.parametrize(
    "beside",
    [
        {"provider_specific_fields": {"thought_signatures": [SIG]}, "content": None, "tool_calls": [CALL]},
        {"provider_specific_fields": {"thought_signatures": [SIG, SIG]}, "tool_calls": [CALL]},
        {
            "reasoning_details": [
                {"type": "reasoning.encrypted", "data": data, "format": "google-gemini-v1"} for data in (SIG, DATA)
            ]
        },
    ],
    ids=("no text", "two", "two details"),
)
def test_a_signature_that_belongs_nowhere_is_told(beside: Any) -> None:
    given: Any = [GO, {"role": "assistant", "content": "x", **beside}]
    given += [RESULT] if "tool_calls" in beside else [GO]
    assert tw.prepare(given, "gemini", source="openai").receipt.only("lost")


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "gemini", "openai-responses", "mistral", "ollama"])
@pytest.mark.parametrize("signed", ["call", "result"])
def test_a_signature_behind_one_id_alone(signed: str, target: Any) -> None:
    """The call and the result are one pair, and nothing is made up."""
    call = {**CALL, "id": f"c1__thought__{SIG}"} if signed == "call" else CALL
    result = RESULT if signed == "call" else {**RESULT, "tool_call_id": f"c1__thought__{SIG}"}
    given: Any = [GO, {"role": "assistant", "content": "x", "tool_calls": [call]}, result, GO]
    made = tw.prepare(given, target, source="openai")
    assert not {change.code for change in made.receipt} & {"orphan_result", "missing_result", "duplicate_result"}
    assert "r" in texts(made.payload) and "__thought__" not in str(made.payload)
    home = tw.prepare(given, "openai", source="openai")
    ids = {home.payload["messages"][1]["tool_calls"][0]["id"], home.payload["messages"][2]["tool_call_id"]}
    assert len(ids) == 1


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"thinking_blocks": [THOUGHT]}, ["t"]),
        ({"thinking_blocks": [THOUGHT], "reasoning_content": "t"}, ["t"]),
        ({"reasoning_items": [ITEM]}, ["s"]),
        ({"reasoning_details": DETAILS["claude"], "reasoning": "t"}, ["t"]),
        (
            {"reasoning_details": [{"type": "reasoning.text", "text": "a"}, {"type": "reasoning.text", "text": "b"}]},
            ["a\nb"],
        ),
        ({"reasoning": "t", "reasoning_content": "t"}, ["t"]),
        ({"reasoning": "t", "reasoning_content": "u"}, ["t", "u"]),
    ],
)
def test_readable_reasoning_of_a_carrier_is_text_once_if_asked(beside: Any, words: list[str]) -> None:
    given: Any = [GO, {"role": "assistant", "content": "x", **beside}, GO]
    for target in ("cohere", "mistral", "gemini-interactions"):
        made = tw.prepare(given, target, source="openai", reasoning="text")  # type: ignore[arg-type]
        said = "\n".join(text for text in texts(made.payload))
        for word in words:
            assert said.split("\n").count(word.split("\n")[0]) == 1, (target, said)


def test_an_empty_proof_is_none() -> None:
    for block in ({**THOUGHT, "signature": ""}, {**HIDDEN, "data": ""}):
        given: Any = [GO, {"role": "assistant", "content": "x", "thinking_blocks": [block]}, GO]
        made = tw.prepare(given, "anthropic", source="openai")
        assert made.payload["messages"][1]["content"] == "x" or "thinking" not in str(made.payload)
        assert made.receipt.only("lost")


def test_an_item_without_a_summary_gets_the_empty_one_that_its_maker_wants() -> None:
    item = {key: value for key, value in ITEM.items() if key != "summary"}
    given: Any = [GO, {"role": "assistant", "content": "x", "reasoning_items": [item]}, GO]
    made = tw.prepare(given, "openai-responses", source="openai")
    assert made.payload["input"][1] == {"type": "reasoning", "encrypted_content": DATA, "summary": []}


def test_mistrals_chunk_is_text_for_a_gateway() -> None:
    chunk = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    content = [chunk, {"type": "text", "text": "a"}]
    given: Any = [GO, {"role": "assistant", "content": content}, GO]
    for source in ("mistral", "openai"):
        made = tw.prepare(given, "openai:openrouter", source=source)  # type: ignore[arg-type]
        (detail,) = made.payload["messages"][1]["reasoning_details"]
        assert (detail["type"], detail["text"], detail["format"]) == ("reasoning.text", "hm", "unknown")
