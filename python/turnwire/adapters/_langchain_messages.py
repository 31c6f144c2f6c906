"""Turns LangChain's messages into elements of `openai` and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ._places import Element

__all__ = ["elements_of", "is_openais", "rebuilt"]

_ROLES: Final[dict[str, type[BaseMessage]]] = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
# Blocks that repeat a call of `tool_calls`. LangChain sends the call, in the place of the block with its id.
_CALLS: Final = {"tool_use", "tool_call", "function_call", "invalid_tool_call"}
# The type of a block that only LangChain's own converters can read.
_OWN: Final = "langchain"
# The key for a block's index in its message, and the keys of a plain text block.
_AT: Final = "at"
_TEXT: Final = {"type", "text"}


def elements_of(message: BaseMessage) -> list[Element] | None:
    """The element of a message; None for an unknown class."""
    content: Any = message.content
    if isinstance(content, list):
        content = [_part(at, block) for at, block in enumerate(content)]
    if isinstance(message, ToolMessage):
        return [{"role": "tool", "tool_call_id": message.tool_call_id, "content": content}]
    role = next((role for role, kind in _ROLES.items() if isinstance(message, kind)), None)
    if role is None:
        return None
    element: Element = {"role": role, "content": content}
    if isinstance(message, AIMessage) and (calls := _calls(message)):
        element["tool_calls"] = calls
    return [element]


def rebuilt(message: BaseMessage | None, elements: list[Element]) -> list[BaseMessage]:
    """The messages for elements that were changed or made. They copy from `message` what the elements do not have."""
    return [
        _changed(message, element) if isinstance(message, _kind(element)) else _made(message, element)
        for element in elements
    ]


def _kind(element: Element) -> type[BaseMessage]:
    return ToolMessage if element["role"] == "tool" else _ROLES[element["role"]]


def _calls(message: AIMessage) -> list[Element]:
    texts = [(call, json.dumps(call["args"], ensure_ascii=False, default=str)) for call in message.tool_calls]
    texts += [(call, call["args"] or "") for call in message.invalid_tool_calls]
    return [
        {"id": call["id"] or "", "type": "function", "function": {"name": call["name"] or "", "arguments": text}}
        for call, text in texts
    ]


def is_openais(block: Any) -> bool:
    """Whether a block has media in the form of Chat Completions."""
    kind = block.get("type") if isinstance(block, dict) else None
    return kind == "image_url" or (kind in ("file", "input_audio") and kind in block)


def _part(at: int, block: Any) -> Element:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    if block.get("type") == "text" and isinstance(block.get("text"), str):
        # LangChain writes the block's other keys, such as its id in a reply.
        return dict(block) if block.keys() <= _TEXT else {"type": "text", "text": block["text"], _AT: at}
    if is_openais(block):
        return dict(block)
    return {"type": _OWN, _AT: at} if block.get("type") in _CALLS else {"type": _OWN, _AT: at, "block": block}


def _changed(message: BaseMessage, element: Element) -> BaseMessage:
    content: Any = element.get("content")
    if content is None:
        content = "" if isinstance(message.content, str) else []
    update: dict[str, Any] = {"content": content}
    calls: list[Element] = element.get("tool_calls") or []
    if isinstance(message, AIMessage):
        update |= _read(calls)
    elif isinstance(message, ToolMessage):
        update["tool_call_id"] = element["tool_call_id"]
    if isinstance(content, list):
        update["content"] = _blocks(message, content, calls)
    return message.model_copy(update=update)


def _blocks(message: BaseMessage | None, parts: list[Element], calls: Sequence[Element] = ()) -> list[Any]:
    """The content for blocks. LangChain's own blocks are taken from the message."""
    old: Any = [] if message is None else message.content
    # Each of the message's calls beside its new form. Calls with the same id are matched in order.
    new = (
        [*zip((call["id"] for call in _calls(message)), calls, strict=False)] if isinstance(message, AIMessage) else []
    )
    return [_block(old, part, new) for part in parts]


def _block(old: list[Any], part: Element, new: list[tuple[str, Element]]) -> Any:
    if part.get("type") == _OWN:
        return _again(old[part[_AT]], new)
    return {**old[part[_AT]], "text": part["text"]} if _AT in part else part


def _again(block: Any, new: list[tuple[str, Element]]) -> Any:
    """One of LangChain's own blocks. If it repeats a call, it gets the call's new form."""
    key = "call_id" if block["type"] == "function_call" else "id"
    found = (pair for pair in new if block["type"] in _CALLS and pair[0] == block.get(key))
    if (pair := next(found, None)) is None:
        return block
    new.remove(pair)
    call = pair[1]
    text = call["function"]["arguments"]
    said = {"arguments": text} if "arguments" in block else {"args" if "args" in block else "input": _args(text)}
    return {**block, key: call["id"], **said}


def _read(calls: list[Element]) -> dict[str, Any]:
    """A message's two lists of calls: those that LangChain can run, and the invalid ones."""
    valid, invalid = [], []
    for call in calls:
        text, name = call["function"]["arguments"], call["function"]["name"]
        args = _args(text)
        if isinstance(args, dict):
            valid.append({"type": "tool_call", "id": call["id"], "name": name, "args": args})
        else:
            invalid.append({"type": "invalid_tool_call", "id": call["id"], "name": name, "args": text, "error": None})
    return {"tool_calls": valid, "invalid_tool_calls": invalid}


def _args(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _made(message: BaseMessage | None, element: Element) -> BaseMessage:
    """A new message. It takes LangChain's own blocks from `message`, which may be of another kind."""
    content: Any = element.get("content") or ""
    if isinstance(content, list):
        content = _blocks(message, content)
    if element["role"] == "tool":
        return ToolMessage(content, tool_call_id=element["tool_call_id"], status="error")
    return _kind(element)(content=content, **(_read(element["tool_calls"]) if "tool_calls" in element else {}))
