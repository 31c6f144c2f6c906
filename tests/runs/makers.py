"""The providers that answer: how each spells what is said in its list, and what it refuses."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import bound_items
import bound_reasoning
from bound_reasoning import THINKING, listed, mark

Json = dict[str, Any]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


class Part:
    """One piece of a reply: `think`, `redacted`, `text WORDS`, `call ID`, `compaction`."""

    def __init__(self, said: str) -> None:
        self.kind, _, self.rest = said.strip().partition(" ")


def tool(word: str) -> Json:
    """A tool by its name, or `name@2` for another definition of it."""
    name, _, version = word.partition("@")
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    return {"name": name, "description": f"{name}, version {version or 1}.", "input_schema": schema}


class Maker:
    """Claude, and what the others share. A reply is a list of elements of the caller's list."""

    target: Any = "anthropic"
    model = "claude-opus-5-5"
    #: Whether changes of system text and tools are appended, and whether replies have reasoning.
    appends = thinks = True

    def __init__(self) -> None:
        self.provider: Any = bound_reasoning.Provider()
        #: The blocks of each reply, by the name under which the provider finds it again.
        self.replies: dict[str, list[Json]] = {}
        self.count = 0

    def checks(self, model: str) -> bool:
        return model in bound_reasoning.CHECKS

    # What the caller appends.

    def user(self, text: str) -> Json:
        return {"role": "user", "content": text}

    def results(self, results: list[Json]) -> list[Json]:
        return [{"role": "user", "content": [self.result(**one) for one in results]}]

    def result(self, id: str, text: str, how: str = "") -> Json:
        block: Json = {"type": "tool_result", "tool_use_id": id, "content": text}
        if how == "image":
            block["content"] = [{"type": "text", "text": text}, copy.deepcopy(IMAGE)]
        return block | ({"is_error": True} if how == "failed" else {})

    # What the provider makes.

    def reply(self, body: Json, parts: list[Part], model: str) -> list[Json]:
        blocks = [self.block(part) for part in parts]
        made = self.provider.reply(self.read(body), blocks, model)
        self.replies[self.name_of(made)] = made
        return [{"role": "assistant", "content": made}]

    def block(self, part: Part) -> Json:
        self.count += 1
        match part.kind:
            case "think":
                return {"type": "thinking", "thinking": part.rest or "hm"}
            case "redacted":
                return {"type": "redacted_thinking"}
            case "text":
                return {"type": "text", "text": part.rest or f"said {self.count}"}
            case "call":
                return {
                    "type": "tool_use",
                    "id": part.rest,
                    "name": "read",
                    "input": {"path": f"{part.rest} {self.count}"},
                }
            case "compaction":
                return {"type": "compaction", "content": f"Until {self.count}.", "signature": f"own-{self.count}"}
        raise ValueError(part.kind)

    def name_of(self, made: list[Json]) -> str:
        return bound_reasoning.name_of([block for block in made if block["type"] not in THINKING])

    def names(self, element: Json) -> list[str]:
        """The names by which the provider finds what an element was made with."""
        return [self.name_of(listed(element["content"]))] if element.get("role") == "assistant" else []

    def summary(self, asked: Json, model: str) -> Json:
        assert asked.pop("compaction") == {"type": "summarize"}
        return {"role": "assistant", "content": [self.provider.summary(self.read(asked), model)]}

    def asked_for(self, asked: Json) -> list[Json]:
        """The elements of a request for a summary, without what asks for it."""
        return self.elements(asked)

    # What the provider sees.

    def listed(self, given: Any) -> list[Json]:
        """The elements of what the ledger gets."""
        return list(given)

    def read(self, body: Json) -> Json:
        """A body as the provider's check reads it."""
        return body

    def elements(self, body: Json) -> list[Json]:
        return [{**message, "content": listed(message["content"])} for message in body["messages"]]

    def head(self, body: Json) -> Json:
        shown = [one for one in body.get("tools", ()) if not one.get("defer_loading")]
        return {**body, "messages": 0, "tools": shown}

    def stale(self, body: Json, model: str) -> list[Any]:
        return self.provider.stale(self.read(body), model)

    def shown(self, elements: list[Json]) -> list[str]:
        blocks = (block for one in elements for block in listed(one.get("content")) if isinstance(block, dict))
        return [mark(block) for block in blocks if block.get("type") in THINKING]

    def best(self, body: Json, names: set[str]) -> list[str]:
        """All reasoning that a request could hold, of the replies with these names."""
        return self.provider.best(self.read(body), {name: self.replies[name] for name in names if name in self.replies})

    def bound(self, body: Json, model: str) -> str:
        return self.provider.bound(self.read(body), model)


