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
