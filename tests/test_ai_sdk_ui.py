"""UIMessages of the AI SDK, where one part holds a call and its result: repairs, budgets, steps and mixed lists."""

import copy
import functools
import json
import os
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import turnwire as tw
from world import conversation

Json = dict[str, Any]
UI: Any = "ai-sdk-ui"
OPEN = ("input-streaming", "input-available", "approval-requested", "approval-responded")
DONE = {"output-available": "output", "output-error": "errorText", "output-denied": "approval"}


def text(words: Any) -> Json:
    return {"type": "text", "text": words}


def tool(call_id: str, output: Any = None, **more: Any) -> Json:
    held = {"state": "output-available", "input": {"q": 1}, "output": output} | more
    return {"type": "tool-f", "toolCallId": call_id} | {key: value for key, value in held.items() if value is not None}


def said(role: str, *parts: Json, id: str = "", **more: Any) -> Json:
    return {"id": id or f"{role}-{len(parts)}", "role": role, "parts": list(parts), **more}


STEP = {"type": "step-start"}


def tools(payload: Any) -> Iterator[Json]:
    """The parts of calls that the client runs."""
    for message in payload:
        for part in message["parts"]:
            kind = part.get("type")
            ours = isinstance(kind, str) and (kind == "dynamic-tool" or kind.startswith("tool-"))
            if ours and part.get("providerExecuted") is not True:
                yield part


def problems(payload: Any) -> list[str]:
    """What the SDK's schemas refuse, and calls without an answer."""
    found = []
    ids = [message["id"] for message in payload]
    if len(set(ids)) < len(ids) or not all(isinstance(one, str) and one for one in ids):
        found.append(f"ids of messages: {ids}")
    calls = [part["toolCallId"] for part in tools(payload)]
    if len(set(calls)) < len(calls) or "" in calls:
        found.append(f"ids of calls: {calls}")
    for message in payload:
        if message["role"] not in ("system", "user", "assistant"):
            found.append(f"role {message['role']}")
        if message["role"] != "assistant" and list(tools([message])):
            found.append(f"a call of the {message['role']}")
        for part in message["parts"]:
            if part["type"] in ("text", "reasoning") and not isinstance(part["text"], str):
                found.append("no text")
            if part["type"] == "file" and not (isinstance(part["url"], str) and isinstance(part["mediaType"], str)):
                found.append("no file")
            found += [f"null under {key}" for key, value in part.items() if value is None and key not in ANYTHING]
    for part in tools(payload):
        if part.get("state") not in DONE:
            found.append(f"state {part.get('state')!r}")
        elif part["state"] == "output-error" and not isinstance(part.get("errorText"), str):
            found.append("no error text")
    return found


ANYTHING = ("input", "rawInput", "output", "data", "metadata")


@functools.cache
def types() -> Any:
    """The types of a package that reads UIMessages; none except in `make adapters-newest`, which must have it."""
    try:
        import pydantic
        from pydantic_ai.ui.vercel_ai.request_types import UIMessage
    except ImportError:
        assert "TURNWIRE_ADAPTERS" not in os.environ
        return None
    return pydantic.TypeAdapter(list[UIMessage])


def as_typed(payload: Any) -> Any:
    """The payload without parts that no version, or only a newer version, of the SDK has."""
    odd = ("custom", "reasoning-file", "odd")
    return [{**message, "parts": [part for part in message["parts"] if part["type"] not in odd]} for message in payload]


# --- Broken histories ---


def history(dice: random.Random) -> list[Json]:
    """Random sound messages with nothing unknown in them."""
    return list(conversation.drawn(UI, dice.randrange(10**9)))


def some_tool(payload: list[Json], dice: random.Random) -> Json:
    found = list(tools(payload))
    return dice.choice(found) if found else {}


def message_of(payload: list[Json], part: Json) -> Json:
    return next((one for one in payload if any(part is other for other in one["parts"])), {"parts": []})


def put(key: str, *values: Any) -> Callable[[list[Json], random.Random], None]:
    def fault(payload: list[Json], dice: random.Random) -> None:
        part = some_tool(payload, dice)
        if part:
            part[key] = dice.choice(values)

    return fault


def drop(key: str) -> Callable[[list[Json], random.Random], None]:
    def fault(payload: list[Json], dice: random.Random) -> None:
        some_tool(payload, dice).pop(key, None)

    return fault


