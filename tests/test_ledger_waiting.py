"""Requests that wait for a reply while the conversation goes on: none takes the reply to another."""

from __future__ import annotations

import pytest
import turnwire as tw
from bound_reasoning import Provider
from test_ledger_retries import MODEL, kept, provider_reply, replied, user


@pytest.mark.parametrize("model", [MODEL, "claude-opus-5"])
def test_a_request_waits_whose_place_has_another_reply(model: str) -> None:
    """It was sent twice, and got one reply. A later reply in an edited list is not its second one."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    messages += [replied(ledger, messages, provider), user("on")]
    ledger.prepare(messages, system="Be exact.\nSpeak briefly.")
    messages += [replied(ledger, messages, provider), user("more")]
    ledger = tw.Ledger.load(ledger.state(), model=model)
    body = ledger.prepare(messages, system="Be exact.").payload
    messages += [provider_reply(provider, body, model), user("next")]
    messages[4] = user("edited")
    ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    # What binds nothing stays; what does comes back where the edit is taken back.
    assert kept(ledger, messages, provider) == 1 + (model != MODEL)
    messages[4] = user("more")
    assert kept(ledger, messages, provider) == 2


def test_a_note_of_a_request_without_a_reply_is_no_break() -> None:
    """An earlier request with the same list had its reply, and the note was not in it."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    replied(ledger, [*messages, replied(ledger, messages, provider), user("on")], provider)
    ledger.prepare(messages, system="Be exact.\nSpeak briefly.")
    ready = ledger.prepare([*messages, user("Stop. Rather this.")], system="Be exact.\nSpeak briefly.")
    assert ready.receipt.break_at is None
    assert [one["role"] for one in ready.payload["messages"]] == ["user", "user", "system"]
