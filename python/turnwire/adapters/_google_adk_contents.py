"""Google's contents as elements of `gemini`, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from google.genai.types import Content, Part
from pydantic import BaseModel

from ._places import Element

__all__ = ["elements_of", "plain", "rebuilt"]


# Most values, for which no call is made.
_PLAIN: Final = {str, dict, bool, int, float, bytes}


def plain(value: Any) -> Any:
    """What `model_dump(by_alias=True, exclude_none=True)` gives, in a tenth of its time: all of a run at each step."""
    if isinstance(value, BaseModel):
        aliases, held = _aliases(type(value)), value.__dict__
        # A part has a dozen fields, and one or two of them are set.
        said = ((name, held[name]) for name in value.__pydantic_fields_set__)
        return {aliases[name]: item if type(item) in _PLAIN else plain(item) for name, item in said if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


@lru_cache(maxsize=256)
def _aliases(kind: type[BaseModel]) -> dict[str, str]:
    return {name: field.serialization_alias or field.alias or name for name, field in kind.model_fields.items()}


def elements_of(content: Any) -> list[Element] | None:
    """The element of a content."""
    return [plain(content)] if isinstance(content, Content) else None


def rebuilt(content: Any, elements: list[Element]) -> list[Any]:
    """New contents; parts that were not changed are the same objects."""
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
            # Only what it says is another: a copy, because validating all that was ever cut costs most at each step.
            result = part.function_response
            update = {"response": answer["response"]}
            return part.model_copy(update={"function_response": result and result.model_copy(update=update)})
    return Part.model_validate(new)


def _response(said: Element) -> Element:
    return {"response": said.get("functionResponse", {}).get("response")}
