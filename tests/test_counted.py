"""What a budget counts: never less than a payload holds, and exactly that in formats that join no texts."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import random_runs
import turnwire as tw
from world import size as words

Json = dict[str, Any]

#: A letter that only the texts of these conversations have, and no name, id or key.
MARK = "ж"
TARGETS = [name for name in tw.dialects() if not name.startswith("structured")]
#: The formats that join no texts, and whose words can be counted by hand.
EXACT = ("openai", "anthropic", "anthropic:2023-06-01", "gemini", "gemini:2", "bedrock", "history")
PNG = "iVBORw0KGgo="


class Maker:
    """Makes random conversations whose texts are all marked."""

    def __init__(self, seed: int) -> None:
        self.rng, self.calls = random.Random(seed), 0

    def pick(self, *choices: Callable[[], Any]) -> Any:
        return self.rng.choice(choices)()

    def some(self, *choices: Callable[[], Any], most: int = 3) -> list[Any]:
        return [self.pick(*choices) for _ in range(self.rng.randint(1, most))]

    def text(self) -> str:
        return MARK * self.rng.randint(1, 60)

    def blank(self) -> str:
        return self.rng.choice(["", " ", "   "]) if self.rng.random() < 0.15 else self.text()

    def args(self) -> Json:
        return self.pick(dict, lambda: {"q": self.text()}, lambda: {"q": [self.text(), 1]})

    def step(self) -> tuple[list[str], bool]:
        """The ids of parallel calls, and whether their tools fail."""
        ids = [f"call{self.calls + at}" for at in range(self.rng.randint(1, 2))]
        self.calls += len(ids)
        return ids, self.rng.random() < 0.3

    def openai(self) -> Json:
        def say() -> Iterator[Json]:
            yield {"role": "assistant", "content": self.text(), "reasoning_content": self.text()}

        def ask() -> Iterator[Json]:
            parts = self.some(lambda: {"type": "text", "text": self.blank()}, image, file)
            yield {"role": "user", "content": self.pick(self.blank, lambda: parts)}

        def image() -> Json:
            types = ["image/png;base64," + PNG, "image/heic;base64," + "A" * 64]
            return {"type": "image_url", "image_url": {"url": "data:" + self.rng.choice(types)}}

        def file() -> Json:
            data = "data:application/pdf;base64,JVBERi0xLjQK"
            return {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}

        def rules() -> Iterator[Json]:
            content = self.pick(self.text, lambda: [{"type": "text", "text": self.text()} for _ in range(2)])
            yield {"role": self.rng.choice(["system", "developer"]), "content": content}

        def exchange() -> Iterator[Json]:
            ids, _ = self.step()
            calls = [self.pick(lambda: function(id), lambda: free(id)) for id in ids]  # noqa: B023
            yield {"role": "assistant", "content": self.pick(self.blank, lambda: None), "tool_calls": calls}
            for id in ids:
                content = self.pick(self.blank, lambda: [{"type": "text", "text": self.text()} for _ in range(2)])
                yield {"role": "tool", "tool_call_id": id, "content": content}

        def function(id: str) -> Json:
            arguments = json.dumps(self.args(), ensure_ascii=False)
            return {"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}}

        def free(id: str) -> Json:
            return {"id": id, "type": "custom", "custom": {"name": "run", "input": self.text() + '"'}}

        tools = [
            {"type": "function", "function": {"name": "f", "description": self.text()}},
            {"type": "custom", "custom": {"name": "run", "description": self.text()}},
        ]
        made = [*self.pick(rules, say), *ask()]
        for steps in self.some(say, ask, ask, exchange, exchange, rules, most=6):
            made.extend(steps)
        return {"messages": [*made, {"role": "user", "content": self.text()}], "tools": tools}

    def anthropic(self) -> Json:
        def say() -> Json:
            return {"role": "assistant", "content": self.some(text, text, thought)}

        def ask() -> Json:
            return {"role": "user", "content": self.some(text, image, document)}

        def text() -> Json:
            return {"type": "text", "text": self.text()}

        def thought() -> Json:
            return {"type": "thinking", "thinking": self.text(), "signature": "c2ln"}

        def image() -> Json:
            kind, data = self.rng.choice([("image/png", PNG), ("image/heic", "A" * 64)])
            return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}

        def document() -> Json:
            return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": self.text()}}

        def exchange() -> Iterator[Json]:
            ids, failed = self.step()
            calls = [{"type": "tool_use", "id": id, "name": "f", "input": self.args()} for id in ids]
            yield {"role": "assistant", "content": [*self.some(text, thought), *calls]}
            results = []
            for id in ids:
                content = self.pick(self.blank, lambda: self.some(text, image), list)
                results.append({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed})
            yield {"role": "user", "content": [*results, *(self.some(text) if self.rng.random() < 0.3 else [])]}

        made: list[Json] = [ask()]
        for _ in range(self.rng.randint(1, 5)):
            made.extend(self.pick(lambda: [say()], lambda: [ask()], lambda: [*exchange()]))
        system = [{"type": "text", "text": self.text()} for _ in range(self.rng.randint(1, 3))]
        tool = {"name": "f", "description": self.text(), "input_schema": {"type": "object"}, "mine": self.text()}
        return {"system": system, "messages": [*made, ask(), {"role": "user", "content": self.text()}], "tools": [tool]}

    def gemini(self) -> Json:
        def say() -> Json:
            return {"role": "model", "parts": self.some(text, text, thought, sound)}

        def ask() -> Json:
            return {"role": "user", "parts": self.some(text, sound)}

        def text() -> Json:
            return {"text": self.text()}

        def thought() -> Json:
            return {"text": self.text(), "thought": True}

        def sound() -> Json:
            return {"inlineData": {"mimeType": "audio/wav", "data": "UklGRiQAAABXQVZF"}}

        def exchange() -> Iterator[Json]:
            ids, _ = self.step()
            calls = [{"functionCall": {"id": id, "name": "f", "args": self.args()}} for id in ids]
            yield {"role": "model", "parts": calls}
            said = [
                self.pick(
                    dict, lambda: {"result": self.text()}, lambda: {"error": self.text()}, lambda: {"a": self.text()}
                )
                for _ in ids
            ]
            results = [
                {"functionResponse": {"id": id, "name": "f", "response": one}}
                for id, one in zip(ids, said, strict=True)
            ]
            yield {"role": "user", "parts": results}

        made: list[Json] = [ask()]
        for _ in range(self.rng.randint(1, 5)):
            made.extend(self.pick(lambda: [say()], lambda: [ask()], lambda: [*exchange()]))
        system = {"parts": [{"text": self.text()} for _ in range(self.rng.randint(1, 2))]}
        return {"systemInstruction": system, "contents": [*made, {"role": "user", "parts": [text()]}]}


SOURCES = ("openai", "anthropic", "gemini")
OPTIONS: list[dict[str, Any]] = [{}, {"reasoning": "text"}, {"end": "prefill"}, {"end": "row"}, {"end": "calls"}]


def held(value: object) -> int:
    """The bytes of marked letters and of line breaks in all texts of a payload."""
    if isinstance(value, str):
        return 2 * value.count(MARK) + value.count("\n")
    if isinstance(value, dict):
        return sum(map(held, value.values()))
    return sum(map(held, value)) if isinstance(value, list) else 0


def prepared(payload: Json, source: str, target: str, **options: Any) -> tw.Rendered[Any] | None:
    try:
        return tw.prepare(payload, target, source=source, **{"blobs": "base64", **options})
    except tw.TurnwireError:
        return None


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_in_a_payload_is_uncounted(target: str) -> None:
    tried = 0
    for seed in range(random_runs.tries(400)):
        maker = Maker(seed)
        source = maker.rng.choice(SOURCES)
        payload, options = getattr(maker, source)(), maker.rng.choice(OPTIONS)
        ready = prepared(payload, source, target, budget=1 << 40, **options)
        if ready is None:
            continue
        tried += 1
        totals = ready.receipt.totals
        assert totals is not None
        assert held(ready.payload) <= totals["after"], (seed, source, options)
    assert tried


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_cut_fits_and_stays(target: str) -> None:
    """A cut payload holds no more than the budget, and preparing it again with the same options changes nothing."""
    tried = 0
    for seed in range(random_runs.tries(300)):
        maker = Maker(seed)
        source = maker.rng.choice(SOURCES)
        payload, options = getattr(maker, source)(), maker.rng.choice(OPTIONS)
        options = options | {"budget": maker.rng.choice([300, 500, 800])}
        ready = prepared(payload, source, target, **options)
        if ready is None:
            continue
        tried += 1
        totals = ready.receipt.totals
        assert totals is not None
        assert held(ready.payload) <= totals["after"] <= options["budget"], (seed, source, options)
        # Results in text are read only where the caller says so.
        texts = {"tool_results": True} if target.startswith("llama") else {}
        again = tw.prepare(ready.payload, target, source=target, blobs="base64", **options, **texts)
        assert again.payload == ready.payload and not again.receipt.only("cut", "dropped"), (seed, source, options)
    assert tried


@pytest.mark.parametrize("target", EXACT)
def test_the_count_is_exact_where_no_texts_are_joined(target: str) -> None:
    for seed in range(random_runs.tries(300)):
        maker = Maker(seed)
        source = maker.rng.choice(SOURCES)
        payload, options = getattr(maker, source)(), maker.rng.choice(OPTIONS)
        ready = prepared(payload, source, target, budget=1 << 40, **options)
        if ready is None:
            continue
        totals = ready.receipt.totals
        assert totals is not None
        assert words.size(ready.payload) == totals["after"], (seed, source, options)


THOUGHT = [
    {"role": "user", "content": "q"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": MARK * 5_000, "signature": "c2ln"},
            {"type": "text", "text": "a"},
        ],
    },
    {"role": "user", "content": "go on"},
]


def from_prepare(target: str, **options: Any) -> tw.Rendered[Any]:
    return tw.prepare(THOUGHT, target, source="anthropic", reasoning="text", **options)


def from_history(target: str, **options: Any) -> tw.Rendered[Any]:
    history = tw.MessageHistory()
    for message in THOUGHT:
        history.add_raw_message(message, "anthropic")
    return history.prepare(target, reasoning="text", **options)


def from_ledger(target: str, **options: Any) -> tw.Rendered[Any]:
    return tw.Ledger(target, reasoning="text", **options).prepare(THOUGHT)


def from_builder(target: str, **options: Any) -> tw.Rendered[Any]:
    builder = tw.spec.MessageBuilder().set_messages(THOUGHT, "anthropic").set_budget(**options)
    return builder.build(target, reasoning="text").render(target, reasoning="text")


#: Where this reasoning stays reasoning: it is left out, or stays whole.
AS_REASONING = (
    "anthropic", "bedrock", "openai:openrouter", "openai:litellm", "openai-responses:compatible", "ai-sdk",
)  # fmt: skip
DOORS = [from_prepare, from_history, from_ledger, from_builder]
CUT = [{"budget": 1_000}, {"budget": tw.Budget(max_tokens=500, count=len)}]


@pytest.mark.parametrize("options", CUT, ids=["bytes", "tokens"])
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("target", TARGETS)
def test_reasoning_that_becomes_text_is_counted_and_cut(
    target: str, door: Callable[..., tw.Rendered[Any]], options: dict[str, Any]
) -> None:
    ready = door(target, **options)
    assert held(ready.payload) <= 1_000
    codes = [entry.code for entry in ready.receipt if entry.kind != "warning"]
    if "cut_text" not in codes:
        assert target.startswith(AS_REASONING)
        assert "dropped_exchange" in codes
    else:
        assert held(ready.payload) > 0
    totals = ready.receipt.totals
    assert totals is not None
    assert totals["after"] <= options.get("max_tokens", 1_000)


def test_a_document_that_becomes_text_is_cut() -> None:
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": MARK * 5_000}}
    messages = [{"role": "user", "content": [document, {"type": "text", "text": "q"}]}]
    ready = tw.prepare(messages, "openai", 1_000, source="anthropic")
    assert 500 < held(ready.payload) <= 1_000
    assert [change.code for change in ready.receipt.only("cut")] == ["cut_text"]


@pytest.mark.parametrize("target", TARGETS)
def test_media_that_are_refused_take_no_room(target: str) -> None:
    photo = {"type": "image_url", "image_url": {"url": "data:image/heic;base64," + "A" * 80_000}}
    messages = [{"role": "user", "content": [photo, {"type": "text", "text": "What is this?"}]}]
    free = tw.prepare(messages, target, source="openai")
    if "A" * 80_000 in str(free.payload):
        with pytest.raises(tw.BuildError, match="budget"):
            tw.prepare(messages, target, 3_000, source="openai")
        return
    ready = tw.prepare(messages, target, 3_000, source="openai")
    assert ready.payload == free.payload
    totals = ready.receipt.totals
    assert totals is not None
    assert totals["after"] < 20


@pytest.mark.parametrize("target", TARGETS)
def test_a_tool_counts_as_it_is_written(target: str) -> None:
    body = {
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"name": "f", "input_schema": {"type": "object"}, "mine": MARK * 500}],
    }
    ready = tw.prepare(body, target, 10_000, source="anthropic")
    totals = ready.receipt.totals
    assert totals is not None
    written = held(ready.payload)
    assert written <= totals["after"] < written + 100


@pytest.mark.parametrize("target", TARGETS)
def test_free_text_counts_as_it_is_written(target: str) -> None:
    call = {"id": "c1", "type": "custom", "custom": {"name": "run", "input": '"\n' * 5_000}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
    ]
    ready = tw.prepare(messages, target, 15_000, source="openai")
    # The text itself, or the JSON that holds it; in JSON inside a string, that JSON is one text.
    texts = [text for text in strings(ready.payload) if '"' in text]
    assert texts
    longest = max(texts, key=len)
    inside = longest if "{" in longest else json.dumps(longest) if wraps(ready.payload, longest) else longest
    assert len(inside.encode()) <= 15_000 + 100, (len(longest), longest[:60])


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def wraps(value: object, text: str) -> bool:
    """Whether the text is under the key `input` of a call's arguments."""
    if isinstance(value, dict):
        return value == {"input": text} or any(wraps(one, text) for one in value.values())
    return isinstance(value, list) and any(wraps(one, text) for one in value)
