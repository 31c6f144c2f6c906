"""A capability for Pydantic AI's agents: it changes what is sent, never the history of the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any, Final, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._ledgers import Carrier
from ._places import woven
from ._policy import Policy
from ._summaries import later

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelRequest

    from ._pydantic_ai_ledger import for_claude
    from ._pydantic_ai_messages import elements_of, joined, named, rebuilt
    from ._pydantic_ai_parts import lost_later, native, systems_of
except ImportError as error:
    raise missing("pydantic-ai-slim", error) from error

__all__ = ["capability"]

tested("pydantic-ai-slim", "2.56.0", "2.68.0")

_FOR_EACH_MODEL: Final = hasattr(AbstractCapability, "prepare_model_request")


class _Capability(AbstractCapability[Any]):
    """What `capability` returns."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        """Send a valid request. Newer versions call the other method again for each model that they try."""
        return request_context if _FOR_EACH_MODEL else await self.prepare_model_request(ctx, request_context)

    async def prepare_model_request(self, ctx: Any, request_context: Any) -> Any:
        """The same in newer versions. `ctx.messages`, the history that Pydantic AI keeps, does not change."""
        given, losses = native([*request_context.messages], systems_of(request_context.model))
        same = all(map(is_, given, request_context.messages))
        if self._policy.has_ledger and getattr(request_context.model, "system", None) == "anthropic":
            conversation = getattr(ctx, "conversation_id", None)
            left = for_claude(self._policy, request_context, given, losses, conversation)
            return request_context if same and left is given else replace(request_context, messages=[*left])
        told = next((one.instructions for one in reversed(given) if isinstance(one, ModelRequest)), None)

        def prepared() -> Sequence[Any]:
            return woven(
                self._policy,
                given,
                elements_of,
                rebuilt,
                "openai",
                "messages",
                before=told or "",
                own_keys=True,
                lost=losses,
                carrier=Carrier(getattr(ctx, "conversation_id", None), holds=False),
            ).messages

        made = await later(prepared)
        messages = joined(made if made is given else named(made))
        return request_context if same and messages is given else replace(request_context, messages=[*messages])

    async def after_model_request(self, ctx: Any, *, request_context: Any, response: Any) -> Any:
        """Report what a `FallbackModel` lost: only the response says which of its models was called."""
        self._policy.tell_lost(*lost_later(request_context, response))
        return response


@spelled_out
def capability(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> AbstractCapability[Any]:
    """Return a capability that makes each request of an agent valid and keeps it within the budget.

        agent = Agent(model, capabilities=[capability(300_000, on_receipt=print)])

    Pydantic AI repairs some histories by itself; this adds the other repairs, the budget and the receipt. The run keeps
    its whole history. Messages that need no change stay the same objects. Others are copies with their other parts,
    metadata and usage. Media do not count. Server tools, files and encrypted reasoning of another provider are losses.
    A `FallbackModel` gets what any of its models reads, and its losses follow the response, which names the model.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. System
            prompts and instructions count, the definitions of tools do not.
        settings: The options of `prepare`, `on_receipt`, `on_error`, `ledger`, and `target`, which sets the rules for
            ids and for the roles of the first and last message. Pydantic AI still writes the messages. With a ledger,
            tools of Anthropic's models count, too, and a conversation is a `conversation_id`.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its messages.
    """
    return _Capability(Policy(budget, settings, takes_ledger=True))
