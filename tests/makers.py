"""Random payloads of Converse and Responses, made of a maker's words: for the tests of losses."""

import itertools
import json
from collections.abc import Callable
from typing import Any, Protocol

Json = dict[str, Any]


class Words(Protocol):
    """Makes random words, choices and unknown keys."""

    def word(self) -> str: ...
    def any(self, *choices: Callable[[], Any]) -> Any: ...
    def some(self, *choices: Callable[[], Any]) -> list[Any]: ...
    def beside(self, value: Json) -> Json: ...
    def ids(self) -> list[str]: ...
    def mixed(self, blocks: list[Json], *choices: Callable[[], Json]) -> list[Json]: ...


def bedrock(of: Words) -> Json:
    """A body of Converse."""
    word = of.word

    def inside(key: str, value: Json) -> Json:
        return of.beside({key: of.beside(value)})

    def text() -> Json:
        return of.beside({"text": word()})

    def s3(end: str) -> Json:
        return {"s3Location": of.beside({"uri": f"s3://bucket/{word()}.{end}", "bucketOwner": word()})}

    def image() -> Json:
        source = of.any(lambda: {"bytes": f"iVBORw0KGgo{word()}"}, lambda: s3("png"))
        return inside("image", {"format": "png", "source": of.beside(source)})

    def document() -> Json:
        source = of.any(
            lambda: {"bytes": f"JVBERi0{word()}"},
            lambda: {"text": word()},
            lambda: {"content": [{"text": word()}]},
            lambda: s3("pdf"),
        )
        return inside("document", {"format": "pdf", "name": word(), "source": source, "context": word()})

    def guarded() -> Json:
        said = {"text": of.beside({"text": word(), "qualifiers": [word()]})}
        return {"guardContent": of.any(lambda: said, lambda: {"image": image()["image"]})}

    def cited() -> Json:
        texts = [{"text": word()} for _ in of.ids()]
        return inside("citationsContent", {"content": texts, "citations": [{"title": word()}]})

    def thought() -> Json:
        said = {"reasoningText": of.beside({"text": word(), "signature": word()})}
        return {"reasoningContent": of.any(lambda: said, lambda: {"redactedContent": word()})}

    def odd() -> Json:
        return {"odd": {"k": word()}}

    def server() -> Json:
        return {"toolUse": {"toolUseId": word(), "name": word(), "input": {}, "type": "server_tool_use"}}

    def call(name: str) -> Json:
        args = of.any(lambda: {"q": word()}, dict, lambda: [word()], word)
        return inside("toolUse", {"toolUseId": name, "name": word(), "input": args})

    def result(name: str) -> Json:
        blocks = of.some(
            text, image, document, odd, lambda: of.beside({"json": {"k": word()}}), lambda: {"json": [word()]}
        )
        status = of.any(dict, lambda: {"status": "error"}, lambda: {"status": "success"})
        return inside("toolResult", {"toolUseId": name, "content": blocks, **status})

    def message(role: str, blocks: list[Json]) -> list[Json]:
        return [of.beside({"role": role, "content": blocks})]

    def exchange() -> list[Json]:
        ids = of.ids()
        asked = message("assistant", of.mixed([call(one) for one in ids], text, thought))
        return asked + message("user", of.mixed([result(one) for one in ids], text, image))

    def tool() -> Json:
        spec = {"name": word(), "description": word(), "inputSchema": {"json": {"type": "object", "title": word()}}}
        return inside("toolSpec", spec)

    messages = itertools.chain(
        *of.some(
            lambda: message("user", of.some(text, text, image, document, guarded, odd)),
            lambda: message("assistant", of.some(text, text, cited, thought, server)),
            exchange,
            exchange,
        )
    )
    return {
        "system": of.some(text, text, odd),
        "messages": [*message("user", [{"text": word()}]), *messages],
        "toolConfig": of.beside({"tools": [tool(), *of.some(tool, odd)], "toolChoice": {"auto": {}}}),
    }


