"""A callback for the agents of Google's ADK: it changes the request to the model, never the session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions, DialectName

from ._framework import missing, tested
from ._gemini import target_of
from ._hosts import of_litellm
from ._ledgers import Carrier
from ._places import woven
from ._policy import Policy
from ._summaries import later

try:
    from google.adk.models import LlmRequest
    from google.genai.types import Content, Tool

    from ._google_adk_contents import elements_of, native, plain, rebuilt
except ImportError as error:
    raise missing("google-adk", error) from error

__all__ = ["before_model"]

tested("google-adk", "1.18.0", "2.13.0")


@spelled_out
def before_model(
    budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]
) -> Callable[..., Awaitable[None] | None]:
    """Return a callback that makes each request to an agent's model valid and keeps it within the budget.

        agent = LlmAgent(name="a", model="gemini-3-pro", before_model_callback=before_model(300_000))

    The session keeps all of its events. Contents that need no change stay the same objects. A request that continues an
    interaction on the server is not changed, because the server has the history.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            system instruction and the declarations of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, and `target`: by default `gemini` for models of
            the third generation and later, which require the signatures of their calls, and `gemini:2` for all others.
            `ledger`: each agent of a session is a conversation.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its contents.
    """
    policy = Policy(budget, settings, takes_ledger=True)

    def prepare_contents(callback_context: Any, llm_request: LlmRequest) -> None:
        if getattr(llm_request, "previous_interaction_id", None):
            return
        name = llm_request.model or ""
        model, as_text = _model(callback_context), policy.as_text
        given, losses = native(llm_request.contents, _litellm(model, name), _is_claude(model), as_text)
        target = policy.target or target_of(name)
        wire: DialectName = "gemini" if target == "gemini" else "gemini:2"
        beside = _beside(llm_request.config)
        carrier = Carrier(*_conversation(callback_context), holds=False)
        more: Any = {"beside": beside, "carrier": carrier, "lost": losses, "original": llm_request.contents}
        sent = woven(policy, given, elements_of, rebuilt, wire, "contents", target=target, **more)
        contents, told = sent.messages, beside.get("systemInstruction")
        if (said := sent.head("systemInstruction", told)) is not told and not policy.has_ledger:
            # The summary follows the system text.
            parts = said["parts"][len(told["parts"]) if told else 0 :]
            llm_request.append_instructions([part["text"] for part in parts])
        if contents is not llm_request.contents:
            llm_request.contents = [*contents]

    def prepare_later(callback_context: Any, llm_request: LlmRequest) -> Awaitable[None]:
        return later(lambda: prepare_contents(callback_context, llm_request))

    return prepare_later if policy.sums_up else prepare_contents


def _conversation(context: Any) -> tuple[Any, Any]:
    """The session, and the agent with its branch: each of these has its own list."""
    run = getattr(context, "_invocation_context", None)
    session, agent = getattr(run, "session", None), getattr(run, "agent", None)
    return getattr(session, "id", None), (getattr(agent, "name", None), getattr(run, "branch", None))


def _model(context: Any) -> Any:
    """The model that the ADK uses for the agent."""
    agent = getattr(getattr(context, "_invocation_context", None), "agent", None)
    return getattr(agent, "canonical_model", None) or getattr(agent, "model", None)


def _is_claude(model: Any) -> bool:
    """Whether a model is of the ADK's own class for Claude, which needs Anthropic's client."""
    return any(kind.__name__ == "AnthropicLlm" for kind in type(model).__mro__) or type(model).__name__ == "Claude"


def _litellm(model: Any, name: str) -> DialectName | None:
    """The target of a model that LiteLLM calls in OpenAI's format; None for any other."""
    beside = getattr(model, "_additional_args", None) or {}
    return of_litellm(name.partition("/")[0], beside.get("api_base")) if "/" in name else None


def _beside(config: Any) -> dict[str, Any]:
    """The request's other text: the instruction, and tools that can be read."""
    beside: dict[str, Any] = {}
    told = config.system_instruction
    if isinstance(told, str | Content) and told:
        beside["systemInstruction"] = {"parts": [{"text": told}]} if isinstance(told, str) else plain(told)
    if tools := [plain(tool) for tool in config.tools or () if isinstance(tool, Tool)]:
        beside["tools"] = tools
    return beside
