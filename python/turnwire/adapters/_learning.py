"""Learns a server's rules from its refusals, for an adapter that can send a request again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import RLock
from typing import Any, Final, cast

from turnwire._adapt import to_plain
from turnwire._core import Change, Receipt
from turnwire._families import family
from turnwire._log import logger, on_one_line
from turnwire._servers import Server
from turnwire.errors import TurnwireError
from turnwire.lessons import Lesson, learn
from turnwire.lessons.guards import holds
from turnwire.types import DialectName

from ._changes import changed
from ._learned_rules import Rules, of_model
from ._policy import Policy

__all__ = ["Attempt", "Learner"]

_logger: Final = logger.getChild("adapters")
_WIRES: Final = ("openai", "openai-responses", "anthropic")
_MOST: Final = 8
"""The most lessons of a client."""
_TRIES: Final = 2
"""How often one lesson is tried."""
_KINDS: Final[dict[object, tuple[str, ...]]] = {True: ("shape", "setting"), "all": ("shape", "setting", "meaning")}


@dataclass
class Attempt:
    """One request of a client, from its first build to its reply.

    Attributes:
        target: The row for the address, without what was learned.
        asked: The body as the caller gave it.
        shows: From what is sent to the body that arrives.
        sent: The body that was sent.
        row: The row that it was built for.
        version: The version of the rules that it was built with.
        is_again: Whether it has been sent before.
        learned: The lesson for which it is sent again.
        error: What the first try raised.
    """

    target: str
    asked: Mapping[str, Any]
    shows: Callable[[Any], Mapping[str, Any]] = dict
    sent: Any = None
    row: str = ""
    version: int = 0
    is_again: bool = False
    learned: Lesson | None = None
    error: BaseException | None = None


class Learner:
    """The lessons of one wrapped client. Any number of threads may share it."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._rules: dict[str, Rules] = {}
        # Each with the version of the rules from which on it is in them.
        self._tentative: list[tuple[int, Lesson]] = []
        self._tried: Counter[str] = Counter()
        self._version = 0
        self._lock = RLock()

    def rows(self, targets: Mapping[str, str]) -> dict[str, Server]:
        """The rows with what is certain, by the model; `""` for those of every model. `targets` are by format."""
        made: dict[str, Server] = {}
        with self._lock:
            for wire, target in targets.items():
                rules = self._rules.get(wire, Rules())
                open_ = [one for _, one in self._tentative]
                kept = tuple(one for one in rules.lessons if not any(one is other for other in open_))
                certain = Rules()
                certain.lessons = kept
                for model in dict.fromkeys(["", *(one.model or "" for one in kept)]):
                    name = f"/responses {model}".strip() if wire == "openai-responses" else model
                    row = certain.row(target, model or None)
                    made[name] = row if isinstance(row, Server) else Server(row)
        return made

    def learns(self, attempt: Attempt) -> bool:
        """Whether the row of a request is one that can be learned about."""
        return family(attempt.target) in _WIRES

    def knows(self, attempt: Attempt) -> bool:
        """Whether anything was learned about the server of a request."""
        rules = self._rules.get(family(attempt.target))
        return rules is not None and bool(rules.lessons)

    def built(self, attempt: Attempt, body: Mapping[str, Any]) -> tuple[DialectName, Mapping[str, Any]]:
        """The row for a request, and its body without the reasoning that the server has refused."""
        with self._lock:
            attempt.version = self._version
            rules = self._rules.get(family(attempt.target))
            model = body.get("model")
            attempt.row = of_model(attempt.target, model) if rules is None else rules.row(attempt.target, model)
            return cast("DialectName", attempt.row), body if rules is None else rules.without_blocks(body)

    def settings(
        self, attempt: Attempt, body: Mapping[str, Any], row: str, payload: frozenset[str]
    ) -> tuple[Mapping[str, Any], list[Change]]:
        """The settings of a body as the server takes them, and what that changes."""
        with self._lock:
            rules = self._rules.get(family(attempt.target))
        return (body, []) if rules is None else rules.settings(body, attempt.target, row, payload)

    def after(self, attempt: Attempt, error: BaseException, is_named: bool) -> bool:
        """Whether to build and send a request again. `is_named`: by an idempotency key, so its body may not change."""
        if attempt.is_again or not isinstance(attempt.sent, Mapping):
            return False
        with self._lock:
            lesson = self._lesson(attempt, error)
            if lesson is None:
                self._forget(attempt)
                return False
            if self._version != attempt.version and not is_named:
                # Another thread has learned since it was built. The build says whether that changes anything.
                attempt.is_again, attempt.error = True, error
                return True
            if is_named or not self._may(lesson):
                _note(error, lesson, self.policy.learn)
                if self.policy.learn == "log":
                    _logger.warning("a server refused a request: %s", on_one_line(str(lesson)))
                self._forget(attempt)
                return False
            self._tried[_key(lesson)] += 1
            self._keep(family(attempt.target), lesson, attempt.sent)
            attempt.learned, attempt.error, attempt.is_again = lesson, error, True
            return True

    def unchanged(self, attempt: Attempt) -> None:
        """Forget a lesson that changes nothing in its request."""
        with self._lock:
            if attempt.learned is not None:
                self._drop(attempt.learned)
            else:
                # What other threads have learned is about something else.
                attempt.is_again = False

    def replied(self, attempt: Attempt) -> None:
        """Keep what a request was sent with, because a reply has begun."""
        with self._lock:
            kept = [one for one in self._tentative if self._is_in(attempt, *one)]
            self._tentative = [one for one in self._tentative if not any(one is other for other in kept)]
        for _, lesson in kept:
            line = f"the server said: {lesson.text!r}; from now on: {_said(lesson)}"
            _logger.warning("%s", on_one_line(line))
            self.policy.tell(Receipt()._with([changed("learned", (), line)]))
            self.policy.heard_lesson(lesson)

    def failed(self, attempt: Attempt, error: BaseException) -> None:
        """Say what the second try was refused with. A lesson stays only if the server has gone on to another rule."""
        first = attempt.error
        if first is None or not attempt.is_again:
            return
        with self._lock:
            second = self._lesson(attempt, error) if attempt.learned is not None else None
            if second is None or (attempt.learned is not None and second._row is attempt.learned._row):
                self._forget(attempt)
        if error is not first:
            first.add_note(f"turnwire sent it again with what it learned, and the server said: {error}")
            if second is not None:
                _note(first, second, self.policy.learn)

    def _lesson(self, attempt: Attempt, error: BaseException) -> Lesson | None:
        if getattr(error, "status_code", None) is None or family(attempt.target) not in _WIRES:
            return None
        sent = dict(attempt.shows(attempt.sent))
        for key in ("messages", "input"):
            if isinstance(sent.get(key), list):
                sent[key] = [one if isinstance(one, Mapping) else to_plain(one) for one in sent[key]]
        try:
            return learn(attempt.row, error, sent)
        except (TurnwireError, TypeError):
            # A body that is no request of this format has nothing to teach.
            return None

    def _may(self, lesson: Lesson) -> bool:
        count = sum(len(rules.lessons) for rules in self._rules.values())
        if lesson.rule is not None and lesson._row.leave is None:
            return False
        if lesson.kind not in _KINDS.get(self.policy.learn, ()) or count >= _MOST:
            return False
        strict = lesson.kind == "meaning" and bool(self.policy.rendering.get("strict"))
        return not strict and self._tried[_key(lesson)] < _TRIES

    def _keep(self, wire: str, lesson: Lesson, sent: Mapping[str, Any]) -> None:
        rules = self._rules.setdefault(wire, Rules())
        if lesson._row.leave == "blocks":
            rules.refuse_blocks(sent)
        rules.lessons = (*rules.lessons, lesson)
        self._version += 1
        self._tentative.append((self._version, lesson))

    @staticmethod
    def _is_in(attempt: Attempt, version: int, lesson: Lesson) -> bool:
        """Whether a lesson had a part in what was sent."""
        if lesson is attempt.learned:
            return True
        asked = attempt.shows(attempt.asked)
        return version <= attempt.version and holds(lesson._row.guard, asked, lesson._told)

    def _forget(self, attempt: Attempt) -> None:
        """Forget what no reply has confirmed."""
        for version, lesson in [*self._tentative]:
            if self._is_in(attempt, version, lesson):
                self._drop(lesson)

    def _drop(self, lesson: Lesson) -> None:
        for rules in self._rules.values():
            if any(one is lesson for one in rules.lessons):
                rules.lessons = tuple(one for one in rules.lessons if one is not lesson)
                if lesson._row.leave == "blocks":
                    rules.blocks.clear()
                self._version += 1
        self._tentative = [one for one in self._tentative if one[1] is not lesson]


def _key(lesson: Lesson) -> str:
    return f"{lesson._row.name} {lesson.value!r} {lesson.model}"


def _said(lesson: Lesson) -> str:
    return lesson.rule or f"{lesson.column}={lesson.value!r}"


def _note(error: BaseException, lesson: Lesson, mode: object) -> None:
    """Say in an exception which line would have helped."""
    note = f"turnwire: a row of this server can say so: {lesson}"
    if not mode:
        note += "\nA client that is wrapped with learn=True finds that out by itself"
        note = note if lesson.kind != "meaning" else note.replace("learn=True", 'learn="all"')
    elif mode is True and lesson.kind == "meaning":
        note += '\nIt is tried only with learn="all", because the reply may differ'
    error.add_note(note)
