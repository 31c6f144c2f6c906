"""Random runs of one list that Claude, OpenAI's Responses and Gemini continue in turn, each through its own ledger.

A maker is one of the three, with its provider: that of Gemini binds nothing, but signs calls.
"""

from __future__ import annotations

import base64
import json
import random
import re
from typing import Any

import bound_items
import bound_reasoning
import turnwire as tw
from agent_runs import IMAGE, tool
from bound_reasoning import THINKING, listed, mark

Json = dict[str, Any]

# What may happen; a run has a random choice of them.
EVENTS = (
    "media", "gemini", "retry", "aborted", "restart", "edit", "branch", "summary", "system", "tools", "late",
    "interrupted", "parallel", "budget", "taken back", "silent",
)  # fmt: skip


class Maker:
    """Gemini, and what all makers have in common."""

    target: Any = "gemini"
    provider: Any = None

    def __init__(self, model: str, budget: int | None) -> None:
        self.model = model
        self.ledger = tw.Ledger(self.target, budget, model=model)
        # What the replies to each list of the caller are bound to, and the list that each reply answers.
        self.bound: dict[str, set[str]] = {}
        self.asked: dict[str, str] = {}
        # The caller's list in the last request, and what was sent.
        self.sent: tuple[list[Json], list[Json]] = ([], [])
        # The summary that is to come, and those that came, with the messages that each covers.
        self.awaited: tuple[Json, list[Json]] | None = None
        self.adopted: list[tuple[Json, list[Json]]] = []
        # The list whose reply no request has held, and whether another request is never answered.
        self.unseen, self.left_one = "", False

    def elements(self, body: Json) -> list[Json]:
        return list(body["contents"])

    def shown(self, _: Json) -> list[str]:
        """The reasoning in a request."""
        return []

    def refused(self, body: Json, messages: list[Json]) -> list[Any]:
        """What the provider refuses or drops."""
        signed = {one["functionCall"]["args"]["path"]: one for one in calls_of_gemini(messages)}
        given = {one["functionCall"]["args"]["path"]: one for one in calls_of_gemini(body["contents"])}
        key = "thoughtSignature"
        return [one for name, one in signed.items() if name in given and one.get(key) != given[name].get(key)]

    def bind(self, body: Json, listed_as: str) -> None:
        """Records what a reply to a request is bound to."""

    def best(self, _: Json, shown: list[str]) -> list[str]:
        """The reasoning that a request must hold where it holds `shown`."""
        return shown

    def is_sure(self, reply: str) -> bool:
        """Whether nothing else fits a reply than the request that it answers."""
        return len(self.bound[self.asked[reply]]) == 1

    def reply(self, _: Json, said: list[str], calls: list[str], thinks: bool) -> list[Json]:
        parts: list[Json] = [{"text": text} for text in said]
        parts += [{"functionCall": {"name": "read", "args": {"path": name}}} for name in calls]
        if thinks or calls:
            signed = base64.b64encode("".join([*said, *calls]).encode()).decode()
            parts[-len(calls) or 0]["thoughtSignature"] = signed
        return [{"role": "model", "parts": parts}]

    def result(self, _: str, text: str, __: bool) -> Json:
        """Gemini's results have no ids."""
        return {"role": "user", "parts": [{"functionResponse": {"name": "read", "response": {"output": text}}}]}


class Claude(Maker):
    target = "anthropic"

    def __init__(self, budget: int | None) -> None:
        super().__init__("claude-opus-5-5", budget)
        self.provider = bound_reasoning.Provider()
        self.replies: dict[str, list[Json]] = {}

    def elements(self, body: Json) -> list[Json]:
        return [{**message, "content": listed(message["content"])} for message in body["messages"]]

    def shown(self, body: Json) -> list[str]:
        blocks = (block for message in self.elements(body) for block in message["content"])
        return [mark(block) for block in blocks if block["type"] in THINKING]

    def refused(self, body: Json, _: list[Json]) -> list[Any]:
        return list(self.provider.stale(body, self.model))

    def bind(self, body: Json, listed_as: str) -> None:
        self.bound.setdefault(listed_as, set()).add(self.provider.bound(body, self.model))

    def best(self, body: Json, shown: list[str]) -> list[str]:
        def is_due(name: str, reply: list[Json]) -> bool:
            return self.is_sure(name) or any(mark(block) in shown for block in reply)

        return list(self.provider.best(body, {name: made for name, made in self.replies.items() if is_due(name, made)}))

    def reply(self, body: Json, said: list[str], calls: list[str], thinks: bool) -> list[Json]:
        blocks: list[Json] = [{"type": "thinking", "thinking": "hm"}] if thinks else []
        blocks += [{"type": "text", "text": text} for text in said]
        blocks += [{"type": "tool_use", "name": "read", "id": name, "input": {"path": name}} for name in calls]
        made = self.provider.reply(body, blocks, self.model)
        name = bound_reasoning.name_of([block for block in made if block["type"] not in THINKING])
        self.replies[name], self.asked[name] = made, self.unseen
        return [{"role": "assistant", "content": made}]

    def result(self, call: str, text: str, pictured: bool) -> Json:
        content: Any = [{"type": "text", "text": text}, IMAGE] if pictured else text
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": content}]}

    def summary(self, asked: Json) -> Json:
        assert asked.pop("compaction") == {"type": "summarize"}
        return {"role": "assistant", "content": [self.provider.summary(asked, self.model)]}