class Responses(Maker):
    """OpenAI's Responses. Each piece of a reply is an element."""

    target = "openai-responses"
    model = "gpt-6.1"

    def __init__(self) -> None:
        super().__init__()
        self.provider = bound_items.Provider(self.model)

    def checks(self, model: str) -> bool:
        return True

    def results(self, results: list[Json]) -> list[Json]:
        return [self.result(**one) for one in results]

    def result(self, id: str, text: str, how: str = "") -> Json:
        picture = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
        output: Any = [{"type": "input_text", "text": text}, picture] if how == "image" else text
        return {"type": "function_call_output", "call_id": id, "output": output}

    def reply(self, body: Json, parts: list[Part], model: str) -> list[Json]:
        self.provider.model = model
        return list(self.provider.reply(body, [self.block(part) for part in parts]))

    def block(self, part: Part) -> Json:
        self.count += 1
        match part.kind:
            case "think" | "redacted":
                return {"type": "reasoning", "id": f"rs_{self.count}", "summary": []}
            case "text":
                said = {"type": "output_text", "text": part.rest or f"g{self.count}", "annotations": []}
                item = {"type": "message", "id": f"msg_{self.count}", "role": "assistant", "status": "completed"}
                return {**item, "content": [said]}
            case "call":
                item = {"type": "function_call", "id": f"fc_{self.count}", "call_id": part.rest, "name": "read"}
                return {**item, "arguments": json.dumps({"path": f"{part.rest} {self.count}"})}
        raise ValueError(part.kind)

    def names(self, element: Json) -> list[str]:
        return [] if element.get("type") == "reasoning" else [bound_items.name_of(element)]

    def summary(self, asked: Json, model: str) -> Json:
        block = self.provider.compact(asked)
        # Claude's provider gives the same names.
        name = "gpt-" + block["encrypted_content"]
        self.provider.summaries[name] = self.provider.summaries[block["encrypted_content"]]
        return {**block, "encrypted_content": name}

    def asked_for(self, asked: Json) -> list[Json]:
        return self.elements(asked)[:-1]

    def elements(self, body: Json) -> list[Json]:
        return list(body["input"])

    def head(self, body: Json) -> Json:
        return {**body, "input": 0, "tools": body.get("tools")}

    def stale(self, body: Json, model: str) -> list[Any]:
        self.provider.model = model
        return self.provider.read(body)[1]

    def shown(self, elements: list[Json]) -> list[str]:
        return [one["encrypted_content"] for one in elements if one.get("type") == "reasoning"]

    def best(self, body: Json, names: set[str]) -> list[str]:
        made = self.provider.before
        self.provider.before = {name: made[name] for name in names if name in made}
        best, self.provider.before = self.provider.best(body), made
        return best

    def bound(self, body: Json, model: str) -> str:
        self.provider.model = model
        return self.provider.bound(body)


class Bedrock(Maker):
    """Claude on Bedrock. System text and tools cannot be appended there."""

    target = "bedrock"
    appends = False

    def user(self, text: str) -> Json:
        return {"role": "user", "content": [{"text": text}]}

    def result(self, id: str, text: str, how: str = "") -> Json:
        return converse(super().result(id, text, how))

    def reply(self, body: Json, parts: list[Part], model: str) -> list[Json]:
        (said,) = super().reply(body, parts, model)
        return [{"role": "assistant", "content": [*map(converse, said["content"])]}]

    def names(self, element: Json) -> list[str]:
        return super().names({**element, "content": [*map(anthropic, element["content"])]})

    def read(self, body: Json) -> Json:
        return {
            "system": [{"type": "text", **block} for block in body.get("system", ())],
            "tools": [one["toolSpec"] for one in body.get("toolConfig", {}).get("tools", ())],
            "messages": [{**one, "content": [*map(anthropic, one["content"])]} for one in body["messages"]],
        }

    def elements(self, body: Json) -> list[Json]:
        return list(body["messages"])

    def head(self, body: Json) -> Json:
        return {**body, "messages": 0}

    def shown(self, elements: list[Json]) -> list[str]:
        return super().shown([{**one, "content": [*map(anthropic, one["content"])]} for one in elements])


