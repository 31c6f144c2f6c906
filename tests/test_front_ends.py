"""Messages of front ends and traces: samples replay, convert to providers and back, and their owners accept them."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from judges import fronts
from random_runs import tries
from trace_faults import CALL, FAULTS, RESULT, spots
from world import conversation

SAMPLES = Path(__file__).parent / "samples/fronts"
# The judge's name for each dialect, and the samples of it.
KINDS = {"ai-sdk": "model", "ai-sdk-ui": "ui", "ag-ui": "agui", "otel": "otel"}
LISTS = {"otel": "gen_ai.input.messages"}
PROVIDERS = ("openai", "anthropic", "gemini", "bedrock")
# Pydantic AI has the types of UIMessages: `make adapters` installs it.
OWNERS = {dialect: [pytest.mark.needs("pydantic_ai")] if dialect == "ai-sdk-ui" else [] for dialect in KINDS}


def samples() -> list[Any]:
    found = []
    for dialect, kind in KINDS.items():
        paths = sorted(SAMPLES.glob(f"{kind}-*.json"))
        found += [
            pytest.param(dialect, path, id=path.stem, marks=OWNERS[dialect]) for path in paths if is_messages(path)
        ]
    return found


def is_messages(path: Path) -> bool:
    """Whether a sample is a payload of this dialect, and not a reply or a stream."""
    value = json.loads(path.read_text(encoding="utf-8"))
    return isinstance(value, list) and all("role" in one and "finish_reason" not in one for one in value)


def findings(dialect: str, payload: Any) -> list[Any]:
    """All findings of the judge, strictly."""
    return list(fronts.check(KINDS[dialect], payload if dialect in LISTS else messages(payload)))


def messages(payload: Any) -> Any:
    """The list of a payload, which may be bare."""
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", *LISTS.values()) if key in payload)


def said(payload: Any, dialect: str) -> list[Any]:
    """Every text, call and result, in order; system text as one text."""
    found: list[Any] = []
    conversation = tw.Conversation.parse(payload, dialect)
    instructions = [conversation.system] if conversation.system else []
    for turn in conversation.turns:
        if turn.role in ("system", "developer"):
            instructions += [part.text for part in turn.parts if isinstance(part, tw.parts.Text)]
            continue
        for part in turn.parts:
            match part:
                case tw.parts.Text():
                    found.append(part.text)
                case tw.parts.AssistantToolUse():
                    found.append((part.id, part.name, part.args))
                case tw.ToolUseResult():
                    found.append((part.tool_use_id, part.status))
    return ["\n".join(instructions), *found]


@pytest.mark.parametrize(("dialect", "path"), samples())
def test_samples_replay_through_both_functions(dialect: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    payload = json.loads(text)
    assert messages(tw.convert(payload, dialect, source=dialect).payload) == payload
    assert messages(json.loads(tw.convert_json(text, dialect, source=dialect).payload)) == payload
    built = tw.spec.MessageBuilder().set_messages(payload, dialect).build(target=dialect)
    # An assistant without content is left out, whatever the format.
    if not findings(dialect, payload) and not path.stem.endswith("empty"):
        assert not built.receipt.changed
        assert messages(built.render(dialect).payload) == payload


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("dialect", "path"), samples())
def test_samples_go_to_providers_and_come_back(dialect: str, path: Path, provider: str) -> None:
    payload = json.loads(path.read_text(encoding="utf-8"))
    try:
        there = tw.convert(payload, provider, source=dialect)
    except tw.RenderError as error:
        # Nothing but an empty list of calls.
        assert error.code == "refused" and path.stem.endswith("empty")
        return
    back = tw.convert(there.payload, dialect, source=provider)
    assert findings(dialect, back.payload) == []
    # What is moved, joined or left out is reported.
    if not {"joined", "moved_media", "system", "order", "arguments", "empty_turn"} & {
        loss.code for loss in there.receipt
    }:
        assert said(back.payload, dialect) == said(payload, dialect)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("dialect", [pytest.param(one, marks=OWNERS[one]) for one in KINDS])
def test_what_providers_sent_is_taken(dialect: str, provider: str) -> None:
    """Random conversations that the provider accepts become payloads that the dialect's owners accept."""
    for seed in range(tries(60)):
        body = conversation.drawn(provider, seed)
        try:
            ready = tw.prepare(body, dialect, source=provider)
        except tw.BuildError:
            continue
        assert findings(dialect, ready.payload) == [], seed


