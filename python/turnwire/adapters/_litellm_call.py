"""Prepares one call of LiteLLM, whose messages are always Chat Completions, by the rules of its provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any, Final

import litellm

from turnwire._adapt import to_plain
from turnwire._core import Change
from turnwire._core import _held as _read
from turnwire.types import DialectName

from . import _litellm_claude as claude
from . import _litellm_notes as notes
from ._changes import changed, lost
from ._foreign import domestic
from ._hosts import COMPATIBLE, of_litellm
from ._ledgers import Carrier
from ._places import Element, woven
from ._policy import Policy

__all__ = ["prepared", "target_of"]

# The keys of a message that have what OpenAI does not take.
_NOTABLE: Final = notes.OF_MESSAGES | {"thinking_blocks"}
_WHY: Final = "only the provider that made it takes it"
_AS_TEXT: Final = "reasoning of another dialect became text"
# Whether a class is a mapping. Asked for each message at each step, and an abstract class takes long to find out.
_is_mapping: Final[Callable[[type], bool]] = lru_cache(lambda kind: issubclass(kind, Mapping))


def prepared(policy: Policy, asked: dict[str, Any], row: DialectName | None = None) -> dict[str, Any]:
    """The arguments of a call, with its messages prepared for the model that it names. `row`: that of its server."""
    beside = {key: asked[key] for key in ("model", "tools", "tool_choice") if asked.get(key)}
    given, target = asked.get("messages") or [], row or policy.target or target_of(asked)
    # LiteLLM's own name of a conversation.
    session = asked.get("litellm_session_id")
    if policy.has_ledger and target in (None, "anthropic") and "claude" in str(asked.get("model")):
        return _for_claude(policy, asked, given, session)
    own, losses = domestic(given, policy.as_text)
    is_openais = target is not None and target.startswith("openai")
    own, read = _for_openai(own, target == "openai", policy.as_text, losses) if is_openais else (own, {})
    # A ledger knows nothing of LiteLLM's notes, and other providers need some of them, such as Gemini its signatures.
    keeps = policy.has_ledger and not is_openais
    idents = notes.signed_ids([_plain(message) or {} for message in own]) if keeps else {}
    messages = woven(
        policy,
        own,
        _without_any_notes if keeps else lambda message: read.get(id(message)) or _elements(message),
        (lambda message, elements: _with_notes(message, elements, idents)) if keeps else _rebuilt,
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


def target_of(asked: Mapping[str, Any]) -> DialectName | None:
    """The row of the server that a call goes to; None if LiteLLM writes another format for it."""
    try:
        provider = litellm.get_llm_provider(asked["model"], custom_llm_provider=asked.get("custom_llm_provider"))[1]
    except Exception:  # LiteLLM does not know the name, and will say so itself
        return None
    return of_litellm(provider, asked.get("api_base") or asked.get("base_url"))


def _for_openai(
    messages: Sequence[Any], no_thoughts: bool, as_text: bool, losses: list[Change]
) -> tuple[Sequence[Any], dict[int, list[Element]]]:
    """The messages without LiteLLM's own keys, and the elements of each, by its `id`. The same list if none has any.

    Those that had any become dicts. A signature that another provider put on a call is a loss. With `no_thoughts`,
    `thinking_blocks` go, too: LiteLLM would send them to OpenAI. With `as_text`, they become text. One pass does it
    all, because each step sends the whole list again.
    """
    out, read, same = [*messages], dict[int, list[Element]](), True
    for at, message in enumerate(messages):
        # Most messages have none of these keys. A reply is read from its fields, without those that have None.
        plain = message if type(message) is dict else _read(message) or _plain(message)
        if type(plain) is dict and _NOTABLE.isdisjoint(plain) and _has_bare_calls(plain.get("tool_calls")):
            read[id(message)] = [_dense(plain) if plain is message else plain]
            continue
        if plain is None:
            continue
        bare = plain
        if no_thoughts and plain.get("thinking_blocks") is not None:
            bare = _without_thoughts(plain, at, as_text, losses)
        if _is_noted(bare):
            bare, signed = _bare(bare)
            losses += [lost("signature", ("messages", at, "tool_calls", place), _WHY) for place in signed]
        if bare is not plain:
            out[at], same = bare, False
        read[id(out[at])] = [_dense(bare)]
    return messages if same else out, read


def _without_thoughts(message: Any, at: int, as_text: bool, losses: list[Change]) -> Any:
    """A message without `thinking_blocks`; with `as_text`, their words are text before its own."""
    bare = {key: value for key, value in message.items() if key != "thinking_blocks"}
    path, held = ("messages", at, "thinking_blocks"), message["thinking_blocks"]
    words = [block.get("thinking") for block in held if isinstance(block, Mapping)] if as_text else []
    said = [{"type": "text", "text": word} for word in words if isinstance(word, str) and word]
    if as_text and message.get("reasoning_content"):
        # LiteLLM's replies have the same words here, too, and the build writes them as text.
        return bare
    if said:
        content = message.get("content") or []
        bare["content"] = [*said, *([{"type": "text", "text": content}] if isinstance(content, str) else content)]
        losses.append(changed("reasoning", path, _AS_TEXT))
    elif held:
        losses.append(lost("reasoning", path, _WHY))
    return bare


def _plain(value: Any) -> Any:
    """A message or a call as a mapping; None for one of an unknown class."""
    if type(value) is dict or _is_mapping(type(value)):
        return value
    # A reply is read from its fields: that alone is what `to_plain` would do with it.
    plain = _read(value) or to_plain(value)
    return plain if isinstance(plain, Mapping) else None


def _dense(plain: Any) -> Element:
    """A message without keys that have None: LiteLLM dumps a reply with all of its possible keys, and sends no None."""
    if type(plain) is dict and None not in plain.values():
        return plain
    return {key: value for key, value in plain.items() if value is not None or key == "content"}


def _is_noted(message: Any) -> bool:
    # LiteLLM's replies have all of these keys, most with None. A message with only None there is not copied.
    calls = message.get("tool_calls")
    return _has(message, notes.OF_MESSAGES) or (
        isinstance(calls, list) and any(_has(_plain(call) or {}, notes.OF_CALLS) for call in calls)
    )


def _has_bare_calls(calls: object) -> bool:
    """Whether the calls of a message are dicts without LiteLLM's own keys. A loop, because each step asks for all."""
    if calls is None:
        return True
    if type(calls) is not list:
        return False
    for call in calls:  # noqa: SIM110
        if type(call) is not dict or not notes.OF_CALLS.isdisjoint(call):
            return False
    return True