class Responses(Maker):
    target = "openai-responses"

    def __init__(self, model: str, budget: int | None) -> None:
        super().__init__(model, budget)
        self.provider = bound_items.Provider(model)

    def elements(self, body: Json) -> list[Json]:
        return list(body["input"])

    def shown(self, body: Json) -> list[str]:
        return [item["encrypted_content"] for item in body["input"] if item.get("type") == "reasoning"]

    def refused(self, body: Json, _: list[Json]) -> list[Any]:
        return list(self.provider.read(body)[1])

    def bind(self, body: Json, listed_as: str) -> None:
        self.bound.setdefault(listed_as, set()).add(self.provider.bound(body))

    def best(self, body: Json, shown: list[str]) -> list[str]:
        def is_due(name: str, thoughts: list[Json]) -> bool:
            return self.is_sure(name) or any(thought["encrypted_content"] in shown for thought in thoughts)

        made = self.provider.before
        self.provider.before = {name: thoughts for name, thoughts in made.items() if is_due(name, thoughts)}
        best, self.provider.before = self.provider.best(body), made
        return list(best)

    def reply(self, body: Json, said: list[str], calls: list[str], thinks: bool) -> list[Json]:
        items: list[Json] = [{"type": "reasoning", "id": f"rs_{len(self.asked)}", "summary": []}] if thinks else []
        for text in said:
            content = [{"type": "output_text", "text": text, "annotations": []}]
            item = {"type": "message", "id": f"msg_{len(self.asked)}", "role": "assistant", "status": "completed"}
            items.append({**item, "content": content})
        for name in calls:
            item = {"type": "function_call", "id": f"fc_{name}", "call_id": name, "name": "read"}
            items.append({**item, "arguments": json.dumps({"path": name})})
        made = self.provider.reply(body, items)
        self.asked |= {bound_items.name_of(item): self.unseen for item in made if item["type"] != "reasoning"}
        return list(made)

    def result(self, call: str, text: str, pictured: bool) -> Json:
        picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
        output: Any = [{"type": "input_text", "text": text}, picture] if pictured else text
        return {"type": "function_call_output", "call_id": call, "output": output}

    def summary(self, asked: Json) -> Json:
        block = self.provider.compact(asked)
        # Claude's provider gives the same names.
        name = "gpt-" + block["encrypted_content"]
        self.provider.summaries[name] = self.provider.summaries[block["encrypted_content"]]
        return {**block, "encrypted_content": name}


