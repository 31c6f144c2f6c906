"""A run of requests continues where it ended: nothing stale is sent, all that verifies is, and sent bytes stay."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import growing_runs as runs
import pytest
import stand_ins
import turnwire as tw
from bound_reasoning import THINKING, Provider, listed, mark

Json = dict[str, Any]
MODEL = "claude-opus-5-5"


def conversation(dialect: str, steps: int) -> list[list[dict[str, Any]]]:
    """The caller's list, request by request, in OpenAI's format: an interruption, a late result, a second question."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    lists = []
    for step in range(steps):
        lists.append(list(messages))
        call = {
            "id": f"call_{step:05}",
            "type": "function",
            "function": {"name": "read", "arguments": f'{{"n": {step}}}'},
        }
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        if step == 3:
            messages.append({"role": "user", "content": "Stop. Go on."})
            continue
        messages.append({"role": "tool", "tool_call_id": f"call_{step:05}", "content": f"result {step}"})
        if step == 6:
            messages.append({"role": "tool", "tool_call_id": "call_00003", "content": "the late one"})
        if step == 8:
            lists.append(list(messages))
            messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Once more."}]
    return lists


def elements(payload: Any) -> list[Any]:
    if isinstance(payload, list):
        return payload
    return next(
        payload[key]
        for key in ("messages", "input", "contents", "conversations", "gen_ai.input.messages")
        if key in payload
    )


# A UIMessage grows until the user speaks: test_ledger_growing.py checks what was sent of it.
@pytest.mark.parametrize(
    "target", [name for name in tw.dialects() if name not in ("sharegpt", "structured", "history", "ai-sdk-ui")]
)
def test_sent_messages_stay_unchanged_in_every_format(target: str) -> None:
    ledger = tw.Ledger(target, on_system_change="freeze", on_tools_change="freeze")
    sent: list[Any] = []
    seen = []
    for messages in conversation(target, 14):
        ready = ledger.prepare(messages, system="Be exact.", tools=TOOLS)
        now = elements(json.loads(json.dumps(ready.payload)))
        stands = now[: len(sent)] == sent
        # A stand-in for a signature is removed once the user speaks again.
        assert stands or target in stand_ins.FORMATS, (target, len(messages))
        assert stand_ins.without(now)[: len(sent)] == stand_ins.without(sent)
        assert (ready.receipt.break_at is None) == stands
        found = tw.check(ready.payload, target, source=target, tool_results=target.startswith("llama"))
        assert not [one for one in found if one.severity == "error"]
        sent = now
        seen += [entry.code for entry in ready.receipt if entry.kind != "warning"]
    text = json.dumps(sent)
    assert "Late result of read" in text and "the late one" in text
    assert "late_result" in seen and bool(ledger.breaks) == (target in stand_ins.FORMATS)


@pytest.mark.parametrize(
    "target",
    [
        "openai:local",
        "openai:minimax",
        "openai:plain",
        "openai:perplexity",
        "openai:qwen+system=one",
        "mistral",
        "llama",
    ],
)
def test_new_system_text_is_a_break_where_it_has_to_be_in_front(target: Any) -> None:
    ledger = tw.Ledger(target)
    messages = [{"role": "user", "content": "q1"}]
    ledger.prepare(messages, system="A.")
    messages += [{"role": "assistant", "content": "a1"}, {"role": "user", "content": "q2"}]
    ready = ledger.prepare(messages, system="A.\nB.")
    assert ready.payload == tw.prepare(messages, target, system="A.\nB.").payload
    assert (ready.receipt.break_at, [entry.code for entry in ready.receipt]) == ("$.system", [])
    messages += [{"role": "assistant", "content": "a2"}, {"role": "user", "content": "q3"}]
    assert ledger.prepare(messages, system="A.\nB.").receipt.break_at is None


TOOLS = [{"type": "function", "function": {"name": "read", "description": "Read.", "parameters": {"type": "object"}}}]
MORE = [
    *TOOLS,
    {"type": "function", "function": {"name": "grep", "description": "Search.", "parameters": {"type": "object"}}},
]


