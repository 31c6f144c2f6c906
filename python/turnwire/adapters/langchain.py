"""A middleware for LangChain's agents, with its forms for LangGraph and for a plain model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._learning import Attempt, Learner
from ._policy import Policy
from ._summaries import later
from ._way import Sent, Step, Way

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest
    from langchain_core.messages import convert_to_messages
    from langchain_core.runnables import RunnableLambda

    from ._langchain_blocks import chat_row
    from ._langchain_requests import chat_of, name_of, of_messages, of_request
except ImportError as error:
    raise missing("langchain", error) from error

__all__ = ["middleware"]

tested("langchain", "1.2.15", "1.5.2")


class _Middleware(AgentMiddleware):
    """What `middleware` returns."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy
        self._learner = Learner(policy)
        self._step = Step(self._row_of, self._built, self._learner, lambda _: {}, chat_of)
        self.runnable = RunnableLambda(self._of_prompt, self._of_prompt_later, name="turnwire")

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], Any]) -> Any:
        """Send a valid request. The agent's state does not change."""
        way = Way(None, (self._step,), "", {"request": request}, {})
        return way.go(lambda: handler(way.body["request"]))

    async def awrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[Any]]) -> Any:
        """The same, for an agent that runs asynchronously."""
        way = Way(None, (self._step,), "", {"request": request}, {})
        return await way.go_later(lambda: handler(way.body["request"]))

    def pre_model_hook(self, state: Any) -> dict[str, Any]:
        """For LangGraph's `create_react_agent(pre_model_hook=…)`: changes what the model gets, and not the state."""
        return {"llm_input_messages": of_messages(self._policy, state["messages"])}

    def _row_of(self, _: Any, __: str, body: Any) -> str:
        """The row that a request is learned about: that of a server of Chat Completions, or the caller's."""
        row = chat_row(body["request"].model)
        return str(self._policy.target or row) if row else ""

    def _built(self, attempt: Attempt) -> Sent:
        request: ModelRequest = attempt.asked["request"]
        row, _ = self._learner.built(attempt, {"model": name_of(request.model)})
        return {"request": of_request(self._policy, request, row if self._learner.knows(attempt) else None)}, {}

    def _of_prompt(self, prompt: Any) -> Any:
        messages = prompt.to_messages() if hasattr(prompt, "to_messages") else convert_to_messages(prompt)
        return of_messages(self._policy, messages)

    async def _of_prompt_later(self, prompt: Any) -> Any:
        return await later(lambda: self._of_prompt(prompt))


@spelled_out
def middleware(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> _Middleware:
    """Return a middleware that makes each request of an agent valid and keeps it within the budget.

        agent = create_agent(model, tools, middleware=[middleware(300_000, on_receipt=print)])

    The agent keeps its whole list. The middleware's method `pre_model_hook` is for LangGraph's `create_react_agent`.
    Its `runnable` can be put in front of any chat model: `chain = middleware(…).runnable | model`.

    Messages that need no change stay the same objects. Others are copies with their ids, metadata, artifacts and
    status. Blocks that only another provider reads are left out, each as a loss, and media become LangChain's own
    blocks. `pre_model_hook` does not see the model, so `target` names its provider there.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            system message counts, the definitions of tools do not.
        settings: The options of every adapter. `target` sets the rules for ids and for the roles of the first and last
            message. With a ledger, tools of ChatAnthropic count, too, and a conversation is a thread of LangGraph.
            `learn` is for agents whose model sends Chat Completions, and concerns their messages.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each call of the model for its messages.
    """
    no_cache = "" if settings.get("ledger") else "without a ledger, LangChain writes its payloads itself"
    return _Middleware(Policy(budget, settings, takes_ledger=True, no_cache=no_cache, no_learn=""))
