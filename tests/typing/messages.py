"""Types of the typed messages, and what a match on their variants gives."""

from datetime import datetime
from typing import reveal_type

import turnwire as tw

message = tw.spec.UserMessage.new_prompt("text", datetime.now().astimezone())
result = tw.ToolUseResult("id", ["text", {"json": 1}], status="error")
call = tw.parts.AssistantToolUse("id", "name", {"path": "/"})
reveal_type(message)  # UserMessage
reveal_type(message.content)  # UserMessageContent
reveal_type(message.prompt)  # str | None
reveal_type(message.timestamp)  # datetime | None
reveal_type(message.images)  # tuple[ImageBlock, ...] | None
reveal_type(message.tool_use_results)  # tuple[ToolUseResult, ...] | None
reveal_type(message.has_tool_use_results)  # bool
reveal_type(message.truncate_safe(10))  # UserMessage
reveal_type(message.content.truncate_safe(10, split="fair"))  # UserMessageContent
reveal_type(message.into_history_entry())  # dict[str, Any]
reveal_type(message.into_user_input_message("model"))  # dict[str, Any]
reveal_type(result.content)  # tuple[ToolUseResultBlock, ...]
reveal_type(result.status)  # ToolResultStatus
reveal_type(call.args)  # dict[str, Any] | None
reveal_type(tw.text.truncate_tool_results([result]))  # list[ToolUseResult]
reveal_type(tw.parts.ToolUseResultBlock.Text("x").text)  # str
reveal_type(tw.spec.UserMessageContent.Prompt("x").prompt)  # str
reveal_type(tw.spec.AssistantMessage.new_response(None, "x").content)  # str
reveal_type(tw.spec.UserEnvContext.generate_new().env_state)  # EnvState | None
match message.content:
    case tw.spec.UserMessageContent.Prompt(prompt):
        reveal_type(prompt)  # str
    case tw.spec.UserMessageContent.CancelledToolUses(prompt_or_none, results):
        reveal_type(prompt_or_none)  # str | None
        reveal_type(results)  # tuple[ToolUseResult, ...]
    case tw.spec.UserMessageContent.ToolUseResults(only_results):
        reveal_type(only_results)  # tuple[ToolUseResult, ...]
