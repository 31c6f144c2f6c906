"""`summarise=`: called once at a cut, with what is removed; nothing is lost where it raises."""

import copy
import json
import pickle
import random

import pytest
import turnwire as tw
from random_runs import seeds

TARGETS = ["openai", "anthropic", "bedrock", "gemini", "openai-responses", "mistral"]


def conversation(rng, steps):
    """A conversation in which every element has a unique word."""
    made = [{"role": "system", "content": "system-word."}, {"role": "user", "content": "word-task."}]
    for step in range(steps):
        if rng.random() < 0.5:
            made.append({"role": "assistant", "content": f"word-a{step}. " + "x" * rng.randrange(300)})
            made.append({"role": "user", "content": f"word-u{step}. " + "y" * rng.randrange(80)})
        else:
            call = {"id": f"c{step}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            made.append({"role": "assistant", "content": f"word-a{step}. ", "tool_calls": [call]})
            made.append({"role": "tool", "tool_call_id": f"c{step}", "content": "z" * rng.randrange(900)})
    if made[-1]["role"] == "assistant":
        made.append({"role": "user", "content": "go on"})
    return made


def words(value):
    return {word for word in json.dumps(value).replace('"', " ").split() if word.startswith("word-")}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(12))
def test_a_run_of_requests(target, seed):
    rng = random.Random(f"{target} {seed}")
    whole, limit = conversation(rng, 40), rng.choice([2_500, 4_000, 7_000])
    calls, told, summary = [], set(), None
    for count in range(2, len(whole) + 1):
        if whole[count - 1]["role"] == "assistant":
            continue
        messages, before, asked = whole[:count], summary, len(calls)
        as_it_was = copy.deepcopy(messages)

        def summarise(gone, messages=messages, before=before):
            own = gone[before is not None :]
            assert [one for one in messages if any(one is other for other in own)] == own != []
            if before is not None:
                assert gone[0] == {"role": "system", "content": before["summary"]}
            calls.append(own)
            return f"gist-{len(calls)}"

        ready = tw.prepare(messages, target, tw.Budget(limit, summarise=summarise), source="openai", summary=summary)
        summary = ready.summary
        assert len(calls) - asked <= 1 and messages == as_it_was
        assert {found.code for found in tw.check(ready.payload, target, source=target)} <= {"tools_missing"}
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= limit
        sent = json.dumps(ready.payload)
        assert sent.count("gist-") == (1 if calls else 0) and (not calls or f"gist-{len(calls)}" in sent)
        told |= words(calls[asked:])
        # Each word is sent, or the function got it.
        assert words(messages) - words(ready.payload) - told == set()
    assert calls and len(calls) < 25


@pytest.mark.parametrize("form", [tw.prepare, tw.prepare_json])
def test_what_it_raises_comes_out_and_nothing_is_changed(form):
    whole = conversation(random.Random(1), 30)
    before = copy.deepcopy(whole)

    def fails(gone):
        gone.clear()
        raise LookupError("no model")

    with pytest.raises(LookupError, match="no model"):
        form(whole, "openai", tw.Budget(2_500, summarise=fails))
    assert whole == before


def test_it_is_not_called_where_all_fits():
    ready = tw.prepare(conversation(random.Random(2), 5), "openai", tw.Budget(100_000, summarise=lambda gone: 1 / 0))
    assert ready.summary is None


@pytest.mark.parametrize("answer", [None, 3, b"gist", ["gist"]])
def test_a_summary_is_a_str(answer):
    with pytest.raises(TypeError, match="returns a str"):
        tw.prepare(conversation(random.Random(1), 30), "openai", tw.Budget(2_500, summarise=lambda gone: answer))


def test_nothing_awaits_a_coroutine():
    async def summarise(gone):
        return "gist"

    with pytest.raises(TypeError, match="it is not awaited"):
        tw.prepare(conversation(random.Random(1), 30), "openai", tw.Budget(2_500, summarise=summarise))


def test_the_messages_of_a_body_and_of_a_conversation():
    whole, heard = conversation(random.Random(3), 30), []

    def summarise(gone):
        heard.append(gone)
        return "gist"

    tw.prepare({"messages": whole, "model": "m"}, "openai", tw.Budget(2_500, summarise=summarise))
    assert all(any(one is own for own in whole) for one in heard[0])
    ready = tw.prepare(tw.Conversation.parse(whole, "openai"), "openai", tw.Budget(2_500, summarise=summarise))
    assert [type(one) for one in heard[1]] == [tw.Turn] * len(heard[0])
    assert pickle.loads(pickle.dumps(ready)).summary == ready.summary
    tw.prepare_json(json.dumps(whole), "openai", tw.Budget(2_500, summarise=summarise))
    assert len(heard[2]) == len(heard[0])


def test_messages_that_a_summary_covers_by_index():
    messages = [{"role": "user", "content": text} for text in ("one", "two", "three")]
    ready = tw.prepare(messages, "openai", summary={"summary": "gist", "indices": [0, 1]})
    assert [one["content"] for one in ready.payload["messages"]] == [
        "[Previous conversation summary (2 messages compressed)]\n\ngist",
        "three",
    ]
    assert [(change.code, change.index) for change in ready.receipt.only("dropped")] == [
        ("compressed", 0),
        ("compressed", 1),
    ]
    assert ready.summary == {"summary": "gist", "indices": [0, 1]}
    with pytest.raises(tw.TurnwireError, match="indices below 3") as error:
        tw.prepare(messages, "openai", summary={"summary": "gist", "indices": [3]})
    assert error.value.code == "out_of_range"
    for index in (-1, 10**30):
        with pytest.raises(tw.TurnwireError, match="indices of a summary of 0 or more") as error:
            tw.prepare(messages, "openai", summary={"summary": "gist", "indices": [index]})
        assert error.value.code == "out_of_range"
    for index in ("a", True, None, 1.5):
        with pytest.raises(TypeError, match="summary: expected an int, the index of a message"):
            tw.prepare(messages, "openai", summary={"summary": "gist", "indices": [index]})


def test_no_ledger_takes_it():
    with pytest.raises(tw.TurnwireError, match="without summarise= in a ledger") as error:
        tw.Ledger("openai", tw.Budget(summarise=len))
    assert error.value.code == "conflicting_options"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", seeds(0.5))
def test_each_request_of_a_run_sends_a_summary_once(seed, target):
    """Whenever it comes, and whatever changes of the system text follow."""
    rng = random.Random(seed)
    messages = conversation(rng, rng.randrange(8, 14))
    summary = tw.prepare(messages, target, tw.Budget(2000, summarise=lambda _: "the gist")).summary
    options = {}
    for step in range(6):
        if rng.random() < 0.4:
            options["summary"] = summary
        if rng.random() < 0.3:
            options["system"] = f"It is day {step}."
        ready = tw.prepare(messages, target, rng.choice([None, 2000, 4000]), **options)
        assert json.dumps(ready.payload).count("the gist") == (1 if options.get("summary") else 0), step
        if rng.random() < 0.8:
            messages += [
                {"role": "assistant", "content": f"answer {step}"},
                {"role": "user", "content": f"and {step}?"},
            ]