def _has(value: Any, keys: frozenset[str]) -> bool:
    """Whether one of these keys has a value. Most messages and calls have none of the keys."""
    return not keys.isdisjoint(value) and any(value.get(key) is not None for key in keys)


def _bare(message: Any) -> tuple[Any, list[int]]:
    """A message without LiteLLM's own keys, and which of its calls another provider has signed."""
    bare = {key: value for key, value in message.items() if key not in notes.OF_MESSAGES}
    given = bare.get("tool_calls")
    calls: list[Any] = [*map(_plain, given)] if isinstance(given, list) else [None]
    if None in calls:
        return bare, []
    held = [call.get("provider_specific_fields") for call in calls]
    signed = [at for at, note in enumerate(held) if isinstance(note, Mapping) and note.get("thought_signature")]
    bare["tool_calls"] = [{key: call[key] for key in call if key not in notes.OF_CALLS} for call in calls]
    return bare, signed


def _elements(message: Any, left_out: frozenset[str] = notes.OF_MESSAGES) -> list[Element] | None:
    plain = _plain(message)
    if plain is None:
        return None
    dense = _dense(plain)
    # Only LiteLLM itself writes notes into a reply: a dict is the caller's.
    noted = plain is not message and not left_out.isdisjoint(dense)
    return [{key: value for key, value in dense.items() if key not in left_out} if noted else dense]


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [*elements]


def _without_any_notes(message: Any) -> list[Element] | None:
    elements = _elements(message)
    return elements and [*map(notes.without, elements)]


def _with_notes(message: Any, elements: list[Element], idents: Mapping[str, str]) -> list[Any]:
    """The elements with the notes of the message that they were written from, and Gemini's signatures in their ids."""
    whole: Element = next(iter(_elements(message, frozenset()) or ()), {})
    return [notes.signed(notes.restored(whole, element), idents) for element in elements]
