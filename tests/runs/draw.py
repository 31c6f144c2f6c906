"""Draws a script of a seed, one event after the other, each of them done before the next is drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .formats import SOURCES, TARGETS
from .promises import is_said
from .records import Talk
from .script import written
from .shrink import shortest
from .world import World

#: What may happen; a run has a random choice of them, each with its own share.
EVENTS = {
    "parallel": 1.0, "interrupted": 0.06, "late": 0.15, "split": 0.3, "tools": 0.06, "withdrawn": 0.05, "system": 0.08,
    "each_step": 0.5, "media": 0.2, "marks": 1.0, "models": 0.06, "retry": 0.12, "reworded": 0.08, "aborted": 0.08,
    "branch": 0.06, "restart": 0.1, "queued": 0.08, "asks": 0.2, "twice": 0.06, "forget": 0.03, "interleaved": 0.3,
    "redacted": 0.15, "again": 0.05, "silent": 0.2, "failed": 0.1, "blank": 0.05, "summary": 0.12, "later": 0.05,
    "edit": 0.1, "insert": 0.08, "remove": 0.08, "unthink": 0.06, "taken_back": 0.3, "turn-keys": 0.2, "pins": 0.3,
    "budgets": 0.1, "small_words": 1.0, "withdrawn_request": 0.08, "repeat": 0.04, "move": 0.05, "in_its_place": 0.4,
    "pruned": 0.3, "redefined": 0.05,
}  # fmt: skip
#: What a maker's format has no word for, or what tells nothing there.
NOT = {
    "claude": "",
    "gpt": "twice insert remove repeat move unthink redacted failed blank models marks turn-keys again pruned "
    "in_its_place",
    "bedrock": "twice insert remove repeat move unthink redacted media blank marks turn-keys summary",
}
MIXED = (
    "media gemini retry aborted restart edit branch summary system tools late interrupted parallel silent taken_back"
)
FORMATS = "parallel late interrupted twice queued media system tools redefined retry restart asks pins budgets"
SYSTEMS = ("Be exact.", "Be brief.", "Be exact. | Be brief.")


class OverError(Exception):
    """The list can no longer be sent."""


class Draw:
    def __init__(self, seed: int, makers: str, most: int) -> None:
        rng = self.rng = random.Random(f"{makers} {seed}")
        self.world, self.count = World(), 0
        named = {"mixed": MIXED, "formats": FORMATS, "ui": FORMATS}
        allowed = named[makers].split() if makers in named else sorted({*EVENTS} - {*NOT[makers].split()})
        self.events = {*rng.sample(allowed, rng.randrange(2, min(14, len(allowed))))}
        self.makers = (
            ["claude", "gpt", *(["gemini"] if "gemini" in self.events else [])] if makers == "mixed" else [makers]
        )
        self.most = most
        many = rng.choice((1, 1, 2, 3)) if makers in ("claude", "bedrock") else 1
        self.alike = many > 1 and rng.random() < 0.4
        self.names = "ABC"[:many]
        self.size = rng.choice((0, 100, 1000, 3000))
        self.often = rng.choice((0.05, 0.3, 1.0))
        #: Of each conversation: the calls whose results come later, and the summaries that are to come.
        self.slow: dict[str, list[str]] = {name: [] for name in self.names}
        self.awaited: dict[str, list[tuple[str, int]]] = {name: [] for name in self.names}
        self.old: tuple[Talk, int, str] | None = None
        if makers == "ui":
            self.makers = ["formats"]
            self.say(f"formats {rng.choice(SOURCES)} ai-sdk-ui")
        elif makers == "formats":
            source = rng.choice(SOURCES) + rng.choice(("", f"+{rng.choice(SOURCES)}"))
            self.say(f"formats {source} {rng.choice(TARGETS)}")
        elif makers != "claude":
            self.say(f"maker {self.makers[0]}")
        self.budget()

    def say(self, line: str) -> None:
        self.world.do(line.strip())

    def chance(self, event: str) -> bool:
        return event in self.events and self.rng.random() < EVENTS.get(event, 1)

    def word(self) -> str:
        self.count += 1
        if "small_words" in self.events and self.rng.random() < 0.5:
            return self.rng.choice(("on", "more"))
        return f"w{self.count}w"

    def budget(self) -> None:
        most = self.rng.choice(("none", "none", "3000", "12000", "60000"))
        cap = f" cap {self.rng.choice((30, 200))}" if "pins" in self.events else ""
        if most != "none" or cap:
            self.say(f"budget {most} keep {self.rng.choice((0.3, 0.5, 0.7))}{cap}")

    @property
    def talk(self) -> Talk:
        return self.world.talk

    def run(self) -> World:
        """The conversations by turns."""
        running = {name: self.steps(name) for name in self.names}
        name = self.names[0]
        while running:
            if name not in running or self.rng.random() < self.often:
                name = self.rng.choice(list(running))
            if name != self.talk.name:
                self.say(f"talk {name}")
            try:
                next(running[name])
            except StopIteration:
                del running[name]
            except OverError:
                break
        return self.world

    def steps(self, name: str) -> Iterator[None]:
        rng = self.rng
        self.say(f"user {'go' if self.alike else f'{name} begins'}")
        if self.alike or len(self.names) > 1:
            self.say(f"system {rng.choice(SYSTEMS) if self.alike else f'You are {name}.'}")
        if rng.random() < 0.7:
            self.say("tools read list")
        if "marks" in self.events:
            self.say("marks")
        for step in range(rng.randrange(4, self.most)):
            yield
            self.head(step)
            if is_said(self.talk.messages[-1]):
                self.say(f"user {self.word()}")
            if len(self.makers) > 1 and rng.random() < 0.3:
                self.say(f"maker {rng.choice(self.makers)}")
            yield from self.asks()
            if self.chance("summary") and not self.awaited[name] and self.world.side.name != "gemini":
                self.count += 1
                self.say(f"ask s{self.count}")
                self.awaited[name].append((f"s{self.count}", len(self.talk.messages)))
            yield
            if self.chance("later"):
                self.say(f"user {self.word()}")
            if rng.random() < 0.2:
                self.edits(step)
            self.answers()
            if rng.random() < 0.3:
                yield
            self.comes()
            self.edits(step)
            self.happens(step)

    def head(self, step: int) -> None:
        rng, talk = self.rng, self.talk
        if self.alike and self.chance("system"):
            self.say(f"system {rng.choice(SYSTEMS)}")
        elif self.chance("system") or (step and self.chance("each_step") and "system" in self.events):
            system = talk.system.replace("\n", " | ")
            self.say(f"system {system} | Rule {self.count} {step}.")
        names = [one["name"] for one in talk.tools]
        if self.chance("tools"):
            self.say(f"tools {' '.join(names)} t{step}")
        if self.chance("withdrawn") and len(names) > 1:
            self.say(f"tools {' '.join(names[:-1])}")
        if self.chance("redefined") and names:
            self.say(f"tools {' '.join(names[:-1])} {names[-1]}@{rng.randrange(1, 3)}")
        if self.chance("pins"):
            count = min(len(talk.messages), rng.randrange(3))
            self.say(f"pins {' '.join(str(at) for at in sorted(rng.sample(range(len(talk.messages)), count)))}")

    def send(self) -> None:
        self.say("send")
        if self.world.failed:
            self.say("budget none")
            self.say("send")
        if self.world.failed:
            raise OverError

    def asks(self) -> Iterator[None]:
        """A request, perhaps more than once."""
        self.send()
        while self.chance("retry"):
            yield
            self.send()
        if self.chance("aborted"):
            yield
            self.say(f"user {self.word()}")
            self.send()
        last = self.talk.messages[-1]
        if self.chance("reworded") and isinstance(last.get("content"), str) and not is_said(last):
            yield
            self.say(f"edit -1 {self.word()}")
            self.send()
        if self.chance("withdrawn_request") and len(self.talk.messages) > 2 and not is_said(self.talk.messages[-2]):
            yield
            self.say("remove -1")
            self.send()

    def parts(self) -> tuple[list[str], list[str]]:
        """A reply, and the ids of its calls."""
        rng = self.rng
        self.count += 1
        parts = [] if self.chance("silent") else ["think"]
        if parts and self.chance("redacted"):
            parts.append("redacted")
        if self.chance("asks") or rng.random() < 0.2:
            return [*parts, f"text r{self.count}r"], []
        if rng.random() < 0.3:
            parts.append(f"text r{self.count}r")
        calls = []
        for at in range(rng.choice((1, 2, 3)) if "parallel" in self.events else 1):
            id = f"c{self.count}x{at}"
            if self.chance("again") and self.count > 5:
                id = f"c{rng.randrange(1, self.count)}x0"
            if id in calls:
                continue
            if calls and self.chance("interleaved"):
                parts.append("think")
            parts.append(f"call {id}")
            calls.append(id)
        return parts, calls

    def answers(self) -> None:
        """The reply, and what the caller does about it."""
        rng, name = self.rng, self.talk.name
        parts, calls = self.parts()
        before = len(self.talk.messages)
        self.say(f"reply {'; '.join(parts)}")
        if self.chance("twice") and len(self.talk.messages) == before + 1:
            if rng.random() < 0.5 or self.makers == ["formats"]:
                self.say("remove -1")
                parts, calls = self.parts()
            else:
                parts = [f"text r{self.count}t"]
            self.say(f"reply {'; '.join(parts)}")
        if not calls:
            self.say(f"user {self.word()}")
            return
        side = self.talk.sent.side.name if self.talk.sent else ""
        if side == "gemini":
            self.say(f"maker {side}")
            self.say(f"result {' '.join(calls)}")
            return
        if self.chance("interrupted"):
            self.slow[name] += calls if "late" in self.events else []
            self.say(f"user {self.word()}")
            return
        if self.chance("late") and len(calls) > 1:
            self.slow[name].append(calls.pop())
        given = [self.how(call) for call in calls]
        if self.slow[name] and rng.random() < 0.3:
            given.append(self.how(self.slow[name].pop(0)))
        for some in [[one] for one in given] if self.chance("split") else [given]:
            self.say(f"result {' '.join(some)}")
        if self.chance("blank"):
            self.say("blank")
        if self.chance("queued"):
            self.say(f"user {self.word()}")

    def how(self, call: str) -> str:
        if self.chance("media"):
            return f"{call}=image"
        if self.chance("failed"):
            return f"{call}=failed"
        return f"{call}={self.rng.randrange(self.size)}" if self.size else call

    def comes(self) -> None:
        """A summary that was asked for, at the end or in the place of what it covers."""
        name, rng, talk = self.talk.name, self.rng, self.talk
        if not self.awaited[name] or rng.random() < 0.5:
            return
        held, length = self.awaited[name].pop()
        covered = self.world.covers[id(self.world.held[held][0])][1]
        is_whole = len(covered) == length and [id(one) for one in talk.messages[:length]] == [
            id(one) for one in covered
        ]
        others = any(self.awaited.values())
        if is_whole and not others and self.chance("in_its_place") and length < len(talk.messages):
            self.say(f"replace 0..{length} with {held}")
        elif is_whole and rng.random() < 0.3:
            self.say(f"put {held} {length}")
        else:
            self.say(f"put {held}")
            # Not kept yet: reasoning of another conversation, where one puts its summary in place of all that was sent.
            if is_whole and len(self.names) == 1 and self.chance("pruned"):
                self.send()
                self.say(f"remove 0..{length}")
        if is_said(talk.messages[-1]):
            self.say(f"user {self.word()}")

    def edits(self, step: int) -> None:
        rng, talk = self.rng, self.talk
        length = len(talk.messages)
        if length < 5:
            return
        words = [
            at
            for at, one in enumerate(talk.messages)
            if one.get("role") == "user" and isinstance(one.get("content"), str)
        ]
        if self.old is not None and self.chance("taken_back"):
            of, at, text = self.old
            if of is talk and at < length and talk.messages[at].get("content") == f"e{self.count}e":
                self.say(f"edit {at} {text}")
            self.old = None
        if words and self.chance("edit"):
            at = rng.choice(words)
            self.count += 1
            if "taken_back" in self.events:
                self.old = (talk, at, talk.messages[at]["content"])
            self.say(f"edit {at} e{self.count}e")
        if self.chance("insert"):
            role = rng.choice(("user", "user", "assistant"))
            self.count += 1
            self.say(f"insert {rng.randrange(1, length - 2)} {role} i{self.count}i")
        if self.chance("remove"):
            self.say(f"remove {rng.randrange(1, length - 2)}")
        if self.chance("repeat"):
            self.say(f"repeat {rng.randrange(length - 2)}")
        if self.chance("move"):
            self.say(f"move {rng.randrange(length - 2)} {rng.randrange(1, length - 3)}")
        thinks = [at for at, one in enumerate(talk.messages[:-2]) if self.is_whole(one)]
        if thinks and self.chance("unthink"):
            self.say(f"unthink {rng.choice(thinks)}")

    def is_whole(self, element: dict) -> bool:
        content = element.get("content")
        return element.get("role") == "assistant" and isinstance(content, list) and len(content) > 1

    def happens(self, step: int) -> None:
        rng, talk = self.rng, self.talk
        if self.chance("restart"):
            self.say("restart")
        if self.chance("forget"):
            self.say("forget")
        if self.chance("turn-keys"):
            self.say("turn-keys")
        if self.chance("budgets"):
            self.budget()
        if self.chance("models"):
            self.say(f"model {rng.choice(('claude-opus-5-5', 'claude-fable-5-1', 'claude-opus-5'))}")
        lengths = [length for length in talk.lengths if 0 < length < len(talk.messages)]
        if self.chance("branch") and len(lengths) > 2:
            back = rng.choice(lengths[-4:])
            self.say(f"rewind {back}")
            self.slow[talk.name].clear()
            self.awaited[talk.name] = [one for one in self.awaited[talk.name] if one[1] <= back]
            self.say(f"user {self.word()}")


def run(seed: int, makers: str, most: int) -> World:
    """A random run. If it fails, its script is printed, ready for a file of cases."""
    draw = Draw(seed, makers, most)
    try:
        return draw.run()
    except BaseException:
        print(written(f"seed {seed} of {makers}", shortest(draw.world.lines)))
        raise
