"""`summarise=` in adapters: it is called once a cut, and later requests that continue the list reuse its summary."""

import asyncio
import copy
import json
import random
import re

import pytest
import turnwire as tw
from turnwire.adapters._policy import Policy
from turnwire.adapters._summaries import _MOST, later

WORD = re.compile(r"word-\w+")


def conversation(rng, steps):
    """A conversation in which every element holds a unique word."""
    made = [{"role": "system", "content": "system-word."}, {"role": "user", "content": "word-task."}]
    for step in range(steps):
        if rng.random() < 0.5:
            made.append({"role": "assistant", "content": f"word-a{step}. " + "x" * rng.randrange(300)})
            made.append({"role": "user", "content": f"word-u{step}. " + "y" * rng.randrange(80)})
        else:
            call = {"id": f"c{step}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            made.append({"role": "assistant", "content": f"word-a{step}. ", "tool_calls": [call]})
            made.append({"role": "tool", "tool_call_id": f"c{step}", "content": "z" * rng.randrange(900)})
    return [*made, {"role": "user", "content": "go on"}]


def words(value):
    return {*WORD.findall(json.dumps(value))}


def send(policy, messages, dialect="openai"):
    return policy.prepared({"messages": messages}, "openai", dialect, dialect)


class Summariser:
    """Counts its calls, and keeps what it was given."""

    def __init__(self):
        self.heard = []

    def __call__(self, gone):
        self.heard.append(copy.deepcopy(gone))
        return f"gist-{len(self.heard)}"

    async def slowly(self, gone):
        said = self(gone)
        await asyncio.sleep(0)
        return said


def sender(policy, waits):
    if not waits:
        return lambda messages: send(policy, messages)
    return lambda messages: asyncio.run(later(lambda: send(policy, messages)))


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_a_run_of_requests(seed, waits):
    rng = random.Random(seed)
    whole, limit, asked = conversation(rng, 40), rng.choice([2_500, 4_000, 7_000]), Summariser()
    policy = Policy(tw.Budget(limit, summarise=asked.slowly if waits else asked), {})
    sent_by, earlier = sender(policy, waits), None
    for count in range(2, len(whole) + 1):
        if whole[count - 1]["role"] == "assistant":
            continue
        # The summary is still found where the system text changes at each step, or only a cache mark does.
        messages = [{"role": "system", "content": f"It is {count} o'clock."}, *copy.deepcopy(whole[1:count])]
        messages[1]["content"] = [{"type": "text", "text": "word-task.", "cache_control": {"type": "ephemeral"}}]
        before, had = copy.deepcopy(messages), len(asked.heard)
        ready = sent_by(messages)
        assert messages == before and len(asked.heard) - had <= 1
        for gone in asked.heard[had:]:
            assert (gone[0] == {"role": "user", "content": earlier}) == (earlier is not None)
            earlier = f"gist-{len(asked.heard)}"
        sent = json.dumps(ready.payload)
        assert sent.count("gist-") == (earlier is not None) and (earlier is None or earlier in sent)
        assert ready.receipt.totals["after"] <= limit
        assert words(messages) - words(ready.payload) - words(asked.heard) == set()
    assert asked.heard and len(asked.heard) < 25


def test_the_same_list_again_asks_nothing_and_is_the_same():
    asked, whole = Summariser(), conversation(random.Random(3), 40)
    policy = Policy(tw.Budget(2_500, summarise=asked), {})
    first, second = send(policy, whole), send(policy, copy.deepcopy(whole))
    assert len(asked.heard) == 1 and first.payload == second.payload
    # The same for another provider.
    assert "gist-1" in json.dumps(send(policy, whole, "anthropic").payload) and len(asked.heard) == 1


def test_another_conversation_and_an_edit_ask_again():
    asked, whole = Summariser(), conversation(random.Random(3), 40)
    policy = Policy(tw.Budget(2_500, summarise=asked), {})
    send(policy, whole)
    # Two results that differ only in their middle.
    long = "z" * 10_000
    for count, middle in enumerate("ab", 2):
        edited = [*whole[:3], {"role": "user", "content": long + middle + long}, *whole[3:]]
        send(policy, edited)
        assert len(asked.heard) == count and asked.heard[-1][0]["role"] != "system"
        assert "gist-" not in json.dumps(asked.heard[-1])


def test_of_many_conversations_at_once_each_has_its_own():
    rng, asked = random.Random(9), []

    def summarise(gone):
        asked.append(gone)
        return " ".join({word.partition("x")[0] for word in words(gone)})

    policy = Policy(tw.Budget(2_500, summarise=summarise), {})
    talks = [
        [{"role": "system", "content": "s"}, {"role": "user", "content": "TASK"}]
        + [{"role": "assistant" if n % 2 else "user", "content": f"word-t{at}x{n}. " + "x" * 200} for n in range(1, 60)]
        for at in range(20)
    ]
    for count in range(3, 61, 2):
        for at in rng.sample(range(20), 20):
            sent = words(send(policy, talks[at][: count + 1]).payload)
            assert {word.partition("x")[0] for word in sent} == {f"word-t{at}"}
    assert 20 <= len(asked) < 20 * 15


def test_what_is_kept_is_bounded():
    asked = Summariser()
    policy = Policy(tw.Budget(300, summarise=asked), {})
    for number in range(_MOST + 50):
        talk = [
            {"role": "user" if n % 2 == 0 else "assistant", "content": f"{number} {n} " + "x" * 60} for n in range(9)
        ]
        send(policy, talk)
    assert len(asked.heard) == _MOST + 50 and len(policy._summaries._kept) == _MOST


@pytest.mark.parametrize("waits", [False, True])
def test_where_it_raises_nothing_is_lost(waits, caplog):
    whole, failing = conversation(random.Random(1), 30), [True]

    def now(gone):
        if failing[0]:
            gone.clear()
            raise LookupError("no model")
        return "gist"

    async def slowly(gone):
        return now(gone)

    before = copy.deepcopy(whole)
    policy = Policy(tw.Budget(2_500, summarise=slowly if waits else now), {})
    with pytest.raises(LookupError, match="no model"):
        sender(policy, waits)(whole)
    failing[0] = False
    assert "gist" in json.dumps(sender(policy, waits)(whole).payload)
    failing[0] = True
    logged = Policy(tw.Budget(2_500, summarise=slowly if waits else now), {"on_error": "log"})
    # The list is sent as it was.
    assert sender(logged, waits)(whole) is None and whole == before
    assert "no model; what there was is sent as it is" in caplog.text


@pytest.mark.parametrize("waits", [False, True])
def test_a_summary_is_a_str(waits):
    async def slowly(gone):
        return 3

    policy = Policy(tw.Budget(2_500, summarise=slowly if waits else lambda gone: b"gist"), {})
    with pytest.raises(TypeError, match=r"returns a str, got (int|bytes)"):
        sender(policy, waits)(conversation(random.Random(1), 30))


def test_a_synchronous_call_awaits_nothing(recwarn):
    async def slowly(gone):
        return "gist"

    class Later:
        async def __call__(self, gone):
            return "gist"

    for function in (slowly, Later()):
        with pytest.raises(tw.TurnwireError, match="it is not awaited") as error:
            Policy(tw.Budget(2_500, summarise=function), {}, awaits=False)
        assert error.value.code == "unknown_option"
    # A function that returns an awaitable shows this only when it is called.
    for policy in (
        Policy(tw.Budget(2_500, summarise=slowly), {}),
        Policy(tw.Budget(2_500, summarise=lambda gone: slowly(gone)), {}, awaits=False),
    ):
        with pytest.raises(tw.TurnwireError, match="it is not awaited") as error:
            send(policy, conversation(random.Random(1), 30))
        assert error.value.code == "unknown_option"
    assert [str(one.message) for one in recwarn if "never awaited" in str(one.message)] == []


def test_what_it_does_not_go_with():
    for settings, more, code in (
        ({"summary": {"summary": "s", "indices": [0]}}, {}, "conflicting_options"),
        ({"ledger": True}, {"takes_ledger": True}, "conflicting_options"),
        ({}, {"no_summary": "no message goes"}, "unknown_option"),
    ):
        with pytest.raises(tw.TurnwireError, match="summar") as error:
            Policy(tw.Budget(summarise=len), settings, **more)
        assert error.value.code == code
    Policy(tw.Budget(summarise=None), {}, no_summary="no message goes")


def test_two_adapters_around_one_request_each_ask_once():
    one, two = Summariser(), Summariser()
    inner, outer = (
        Policy(tw.Budget(2_500, summarise=one.slowly), {}),
        Policy(tw.Budget(5_000, summarise=two.slowly), {}),
    )
    whole = conversation(random.Random(5), 60)
    ready = asyncio.run(later(lambda: send(inner, send(outer, whole).payload["messages"])))
    assert (len(one.heard), len(two.heard)) == (1, 1)
    assert ready.receipt.totals["after"] <= 2_500


def test_concurrent_requests_of_one_conversation():
    asked, whole = Summariser(), conversation(random.Random(5), 60)
    policy = Policy(tw.Budget(2_500, summarise=asked.slowly), {})

    async def run():
        return await asyncio.gather(*(later(lambda n=n: send(policy, whole[: len(whole) - n])) for n in (1, 5, 9, 1)))

    for ready in asyncio.run(run()):
        assert json.dumps(ready.payload).count("gist-") == 1
        assert ready.receipt.totals["after"] <= 2_500