@pytest.mark.parametrize(
    ("target", "breaks"),
    [("anthropic", 0), ("openai-responses", 0), ("openai", 1), ("bedrock", 1), ("gemini", 1), ("mistral", 1)],
)
def test_another_head_is_said_at_the_end_where_the_target_takes_that(target: str, breaks: int) -> None:
    ledger = tw.Ledger(target)
    ledger.prepare([{"role": "user", "content": "go"}], system="one\ntwo", tools=TOOLS)
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "on"},
    ]
    ready = ledger.prepare(messages, system="one\nthree", tools=MORE)
    text = json.dumps(ready.payload)
    assert "three" in text and "grep" in text
    assert len(ledger.breaks) == breaks
    assert ("two" in text) == (target in ("anthropic", "openai-responses", "openai"))


def test_a_request_after_a_state_is_the_same_each_time() -> None:
    lists = conversation("anthropic", 8)
    ledger = tw.Ledger("anthropic")
    ledger.prepare(lists[0])
    state = ledger.state()
    second = ledger.prepare(lists[1])
    assert second == tw.Ledger.load(state).prepare(lists[1]) == tw.Ledger.load(state).prepare(lists[1])
    assert second.stable == len(second.messages) - 1
    assert tw.prepare(lists[0], "anthropic").stable is None


def test_a_ledger_pickles_and_loads_with_its_budget() -> None:
    import pickle

    ledger = tw.Ledger("anthropic", tw.Budget(50_000, reserve=0.7), on_full="error")
    for messages in conversation("anthropic", 6):
        ledger.prepare(messages)
    again = pickle.loads(pickle.dumps(ledger))
    assert again.state() == ledger.state() and repr(again) == repr(ledger)
    loaded = tw.Ledger.load(ledger.state())
    assert json.loads(loaded.state())["settings"] == {
        "target": "anthropic",
        "max_bytes": 50_000,
        "max_tokens": None,
        "per_result": None,
        "reserve": 0.7,
        "on_full": "error",
        "on_system_change": "append",
        "on_tools_change": "append",
    }


