"""Where things are in a payload: what a fault changes, in formats whose turns have a role and content."""

import copy
import itertools
import json
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

Json = dict[str, Any]
T = TypeVar("T")

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQK"

# The value of a key that must be missing.
ABSENT = object()


class NoPlaceError(Exception):
    """The payload has nothing that this fault could spoil."""


def put(holder: Json, key: str, value: Any) -> None:
    """Sets a key, or removes it. A container is copied, so that two cases never share one."""
    if value is ABSENT:
        holder.pop(key, None)
    else:
        holder[key] = copy.deepcopy(value)


def plain(value: Any) -> Any:
    """Objects as their own dumps, as SDKs send them; tuples as lists."""
    if callable(dump := getattr(value, "model_dump", None)):
        return plain(dump(mode="json", by_alias=True, exclude_none=True))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def text(words: Any) -> Json:
    return {"type": "text", "text": words}


@dataclass
class Call:
    """A call: its turn, its list, the call itself, and where its name and its arguments are."""

    turn: Json
    siblings: list[Any]
    node: Json
    inner: Json
    id_key: str
    args_key: str
    name_key: str = "name"

    @property
    def id(self) -> Any:
        return self.node.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.node, self.id_key, value)

    @property
    def name(self) -> Any:
        return self.inner.get(self.name_key)


@dataclass
class Result:
    """A result: the outer list, its own list, the result itself, and where its text is."""

    element: Json
    siblings: list[Any]
    node: Json
    id_key: str
    content_key: str = "content"

    @property
    def id(self) -> Any:
        return self.node.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.node, self.id_key, value)


@dataclass
class InnerCall(Call):
    """A result whose inner object has the id, too."""

    @property
    def id(self) -> Any:
        return self.inner.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.inner, self.id_key, value)


@dataclass
class InnerResult(Result):
    """The same of a result."""

    inner: Json = field(default_factory=dict)

    @property
    def id(self) -> Any:
        return self.inner.get(self.id_key)

    @id.setter
    def id(self, value: Any) -> None:
        put(self.inner, self.id_key, value)


