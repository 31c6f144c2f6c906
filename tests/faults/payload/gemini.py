"""Gemini contents: parts with one key for their kind, in either spelling; ids may be missing, then names pair."""

from collections.abc import Iterator, Sequence
from typing import Any

from .view import PDF, PNG, Call, InnerCall, InnerResult, Json, Payload, Result, dicts, joined

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
SIGNATURE = "c2lnbmF0dXJl"
CALLS = ("functionCall", "function_call")
RESULTS = ("functionResponse", "function_response")
SIGNATURES = ("thoughtSignature", "thought_signature")


def call(name: str, call_id: str | None = None, args: Any = None, **more: Any) -> Json:
    inner: Json = {} if call_id is None else {"id": call_id}
    return {"functionCall": inner | {"name": name, "args": {"q": "x"} if args is None else args}, **more}


def got(name: str, response: Json, call_id: str | None = None, **more: Any) -> Json:
    inner: Json = {} if call_id is None else {"id": call_id}
    return {"functionResponse": inner | {"name": name, "response": response, **more}}


def inline(kind: str, data: str, **more: Any) -> Json:
    return {"inlineData": {"mimeType": kind, "data": data, **more}}


def declarations(*names: str) -> Json:
    tools = [{"name": name, "description": f"To {name}.", "parametersJsonSchema": SCHEMA} for name in names]
    return {"functionDeclarations": tools}


def of(part: Json, keys: Sequence[str]) -> str | None:
    """The one of these keys that holds an object in a part."""
    return next((key for key in keys if isinstance(part.get(key), dict)), None)


class Gemini(Payload):
    PROFILES = ("2",)
    LIST = "contents"
    CONTENT = "parts"

    def roles(self) -> Iterator[tuple[str, Json]]:
        for role, turn in super().roles():
            yield "assistant" if role == "model" else role, turn

    def message(self, role: str, content: Any) -> Json:
        made: Json = {"role": "model" if role == "assistant" else role}
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
        return inline(kind, data)

    def paper(self) -> Json:
        return inline("application/pdf", PDF)

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for part in dicts(turn.get("parts")):
            if key := of(part, CALLS):
                yield InnerCall(turn, turn["parts"], part, part[key], "id", "args")

    def _results_of(self, element: Json) -> Iterator[Result]:
        for part in dicts(element.get("parts")):
            if key := of(part, RESULTS):
                yield InnerResult(element, element["parts"], part, "id", "response", part[key])

    def results_of(self, calls: Sequence[Call]) -> list[Result]:
        """By id where there is one, by name and position in the next content where there is none."""
        found = []
        for one in calls:
            results = [result for result in self.results() if result.id == one.id]
            if one.id is None:
                same = [call for call in self._calls_of(one.turn) if call.id is None and call.name == one.name]
                at = self.at(one.turn) + 1
                behind = (
                    [result for result in results if result.element is self.elements[at]] if self.elements[at:] else []
                )
                results = [result for result in behind if result.inner.get("name") == one.name]
                results = results[[call.node is one.node for call in same].index(True) :][:1]
            found += results
        return found

    def result_element(self, node: Json) -> Json:
        return {"role": "user", "parts": [node]}

    def calling(self, node: Json) -> Json:
        return {"role": "model", "parts": [node]}

    def made_result(self, call_id: Any) -> Json:
        called = [one.name for one in self.calls() if one.id == call_id]
        return got(called[0] if called else "look", {"output": f"said {self.word()}"}, call_id)

    def failed(self, result: Result) -> None:
        result.inner["response"] = {"error": f"failed {self.word()}"}

    def tools(self) -> list[Json]:
        entries = dicts(self.body.get("tools")) if isinstance(self.body, dict) else []
        keys = ("functionDeclarations", "function_declarations")
        return [tool for entry in entries for key in keys for tool in dicts(entry.get(key)) if "name" in tool]

    def _mark_content(self, result: Result, marked: list[int]) -> None:
        response = result.inner.get("response")
        for key in ("output", "error"):
            if isinstance(response, dict) and isinstance(response.get(key), str):
                response[key] += f" {self.word()}"