def test_the_budget_is_full() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    strict = tw.Ledger("anthropic", 3000, on_full="error")
    soft = tw.Ledger("anthropic", 3000, on_full="send")
    cut = tw.Ledger("anthropic", 3000)
    full = False
    for step in range(12):
        assert "x" * 400 in str(soft.prepare(messages).payload) or step == 0
        ready = cut.prepare(messages)
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= 3000
        try:
            strict.prepare(messages)
        except tw.BuildError as error:
            assert error.code == "ledger_full"
            full = True
        call = {"type": "tool_use", "id": f"toolu_{step}", "name": "read", "input": {"n": step}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{step}", "content": "x" * 400}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert full and len(cut.breaks) >= 1 and soft.breaks == ()
    assert len(soft.prepare(messages).payload["messages"]) == len(messages)
    # A budget that shrinks below what is frozen causes one more cut; one that fits nothing is an error.
    ready = tw.Ledger.load(cut.state(), budget=tw.Budget(2000)).prepare(messages)
    assert ready.receipt.break_at is not None
    with pytest.raises(tw.BuildError) as raised:
        tw.Ledger.load(cut.state(), budget=tw.Budget(3)).prepare(messages)
    assert raised.value.code == "budget_too_small"
    assert "got 3:" in str(raised.value)


def test_a_provider_that_summarises_by_itself_is_not_asked() -> None:
    for target in ("openai", "bedrock", "gemini"):
        ledger = tw.Ledger(target)
        with pytest.raises(tw.RenderError, match="summarises on demand") as caught:
            ledger.compaction([{"role": "user", "content": "go"}])
        assert caught.value.code == "refused" and ledger.state() == tw.Ledger(target).state()


def test_tokens_are_counted() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    ledger = tw.Ledger("openai", budget=tw.Budget(max_tokens=400, count=lambda text: len(text.split())))
    for step in range(30):
        ready = ledger.prepare(messages)
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= 400
        messages += [{"role": "assistant", "content": "word " * 20}, {"role": "user", "content": f"and {step}"}]
        if step == 15:
            ledger = tw.Ledger.load(ledger.state(), budget=ledger.budget)
    assert 1 <= len(ledger.breaks) <= 6


def test_bad_states_are_refused() -> None:
    ledger = tw.Ledger("anthropic")
    ledger.prepare([{"role": "user", "content": "go"}])
    state = ledger.state()
    bad = [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"null",
        state[: len(state) // 2],
        state.replace(b'"turnwire_ledger":1', b'"turnwire_ledger":2'),
    ]
    bad += [state.replace(b'"sums":"', b'"sums":"!'), state.replace(b'"records":""', b'"records":"AAAA"')]
    for one in bad:
        with pytest.raises(tw.TurnwireError) as raised:
            tw.Ledger.load(one)
        assert raised.value.code == "bad_state", one
    elsewhere = json.loads(state)
    elsewhere["settings"]["target"] = "openai"
    with pytest.raises(tw.TurnwireError, match="one for anthropic"):
        tw.Ledger.load(json.dumps(elsewhere).encode()).prepare(["go"])
    of_a_request = {**json.loads(state), "settings": None}
    with pytest.raises(tw.TurnwireError, match=r"that of a single request, which 0\.1 wrote"):
        tw.Ledger.load(json.dumps(of_a_request).encode())
    for value in (1, "state", {}, [], bytearray(state), None):
        with pytest.raises(TypeError, match="state: expected bytes"):
            tw.Ledger.load(value)  # type: ignore[arg-type]
    for name, value, error in (
        ("budget", "x", TypeError), ("on_full", "no", tw.TurnwireError), ("on_full", 1, TypeError),
        ("on_system_change", "no", tw.TurnwireError), ("on_tools_change", None, TypeError), ("nonsense", 1, TypeError),
        ("end", "calls", tw.TurnwireError), ("end", "row", tw.TurnwireError), ("keep", 0.5, TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            tw.Ledger("openai", **{name: value})
    with pytest.raises(tw.UnknownDialectError):
        tw.Ledger("opemai")  # type: ignore[arg-type]


def test_lists_that_no_request_has_seen() -> None:
    lists = conversation("anthropic", 12)
    ledger = tw.Ledger("anthropic")
    for messages in lists:
        ledger.prepare(messages)
    state = ledger.state()
    other = [{"role": "user", "content": "another conversation"}, {"role": "assistant", "content": "yes"}]
    shuffled = [*lists[-1][:1], *reversed(lists[-1][1:])]
    for messages in (
        lists[3],
        other * 4 + lists[-1],
        [*other, lists[0][0]],
        lists[-1][4:],
        shuffled,
        lists[-1] * 2,
        lists[0],
    ):
        ledger = tw.Ledger.load(state, wording={"opening": "Go on."})
        ready = ledger.prepare(messages)
        assert not [
            found for found in tw.check(ready.payload, "anthropic", source="anthropic") if found.severity == "error"
        ]
        again = ledger.prepare([*messages, {"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}])
        assert again.payload["messages"][: len(ready.payload["messages"])] == ready.payload["messages"]
    edited = [*lists[-1]]
    edited[0] = {"role": "user", "content": "edited"}
    ready = tw.Ledger.load(state).prepare(edited)
    assert ready.receipt.break_at == "$[0]" and any(
        "the list differs from what was sent before" in one
        for one in (told.reason for told in ready.receipt.only("warning"))
    )
    with pytest.raises(tw.BuildError):
        tw.Ledger.load(state).prepare([])


def test_a_state_of_this_version_is_read() -> None:
    kept = Path(__file__).parent / "stored/0.1/ledger_state.json"
    messages = json.loads((Path(__file__).parent / "stored/0.1/ledger_messages.json").read_bytes())
    ledger = tw.Ledger.load(kept.read_bytes(), model="claude-opus-5-5")
    ready = ledger.prepare(messages, system="Be exact.\nIt is noon.", tools=MORE)
    assert ready.receipt.break_at is None
    assert ready.receipt.reasoning == {"kept": 3, "dropped": 0}


@pytest.mark.parametrize(
    ("plants", "budget"), [(name, budget) for name in ("plain", "all") for budget in (None, 100_000)]
)
def test_the_simulator_refuses_nothing(plants: str, budget: int | None) -> None:
    class Ours:
        def __init__(self) -> None:
            self.ledger = tw.Ledger("anthropic", budget, model=runs.MODEL)

        def body(self, messages: list[Any], system: str, tools: list[Any]) -> Any:
            return self.ledger.prepare(messages, system=system, tools=tools).payload

    seen = runs.run(Ours(), runs.PLANTS[plants])
    assert (seen["refused"], seen["stale"], seen["bad"]) == (0, 0, 0)
    assert seen["valid"] == "100 %" if budget is None else seen["breaks"] <= 7


def test_an_agent_of_300_steps_is_refused_nothing_and_costs_about_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a budget of 100 kB, beside `prepare` alone that keeps its reasoning, most of which is refused.

    Beside a `prepare` that leaves out stale reasoning, it costs 0.60 times as much and keeps 8 times as much.
    """

    class Ours:
        def __init__(self) -> None:
            self.ledger = tw.Ledger("anthropic", 100_000, model=runs.MODEL)

        def body(self, messages: list[Any], system: str, tools: list[Any]) -> Any:
            return self.ledger.prepare(messages, system=system, tools=tools).payload

    monkeypatch.setattr(runs, "STEPS", 299)
    ours, alone = (
        runs.run(Ours(), runs.PLANTS["plain"]),
        runs.run(runs.Today(100_000, reasoning="keep"), runs.PLANTS["plain"]),
    )
    print(ours, alone, sep="\n")
    assert ours["requests"] == alone["requests"] == 300
    assert (ours["refused"], ours["stale"], ours["bad"]) == (0, 0, 0) and alone["refused"] > 0
    assert ours["sent"] >= 1.5 * (alone["sent"] - alone["stale"])
    assert float(ours["cost"]) <= 0.5 * float(alone["cost"])


def kept(body: Json) -> list[str]:
    blocks = (block for message in body["messages"] for block in listed(message["content"]))
    return [mark(block) for block in blocks if block["type"] in THINKING]


def test_what_was_forgotten_is_left_out() -> None:
    """Records of 1,024 blocks that are not in the list stay. A conversation with more has lost the oldest."""
    count = 1100
    long: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for n in range(count):
        thought = {"type": "thinking", "thinking": "hm", "signature": f"s{n}"}
        long += [
            {"role": "assistant", "content": [thought, {"type": "text", "text": "ok"}]},
            {"role": "user", "content": "on"},
        ]
    ledger = tw.Ledger("anthropic", model=MODEL)
    assert ledger.prepare(long).receipt.reasoning == {"kept": count, "dropped": 0}
    ledger.prepare([{"role": "user", "content": "Another one."}])
    ready = ledger.prepare(long)
    assert ready.receipt.reasoning == {"kept": 1024, "dropped": count - 1024}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["stale_reasoning"] * (count - 1024)
    # After the blocks that are left out, the run of the others has no gap.
    assert kept(ready.payload) == [f"s{n}" for n in range(count - 1024, count)]


def test_threads_with_conversations_of_their_own() -> None:
    """Requests are sent one by one, so that none is forgotten before its reply comes."""
    ledger, provider, failed = tw.Ledger("anthropic", model=MODEL), Provider(), list[str]()

    def talk(number: int) -> None:
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"go {number}"}]
        for step in range(15):
            body: dict[str, Any] = ledger.prepare(messages, system="Be exact.").payload
            if provider.stale(body, MODEL) or len(kept(body)) != step:
                failed.append(f"{number}, {step}: {len(kept(body))}")
            reply = provider.reply(
                body, [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}], MODEL
            )
            messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": f"on {number} {step}"}]

    threads = [Thread(target=talk, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_the_decisions_of_another_conversation_do_not_fail_this_one() -> None:
    """A cut of so many messages cannot be repeated where another list has an assistant's turn at its end."""
    ledger = tw.Ledger("anthropic", 2_000, model=MODEL)
    full: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    while not ledger.breaks:
        ledger.prepare(full)
        full += [{"role": "assistant", "content": "x" * 300}, {"role": "user", "content": "on"}]
    other: list[dict[str, Any]] = [{"role": "user", "content": "another"}, {"role": "user", "content": "one"}]
    while len(other) < len(full) + 2:
        other += [{"role": "assistant", "content": "y"}, {"role": "user", "content": "on"}]
    assert ledger.prepare(other).payload["messages"][-1] == {"role": "user", "content": "on"}