def doubled(payload: list[Json], dice: random.Random) -> None:
    payload.insert(dice.randrange(len(payload) + 1), copy.deepcopy(dice.choice(payload)))


def part_doubled(payload: list[Json], dice: random.Random) -> None:
    part = some_tool(payload, dice)
    if part:
        parts = dice.choice(payload)["parts"]
        parts.insert(dice.randrange(len(parts) + 1), copy.deepcopy(part))


def one_id(payload: list[Json], dice: random.Random) -> None:
    first, second = some_tool(payload, dice), some_tool(payload, dice)
    if first:
        second["toolCallId"] = first["toolCallId"]


def moved_to_user(payload: list[Json], dice: random.Random) -> None:
    part = some_tool(payload, dice)
    if part:
        parts = message_of(payload, part)["parts"]
        parts[:] = [one for one in parts if one is not part]
        dice.choice([one for one in payload if one["role"] == "user"])["parts"].append(part)


def no_id(payload: list[Json], dice: random.Random) -> None:
    dice.choice(payload).pop("id", None)


def same_id(payload: list[Json], dice: random.Random) -> None:
    dice.choice(payload)["id"] = payload[0].get("id")


def no_steps(payload: list[Json], dice: random.Random) -> None:
    for message in payload:
        message["parts"] = [part for part in message["parts"] if part != STEP]


def shuffled(payload: list[Json], dice: random.Random) -> None:
    dice.shuffle(payload)


def parts_shuffled(payload: list[Json], dice: random.Random) -> None:
    dice.shuffle(dice.choice(payload)["parts"])


def emptied(payload: list[Json], dice: random.Random) -> None:
    dice.choice(payload)["parts"] = []


def null(payload: list[Json], dice: random.Random) -> None:
    parts = [part for message in payload for part in message["parts"]]
    if parts:
        dice.choice(parts)[dice.choice(["providerMetadata", "title", "filename", "callProviderMetadata"])] = None


def wrong_type(payload: list[Json], dice: random.Random) -> None:
    part = some_tool(payload, dice)
    if part:
        part[dice.choice(["title", "preliminary", "approval", "callProviderMetadata"])] = dice.choice(
            [5, [], "x", None]
        )


def unknown_part(payload: list[Json], dice: random.Random) -> None:
    dice.choice(payload)["parts"].append({"type": "data-new", "data": 1})


FAULTS: list[Callable[[list[Json], random.Random], None]] = [
    put("state", "input-streaming"),
    put("state", "input-available"),
    put("state", "approval-requested"),
    put("state", "output-available"),
    put("state", "output-error"),
    put("state", "half-done", 5, None),
    put("output", {"late": 1}, "late", None),
    put("errorText", "late", None),
    put("input", None, "text", [], '{"half', {"n": 1}),
    drop("state"),
    drop("output"),
    drop("input"),
    drop("errorText"),
    doubled,
    part_doubled,
    one_id,
    moved_to_user,
    no_id,
    same_id,
    no_steps,
    shuffled,
    parts_shuffled,
    emptied,
    null,
    wrong_type,
    unknown_part,
]


def answers(payload: Any) -> set[str]:
    """The words of all results: those of the state, else those of the part."""
    words = set()
    for part in tools(payload):
        both = [part.get("errorText"), part.get("output")]
        own = part.get(DONE.get(str(part.get("state")), ""))
        held = own if own is not None else next((value for value in both if value is not None), None)
        words |= set(re.findall(r"w\d+z|late", json.dumps(held)))
    return words


def test_broken_messages_are_repaired() -> None:
    """Random messages broken in many ways: the built list is sound, keeps each result, and is not changed again."""
    mended = 0
    for seed in range(520):
        dice = random.Random(seed)
        payload = history(dice)
        for fault in [FAULTS[seed % len(FAULTS)], *dice.sample(FAULTS, dice.randrange(2))]:
            fault(payload, dice)
        before = copy.deepcopy(payload)
        try:
            ready = tw.prepare(payload, UI, source=UI)
        except tw.BuildError as error:
            assert error.code in ("unsendable", "empty_messages"), seed
            continue
        mended += 1
        made: Any = ready.payload
        assert payload == before
        assert problems(made) == [], seed
        if judge := types():
            judge.validate_python(as_typed(made))
        # A second answer to one call is left out and reported.
        if not {change.code for change in ready.receipt} & {"duplicate_result", "orphan_result"}:
            assert answers(before) <= answers(made), seed
        again = tw.prepare(made, UI, source=UI)
        assert (again.payload, list(again.receipt)) == (made, []), seed
        # Messages that the receipt does not name did not change.
        told = {int(found[1]) for change in ready.receipt if (found := re.match(r"\$\[(\d+)\]", change.path))}
        assert all(message in made for index, message in enumerate(before) if index not in told), seed
        through = tw.prepare_json(json.dumps(before, separators=(",", ":")), UI, source=UI)
        assert json.loads(through.payload) == made, seed
    assert mended > 400


