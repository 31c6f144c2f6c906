"""Nothing vanishes silently: each word of a random payload is unique, and is either in the output or under a loss."""

import base64
import functools
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import front_makers
import makers
import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries

Json = dict[str, Any]

# Words of the format, and values that may change their spelling. Every other word is unique.
GRAMMAR = {"role", "type", "media_type", "format", "status", "tool_name", "tool_choice", "detail"}


# Keys of objects that have an id.
IDS = (".id", ".messageId", ".assistantResponseMessage.messageId")


# The text of a document that is bytes.
BLOBS = (
    r'"mimeType": "text/plain", "data": "([^"]*)"|"format": "txt"[^{]*{"bytes": "([^"]*)"'
    r'|"data": "([^"]*)", "mediaType": "text/plain"|"url": "data:text/plain;base64,([^"]*)"'
)


class Maker:
    """Random payloads of every dialect, made of words that appear in one place only."""

    def __init__(self, dice: random.Random):
        self.dice = dice
        self.count = itertools.count()

    def word(self) -> str:
        return f"w{next(self.count)}z"

    def any(self, *choices: Callable[[], Any]) -> Any:
        return self.dice.choice(choices)()

    def some(self, *choices: Callable[[], Any]) -> list[Any]:
        return [self.any(*choices) for _ in range(self.dice.randrange(4))]

    def beside(self, value: Json) -> Json:
        """The same object, sometimes with a key that no dialect knows."""
        if self.dice.random() < 0.2:
            value[f"x_{self.word()}"] = self.any(self.word, lambda: {"n": self.word()}, lambda: [self.word()])
        return value

    def text(self) -> Json:
        return self.beside({"type": "text", "text": self.word()})

    def ids(self) -> list[str]:
        return [self.word() for _ in range(self.dice.randrange(1, 4))]

    def mixed(self, blocks: list[Json], *choices: Callable[[], Json]) -> list[Json]:
        for block in self.some(*choices):
            blocks.insert(self.dice.randrange(len(blocks) + 1), block)
        return blocks

    def openai(self) -> Json:
        def image() -> Json:
            url = self.any(lambda: "https://e.org/", lambda: "data:image/png;base64,iVBORw0KGgo") + self.word()
            return self.beside({"type": "image_url", "image_url": self.beside({"url": url})})

        def file() -> Json:
            data = self.any(
                lambda: {"file_data": f"data:application/pdf;base64,JVBERi0{self.word()}"},
                lambda: {"file_id": self.word()},
            )
            return self.beside({"type": "file", "file": {**data, "filename": self.word()}})

        def sound() -> Json:
            return {"type": "input_audio", "input_audio": {"data": self.word(), "format": "wav"}}

        def odd() -> Json:
            return {"type": "odd", "odd": self.word()}

        def refusal() -> Json:
            return {"type": "refusal", "refusal": self.word()}

        def content(*parts: Callable[[], Json]) -> Any:
            return self.any(self.word, lambda: "", lambda: self.some(*parts))

        def call(name: str) -> Json:
            words = self.any(lambda: json.dumps({"q": self.word()}), lambda: "", self.word, lambda: f"[{self.word()}")
            if self.dice.random() < 0.2:
                return {"id": name, "type": "custom", "custom": {"name": self.word(), "input": self.word()}}
            return self.beside(
                {"id": name, "type": "function", "function": self.beside({"name": self.word(), "arguments": words})}
            )

        def exchange() -> list[Json]:
            ids = self.ids()
            asked = {
                "role": "assistant",
                "content": self.any(self.word, lambda: None),
                "tool_calls": [call(one) for one in ids],
            }
            said = [content(self.text, self.text, image) for _ in ids]
            return [self.beside(asked)] + [
                self.beside({"role": "tool", "tool_call_id": one, "content": words})
                for one, words in zip(ids, said, strict=True)
            ]

        def assistant() -> list[Json]:
            message = {"role": "assistant", "content": content(self.text, self.text, refusal)}
            for key in ("refusal", "reasoning_content"):
                if self.dice.random() < 0.2:
                    message[key] = self.word()
            return [self.beside(message)]

        def user() -> list[Json]:
            return [self.beside({"role": "user", "content": content(self.text, self.text, image, file, sound, odd)})]

        def system() -> list[Json]:
            return [
                self.beside({"role": self.any(lambda: "system", lambda: "developer"), "content": content(self.text)})
            ]

        def function() -> Json:
            inner = {
                "name": self.word(),
                "description": self.word(),
                "parameters": {"type": "object", "title": self.word()},
            }
            return self.beside({"type": "function", "function": self.beside(inner)})

        def custom() -> Json:
            return {"type": "custom", "custom": {"name": self.word(), "format": {"type": "grammar", "g": self.word()}}}

        first = {"role": "user", "content": self.word()}
        body = {"messages": [first, *itertools.chain(*self.some(user, system, assistant, exchange, exchange))]}
        return body | {
            "tools": [function(), *self.some(function, custom, lambda: {"type": "search", "x": self.word()})]
        }

    def blocks(self, *, stored: bool = False) -> list[Json]:
        def source() -> Json:
            return self.any(
                lambda: {"type": "base64", "media_type": "image/png", "data": f"iVBORw0KGgo{self.word()}"},
                lambda: {"type": "url", "url": f"https://e.org/{self.word()}"},
                lambda: {"type": "file", "file_id": self.word()},
            )

        def image() -> Json:
            return self.beside({"type": "image", "source": source()})

        def document() -> Json:
            plain = {"type": "text", "media_type": "text/plain", "data": self.word()}
            return self.beside({"type": "document", "source": plain, "title": self.word(), "context": self.word()})

        def found() -> Json:
            return {"type": "search_result", "source": self.word(), "title": self.word(), "content": [self.text()]}

        def thinking() -> Json:
            return {"type": "thinking", "thinking": self.word(), "signature": self.word()}

        def server() -> Json:
            return {"type": "server_tool_use", "id": self.word(), "name": self.word(), "input": {"q": self.word()}}

        def call(name: str) -> Json:
            words = self.any(lambda: {"q": self.word()}, dict, lambda: [self.word()], self.word)
            return self.beside({"type": "tool_use", "id": name, "name": self.word(), "input": words})

        def result(name: str) -> Json:
            block: Json = {"type": "tool_result", "tool_use_id": name, "is_error": self.dice.random() < 0.3}
            words = self.any(
                self.word, lambda: "", lambda: None, lambda: self.some(self.text, self.text, image, document, found)
            )
            return self.beside(block if words is None else {**block, "content": words})

        def exchange() -> list[Json]:
            ids = self.ids()
            asked = {"role": "assistant", "content": self.mixed([call(one) for one in ids], self.text, thinking)}
            told = {"role": "user", "content": self.mixed([result(one) for one in ids], self.text, image)}
            return [self.beside(asked), self.beside(told)]

        def user() -> list[Json]:
            said = self.any(self.word, lambda: "", lambda: self.some(self.text, self.text, image, document, found))
            return [self.beside({"role": "user", "content": said})]

        def assistant() -> list[Json]:
            said = self.any(self.word, lambda: "", lambda: self.some(self.text, self.text, thinking, server))
            return [self.beside({"role": "assistant", "content": said})]

        def system() -> list[Json]:
            return [self.beside({"role": "system", "content": self.any(self.word, lambda: [self.text()])})]

        def entity(message: Json) -> Json:
            return self.beside({"id": self.word(), "body": message}) if stored and self.dice.random() < 0.3 else message

        messages = itertools.chain(*self.some(user, system, assistant, exchange, exchange))
        return [{"role": "user", "content": self.word()}, *map(entity, messages)]

    def anthropic(self) -> Json:
        def tool() -> Json:
            schema = {"type": "object", "title": self.word()}
            return self.beside({"name": self.word(), "description": self.word(), "input_schema": schema})

        tools = [tool(), *self.some(tool, lambda: {"type": "search_1", "name": "search", "x": self.word()})]
        system = self.any(self.word, lambda: self.some(self.text))
        return {"system": system, "messages": self.blocks(), "tools": tools}

    def gemini(self) -> Json:
        snake = self.dice.random() < 0.3

        def key(camel: str) -> str:
            return re.sub(r"[A-Z]", lambda big: f"_{big[0].lower()}", camel) if snake else camel

        def part(value: Json) -> Json:
            if self.dice.random() < 0.2:
                value[key("thoughtSignature")] = self.word()
            return self.beside(value)

        def text() -> Json:
            return part({"text": self.word(), **self.any(dict, dict, lambda: {"thought": True})})

        def data() -> Json:
            kind, start = self.any(lambda: ("image/png", "iVBORw0KGgo"), lambda: ("audio/wav", "UklGR"))
            blob = {key("mimeType"): kind, "data": start + self.word()}
            if self.dice.random() < 0.3:
                blob[key("displayName")] = self.word()
            return {key("inlineData"): self.beside(blob)}

        def file() -> Json:
            uri = self.any(lambda: "gs://b/", lambda: "https://e.org/") + self.word()
            return {key("fileData"): self.beside({key("fileUri"): uri, key("mimeType"): "image/png"})}

        def media() -> Json:
            return part(self.any(data, data, file))

        def odd() -> Json:
            return part(self.any(lambda: {"executableCode": {"code": self.word()}}, lambda: {"odd": self.word()}))

        def content(role: str, parts: list[Json]) -> list[Json]:
            return [self.beside({"role": role, "parts": parts})]

        def exchange() -> list[Json]:
            names = self.ids()
            ids = [self.any(lambda: {"id": self.word()}, dict) for _ in names]
            calls, results = [], []
            for name, one in zip(names, ids, strict=True):
                args = {"args": {"q": self.word()}} if self.dice.random() < 0.8 else {}
                calls.append(part({key("functionCall"): self.beside({**one, "name": name, **args})}))
                response = self.any(
                    lambda: {"output": self.word()},
                    lambda: {"output": {"k": self.word()}},
                    lambda: {"k": self.word()},
                    lambda: {"error": self.word()},
                    lambda: {"error": self.word(), "k": self.word()},
                    dict,
                )
                said = {**one, "name": name, "response": response}
                if self.dice.random() < 0.3:
                    said["parts"] = [self.beside(self.any(data, file))]
                results.append(part({key("functionResponse"): self.beside(said)}))
            return content("model", self.mixed(calls, text)) + content("user", self.mixed(results, media, text))

        def declaration() -> Json:
            schema = {"type": "object", "title": self.word()}
            tool = {"name": self.word(), "description": self.word(), key("parametersJsonSchema"): schema}
            return self.beside(tool)

        def tool() -> Json:
            return {key("functionDeclarations"): [declaration() for _ in self.ids()]}

        contents = itertools.chain(
            *self.some(
                lambda: content("user", self.some(text, text, media, odd)),
                lambda: content("model", self.some(text, text, media, odd)),
                exchange,
                exchange,
            )
        )
        return {
            key("systemInstruction"): self.any(
                self.word, lambda: {"parts": self.some(text)}, lambda: self.some(text, lambda: {"text": self.word()})
            ),
            "contents": [*content("user", [{"text": self.word()}]), *contents],
            "tools": [tool(), *self.some(tool, lambda: {"googleSearch": {"x": self.word()}, **tool()})],
            key("toolConfig"): self.beside({key("functionCallingConfig"): self.beside({"mode": "AUTO"})}),
        }

    def history(self) -> list[Json]:
        return self.blocks(stored=True)

    def amazon_q(self) -> list[Json]:
        def block() -> Json:
            return self.beside(
                self.any(
                    lambda: {"text": self.word()}, lambda: {"json": {"k": self.word()}}, lambda: {"json": [self.word()]}
                )
            )

        def image() -> Json:
            kind = self.any(lambda: "png", lambda: "tiff")
            return self.beside(
                {"format": kind, "source": self.beside({"bytes": self.any(lambda: "iVBORw0KGgo", str) + self.word()})}
            )

        messages: list[Json] = [{"userInputMessage": {"content": self.word()}}]
        for _ in range(self.dice.randrange(4)):
            ids = self.ids()
            calls = [self.beside({"toolUseId": one, "name": self.word(), "input": {"q": self.word()}}) for one in ids]
            said = {"messageId": self.word(), "content": self.any(self.word, str), "toolUses": calls}
            status = self.any(lambda: "success", lambda: "error")
            results = [self.beside({"toolUseId": one, "content": self.some(block), "status": status}) for one in ids]
            context = self.beside({"toolResults": results})
            told = {"content": self.any(self.word, str), "userInputMessageContext": context, "images": self.some(image)}
            messages += [
                {"assistantResponseMessage": self.beside(said)},
                self.beside({"userInputMessage": self.beside(told)}),
            ]
        return messages


