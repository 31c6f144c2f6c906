"""A ledger whose caller goes back to an earlier list, and another way from there: what verifies again is sent again."""

from __future__ import annotations

from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import Provider
from test_ledger_swaps import MODEL, kept

Json = dict[str, Any]


def call(name: str) -> Json:
    return {"type": "tool_use", "id": name, "name": "read", "input": {}}


def result(name: str) -> Json:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": f"found {name}"}]}


class Talk:
    """One conversation with its provider."""

    def __init__(self, loads: bool) -> None:
        self.ledger, self.provider, self.loads = tw.Ledger("anthropic", model=MODEL), Provider(), loads
        self.messages: list[Json] = [{"role": "user", "content": "go"}]

    def request(self) -> Json:
        if self.loads:
            self.ledger = tw.Ledger.load(self.ledger.state(), model=MODEL)
        body: Json = self.ledger.prepare(self.messages).payload
        assert not self.provider.stale(body, MODEL)
        return body

    def reply(self, *more: Json) -> None:
        """Asks for a reply with a thought, a text and perhaps calls."""
        body = self.request()
        blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"r{self.provider.count}"}, *more]
        self.messages.append({"role": "assistant", "content": self.provider.reply(body, blocks, MODEL)})


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("summary", [False, True])
@pytest.mark.parametrize("how", ["forgets", "other", "alike"])
def test_what_a_late_result_made_stale_verifies_where_it_is_gone(how: str, summary: bool, loads: bool) -> None:
    """A new start puts the result of a call into its place, and makes later reasoning stale. Without it, it is not."""
    talk = Talk(loads)
    if summary:
        body = talk.request()
        talk.ledger.compaction(talk.messages)
        block = talk.provider.summary(body, MODEL)
        talk.reply()
        talk.messages += [{"role": "assistant", "content": [block]}, {"role": "user", "content": "on"}]
    talk.reply(call("one"), call("two"))
    talk.messages.append(result("one"))
    talk.reply()
    talk.messages.append({"role": "user", "content": "on"})
    talk.reply()
    length = len(talk.messages)
    every = 3 + summary
    talk.messages += [result("two"), {"role": "user", "content": "on"}]
    match how:
        case "forgets":
            talk.ledger.forget()
        case "other":
            talk.ledger.prepare([{"role": "user", "content": "another conversation"}])
        case "alike":
            yes: Json = {"role": "assistant", "content": "yes"}
            talk.ledger.prepare([talk.messages[0], yes, {"role": "user", "content": "another conversation"}])
    assert len(kept(talk.request())) == every - 2
    talk.reply()
    talk.messages.append({"role": "user", "content": "and on"})
    talk.request()
    talk.messages[length:] = [{"role": "user", "content": "rather this"}]
    assert len(kept(talk.request())) == every
