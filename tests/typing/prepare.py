"""Types of `prepare`: the call decides the payload's type, and the receipt is always there."""

from typing import reveal_type

import turnwire as tw

chat = [{"role": "user", "content": "x"}]
ready = tw.prepare(chat, "anthropic", 300_000, system="Be brief.", opening="(begin)", strict=True)
reveal_type(ready.payload)  # dict[str, Any]
reveal_type(ready.receipt)  # Receipt
reveal_type(ready.receipt.first_changed_index)  # int | None
reveal_type(ready.sources)  # tuple[tuple[int, ...], ...]
reveal_type(ready.hoisted)  # tuple[int, ...]
reveal_type(tw.prepare(chat, "history").payload)  # list[Any]
reveal_type(tw.prepare_json(chat, "history").payload)  # bytes


def either(target: tw.DialectName) -> None:
    """A name that is known only at run time."""
    reveal_type(tw.prepare(chat, target).payload)  # dict[str, Any] | list[Any]


mixed = ["hello", tw.UserMessage.new_prompt("x"), {"role": "user", "content": "y"}, tw.ToolUseResult("c", "z")]
reveal_type(tw.prepare(mixed, "openai").payload)  # dict[str, Any]
reveal_type(tw.check(mixed)[0].code)  # str
reveal_type(tw.Conversation.parse(chat).receipt)  # Receipt

# A name that is misspelt is an error; if it were not, the comment would be.
tw.prepare(chat, "antropic")  # type: ignore[call-overload]
tw.check(chat, "antropic")  # type: ignore[arg-type]
tw.prepare(chat, "openai", surprise=1)  # type: ignore[call-overload]
