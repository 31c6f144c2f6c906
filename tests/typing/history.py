"""Types of histories: the call decides the payload's type, and async results are awaited."""

from typing import reveal_type

import turnwire as tw

history = tw.MessageHistory(["hello", {"role": "assistant", "content": "x"}])
reveal_type(history.messages)  # list[dict[str, Any]]
reveal_type(history.render("anthropic").payload)  # dict[str, Any]
reveal_type(history.render("history", strict=True).payload)  # list[Any]
reveal_type(history.prepare("anthropic", 300_000, system="Be brief.").payload)  # dict[str, Any]
reveal_type(history.prepare_json("history").payload)  # bytes
reveal_type(history.prepare("anthropic", max_tokens=9_000, count=len, after=None, tools=[]).payload)  # dict[str, Any]
reveal_type(history.window(turns=5, pinned=[0]))  # MessageHistory
reveal_type(history.window(max_bytes=5, pinned=lambda message: message["role"] == "user").receipt)  # Receipt
reveal_type(history.summarise("text", turns=5))  # MessageHistory
reveal_type(history.summarise(lambda old: f"{len(old)}", turns=5))  # MessageHistory


def either(target: tw.DialectName) -> None:
    """A name that is known only at run time."""
    reveal_type(history.render(target).payload)  # dict[str, Any] | list[Any]


async def sum_up(old: tw.MessageHistory) -> str:
    return "s"


async def later() -> None:
    """An async function makes it awaitable."""
    reveal_type(await history.summarise(sum_up, turns=5))  # MessageHistory


with tw.MessageHistory.open("talk.jsonl", sync=True) as stored:
    reveal_type(stored)  # MessageHistory

# Names that are misspelt are errors; if they were not, the comments would be.
history.render("antropic")  # type: ignore[call-overload]
history.render("openai", strickt=True)  # type: ignore[call-overload]
history.prepare("openai", 300_000, reasoning="all")  # type: ignore[call-overload]
history.prepare_json("openai", max_byte=300_000)  # type: ignore[call-arg]
history.add_raw_message({}, "antropic")  # type: ignore[arg-type]
