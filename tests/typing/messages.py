"""Types of the typed messages: what a match on their variants gives."""

from datetime import datetime
from typing import reveal_type

import turnwire as tw

message = tw.UserMessage.new_prompt("text", datetime.now().astimezone())
reveal_type(message)  # UserMessage
reveal_type(message.prompt)  # str | None
reveal_type(message.timestamp)  # datetime | None
reveal_type(message.tool_use_results)  # tuple[ToolUseResult, ...] | None
reveal_type(message.truncate_safe(10, split="fair"))  # UserMessage
reveal_type(message.into_user_input_message("model"))  # dict[str, Any]

match message.content:
    case tw.UserMessageContent.Prompt(prompt):
        reveal_type(prompt)  # str
    case tw.UserMessageContent.ToolUseResults(results):
        reveal_type(results)  # tuple[ToolUseResult, ...]

result = tw.ToolUseResult("id", {"ok": True}, status="error")
reveal_type(result.status)  # ToolResultStatus
reveal_type(result.content)  # tuple[ToolUseResultBlock, ...]
reveal_type(tw.truncate_tool_results([result], 10))  # list[ToolUseResult]

reveal_type(tw.AssistantMessage.new_response(None, "text").content)  # str
reveal_type(tw.AssistantToolUse("id", "name", {}).args)  # dict[str, Any] | None