def test_a_call_without_an_answer_gets_one() -> None:
    """A call whose arguments were still streamed keeps what it had, and does not wait for its tool."""
    half = tool("c1", state="input-streaming", input={"path": "a"})
    asked = tool("c2", state="input-available", input={})
    payload = [said("user", text("q")), said("assistant", STEP, half, asked, STEP, text("so"))]
    conversation = tw.Conversation.parse(payload, UI)
    assert conversation.render(UI).payload == payload
    waiting = tw.Conversation.parse([payload[0], said("assistant", half, asked, tool("c3", "x"))], UI)
    assert [call.id for call in waiting.pending_tool_uses] == ["c2"]
    made: Any = tw.prepare(payload, UI, source=UI).payload
    first, second = tools(made)
    assert (first["state"], first["rawInput"]) == ("output-error", '{"path":"a"')
    assert second["errorText"] == tw.constants.MISSING_RESULT
    assert [part["type"] for part in made[1]["parts"]] == ["step-start", "tool-f", "tool-f", "step-start", "text"]
    openai: Any = tw.prepare(payload, "openai", source=UI).payload
    assert [message["role"] for message in openai["messages"]] == ["user", "assistant", "tool", "tool", "assistant"]


def test_answers_of_another_format_join_their_calls() -> None:
    """A typed result, or a tool's message in another format, joins the part of its call."""
    open_call = said("assistant", STEP, tool("c1", state="input-available"), id="a")
    conversation = tw.Conversation.parse([said("user", text("q")), open_call], UI)
    result = tw.ToolUseResult("c1", [tw.parts.ToolUseResultBlock.Text("done")])
    answered = conversation.extended(tw.spec.UserMessage.new_tool_use_results([result]))
    made: Any = answered.render(UI).payload
    assert made[1]["id"] == "a" and len(made) == 2
    (part,) = tools(made)
    assert (part["state"], part["output"]) == ("output-available", "done")


# --- Budgets ---


def run(dice: random.Random) -> list[Json]:
    """A long run: messages of many steps, with parallel calls and what only the SDK knows between them."""
    payload = [said("user", text("q" * dice.randint(1, 200)), id="q")]
    for turn in range(dice.randint(1, 5)):
        parts: list[Json] = []
        for step in range(dice.randint(1, 6)):
            parts.append(STEP)
            parts += [text("t" * dice.randint(1, 80))] if dice.random() < 0.5 else []
            for at in range(dice.randint(0, 3)):
                output = dice.choice([{"k": "r" * dice.randint(1, 900)}, "s" * dice.randint(1, 900)])
                parts.append(tool(f"c{turn}_{step}_{at}", output, input={"q": "a" * dice.randint(0, 300)}))
            parts += [{"type": "data-note", "data": step}] if dice.random() < 0.2 else []
        payload.append(said("assistant", *parts, id=f"a{turn}", metadata={"turn": turn}))
        payload.append(said("user", text("k" * dice.randint(1, 200)), id=f"u{turn}"))
    return payload


@pytest.mark.parametrize("target", [UI, "openai", "anthropic", "ag-ui"])
def test_a_budget_drops_calls_with_their_results(target: Any) -> None:
    cut = 0
    for seed in range(60):
        payload = run(random.Random(seed))
        for budget in (300, 1500, 4000):
            try:
                ready = tw.prepare(payload, target, budget, source=UI)
            except tw.BuildError as error:
                assert error.code == "budget_too_small"
                continue
            cut += bool(ready.receipt)
            assert not {change.code for change in ready.receipt} & {"orphan_result", "missing_result"}, (seed, budget)
            assert tw.prepare(ready.payload, target, budget, source=target).payload == ready.payload
            if target != UI:
                continue
            made: Any = ready.payload
            assert problems(made) == [], (seed, budget)
            # Messages that were not named did not change; others keep their id and the client's own keys.
            told = {int(found[1]) for change in ready.receipt if (found := re.match(r"\$\[(\d+)\]", change.path))}
            assert all(message in made for index, message in enumerate(payload) if index not in told), (seed, budget)
            known = {message["id"]: message.get("metadata") for message in payload}
            assert all(known.get(message["id"], 0) == message.get("metadata") for message in made), (seed, budget)
    assert cut > 50


