"""Converse: blocks with one key for their kind, results of an exchange in one message, tools in a configuration."""

from collections.abc import Iterator
from typing import Any

from .view import PDF, PNG, Call, InnerCall, InnerResult, Json, NoPlaceError, Payload, Result, dicts, joined

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
IMAGE = {"image": {"format": "png", "source": {"bytes": PNG}}}
CACHE = {"cachePoint": {"type": "default"}}
THOUGHT = {"reasoningContent": {"reasoningText": {"text": "Let me see.", "signature": "c2lnbmF0dXJl"}}}


def use(name: str, call_id: str, args: Any = None) -> Json:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": {"q": "x"} if args is None else args}}


def got(call_id: Any, *content: Json, **more: Any) -> Json:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), **more}}


def document(name: Any, **source: Any) -> Json:
    return {"document": {"format": "pdf", "name": name, "source": source or {"bytes": PDF}}}


def specs(*names: str) -> list[Json]:
    made = [{"name": name, "description": f"To {name}.", "inputSchema": {"json": SCHEMA}} for name in names]
    return [{"toolSpec": one} for one in made]


class Bedrock(Payload):
    def message(self, role: str, content: Any) -> Json:
        made: Json = {"role": role}
        self.say(made, content)
        return made

    def say(self, turn: Json, content: Any) -> None:
        if isinstance(content, str):
            content = [self.text(content)]
        turn[self.CONTENT] = content

    def holds(self, made: Any, element: Any) -> bool:
        return super().holds(made, element) or joined(made, element, self.CONTENT)

    def text(self, words: Any, turn: Json | None = None) -> Json:
        return {"text": words}

    def is_text(self, block: Json) -> bool:
        return "text" in block

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"image": {"format": kind.removeprefix("image/"), "source": {"bytes": data}}}

    def paper(self) -> Json:
        return document("a paper")

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for block in dicts(turn.get("content")):
            if isinstance(block.get("toolUse"), dict):
                yield InnerCall(turn, turn["content"], block, block["toolUse"], "toolUseId", "input")

    def _results_of(self, element: Json) -> Iterator[Result]:
        for block in dicts(element.get("content")):
            if isinstance(block.get("toolResult"), dict):
                yield InnerResult(element, element["content"], block, "toolUseId", "content", block["toolResult"])

    def made_result(self, call_id: Any) -> Json:
        return got(call_id, {"text": f"said {self.word()}"})

    def failed(self, result: Result) -> None:
        result.inner["status"] = "error"

    def config(self) -> Json:
        """Where tools and the tool choice are."""
        found = self.body.get("toolConfig") if isinstance(self.body, dict) else None
        if not isinstance(found, dict):
            raise NoPlaceError
        return found

    def tools(self) -> list[Json]:
        config = self.body.get("toolConfig") if isinstance(self.body, dict) else None
        tools = dicts(config.get("tools")) if isinstance(config, dict) else []
        return [tool["toolSpec"] for tool in tools if isinstance(tool.get("toolSpec"), dict)]
