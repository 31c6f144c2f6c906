"""Reads SDK objects as plain data, by their own export methods and never by their attributes."""

from collections.abc import Iterator, Mapping
from typing import Any

from turnwire._core import _held

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
    elif (held := _held(value)) is not None:
        plain = held
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


# Parts of pydantic's schema of a class by which a dump may say something else than the fields: who writes a value in a
# way of its own, and containers in which a None does not count.
_OWN_WAYS = {"serialization", "serialization_exclude", "serialization_exclude_if", "computed_fields"}
_OWN_KINDS = {"dataclass", "typed-dict"}
_ANY = (Any, object)


def fields_of(kind: type) -> dict[str, tuple[str, frozenset[type] | None]] | None:
    """The fields of an SDK's pydantic class, each with its name on the wire and the classes of what may be in it.

    None for a class whose objects may say something else than their fields, which then dump themselves. So does one
    with a value in a field that is not here. Where a field takes any value, the classes are None.
    """
    dump = getattr(kind, "model_dump", None)
    if kind.__module__.partition(".")[0] not in _SDKS or getattr(dump, "__module__", None) != "pydantic.main":
        return None
    model: Any = kind
    try:
        schemas = _schemas(model.__pydantic_core_schema__)
    except Exception:  # a class that is not whole yet, or not any more
        schemas = None
    if schemas is None or model.model_computed_fields or getattr(model, "__pydantic_root_model__", False):
        return None
    found = {}
    for name, field in model.model_fields.items():
        if name not in schemas or _is_special(schemas[name]):
            continue
        kinds: set[type] = set()
        is_any = _classes(field.annotation, kinds)
        alias = field.serialization_alias or field.alias or name
        found[name] = alias, None if is_any and not kinds else frozenset(kinds)
    return found


def _schemas(schema: Any) -> Any:
    """Pydantic's schema of each field in that of a class; None where the class itself has a way of its own."""
    while schema["type"] != "model-fields":
        if any(schema.get(key) for key in _OWN_WAYS):
            return None
        schema = schema["schema"]
    return schema["fields"]


def _is_special(schema: object) -> bool:
    """Whether a part of a schema writes values in a way of its own; objects in it are asked by their own classes."""
    if isinstance(schema, list | tuple):
        return any(_is_special(one) for one in schema)
    if not isinstance(schema, Mapping) or schema.get("type") == "model":
        return False
    if schema.get("type") in _OWN_KINDS or any(schema.get(key) for key in _OWN_WAYS):
        return True
    return any(_is_special(one) for key, one in schema.items() if key != "metadata")


def _classes(annotation: Any, kinds: set[type]) -> bool:
    """Adds the classes in an annotation. Whether it takes any value."""
    from typing import Literal, TypeVar, get_args, get_origin  # only needed here

    origin, inside = get_origin(annotation), get_args(getattr(annotation, "__value__", annotation))
    if annotation in _ANY or isinstance(annotation, TypeVar):
        return True
    if origin is Literal:
        kinds.update(map(type, inside))
        return False
    if isinstance(annotation, type) and not inside:
        if annotation is not type(None):
            kinds.add(annotation)
        return False
    # Keys are texts. Each is looked at, whatever the first one takes.
    found = [_classes(one, kinds) for one in (inside[1:] if origin is dict else inside)]
    return any(found)


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
