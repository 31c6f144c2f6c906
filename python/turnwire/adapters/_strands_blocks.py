"""Replaces content blocks that Strands' model class would lose or refuse."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any, Final

from turnwire._core import Change

from ._changes import changed, lost
from ._gemini import target_of
from ._strands_signers import Signers, maker_of, module_of

__all__ = ["native"]

Block = dict[str, Any]

# The modules of Strands' own models.
_MODELS: Final = ("openai", "openai_responses", "anthropic", "gemini", "bedrock")
_MEDIA: Final = ("image", "document", "video", "audio")
# The media that each model's writer in Strands takes beside images and documents as bytes.
_MORE_MEDIA: Final = {"gemini": {"video"}, "bedrock": {"video", "audio"}}
# Gemini's stand-in for a missing signature. Strands decodes it as base64.
_STAND_IN: Final = "skip/thought/signature/validator"
_FOLLOWS: Final = "The document is in the user's message behind this result."
_HEADING: Final = "Documents in the results:"
_WHY: Final = {
    "reasoning": "Strands does not write it for this model, or another provider made it",
    "key": "Strands writes only its text for this model",
    "media": "Strands does not write it for this model",
}


def native(messages: Sequence[Any], model: Any, as_text: bool, signers: Signers) -> tuple[Sequence[Any], list[Change]]:
    """The messages with blocks that the model's writer takes, and the losses. The same list if it takes them all.

    Strands' messages do not say which model made them. Reasoning of an unknown maker is sent to every model that takes
    reasoning.
    """
    if module_of(model) not in _MODELS:
        return messages, []
    losses: list[Change] = []
    out: list[Any] = []
    signs = module_of(model) == "gemini" and target_of(str(model.get_config().get("model_id"))) == "gemini"
    # Newer Gemini models require signatures on calls after the user's last message.
    asked = max((at for at, message in enumerate(messages) if _asks(message)), default=-1) if signs else 0
    for at, message in enumerate(messages):
        said = message.get("content") if isinstance(message, dict) else None
        content = _with_documents_behind(said) if isinstance(said, list) and module_of(model) == "openai" else said
        made = (
            [_block(block, message, model, as_text, signers) for block in content] if isinstance(content, list) else []
        )
        unsigned = _unsigned(content) if signs and made and at > asked else None
        if unsigned is not None:
            call = {**made[unsigned][0][0]["toolUse"], "reasoningSignature": _STAND_IN}
            made[unsigned] = [{"toolUse": call}], "stand_in"
            losses.append(
                changed("stand_in", ("messages", at, "content", unsigned), "Gemini wants a signature on this call")
            )
        if content is said and not any(code for _, code in made):
            out.append(message)
            continue
        told = [(place, code) for place, (_, code) in enumerate(made) if code]
        losses += [lost(code, ("messages", at, "content", place), _WHY[code]) for place, code in told if code in _WHY]
        # A message without blocks is then dropped as an empty message.
        out.append({**message, "content": [block for blocks, _ in made for block in blocks]})
    return (messages if all(map(is_, out, messages)) else out), losses


def _with_documents_behind(content: list[Any]) -> list[Any]:
    """The blocks with the documents of results behind them all: Chat Completions takes none in a result.

    Strands itself does this with images. Returns the same list if no result has a document.
    """
    behind: list[Any] = []
    out: list[Any] = []
    for block in content:
        result: Block = (block.get("toolResult") if isinstance(block, dict) else None) or {}
        parts = result.get("content") or ()
        documents = [part for part in parts if isinstance(part, dict) and "document" in part]
        if documents:
            behind += documents
            left = [part for part in parts if part not in documents] or [{"text": _FOLLOWS}]
            block = {"toolResult": {**result, "content": left}}
        out.append(block)
    # The format of Bedrock requires text beside a document.
    return [*out, {"text": _HEADING}, *behind] if behind else content


def _asks(message: Any) -> bool:
    """Whether a message is from the user and has more than tool results."""
    if not isinstance(message, dict) or message.get("role") != "user":
        return False
    return any("toolResult" not in block for block in message.get("content") or ())


def _unsigned(content: Any) -> int | None:
    """The index of a message's first call, if that call has no signature."""
    for place, block in enumerate(content):
        if isinstance(block, dict) and (call := block.get("toolUse")) is not None:
            return None if call.get("reasoningSignature") else place
    return None


def _block(block: Any, message: Any, model: Any, as_text: bool, signers: Signers) -> tuple[list[Any], str]:
    """The blocks for one block, and the code of the loss; "text" if the block was replaced without a loss."""
    if not isinstance(block, dict):
        return [block], ""
    name = module_of(model)
    if (cited := block.get("citationsContent")) is not None and name != "bedrock":
        return [{"text": part["text"]} for part in cited.get("content") or () if part.get("text")], "key"
    if (thought := block.get("reasoningContent")) is not None:
        if _takes(model, thought, signers.maker(message, block)):
            return [block], ""
        text = (thought.get("reasoningText") or {}).get("text")
        return ([{"text": text}], "text") if as_text and text else ([], "reasoning")
    if (guarded := block.get("guardContent")) is not None:
        said = (guarded.get("text") or {}).get("text")
        if said and name == "bedrock":
            return [block], ""
        if said:
            return [{"text": said}], "key"
        return ([{"image": guarded["image"]}], "key") if "image" in guarded else ([], "key")
    if (result := block.get("toolResult")) is not None:
        parts = result.get("content") or ()
        left = [part for part in parts if _is_written(part, name)]
        return ([block], "") if len(left) == len(parts) else ([{"toolResult": {**result, "content": left}}], "media")
    return ([block], "") if _is_written(block, name) else ([], "media")


def _is_written(block: Any, name: str) -> bool:
    """Whether a model's writer takes a block, if it is one of media."""
    kind = next((one for one in _MEDIA if one in block), None)
    if kind is None:
        return True
    place = (block[kind].get("source") or {}).get("location")
    is_known = kind in ("image", "document") or kind in _MORE_MEDIA.get(name, ())
    return is_known and (place is None or (name == "bedrock" and place.get("type") == "s3"))


def _takes(model: Any, thought: Block, maker: str | None) -> bool:
    """Whether a model takes reasoning of this maker, and Strands sends it."""
    name, text = module_of(model), thought.get("reasoningText") or {}
    is_signed = bool("redactedContent" in thought or text.get("signature"))
    if is_signed and maker is not None and maker != maker_of(model):
        # A Bedrock model of an unknown maker may be of the maker that signed the reasoning.
        return name == "bedrock" and maker_of(model) is None
    if name == "anthropic":
        return is_signed
    if name == "gemini":
        return "text" in text
    # Strands leaves such reasoning out silently.
    return name == "bedrock" and not model._rejects_reasoning_block(thought)
