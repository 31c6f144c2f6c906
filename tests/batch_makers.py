"""Random requests as lines of each provider's batch files, written by hand from the providers' references."""

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

Json = Any
TARGETS = ["openai", "openai-responses", "anthropic", "gemini", "bedrock", "bedrock-claude", "mistral"]
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": False}
URLS = {"openai": "/v1/chat/completions", "openai-responses": "/v1/responses"}
ODD_IDS = ["a b", "a/b", "é", "🙂", "x" * 4000, "nul\0", "\ud800", "a\nb", "_", " ", "x" * 64, "x" * 65, "a.b:c"]


class Ask(NamedTuple):
    """The content of a request."""

    words: str
    tools: bool
    answered: bool
    settings: dict[str, Any]


def asked(rng: random.Random, *, tools: bool = True) -> Ask:
    settings: dict[str, Any] = {"max": rng.randint(16, 999)}
    others = {"temperature": 0.5, "top_p": 0.5, "stop": ["END"], "schema": SCHEMA, "stream": True}
    settings |= {key: value for key, value in others.items() if rng.random() < 0.4}
    with_tools = tools and rng.random() < 0.6
    words = f"w{rng.randrange(10**9)} " + rng.choice(["plain", "é \u2028 🙂", 'quoted "x" \\', "long " * 30])
    return Ask(words, with_tools, with_tools and rng.random() < 0.5, settings)


def body(ask: Ask, wire: str) -> Json:
    """The same request in a wire's words."""
    match wire:
        case "openai" | "mistral":
            return chat(ask, wire)
        case "openai-responses":
            return responses(ask)
        case "anthropic" | "bedrock-claude":
            return anthropic(ask, wire)
        case "gemini":
            return gemini(ask)
        case _:
            return converse(ask)


def chat(ask: Ask, wire: str) -> Json:
    messages: list[Json] = [{"role": "user", "content": ask.words}]
    if ask.answered:
        call = {"id": "call12345", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}
        messages += [{"role": "assistant", "content": None, "tool_calls": [call]}]
        messages += [{"role": "tool", "tool_call_id": "call12345", "content": "found"}]
    made: Json = {"model": "m", "messages": messages, "max_tokens": ask.settings["max"]}
    if ask.tools:
        made["tools"] = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
    for key in ("temperature", "top_p", "stop", "stream"):
        if key in ask.settings:
            made[key] = ask.settings[key]
    if "stream" in made and wire == "openai":
        made["stream_options"] = {"include_usage": True}
    if "schema" in ask.settings:
        made["response_format"] = {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}
    return made


def responses(ask: Ask) -> Json:
    items: list[Json] = [{"role": "user", "content": ask.words}]
    if ask.answered:
        items += [{"type": "function_call", "call_id": "call12345", "name": "find", "arguments": '{"q": "x"}'}]
        items += [{"type": "function_call_output", "call_id": "call12345", "output": "found"}]
    made: Json = {"model": "m", "input": items, "max_output_tokens": ask.settings["max"]}
    if ask.tools:
        made["tools"] = [{"type": "function", "name": "find", "parameters": SCHEMA, "strict": True}]
    for key in ("temperature", "top_p", "stream"):
        if key in ask.settings:
            made[key] = ask.settings[key]
    if "schema" in ask.settings:
        made["text"] = {"format": {"type": "json_schema", "name": "s", "schema": SCHEMA}}
    return made


def anthropic(ask: Ask, wire: str) -> Json:
    messages: list[Json] = [{"role": "user", "content": ask.words}]
    if ask.answered:
        call = {"type": "tool_use", "id": "call12345", "name": "find", "input": {"q": "x"}}
        messages += [{"role": "assistant", "content": [call]}]
        result = {"type": "tool_result", "tool_use_id": "call12345", "content": "found"}
        messages += [{"role": "user", "content": [result]}]
    made: Json = {"messages": messages, "max_tokens": ask.settings["max"]}
    made |= {"model": "m"} if wire == "anthropic" else {"anthropic_version": "bedrock-2023-05-31"}
    if ask.tools:
        made["tools"] = [{"name": "find", "input_schema": SCHEMA}]
    if "stop" in ask.settings:
        made["stop_sequences"] = ask.settings["stop"]
    if "stream" in ask.settings and wire == "anthropic":
        made["stream"] = True
    if wire == "bedrock-claude" and "temperature" in ask.settings:
        made["temperature"] = ask.settings["temperature"]
    return made


