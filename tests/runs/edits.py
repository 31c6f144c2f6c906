"""What a caller does with its list between two requests, and how a script names the places in it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from .makers import Json
from .promises import THINKING

if TYPE_CHECKING:
    from .records import Side, Talk


class InvalidError(Exception):
    """A script that makes no sense here, such as one that edits a message that is not there."""


class Edits:
    talk: Talk
    side: Side
    held: dict[str, list[Json]]
    homes: dict[str, Talk]
    was: dict[int, Json]
    covers: dict[int, tuple[Side, list[Json]]]
    alive: list[Any]

    # Places in a list.

    def at(self, word: str, *, end: bool = False) -> int:
        messages = self.talk.messages
        if word.lstrip("-").isdigit():
            at = int(word)
            at = at + len(messages) if at < 0 else at
        elif word in self.held:
            places = [n for n, one in enumerate(messages) if one is self.held[word][0]]
            at = places[0] if places else -1
        else:
            raise InvalidError(f"no such place: {word}")
        if not 0 <= at < len(messages) + end:
            raise InvalidError(f"no such element: {word}")
        return at

    def range(self, word: str) -> range:
        """`A..B` without B, or one element."""
        first, dots, last = word.partition("..")
        if not dots:
            at = self.at(first)
            return range(at, at + 1)
        start = self.at(first, end=True) if first else 0
        return range(start, self.at(last, end=True) if last else len(self.talk.messages))

    def keep(self, elements: list[Json]) -> list[Json]:
        self.alive += elements
        return elements

    def swap(self, at: int, new: Json) -> None:
        old = self.talk.messages[at]
        self.keep([old, new])
        self.was[id(new)] = self.was.get(id(old), old)
        self.talk.messages[at] = new

    def origin(self, element: Json) -> int:
        return id(self.was.get(id(element), element))

    # What is edited.

    def do_edit(self, rest: str) -> None:
        """`edit AT [TEXT]`: other words, in a user's message or a result."""
        word, _, text = rest.partition(" ")
        at, text = self.at(word), text or "Edited."
        old = self.talk.messages[at]
        if "output" in old:
            self.swap(at, {**old, "output": text})
            return
        content = old.get("content")
        if isinstance(content, str) or (old.get("role") == "assistant" and self.side.name == "claude"):
            new: Any = text
        elif content is None:
            raise InvalidError("there are no words")
        elif content and content[-1].get("type") == "tool_result":
            new = [*content[:-1], {**content[-1], "content": text}]
        elif content and "toolResult" in content[-1]:
            new = [*content[:-1], {"toolResult": {**content[-1]["toolResult"], "content": [{"text": text}]}}]
        else:
            new = [{"text": text}] if self.side.name == "bedrock" else text
        self.swap(at, {**old, "content": new})

    def do_unthink(self, word: str) -> None:
        """The caller removes the reasoning of a reply."""
        at = self.at(word)
        old = self.talk.messages[at]
        rest = [one for one in old.get("content", ()) if isinstance(one, dict) and one.get("type") not in THINKING]
        if old.get("role") != "assistant" or not rest or id(old) in self.covers:
            raise InvalidError("only a reply thinks")
        self.swap(at, {**old, "content": rest})

    def do_remove(self, word: str) -> None:
        places = self.range(word)
        self.keep(self.talk.messages[places.start : places.stop])
        del self.talk.messages[places.start : places.stop]

    def do_rewind(self, word: str) -> None:
        """The list ends before this place."""
        self.do_remove(f"{word}..")

    def do_insert(self, rest: str) -> None:
        word, role, text = [*rest.split(" ", 2), "", ""][:3]
        at = self.at(word, end=True)
        said = {**self.side.maker.user(text), "role": role}
        self.talk.messages[at:at] = self.keep([said])

    def do_move(self, rest: str) -> None:
        first, second = rest.split()
        one = self.talk.messages.pop(self.at(first))
        self.talk.messages.insert(self.at(second, end=True), one)

    def do_repeat(self, word: str) -> None:
        at = self.at(word)
        one = self.talk.messages[at]
        again = copy.deepcopy(one)
        self.talk.messages[at:at] = self.keep([again])
        self.was[id(again)] = self.was.get(id(one), one)

    def do_replace(self, rest: str) -> None:
        """`replace A..B with NAME`."""
        word, _, name = rest.partition(" with ")
        places = self.range(word)
        self.keep(self.talk.messages[places.start : places.stop])
        self.talk.messages[places.start : places.stop] = self.held_here(name)

    def do_save(self, name: str) -> None:
        """The caller keeps a copy of the list."""
        self.hold(name, list(self.talk.messages))

    def do_back(self, name: str) -> None:
        self.keep(self.talk.messages)
        self.talk.messages = list(self.held_here(name))