# UIMessages, whose owners refuse unknown keys, have a test of their own.
@pytest.mark.parametrize("dialect", ["ai-sdk", "ag-ui", "otel"])
def test_what_was_broken_is_taken_again(dialect: str) -> None:
    """Random conversations with messages mixed, left out and doubled: the owners accept the built list."""
    mended = 0
    for seed in range(400):
        dice = random.Random(seed)
        payload = conversation.drawn(dialect, seed)
        elements = messages(payload)
        if '"odd"' in json.dumps(payload):
            # What is unknown stays, and its owners refuse it.
            continue
        match seed % 4:
            case 0:
                dice.shuffle(elements)
            case 1:
                del elements[dice.randrange(len(elements))]
            case 2:
                elements.insert(dice.randrange(len(elements) + 1), dice.choice(elements))
            case 3:
                del elements[dice.randrange(len(elements)) :]
        try:
            ready = tw.prepare(payload, dialect, source=dialect)
        except tw.BuildError:
            continue
        mended += 1
        # Unknown keys stay, and so does a doubled call that the provider ran.
        ran = re.findall(r'"toolCallId": "(\w+)"[^}]*}, "providerExecuted"', json.dumps(payload))
        mine = [one for one in findings(dialect, ready.payload) if ".x_" not in one[1]]
        assert [one for one in mine if not any(repr(name) in one[2] for name in ran)] == [], seed
    assert mended > 150


def long_run(dialect: str, dice: random.Random) -> list[dict[str, Any]]:
    """Steps with parallel calls, and with what may come between their results: activities or approvals."""
    messages: list[dict[str, Any]] = [{"id": "q", "role": "user", "content": "q" * dice.randint(1, 200)}]
    for step in range(dice.randint(1, 12)):
        ids = [f"c{step}_{at}" for at in range(dice.randint(1, 3))]
        args = {id: {"q": "a" * dice.randint(0, 300)} for id in ids}
        results = {id: "r" * dice.randint(1, 900) for id in ids}
        if dialect == "ag-ui":
            calls: list[Any] = [
                {"id": id, "type": "function", "function": {"name": "f", "arguments": json.dumps(args[id])}}
                for id in ids
            ]
            messages.append({"id": f"a{step}", "role": "assistant", "toolCalls": calls})
            rest = [{"id": f"t{id}", "role": "tool", "toolCallId": id, "content": results[id]} for id in ids]
            for at in range(dice.randint(0, 2)):
                plan = {"id": f"x{step}{at}", "role": "activity", "activityType": "PLAN", "content": {"n": at}}
                rest.insert(dice.randint(0, len(rest)), plan)
            messages += rest
        else:
            asked = [id for id in ids if dice.random() < 0.4]
            calls = [{"type": "tool-call", "toolCallId": id, "toolName": "f", "input": args[id]} for id in ids]
            calls += [{"type": "tool-approval-request", "approvalId": f"p{id}", "toolCallId": id} for id in asked]
            messages.append({"role": "assistant", "content": calls})
            said = [{"type": "tool-approval-response", "approvalId": f"p{id}", "approved": True} for id in asked]
            given: list[Any] = [
                {
                    "type": "tool-result",
                    "toolCallId": id,
                    "toolName": "f",
                    "output": {"type": "text", "value": results[id]},
                }
                for id in ids
            ]
            messages += [{"role": "tool", "content": content} for content in (said, given) if content]
        if dice.random() < 0.4:
            messages.append({"id": f"u{step}", "role": "user", "content": "k" * dice.randint(1, 200)})
    if dialect == "ai-sdk":
        for message in messages:
            message.pop("id", None)
    return messages


