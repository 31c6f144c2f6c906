"""UIMessages and UI streams at random, to providers and back: what is said stays, or a loss names its place.

Each text, name, argument and answer holds a word that appears nowhere else. A word may vanish only under the path of a
loss or of an entry of the receipt, and an answer stays the answer of its call.
"""

import copy
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import stream_readers as readers
import turnwire as tw
from mutants import paths
from random_runs import tries

Json = dict[str, Any]
UI: Any = "ai-sdk-ui"
TARGETS: list[Any] = ["openai", "anthropic", "gemini", "bedrock", "openai-responses"]
MORE: list[Any] = ["ai-sdk", "ag-ui", "gemini-interactions", "otel", "mistral", "cohere", "ollama", "history"]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
STATES = (
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-available",
    "output-available",
    "output-error",
    "output-denied",
)


class Front:
    """Draws messages as a browser holds them, and as servers stored them."""

    def __init__(self, seed: int | str):
        self.dice = random.Random(seed)
        self.count = itertools.count(1)

    def word(self) -> str:
        return f"w{next(self.count)}z"

    def one(self, *ways: Callable[[], Any]) -> Any:
        return self.dice.choice(ways)()

    def odds(self, chance: float) -> bool:
        return self.dice.random() < chance

    def value(self, depth: int = 2) -> Any:
        """Any JSON, with a word in each text."""
        leaves = [self.word, self.word, lambda: self.dice.choice([None, True, 0, -1, 1.5, "", 10**20])]
        if depth == 0:
            return self.one(*leaves)
        some = range(self.dice.randrange(3))
        inner = [
            lambda: [self.value(depth - 1) for _ in some],
            lambda: {self.word(): self.value(depth - 1) for _ in some},
        ]
        return self.one(*leaves, *inner)

    def metadata(self) -> Json:
        owner = self.dice.choice(["anthropic", "google", "openai", "bedrock", "elsewhere"])
        said = {
            "anthropic": {"signature": "c2ln"},
            "google": {"thoughtSignature": "c2ln"},
            "openai": {"itemId": "rs_1", "reasoningEncryptedContent": "ZW5j"},
            "bedrock": {"signature": "c2ln"},
            "elsewhere": {"k": 1},
        }
        return {owner: said[owner]}

    def text(self) -> Json:
        made: Json = {"type": "text", "text": self.one(self.word, lambda: f"{self.word()}\n\n {self.word()}", str)}
        if self.odds(0.3):
            made["state"] = self.dice.choice(["streaming", "done"])
        return made | ({"providerMetadata": self.metadata()} if self.odds(0.1) else {})

    def reasoning(self) -> Json:
        made: Json = {"type": "reasoning", "text": self.one(self.word, str)}
        if self.odds(0.6):
            made["providerMetadata"] = self.metadata()
        return made | ({"state": "done"} if self.odds(0.3) else {})

    def file(self) -> Json:
        kind, url = self.one(
            lambda: ("image/png", f"data:image/png;base64,{PNG}"),
            lambda: ("image/png", f"https://e.org/{self.word()}.png"),
            lambda: ("application/pdf", "data:application/pdf;base64,JVBERi0xLjQK"),
            lambda: ("text/plain", f"data:text/plain,{self.word()}"),
            lambda: ("audio/wav", "data:audio/wav;base64,UklGRiQAAABXQVZF"),
        )
        return {"type": "file", "mediaType": kind, "url": url} | ({"filename": self.word()} if self.odds(0.3) else {})

    def beside(self) -> Json:
        """What only the front end shows."""
        made: Json = self.one(
            lambda: {"type": f"data-{self.dice.choice(['note', 'weather'])}", "data": self.value()},
            lambda: {
                "type": "source-url",
                "sourceId": "s",
                "url": f"https://e.org/{self.word()}",
                "title": self.word(),
            },
            lambda: {"type": "source-document", "sourceId": "s", "mediaType": "text/plain", "title": self.word()},
        )
        return made

    def tool(self, state: str | None = None) -> Json:
        state = state or self.dice.choice(STATES)
        name = f"f_{self.word()}"
        kind: Json = {"type": f"tool-{name}"} if self.odds(0.7) else {"type": "dynamic-tool", "toolName": name}
        made: Json = {**kind, "toolCallId": f"call_{self.word()}", "state": state, "input": {"q": self.value()}}
        match state:
            case "input-streaming":
                made["input"] = self.one(lambda: None, lambda: {"q": self.word()}, lambda: f'{{"q": "{self.word()}')
            case "output-available":
                made["output"] = self.value()
                if self.odds(0.1):
                    made["preliminary"] = True
            case "output-error":
                made["errorText"] = self.word()
                if self.odds(0.3):
                    made.update(input=None, rawInput=f"[{self.word()}")
        if state.startswith("approval") or state == "output-denied" or self.odds(0.1):
            made["approval"] = {"id": f"a_{self.word()}"}
            if state != "approval-requested":
                made["approval"] |= {"approved": state != "output-denied"} | (
                    {"reason": self.word()} if self.odds(0.5) else {}
                )
        if self.odds(0.1):
            made["callProviderMetadata"] = self.metadata()
        if self.odds(0.1):
            made["title"] = self.word()
        return made

    def search(self) -> Json:
        """A call that the provider ran."""
        return {**self.tool("output-available"), "providerExecuted": True}

    def step(self) -> list[Json]:
        parts = [{"type": "step-start"}] if self.odds(0.7) else []
        kinds = [
            self.text,
            self.text,
            self.reasoning,
            self.tool,
            self.tool,
            self.tool,
            self.beside,
            self.search,
            self.file,
        ]
        return parts + [self.one(*kinds) for _ in range(self.dice.randrange(4))]

    def message(self, role: str, parts: list[Json]) -> Json:
        made: Json = {"id": f"m_{self.word()}", "role": role, "parts": parts}
        return made | ({"metadata": self.value()} if self.odds(0.1) else {})

    def assistant(self) -> Json:
        return self.message("assistant", [part for _ in range(self.dice.randint(1, 4)) for part in self.step()])

    def user(self) -> Json:
        return self.message(
            "user", [self.text(), *[self.one(self.text, self.file, self.beside) for _ in range(self.dice.randrange(3))]]
        )

    def messages(self) -> list[Json]:
        made = [self.message("system", [self.text()])] if self.odds(0.3) else []
        made.append(self.user())
        made += [self.one(self.assistant, self.assistant, self.user) for _ in range(self.dice.randrange(4))]
        return [*made, self.user()] if self.odds(0.7) else made