MAKERS: dict[str, Callable[[Maker], Any]] = {
    "openai": Maker.openai,
    "anthropic": Maker.anthropic,
    "gemini": Maker.gemini,
    "bedrock": makers.bedrock,
    "openai-responses": makers.openai_responses,
    "history": Maker.history,
    "amazon-q": Maker.amazon_q,
}
# The chats beside the two that represent all other formats: every pair would take minutes.
CHATS: dict[str, Callable[[Maker], Any]] = {
    name: functools.partial(makers.chat, dialect=name) for name in ("mistral", "ollama", "cohere")
}
CHAT_PAIRS = [*itertools.permutations(CHATS, 2)]
CHAT_PAIRS += [pair for one in ("openai", "anthropic") for chat in CHATS for pair in ((one, chat), (chat, one))]
# The same for front ends and traces, to and from one dialect for each form of messages.
FRONT: dict[str, Callable[[Maker], Any]] = {
    "ai-sdk": front_makers.ai_sdk,
    "ai-sdk-ui": front_makers.ai_sdk_ui,
    "ag-ui": front_makers.ag_ui,
    "otel": front_makers.otel,
}
FRONT_PAIRS = [
    pair
    for one in ("openai", "anthropic", "gemini", "bedrock")
    for front in FRONT
    for pair in ((one, front), (front, one))
]
PAIRS = [*CHAT_PAIRS, *FRONT_PAIRS]
ALL = MAKERS | CHATS | FRONT
# Formats that are stored, most of which write JSON inside texts.
STORED = ("openai:hf", "llama", "llama:3", "sharegpt", "structured")
STORED_PAIRS = list(itertools.product(("openai", "anthropic", "bedrock"), STORED))


def leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Every word with its path: strings, and unknown keys."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in GRAMMAR:
                below = f'{path}["{key}"]' if "." in key else f"{path}.{key}"
                if key.startswith("x_"):
                    yield below, key
                yield from leaves(item, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    elif isinstance(value, str):
        for word in re.findall(r"w\d+z", value):
            yield path, word


def is_under(path: str, losses: set[str]) -> bool:
    """Whether a loss is about this path. A key of an inner object is reported at the part that holds it."""
    if any(path.startswith(loss) and path[len(loss) : len(loss) + 1] in ("", ".", "[") for loss in losses):
        return True
    outer = {loss.rpartition(".") for loss in losses}
    return any(path.startswith(part) and f".{key}" in path[len(part) :] for part, _, key in outer)


@pytest.mark.parametrize(("source", "target"), [*itertools.permutations(MAKERS, 2), *PAIRS, *STORED_PAIRS])
@given(dice=st.randoms(use_true_random=True))
def test_every_word_is_there_or_a_loss(source: str, target: str, dice: random.Random) -> None:
    reasoning: Any = dice.choice(["drop", "text"])
    payload = ALL[source](Maker(dice))
    try:
        rendered = tw.convert(payload, source, target, reasoning=reasoning)
    except tw.RenderError as error:
        assert error.code == "refused"
        return
    written = json.dumps(rendered.payload)
    # Where documents are bytes, so are their words.
    blobs = re.findall(BLOBS, written)
    written += "".join(base64.b64decode("".join(blob)).decode() for blob in blobs)
    losses = set()
    for loss in rendered.losses:
        # Signed parts stay and lose their signature. Parts with an id stay without it.
        ids = ("",) if loss.kind != "lost" or loss.path.endswith(".id") else IDS
        # A report that a message got an id covers none of its content.
        ids = () if target in ("ag-ui", "ai-sdk-ui") and loss.kind == "changed" else ids
        keys = {"signature": (".thoughtSignature", ".thought_signature"), "id": ids}
        losses |= {loss.path + key for key in keys.get(loss.code, ("",))}
    gone = [(path, word) for path, word in leaves(payload, "$") if word not in written and not is_under(path, losses)]
    if target in STORED:
        # An id is the only word in two places. The loss of an id has the path of its call.
        told = {word for path, word in leaves(payload, "$") if is_under(path, losses)}
        gone = [(path, word) for path, word in gone if word not in told]
    assert gone == [], losses
    text = tw.convert_json(json.dumps(payload, separators=(",", ":")), source, target, reasoning=reasoning)
    assert (json.loads(text.payload), text.losses) == (rendered.payload, rendered.losses)


class Halves(Maker):
    """The same, made of words that sometimes end with a lone surrogate."""

    def word(self) -> str:
        return super().word() + ("\ud83d" if self.dice.random() < 0.2 else "")


@pytest.mark.parametrize(("source", "target"), [*itertools.product(MAKERS, MAKERS), *PAIRS, *STORED_PAIRS])
@given(dice=st.randoms(use_true_random=True))
@settings(max_examples=tries(30))
def test_every_half_of_a_character_that_is_replaced_is_counted(source: str, target: str, dice: random.Random) -> None:
    payload = ALL[source](Halves(dice))
    data = json.dumps(payload, separators=(",", ":"))
    try:
        objects = [
            tw.convert(payload, source, target),
            tw.convert_json(payload, source, target),
            tw.Conversation.parse(payload, source).render_json(target),
        ]
        texts = [tw.convert(data.encode(), source, target), tw.Conversation.parse(data, source).render(target)]
        through = tw.convert_json(data, source, target)
    except tw.RenderError as error:
        assert error.code == "refused"
        return
    # A list of objects for arguments becomes text when it is read, before anything is counted; JSON text is not
    # changed. The same holds for the arguments of a UIMessage that are still streamed.
    doors = texts if '"input":[' in data else objects + texts
    doors = [] if '"input-streaming"' in data else doors
    # The same holds for the texts of a citation, where no object can hold them.
    doors += [] if '"citationsContent"' in data or '"input-streaming"' in data else [through]
    for rendered in doors:
        made: Any = rendered.payload
        text = made.decode() if isinstance(made, bytes) else json.dumps(made, ensure_ascii=False)
        counted = [int(loss.reason.rpartition(": ")[2]) for loss in rendered.losses if loss.code == "lone_surrogate"]
        assert text.count("\ufffd") + text.count("\\ufffd") == sum(counted)


IMAGE = {"format": "png", "source": {"s3Location": {"uri": "s3://bucket/a.png", "bucketOwner": "111122223333"}}}
INLINE = {"format": "png", "source": {"bytes": "iVBORw0KGgo=", "x": 1}}
ASKED = [{"role": "user", "content": "q"}]
FUNCTION = {"type": "function", "function": {"name": "f", "strict": True, "parameters": {"type": "object"}}}
CUSTOM = {
    "type": "custom",
    "custom": {"name": "f", "format": {"type": "grammar", "grammar": {"syntax": "regex", "definition": "a"}}},
}
SPEC = {"toolSpec": {"name": "f", "strict": True, "inputSchema": {"json": {"type": "object"}}}}
DEVELOPER = [
    {"role": "user", "content": "q"},
    {"role": "developer", "content": [{"type": "text", "text": word} for word in "ab"]},
]


@pytest.mark.parametrize(
    ("source", "body", "target", "path"),
    [
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"image": IMAGE}]}]},
            "ai-sdk",
            "$.messages[0].content[0].image.source.s3Location.bucketOwner",
        ),
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"image": INLINE}]}]},
            "openai",
            "$.messages[0].content[0].image.source.x",
        ),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "gemini", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "cohere", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "sharegpt", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [CUSTOM]}, "sharegpt", "$.tools[0].custom.format"),
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"text": "q"}]}], "toolConfig": {"tools": [SPEC]}},
            "ollama",
            "$.toolConfig.tools[0].toolSpec.strict",
        ),
        ("openai", {"messages": DEVELOPER}, "gemini-interactions", "$.messages[1]"),
    ],
)
def test_a_loss_names_a_place_that_is_in_the_payload(source: str, body: Json, target: str, path: str) -> None:
    losses = tw.convert(body, source, target).losses
    assert path in [loss.path for loss in losses]
    for loss in losses:
        value: Any = body
        for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", loss.path):
            value = value[int(index) if index else key]


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "openai-responses"])
def test_the_type_of_a_result_of_converse_is_lost_elsewhere(target: Any) -> None:
    call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "c", "content": [{"text": "r"}], "type": "grounding"}}
    turns = [("user", {"text": "q"}), ("assistant", call), ("user", result)]
    body = {"messages": [{"role": role, "content": [block]} for role, block in turns]}
    lost = [loss.path for loss in tw.convert(body, "bedrock", target).losses if loss.kind == "lost"]
    assert lost == ["$.messages[2].content[0].toolResult.type"]
    ready = tw.prepare(body, "bedrock")
    assert [entry.code for entry in ready.receipt or ()] == ["reply_keys"]
    assert "grounding" not in str(ready.payload)
    plain = json.loads(json.dumps(body).replace("grounding", "tool_result"))
    assert not [loss for loss in tw.convert(plain, "bedrock", target).losses if loss.kind == "lost"]


