"""Citations of a reply that is sent back: the key that only replies have goes."""

from typing import Any

import pytest
import turnwire as tw
from judges import wire

GO: Any = {"type": "text", "text": "go"}
NOTE: Any = {"type": "document", "title": "N", "source": {"type": "text", "media_type": "text/plain", "data": "note"}}


def asked(*blocks: Any) -> list[Any]:
    return [{"role": "user", "content": [*blocks]}]


@pytest.mark.parametrize("held", [None, "file_1"])
def test_a_key_of_replies_goes_from_citations(held: Any) -> None:
    place = {"document_index": 0, "start_char_index": 0, "end_char_index": 2, "document_title": "N"}
    cited = {"type": "char_location", "cited_text": "no", **place}
    said = {"type": "text", "text": "x", "citations": [{**cited, "file_id": held}]}
    given = {"messages": [*asked(NOTE, GO), {"role": "assistant", "content": [said]}, *asked(GO)]}
    ready = tw.prepare(given, "anthropic")
    made: Any = ready.payload
    assert made["messages"][1]["content"] == [{**said, "citations": [cited]}]
    assert [(change.code, change.path) for change in ready.receipt] == [("reply_keys", "$.messages[1].content[0]")]
    assert not tw.prepare(made, "anthropic").receipt
    assert tw.check(given, "anthropic")
    assert not wire.errors(wire.check("anthropic", {"model": "claude-opus-5", "max_tokens": 9, **made}))


def test_citations_on_text_of_the_user_go_where_the_target_refuses_them() -> None:
    place = {"document_index": 0, "start_char_index": 0, "end_char_index": 2, "document_title": "N"}
    cited = {"type": "char_location", "cited_text": "no", **place}
    mark = {"cache_control": {"type": "ephemeral"}}
    said = {"type": "text", "text": "x", "citations": [cited], **mark}
    bare = {"type": "text", "text": "x", **mark}
    given = {"messages": asked(NOTE, said)}
    for options in ({}, {"budget": 3000}):
        ready = tw.prepare(given, "anthropic", **options)
        made: Any = ready.payload
        assert made["messages"] == asked(NOTE, bare)
        assert [(one.code, str(one.path)) for one in ready.receipt] == [("reply_keys", "$.messages[0].content[1]")]
        assert not wire.errors(wire.check("anthropic", {"model": "claude-opus-5", "max_tokens": 9, **made}))
        assert not tw.prepare(made, "anthropic").receipt
    assert [one.code for one in tw.check(given, "anthropic")] == ["reply_keys"]
    assert tw.Ledger("anthropic").prepare(given["messages"]).payload["messages"] == asked(NOTE, bare)
    older: Any = "anthropic:2023-06-01"
    assert tw.prepare(given, older).payload == given
    assert not tw.check(given, older, source=older)
    empty = {"messages": asked(NOTE, {**bare, "citations": []})}
    assert tw.prepare(empty, "anthropic").payload == empty
