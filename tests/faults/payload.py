"""Where things stand in a payload of each dialect: what a fault takes hold of, written once for all of them."""

import copy
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQK"

# The value of a key that shall not be there at all.
ABSENT = object()


class NoPlaceError(Exception):
    """A payload that has nothing which this fault could spoil."""


def put(holder: Json, key: str, value: Any) -> None:
    """Sets a key, or takes it away. A container is copied, so that two cases never share one."""
    if value is ABSENT:
        holder.pop(key, None)
    else:
        holder[key] = copy.deepcopy(value)


def plain(value: Any) -> Any:
    """Objects as what they say of themselves, as SDKs send them; tuples as lists."""
    if callable(dump := getattr(value, "model_dump", None)):
        return plain(dump(mode="json", by_alias=True, exclude_none=True))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def text(words: Any) -> Json:
    return {"type": "text", "text": words}


@dataclass
class Call:
    """A call: the turn that makes it, its list, itself, and where its name and its arguments stand."""

    turn: Json
    siblings: list[Any]
    node: Json
    inner: Json
    id_key: str
    args_key: str

    @property
    def id(self) -> Any:
        return self.node.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.node, self.id_key, value)

    @property
    def name(self) -> Any:
        return self.inner.get("name")


@dataclass
class Result:
    """A result: the list of the payload's list that holds it, its own list, itself."""

    element: Json
    siblings: list[Any]
    node: Json
    id_key: str

    @property
    def id(self) -> Any:
        return self.node.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.node, self.id_key, value)


