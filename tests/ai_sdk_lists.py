"""Lists of the AI SDK for its tests: messages as a model gets them, and the same as the UI holds them."""

from typing import Any

Json = dict[str, Any]
SIG, TEXT_SIG, DATA, PROOF = "U0lH", "U0lK", "ZGF0YQ==", "RU5D"
GO: Any = {"role": "user", "content": "go"}
MORE: Any = {"role": "user", "content": "more"}
FORMATS = ("ai-sdk", "ai-sdk-ui")
OTHERS = (
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)


def said(text: str, kind: str = "text", **options: Any) -> Json:
    return {"type": kind, "text": text} | ({"providerOptions": options} if options else {})


def thought(text: str, **options: Any) -> Json:
    return said(text, "reasoning", **options)


def model(*parts: Any) -> list[Any]:
    return [GO, {"role": "assistant", "content": list(parts)}, MORE]


def ui(messages: list[Any]) -> list[Any]:
    """The same messages as the UI holds them."""
    made: list[Any] = []
    for at, message in enumerate(messages):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        named = {"providerOptions": "providerMetadata"}
        renamed = [{named.get(key, key): value for key, value in part.items()} for part in parts]
        made.append({"id": f"m{at}", "role": message["role"], "parts": renamed})
    return made


def given(messages: list[Any], source: str) -> list[Any]:
    return messages if source == "ai-sdk" else ui(messages)


def elements(payload: Any) -> Any:
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


def told(receipt: Any) -> list[tuple[str, str]]:
    """What changed, except for the ids of messages, which only the UI has."""
    return [(one.kind, one.code) for one in receipt if one.code not in ("id", "renamed_id", "tools_missing")]


X = said("x")
CONTROL: Any = {"type": "ephemeral"}
CALL: Any = {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {}}
RESULT: Any = {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "text", "value": "r"}}