def tools(messages: Any) -> Iterator[Json]:
    """The parts of calls that the client runs."""
    for message in messages:
        for part in message["parts"]:
            kind = part["type"]
            if (kind == "dynamic-tool" or kind.startswith("tool-")) and not part.get("providerExecuted"):
                yield part


def compact(value: Any) -> str:
    """The spelling that both doors have for arguments."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def vanished(given: Any, made: Any, told: list[str]) -> list[str]:
    """The words that are gone without being named."""
    written = json.dumps(made, ensure_ascii=False, default=repr) + paths.decoded(made)
    known = set(re.findall(r"w\d+z", written))
    under = {paths.steps(path) for path in told}
    # A key with a word is found in the object that has it.
    places = [(at, word) for at, word in words(given) if word not in known]
    return [f"{word} at {at}" for at, word in places if not any(at[:end] in under for end in range(len(at) + 1))]


def words(value: Any, at: paths.Steps = ()) -> Iterator[tuple[paths.Steps, str]]:
    yield from paths.words(value, at)
    if isinstance(value, dict):
        for key, item in value.items():
            yield from ((at, word) for word in re.findall(r"w\d+z", str(key)))
            yield from (one for one in words(item, (*at, paths.step_of(key))) if isinstance(item, dict | list))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from (one for one in words(item, (*at, index)) if isinstance(item, dict | list))


def pairs(conversation: tw.Conversation) -> dict[str, list[str]]:
    """The words of each call's name with those of its answer."""
    answers = {}
    calls = {}
    for turn in conversation.turns:
        for part in turn.parts:
            if isinstance(part, tw.parts.AssistantToolUse):
                calls[part.id] = part.name
            elif isinstance(part, tw.ToolUseResult):
                answers[part.tool_use_id] = sorted(set(re.findall(r"w\d+z", repr(part.content))))
    return {re.sub(r"\W", "_", calls[id]): said for id, said in answers.items() if id in calls}


def answers(answered: dict[str, Any], there: dict[str, list[str]]) -> bool:
    """Whether each answer that is there has the words of the tool, and none those of a preliminary output."""
    both = ((answered[name], said) for name, said in there.items() if name in answered)
    return all(said == [] if wanted is None else set(wanted) <= set(said) for wanted, said in both)


def expected(messages: list[Json]) -> dict[str, Any]:
    """The same of the messages."""
    made = {}
    for part in tools(messages):
        name = part.get("toolName", part["type"].removeprefix("tool-"))
        key = {"output-available": "output", "output-error": "errorText"}.get(part["state"])
        if part.get("preliminary"):
            # More is to come: nothing is an answer yet.
            made[name] = None
        elif key:
            made[name] = sorted(set(re.findall(r"w\d+z", json.dumps(part[key]))))
    return made