class Payload:
    """A payload that faults may change, with its random numbers. Each dialect has a class of its own."""

    # The dialect's name, where the file has another one.
    NAME: ClassVar[str | None] = None
    # Its profiles, which have other limits.
    PROFILES: ClassVar[tuple[str, ...]] = ()
    # Whether few of its faults are converted to other dialects: another dialect of its kind already covers them.
    RARE: ClassVar[bool] = False
    # Whether calls have ids, which can be wrong.
    HAS_IDS: ClassVar[bool] = True
    # The options to read a payload as this dialect.
    READ: ClassVar[dict[str, Any]] = {}
    # The groups of `fault.py` that the dialect belongs to.
    GROUPS: ClassVar[tuple[str, ...]] = ()
    # The keys of a body's list, its system text and its tool choice; and the key of a tool's schema.
    LIST: ClassVar[str] = "messages"
    # The key of a turn's content.
    CONTENT: ClassVar[str] = "content"
    SYSTEM: ClassVar[str | None] = None
    CHOICE: ClassVar[str] = "tool_choice"
    SCHEMA: ClassVar[str] = "parameters"
    # The caller's keys which say that the server holds the earlier messages.
    CONTINUES: ClassVar[tuple[str, ...]] = ()
    # Whether each result is an element of the list, with nothing beside it.
    RESULTS_ALONE: ClassVar[bool] = False
    # Whether adjacent elements are merged without a report, so that an element need not come back as it was.
    MERGES: ClassVar[bool] = False

    def __init__(self, body: Any, dice: random.Random, first_word: int = 1):
        # Many copies are made in vain, and this is the fastest way to copy.
        self.body, self.dice = pickle.loads(pickle.dumps(body)), dice
        self._words = itertools.count(first_word)
        self.read()

    def read(self) -> None:
        """Parses JSON text."""

    def made(self) -> Any:
        """The payload as it is sent."""
        return self.body

    def again(self) -> Self:
        """Another copy of the payload."""
        return type(self)(self.body, self.dice)

    def word(self) -> str:
        """A word that appears nowhere else."""
        return f"w{next(self._words)}z"

    def some(self, places: Sequence[T]) -> T:
        """One of them at random; the first and the last more often than the others."""
        if not places:
            raise NoPlaceError
        return self.dice.choice([places[0], places[-1], self.dice.choice(places)])

    # --- Elements and turns ---

    @classmethod
    def list_of(cls, body: Any) -> Any:
        """The list of a payload: a body's, or the payload itself."""
        return body if isinstance(body, list) else body.get(cls.LIST)

    @property
    def elements(self) -> list[Any]:
        """The payload's list itself."""
        found = self.list_of(self.body)
        if not isinstance(found, list):
            raise NoPlaceError
        return found

    def roles(self) -> Iterator[tuple[str, Json]]:
        """Every turn with its role: the object that holds the content."""
        for element in self.elements:
            if isinstance(element, dict):
                turn = self.unwrapped(element)
                yield str(turn.get("role")), turn

    def turns(self, *roles: str) -> list[Json]:
        return [turn for role, turn in self.roles() if role in roles]

    def plain(self, *roles: str) -> list[Json]:
        """Turns without calls and results."""
        busy = [id(call.turn) for call in self.calls()] + [id(self.unwrapped(one.element)) for one in self.results()]
        return [turn for turn in self.turns(*roles) if id(turn) not in busy]

    def unwrapped(self, element: Json) -> Json:
        """The turn of an element."""
        return element

    def message(self, role: str, content: Any) -> Json:
        """A new element."""
        return {"role": role, "content": content}

    def say(self, turn: Json, content: Any) -> None:
        """Gives a turn this content only: a text, or blocks."""
        turn[self.CONTENT] = content

    def holds(self, made: Any, element: Any) -> bool:
        """Whether the written element is this one, unchanged."""
        return bool(made == element)

    def insert(self, at: int, element: Json) -> None:
        self.elements.insert(at, element)

    def at(self, turn: Json) -> int:
        """The index of the turn's element in the list."""
        for index, element in enumerate(self.elements):
            if isinstance(element, dict) and self.unwrapped(element) is turn:
                return index
        raise NoPlaceError

    # --- Content ---

    def text(self, words: Any, turn: Json | None = None) -> Json:
        """A text block: a user's, or one in the form of this turn."""
        return text(words)

    def own(self, content: Any, turn: Json | None = None) -> Any:
        """Content with text blocks of this dialect."""
        if isinstance(content, list):
            return [self.own(item, turn) for item in content]
        return self.text(content["text"], turn) if isinstance(content, dict) and [*content] == [*text("")] else content

    def blocks(self, turn: Json) -> list[Any]:
        """The turn's content as a list; a text becomes one."""
        content = turn.get(self.CONTENT)
        if isinstance(content, str):
            turn[self.CONTENT] = content = [self.text(content, turn)] if content else []
        if not isinstance(content, list):
            raise NoPlaceError
        return content

    def texts(self) -> list[tuple[Json, str]]:
        """Every text of the conversation: its holder and its key."""
        found: list[tuple[Json, str]] = []
        for _, turn in self.roles():
            blocks = dicts(turn.get(self.CONTENT))
            found += [(turn, self.CONTENT), *((block, "text") for block in blocks if self.is_text(block))]
        return [(holder, key) for holder, key in found if isinstance(holder.get(key), str) and holder[key]]

    def is_text(self, block: Json) -> bool:
        return block.get("type") == "text"

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        """An image block of this dialect, with this media type and this data."""
        return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}

    def image_at(self, url: Any) -> Json:
        """An image block with an address."""
        block: Json = {"type": "image", "source": {"type": "url"}}
        put(block["source"], "url", url)
        return block

    def image_source(self, block: Json) -> Json:
        """The object inside an image block."""
        return block["source"]

    def paper(self) -> Json:
        """A document."""
        raise NoPlaceError

    # --- Calls, results, tools ---

    def calls(self) -> list[Call]:
        return [call for _, turn in self.roles() for call in self._calls_of(turn)]

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        """The calls of a turn: blocks of its content."""
        for node in dicts(turn.get("content")):
            if node.get("type") == "tool_use":
                yield Call(turn, turn["content"], node, node, "id", "input")

    def results(self) -> list[Result]:
        elements = [element for element in self.elements if isinstance(element, dict)]
        return [result for element in elements for result in self._results_of(element)]

    def _results_of(self, element: Json) -> Iterator[Result]:
        """The results in an element: blocks of its content."""
        turn = self.unwrapped(element)
        for node in dicts(turn.get("content")):
            if node.get("type") == "tool_result":
                yield Result(element, turn["content"], node, "tool_use_id")

    def result_element(self, node: Json) -> Json:
        """An element that holds only this result."""
        return {"role": "user", "content": [node]}

    def calling(self, node: Json) -> Json:
        """A new element of an assistant with only this call."""
        return {"role": "assistant", "content": [node]}

    def made_result(self, call_id: Any) -> Json:
        """A new result in this dialect."""
        return {"type": "tool_result", "tool_use_id": call_id, "content": f"said {self.word()}"}

    def take(self, result: Result) -> Json:
        """Takes a result out; an element that held nothing else is removed with it."""
        remove(result.siblings, result.node)
        if result.siblings is not self.elements and not result.siblings and not self._says(result.element):
            remove(self.elements, result.element)
        return result.node

    def _says(self, element: Json) -> bool:
        """Whether the element holds anything beside its list of results."""
        return False

    def give(self, result: Result, content: Any) -> None:
        """Gives a result this content only."""
        put(result.node, result.content_key, self.own(content))

    def results_of(self, calls: Sequence[Call]) -> list[Result]:
        ids = [call.id for call in calls]
        return [one for one in self.results() if one.id in ids]

    def parallel(self) -> list[Call]:
        """The calls of a turn with several calls."""
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
        """The caller's own tool definitions: the objects that hold their names."""
        found = dicts(self.body.get("tools")) if isinstance(self.body, dict) else []
        inner = [tool[key] for tool in found for key in ("function", "custom") if isinstance(tool.get(key), dict)]
        return [tool for tool in (*found, *inner) if "name" in tool]

    def made_tools(self, *names: str) -> list[Json]:
        """New definitions."""
        raise NoPlaceError

    def foreign_tools(self, *names: str) -> list[Json]:
        """The same definitions as another dialect writes them."""
        raise NoPlaceError

    def rewrapped_tools(self) -> list[Json]:
        """The existing definitions, flat where they should be wrapped, or the other way round."""
        raise NoPlaceError

    def choice(self, mode: str) -> Any:
        """A choice: `auto`, `none`."""
        return {"type": mode}

    def chosen(self, name: str) -> Any:
        """The choice of one tool."""
        return {"type": "tool", "name": name}

    def failed(self, result: Result) -> None:
        """Marks a result as failed, where the dialect can."""

    # --- Words ---

    def mark(self) -> None:
        """Adds a unique word to each text, result, argument and description, so that none can vanish unseen."""
        texts = self.texts()
        for holder, key in texts:
            holder[key] += f" {self.word()}"
        for result in self.results():
            self._mark_content(result, [id(holder) for holder, _ in texts])
        for call in self.calls():
            args = call.inner.get(call.args_key)
            if isinstance(args, dict):
                args["w"] = self.word()
            elif isinstance(args, str) and isinstance(read := _read(args), dict):
                call.inner[call.args_key] = json.dumps(read | {"w": self.word()})
        if isinstance(self.body, dict) and isinstance(self.body.get(self.SYSTEM), str):
            self.body[self.SYSTEM] += f" {self.word()}"
        for tool in self.tools():
            if isinstance(tool.get("description"), str):
                tool["description"] += f" {self.word()}"

    def _mark_content(self, result: Result, marked: list[int]) -> None:
        """The words of a result that are not among the texts."""
        content = result.node.get(result.content_key)
        if isinstance(content, str) and id(result.node) not in marked:
            result.node[result.content_key] += f" {self.word()}"
        for block in dicts(content):
            if isinstance(block.get("text"), str) and id(block) not in marked:
                block["text"] += f" {self.word()}"


def joined(made: Any, element: Any, key: str) -> bool:
    """Whether one element is part of another: with the same role, and with a run of the other's content."""
    if not isinstance(made, dict) or not isinstance(element, dict) or made.get("role") != element.get("role"):
        return False
    whole, said = made.get(key), element.get(key)
    if not isinstance(whole, list) or not isinstance(said, list) or not said:
        return False
    return any(whole[at : at + len(said)] == said for at in range(len(whole)))


def dicts(value: Any) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def remove(items: list[Any], wanted: Any) -> None:
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