class Run:
    """The caller's list, and what happens to it."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.events = set(rng.sample(EVENTS, rng.randrange(len(EVENTS) + 1)))
        self.budget = rng.choice((4000, 10_000)) if "budget" in self.events else None
        self.makers = [Claude(self.budget), Responses(rng.choice(("gpt-6.1", "gpt-6.2")), self.budget)]
        self.makers += [Maker("gemini-3-pro", self.budget)] if "gemini" in self.events else []
        self.messages: list[Json] = []
        self.system, self.tools = "Be exact.", [tool("read")]
        self.slow: list[Json] = []
        self.lengths: list[int] = []
        self.words, self.step, self.blocks = 0, 0, 0
        # Whether the reply to the newest list answers a single request, and the last edit with what was there before.
        self.is_plain = True
        self.edited: tuple[int, Json] = (0, {})

    def chance(self, event: str, share: float) -> bool:
        return event in self.events and self.rng.random() < share

    def word(self) -> str:
        self.words += 1
        return f"w{self.words}w" + " and so on" * self.rng.choice((0, 0, 3, 20))

    def user(self, text: str = "") -> None:
        self.messages.append({"role": "user", "content": text + self.word()})

    def head(self) -> None:
        if self.chance("system", 0.15):
            self.system += f"\nRule {self.word()}."
        if self.chance("tools", 0.1):
            self.tools = [*self.tools, tool(f"t{len(self.tools)}")]

    def go(self) -> None:
        maker = self.rng.choice(self.makers)
        for step in range(self.rng.randrange(8, 40)):
            self.step = step
            self.head()
            if not self.messages or is_said(self.messages[-1]):
                self.user()
                if self.chance("media", 0.2):
                    self.messages[-1]["content"] = [{"type": "text", "text": self.messages[-1]["content"]}, IMAGE]
            if self.rng.random() < 0.3:
                maker = self.rng.choice(self.makers)
            self.ask(maker)
            for one in self.makers:
                if one.awaited and self.rng.random() < 0.3:
                    self.comes(one, *one.awaited)
            if self.chance("branch", 0.08) and len(self.lengths) > 3:
                self.branch()
            self.edit()

    def ask(self, maker: Maker) -> None:
        """A request, what may happen to it, and its reply."""
        self.is_plain = True
        body = self.request(maker)
        if self.chance("retry", 0.15):
            if self.rng.random() < 0.3:
                self.head()
                self.is_plain = False
            body = self.request(maker)
        if self.chance("aborted", 0.1):
            self.user("Stopped. ")
            body = self.request(maker)
            self.is_plain, maker.left_one = False, True
        if isinstance(maker, Claude | Responses) and not maker.awaited and self.chance("summary", 0.2):
            asked = maker.ledger.compaction(self.messages, system=self.system, tools=self.tools).payload
            maker.awaited = (maker.summary(json.loads(json.dumps(asked))), list(self.messages))
        self.lengths.append(len(self.messages))
        maker.unseen = json.dumps(self.messages)
        count = self.rng.choice((0, 1, 2, 3) if "parallel" in self.events else (0, 1, 1))
        calls = [f"call_{self.step}_{n}" for n in range(count)]
        said = [self.word()] if not calls or self.rng.random() < 0.5 else []
        self.messages += maker.reply(body, said, calls, not self.chance("silent", 0.3))
        self.goes_on([maker.result(call, f"r {call} {self.word()}", self.chance("media", 0.3)) for call in calls])

    def goes_on(self, results: list[Json]) -> None:
        if results and self.chance("interrupted", 0.15):
            self.slow += results if "late" in self.events else []
            self.user("Stop. ")
            return
        if len(results) > 1 and self.chance("late", 0.25):
            self.slow.append(results.pop())
        if results and self.slow and self.rng.random() < 0.3:
            results.append(self.slow.pop(0))
        for result in results:
            key = next((key for key in ("content", "parts") if key in result), "")
            if key and result is not results[0] and isinstance(self.messages[-1].get(key), list):
                # Results of one format are one message.
                self.messages[-1] = {**result, key: [*self.messages[-1][key], *result[key]]}
            else:
                self.messages.append(result)

    def comes(self, maker: Maker, summary: Json, covered: list[Json]) -> None:
        maker.awaited = None
        if all(is_in(message, self.messages) for message in covered):
            self.messages.append(summary)
            maker.adopted.append((summary, covered))

    def branch(self) -> None:
        """The caller goes back, and another way."""
        del self.messages[self.rng.choice(self.lengths[-4:-1]) :]
        self.user("Rather ")
        self.lengths = [length for length in self.lengths if length < len(self.messages)]
        self.slow.clear()
        for maker in self.makers:
            maker.awaited, maker.left_one = None, True
            maker.adopted = [one for one in maker.adopted if is_in(one[0], self.messages)]

    def edit(self) -> None:
        at, old = self.edited
        words = [n for n, one in enumerate(self.messages) if one.get("role") == "user"]
        words = [n for n in words if isinstance(self.messages[n].get("content"), str)]
        if not self.is_plain:
            return
        if words and self.chance("edit", 0.08):
            at = self.rng.choice(words)
            self.edited = (at, self.messages[at])
            self.swap(at, {"role": "user", "content": f"Edited {self.word()}"})
        elif old and self.chance("taken back", 0.3):
            self.edited = (0, {})
            if at < len(self.messages) and str(self.messages[at].get("content")).startswith("Edited"):
                self.swap(at, old)

    def swap(self, at: int, new: Json) -> None:
        old = self.messages[at]
        for maker in self.makers:
            if maker.unseen and maker.left_one:
                # The list tells no longer which of two requests the reply answers.
                maker.bound.setdefault(maker.unseen, set()).update(("this one", "or the other"))
            # An edited message is still one that a summary covers.
            maker.adopted = [(one, swapped(covered, old, new)) for one, covered in maker.adopted]
            if maker.awaited:
                maker.awaited = (maker.awaited[0], swapped(maker.awaited[1], old, new))
        self.messages = swapped(self.messages, old, new)

    def request(self, maker: Maker) -> Json:
        state = maker.ledger.state()
        given: Any = {"system": self.system, "tools": self.tools}
        maker.unseen = ""
        door: Any = maker.ledger.prepare_json if self.step % 2 else maker.ledger.prepare
        ready: tw.Rendered[Any] = door(self.messages, **given)
        body: Json = json.loads(ready.payload if self.step % 2 else json.dumps(ready.payload))
        if self.rng.random() < 0.2:
            other = tw.Ledger.load(state, model=maker.model)
            again: tw.Rendered[Any] = other.prepare(self.messages, **given)
            assert json.dumps(again.payload) == json.dumps(body), self.where(maker)
            assert other.state() == maker.ledger.state() and again.receipt == ready.receipt, self.where(maker)
        if self.chance("restart", 0.2):
            maker.ledger = tw.Ledger.load(maker.ledger.state(), model=maker.model)
        self.looked_at(maker, body, ready.receipt)
        return body

    def looked_at(self, maker: Maker, body: Json, receipt: tw.Receipt) -> None:
        where, messages = self.where(maker), self.messages
        errors = [found for found in tw.check(body, maker.target, source=maker.target) if found.severity == "error"]
        assert not errors, (where, errors[:3])
        assert not maker.refused(body, messages), where
        maker.bind(body, json.dumps(messages))
        shown = maker.shown(body)
        assert shown == maker.best(body, shown), where
        assert self.budget or not self.lost(maker, body, receipt), (where, self.lost(maker, body, receipt))
        (before, sent), elements = maker.sent, maker.elements(body)
        goes_on = len(messages) > len(before) and messages[: len(before)] == before and is_said(messages[len(before)])
        assert receipt.break_at or not goes_on or elements[: len(sent)] == sent, where
        maker.sent = (list(messages), elements)
        self.blocks += len(shown)

    def lost(self, maker: Maker, body: Json, receipt: tw.Receipt) -> list[Json]:
        """The messages with words that are not sent. Those that the maker's own summary covers are not counted."""
        sent, covered = words_of(body), [message for _, messages in maker.adopted for message in messages]
        called = {name for message in self.messages for name in ids(message, "tool_use", "function_call")}
        told: set[str] = set()
        if maker is not self.makers[0] and self.makers[0].adopted:
            # Others can read Claude's summary, which replaces all before it for them: calls, too, whose results come
            # later. The receipt tells this.
            is_told = ("compacted", "orphan_result", "duplicate_result")
            told = {re.split(r"[\[\]]", str(entry.path))[1] for entry in receipt if entry.code in is_told}
        lost = []
        for at, message in enumerate(self.messages):
            # A branch may have left the call of a result.
            is_due = called.issuperset(ids(message, "tool_result", "function_call_output")) and str(at) not in told
            if is_due and not is_in(message, covered) and words_of(without_reasoning(message)) - sent:
                lost.append(message)
        return lost

    def where(self, maker: Maker) -> str:
        return f"{maker.target} {maker.model}, step {self.step}, budget {self.budget}, {sorted(self.events)}"


def is_said(message: Json) -> bool:
    """Whether a model has said it."""
    kinds = ("function_call", "reasoning", "compaction")
    return message.get("role") in ("assistant", "model") or message.get("type") in kinds


def is_in(message: Json, messages: list[Json]) -> bool:
    return any(one is message for one in messages)


def swapped(messages: list[Json], old: Json, new: Json) -> list[Json]:
    return [new if message is old else message for message in messages]


def calls_of_gemini(messages: list[Json]) -> list[Json]:
    return [part for message in messages for part in message.get("parts", ()) if "functionCall" in part]


def ids(message: Json, *types: str) -> set[str]:
    """The ids of calls or results of these types."""
    blocks = [block for block in (message, *listed(message.get("content"))) if block.get("type") in types]
    return {next(block[key] for key in ("call_id", "tool_use_id", "id") if key in block) for block in blocks}


def without_reasoning(message: Json) -> Json:
    if message.get("type") in ("reasoning", "compaction"):
        return {}
    blocks = [block for block in listed(message.get("content")) if block["type"] not in (*THINKING, "compaction")]
    return {**message, "content": blocks}


def words_of(value: Any) -> set[str]:
    return set(re.findall(r"w\d+w|call_\d+_\d+", json.dumps(value)))
