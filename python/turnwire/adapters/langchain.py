"""A middleware for LangChain's agents, with its forms for LangGraph and for a plain model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions, DialectName

from ._framework import missing, tested
from ._learning import Attempt, Learner
from ._places import woven
from ._policy import Policy
from ._summaries import later
from ._way import Sent, Step, Way

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest
    from langchain_core.messages import convert_to_messages
    from langchain_core.runnables import RunnableLambda

    from ._langchain_blocks import chat_row, family_of, native, with_media, writes_chat
    from ._langchain_ledger import carrier, changes, for_claude
    from ._langchain_messages import elements_of, rebuilt
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
        self._step = Step(self._row_of, self._built, self._learner, lambda _: {}, _chat_of)
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
        return {"llm_input_messages": self._of_messages(state["messages"])}

    def _row_of(self, _: Any, __: str, body: Any) -> str:
        """The row that a request is learned about: that of a server of Chat Completions, or the caller's."""
        row = chat_row(body["request"].model)
        return str(self._policy.target or row) if row else ""

    def _built(self, attempt: Attempt) -> Sent:
        request: ModelRequest = attempt.asked["request"]
        row, _ = self._learner.built(attempt, {"model": _name(request.model)})
        return {"request": self._of_request(request, row if self._learner.knows(attempt) else None)}, {}

    def _of_request(self, request: ModelRequest, row: DialectName | None = None) -> ModelRequest:
        family = _family(request.model)
        if self._policy.has_ledger and family == "anthropic":
            return request.override(**changes(self._policy, request))
        told = "" if request.system_message is None else str(request.system_message.text)
        messages = self._of_messages(request.messages, told, family, writes_chat(request.model), row)
        return request if messages is request.messages else request.override(messages=messages)

    def _of_prompt(self, prompt: Any) -> Any:
        return self._of_messages(
            prompt.to_messages() if hasattr(prompt, "to_messages") else convert_to_messages(prompt)
        )

    async def _of_prompt_later(self, prompt: Any) -> Any:
        return await later(lambda: self._of_prompt(prompt))

    def _of_messages(
        self,
        messages: Any,
        before: str = "",
        family: str | None = None,
        is_chat: bool = False,
        row: DialectName | None = None,
    ) -> Any:
        family = family or family_of(self._policy.target)
        if self._policy.has_ledger and family == "anthropic":
            return for_claude(self._policy, messages)[0]
        own, lost = native(messages, family, self._policy.as_text)
        # Chat Completions takes no media in results, so they follow in a user message.
        given = with_media(own) if is_chat or self._policy.target == "openai" else own
        # Some models of LangChain drop calls whose arguments are not an object, and still send the results.
        return woven(
            self._policy,
            given,
            elements_of,
            rebuilt,
            "openai",
            "messages",
            target=row or self._policy.target or (None if given is own else "openai"),
            before=before,
            only_objects=True,
            own_keys=True,
            lost=lost,
            carrier=carrier(),
            original=messages,
        ).messages


def _name(model: Any) -> str:
    return str(getattr(model, "model_name", "") or getattr(model, "model", "") or "")


def _chat_of(body: Any) -> dict[str, Any]:
    """What a model of Chat Completions sends for a request, as far as its messages go."""
    request: ModelRequest = body["request"]
    first = [] if request.system_message is None else [request.system_message]
    messages = [element for one in (*first, *request.messages) for element in elements_of(one) or ()]
    return {"model": _name(request.model), "messages": messages}


def _family(model: Any) -> str | None:
    """The family of blocks that a model reads, by the provider's name in LangChain's traces."""
    try:
        return family_of(model._get_ls_params().get("ls_provider"))
    except Exception:  # a third-party model may not support this
        return None


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
