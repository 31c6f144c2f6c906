"""What stored sets and the messages of templates may not be, by their documentation and by specs 003 and 004.

They are stored, not sent, so few things are refused: a wrong speaker, a malformed call or result, and a call without
its result right after it. Unknown keys may be anywhere.
"""

import json
from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

# What LLaMA-Factory writes between the results of parallel calls.
BETWEEN = "\n</tool_response>\n<tool_response>\n"


def _elements(payload: Any, key: str) -> Iterator[tuple[str, dict[str, Any]] | Problem]:
    """Every element that is an object, with its path."""
    found = payload.get(key) if isinstance(payload, dict) else payload
    at = key if isinstance(payload, dict) else ""
    if not isinstance(found, list) or not found:
        yield Problem("list", at, "no list of something")
        return
    for index, element in enumerate(found):
        if isinstance(element, dict):
            yield f"{at}[{index}]", element
        else:
            yield Problem("type", f"{at}[{index}]", "no object")


class Pairs:
    """The open calls, and whether results answer all of them, in their order, after the assistant's text."""

    def __init__(self) -> None:
        self.open: list[Any] = []
        self.at, self.answering = "", False

    def calls(self, at: str, names: list[Any]) -> Iterator[Problem]:
        if self.answering:
            yield from self.others()
        self.at = at
        self.open += names

    def result(self, at: str, name: Any = None) -> Iterator[Problem]:
        """`name`: the tool's name in the result, where it needs one."""
        self.answering = True
        if not self.open:
            yield Problem("orphan", at, "a result of no call")
        elif name is not None and name != self.open[0]:
            yield Problem("result.name", at, f"{name!r} for {self.open[0]!r}")
        self.open = self.open[1:]

    def others(self, *, assistant: bool = False) -> Iterator[Problem]:
        if assistant and not self.answering:
            return
        if self.open:
            yield Problem("unanswered", self.at, repr(self.open))
        self.open, self.answering = [], False


def _call(inner: Any, key: str, at: str) -> Iterator[Problem]:
    if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
        yield Problem("name", at, "a call without a name")
    elif not isinstance(inner.get(key), dict):
        yield Problem("arguments", at, repr(inner.get(key)))


def _content(element: dict[str, Any], at: str, *, listed: bool, key: str = "text") -> Iterator[Problem]:
    content = element.get("content")
    if not isinstance(content, str) and not (listed and isinstance(content, list)):
        yield Problem("content", f"{at}.content", repr(content))
    for index, part in enumerate(content if isinstance(content, list) and listed else ()):
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, str) and (
            not isinstance(part, dict) or (kind == "text" and not isinstance(part.get(key), str))
        ):
            yield Problem("part", f"{at}.content[{index}]", repr(part))


def hugging_face(payload: Any) -> Iterator[Problem]:
    """Chat Completions with objects as arguments; results come in the order of their calls and name their tool."""
    yield from characters(payload, "")
    pairs = Pairs()
    for found in _elements(payload, "messages"):
        if isinstance(found, Problem):
            yield found
            continue
        at, element = found
        role, calls = element.get("role"), element.get("tool_calls")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield Problem("role", at, repr(role))
        if element.get("content") is not None:
            yield from _content(element, at, listed=True)
        if role == "tool":
            yield from pairs.result(at, element.get("name") or "")
        elif role == "assistant" and calls:
            made = calls if isinstance(calls, list) else [calls]
            names = [call.get("function") if isinstance(call, dict) else None for call in made]
            for inner in names:
                yield from _call(inner, "arguments", f"{at}.tool_calls")
            yield from pairs.calls(at, [inner.get("name") if isinstance(inner, dict) else None for inner in names])
        else:
            yield from pairs.others(assistant=role == "assistant")
    yield from pairs.others()


def sharegpt(payload: Any) -> Iterator[Problem]:
    """A speaker and one text each; the sides alternate; a call is JSON text; system text comes first."""
    yield from characters(payload, "")
    pairs, side = Pairs(), None
    for number, found in enumerate(_elements(payload, "conversations")):
        if isinstance(found, Problem):
            yield found
            continue
        at, element = found
        role, words = element.get("from"), element.get("value")
        if role not in ("human", "gpt", "function_call", "observation", "system") or (role == "system" and number):
            yield Problem("role", at, repr(role))
        if role != "system":
            asks = role in ("human", "observation")
            if asks == side:
                yield Problem("alternation", at, repr(role))
            side = asks
        if not isinstance(words, str):
            yield Problem("content", f"{at}.value", repr(words))
        elif role == "observation":
            for _ in words.split(BETWEEN):
                yield from pairs.result(at)
        elif role == "function_call":
            calls = _json(words)
            for call in calls if isinstance(calls, list) else [calls]:
                name = call.get("name") if isinstance(call, dict) else None
                if not isinstance(name, str) or not isinstance(call.get("arguments"), dict | str):
                    yield Problem("call", f"{at}.value", words)
                yield from pairs.calls(at, [name])
        else:
            yield from pairs.others(assistant=role == "gpt")
    yield from pairs.others()


def _json(words: str) -> Any:
    try:
        return json.loads(words)
    except ValueError:
        return None


