"""Random payloads of front ends and traces, made of a maker's words: for the tests of losses."""

import itertools
from typing import Any

from makers import Json, Words


def ai_sdk(of: Words) -> Json:
    """ModelMessages of the AI SDK."""
    word = of.word

    def text() -> Json:
        return of.beside({"type": "text", "text": word()})

    def image() -> Json:
        data = of.any(lambda: f"https://e.org/{word()}", lambda: f"iVBORw0KGgo{word()}")
        return of.beside({"type": "image", "image": data, "mediaType": "image/png"})

    def file() -> Json:
        data = of.any(
            lambda: f"data:application/pdf;base64,JVBERi0{word()}",
            lambda: {"type": "data", "data": f"JVBERi0{word()}"},
            lambda: {"type": "url", "url": f"https://e.org/{word()}"},
            lambda: {"type": "text", "text": word()},
            lambda: {"type": "reference", "reference": {"openai": word()}},
        )
        return of.beside({"type": "file", "data": data, "mediaType": "application/pdf", "filename": word()})

    def thought() -> Json:
        return of.beside({"type": "reasoning", "text": word(), "providerOptions": {"anthropic": {"signature": word()}}})

    def odd() -> Json:
        return of.any(lambda: {"type": "custom", "kind": word()}, lambda: {"type": "odd", "odd": word()})

    def ran() -> Json:
        part = {"type": "tool-call", "toolCallId": word(), "toolName": word(), "input": {"q": word()}}
        return part | {"providerExecuted": True}

    def output() -> Json:
        value: Json = of.any(
            lambda: {"type": "text", "value": word()},
            lambda: {"type": "error-text", "value": word()},
            lambda: {"type": "json", "value": {"k": word()}},
            lambda: {"type": "error-json", "value": [word()]},
            lambda: {"type": "execution-denied", "reason": word()},
            lambda: {"type": "content", "value": of.some(text, lambda: image() | {"type": "image-url", "url": word()})},
        )
        return of.beside(value)

    def exchange() -> list[Json]:
        calls = [
            of.beside(
                {
                    "type": "tool-call",
                    "toolCallId": one,
                    "toolName": word(),
                    "input": of.any(lambda: {"q": word()}, dict, lambda: f"[{word()}", lambda: [word()]),
                }
            )
            for one in of.ids()
        ]
        results = [
            of.beside(
                {key: call[key] for key in ("toolCallId", "toolName")} | {"type": "tool-result", "output": output()}
            )
            for call in calls
        ]
        turns = of.any(lambda: [results], lambda: [[result] for result in results])
        parts = of.mixed(calls, text, thought, ran, odd)
        for part in [part for part in parts if part.get("providerExecuted")]:
            given = {key: part[key] for key in ("toolCallId", "toolName")}
            parts.append(given | {"type": "tool-result", "output": {"type": "json", "value": word()}})
        said = {"role": "assistant", "content": parts}
        return [of.beside(said), *(of.beside({"role": "tool", "content": some}) for some in turns)]

    def user() -> list[Json]:
        content = of.any(word, str, lambda: of.some(text, text, image, file, odd))
        return [of.beside({"role": "user", "content": content})]

    def assistant() -> list[Json]:
        return [of.beside({"role": "assistant", "content": of.any(word, lambda: of.some(text, thought, file, odd))})]

    def system() -> list[Json]:
        return [of.beside({"role": "system", "content": word()})]

    return [
        {"role": "user", "content": word()},
        *itertools.chain(*of.some(user, system, assistant, exchange, exchange)),
    ]