def test_a_key_of_each_turn_whose_result_moves_is_there_or_told() -> None:
    def call(name: str) -> Json:
        return {"type": "tool_use", "id": name, "name": "f", "input": {}}

    def result(name: str) -> Json:
        return {"type": "tool_result", "tool_use_id": name, "content": "r"}

    messages: list[Json] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "assistant", "content": [result("a")], "x_one": 1},
        {"role": "assistant", "content": [result("b")], "x_two": 2},
    ]
    ready = tw.prepare(messages, "anthropic")
    assert "x_one" in str(ready.payload)
    assert [(loss.kind, loss.code, loss.path) for loss in ready.losses] == [("lost", "key", "$[3].x_two")]


def test_keys_of_a_listed_call_that_its_block_has_already_are_told() -> None:
    function = {"name": "f", "arguments": {}, "type": ["odd"], "id": "d", "x": 2, "y": 3}
    messages: list[Json] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "go", "toolCalls": [{"x": 1, "name": "other", "function": function}]},
        {"role": "tool", "content": "r"},
    ]
    ready = tw.prepare(messages, "history")
    kept = {"type": "tool_use", "id": "call_1_0", "name": "f", "input": {}, "x": 2, "y": 3}
    assert ready.payload[1]["content"][1] == kept
    at = "$[1].toolCalls[0]"
    lost = [loss.path for loss in ready.losses if loss.kind == "lost"]
    assert lost == [f"{at}.function.type", f"{at}.function.id", f"{at}.x", f"{at}.name"]


@pytest.mark.parametrize("before", [[], [{"type": "thought", "summary": [], "signature": "c2ln"}]])
def test_keys_of_a_step_whose_contents_become_steps_are_kept_or_told(before: list[Json]) -> None:
    steps: list[Json] = [
        {"type": "user_input", "content": [{"type": "text", "text": "q"}]},
        {"type": "function_call", "id": "c", "name": "f", "arguments": {}},
        {"type": "user_input", "content": [{"type": "function_result", "call_id": "c", "result": "r"}], "x_one": 1},
        {"role": "model", "content": [*before, {"type": "text", "text": "a"}], "x_two": 2},
        {"type": "user_input", "content": [{"type": "text", "text": "more"}]},
    ]
    ready = tw.prepare({"input": steps}, "gemini-interactions", source="gemini-interactions")
    assert "x_two" in str(ready.payload)
    assert [loss.path for loss in ready.losses if loss.kind == "lost"] == ["$.input[2].x_one"]