def openai_responses(of: Words) -> Json:
    """A body of Responses."""
    word = of.word

    def text() -> Json:
        return of.beside({"type": "input_text", "text": word()})

    def image() -> Json:
        url = of.any(lambda: "https://e.org/", lambda: "data:image/png;base64,iVBORw0KGgo") + word()
        detail = of.any(dict, lambda: {"detail": "low"})
        return of.beside({"type": "input_image", "image_url": url, **detail})

    def file() -> Json:
        data = of.any(
            lambda: {"file_data": f"data:application/pdf;base64,JVBERi0{word()}", "filename": word()},
            lambda: {"file_url": f"https://e.org/{word()}"},
            lambda: {"file_id": word()},
        )
        return of.beside({"type": "input_file", **data})

    def odd() -> Json:
        return {"type": "odd", "odd": word()}

    def said() -> Json:
        return of.beside({"type": "output_text", "text": word(), "annotations": of.some(lambda: {"title": word()})})

    def refusal() -> Json:
        return {"type": "refusal", "refusal": word()}

    def item_id(prefix: str) -> Json:
        return {"id": of.any(lambda: f"{prefix}_{word()}", word)} if of.any(bool, lambda: True) else {}

    def user() -> list[Json]:
        content = of.any(word, str, lambda: of.some(text, text, image, file, odd))
        return [of.beside({"role": of.any(lambda: "user", lambda: "developer"), "content": content})]

    def assistant() -> list[Json]:
        plain = {"role": "assistant", "content": of.any(word, str), "phase": word()}
        parts = {"type": "message", **item_id("msg"), "role": "assistant", "content": of.some(said, said, refusal)}
        return [of.beside(of.any(lambda: plain, lambda: parts))]

    def reasoning() -> list[Json]:
        summary = [{"type": "summary_text", "text": word()} for _ in of.some(dict)]
        return [{"type": "reasoning", "id": word(), "summary": summary, "encrypted_content": word()}]

    def hosted() -> list[Json]:
        return [{"type": of.any(lambda: "web_search_call", lambda: "mcp_call"), "id": word(), "x": word()}]

    def call(name: str) -> tuple[Json, str]:
        if of.any(bool, bool, bool, lambda: True):
            made = {"type": "custom_tool_call", "call_id": name, "name": word(), "input": word()}
            return of.beside(made), "custom_tool_call_output"
        args = of.any(lambda: json.dumps({"q": word()}), str, word, lambda: f"[{word()}")
        made = {"type": "function_call", "call_id": name, "name": word(), "arguments": args, **item_id("fc")}
        return of.beside(made), "function_call_output"

    def exchange() -> list[Json]:
        ids = of.ids()
        calls = [call(one) for one in ids]
        output = [
            of.beside({"type": kind, "call_id": one, "output": of.any(word, str, lambda: of.some(text, image, file))})
            for one, (_, kind) in zip(ids, calls, strict=True)
        ]
        between = of.any(list, list, reasoning, hosted)
        return [*between, *(made for made, _ in calls), *output]

    def function() -> Json:
        schema = {"type": "object", "title": word()}
        tool = {"type": "function", "name": word(), "description": word(), "parameters": schema, "strict": False}
        return of.beside(tool)

    def custom() -> Json:
        return of.beside({"type": "custom", "name": word(), "format": {"type": "grammar", "definition": word()}})

    def search() -> Json:
        return {"type": "web_search", "x": word()}

    items = itertools.chain(*of.some(user, user, assistant, reasoning, hosted, exchange, exchange))
    return {
        "instructions": of.any(word, str),
        "input": of.any(word, lambda: [{"role": "user", "content": word()}, *items]),
        "tools": [function(), *of.some(function, custom, search)],
    }


def chat(of: Words, dialect: str) -> Json:
    """A body of Mistral's, Ollama's or Cohere's chat."""
    word = of.word
    ollama, cohere = dialect == "ollama", dialect == "cohere"

    def text() -> Json:
        return of.beside({"type": "text", "text": word()})

    def image() -> Json:
        url = of.any(lambda: "https://e.org/", lambda: "data:image/png;base64,iVBORw0KGgo") + word()
        return of.beside({"type": "image_url", "image_url": of.beside({"url": url})})

    def thought() -> Json:
        said = word() if cohere else [{"type": "text", "text": word()}, {"type": "text", "text": word()}]
        return {"type": "thinking", "thinking": said}

    def own() -> Json:
        paper = {"type": "document_url", "document_url": f"https://e.org/{word()}", "document_name": word()}
        return of.any(lambda: paper, lambda: {"type": "reference", "reference_ids": [word()]})

    def content(*parts: Callable[[], Json]) -> Any:
        return of.any(word, str) if ollama else of.any(word, str, lambda: of.some(*parts))

    def user() -> list[Json]:
        parts = (text, text, image) if cohere else (text, text, image, own)
        message = {"role": "user", "content": content(*parts)}
        if ollama:
            message["images"] = [f"iVBORw0KGgo{word()}" for _ in of.some(dict)]
        return [of.beside(message)]

    def assistant() -> list[Json]:
        message = {"role": "assistant", "content": content(text, text, thought)}
        if ollama:
            message["thinking"] = word()
        return [of.beside(message)]

    def exchange() -> list[Json]:
        ids = of.ids()
        objects = (lambda: {"q": word()}, dict)
        texts = (lambda: json.dumps({"q": word()}), str, word)
        calls, results = [], []
        for one in ids:
            name = word()
            args = of.any(*objects) if ollama else of.any(*texts)
            calls.append(of.beside({"id": one, "type": "function", "function": {"name": name, "arguments": args}}))
            block = {"type": "document", "document": {"id": word(), "data": {"k": word()}}}
            said = content(text, text, lambda block=block: block) if cohere else content(text, text)
            named = {"tool_name": name} if ollama else {}
            results.append(of.beside({"role": "tool", "tool_call_id": one, "content": said, **named}))
        asked: Json = {"role": "assistant", "content": "" if ollama else None, "tool_calls": calls}
        if cohere:
            asked["tool_plan"] = word()
        return [of.beside(asked), *results]

    def system() -> list[Json]:
        return [of.beside({"role": "system", "content": content(text)})]

    def function() -> Json:
        schema = {"type": "object", "title": word()}
        inner = {"name": word(), "description": word(), "parameters": schema}
        return of.beside({"type": "function", "function": of.beside(inner)})

    messages = itertools.chain(*of.some(user, system, assistant, exchange, exchange))
    return {"messages": [{"role": "user", "content": word()}, *messages], "tools": [function(), *of.some(function)]}
