"""Mistakes that people make: a checker finds each of these lines, and no other."""

import turnwire as tw
from turnwire import batch
from turnwire.replies import convert_reply

messages = [{"role": "user", "content": "Hi"}]

tw.prepare(messages, "antropic")  # a misspelt target
tw.prepare(messages, "claude-sonnet-5")  # a model as the target
tw.prepare(messages)  # no target
tw.prepare(messages, "openai", max_bytes=300_000)  # an old name
tw.prepare(messages, "openai", max_tokens=1_000)  # tokens beside the budget
tw.prepare(messages, "openai", "300_000")  # a budget as text
tw.prepare(messages, "openai", keep_open=True)  # an old name
tw.prepare(messages, "openai", end="reply")  # an unknown end
tw.prepare(messages, "openai", reasoning="strip")  # an unknown choice
tw.prepare(messages, "openai", wording={"open": "Hello."})  # a wrong key in a group
tw.prepare(messages, "openai", settings={"default": {}})  # a wrong key in a group
tw.prepare(messages, "openai", settings="caller")  # an old word
tw.prepare(messages, "openai", source="open-ai")  # a misspelt source
tw.Budget(max_tokens=1_000)  # tokens without a counter
tw.Budget(1_000, count=len)  # a counter beside bytes
tw.Budget(max_bytes="1k")  # a size as text
tw.check(messages, dialect="openai")  # an old name
tw.convert(messages, "openai", "anthropic")  # the old order
tw.convert(messages, "anthropic", rest="convert")  # an old name
tw.Ledger("anthropic", over="soft")  # an old name
tw.Ledger("anthropic", on_full="soft")  # an unknown choice
tw.StreamAssembler("history")  # a dialect without replies
convert_reply({}, "openai", "anthropic")  # the old order
batch.prepare_file("in", "out", "samee")  # a misspelt target
print(tw.prepare(messages, "openai").recipt)  # a misspelt attribute