def _calls_in(words: str) -> list[str]:
    """The names of the calls in one of Llama's texts."""
    found = _json(words) if words.lstrip()[:1] in ("{", "[") else None
    calls = found if isinstance(found, list) else [found]
    keyed = [call for call in calls if isinstance(call, dict) and set(call) - {"type"} == {"name", "parameters"}]
    sound = [call for call in keyed if isinstance(call["name"], str) and isinstance(call["parameters"], dict)]
    return [call["name"] for call in sound] if len(sound) == len(calls) else []


def llama(payload: Any) -> Iterator[Problem]:
    """Only text: a result is the user's JSON text; system text comes first."""
    yield from characters(payload, "")
    pairs, head = Pairs(), True
    for found in _elements(payload, "messages"):
        if isinstance(found, Problem):
            yield found
            continue
        at, element = found
        role, words = element.get("role"), element.get("content")
        if role not in ("system", "user", "assistant") or (role == "system" and not head):
            yield Problem("role", at, repr(role))
        head = head and role == "system"
        yield from _content(element, at, listed=False)
        if "tool_calls" in element:
            yield Problem("call", at, "an endpoint that knows no tools")
        told = _json(words) if isinstance(words, str) and role == "user" else None
        result = told.get("tool_result") if isinstance(told, dict) and len(told) == 1 else None
        if isinstance(result, dict) and "result" in result and set(result) <= {"name", "result"}:
            yield from pairs.result(at, result.get("name"))
        elif role == "assistant" and isinstance(words, str) and (names := _calls_in(words)):
            yield from pairs.calls(at, names)
        else:
            yield from pairs.others(assistant=role == "assistant")
    yield from pairs.others()


def llama_3(payload: Any) -> Iterator[Problem]:
    """The template: the key for calls has one call and no other key beside it; a result has its own role."""
    yield from characters(payload, "")
    pairs, head = Pairs(), True
    for found in _elements(payload, "messages"):
        if isinstance(found, Problem):
            yield found
            continue
        at, element = found
        role = element.get("role")
        if role not in ("system", "user", "assistant", "ipython", "tool") or (role == "system" and not head):
            yield Problem("role", at, repr(role))
        head = head and role == "system"
        if role in ("ipython", "tool"):
            if "content" not in element:
                yield Problem("content", at, "a result that says nothing")
            yield from pairs.result(at)
            continue
        if "tool_calls" not in element:
            yield from _content(element, at, listed=False)
            yield from pairs.others(assistant=role == "assistant")
            continue
        calls = element["tool_calls"]
        if role != "assistant" or not isinstance(calls, list) or len(calls) != 1 or element.get("content"):
            yield Problem("call", at, "one call of an assistant's, and nothing beside it")
        for call in calls if isinstance(calls, list) else ():
            inner = call.get("function", call) if isinstance(call, dict) else None
            yield from _call(inner, "arguments", f"{at}.tool_calls")
            yield from pairs.calls(at, [inner.get("name") if isinstance(inner, dict) else None])
    yield from pairs.others()


def structured(payload: Any) -> Iterator[Problem]:
    """Spec 004: a role and parts, or one text."""
    yield from characters(payload, "")
    for found in _elements(payload, ""):
        if isinstance(found, Problem):
            yield found
            continue
        at, element = found
        if element.get("role") not in ("system", "user", "gemini", "chatgpt", "tool"):
            yield Problem("role", at, repr(element.get("role")))
        yield from _content(element, at, listed=True, key="content")
        content = element.get("content")
        for index, part in enumerate(content if isinstance(content, list) else ()):
            kind = part.get("type") if isinstance(part, dict) else None
            if kind == "tool_call":
                inner = part.get("content")
                if not isinstance(inner, dict) or not isinstance(inner.get("arguments"), dict | str):
                    yield Problem("arguments", f"{at}.content[{index}]", repr(inner))
            if kind in ("tool_call", "tool_result"):
                named = part.get("content") if kind == "tool_call" else part
                if not isinstance(named, dict) or not isinstance(named.get("name"), str):
                    yield Problem("name", f"{at}.content[{index}]", "of no tool")
    yield from _pairs_of(payload)


def _pairs_of(payload: Any) -> Iterator[Problem]:
    """Each call has one result after it: by its id; where one of the two has no id, by its name and in order."""
    open_calls: list[tuple[str, Any, Any]] = []
    for at, element in enumerate(payload if isinstance(payload, list) else ()):
        for index, part in enumerate(_parts(element)):
            inner, here = part.get("content"), f"[{at}].content[{index}]"
            if part.get("type") == "tool_call" and isinstance(inner, dict):
                open_calls.append((here, inner.get("tool_call_id") or None, inner.get("name")))
            elif part.get("type") == "tool_result":
                wanted, name = part.get("tool_call_id") or None, part.get("name")
                fits = [one for one in open_calls if wanted and one[1] == wanted]
                fits += [one for one in open_calls if not (wanted and one[1]) and name in (one[2], None, "unknown")]
                if fits:
                    open_calls.remove(fits[0])
                else:
                    yield Problem("orphan", here, repr(wanted))
    for here, call_id, _ in open_calls:
        yield Problem("unanswered", here, repr(call_id))


def _parts(element: Any) -> list[dict[str, Any]]:
    """The parts of an entry; text of a tool is a result without a name."""
    content = element.get("content") if isinstance(element, dict) else None
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    if (
        isinstance(element, dict)
        and element.get("role") == "tool"
        and all(part.get("type") == "text" for part in parts)
    ):
        return [{"type": "tool_result"}] if content else []
    return parts
