"""Converts content blocks of one provider in LangChain's messages to blocks that every provider takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, convert_to_openai_data_block

from turnwire._core import Change

from ._changes import lost
from ._hosts import target_at
from ._langchain_messages import is_openais

__all__ = ["chat_row", "family_of", "native", "with_media", "writes_chat"]

Block = dict[str, Any]

# For each family of blocks, the providers that read it, by LangChain's names and turnwire's targets.
_FAMILIES: Final = {
    "anthropic": ("anthropic", "google_anthropic_vertex", "anthropic_vertex"),
    "openai": ("openai", "azure", "azure_openai", "openai-responses"),
    "google": ("google_genai", "google_vertexai", "google", "gemini"),
    "bedrock": ("amazon_bedrock", "bedrock", "bedrock_converse"),
    "mistral": ("mistralai", "mistral"),
}
# These blocks repeat calls from `tool_calls`, and LangChain sends the latter.
_CALLS: Final = {"tool_use", "tool_call", "function_call", "invalid_tool_call", "toolUse", "tool_call_chunk"}
_THOUGHTS: Final = {"thinking", "redacted_thinking", "reasoning", "reasoning_content"}
# LangChain's own blocks for media, the same for every provider.
_MEDIA: Final = {"image", "file", "audio", "video", "text-plain"}
# Blocks that only one provider's models read.
_ANTHROPIC: Final = {"server_tool_use", "mcp_tool_use", "redacted_thinking", "search_result", "container_upload"}
_OPENAI: Final = {"refusal", "input_image", "input_file", "output_text", "custom_tool_call"}


def family_of(provider: object) -> str | None:
    """The family of blocks that a provider's models read; None for an unknown provider."""
    name = str(provider or "").partition(":")[0]
    return next((family for family, names in _FAMILIES.items() if name in names), name or None)


def chat_row(model: Any) -> str:
    """The row of the server to which a model sends Chat Completions; empty for a model that sends something else."""
    decides = getattr(model, "_use_responses_api", None)
    address = getattr(model, "openai_api_base", None) or "https://api.openai.com"
    return target_at(address) if callable(decides) and not decides({}) else ""


def writes_chat(model: Any) -> bool:
    """Whether a model sends Chat Completions to OpenAI itself. Other servers may take more than OpenAI does."""
    return chat_row(model) == "openai"


