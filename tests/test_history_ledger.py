"""A history's ledger: the same bytes after a restart, and files that end in the middle or come from another version."""

from __future__ import annotations

import hashlib
import json
import logging
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from agent_runs import Run
from bound_reasoning import Provider
from hypothesis import given
from hypothesis import strategies as st
from turnwire.history import states

MODEL = "claude-opus-5-5"
EVENTS = frozenset({"parallel", "interrupted", "late", "split", "tools", "system", "queued"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


def ledger_of(history: tw.MessageHistory, budget: int | None = 20_000) -> Any:
    return history.ledger("anthropic", budget, model=MODEL)


def digest(payload: bytes) -> str:
    return hashlib.sha256(payload).hexdigest()


# What another process does for each line of its input: it opens the file, sends, and closes.
CHILD = """
import hashlib, json, sys
import turnwire as tw
for line in sys.stdin:
    given = json.loads(line)
    with tw.MessageHistory.open(given["path"]) as history:
        ledger = history.ledger("anthropic", given["budget"], model="claude-opus-5-5")
        ready = ledger.prepare_json(system=given["system"], tools=given["tools"])
    print(hashlib.sha256(ready.payload).hexdigest(), flush=True)
"""


def test_a_summary_is_asked_for_and_adopted_after_a_restart(path: Path) -> None:
    run, provider = Run(3, frozenset(), 4), Provider()
    with tw.MessageHistory.open(path) as history:
        history.add_raw_message(run.messages[0], "anthropic")
        ledger = ledger_of(history, None)
        for step in range(run.steps):
            body = ledger.prepare(system="Be exact.").payload
            run.goes_on(provider.reply(body, run.reply(step), MODEL), step)
            for message in run.messages[-2:]:
                history.add_raw_message(message, "anthropic")
        asked = ledger.compaction(system="Be exact.").payload
        assert asked.pop("compaction") == {"type": "summarize"} and asked == body
        history.add_raw_message({"role": "assistant", "content": [provider.summary(body, MODEL)]}, "anthropic")
    with tw.MessageHistory.open(path) as history:
        now = ledger_of(history, None).prepare(system="Be exact.").payload
    assert [message["role"] for message in now["messages"]] == ["assistant", "assistant", "user"]
    assert now["messages"][1:] == run.messages[-2:] and not provider.stale(now, MODEL)


@pytest.mark.parametrize("seed", range(4))
def test_a_program_that_is_started_again_sends_the_same_bytes(path: Path, seed: int) -> None:
    run, provider = Run(seed, EVENTS, 40), Provider()
    memory = tw.MessageHistory(run.messages, "anthropic")
    with tw.MessageHistory.open(path) as stored:
        stored.add_raw_message(run.messages[0], "anthropic")
    whole, taken, breaks = ledger_of(memory), 1, 0
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None and child.stdout is not None
        for step in range(run.steps):
            system, tools = run.head(step)
            ready = whole.prepare_json(system=system, tools=tools)
            asked = {"path": str(path), "budget": 20_000, "system": system, "tools": tools}
            child.stdin.write(json.dumps(asked) + "\n")
            child.stdin.flush()
            assert child.stdout.readline().strip() == digest(ready.payload), (seed, step)
            body = json.loads(ready.payload)
            assert not provider.stale(body, MODEL), (seed, step)
            breaks += ready.receipt.break_at is not None
            run.goes_on(provider.reply(body, run.reply(step), MODEL), step)
            with tw.MessageHistory.open(path) as stored:
                for message in run.messages[taken:]:
                    memory.add_raw_message(message, "anthropic")
                    stored.add_raw_message(message, "anthropic")
            taken = len(run.messages)
    lines = [line for line in path.read_bytes().splitlines() if line.startswith(b'{"ledger"')]
    assert len(lines) == run.steps
    # The head and the growing lists are in the first line and in those of changes: other lines hold only what is new.
    assert sum(map(len, lines)) < len(lines[0]) + run.steps * 700 + breaks * 8_000
    with tw.MessageHistory.open(path) as stored:
        assert stored == memory
        assert ledger_of(stored).state() == whole.state()
        assert ledger_of(stored).breaks == whole.breaks


def asked(history: tw.MessageHistory, steps: int = 3) -> list[bytes]:
    """Some requests, with their states."""
    ledger, made = ledger_of(history), []
    for step in range(steps):
        history.add_user_message(f"question {step}")
        ledger.prepare(system="Be exact.")
        made.append(ledger.state())
        history.add_raw_message({"role": "assistant", "content": [{"type": "text", "text": f"answer {step}"}]})
    return made


def test_each_request_writes_as_much_as_the_one_before() -> None:
    """A line holds what is new: a file of many requests with signed reasoning grows linearly with their number."""
    ledger, before, sizes = tw.Ledger("anthropic", model=MODEL), None, []
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
    for step in range(120):
        ledger.prepare_json(messages)
        after = ledger.state()
        sizes.append(len(states.line_of("anthropic", before, after)))
        before = after
        signature = hashlib.sha256(b"%d" % step).hexdigest()
        thought = {"type": "thinking", "thinking": f"step {step}", "signature": signature}
        messages += [
            {"role": "assistant", "content": [thought, {"type": "text", "text": f"answer {step}"}]},
            {"role": "user", "content": f"question {step}"},
        ]
    # The last ones are as long as the first ones, except for the digits of larger numbers.
    assert sum(sizes[-20:]) <= 1.2 * sum(sizes[2:22]), (sizes[2:22], sizes[-20:])
    # The order of keys in a state does not matter to its reader: it stays as it was written.
    again = tw.Ledger.load(after, model=MODEL)
    assert again.state() == after and again.prepare_json(messages).payload == ledger.prepare_json(messages).payload
    assert again.state() == ledger.state()


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_retry_writes_no_line(path: Path, steps: int) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history, steps - 1)
        history.add_user_message("Hello")
        first = ledger_of(history).prepare_json()
        size = path.stat().st_size
        for _ in range(3):
            assert ledger_of(history).prepare_json().payload == first.payload
            assert path.stat().st_size == size
    with tw.MessageHistory.open(path) as history:
        assert ledger_of(history).prepare_json().payload == first.payload
    assert path.stat().st_size == size


def test_a_last_line_that_was_cut_off_is_the_state_before_it(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with tw.MessageHistory.open(path) as history:
        made = asked(history)
    lines = path.read_bytes().splitlines(keepends=True)
    at = max(index for index, line in enumerate(lines) if line.startswith(b'{"ledger"'))
    before, last = b"".join(lines[:at]), lines[at]
    for size in range(1, len(last)):
        path.write_bytes(before + last[:size])
        with caplog.at_level(logging.WARNING, "turnwire"), tw.MessageHistory.open(path) as history:
            assert len(history) == 5
            assert ledger_of(history).state() == made[-2 if size < len(last) - 1 else -1]
        assert path.read_bytes() == before + (last if size == len(last) - 1 else b"")
    torn = Path(f"{path}.torn").read_bytes()
    assert torn.count(b"\n") == len(last) - 2


def test_a_state_of_a_later_version_is_an_error_of_its_ledger(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history)
    path.write_bytes(path.read_bytes().replace(b'"turnwire_ledger":1', b'"turnwire_ledger":99'))
    with tw.MessageHistory.open(path) as history:
        assert len(history) == 6
        history.ledger("openai").prepare()
        with pytest.raises(tw.TurnwireError) as caught:
            ledger_of(history)
        assert caught.value.code == "bad_state"


@pytest.mark.parametrize(
    "line",
    [
        b'{"ledger":"anthropic","changed":{"sums":[9999,"x"]}}',
        b'{"ledger":"anthropic","changed":{"sums":[-1,"x"]}}',
        b'{"ledger":"anthropic","changed":{"odd":[0,"x"]}}',
        b'{"ledger":"anthropic","changed":{"sums":"x"}}',
        b'{"ledger":"openai","changed":{}}',
        b'{"ledger":"anthropic"}',
        b'{"ledger":"anthropic","state":5}',
        b'{"ledger":5,"state":{}}',
        b'{"ledger":"anthropic","state":{5:1}}',
        b' {"ledger" : [] }',
        b'{"ledger":"anthropic","state":' + b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_an_error_with_its_number(path: Path, line: bytes) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history)
    given = path.read_bytes() + line + b"\n"
    path.write_bytes(given)
    with pytest.raises(tw.ParseError) as caught:
        tw.MessageHistory.open(path)
    assert caught.value.code == "bad_history" and f"line {len(given.splitlines())}: " in str(caught.value)
    assert path.read_bytes() == given


def test_an_earlier_reader_passes_the_lines_over(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        # Version 0.1 refuses a line with one of these keys that is not a message, and ignores any other.
        assert "ledger" not in line or {"dialect", "element", "clear", "role"}.isdisjoint(line)
    assert "dialect" in lines[0] and "ledger" in lines[1]


def test_two_ledgers_of_a_target_are_one_run_of_requests() -> None:
    history = tw.MessageHistory(["Hello"])
    one, other = ledger_of(history), ledger_of(history)
    one.prepare(system="Be exact.")
    history.add_raw_message({"role": "assistant", "content": [{"type": "text", "text": "Hi!"}]})
    history.add_user_message("more")
    ready = other.prepare(system="Be exact.\nBe quick.")
    assert ready.receipt.break_at is None and "Be quick." in str(ready.payload["messages"])
    assert one.state() == other.state() != history.ledger("openai").state()
    one.forget()
    assert other.prepare(system="Be quick.").payload["system"] == "Be quick."


def test_clear_starts_over(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history)
        ledger = ledger_of(history)
        history.clear()
        history.add_user_message("Hello")
        assert ledger.breaks == () and ledger.prepare(system="Other.").payload["system"] == "Other."
        state = ledger.state()
    with tw.MessageHistory.open(path) as history:
        assert ledger_of(history).state() == state


@pytest.mark.parametrize("way", ["copy", "pickle", "window", "summarise"])
def test_a_history_that_comes_of_another_sends_nothing_stale(way: str) -> None:
    run, provider = Run(5, frozenset({"parallel"}), 12), Provider()
    history = tw.MessageHistory(run.messages, "anthropic")
    ledger = ledger_of(history, None)
    for step in range(run.steps):
        body = json.loads(ledger.prepare_json(system="Be exact.").payload)
        run.goes_on(provider.reply(body, run.reply(step), MODEL), step)
        for message in run.messages[len(history) :]:
            history.add_raw_message(message, "anthropic")
    made = {
        "copy": lambda: tw.MessageHistory(history),
        "pickle": lambda: pickle.loads(pickle.dumps(history)),
        "window": lambda: history.window(turns=9),
        "summarise": lambda: history.summarise("They read files.", turns=8),
    }[way]()
    ready = ledger_of(made, None).prepare_json(system="Be exact.")
    body = json.loads(ready.payload)
    assert provider.stale(body, MODEL) == []
    assert (ready.receipt.break_at is None) == (way in ("copy", "pickle"))
    # The original list has stale blocks, where something was left out.
    assert bool(provider.stale({**made.prepare("anthropic").payload, "system": "Be exact."}, MODEL)) == (
        way in ("window", "summarise")
    )


def test_a_request_that_cannot_be_built_changes_nothing(path: Path) -> None:
    with tw.MessageHistory.open(path) as history:
        asked(history)
        history.add_user_message("more")
        size = path.stat().st_size
        with pytest.raises(tw.BuildError):
            history.ledger("anthropic", 5, on_full="error", model=MODEL).prepare(system="Be exact.")
        assert path.stat().st_size == size
        ready = ledger_of(history).prepare(system="Be exact.")
        assert ready.receipt.break_at is None


def test_a_request_that_cannot_be_written_is_not_remembered(path: Path) -> None:
    history = tw.MessageHistory.open(path)
    state = asked(history)[-1]
    ledger = ledger_of(history)
    history.add_user_message("more")
    history.close()
    with pytest.raises(tw.TurnwireError) as caught:
        ledger.prepare(system="Be exact.")
    assert caught.value.code == "history_closed" and ledger.state() == state


members = st.dictionaries(
    st.text(max_size=5), st.recursive(st.none() | st.text() | st.integers(), st.lists), max_size=5
)


@given(st.lists(members, min_size=1, max_size=6))
def test_states_come_back_as_they_were(given_states: list[dict[str, Any]]) -> None:
    known: dict[str, bytes] = {}
    before = None
    for members in given_states:
        state = json.dumps(members, separators=(",", ":")).encode()
        states.folded(states.line_of("anthropic", before, state), known)
        assert known == {"anthropic": state}
        before = state


def test_numbers_stay_as_they_are_spelled() -> None:
    known: dict[str, bytes] = {}
    one, two = b'{"head":{"n":1.10,"m":1E400},"messages":"a"}', b'{"head":{"n":1.10,"m":1E400},"messages":"ab"}'
    for before, after in ((None, one), (one, two)):
        states.folded(states.line_of("openai", before, after), known)
        assert known["openai"] == after


def test_what_a_user_says_beside_results_stays() -> None:
    """A list of another format, in which one message holds both."""
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": "found"}
    history = tw.MessageHistory(
        [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "read", "input": {}}]},
            {"role": "user", "content": [result, {"type": "text", "text": "two"}]},
        ]
    )
    ledger = history.ledger("openai-responses")
    ledger.prepare()
    ledger.compaction()
    summary: Any = {"type": "compaction", "id": "cmp_1", "encrypted_content": "e" * 40}
    history.add_raw_message(summary, "openai-responses")
    history.add_user_message("three")
    payload = ledger.prepare().payload["input"]
    assert [item.get("content") for item in payload] == ["one", "two", None, "three"] and payload[2] == summary