@pytest.mark.parametrize("dialect", ["ag-ui", "ai-sdk"])
@pytest.mark.parametrize("target", ["ag-ui", "ai-sdk", "openai"])
def test_a_budget_drops_calls_with_their_results(dialect: Any, target: Any) -> None:
    """Results stay with their calls, whatever comes between them."""
    for seed in range(tries(60)):
        messages = long_run(dialect, random.Random(seed))
        for budget in (300, 1500, 4000):
            try:
                ready = tw.prepare(messages, target, budget, source=dialect)
            except tw.BuildError as error:
                assert error.code == "budget_too_small"
                continue
            found = tw.check(ready.payload, target, source=target)
            assert [one for one in found if one.severity == "error"] == [], (seed, budget)
            assert not {change.code for change in ready.receipt} & {"orphan_result", "missing_result"}, (seed, budget)
            assert tw.prepare(ready.payload, target, budget, source=target).payload == ready.payload


@pytest.mark.parametrize("fault", FAULTS)
def test_a_trace_that_was_broken_is_taken_again(fault: str) -> None:
    """The owners accept the built list, which has each call and its result, and is not changed again."""
    mended = 0
    for seed in range(40):
        dice = random.Random(f"{fault} {seed}")
        payload = conversation.drawn("otel", seed)
        if '"odd"' in json.dumps(payload):
            continue
        FAULTS[fault](messages(payload), dice)
        try:
            ready = tw.prepare(payload, "otel", source="otel")
        except tw.BuildError:
            continue
        mended += 1
        made: Any = messages(ready.payload)
        assert [one for one in findings("otel", ready.payload) if ".x_" not in one[1]] == [], seed
        ids = {kind: [parts[at].get("id") for parts, at in spots(made, kind)] for kind in (CALL, RESULT)}
        # Where one has no id, the order pairs them: OpenTelemetry needs no ids.
        assert len(ids[CALL]) == len(ids[RESULT]), seed
        named = {kind: [one for one in found if one] for kind, found in ids.items()}
        assert all(len(set(found)) == len(found) for found in named.values()), seed
        if len(named[CALL]) == len(ids[CALL]):
            assert set(named[RESULT]) <= set(named[CALL]), seed
        if len(named[CALL]) == len(named[RESULT]) == len(ids[CALL]):
            assert sorted(named[CALL]) == sorted(named[RESULT]), seed
        again = tw.prepare(ready.payload, "otel", source="otel")
        assert messages(again.payload) == made, seed
    assert mended > 10


REFUSE_EMPTY = ["anthropic", "bedrock", "gemini"]


@pytest.mark.parametrize("silent", [[], [{"type": "text", "text": ""}], [{"type": "step-start"}]])
def test_no_provider_that_refuses_empty_text_gets_any(silent: Any) -> None:
    """The SDK refuses a message without parts, takes an empty text, and leaves it out when it asks a model."""
    role = "assistant" if silent and silent[0]["type"] == "step-start" else "user"
    messages = [
        {"id": "a", "role": "user", "parts": [{"type": "text", "text": "q"}]},
        {"id": "b", "role": role, "parts": silent},
        {"id": "c", "role": "user", "parts": [{"type": "text", "text": "r"}]},
    ]
    ready = tw.prepare(messages, "ai-sdk-ui").payload
    assert all(message["parts"] for message in ready)
    chat = tw.convert(messages, "openai", source="ai-sdk-ui").payload
    written = tw.convert(chat, "ai-sdk-ui", source="openai").payload
    assert all(message["parts"] for message in written)
    for target in REFUSE_EMPTY:
        for made in (
            tw.prepare(messages, target).payload,
            tw.prepare(chat, target, source="openai").payload,
            *(tw.convert(form, target, source="ai-sdk-ui").payload for form in (messages, ready, written)),
        ):
            assert set(re.findall(r'"(?:text|content)": "(.*?)"', json.dumps(made))) == {"q", "r"}, target
