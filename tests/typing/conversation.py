"""Types of conversations, turns and the builder."""

from typing import reveal_type

import turnwire as tw

conversation = tw.Conversation(["hi", tw.spec.UserMessage.new_prompt("q")], system="s")
reveal_type(conversation)  # Conversation
reveal_type(conversation.system)  # str | None
reveal_type(conversation.turns)  # tuple[Turn, ...]
reveal_type(conversation.tools)  # tuple[dict[str, Any], ...]
reveal_type(conversation.pending_tool_uses)  # tuple[AssistantToolUse, ...]
reveal_type(conversation[0])  # Turn
reveal_type(conversation[1:])  # tuple[Turn, ...]
reveal_type(conversation.extended(["more"]))  # Conversation
reveal_type(conversation.render_json("openai").payload)  # bytes
reveal_type(tw.Conversation.parse(b"[]", "openai"))  # Conversation
reveal_type(tw.detect([]))  # str
turn = tw.Turn("user", ["x", tw.parts.Text("y"), tw.Media(b"png", media_type="image/png")], id="m")
reveal_type(turn.parts)  # tuple[Text | Reasoning | Media | Opaque | AssistantToolUse | ToolUseResult, ...]
reveal_type(turn.id)  # str | None
match turn.parts[0]:
    case tw.parts.Text(text):
        reveal_type(text)  # str
    case tw.parts.AssistantToolUse(_, _, args):
        reveal_type(args)  # dict[str, Any] | None
builder = tw.spec.MessageBuilder().set_system_prompts(["s"]).set_messages([{"role": "user", "content": "x"}])
reveal_type(builder)  # MessageBuilder
built = builder.set_budget(1_000).build("anthropic")
reveal_type(built)  # Conversation
for change in builder.check("anthropic"):
    reveal_type(change)  # Change
reveal_type(tw.check([{"role": "user", "content": "x"}]))  # Receipt
