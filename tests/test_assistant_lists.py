"""The assistant's messages of Responses that are a list without an id or a status."""

import pytest
import turnwire as tw
from judges import wire

GO = {"role": "user", "content": "go"}
TARGET = "openai-responses"


def text(words, **more):
    return {"type": "output_text", "text": words, **more}


def message(*content, **more):
    return {"type": "message", "role": "assistant", "content": list(content), **more}


def prepared(*items, **options):
    ready = tw.prepare([*items, GO], TARGET, source=TARGET, **options)
    items = ready.payload["input"]
    assert not wire.refused(TARGET, {"model": "m", "input": items})
    return items[:-1], ready.receipt


@pytest.mark.parametrize("notes", [{}, {"annotations": []}])
@pytest.mark.parametrize("more", [{}, {"status": "completed"}, {"id": "msg_1"}])
def test_a_list_without_id_or_status_is_written_as_text(notes, more):
    given = message(text("Hi!", **notes), **more)
    got, receipt = prepared(GO, given)
    assert got == [GO, {"role": "assistant", "content": "Hi!"}]
    assert not receipt.only("lost")
    found = tw.check([GO, given, GO], TARGET, source=TARGET)
    assert {one.severity for one in found} == {"warning"}


def test_each_text_is_an_item_and_keeps_the_phase():
    got, _ = prepared(GO, message(text("a"), text("b"), phase="commentary"))
    assert got == [GO, *({"role": "assistant", "content": word, "phase": "commentary"} for word in "ab")]


def test_notes_are_lost_only_if_there_are_some():
    note = {"type": "url_citation", "start_index": 0, "end_index": 1, "url": "https://e.org", "title": "t"}
    got, receipt = prepared(GO, message(text("a", annotations=[note])))
    assert got == [GO, {"role": "assistant", "content": "a"}]
    assert [(one.code, str(one.path)) for one in receipt.only("lost")] == [("key", "$[1].content[0].annotations")]


def test_what_has_both_is_replayed():
    whole = message(text("a", annotations=[]), id="msg_1", status="completed")
    assert prepared(GO, whole)[0] == [GO, whole]
    plain = {"role": "assistant", "content": "a"}
    got, receipt = prepared(GO, plain)
    assert got == [GO, plain] and not receipt.changed


def test_the_id_stays_if_reasoning_asks_for_it():
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"}
    after = message(text("a", annotations=[]), id="msg_1", status="completed")
    bare = {key: value for key, value in after.items() if key != "status"}
    got = tw.prepare([GO, thought, bare, GO], TARGET, source=TARGET).payload["input"]
    assert got[1]["id"] == "rs_1" and got[2]["id"] == "msg_1"


def test_a_budget_and_a_ledger_write_it_alike():
    given = [GO, message(text("Hi!")), GO]
    ledger = tw.Ledger(TARGET)
    got = ledger.prepare(given).payload["input"]
    assert got == [GO, {"role": "assistant", "content": "Hi!"}, GO]
    assert prepared(*given[:-1], budget=10_000)[0] == got[:-1]


def test_a_refusal_keeps_its_list():
    got, _ = prepared(GO, message({"type": "refusal", "refusal": "no"}, id="msg_1", status="completed"))
    assert got[1]["content"] == [{"type": "refusal", "refusal": "no"}]


TYPED = "openai-responses:compatible"


@pytest.mark.parametrize("more", [{"id": "msg_1", "status": "completed"}, {"id": "msg_1"}, {"status": "completed"}, {}])
@pytest.mark.parametrize("texts", [["A"], ["A", "B"], ["A", "B", "C"]])
def test_a_server_that_reads_the_first_text_gets_each_in_a_message(texts, more):
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    given = [GO, {"type": "message", "role": "assistant", "content": content, **more}, GO]
    made = tw.prepare(given, TYPED, source="openai-responses")
    messages = made.payload["input"][1:-1]
    said = [one["content"] if isinstance(one["content"], str) else one["content"][0]["text"] for one in messages]
    assert said == texts
    for one in messages:
        assert isinstance(one["content"], str) or (one["id"], one["status"]) == ("msg_1", "completed")
    assert not wire.refused(TARGET, made.payload)
    assert not tw.check(made.payload, TYPED)
    assert tw.prepare(made.payload, TYPED, source=TYPED).payload == made.payload
