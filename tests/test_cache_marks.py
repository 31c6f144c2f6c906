"""`cache="auto"`: few marks, in legal places, where the provider's cache finds the entries of earlier requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import turnwire as tw
from judges import cache
from prompt_cache import EPHEMERAL, FEWEST, MOST, Cache, Json, Run, bare, last_alone, may_be_marked, requests, rows
from random_runs import seeds


def legal(body: Json, where: object) -> int:
    """The number of marks in a request; all of them must be where the provider accepts them."""
    marks = 0
    for row, role in rows(body):
        if "cache_control" in row:
            marks += 1
            assert row["cache_control"] == EPHEMERAL and may_be_marked(row, role), (where, row)
    assert json.dumps(body).count('"cache_control"') == marks <= MOST, where
    return marks


@pytest.mark.parametrize("seed", seeds())
def test_marks_are_legal_and_the_cache_finds_them(seed: int) -> None:
    caches: dict[str, Cache] = {}
    for number, (ready, without, model) in enumerate(requests(seed)):
        where, body = (seed, number), ready.payload
        marks = legal(body, where)
        added = [loss for loss in ready.receipt if loss.code == "cache_mark"]
        assert len(added) == marks and {loss.kind for loss in added} <= {"added"}
        # Nothing else differs, and a request that continues another is not an edit.
        assert bare(body) == bare(without.payload), where
        assert not tw.diff(without, ready).edit and not tw.diff(ready, without).edit
        auto, alone = (caches.setdefault(name, Cache(FEWEST.get(model, 0))) for name in ("auto", "alone"))
        assert auto.send(body) >= alone.send(last_alone(body)), where
    auto = caches["auto"]
    assert auto.read >= 0.8 * auto.best, (seed, auto.read / auto.best)


def test_all_runs_read_nearly_what_can_be_read() -> None:
    read = best = last = total = 0
    for seed in seeds(1 / 2):
        ours, alone = Cache(), Cache()
        for ready, _, _ in requests(seed):
            ours.send(ready.payload)
            alone.send(last_alone(ready.payload))
        read, best, last, total = read + ours.read, best + ours.best, last + alone.read, total + ours.total
    shares = f"auto {read / total:.1%}, last alone {last / total:.1%}, best {best / total:.1%}"
    said = f"{seeds(1 / 2)}: {shares}"
    print(said)
    assert read >= 0.95 * best and read > last, said


def test_the_judge_of_caches_agrees() -> None:
    for seed in seeds()[:10]:
        auto, alone = cache.Cache(), cache.Cache()
        for ready, _, _ in requests(seed):
            body = ready.payload
            if legal(body, seed) == 0:
                continue  # too short for its model: without marks, the simulator would add its own
            assert auto.send(body)["read"] >= alone.send(last_alone(body))["read"], seed


def points(body: Json) -> Iterator[tuple[list[Json], int]]:
    """The marks of a Bedrock request: the list that each is in, and its index."""
    lists = [
        body.get("system", []),
        body.get("toolConfig", {}).get("tools", []),
        *(one["content"] for one in body["messages"]),
    ]
    for blocks in lists:
        yield from ((blocks, at) for at, block in enumerate(blocks) if "cachePoint" in block)


@pytest.mark.parametrize("seed", seeds(1 / 4))
def test_bedrock_gets_blocks(seed: int) -> None:
    marked, written = (tw.Ledger("bedrock", 60_000, cache="auto", blobs="base64") for _ in range(2))
    run = Run(seed)
    for number in range(16):
        system, tools = run.head()
        ready = marked.prepare(run.messages, system=system, tools=tools)
        body, where = ready.payload, (seed, number)
        found = [*points(body)]
        assert 0 < len(found) <= MOST and json.dumps(body).count("cachePoint") == len(found), where
        assert len([loss for loss in ready.receipt if loss.code == "cache_mark"]) == len(found)
        for blocks, at in found:
            assert at > 0 and blocks[at] == {"cachePoint": {"type": "default"}}, where
            assert {*blocks[at - 1]} & {"text", "image", "document", "toolUse", "toolResult", "toolSpec"}, where
            # Nothing may be between the results of a turn.
            assert "toolResult" not in (blocks[at + 1] if at + 1 < len(blocks) else {}), where
        assert json.loads(written.prepare_json(run.messages, system=system, tools=tools).payload) == body
        assert not [one for one in tw.check(body, "bedrock", source="bedrock") if one.severity == "error"]
        run.step()


USER = {"role": "user", "content": "How is the weather in Oslo?"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "Rain"}]}
TOOLS = [{"name": "weather", "description": "The weather.", "input_schema": {"type": "object"}}]


def marks(payload: Any) -> list[str]:
    """The paths of all marks in a body."""
    found: list[str] = []

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            found.extend([path] if "cache_control" in value else [])
            for key, one in value.items():
                walk(one, f"{path}.{key}")
        elif isinstance(value, list):
            for at, one in enumerate(value):
                walk(one, f"{path}[{at}]")

    walk(payload, "$")
    return sorted(found)


def test_the_places_of_a_request() -> None:
    ready = tw.prepare([USER, CALL, RESULT], "anthropic", system="Be brief.", tools=TOOLS, cache="auto")
    assert marks(ready.payload) == [
        "$.messages[0].content[0]",  # the end of the request before
        "$.messages[2].content[0]",  # the end of this one
        "$.system[0]",
        "$.tools[0]",
    ]
    assert [(loss.kind, loss.code, str(loss.path)) for loss in ready.receipt] == [
        ("added", "cache_mark", path) for path in ("$.system", "$.tools", "$[0]", "$[2]")
    ]
    # Without system text, the fourth mark serves a request that was retried or got another reply.
    longer = [USER, CALL, RESULT, {"role": "assistant", "content": "It rains."}, {"role": "user", "content": "Thanks."}]
    assert marks(tw.prepare(longer, "anthropic", cache="auto").payload) == [
        "$.messages[0].content[0]",
        "$.messages[2].content[0]",
        "$.messages[4].content[0]",
    ]


def test_it_is_pure_and_changes_nothing_of_the_callers() -> None:
    given = [USER, CALL, RESULT]
    before = json.dumps(given)
    first, second = (tw.prepare(given, "anthropic", cache="auto") for _ in range(2))
    assert first == second and json.dumps(given) == before
    assert first.payload["messages"][0]["content"][0]["text"] is USER["content"]
    assert tw.Conversation.parse(given).render("anthropic", cache="auto").payload == first.payload
    # Marks of an earlier request are the caller's own, and stay.
    again = tw.prepare(first.payload, "anthropic", cache="auto")
    assert again.payload == first.payload and not again.receipt.only("added")


def test_json_keeps_every_other_byte() -> None:
    said = '{"messages": [ {"content" : [{"text":"h\\u00e9","n":1.0, "type":"text" } ] ,"role":"user"} ]}'
    written = tw.Conversation.parse(said, "anthropic").render_json("anthropic", cache="auto").payload.decode()
    mark = ',"cache_control":{"type":"ephemeral"}'
    assert written.count(mark) == 1
    assert (
        written.replace(mark, "") == tw.Conversation.parse(said, "anthropic").render_json("anthropic").payload.decode()
    )


def many(count: int) -> list[Json]:
    return [{"type": "text", "text": f"Line {at}."} for at in range(count)]


@pytest.mark.parametrize("own", range(6))
def test_the_callers_marks_stay_and_count(own: int) -> None:
    blocks = many(30)
    for at in range(own):
        blocks[3 * at + 1]["cache_control"] = EPHEMERAL
    messages = [{"role": "user", "content": blocks}, CALL, RESULT]
    ready = tw.prepare(messages, "anthropic", system="Be brief.", tools=TOOLS, cache="auto")
    kept = [f"$.messages[0].content[{3 * at + 1}]" for at in range(own)][-MOST:]
    assert {*kept} <= {*marks(ready.payload)} and len(marks(ready.payload)) == MOST
    if own == 3:
        assert "$.messages[2].content[0]" in marks(ready.payload)  # the end is the most useful


def test_no_mark_before_one_that_lives_longer() -> None:
    held = {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    ready = tw.prepare(
        [{"role": "user", "content": [held]}, CALL, RESULT], "anthropic", system="Be brief.", cache="auto"
    )
    assert marks(ready.payload) == ["$.messages[0].content[0]", "$.messages[2].content[0]"]


def test_a_mark_of_the_whole_request_counts() -> None:
    body = {"cache_control": EPHEMERAL, "system": "Be brief.", "messages": [USER, CALL, RESULT], "tools": TOOLS}
    ready = tw.prepare(body, "anthropic", settings="keep", cache="auto")
    assert marks(ready.payload) == ["$", "$.messages[0].content[0]", "$.system[0]", "$.tools[0]"]


def test_never_on_thinking_or_on_nothing() -> None:
    thought = {"type": "thinking", "thinking": "Rain?", "signature": "c2ln"}
    messages = [USER, {"role": "assistant", "content": [{"type": "text", "text": "It"}, thought]}]
    assert marks(tw.Conversation.parse(messages, "anthropic").render("anthropic", cache="auto").payload) == [
        "$.messages[0].content[0]",
        "$.messages[1].content[0]",
    ]
    blank = [{"role": "user", "content": [{"type": "text", "text": "Go."}, {"type": "text", "text": " "}]}]
    assert marks(tw.Conversation.parse(blank, "anthropic").render("anthropic", cache="auto").payload) == [
        "$.messages[0].content[0]"
    ]
    empty = tw.Conversation.parse({"messages": [{"role": "user", "content": ""}]}, "anthropic")
    assert empty.render("anthropic", cache="auto").payload == empty.render("anthropic").payload
    # A null mark is kept, and a deferred tool gets none.
    nulled = [{"role": "user", "content": [{"type": "text", "text": "Go.", "cache_control": None}]}]
    assert not tw.Conversation.parse(nulled, "anthropic").render("anthropic", cache="auto").receipt
    tools = [*TOOLS, {**TOOLS[0], "name": "later", "defer_loading": True}]
    assert "$.tools[0]" in marks(tw.prepare([USER], "anthropic", tools=tools, cache="auto").payload)


def test_a_prompt_that_is_too_short_for_its_model_gets_none() -> None:
    for model, size, count in (
        ("claude-haiku-4-5", 3_000, 0),
        ("claude-haiku-4-5", 5_000, 1),
        ("claude-opus-5", 600, 1),
        (None, 9, 1),
    ):
        ready = tw.prepare([{"role": "user", "content": "x" * size}], "anthropic", model=model, cache="auto")
        assert len(marks(ready.payload)) == count, (model, size)
    image = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    seen = tw.prepare([{"role": "user", "content": [image]}], "anthropic", model="claude-haiku-4-5", cache="auto")
    assert len(marks(seen.payload)) == 1


@pytest.mark.parametrize(
    "target", [name for name in tw.dialects() if name not in ("anthropic", "anthropic:2023-06-01", "bedrock")]
)
def test_other_targets_get_none(target: Any) -> None:
    def outcome(cache: Any) -> object:
        try:
            return tw.prepare([USER, CALL, RESULT], target, tools=TOOLS, cache=cache)
        except tw.TurnwireError as error:
            return str(error)

    assert outcome("auto") == outcome(None)


def test_models_of_other_makers_get_none() -> None:
    for target, model in (("bedrock", "amazon.nova-pro-v1:0"), ("anthropic", "deepseek-chat")):
        assert not tw.prepare([USER], target, model=model, cache="auto").receipt  # type: ignore[call-overload]


def test_what_cannot_be() -> None:
    makers: list[Any] = [
        lambda cache: tw.prepare([USER], "anthropic", cache=cache),
        lambda cache: tw.prepare_json([USER], "openai", cache=cache),
        lambda cache: tw.Ledger("anthropic", cache=cache),
        lambda cache: tw.Conversation.parse([USER]).render("anthropic", cache=cache),
        lambda cache: tw.MessageHistory([USER]).render("anthropic", cache=cache),
    ]
    for make in makers:
        with pytest.raises(tw.TurnwireError, match='cache is "on"') as error:
            make("on")
        assert error.value.code == "unknown_option"
        for wrong in (3, True, ["auto"]):
            with pytest.raises(TypeError, match="cache"):
                make(wrong)
        make(None)
