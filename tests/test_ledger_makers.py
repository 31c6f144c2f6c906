"""Several makers answer one list in turn: each ledger keeps its own reasoning, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import bound_items
import pytest
import turnwire as tw
from bound_reasoning import Provider
from mixed_makers import Run
from random_runs import seeds
from test_ledger_late_summaries import sent, user
from test_ledger_summaries import answer, tool
from test_ledger_swaps import MODEL, kept, thinks

Json = dict[str, Any]


@pytest.mark.parametrize("seed", seeds())
def test_random_makers(seed: int) -> None:
    """Two cases are ambiguous, where reasoning may be left out. A request was sent again with another head before its
    reply came. Or a reply first comes with an edited list, and an earlier request of its maker was aborted or left by a
    branch: it may answer either.
    """
    print("seed", seed)
    Run(seed).go()


@pytest.mark.parametrize("loads", [False, True])
def test_the_summary_of_another_maker_is_not_the_one_that_is_awaited(loads: bool) -> None:
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages: list[Json] = [user("go")]
    for step in range(2):
        messages += [thinks(provider, ledger.prepare(messages).payload), user(f"on {step}")]
    body: Json = ledger.prepare(messages).payload
    ledger.compaction(messages)
    summary = {"role": "assistant", "content": [provider.summary(body, MODEL)]}
    messages += [thinks(provider, body), user("next")]
    others: Json = {"type": "compaction", "id": "cmp_1", "encrypted_content": "What GPT was told."}
    assert sent(ledger, provider, [*messages, others, user("and on")], loads) == [*messages, user("and on")]
    messages += [others, user("and on"), summary, user("end")]
    # What its own summary covers is left out.
    assert sent(ledger, provider, messages, loads) == [summary, *messages[5:7], *messages[8:9], *messages[10:]]


@pytest.mark.parametrize("loads", [False, True])
def test_a_made_up_id_is_another_one_behind_a_late_result(loads: bool) -> None:
    """A result of Gemini, whose call is gone, is taken for one of two open calls: which one, a late result changes."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    calls: list[Json] = [{"type": "tool_use", "id": name, "name": "read", "input": {}} for name in ("one", "two")]
    messages: list[Json] = [user("go"), {"role": "assistant", "content": calls}, user("Stop.")]
    body: Json = ledger.prepare(messages).payload
    ledger.compaction(messages)
    results = [{"functionResponse": {"name": "read", "response": {"output": text}}} for text in ("here", "gone")]
    messages += [{"role": "assistant", "content": [provider.summary(body, MODEL)]}, user("next")]
    messages.append({"role": "model", "parts": [{"functionCall": {"name": "read", "args": {}}}]})
    messages.append({"role": "user", "parts": results})
    ledger.prepare(messages)
    messages.append(user("Rather this."))
    body = ledger.prepare(messages).payload
    late = {"type": "tool_result", "tool_use_id": "one", "content": "found it"}
    messages += [thinks(provider, body), {"role": "user", "content": [late]}]
    now = sent(ledger, provider, messages, loads)
    assert len(kept({"messages": now})) == 1 and "found it" in json.dumps(now[-1])


class Talk:
    """A conversation with GPT, in whose list Claude's summaries come, too."""

    def __init__(self, loads: bool) -> None:
        self.loads, self.provider = loads, bound_items.Provider("gpt-6.1")
        self.ledger = tw.Ledger("openai-responses", model="gpt-6.1")
        self.items: list[Json] = [user("go")]
        self.given: Json = {"system": "Be exact.", "tools": [tool("read")]}
        self.sent: list[Json] = []
        self.breaks = 0

    def request(self) -> Json:
        if self.loads:
            self.ledger = tw.Ledger.load(self.ledger.state(), model="gpt-6.1")
        ready = self.ledger.prepare({"input": self.items}, **self.given)
        body: Json = json.loads(json.dumps(ready.payload))
        assert not self.provider.read(body)[1]
        assert thoughts(body) == self.provider.best(body)
        assert ready.receipt.break_at or body["input"][: len(self.sent)] == self.sent
        self.sent = body["input"]
        self.breaks += ready.receipt.break_at is not None
        return body

    def goes_on(self, *, asks: bool = False, more: tuple[Json, ...] = ()) -> Json:
        """A request, its reply, and perhaps the summary that was asked for. The caller adds `more`, and speaks."""
        body, name, summary = self.request(), len(self.items), {}
        if asks:
            asked = self.ledger.compaction({"input": self.items}, **self.given).payload
            summary = self.provider.compact(json.loads(json.dumps(asked)))
        made = [{"type": "reasoning", "id": f"rs_{name}", "summary": []}, answer(f"msg_{name}", f"yes {name}")]
        self.items += [*self.provider.reply(body, made), *more, user(f"on {name}")]
        return summary