class Payload:
    """A payload that faults may change, with the dice that say where."""

    def __init__(self, dialect: str, body: Any, dice: random.Random, first_word: int = 1):
        self.dialect, self.body, self.dice = dialect, copy.deepcopy(body), dice
        self._words = itertools.count(first_word)

    def word(self) -> str:
        """A word that stands nowhere else."""
        return f"w{next(self._words)}z"

    def some(self, places: Sequence[T]) -> T:
        """One of them; the first and the last more often than the others."""
        if not places:
            raise NoPlaceError
        return self.dice.choice([places[0], places[-1], self.dice.choice(places)])

    # --- Elements and turns ---

    @property
    def elements(self) -> list[Any]:
        """The payload's list itself."""
        found = self.body if isinstance(self.body, list) else self.body.get("messages")
        if not isinstance(found, list):
            raise NoPlaceError
        return found

    def roles(self) -> Iterator[tuple[str, Json]]:
        """Every turn with its role: the object that holds the content."""
        for element in self.elements:
            if not isinstance(element, dict):
                continue
            if self.dialect == "amazon-q":
                for role, key in (("user", "userInputMessage"), ("assistant", "assistantResponseMessage")):
                    if isinstance(element.get(key), dict):
                        yield role, element[key]
            else:
                inner = element.get("body")
                turn = inner if self.dialect == "history" and isinstance(inner, dict) else element
                yield str(turn.get("role")), turn

    def turns(self, *roles: str) -> list[Json]:
        return [turn for role, turn in self.roles() if role in roles]

    def plain(self, *roles: str) -> list[Json]:
        """Turns that neither call nor answer."""
        busy = [id(call.turn) for call in self.calls()] + [id(self.unwrapped(one.element)) for one in self.results()]
        return [turn for turn in self.turns(*roles) if id(turn) not in busy]

    def unwrapped(self, element: Json) -> Json:
        """The turn of an element."""
        if self.dialect == "amazon-q":
            return element.get("userInputMessage") or element.get("assistantResponseMessage") or element
        inner = element.get("body")
        return inner if self.dialect == "history" and isinstance(inner, dict) else element

    def message(self, role: str, content: Any) -> Json:
        """A new element."""
        if self.dialect == "amazon-q":
            key = "userInputMessage" if role == "user" else "assistantResponseMessage"
            return {key: {"content": content}}
        return {"role": role, "content": content}

    def insert(self, at: int, element: Json) -> None:
        self.elements.insert(at, element)

    def at(self, turn: Json) -> int:
        """Where the turn's element stands in the list."""
        for index, element in enumerate(self.elements):
            if isinstance(element, dict) and self.unwrapped(element) is turn:
                return index
        raise NoPlaceError

    # --- Content ---

    def blocks(self, turn: Json) -> list[Any]:
        """The turn's content as a list, made one where it is text."""
        content = turn.get("content")
        if isinstance(content, str):
            turn["content"] = content = [text(content)] if content else []
        if not isinstance(content, list):
            raise NoPlaceError
        return content

    def texts(self) -> list[tuple[Json, str]]:
        """Every text that somebody says: its holder and its key."""
        found: list[tuple[Json, str]] = []
        for _, turn in self.roles():
            blocks = _dicts(turn.get("content"))
            found += [(turn, "content"), *((block, "text") for block in blocks if block.get("type") == "text")]
        return [(holder, key) for holder, key in found if isinstance(holder.get(key), str) and holder[key]]

    def image(self, data: str = PNG, kind: str = "png") -> Json:
        """An image block of this dialect."""
        if self.dialect == "openai":
            return {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{data}"}}
        if self.dialect == "amazon-q":
            return {"format": kind, "source": {"bytes": data}}
        source = {"type": "base64", "media_type": f"image/{kind}", "data": data}
        return {"type": "image", "source": source}

    # --- Calls, results, tools ---

    def calls(self) -> list[Call]:
        return [call for _, turn in self.roles() for call in self._calls_of(turn)]

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        if self.dialect == "amazon-q":
            for node in _dicts(turn.get("toolUses")):
                yield Call(turn, turn["toolUses"], node, node, "toolUseId", "input")
            return
        for key in ("tool_calls", "toolCalls"):
            for node in _dicts(turn.get(key)):
                kind = "custom" if node.get("type") == "custom" else "function"
                inner = node[kind] if isinstance(node.get(kind), dict) else node
                yield Call(turn, turn[key], node, inner, "id", "input" if kind == "custom" else "arguments")
        for node in _dicts(turn.get("content")) if self.dialect != "openai" else ():
            if node.get("type") == "tool_use":
                yield Call(turn, turn["content"], node, node, "id", "input")

    def results(self) -> list[Result]:
        elements = [element for element in self.elements if isinstance(element, dict)]
        return [result for element in elements for result in self._results_of(element)]

    def _results_of(self, element: Json) -> Iterator[Result]:
        turn = self.unwrapped(element)
        if self.dialect == "amazon-q":
            context = turn.get("userInputMessageContext")
            context = context if isinstance(context, dict) else {}
            for node in _dicts(context.get("toolResults")):
                yield Result(element, context["toolResults"], node, "toolUseId")
        elif self.dialect == "openai":
            if turn.get("role") == "tool":
                yield Result(element, self.elements, turn, "tool_call_id")
        else:
            for node in _dicts(turn.get("content")):
                if node.get("type") == "tool_result" or (turn.get("role") == "tool" and "tool_use_id" in node):
                    yield Result(element, turn["content"], node, "tool_use_id")

    def result_element(self, node: Json) -> Json:
        """An element that holds this result and nothing else."""
        if self.dialect == "openai":
            return node
        if self.dialect == "amazon-q":
            return {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": [node]}}}
        return {"role": "user" if "type" in node else "tool", "content": [node]}

    def calling(self, node: Json) -> Json:
        """A new element of an assistant that makes this call and says nothing."""
        if self.dialect == "openai":
            return {"role": "assistant", "content": None, "tool_calls": [node]}
        if self.dialect == "amazon-q":
            return {"assistantResponseMessage": {"content": "", "toolUses": [node]}}
        return {"role": "assistant", "content": [node]}

    def made_result(self, call_id: Any) -> Json:
        """A new result, as this dialect keeps one."""
        words = f"said {self.word()}"
        if self.dialect == "openai":
            return {"role": "tool", "tool_call_id": call_id, "content": words}
        if self.dialect == "amazon-q":
            return {"toolUseId": call_id, "content": [{"text": words}], "status": "success"}
        made = {"type": "tool_result", "tool_use_id": call_id, "content": words}
        return made | ({"tool_name": "look"} if self.dialect == "history" else {})

    def take(self, result: Result) -> Json:
        """Takes a result out; an element that held nothing else goes with it."""
        _remove(result.siblings, result.node)
        turn = self.unwrapped(result.element)
        if result.siblings is self.elements:
            return result.node
        if not result.siblings and not (self.dialect == "amazon-q" and (turn.get("content") or turn.get("images"))):
            _remove(self.elements, result.element)
        return result.node

    def results_of(self, calls: Sequence[Call]) -> list[Result]:
        ids = [call.id for call in calls]
        return [one for one in self.results() if one.id in ids]

    def parallel(self) -> list[Call]:
        """The calls of one turn that makes several."""
        by_turn: dict[int, list[Call]] = {}
        for call in self.calls():
            by_turn.setdefault(id(call.turn), []).append(call)
        return self.some([calls for calls in by_turn.values() if len(calls) > 1])

    def rename(self, call: Call, new: Any) -> None:
        """Gives a call another id, and its results with it."""
        for result in self.results_of([call]):
            result.id = new
        call.id = new

    def tools(self) -> list[Json]:
        """The tool definitions of the caller's own: what holds their names."""
        found = _dicts(self.body.get("tools")) if isinstance(self.body, dict) else []
        inner = [tool[key] for tool in found for key in ("function", "custom") if isinstance(tool.get(key), dict)]
        return [tool for tool in (*found, *inner) if "name" in tool]

    # --- Words ---

    def mark(self) -> None:
        """Adds a word of its own to each text, result, argument and description, so that none can vanish unseen."""
        for holder, key in self.texts():
            holder[key] += f" {self.word()}"
        for result in self.results():
            self._mark_content(result.node)
        for call in self.calls():
            args = call.inner.get(call.args_key)
            if isinstance(args, dict):
                args["w"] = self.word()
            elif isinstance(args, str) and isinstance(read := _read(args), dict):
                call.inner[call.args_key] = json.dumps(read | {"w": self.word()})
        if isinstance(self.body, dict) and isinstance(self.body.get("system"), str):
            self.body["system"] += f" {self.word()}"
        for tool in self.tools():
            if isinstance(tool.get("description"), str):
                tool["description"] += f" {self.word()}"

    def _mark_content(self, node: Json) -> None:
        content = node.get("content")
        if isinstance(content, str) and node.get("role") != "tool":
            node["content"] += f" {self.word()}"
        for block in _dicts(content):
            if isinstance(block.get("text"), str) and node.get("role") != "tool":
                block["text"] += f" {self.word()}"


def _dicts(value: Any) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _remove(items: list[Any], wanted: Any) -> None:
    """Removes this very object."""
    for index, item in enumerate(items):
        if item is wanted:
            del items[index]
            return


def _read(words: str) -> Any:
    try:
        return json.loads(words)
    except ValueError:
        return None