def test_marks_of_steps_say_nothing_that_counts() -> None:
    """So what just fits is left alone when it comes back."""
    call = {"type": "function", "function": {"name": "f", "arguments": '{"q":1}'}}
    talk: list[Json] = [{"role": "user", "content": "q"}]
    for id in ("c", "d"):
        talk += [
            {"role": "assistant", "content": None, "tool_calls": [{"id": id, **call}]},
            {"role": "tool", "tool_call_id": id, "content": "r" * 300},
        ]
    size = 1 + 2 * (7 + 300)
    ready = tw.prepare(talk, UI, size, source="openai")
    assert STEP in ready.payload[-1]["parts"]
    assert ready.receipt.totals is not None
    assert ready.receipt.totals["before"] == size
    again = tw.prepare(ready.payload, UI, size)
    assert not again.receipt.changed
    assert again.payload == ready.payload


def test_keys_beside_results_are_losses() -> None:
    """A user's message of results and lost content: its unknown keys are reported, too."""
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "r"}
    odd = {"type": "odd", "odd": 1}
    user = {"role": "user", "content": [result, odd], "x_mine": 1}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [call]}, user]
    losses = tw.convert({"messages": messages}, UI, source="anthropic").receipt
    assert "$.messages[2].x_mine" in [loss.path for loss in losses]


def test_detection_is_by_signs() -> None:
    texts = [said("user", text("q")), said("assistant", text("a"))]
    assert tw.detect(texts) == UI
    assert tw.detect([said("assistant", tool("c", "x"))]) == UI
    assert tw.detect([said("user")]) == UI
    assert tw.detect([{"role": "user", "parts": [{"text": "q"}]}]) == "gemini"
    assert tw.detect([{"id": "1", "role": "user", "parts": [{"text": "q"}]}]) == "gemini"
    assert tw.detect([{"role": "user", "parts": [{"type": "text", "content": "q"}]}]) == "otel"


def test_version_4_is_kept_at_home() -> None:
    """A call under its own key is content that only the SDK knows."""
    old = {
        "type": "tool-invocation",
        "toolInvocation": {"toolCallId": "c", "state": "call", "toolName": "f", "args": {}},
    }
    payload = [said("user", text("q")), said("assistant", old)]
    assert tw.convert(payload, UI, source=UI).payload == payload
    (loss,) = [one for one in tw.convert(payload, "openai", source=UI).receipt if one.code == "opaque"]
    assert loss.path == "$[1].parts[0]"


# --- The body that `useChat` sends ---


def test_the_body_that_the_sdk_sends_is_read() -> None:
    """It holds the messages beside the chat's id and what the user did. Those keys are the caller's, as in any body."""
    messages = [said("user", text("q"), id="u"), said("assistant", STEP, tool("c1", "done"), id="a")]
    body = {"id": "chat-1", "messages": messages, "trigger": "submit-message", "messageId": "a", "extra": [1.5]}
    assert tw.detect(body) == UI
    assert tw.convert(body, "openai").payload == tw.convert(messages, "openai", source=UI).payload
    for convert in (objects, through_json):
        assert convert(body, UI, UI) == {"messages": messages}
        for rest in ("keep", "convert"):
            kept = convert(body, UI, UI, settings=rest)
            assert (kept, list(kept)) == (body, list(body))
        made = convert(body, UI, "anthropic", settings="convert")
        assert {"messages", "max_tokens"} == set(made)
    # A bare list stays one, and what another format said becomes one.
    assert tw.convert(messages, UI, source=UI).payload == messages
    assert isinstance(tw.convert({"messages": [{"role": "user", "content": "q"}]}, UI, source="openai").payload, list)


def objects(payload: Any, source: Any, target: Any, **more: Any) -> Any:
    return tw.convert(payload, target, source=source, **more).payload