def ag_ui(of: Words) -> Json:
    """The input of an AG-UI run."""
    word = of.word

    def text() -> Json:
        return of.beside({"type": "text", "text": word()})

    def media() -> Json:
        source = of.any(
            lambda: {"type": "data", "value": f"iVBORw0KGgo{word()}", "mimeType": "image/png"},
            lambda: {"type": "url", "value": f"https://e.org/{word()}", "mimeType": "image/png"},
            lambda: {"type": "file", "value": word(), "provider": word()},
        )
        return of.beside({"type": of.any(lambda: "image", lambda: "document"), "source": of.beside(source)})

    def odd() -> Json:
        return {"type": "odd", "odd": word()}

    def message(role: str, **more: Any) -> Json:
        return of.beside({"id": word(), "role": role, **more})

    def call(name: str) -> Json:
        args = of.any(lambda: '{"q": "' + word() + '"}', lambda: "{}", lambda: f"[{word()}")
        made: Json = {"id": name, "type": "function", "function": of.beside({"name": word(), "arguments": args})}
        return of.beside(of.any(lambda: made, lambda: made | {"encryptedValue": word()}))

    def exchange() -> list[Json]:
        ids = of.ids()
        said = of.any(dict, lambda: {"content": word()})
        results = []
        for one in ids:
            why = of.any(dict, dict, lambda: {"error": word()})
            content = of.any(word, str, lambda: of.some(text, text, media))
            results.append(message("tool", toolCallId=one, content=content, **why))
        return [message("assistant", toolCalls=[call(one) for one in ids], **said), *results]

    def user() -> list[Json]:
        return [message("user", content=of.any(word, str, lambda: of.some(text, text, media, odd)))]

    def assistant() -> list[Json]:
        return [message("assistant", content=word())]

    def system() -> list[Json]:
        return [message(of.any(lambda: "system", lambda: "developer"), content=word())]

    def thought() -> list[Json]:
        return [message("reasoning", content=word(), encryptedValue=word())]

    def activity() -> list[Json]:
        return [message("activity", activityType=word(), content={"k": word()})]

    def tool() -> Json:
        return of.beside({"name": word(), "description": word(), "parameters": {"type": "object", "title": word()}})

    kinds = (user, system, assistant, thought, activity, exchange, exchange)
    messages = [message("user", content=word()), *itertools.chain(*of.some(*kinds))]
    return {"messages": messages, "tools": [tool(), *of.some(tool)]}


def otel(of: Words) -> Json:
    """The GenAI messages of a trace."""
    word = of.word

    def text() -> Json:
        return of.beside({"type": "text", "content": word()})

    def media() -> Json:
        modality = of.any(lambda: "image", lambda: "document")
        return of.beside(
            of.any(
                lambda: {"type": "blob", "modality": modality, "mime_type": "image/png", "content": f"iVBOR{word()}"},
                lambda: {"type": "uri", "modality": modality, "uri": f"https://e.org/{word()}"},
                lambda: {"type": "file", "modality": modality, "file_id": word()},
                lambda: {"type": "image-url", "url": f"https://e.org/{word()}"},
                lambda: {"type": "binary", "media_type": "image/png", "content": f"iVBOR{word()}"},
            )
        )

    def thought() -> Json:
        return of.beside({"type": of.any(lambda: "reasoning", lambda: "thinking"), "content": word()})

    def odd() -> Json:
        return of.any(lambda: {"type": "odd", "odd": word()}, lambda: {"type": "compaction", "content": word()})

    def ran() -> Json:
        ran = {"type": "t", "q": word()}
        return {"type": "server_tool_call", "id": word(), "name": word(), "server_tool_call": ran}

    def exchange() -> list[Json]:
        calls = [
            of.beside(
                {
                    "type": "tool_call",
                    "id": one,
                    "name": word(),
                    "arguments": of.any(lambda: {"q": word()}, dict, lambda: f"[{word()}"),
                }
            )
            for one in of.ids()
        ]
        key = of.any(lambda: "response", lambda: "result")
        results = [
            of.beside(
                {
                    "type": "tool_call_response",
                    "id": call["id"],
                    key: of.any(word, str, lambda: {"k": word()}, lambda: [word()]),
                }
            )
            for call in calls
        ]
        role = of.any(lambda: "tool", lambda: "user")
        turns = of.any(lambda: [results], lambda: [[result] for result in results])
        said = {"role": "assistant", "parts": of.mixed(calls, text, thought, ran)}
        return [of.beside(said), *(of.beside({"role": role, "parts": some}) for some in turns)]

    def user() -> list[Json]:
        return [of.beside({"role": "user", "parts": of.some(text, text, media, odd)})]

    def assistant() -> list[Json]:
        return [of.beside({"role": "assistant", "parts": of.some(text, thought, odd)})]

    def system() -> list[Json]:
        return [of.beside({"role": "system", "parts": [text()]})]

    def tool() -> Json:
        made = {"type": "function", "name": word(), "description": word()}
        return of.beside(made | {"parameters": {"type": "object", "title": word()}})

    messages = [
        {"role": "user", "parts": [text()]},
        *itertools.chain(*of.some(user, system, assistant, exchange, exchange)),
    ]
    return {
        "gen_ai.system_instructions": [text(), *of.some(text)],
        "gen_ai.input.messages": messages,
        "gen_ai.tool.definitions": [tool(), *of.some(tool)],
    }


