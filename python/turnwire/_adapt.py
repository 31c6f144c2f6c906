"""SDK objects as plain data: by what they export of themselves, never by their attributes."""

from collections.abc import Iterator, Mapping
from typing import Any

# Messages of a framework are no payload of any provider, whatever they export: by package, what makes one of them.
_WAYS_OUT = {
    "haystack": "pass [message.to_openai_dict_format() for message in messages] as dialect 'openai'",
    "langchain_core": "call langchain_core.messages.convert_to_openai_messages first, and read it as dialect 'openai'",
    "llama_index": "call llama_index.llms.openai.utils.to_openai_message_dicts first, and read it as dialect 'openai'",
    "pydantic_ai": "its messages belong to no provider: pass the dicts that are sent to one",
    "semantic_kernel": "pass [message.to_dict() for message in messages] as dialect 'openai'",
}


# Whose models say None for what a server did not say.
_SDKS = {"agents", "anthropic", "cohere", "google", "groq", "litellm", "mcp", "mistralai", "ollama", "openai"}

# A model of a union may be one that the union did not expect; it is dumped all the same, and need not say so.
_DUMPED = {"mode": "json", "by_alias": True, "warnings": False}
_AS_JSON = {**_DUMPED, "exclude_none": True}


def to_plain(value: object) -> object:
    """What `value` says of itself as dicts, lists and scalars, or None where it does not say.

    A pydantic model, which the objects of the OpenAI, Anthropic, Google, Mistral, Cohere and Ollama SDKs are, dumps
    itself as JSON data by the names of the wire and without what was never set; in any other model, such as arguments
    of a tool, a None that was set is a value. Other classes have a `to_dict()`; a dataclass is its fields, without
    those that were left at None; a mapping becomes a dict, and a UUID its text. A class itself, rather than an
    instance of it, says nothing.
    """
    package = _package(value)
    if isinstance(value, type) or package in _WAYS_OUT:
        return None
    plain: object = None
    if type(value).__module__ == "uuid":
        plain = str(value)
    elif callable(dump := getattr(value, "model_dump", None)):
        plain = dump(**_AS_JSON)
        if package not in _SDKS and hasattr(value, "model_fields_set"):
            plain = _with_nones(plain, dump(**_DUMPED, exclude_unset=True))
    elif callable(to_dict := getattr(value, "to_dict", None)):
        plain = to_dict()
    elif hasattr(value, "__dataclass_fields__"):
        plain = _of_fields(value)
    elif isinstance(value, Mapping):
        plain = dict(value)
    return plain


def _of_fields(value: Any) -> object:
    """A dataclass as a dict: what was left at None was never set."""
    from dataclasses import fields  # only needed here

    said = ((field.name, getattr(value, field.name), field.default) for field in fields(value))
    return {name: one for name, one, default in said if one is not None or default is not None}


def _with_nones(said: object, given: object) -> object:
    """What a model says, and the Nones in what it was given, each in its place."""
    if isinstance(said, list) and isinstance(given, list) and len(said) == len(given):
        return [_with_nones(one, other) for one, other in zip(said, given, strict=True)]
    if not isinstance(said, dict) or not isinstance(given, dict):
        return said
    whole, rest = {}, iter(said)
    for key, value in given.items():
        if key not in said:
            whole[key] = value
            continue
        for before in rest:
            whole[before] = _with_nones(said[before], given.get(before))
            if before == key:
                break
    return whole | {key: said[key] for key in rest}


def to_event(event: object, by_attribute: bool) -> object:
    """What a streamed event says of itself, as `to_plain`, without the `snapshot` of some SDKs' events.

    A snapshot is all that came so far: with each event again, a stream would cost the square of its length. With
    `by_attribute`, an event that exports nothing is read as spec 004 shows it, by `event.parts`.
    """
    dump = getattr(event, "model_dump", None)
    plain: object
    if callable(dump) and "snapshot" in getattr(type(event), "model_fields", ()):
        plain = dump(**_AS_JSON, exclude={"snapshot"})
    else:
        plain = to_plain(event)
    if by_attribute and not isinstance(plain, dict):
        return _by_attribute(event, _EVENT)
    return plain


# The attributes of an event that are read, and inside them again: `dict` for what is taken as it is.
_CALL = {"id": str, "name": str, "args": dict}
_PART = {"text": str, "thought": bool, "thought_signature": (str, bytes), "function_call": _CALL}
_EVENT = {"parts": [_PART]}


def _by_attribute(value: object, shape: object) -> object:
    """What an object shows of a shape; None where it shows nothing of it: a missing attribute is an absent key."""
    if isinstance(shape, list):
        items = value if isinstance(value, list | tuple) else []
        return [_by_attribute(item, shape[0]) or {} for item in items]
    if isinstance(shape, dict):
        shown = {name: _by_attribute(getattr(value, name, None), inner) for name, inner in shape.items()}
        return {name: item for name, item in shown.items() if item is not None} or None
    if shape is dict:
        return dict(value) if isinstance(value, Mapping) else None
    return value if isinstance(value, shape) else None  # type: ignore[arg-type]


def way_out(value: object) -> str:
    """What to do with a value that `to_plain` cannot read, for an error's message; "" if there is no advice."""
    if known := _WAYS_OUT.get(_package(value)):
        return known
    if isinstance(value, Iterator):
        return "pass a list of it"
    if isinstance(value, type):
        return "pass an instance of it"
    if hasattr(value, "__await__"):
        return "await it first"
    if hasattr(value, "__dataclass_fields__"):
        return "pass dataclasses.asdict() of it"
    return ""


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]