def through_json(payload: Any, source: Any, target: Any, **more: Any) -> Any:
    return json.loads(tw.convert_json(json.dumps(payload), target, source=source, **more).payload)


def test_the_body_that_the_sdk_sends_is_checked_and_repaired() -> None:
    messages = [said("user", text("q"), id="u"), said("assistant", tool("c1", state="input-available"), id="a")]
    body = {"id": "chat-1", "messages": messages, "trigger": "regenerate-message"}
    found = [(finding.code, finding.path) for finding in tw.check(body, UI, source=UI)]
    assert found == [("missing_result", "$.messages[1].parts[0]")]
    for rest in ("keep", "convert"):
        made: Any = tw.prepare(body, UI, settings=rest).payload
        assert list(made) == list(body)
        assert problems(made["messages"]) == []
        assert json.loads(tw.prepare_json(json.dumps(body), UI, settings=rest).payload) == made
    ledger = tw.Ledger(UI)
    first: Any = ledger.prepare(body).payload
    more = {**body, "messages": [*messages, said("user", text("and"), id="v")]}
    second: Any = ledger.prepare(more).payload
    assert second["messages"][:2] == first["messages"]
    assert ledger.breaks == ()


@pytest.mark.parametrize("bad", [{"id": "c"}, {"id": "c", "messages": "x"}, {"messages": {}}, {"messages": [3]}, {}])
def test_a_body_without_messages_is_refused(bad: Any) -> None:
    errors = []
    for convert in (objects, through_json):
        with pytest.raises(tw.ParseError) as error:
            convert(bad, UI, "openai")
        errors.append((error.value.code, error.value.path, str(error.value)))
    assert errors[0] == errors[1]


# --- Empty messages ---


def test_a_message_without_parts_gets_one() -> None:
    """The SDK refuses a list with such a message. `convert` in the format itself replays what came."""
    payload = [said("user", id="u"), said("assistant", text("a"), id="a"), said("system", id="s")]
    assert tw.convert(payload, UI, source=UI).payload == payload
    made: Any = tw.prepare(payload, UI, source=UI)
    assert [one["parts"] for one in made.payload] == [[text("")], [text("a")], [text("")]]
    assert [(change.code, change.path) for change in made.receipt] == [("reshaped", "$[0]"), ("reshaped", "$[2]")]
    # What says nothing but where a step begins is no message of another format.
    silent = [said("user", text("q")), said("assistant", text(""), STEP), said("user", text("r"))]
    roles = [one["role"] for one in tw.prepare(silent, "openai", source=UI).payload["messages"]]
    assert roles == ["user", "user"]


def test_a_message_of_which_all_parts_are_lost_has_an_empty_one() -> None:
    """The SDK refuses a message without parts, and its system text cannot have media."""
    seen = {"video": {"format": "mp4", "source": {"bytes": "aGk="}}}
    body = {"messages": [{"role": "system", "content": [seen]}, {"role": "user", "content": [{"text": "hi"}]}]}
    ready = tw.convert(body, "ai-sdk-ui", source="bedrock")
    assert ready.payload[0]["parts"] == [{"type": "text", "text": ""}]
    assert [loss.code for loss in ready.receipt if loss.code != "renamed_id"] == ["media"]
    again = tw.prepare(ready.payload, "ai-sdk-ui", source="ai-sdk-ui")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


def test_half_a_character_is_reported_in_arguments_that_are_not_complete() -> None:
    """They are kept as text, which can hold it only as an escape."""
    for given in ({"q": "a\ud83d"}, ["\udc4d"], {"\ud83d": [{"k": "x\ud83dy"}]}):
        part = tool("c1", state="input-streaming", input=given)
        payload = [said("user", text("q")), said("assistant", part, STEP, text("so")), said("user", text("r"), id="r")]
        assert tw.convert(payload, UI, source=UI).payload == payload
        for target in (UI, "openai", "anthropic"):
            made = tw.prepare(payload, target, source=UI)
            assert ("lone_surrogate", "$[1]") in [(change.code, change.path) for change in made.receipt], target
            written = json.dumps(made.payload)
            assert "ud83d" not in written and "udc4d" not in written
            # Anthropic's arguments are an object: no text that breaks off has a place there.
            assert ("ufffd" in written) == (target != "anthropic")
            through = tw.prepare_json(json.dumps(payload), target, source=UI)
            assert json.loads(through.payload) == made.payload