@pytest.mark.parametrize("target", [*TARGETS, *MORE])
def test_what_a_front_end_holds_goes_to_a_provider_and_back(target: Any) -> None:
    seen = set()
    for seed in range(tries(250)):
        messages = Front(f"{target} {seed}").messages()
        before = copy.deepcopy(messages)
        seen |= {part["state"] for part in tools(messages)}
        try:
            out = tw.convert(messages, target, source=UI, blobs="base64")
        except tw.RenderError as error:
            assert error.code == "refused", seed
            continue
        assert messages == before
        told = [loss.path for loss in out.receipt]
        assert vanished(messages, out.payload, told) == [], seed
        through = tw.convert_json(compact(messages), target, source=UI)
        assert (json.loads(through.payload), through.receipt) == (json.loads(json.dumps(out.payload)), out.receipt), (
            seed
        )
        answered = expected(messages)
        there = pairs(tw.Conversation.parse(out.payload, target))
        assert answers(answered, there), seed
        back = tw.convert(out.payload, UI, source=target)
        lost = [loss.path for loss in back.receipt]
        assert vanished(out.payload, back.payload, lost) == [], seed
        again = expected([one for one in back.payload if one["role"] == "assistant"])
        assert answers(answered, again), seed
    assert seen == set(STATES)


@pytest.mark.parametrize("target", [UI, *TARGETS, *MORE])
def test_what_a_front_end_holds_is_made_ready_for_a_provider(target: Any) -> None:
    ready = 0
    for seed in range(150):
        messages = Front(f"ready {target} {seed}").messages()
        before = copy.deepcopy(messages)
        try:
            made = tw.prepare(messages, target, source=UI, blobs="base64")
        except tw.BuildError:
            continue
        ready += 1
        assert messages == before
        assert vanished(messages, made.payload, [one.path for one in made.receipt]) == [], seed
        told = {(one.code, one.path) for one in made.receipt if one.severity != "info"}
        assert told <= {(one.code, one.path) for one in tw.check(messages, target, source=UI)}, seed
        again = tw.prepare(made.payload, target, source=target, blobs="base64")
        assert (again.payload, again.receipt.changed) == (made.payload, False), seed
        through = tw.prepare_json(compact(messages), target, source=UI)
        assert json.loads(through.payload) == json.loads(json.dumps(made.payload)), seed
        there = pairs(tw.Conversation.parse(made.payload, target))
        answered = expected(messages)
        assert answers(answered, there), seed
    assert ready > 60


# --- Streams ---


def pieces(dice: random.Random, words: str) -> list[str]:
    at = sorted(dice.randint(0, len(words)) for _ in range(dice.randrange(3)))
    return [words[start:end] for start, end in zip([0, *at], [*at, len(words)], strict=True)]


def streamed(message: Json, dice: random.Random) -> list[Json]:
    """The chunks of a UI message stream that say this message."""
    out: list[Json] = [{"type": "start", "messageId": message["id"]}, {"type": "start-step"}]
    number = itertools.count()
    # The chunks of calls that are still open: they mix with what comes behind them.
    open_calls: list[list[Json]] = []

    def some() -> None:
        while open_calls and dice.random() < 0.5:
            queue = dice.choice(open_calls)
            out.append(queue.pop(0))
            open_calls[:] = [one for one in open_calls if one]

    def rest() -> None:
        for queue in open_calls:
            out.extend(queue)
        open_calls.clear()

    begun = False
    for part in message["parts"]:
        some()
        kind = part["type"]
        if kind == "step-start":
            rest()
            if begun:
                out.extend([{"type": "finish-step"}, {"type": "start-step"}])
        elif kind in ("text", "reasoning"):
            own = {"id": str(next(number))}
            more = {key: part[key] for key in ("providerMetadata",) if key in part}
            out.append({"type": f"{kind}-start", **own})
            out.extend({"type": f"{kind}-delta", **own, "delta": piece} for piece in pieces(dice, part["text"]))
            out.append({"type": f"{kind}-end", **own, **more})
        elif kind == "dynamic-tool" or kind.startswith("tool-"):
            open_calls.append(list(called(part, dice)))
        elif kind == "file":
            out.append({key: part[key] for key in ("type", "url", "mediaType")})
        else:
            out.append(part)
        begun = True
    rest()
    reason = dice.choice(["stop", "length", "tool-calls", "content-filter", "other"])
    return [*out, {"type": "finish-step"}, {"type": "finish", "finishReason": reason}]