def ai_sdk_ui(of: Words) -> Json:
    """UIMessages of the AI SDK."""
    word = of.word

    def text() -> Json:
        return of.beside({"type": "text", "text": word()})

    def file() -> Json:
        return of.beside(
            of.any(
                lambda: {"type": "file", "mediaType": "image/png", "url": f"data:image/png;base64,iVBORw0KGgo{word()}"},
                lambda: {"type": "file", "mediaType": "image/png", "url": f"https://e.org/{word()}"},
                lambda: {"type": "file", "mediaType": "application/pdf", "url": f"https://e.org/{word()}.pdf"},
            )
        )

    def thought() -> Json:
        signed = {"providerMetadata": {"anthropic": {"signature": word()}}}
        return of.beside({"type": "reasoning", "text": word(), **of.any(dict, lambda: signed)})

    def odd() -> Json:
        return of.any(
            lambda: {"type": "data-chart", "data": {"k": word()}},
            lambda: {"type": "source-url", "sourceId": word(), "url": word()},
            lambda: {"type": "odd", "odd": word()},
        )

    def ran() -> Json:
        part = {"type": "tool-web_search", "toolCallId": word(), "state": "output-available", "input": {"q": word()}}
        return part | {"output": [word()], "providerExecuted": True}

    def tool(call_id: str) -> Json:
        name = word()
        held = of.any(
            lambda: {"state": "output-available", "input": {"q": word()}, "output": {"k": word()}},
            lambda: {"state": "output-available", "input": {}, "output": word()},
            lambda: {"state": "output-available", "input": [word()], "output": [word()]},
            lambda: {"state": "output-error", "input": {"q": word()}, "errorText": word()},
            lambda: {"state": "output-error", "rawInput": f"[{word()}", "errorText": word()},
            lambda: {"state": "output-denied", "input": {}, "approval": {"id": "a", "approved": False}},
            lambda: {"state": "input-available", "input": {"q": word()}},
            lambda: {"state": "input-streaming", "input": {"q": word()}},
        )
        # Only tools that are known beforehand can have an unparsed input.
        kinds: list[Json] = [{"type": f"tool-{name}"}, {"type": "dynamic-tool", "toolName": name}]
        kind = of.any(lambda: kinds[0], lambda: kinds["input" in held])
        return of.beside(kind | {"toolCallId": call_id} | held)

    def step() -> list[Json]:
        calls = [tool(one) for one in of.ids()]
        return [{"type": "step-start"}, *of.mixed(calls, text, thought, ran, odd)]

    def message(role: str, parts: list[Json]) -> Json:
        return of.beside({"id": word(), "role": role, "parts": parts})

    def user() -> Json:
        return message("user", of.some(text, text, file, odd))

    def assistant() -> Json:
        return message(
            "assistant", [*of.any(list, lambda: [{"type": "step-start"}]), *of.some(text, thought, file, odd)]
        )

    def steps() -> Json:
        said = of.any(list, lambda: [{"type": "step-start"}, text()])
        return message("assistant", [*itertools.chain(*of.some(step, step)), *said])

    def system() -> Json:
        return message("system", [text()])

    return [message("user", [text()]), *of.some(user, system, assistant, steps, steps)]
