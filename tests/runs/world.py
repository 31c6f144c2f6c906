"""The caller's lists, the ledgers that serve them, and every event of a script.

A list is that of one conversation (`talk`). Several conversations share the ledgers, and each maker has a ledger of its
own. Elements of a list are named by their index, or by the name under which a script held them.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import turnwire as tw

from . import promises
from .edits import Edits, InvalidError
from .expected import expect
from .formats import Any_
from .formats import messages_of as listed
from .makers import Json, Part, tool
from .records import Reply, Sent, Side, Talk
from .script import Event, event, events


class World(Edits):
    def __init__(self) -> None:
        self.sides: dict[str, Side] = {}
        self.side = self.use("claude")
        self.talks: dict[str, Talk] = {}
        self.talk = self.begin("A")
        self.budget = tw.Budget()
        self.options: Json = {}
        self.turned = self.marked = self.failed = False
        self.sents: list[Sent] = []
        self.replies: list[Reply] = []
        self.made_by: dict[int, Reply] = {}
        #: What comes later, and the conversation that it is of.
        self.held: dict[str, list[Json]] = {}
        self.homes: dict[str, Talk] = {}
        #: For each summary: who made it, and the elements that it covers.
        self.covers: dict[int, tuple[Side, list[Json]]] = {}
        #: An edited element is in the place of this one.
        self.was: dict[int, Json] = {}
        self.alive: list[Any] = []
        #: The number of the request since which replies in other places may be taken for others.
        self.misplaced = -1
        self.lines: list[str] = []

    @property
    def fixed(self) -> Json:
        """The options that a state does not hold."""
        return {key: held for key, held in self.options.items() if not key.startswith("on_")}

    # Running.

    def run(self, script: str) -> World:
        for one in events(script):
            self.do(one)
        return self

    def do(self, what: Event | str) -> None:
        it = event(what) if isinstance(what, str) else what
        self.lines.append(it.line)
        act = getattr(self, f"do_{it.verb.replace('-', '_')}", None)
        if act is None:
            raise InvalidError(f"no such verb: {it.line}")
        if it.verb in ("send", "steps"):
            act(it.rest, it.expected)
        elif it.expected:
            raise InvalidError(f"only a request has expectations: {it.line}")
        else:
            act(it.rest)

    def use(self, name: str) -> Side:
        return self.sides.setdefault(name, Side(name, self))

    def begin(self, name: str) -> Talk:
        return self.talks.setdefault(name, Talk(name))

    # The model and its caller.

    def do_user(self, text: str) -> None:
        self.talk.messages += self.keep([self.side.maker.user(text)])

    def do_blank(self, _: str) -> None:
        """The last message gets blank text, too."""
        last = self.talk.messages[-1]
        if last.get("role") != "user" or not isinstance(last["content"], list):
            raise InvalidError("blank text stands beside results")
        self.swap(len(self.talk.messages) - 1, {**last, "content": [*last["content"], {"type": "text", "text": "  "}]})

    def do_result(self, rest: str) -> None:
        """`result a b=failed c=image d=400`: one message with the results of these calls."""
        given = []
        for word in rest.split():
            id, _, how = word.partition("=")
            size = int(how) if how.isdigit() else 0
            text = f"found {id} " + "x" * size if size else f"found {id}"
            given.append({"id": id, "text": text, "how": "" if size else how})
        self.talk.messages += self.keep(self.side.maker.results(given))

    def do_reply(self, rest: str) -> None:
        self.talk.messages += self.make(rest)

    def do_says(self, text: str) -> None:
        """The assistant said this, but the ledger did not ask."""
        self.talk.messages += self.keep([{**self.side.maker.user(text), "role": "assistant"}])

    def do_stray(self, name: str) -> None:
        """A summary that nobody asked for, which comes alone."""
        block = {"type": "compaction", "content": f"{name} was said.", "signature": name}
        self.hold(name, [{"role": "assistant", "content": [block]}])
        # Other makers read it, and drop what comes before.
        self.covers[id(self.held[name][0])] = (self.use("claude"), [])

    def do_hold(self, rest: str) -> None:
        """`hold NAME PARTS`: a reply to the last request, which is not in the list yet."""
        name, _, parts = rest.partition(" ")
        self.hold(name, self.make(parts))

    def make(self, rest: str) -> list[Json]:
        asked = self.talk.sent
        if asked is None:
            raise InvalidError("nothing was asked")
        parts = [Part(one) for one in (rest or "think; text").split(";")]
        side = asked.side
        if not side.maker.appends:
            # What an answered request left out stays out, though the head may again be that of its request.
            side.gone |= {*side.maker.shown(asked.messages)} - {*side.maker.shown(asked.elements)}
        made = self.keep(asked.side.maker.reply(asked.body, parts, asked.model))
        reply = Reply(made, asked)
        self.replies.append(reply)
        self.made_by |= {id(one): reply for one in made}
        for part in parts:
            if part.kind == "compaction":
                self.covers[id(made[0])] = (asked.side, list(asked.messages))
        return made

    def do_put(self, rest: str) -> None:
        """`put NAME [PLACE]`: what was held comes into the list."""
        name, _, place = rest.partition(" ")
        at = self.at(place, end=True) if place else len(self.talk.messages)
        self.talk.messages[at:at] = self.held_here(name)

    def held_here(self, name: str) -> list[Json]:
        """What was held under this name in this conversation."""
        if self.homes.get(name) is not self.talk:
            raise InvalidError(f"nothing is held as {name}")
        return self.held[name]

    def hold(self, name: str, elements: list[Json]) -> None:
        self.held[name], self.homes[name] = self.keep(elements), self.talk

    # How the list is passed, the ledger, and what it gets.

    def do_turn_keys(self, _: str) -> None:
        """From now on, objects have their keys in the opposite order, or again in theirs."""
        self.turned = not self.turned

    def do_marks(self, _: str) -> None:
        """From now on, the caller marks its last message for the cache."""
        self.marked = not self.marked

    def do_budget(self, rest: str) -> None:
        """`budget N|none [keep SHARE] [cap BYTES] [full error|send]`."""
        words = rest.split()
        more = dict(zip(words[1::2], words[2::2], strict=True))
        given: Json = {}
        if "keep" in more:
            given["reserve"] = 1 - float(more["keep"])
        if "cap" in more:
            given["per_result"] = int(more["cap"])
        self.budget = tw.Budget(None if words[0] == "none" else int(words[0]), **given)
        if "full" in more:
            self.options["on_full"] = more["full"]
        for side in self.sides.values():
            if side.made is not None:
                side.made, side.fresh = side.load(side.ledger.state()), True

    def do_freeze(self, _: str) -> None:
        self.options |= {"on_system_change": "freeze", "on_tools_change": "freeze"}

    def do_pins(self, rest: str) -> None:
        self.talk.pins = [self.at(word) for word in rest.split()]

    def do_system(self, text: str) -> None:
        self.talk.system = "\n".join(one.strip() for one in text.split("|"))

    def do_tools(self, rest: str) -> None:
        self.talk.tools = [tool(word) for word in rest.split()]

    def do_model(self, name: str) -> None:
        self.side.model = name
        self.side.restart()

    def do_maker(self, name: str) -> None:
        self.side = self.use(name)

    def do_formats(self, rest: str) -> None:
        """`formats SOURCE TARGET`: a list in a format, or in two that are not named (`SOURCE+SOURCE`), for a target."""
        source, target = rest.split()
        self.side = self.use("any")
        self.side.maker.become(source, target)
        self.options["blobs"] = "base64"

    def do_talk(self, name: str) -> None:
        self.talk = self.begin(name)

    def do_forget(self, _: str) -> None:
        self.side.ledger.forget()
        self.side.last = None

    def do_ledger(self, name: str) -> None:
        """Another ledger serves from now on, which may know none of this list."""
        side = self.side
        side.others[side.serves], side.serves = side.ledger, name
        side.made, side.last = side.others.pop(name, None), None
        self.misplaced = len(self.sents)

    def do_restart(self, _: str) -> None:
        self.side.restart()

    def do_ask(self, name: str) -> None:
        """The ledger's request for a summary, which comes later under this name."""
        side, talk = self.side, self.talk
        head = self.head(self.given())
        state = side.ledger.state()
        asked = side.ledger.compaction(self.given(), **head).payload
        again = side.load(state).compaction(self.given(), **head).payload
        assert json.dumps(asked) == json.dumps(again), "a state that was loaded asks for another summary"
        body = json.loads(json.dumps(asked))
        said = f"{talk.name} {json.dumps(side.maker.asked_for(body))}"
        # It is of the last request. If one has not come, it may be asked for again.
        last = talk.messages[: len(side.last.messages)] if side.last else list(talk.messages)
        covered = next((held for known, held in side.awaited if known == said), last)
        side.awaited.append((said, covered))
        self.hold(name, [side.maker.summary(body, side.model)])
        self.covers[id(self.held[name][0])] = (side, covered)

    def given(self) -> Any:
        messages = copy.deepcopy(self.talk.messages)
        if isinstance(self.side.maker, Any_):
            return self.side.maker.given(messages)
        if self.turned:
            messages = promises.turned(messages)
        if self.marked and messages:
            promises.mark_last(messages[-1])
        return messages

    def head(self, given: Any) -> Json:
        talk = self.talk
        pinned = [at for at in talk.pins if at < len(listed(given))]
        more: Json = {"pinned": pinned} if pinned else {}
        if isinstance(self.side.maker, Any_) and self.side.maker.second is None:
            more["source"] = self.side.maker.source
        return {"system": talk.system, "tools": copy.deepcopy(talk.tools), **more}

    def do_steps(self, rest: str, expected: Any = ()) -> None:
        """`steps N`: so many times a request, its reply with a thought, and the user's next words."""
        for _ in range(int(rest)):
            self.do_send("", expected)
            self.talk.messages += self.make("")
            self.do_user(f"on {len(self.talk.messages)}")

    def do_send(self, rest: str, expected: Any = ()) -> None:
        side, talk = self.side, self.talk
        promises.first_seen(self)
        messages = self.given()
        before = json.dumps(messages)
        options = self.head(messages)
        state = side.ledger.state()
        doors = ("prepare", "prepare_json") if len(self.sents) % 2 else ("prepare_json", "prepare")
        wanted = dict(expected).get("error")
        try:
            ready = getattr(side.ledger, doors[0])(messages, **options)
        except tw.BuildError as error:
            assert side.ledger.state() == state, "an error changes nothing"
            if wanted is None and error.code not in ("budget_too_small", "starts_with_assistant", "ledger_full"):
                raise
            assert wanted in (None, error.code), f"expected the error {wanted}, got {error.code}"
            self.failed = True
            return
        assert wanted is None, f"expected the error {wanted}"
        self.failed = False
        assert json.dumps(messages) == before, "the caller's list was changed"
        body = json.loads(ready.payload) if doors[0] == "prepare_json" else json.loads(json.dumps(ready.payload))
        # The same from a state that another process would load, through the other door.
        other = side.load(state)
        again = getattr(other, doors[1])(messages, **options)
        same = json.loads(again.payload) if doors[1] == "prepare_json" else again.payload
        assert json.dumps(same) == json.dumps(body), "a state that was loaded sends something else"
        assert other.state() == side.ledger.state(), "a state that was loaded becomes another one"
        assert again.receipt == ready.receipt, "a state that was loaded has another receipt"
        # The list as it is told apart from others: as the caller has it, or in the format in which it is given.
        given = side.maker.listed(messages) if isinstance(side.maker, Any_) else talk.messages
        texts = [json.dumps(one) for one in given]
        sent = Sent(
            len(self.sents), side, talk, list(talk.messages), texts, body,
            side.maker.elements(body), ready, side.model, side.maker.bound(body, side.model),
            (talk.system, json.dumps(talk.tools)), options.get("pinned", []), len(listed(messages)), side.fresh,
        )  # fmt: skip
        promises.ask(self, sent)
        expect(self, sent, expected)
        self.sents.append(sent)
        side.last, side.fresh, talk.sent = sent, False, sent
        talk.lengths.append(len(talk.messages))
