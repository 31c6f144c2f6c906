"""A hook for the Claude Agent SDK that cuts each tool result to a budget before the model reads it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._policy import Policy, unknown
from ._result import fitted

try:
    from claude_agent_sdk import HookContext
    from claude_agent_sdk.types import SyncHookJSONOutput
except ImportError as error:
    raise missing("claude-agent-sdk", error) from error

__all__ = ["post_tool_use"]

tested("claude-agent-sdk", "0.1.7", "0.2.189")

_EVENT: Final = "PostToolUse"
_TEXT: Final = "text"


@spelled_out
def post_tool_use(
    budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]
) -> Callable[[Any, str | None, HookContext], Awaitable[SyncHookJSONOutput]]:
    """Return a `PostToolUse` hook that replaces tool outputs over the budget.

        matcher = HookMatcher(hooks=[post_tool_use(50_000, on_receipt=print)])
        options = ClaudeAgentOptions(hooks={"PostToolUse": [matcher]})

    The SDK keeps the history itself and offers no access to it, so a result is cut once, when it comes. Texts are cut
    in their middle, where the marker of the budget's `on_cut` is. In the outputs of built-in tools, long strings are
    cut, then lists, so that each output keeps the shape that the SDK demands: without that marker. Images and other
    media in an output do not change.

    Args:
        budget: UTF-8 bytes, or a `Budget`, of one output's texts, or of its compact JSON.
        settings: `on_receipt`, `on_error`, `wording` with `cut`. Options about lists of messages have no effect.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and `budget_too_small` when a tool was used.
    """
    policy = Policy(budget, settings, no_summary="it cuts results, and no message goes", heeds_options=False)

    async def hook(given: Any, tool_use_id: str | None, context: HookContext) -> SyncHookJSONOutput:
        if given.get("hook_event_name") != _EVENT:
            return {}
        output = given.get("tool_response")
        cut = _cut(policy, (given.get("tool_name") or "tool", tool_use_id or "result"), output)
        if cut is output:
            return {}
        return {"hookSpecificOutput": {"hookEventName": _EVENT, "updatedToolOutput": cut}}

    return hook


def _cut(policy: Policy, call: tuple[str, str], output: Any) -> Any:
    """The output within the budget; the same object if it already is, or if nothing in it can be cut."""
    tool, call_id = call
    if isinstance(output, str):
        cut = fitted(policy, tool, [output], call_id=call_id)
        return output if cut is None else cut[0][0]
    if isinstance(output, list) and any(_is_text(block) for block in output):
        cut = fitted(policy, tool, [block[_TEXT] if _is_text(block) else "" for block in output], call_id=call_id)
        if cut is None:
            return output
        return [{**one, _TEXT: text} if _is_text(one) else one for one, text in zip(output, cut[0], strict=True)]
    if isinstance(output, dict) and _is_list_of_texts(output.get("content")):
        content = _cut(policy, call, output["content"])
        return output if content is output["content"] else {**output, "content": content}
    if isinstance(output, dict | list):
        cut = None if _has_media(output) else fitted(policy, tool, [], output, call_id=call_id)
        return output if cut is None else cut[1]
    if not isinstance(output, bool | int | float | type(None)):
        unknown(output)
    return output


def _is_text(block: Any) -> bool:
    return isinstance(block, Mapping) and block.get("type") == _TEXT and isinstance(block.get(_TEXT), str)


def _is_list_of_texts(content: Any) -> bool:
    return isinstance(content, list) and any(_is_text(block) for block in content)


def _has_media(value: Any) -> bool:
    """Whether a value contains base64 data, which must not be cut."""
    if isinstance(value, list):
        return any(_has_media(item) for item in value)
    if not isinstance(value, dict):
        return False
    own = value.get("type") in ("image", "audio", "document", "pdf") or "base64" in value
    return own or any(_has_media(item) for item in value.values())