def gemini(ask: Ask) -> Json:
    contents: list[Json] = [{"role": "user", "parts": [{"text": ask.words}]}]
    if ask.answered:
        call = {"functionCall": {"id": "call12345", "name": "find", "args": {"q": "x"}}}
        contents += [{"role": "model", "parts": [{**call, "thoughtSignature": "c2ln"}]}]
        response = {"id": "call12345", "name": "find", "response": {"result": "found"}}
        contents += [{"role": "user", "parts": [{"functionResponse": response}]}]
    config = {"maxOutputTokens": ask.settings["max"]}
    for key, name in (("temperature", "temperature"), ("top_p", "topP"), ("stop", "stopSequences")):
        if key in ask.settings:
            config[name] = ask.settings[key]
    made: Json = {"contents": contents, "generationConfig": config}
    if ask.tools:
        made["tools"] = [{"functionDeclarations": [{"name": "find", "parametersJsonSchema": SCHEMA}]}]
    return made


def converse(ask: Ask) -> Json:
    messages: list[Json] = [{"role": "user", "content": [{"text": ask.words}]}]
    if ask.answered:
        call = {"toolUse": {"toolUseId": "call12345", "name": "find", "input": {"q": "x"}}}
        messages += [{"role": "assistant", "content": [call]}]
        result = {"toolResult": {"toolUseId": "call12345", "content": [{"text": "found"}]}}
        messages += [{"role": "user", "content": [result]}]
    config = {"maxTokens": ask.settings["max"]}
    for key, name in (("temperature", "temperature"), ("top_p", "topP"), ("stop", "stopSequences")):
        if key in ask.settings:
            config[name] = ask.settings[key]
    made: Json = {"messages": messages, "inferenceConfig": config}
    if ask.tools:
        made["toolConfig"] = {"tools": [{"toolSpec": {"name": "find", "inputSchema": {"json": SCHEMA}}}]}
    return made


def line(given: str, made: Json, wire: str) -> Json:
    match wire:
        case "openai" | "openai-responses":
            return {"custom_id": given, "method": "POST", "url": URLS[wire], "body": made}
        case "mistral":
            return {"custom_id": given, "body": made}
        case "anthropic":
            return {"custom_id": given, "params": made}
        case "gemini":
            return {"key": given, "request": made}
        case _:
            return {"recordId": given, "modelInput": made}


def write(path: Path, lines: list[Json], wire: str) -> None:
    """A batch file as its provider takes it."""
    if wire == "anthropic":
        path.write_text(json.dumps({"requests": lines}, indent=1), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")


def read(path: Path, target: str) -> list[tuple[str, Json]]:
    """The ids and bodies of a file; each line must be just as the target's provider wants it."""
    text = path.read_text(encoding="utf-8")
    if target == "anthropic":
        whole = json.loads(text)
        assert list(whole) == ["requests"]
        lines = whole["requests"]
    else:
        assert text == "" or text.endswith("\n")
        lines = [json.loads(one) for one in text.split("\n")[:-1]]
    made = []
    for one in lines:
        given = next(iter(one.values()))
        inner = list(one.values())[-1]
        assert one == line(given, inner, target)
        assert "stream" not in inner
        made.append((given, inner))
    return made


def target_of(target: str) -> tuple[Any, dict[str, Any]]:
    """The name and the options that one of our targets means."""
    return ("bedrock", {"invoke_model": True}) if target == "bedrock-claude" else (target, {})
