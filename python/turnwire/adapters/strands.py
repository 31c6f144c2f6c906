"""A middleware for Strands' agents: it changes the input of the model, never the agent's own messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.ledger import Ledger
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._ledgers import Carrier
from ._places import Element, woven
from ._policy import Policy
from ._summaries import later

try:
    from strands.middleware import InvokeModelContext

    from ._strands_blocks import native
    from ._strands_signers import Signers
except ImportError as error:
    raise missing("strands-agents", error) from error

__all__ = ["middleware"]

tested("strands-agents", "1.62.0", "1.62.0")

# Strands' managers drop messages up to a call, and Anthropic and Bedrock refuse a list that begins with one.
_OPENING: Final = "[The beginning of this conversation was left out.]"


def _with_opening(settings: AdapterOptions) -> AdapterOptions:
    """The options with a text for a list that begins with a call. A ledger of the caller's has its own."""
    if isinstance(settings.get("ledger"), Ledger):
        return settings
    return {**settings, "wording": {"opening": _OPENING, **(settings.get("wording") or {})}}


@spelled_out
def middleware(
    budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]
) -> Callable[[InvokeModelContext], InvokeModelContext | Awaitable[InvokeModelContext]]:
    """Return a middleware that makes each request of an agent valid and keeps it within the budget.

        agent.add_middleware(InvokeModelStage.Input, middleware(300_000, on_receipt=print))

    With `NullConversationManager`, `agent.messages` keeps everything. The default one drops all but 40 messages, and a
    list that then begins with a call gets `wording["opening"]`, by default a note that the beginning was left out.
    Blocks that Strands does not send to the model, such as citations to OpenAI's, and reasoning that another provider
    signed, are losses. Messages that need no change are the same objects.

    Args:
        budget: The most UTF-8 bytes of a request, with its system prompt, tools and markers, or a `Budget`.
        settings: The options of every adapter. A ledger's conversation is the session of a session manager with the
            agent's id, or else the list.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each call of the model for its messages.
    """
    policy = Policy(budget, _with_opening(settings), takes_ledger=True, takes_bytes=True)
    signers = Signers()

    def prepared(context: InvokeModelContext) -> InvokeModelContext:
        system = context.system_prompt
        beside: dict[str, Any] = {}
        if context.tool_specs:
            beside["toolConfig"] = {"tools": [{"toolSpec": {**spec}} for spec in context.tool_specs]}
        if system:
            beside["system"] = [{"text": system}] if isinstance(system, str) else system
        if name := _model_id(context.model):
            beside["model"] = name
        signers.listen(context.agent, context.model)
        given, losses = native(context.messages, context.model, policy.as_text, signers)
        session = getattr(getattr(context.agent, "_session_manager", None), "session_id", None)
        made = woven(
            policy,
            given,
            _elements,
            _rebuilt,
            "bedrock",
            "messages",
            target=policy.target or "bedrock",
            beside=beside,
            # Strands writes the keys itself, but it does not report missing tool definitions: then the build does.
            own_keys=bool(context.tool_specs),
            lost=losses,
            carrier=Carrier(session, getattr(context.agent, "agent_id", None)),
            original=context.messages,
        )
        change: dict[str, Any] = {} if made.messages is context.messages else {"messages": [*made.messages]}
        # A ledger may send the first ones again, and a summary follows the system text.
        for key, name in (("system", "system_prompt"), ("toolConfig", "tool_specs")):
            if (left := made.head(key, beside.get(key))) is not beside.get(key):
                change[name] = [tool["toolSpec"] for tool in left["tools"]] if name == "tool_specs" else left
        return context.replace(**change) if change else context

    def prepared_later(context: InvokeModelContext) -> Awaitable[InvokeModelContext]:
        return later(lambda: prepared(context))

    return prepared_later if policy.sums_up else prepared


def _model_id(model: Any) -> str | None:
    """The name of the agent's model, which decides what reasoning is checked."""
    config = model.get_config() if hasattr(model, "get_config") else {}
    name = config.get("model_id") if isinstance(config, Mapping) else None
    return name if isinstance(name, str) else None


def _elements(message: Any) -> list[Element] | None:
    # A message's other keys are Strands' own and are not sent.
    return [{key: message[key] for key in ("role", "content")}] if isinstance(message, dict) else None


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [{**(message or {}), **element, "content": [*map(_block, element["content"])]} for element in elements]


def _block(block: Element) -> Element:
    """A block with a status on its result: Strands needs one, though Bedrock does not."""
    result = block.get("toolResult")
    return {"toolResult": {"status": "success", **result}} if result is not None and "status" not in result else block
