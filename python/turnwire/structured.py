"""Structured content: history entries whose content is a list of text, tool_call and tool_result parts (spec 004).

An entry is `{"role": …, "content": …}`. Its content is a list of parts, or a str, which is the older form of one text:

    {"type": "text", "content": str}
    {"type": "tool_call", "content": {"name": str, "arguments": dict, "tool_call_id": str}}
    {"type": "tool_result", "name": str, "content": str | dict, "tool_call_id": str}

`tool_call_id` is optional. `convert` and `Conversation` read and write such lists as the dialect `structured`, in the
form that providers take today; `format_history` writes the tables of the specification to the letter. No function here
changes its input, and no result shares a container with it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from ._core import MAX_DEPTH
from ._log import logger
from .errors import ParseError, TurnwireError

__all__ = [
    "Entry",
    "content_to_text",
    "format_history",
    "normalize_history_turns",
    "parse_tool_response_payload",
    "tool_call_label",
]

Entry: TypeAlias = dict[str, Any]
"""`{"role": str, "content": list of parts or str}`."""

_logger: Final = logger.getChild("structured")
_UNKNOWN: Final = "unknown_tool"
# The roles of the assistant at both providers.
_ASSISTANTS: Final = ("gemini", "chatgpt", "assistant", "model")


def normalize_history_turns(history: Iterable[object]) -> list[Entry]:
    """The history with the content of every entry as a list of parts.

    An entry that is not a dict becomes a user's text with its repr and the key `placeholder`, and a warning is logged.
    Everything else stays: other keys, parts of other types, roles.

    Args:
        history: Entries `{"role": …, "content": …}`, whose content is a list of parts or a str.

    Raises:
        ParseError: `wrong_type`, a ValueError, for a content that is neither list nor str.
    """
    return [_normal(entry, at) for at, entry in enumerate(history)]


def content_to_text(content: object, include_tool_data: bool = False) -> str:
    """Content as plain text: its parts in order, with a space between them.

    Args:
        content: A list of parts, or a str, which is returned. None is empty.
        include_tool_data: Also write calls (name, and arguments as compact JSON), results (name and content) and parts
            of other types (as compact JSON), for counting tokens. Without it, only texts are written, for display.

    Raises:
        ParseError: `wrong_type`, a ValueError, for content that is neither.
        TurnwireError: `not_json` for tool data that JSON cannot hold.
    """
    if content is None:
        return ""
    said = (_said(part, include_tool_data) for part in _parts(content, "$"))
    return " ".join(text for text in said if text)


def tool_call_label(call: object = None) -> str:
    """The label of a call: `[Tool Call: name]`.

    Args:
        call: The part, its content, an `AssistantToolUse`, or the name. Without a name, the label has `unknown_tool`.
    """
    if _type_of(call) == "tool_call" and isinstance(call, Mapping) and isinstance(call.get("content"), Mapping):
        call = call["content"]
    name = call.get("name") if isinstance(call, Mapping) else getattr(call, "name", call)
    return f"[Tool Call: {name or _UNKNOWN}]"


def parse_tool_response_payload(payload: object) -> Any:
    """A tool's response as a JSON value.

    None becomes `{}`, and a dict is returned. JSON text is parsed, whether it has an object or not. Any other text or
    value becomes `{"result": value}`.

    Args:
        payload: What the tool returned.
    """
    if payload is None:
        return {}
    if isinstance(payload, dict):
        return payload
    if not isinstance(payload, str):
        return {"result": payload}
    try:
        return json.loads(payload, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return {"result": payload}


def format_history(history: Iterable[object], provider: Literal["gemini", "chatgpt"] = "gemini") -> list[Entry]:
    """The history in the form of a provider, by the tables of the specification.

    For `gemini`: roles `user`, `model` and `function`, parts `text`, `function_call` and `function_response`, in
    snake_case. Today's API takes role `user` for results, and camelCase: `convert(history, "structured", "gemini")`
    writes that. For `chatgpt`: messages with the roles `user`, `assistant` and `tool`, one `tool` message for each
    result. Calls and results without ids are paired in order, and get ids.

    Nothing is dropped. The assistant of another provider becomes the assistant. An entry that is not a dict, or a part
    of another type, becomes a user's text with its repr, and a warning is logged. System text keeps its role, although
    Gemini's API takes it beside the list.

    Args:
        history: Entries `{"role": …, "content": …}`, whose content is a list of parts or a str.
        provider: The provider whose form to write.

    Raises:
        ParseError: A ValueError: `wrong_type` for a content that is neither list nor str; `unknown_role`, `missing_key`
            for an entry with an unknown role or none.
        TurnwireError: `unknown_option` for another provider; `not_json` for arguments or results that JSON cannot hold.
    """
    if provider not in ("gemini", "chatgpt"):
        raise TurnwireError(f'expected "gemini" or "chatgpt", got {provider!r}', code="unknown_option")
    entries = [(_role(entry, at), entry["content"]) for at, entry in enumerate(normalize_history_turns(history))]
    if provider == "gemini":
        return [_content(role, parts) for role, parts in entries]
    chat = _Chat()
    for at, (role, parts) in enumerate(entries):
        chat.add(at, role, parts)
    return chat.messages


def _content(role: str, parts: list[Any]) -> Entry:
    """An entry as a Gemini content."""
    roles = {"user": "user", "assistant": "model", "tool": "function", "system": "system"}
    return {"role": roles[role], "parts": [_gemini_part(part) for part in parts]}


def _gemini_part(part: Any) -> dict[str, Any]:
    kind, said = _type_of(part), _inner(part)
    if kind == "text":
        return {"text": _text(said)}
    if kind == "tool_call":
        call = said if isinstance(said, Mapping) else {}
        args = call.get("arguments")
        return {"function_call": {"name": _name(call), "args": {} if args is None else _object(args)}}
    if kind == "tool_result":
        value = parse_tool_response_payload(said)
        response = value if isinstance(value, dict) else {"result": value}
        made = {"name": _name(part), "response": response}
        return {"function_response": made | ({"id": part["tool_call_id"]} if part.get("tool_call_id") else {})}
    return {"text": _odd(part)}


class _Chat:
    """Messages of Chat Completions, and the calls that have no result yet."""

    def __init__(self) -> None:
        self.messages: list[Entry] = []
        self.open: deque[tuple[str, str]] = deque()

    def add(self, at: int, role: str, parts: list[Any]) -> None:
        calls = [self.call(part, f"call_{at}_{number}") for number, part in _of(parts, "tool_call")]
        results = [self.result(part, f"call_{at}_{number}") for number, part in _of(parts, "tool_result")]
        rest = [part for part in parts if _type_of(part) not in ("tool_call", "tool_result")]
        texts = [_text(_inner(part)) if _type_of(part) == "text" else _odd(part) for part in rest]
        said = " ".join(text for text in texts if text)
        if role == "tool" and said and not results:
            # The older form: the tool's text and nothing else.
            results, said = [self.result({"content": said}, f"call_{at}_0")], ""
        self.messages += results
        speaker = "assistant" if calls else "user" if role == "tool" else role
        if calls:
            self.messages.append({"role": speaker, "content": said or None, "tool_calls": calls})
        elif said or not results:
            self.messages.append({"role": speaker, "content": said})

    def call(self, part: Any, made_up: str) -> dict[str, Any]:
        said = _inner(part)
        call = said if isinstance(said, Mapping) else {}
        name, id = _name(call), str(call.get("tool_call_id") or made_up)
        self.open.append((name, id))
        args = call.get("arguments")
        text = args if isinstance(args, str) else "{}" if args is None else _json(args)
        return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}

    def result(self, part: Any, made_up: str) -> dict[str, Any]:
        id = part.get("tool_call_id")
        open_ids = [call for _, call in self.open]
        same = [call for name, call in self.open if name == part.get("name")]
        id = str(id) if id else next(iter(same or open_ids), made_up)
        self.open = deque(call for call in self.open if call[1] != id)
        said = _inner(part)
        return {"role": "tool", "tool_call_id": id, "content": "" if said is None else _text(said)}


def _normal(entry: object, at: int) -> Entry:
    if isinstance(entry, Mapping):
        parts = _parts(entry.get("content"), f"$[{at}].content")
        return {**_copied(entry), "content": [_copied(part) for part in parts]}
    _logger.warning("history entry %d is a %s and no dict: its repr replaces it", at, type(entry).__name__)
    return {"role": "user", "content": [{"type": "text", "content": repr(entry)}], "placeholder": True}


def _parts(content: object, path: str) -> Sequence[Any]:
    """A content as a list of parts. A str in it is a text."""
    if isinstance(content, str):
        return [{"type": "text", "content": content}]
    if isinstance(content, list | tuple):
        return [{"type": "text", "content": part} if isinstance(part, str) else part for part in content]
    text = f"History content must be a list or string (actual type: {type(content).__name__})"
    raise ParseError(text, code="wrong_type", path=path, dialect="structured")


def _role(entry: Entry, at: int) -> str:
    """The role of an entry: user, assistant of any provider, tool, or system."""
    role = entry.get("role")
    if role in _ASSISTANTS:
        return "assistant"
    if isinstance(role, str) and role in ("user", "tool", "system"):
        return role
    if role is None:
        raise ParseError('expected the key "role"', code="missing_key", path=f"$[{at}]", dialect="structured")
    text = f"expected one of user, gemini, chatgpt, tool, system, got {role!r}"
    raise ParseError(text, code="unknown_role", path=f"$[{at}].role", dialect="structured")


def _said(part: Any, include_tool_data: bool) -> str:
    kind, said = _type_of(part), _inner(part)
    if kind == "text":
        return _text(said)
    if not include_tool_data:
        return ""
    if kind == "tool_call":
        call = said if isinstance(said, Mapping) else {}
        return f"{_name(call)} {_text(call.get('arguments', {}))}"
    if kind == "tool_result":
        words = (str(part.get("name") or ""), "" if said is None else _text(said))
        return " ".join(word for word in words if word)
    return _text(said) if kind == "reasoning" else _json(part)


def _of(parts: list[Any], kind: str) -> list[tuple[int, Any]]:
    return [(number, part) for number, part in enumerate(parts) if _type_of(part) == kind]


def _type_of(part: object) -> Any:
    return part.get("type") if isinstance(part, Mapping) else None


def _inner(part: object) -> Any:
    return part.get("content") if isinstance(part, Mapping) else None


def _name(holder: Mapping[str, Any]) -> str:
    return str(holder.get("name") or _UNKNOWN)


def _object(args: Any) -> Any:
    """Arguments as a parsed object, if they are text with one. Anything else stays unchanged."""
    if not isinstance(args, str):
        return args
    value = parse_tool_response_payload(args)
    return value if isinstance(value, dict) and value != {"result": args} else args


def _odd(part: object) -> str:
    """The text for a part that is in no table of the specification."""
    _logger.warning("a part of type %r is none of structured content: its repr replaces it", _type_of(part))
    return repr(part)


def _text(value: Any) -> str:
    """A str itself, anything else as compact JSON."""
    return value if isinstance(value, str) else "" if value is None else _json(value)


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TurnwireError(f"JSON cannot hold this: {error}", code="not_json") from error


def _copied(value: Any, depth: int = MAX_DEPTH) -> Any:
    """New containers around the same leaves."""
    if depth == 0:
        raise ParseError(f"expected at most {MAX_DEPTH} levels", code="too_deep", dialect="structured")
    if isinstance(value, Mapping):
        return {key: _copied(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(item, depth - 1) for item in value]
    return value


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON")