def with_media(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """The messages with LangChain's own media in results as those of OpenAI. The same list if no result has any."""
    out = [_with_media(message) if isinstance(message, ToolMessage) else message for message in messages]
    has_any = any(isinstance(one, ToolMessage) and any(map(is_openais, one.content)) for one in out)
    return out if has_any else messages


def _with_media(message: ToolMessage) -> ToolMessage:
    if not isinstance(message.content, list):
        return message
    content = [_openais(block) if isinstance(block, dict) else block for block in message.content]
    return message if content == message.content else message.model_copy(update={"content": content})


def _openais(block: Block) -> Block:
    if block.get("type") not in ("image", "file", "audio"):
        return block
    try:
        made: Block = convert_to_openai_data_block(block)
    except (KeyError, ValueError):  # LangChain raises it when it writes the block
        return block
    return made


def native(
    messages: Sequence[BaseMessage], family: str | None, as_text: bool
) -> tuple[Sequence[BaseMessage], list[Change]]:
    """The messages without blocks of other families, and the losses. Returns the same list if there are none.

    With `as_text`, another model's reasoning becomes text.
    """
    losses: list[Change] = []
    out = [
        message if family is None else _native(at, message, family, as_text, losses)
        for at, message in enumerate(messages)
    ]
    return (messages if all(one is other for one, other in zip(out, messages, strict=True)) else out), losses


def _native(at: int, message: BaseMessage, family: str, as_text: bool, losses: list[Change]) -> BaseMessage:
    content: Any = message.content
    if not isinstance(content, list):
        return message
    whose = family_of(message.response_metadata.get("model_provider")) if isinstance(message, AIMessage) else None
    if whose == family or (whose is None and all(family in _readers(block, family) for block in content)):
        return message
    is_said = isinstance(message, AIMessage)
    made: list[Any] = []
    for place, block in enumerate(content):
        kept, code = _block(block, is_said, as_text)
        made += kept
        if code:
            losses.append(lost(code, ("messages", at, "content", place), _WHY[code]))
    return message.model_copy(update={"content": made or ""})


_WHY: Final = {
    "reasoning": "only the provider that made it can replay reasoning",
    "opaque": "only its own provider knows this block",
    "media": "only its own provider can fetch this",
    "key": "only its own provider knows the keys beside the text",
}


def _readers(block: Any, family: str) -> tuple[str, ...]:
    """The families that read a block. `family` is among them unless the block is known to belong to others."""
    if not isinstance(block, Mapping):
        return (family,)
    kind = str(block.get("type", ""))
    if kind in ("media", "executable_code", "code_execution_result"):
        return ("google",)
    if kind == "thinking" and block.get("signature"):
        return ("anthropic", "google")
    if kind in _ANTHROPIC or kind.endswith("_tool_result") or ("source" in block and kind in ("image", "document")):
        return ("anthropic",)
    if kind in _OPENAI or (kind.endswith("_call") and kind not in ("tool_call", "server_tool_call")):
        return ("openai",)
    if (kind == "file" and "file" in block) or (
        kind == "reasoning" and {"summary", "encrypted_content"} & block.keys()
    ):
        return ("openai",)
    return (family,)


def _block(block: Any, is_said: bool, as_text: bool) -> tuple[list[Any], str]:
    """The blocks that every provider takes in place of one, and the code of the loss."""
    if isinstance(block, str):
        return [block], ""
    kind = block.get("type")
    if kind in ("text", "output_text", "input_text"):
        text = {"type": "text", "text": block.get("text", "")}
        beside = any(block.get(key) for key in ("citations", "annotations"))
        return [text], "key" if beside else ""
    if kind in _CALLS and is_said:
        return [], ""
    if kind in _THOUGHTS:
        thought = _thought(block)
        return ([{"type": "text", "text": thought}], "") if as_text and thought else ([], "reasoning")
    if kind == "refusal":
        return [{"type": "text", "text": block.get("refusal", "")}], ""
    if kind == "image_url" or (kind in _MEDIA and "source" not in block and "file" not in block):
        return [dict(block)], ""
    if kind in ("image", "document", "file", "input_image", "input_file", "media"):
        media = _media(block)
        return ([media], "") if media else ([], "media")
    return [], "opaque"


def _thought(block: Block) -> str:
    summary = block.get("summary")
    if isinstance(summary, list):
        return "\n".join(str(part.get("text", "")) for part in summary if isinstance(part, Mapping))
    return str(block.get("thinking") or block.get("reasoning") or "")


def _media(block: Block) -> Block | None:
    """A media block of one of the three providers as LangChain's own; None for a file that the provider stores."""
    source = block.get("source") or block.get("file") or block
    url = source.get("image_url") or source.get("file_url") or source.get("file_data") or source.get("url")
    url = url.get("url") if isinstance(url, Mapping) else url
    kind, data = source.get("media_type") or source.get("mime_type"), source.get("data")
    if source.get("type") == "text" and isinstance(data, str):
        return {"type": "text", "text": data}
    if isinstance(url, str) and url.startswith("data:"):
        head, _, data = url[len("data:") :].partition(",")
        kind, url = head.partition(";")[0], None
    is_image = block["type"] in ("image", "input_image") or str(kind).startswith("image/")
    named = {key: block[key] for key in ("filename", "title") if isinstance(block.get(key), str)}
    made: Block = {"type": "image" if is_image else "file", **({"mime_type": kind} if kind else {})}
    if isinstance(data, str) and kind:
        return made | {"base64": data} | ({} if is_image else {"filename": next(iter(named.values()), "file")})
    return made | {"url": url} if isinstance(url, str) else None
