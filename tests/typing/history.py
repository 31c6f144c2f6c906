"""Types of histories: async results are awaited."""

from typing import reveal_type

import turnwire as tw

history = tw.MessageHistory(["hello", {"role": "assistant", "content": "x"}])
reveal_type(history.messages)  # list[dict[str, Any]]
reveal_type(history.render("anthropic").payload)  # Any
reveal_type(history.render("history", strict=True).payload)  # Any
reveal_type(history.prepare("anthropic", 300_000, system="Be brief.").payload)  # Any
reveal_type(history.prepare_json("history").payload)  # bytes
reveal_type(history.prepare("anthropic", tw.Budget(max_tokens=9_000, count=len), tools=[]).payload)  # Any
reveal_type(history.window(turns=5, pinned=[0]))  # MessageHistory
reveal_type(history.window(budget=5, pinned=lambda message: message["role"] == "user").receipt)  # Receipt
reveal_type(history.summarise("text", turns=5))  # MessageHistory
reveal_type(history.summarise(lambda old: f"{len(old)}", turns=5))  # MessageHistory


def either(target: tw.DialectName) -> None:
    """A name that is known only at run time."""
    reveal_type(history.render(target).payload)  # Any


async def sum_up(old: tw.MessageHistory) -> str:
    return "s"


async def later() -> None:
    """An async function makes it awaitable."""
    reveal_type(await history.summarise(sum_up, turns=5))  # MessageHistory


with tw.MessageHistory.open("talk.jsonl", sync=True) as stored:
    reveal_type(stored)  # MessageHistory

# Names that are misspelt are errors; if they were not, the comments would be.
history.render("antropic")  # type: ignore[arg-type]
history.render("openai", strickt=True)  # type: ignore[call-arg]
history.prepare("openai", 300_000, reasoning="all")  # type: ignore[arg-type]
history.prepare_json("openai", budge=300_000)  # type: ignore[call-arg]
history.add_raw_message({}, "antropic")  # type: ignore[arg-type]
