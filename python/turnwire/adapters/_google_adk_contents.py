"""Turns Google's contents into elements of `gemini` and back, without parts that the ADK must not send to OpenAI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import is_
from typing import Any, Final

from google.genai.types import Content, Part
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from turnwire._core import Change
from turnwire.types import DialectName

from ._changes import lost
from ._places import Element

__all__ = ["elements_of", "native", "plain", "rebuilt"]

_WHY: Final = {
    "reasoning": "only the provider that made it takes it",
    "signature": "only Gemini takes its signatures, and the ADK hands them on",
}


# Claude's signatures are base64 text of some hundred characters, and the ADK keeps them so. Gemini's are bytes.
_TEXT: Final = re.compile(rb"[A-Za-z0-9+/_-]+=*")
_LEAST: Final = 40
# Most values have these types, and need no call.
_PLAIN: Final = {str, dict, bool, int, float, bytes}
# Most values of a result have these types, which JSON has.
_OF_JSON: Final = {str, bool, int, type(None)}


def plain(value: Any) -> Any:
    """`model_dump(by_alias=True, exclude_none=True)` in a tenth of the time, because each step dumps a whole run."""
    if isinstance(value, BaseModel):
        (aliases, always), held = _fields(type(value)), value.__dict__
        # A part has a dozen fields, and one or two of them are set. In order, because hashes of elements depend on it.
        said = ((name, held[name]) for name in sorted({*value.__pydantic_fields_set__, *always}))
        return {aliases[name]: item if type(item) in _PLAIN else plain(item) for name, item in said if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


@lru_cache(maxsize=256)
def _fields(kind: type[BaseModel]) -> tuple[dict[str, str], list[str]]:
    """The names of a class's fields on the wire, and the fields that have a value without being set.

    The role of a `ModelContent`, which the ADK makes of a streamed reply, is one of those.
    """
    names = {name: field.serialization_alias or field.alias or name for name, field in kind.model_fields.items()}
    return names, [name for name, field in kind.model_fields.items() if field.get_default() is not None]


def elements_of(content: Any) -> list[Element] | None:
    """The element of a content."""
    return [plain(content)] if isinstance(content, Content) else None


def native(
    contents: Sequence[Any], litellm: DialectName | None, is_claude: bool, as_text: bool
) -> tuple[Sequence[Any], list[Change]]:
    """The contents without parts of other providers that the model's provider does not read, and the losses.

    Results have JSON values only. A tool of the ADK may return any object, and LiteLLM would send its `repr`. Returns
    the same list if there is nothing to change.

    Args:
        contents: Those of the ADK's request.
        litellm: The target, if LiteLLM sends the request in OpenAI's format.
        is_claude: Whether the ADK's own class for Claude sends it.
        as_text: Whether thoughts become texts.
    """
    losses: list[Change] = []
    out: list[Any] = []
    for at, content in enumerate(contents):
        parts = content.parts or [] if isinstance(content, Content) else []
        signed = any(part.thought_signature for part in parts)
        # Other servers may expect the thoughts of their own model, which have no signature.
        foreign = signed or litellm == "openai"
        made: list[Part] = []
        for place, part in enumerate(parts):
            if litellm is not None:
                code = "reasoning" if part.thought and foreign else "signature" if part.thought_signature else ""
            else:
                code = "reasoning" if part.thought and _is_foreign(part.thought_signature, is_claude) else ""
            if code:
                losses.append(lost(code, ("contents", at, "parts", place), _WHY[code]))
            if code == "signature":
                made.append(part.model_copy(update={"thought_signature": None}))
            elif not code:
                made.append(_with_json(part))
            elif as_text and part.text:
                losses.pop()
                made.append(Part(text=part.text))
        same = len(made) == len(parts) and all(map(is_, made, parts))
        out.append(content if same else content.model_copy(update={"parts": made}))
    return (contents if all(map(is_, out, contents)) else out), losses


def _with_json(part: Part) -> Part:
    """A part whose result has JSON values only. The same part if it already has."""
    result = part.function_response
    response = None if result is None else result.response
    if result is None or response is None or all(type(value) in _OF_JSON for value in response.values()):
        return part
    # Bytes become what Google's client writes for them. JSON has no NaN.
    made = to_jsonable_python(response, bytes_mode="base64", inf_nan_mode="null", fallback=str)
    if made == response:
        return part
    return part.model_copy(update={"function_response": result.model_copy(update={"response": made})})


def _is_foreign(signature: bytes | None, is_claude: bool) -> bool:
    """Whether another provider made a thought, as far as its signature shows."""
    if is_claude:
        # Claude refuses a thought without its own signature, and the ADK fails at one that is not text.
        return not signature or not _TEXT.fullmatch(signature)
    return signature is not None and len(signature) >= _LEAST and _TEXT.fullmatch(signature) is not None


def rebuilt(content: Any, elements: list[Element]) -> list[Any]:
    """New contents for changed elements. Parts that did not change are the same objects."""
    old = [] if content is None else [(plain(part), part) for part in content.parts or ()]
    made = []
    for element in elements:
        parts = [_part(new, old) for new in element.get("parts") or ()]
        same = content is not None and content.role == element.get("role")
        made.append(
            content.model_copy(update={"parts": parts}) if same else Content(role=element.get("role"), parts=parts)
        )
    return made


def _part(new: Element, old: list[tuple[Element, Part]]) -> Part:
    for said, part in old:
        if said == new:
            return part
        answer = new.get("functionResponse")
        if answer is not None and said == {**new, "functionResponse": {**answer, **_response(said)}}:
            # Only the response differs. A copy skips validation, which would cost most of the time at each step.
            result = part.function_response
            update = {"response": answer["response"]}
            return part.model_copy(update={"function_response": result and result.model_copy(update=update)})
    return Part.model_validate(new)


def _response(said: Element) -> Element:
    return {"response": said.get("functionResponse", {}).get("response")}