def thoughts(body: Json) -> list[str]:
    return [item["encrypted_content"] for item in body["input"] if item.get("type") == "reasoning"]


def of_claude(name: str) -> Json:
    return {"role": "assistant", "content": [{"type": "compaction", "content": f"Until {name}.", "signature": name}]}


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("news", [{"tools": [tool("read"), tool("list")]}, {"system": "Be exact.\nBe brief."}])
def test_another_makers_summary_replaces_all_before_a_note(news: Json, loads: bool) -> None:
    """The note comes first then, but is no system text of the beginning. Where it moves, this is a break."""
    talk = Talk(loads)
    talk.goes_on()
    own = talk.goes_on(asks=True)
    talk.items[-1:] = [own, of_claude("A"), user("on")]
    talk.given |= news
    own = talk.goes_on(asks=True, more=(of_claude("B"),))
    assert talk.sent[-1]["role"] == "developer"
    talk.goes_on(more=(own,))
    assert [one["role"] for one in talk.sent] == ["developer", "user", "user"]
    talk.request()


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("news", [{}, {"tools": [tool("read"), tool("list")]}])
def test_a_summary_comes_that_another_makers_summary_replaces(news: Json, loads: bool) -> None:
    """It covers messages before the other one, so it is not sent. What was thought in the meantime stays."""
    talk = Talk(loads)
    talk.goes_on()
    own = talk.goes_on(asks=True, more=(of_claude("A"),))
    talk.goes_on()
    talk.given |= news
    talk.goes_on(more=(own,))
    breaks = talk.breaks
    body = talk.request()
    assert talk.breaks == breaks and len(thoughts(body)) == 2
    # It is not awaited any more: the next one counts.
    own = talk.goes_on(asks=True)
    talk.items.insert(-1, own)
    assert own in talk.request()["input"]


def test_a_reply_without_reasoning_comes_with_an_edit() -> None:
    """Its request no longer waits for the next reply, which comes with an edit, too."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    ledger.prepare([user("go")])
    messages: list[Json] = [user("Edited."), {"role": "assistant", "content": "yes"}, user("on")]
    messages += [thinks(provider, ledger.prepare(messages).payload), user("next")]
    assert not kept(ledger.prepare([user("Edited again."), *messages[1:]]).payload)
    assert ledger.prepare(messages).payload["messages"] == messages


@pytest.mark.parametrize("loads", [False, True])
def test_a_reply_comes_with_an_edit_and_the_summary_of_an_answered_request(loads: bool) -> None:
    """The reply is not taken for one to the summarised request, whose own reply had no reasoning."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages: list[Json] = [user("go")]
    body: Json = ledger.prepare(messages).payload
    ledger.compaction(messages)
    summary = {"role": "assistant", "content": [provider.summary(body, MODEL)]}
    messages += [{"role": "assistant", "content": "yes"}, user("on")]
    messages += [thinks(provider, ledger.prepare(messages).payload), user("next"), summary, user("and on")]
    edited = [*messages[:2], user("Edited."), *messages[3:]]
    if loads:
        ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    assert not kept(ledger.prepare(edited).payload)
    # Without the edit, the reply verifies again.
    body = ledger.prepare(messages).payload
    assert len(kept(body)) == 1 and not provider.stale(body, MODEL)
