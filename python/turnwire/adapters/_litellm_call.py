"""Prepares one call of LiteLLM, whose messages are always Chat Completions, by the rules of its provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any, Final

import litellm

from turnwire._adapt import to_plain
from turnwire._core import Loss
from turnwire._core import _held as _read
from turnwire.names import DialectName

from . import _litellm_claude as claude
from . import _litellm_notes as notes
from ._foreign import domestic
from ._hosts import COMPATIBLE, of_litellm
from ._ledgers import Carrier
from ._losses import lost
from ._places import Element, woven
from ._policy import Policy

__all__ = ["prepared"]

_WHY: Final = "only the provider that made it takes it"
# Whether a class is a mapping. Asked for each message at each step, and an abstract class takes long to find out.
_is_mapping: Final[Callable[[type], bool]] = lru_cache(lambda kind: issubclass(kind, Mapping))
# Whether the objects of a class are pydantic's, which may have more than their fields.
_has_extra: Final[Callable[[type], bool]] = lru_cache(lambda kind: hasattr(kind, "__pydantic_extra__"))


def prepared(policy: Policy, asked: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, with its messages prepared for the model that it names."""
    beside = {key: asked[key] for key in ("model", "tools", "tool_choice") if asked.get(key)}
    given, target = asked.get("messages") or [], policy.target or _target(asked)
    # LiteLLM's own name of a conversation.
    session = asked.get("litellm_session_id")
    if policy.has_ledger and target in (None, "anthropic") and "claude" in str(asked.get("model")):
        return _for_claude(policy, asked, given, session)
    own, losses = domestic(given)
    if target == "openai":
        own = _without_thoughts(own, losses)
    if is_openais := target is not None and target.startswith("openai"):
        own = _without_notes(own, losses)
    # A ledger knows nothing of LiteLLM's notes, and other providers need some of them, such as Gemini its signatures.
    keeps = policy.has_ledger and not is_openais
    messages = woven(
        policy,
        own,
        _without_any_notes if keeps else _elements,
        _with_notes if keeps else _rebuilt,
        "openai",
        "messages",
        target=target,
        beside=beside,
        # For other providers, LiteLLM parses the arguments, and refuses the whole request if it cannot.
        only_objects=not is_openais,
        own_keys=True,
        lost=losses,
        carrier=Carrier(session, holds=False, profile=COMPATIBLE if keeps else None),
        original=given,
    ).messages
    return {**asked} if messages is given else {**asked, "messages": [*messages]}


def _for_claude(policy: Policy, asked: dict[str, Any], given: Sequence[Any], session: Any) -> dict[str, Any]:
    """The same for Claude under a ledger. Claude binds reasoning to system text and tools, so the ledger needs them."""
    runs = claude.runs(given)
    starts = [at for at, run in enumerate(runs) for _ in run]
    tools = [tool["function"] for tool in asked.get("tools") or () if isinstance(tool, Mapping) and "function" in tool]
    beside = {"model": asked.get("model"), "system": claude.system_of(given), "tools": [*map(claude.tool_of, tools)]}
    made = woven(
        policy,
        runs,
        claude.elements_of,
        claude.rebuilt,
        "anthropic",
        "messages",
        beside={key: value for key, value in beside.items() if value},
        own_keys=True,
        pinned=[starts[at] for at in policy.pinned if at < len(starts)],
        merged=claude.merged,
        carrier=Carrier(session, holds=False),
    )
    left = claude.merged(made.messages)
    same = len(left) == len(given) and all(map(is_, left, given))
    return {**asked} if same else {**asked, "messages": [*left]}


def _target(asked: dict[str, Any]) -> DialectName | None:
    try:
        provider = litellm.get_llm_provider(asked["model"], custom_llm_provider=asked.get("custom_llm_provider"))[1]
    except Exception:  # LiteLLM does not know the name, and will say so itself
        return None
    return of_litellm(provider, asked.get("api_base") or asked.get("base_url"))


