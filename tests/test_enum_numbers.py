"""Vertex's replies with numbers for enums, as clients print protocol buffers: read like words, whole and streamed."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
CALL = {"functionCall": {"name": "f", "args": {"a": 1}}}
NUMBERS = {
    1: "STOP",
    2: "MAX_TOKENS",
    3: "SAFETY",
    4: "RECITATION",
    5: "OTHER",
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
    10: "MALFORMED_FUNCTION_CALL",
    11: "IMAGE_SAFETY",
    12: "UNEXPECTED_TOOL_CALL",
    13: "TOO_MANY_TOOL_CALLS",
    14: "IMAGE_PROHIBITED_CONTENT",
    15: "IMAGE_OTHER",
    16: "NO_IMAGE",
    17: "IMAGE_RECITATION",
}
BLOCKS = dict(enumerate(("SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "JAILBREAK"), 1))


def body(reason: Any, key: str, *parts: Json) -> Json:
    said = list(parts) or [{"text": "Hi"}]
    return {"candidates": [{"content": {"role": "model", "parts": said}, key: reason, "index": 0}]}


def streamed(*chunks: Json) -> tw.Reply:
    assembler = tw.StreamAssembler("gemini")
    for chunk in chunks:
        assembler.feed(chunk)
    return assembler.finish()


def told(reply: tw.Reply) -> tuple[str, str | None]:
    return reply.finish, reply.stop_reason


@pytest.mark.parametrize("key", ["finishReason", "finish_reason"])
@pytest.mark.parametrize(("number", "word"), NUMBERS.items())
def test_a_number_is_its_word(number: int, word: str, key: str) -> None:
    for parts in ((), (CALL,)):
        wanted = tw.parse_reply(body(word, key, *parts), "gemini")
        assert told(tw.parse_reply(body(number, key, *parts), "gemini")) == (wanted.finish, word)
        assert told(streamed(body(number, key, *parts))) == (wanted.finish, word)
        for target in ("openai", "anthropic", "gemini"):
            both = [
                tw.replies.convert_reply(body(reason, key, *parts), target, source="gemini")
                for reason in (number, word)
            ]
            ends = [tw.parse_reply(made.payload, target) for made in both]
            assert ends[0].stop_reason == ends[1].stop_reason
            assert both[0].receipt == both[1].receipt


def test_zero_is_no_end_yet() -> None:
    """A client that prints every field prints it in each chunk."""
    reply = streamed(body(0, "finishReason", {"text": "He"}), body(2, "finishReason", {"text": "llo"}))
    assert (reply.finish, reply.stop_reason) == ("length", "MAX_TOKENS")
    assert [part.text for turn in reply.turns for part in turn.parts] == ["Hello"]
    late = streamed(body(2, "finishReason", {"text": "He"}), body(0, "finishReason", {"text": "llo"}))
    assert late.stop_reason == "MAX_TOKENS"
    assert tw.parse_reply(body(0, "finishReason"), "gemini").stop_reason is None


def test_a_number_that_is_not_known_is_another_end() -> None:
    for reply in (tw.parse_reply(body(42, "finishReason"), "gemini"), streamed(body(42, "finishReason"))):
        assert (reply.finish, reply.stop_reason) == ("other", "42")


@pytest.mark.parametrize(("number", "word"), BLOCKS.items())
def test_a_blocked_prompt_may_say_a_number(number: int, word: str) -> None:
    blocked = [{"promptFeedback": {"blockReason": number}}, {"prompt_feedback": {"block_reason": number}}]
    for chunk in (*blocked, *({"candidates": [], **one} for one in blocked)):
        for reply in (tw.parse_reply(chunk, "gemini"), streamed(chunk)):
            assert (reply.finish, reply.stop_reason) == ("filtered", word)
