"""Types of `prepare`: the payload is whatever the target is, and the receipt is always there."""

from typing import reveal_type

import turnwire as tw

chat = [{"role": "user", "content": "x"}]
ready = tw.prepare(chat, "anthropic", 300_000, system="Be brief.", wording={"opening": "(begin)"}, strict=True)
reveal_type(ready.payload)  # Any
reveal_type(ready["messages"])  # Any
reveal_type(ready.messages)  # list[Any]
reveal_type(ready.config)  # dict[str, Any]
reveal_type(ready.headers)  # dict[str, str]
reveal_type(dict(ready))  # dict[str, Any]
reveal_type(ready.receipt)  # Receipt
reveal_type(ready.receipt.first_changed_index)  # int | None
reveal_type(ready.sources)  # tuple[tuple[int, ...], ...]
reveal_type(ready.hoisted)  # tuple[int, ...]
reveal_type(tw.prepare(chat, "history").payload)  # Any
reveal_type(tw.prepare_json(chat, "history").payload)  # bytes


def either(target: tw.DialectName) -> None:
    """A name that is known only at run time."""
    reveal_type(tw.prepare(chat, target).payload)  # Any


mixed = ["hello", tw.spec.UserMessage.new_prompt("x"), {"role": "user", "content": "y"}, tw.ToolUseResult("c", "z")]
reveal_type(tw.prepare(mixed, "openai").payload)  # Any
reveal_type(tw.check(mixed)[0].path)  # str
reveal_type(tw.Conversation.parse(chat).receipt)  # Receipt

# A name that is misspelt is an error; if it were not, the comment would be.
tw.prepare(chat, "antropic")  # type: ignore[arg-type]
tw.check(chat, "antropic")  # type: ignore[arg-type]
tw.prepare(chat, "openai", surprise=1)  # type: ignore[call-arg]