def _without_thoughts(messages: Sequence[Any], losses: list[Loss]) -> Sequence[Any]:
    """The messages without `thinking_blocks`, which LiteLLM would send to OpenAI. The same list if none has them."""
    thoughts = [(at, held) for at, one in enumerate(messages) if (held := _held(one, "thinking_blocks")) is not None]
    out: list[Any] = [*messages] if thoughts else []
    for at, held in thoughts:
        message = messages[at]
        plain: Any = message if _is_mapping(type(message)) else to_plain(message)
        out[at] = {key: value for key, value in plain.items() if key != "thinking_blocks"}
        if held:
            losses.append(lost("reasoning", ("messages", at, "thinking_blocks"), _WHY))
    return out or messages


def _without_notes(messages: Sequence[Any], losses: list[Loss]) -> Sequence[Any]:
    """The messages without LiteLLM's own keys. Those that had any become dicts. The same list if there are none.

    A signature that another provider put on a call is a loss.
    """
    noted = [at for at, message in enumerate(messages) if _is_noted(message)]
    out = [*messages] if noted else []
    for at in noted:
        out[at], signed = _bare(messages[at])
        losses += [lost("signature", ("messages", at, "tool_calls", place), _WHY) for place in signed]
    return out or messages


def _is_noted(message: Any) -> bool:
    # LiteLLM's replies have all of these keys, most with None. A message with only None there is not copied.
    if _has(message, notes.OF_MESSAGES):
        return True
    calls = _held(message, "tool_calls")
    return isinstance(calls, list) and any(_has(call, notes.OF_CALLS) for call in calls)


def _has(value: Any, keys: frozenset[str]) -> bool:
    """Whether one of these keys of a message or a call has a value. Most have none, and each step asks for all."""
    if type(value) is dict:
        return not keys.isdisjoint(value) and any(value.get(key) is not None for key in keys)
    if not _has_extra(type(value)):
        return any(_held(value, key) is not None for key in keys)
    fields, extra = value.__dict__, value.__pydantic_extra__
    for key in keys:  # noqa: SIM110 - a generator costs more, and each step asks for each message
        if fields.get(key) is not None or (extra and extra.get(key) is not None):
            return True
    return False


def _held(message: Any, key: str) -> Any:
    """A message's value under a key, without the exception that pydantic raises for a missing one, which is slow."""
    if type(message) is dict or _is_mapping(type(message)):
        return message.get(key)
    if not _has_extra(type(message)):
        return getattr(message, key, None)
    fields, extra = message.__dict__, message.__pydantic_extra__
    return fields[key] if key in fields else extra.get(key) if extra else None


def _bare(message: Any) -> tuple[Any, list[int]]:
    """A message without LiteLLM's own keys, and which of its calls another provider has signed."""
    plain: Any = message if isinstance(message, Mapping) else to_plain(message)
    if not isinstance(plain, Mapping):
        return message, []
    bare = {key: value for key, value in plain.items() if key not in notes.OF_MESSAGES}
    calls = bare.get("tool_calls")
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        return bare, []
    held = [call.get("provider_specific_fields") for call in calls]
    signed = [at for at, note in enumerate(held) if isinstance(note, Mapping) and note.get("thought_signature")]
    bare["tool_calls"] = [{key: call[key] for key in call if key not in notes.OF_CALLS} for call in calls]
    return bare, signed


def _elements(message: Any, left_out: frozenset[str] = notes.OF_MESSAGES) -> list[Element] | None:
    if type(message) is dict and None not in message.values():
        return [message]
    told = _is_mapping(type(message))
    # A reply is read from its fields: that alone is what `to_plain` would do with it.
    plain: Any = message if told else _read(message) or to_plain(message)
    if not told and not isinstance(plain, Mapping):
        return None
    # LiteLLM dumps a reply with all of its possible keys, and does not send those with None.
    gone = () if told else left_out
    return [{key: value for key, value in plain.items() if (value is not None or key == "content") and key not in gone}]


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [*elements]


def _without_any_notes(message: Any) -> list[Element] | None:
    elements = _elements(message)
    return elements and [*map(notes.without, elements)]


def _with_notes(message: Any, elements: list[Element]) -> list[Any]:
    """The elements with the notes of the message that they were written from."""
    whole: Element = next(iter(_elements(message, frozenset()) or ()), {})
    return [notes.restored(whole, element) for element in elements]