def called(part: Json, dice: random.Random) -> Iterator[Json]:
    """The chunks of a call and its answer, up to its state."""
    own = {"toolCallId": part["toolCallId"]}
    dynamic = part["type"] == "dynamic-tool"
    about = {**own, "toolName": part.get("toolName", part["type"].removeprefix("tool-"))}
    about |= {"dynamic": True} if dynamic else {}
    about |= {"providerExecuted": True} if part.get("providerExecuted") else {}
    given = json.dumps(part["input"]) if not isinstance(part["input"], str) else part["input"]
    if part["state"] == "input-streaming":
        given = given[: len(given) // 2]
    yield {"type": "tool-input-start", **about}
    for piece in pieces(dice, given):
        yield {"type": "tool-input-delta", **own, "inputTextDelta": piece}
    if part["state"] == "input-streaming":
        return
    if part["state"] == "output-error" and "rawInput" in part:
        yield {"type": "tool-input-error", **about, "input": part["rawInput"], "errorText": part["errorText"]}
        return
    yield {"type": "tool-input-available", **about, "input": part["input"]}
    if "approval" in part:
        yield {"type": "tool-approval-request", "approvalId": part["approval"]["id"], **own}
    match part["state"]:
        case "output-available":
            yield {"type": "tool-output-available", **own, "output": part["output"]}
        case "output-error":
            yield {"type": "tool-output-error", **own, "errorText": part["errorText"]}
        case "output-denied":
            yield {"type": "tool-output-denied", **own}


WIRES: list[Any] = [wire for wire in readers.READERS if wire != UI]


@pytest.mark.parametrize("target", WIRES)
def test_a_ui_stream_goes_to_any_client(target: Any) -> None:
    for seed in range(tries(150)):
        front = Front(f"stream {target} {seed}")
        message = front.assistant()
        # No plain reader takes arguments that end in the middle.
        for part in tools([message]):
            if part["state"] == "input-streaming":
                part.update(state="input-available", input={})
        chunks = streamed(message, front.dice)
        assembler = tw.StreamAssembler(UI)
        for chunk in chunks:
            assembler.feed(chunk)
        reply = assembler.finish()
        texts = [part["text"] for part in message["parts"] if part["type"] == "text"]
        assert reply.text == "".join(texts), seed
        converter = tw.replies.StreamConverter(source=UI, target=target)
        events = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
        got = readers.read(target, events)
        assert got.text == "".join(texts), seed
        mine = list(tools([message]))
        waits = [part for part in mine if part["state"] not in ("output-available", "output-error", "output-denied")]
        names = [part.get("toolName", part["type"].removeprefix("tool-")) for part in waits]
        assert got.failed or sorted(call[1] for call in got.calls) == sorted(names), seed
        told = {loss.code for loss in (*converter.receipt, *reply.receipt)}
        said = json.dumps([got.text, got.reasoning, got.calls], ensure_ascii=False)
        # The stream has no place for titles and names of files.
        came = json.dumps(chunks, ensure_ascii=False)
        gone = [one for _, one in words(message["parts"]) if one in came and one not in said]
        assert not gone or told, seed
        out = reply.render(target)
        assert got.failed or sorted(out.receipt, key=repr) or not gone, seed


def test_a_broken_ui_stream_is_an_error_or_is_read() -> None:
    """Chunks that are missing, doubled, exchanged or cut: never a panic, and no text that was taken is gone."""
    for seed in range(tries(600)):
        front = Front(f"broken {seed}")
        chunks = streamed(front.assistant(), front.dice)
        for _ in range(front.dice.randint(1, 3)):
            at, other = front.dice.randrange(len(chunks)), front.dice.randrange(len(chunks))
            match front.dice.randrange(4):
                case 0:
                    del chunks[at]
                case 1:
                    chunks.insert(at, copy.deepcopy(chunks[other]))
                case 2:
                    chunks[at], chunks[other] = chunks[other], chunks[at]
                case 3:
                    chunk = chunks[at] = dict(chunks[at])
                    chunk[front.dice.choice([*chunk])] = front.dice.choice([None, 3, "x", [], {}])
            if not chunks:
                break
        assembler, said = tw.StreamAssembler(UI), ""
        for chunk in chunks:
            try:
                for event in assembler.feed(chunk):
                    said += event["content"] if event["type"] == "text" else ""
            except tw.ParseError:
                continue
        try:
            reply = assembler.finish()
        except tw.ParseError:
            continue
        assert reply.text == said, seed
        for target in ("openai", "anthropic", "ag-ui"):
            reply.render(target)