class Gemini(Maker):
    """Gemini: it binds nothing, and signs its calls."""

    target = "gemini"
    model: Any = "gemini-3-pro"
    thinks = False

    def checks(self, model: str) -> bool:
        return False

    def results(self, results: list[Json]) -> list[Json]:
        said = [{"functionResponse": {"name": "read", "response": {"output": one["text"]}}} for one in results]
        return [{"role": "user", "parts": said}]

    def reply(self, body: Json, parts: list[Part], model: str) -> list[Json]:
        self.count += 1
        said = []
        for at, part in enumerate(part for part in parts if part.kind in ("text", "call")):
            if part.kind == "text":
                said.append({"text": part.rest or f"m{self.count}x{at}"})
            else:
                call = {"name": "read", "args": {"path": f"{part.rest} {self.count}"}}
                signed = base64.b64encode(part.rest.encode()).decode()
                first = not any("functionCall" in one for one in said)
                said.append({"functionCall": call, **({"thoughtSignature": signed} if first else {})})
        return [{"role": "model", "parts": said}]

    def names(self, element: Json) -> list[str]:
        return []

    def elements(self, body: Json) -> list[Json]:
        return list(body["contents"])

    def head(self, body: Json) -> Json:
        return {**body, "contents": 0}

    def stale(self, body: Json, model: str) -> list[Any]:
        return []

    def shown(self, elements: list[Json]) -> list[str]:
        return []

    def best(self, body: Json, names: set[str]) -> list[str]:
        return []

    def bound(self, body: Json, model: str) -> str:
        return ""


class Chat(Gemini):
    """OpenAI's chat format, which has no reasoning here."""

    target = "openai"
    model = "gpt-4o"

    def results(self, results: list[Json]) -> list[Json]:
        return [{"role": "tool", "tool_call_id": one["id"], "content": self.content(**one)} for one in results]

    def content(self, id: str, text: str, how: str = "") -> Any:
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{IMAGE['source']['data']}"}}
        return [{"type": "text", "text": text}, image] if how == "image" else text

    def reply(self, body: Json, parts: list[Part], model: str) -> list[Json]:
        self.count += 1
        said = "".join(part.rest or f"o{self.count}" for part in parts if part.kind == "text") or None
        calls = [
            {
                "id": part.rest,
                "type": "function",
                "function": {"name": "read", "arguments": json.dumps({"path": part.rest})},
            }
            for part in parts
            if part.kind == "call"
        ]
        return [{"role": "assistant", "content": said, **({"tool_calls": calls} if calls else {})}]

    def elements(self, body: Json) -> list[Json]:
        return list(body["messages"])

    def head(self, body: Json) -> Json:
        return {**body, "messages": 0}


def converse(block: Json) -> Json:
    """A block of Anthropic's as one of Bedrock's."""
    match block["type"]:
        case "text":
            return {"text": block["text"]}
        case "thinking":
            text = {"text": block["thinking"], "signature": block["signature"]}
            return {"reasoningContent": {"reasoningText": text}}
        case "tool_use":
            return {"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["input"]}}
    failed = {"status": "error"} if block.get("is_error") else {}
    return {"toolResult": {"toolUseId": block["tool_use_id"], "content": [{"text": block["content"]}], **failed}}


def anthropic(block: Json) -> Json:
    """A block of Bedrock's in the form that the provider reads."""
    ((kind, held),) = block.items()
    match kind:
        case "text":
            return {"type": "text", "text": held}
        case "reasoningContent":
            text = held["reasoningText"]
            return {"type": "thinking", "thinking": text["text"], "signature": text["signature"]}
        case "toolUse":
            return {"type": "tool_use", "id": held["toolUseId"], "name": held["name"], "input": held["input"]}
    return {"type": kind, "held": held}
