"""Reads SDK objects as plain data through their own export methods, never through their attributes."""

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

from turnwire._core import _held

# Messages of these frameworks export no provider's payload. For each package, how to make one from them.
_WAYS_OUT = {
    "autogen_agentchat": "prepare its requests instead: client._client = turnwire.adapters.openai.wrap(client._client)",
    "autogen_core": "prepare its requests instead: client._client = turnwire.adapters.openai.wrap(client._client)",
    "haystack": "pass [message.to_openai_dict_format() for message in messages] as dialect 'openai'",
    "langchain_core": "use turnwire.adapters.langchain, or langchain_core.messages.convert_to_openai_messages first",
    "llama_index": "call llama_index.llms.openai.utils.to_openai_message_dicts first, and read it as dialect 'openai'",
    "pydantic_ai": "use turnwire.adapters.pydantic_ai, which prepares its requests",
    "semantic_kernel": "pass [message.to_dict() for message in messages] as dialect 'openai'",
}


# SDKs whose models have None for a key that the server did not send.
_SDKS = {"agents", "anthropic", "cohere", "google", "groq", "litellm", "mcp", "mistralai", "ollama", "openai"}

# No warnings, because pydantic also dumps a model that a union did not expect, and would warn about it.
_DUMPED = {"mode": "json", "by_alias": True, "warnings": False}
_AS_JSON = {**_DUMPED, "exclude_none": True}


def to_plain(value: object) -> object:
    """`value` as dicts, lists and scalars, or None if it cannot be exported.

    Objects of the OpenAI, Anthropic, Google, Mistral, Cohere and Ollama SDKs are pydantic models. They dump themselves
    as JSON data with the names of the wire, without keys that were never set. In any other model, such as a tool's
    arguments, a None that was set is a value. Other classes are exported by `to_dict()`; a dataclass by its fields,
    except those that are None; a mapping becomes a dict, and a UUID its text. A class, as opposed to an instance,
    cannot be exported.
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


# Keys and types in pydantic's schema of a class whose dump may differ from its fields: custom serializers, and
# containers that drop None.
_OWN_WAYS = {"serialization", "serialization_exclude", "serialization_exclude_if", "computed_fields"}
_OWN_KINDS = {"dataclass", "typed-dict"}
_ANY = (Any, object)


def fields_of(kind: type) -> dict[str, tuple[str, frozenset[type] | None]] | None:
    """The fields of an SDK's pydantic class, each with its name on the wire and the classes of its values.

    None for a class whose dump may differ from its fields: its objects are dumped. An object with a value in a field
    that is not listed here is dumped, too. If a field takes any value, its classes are None.
    """
    dump = getattr(kind, "model_dump", None)
    if kind.__module__.partition(".")[0] not in _SDKS or getattr(dump, "__module__", None) != "pydantic.main":
        return None
    model: Any = kind
    try:
        schemas = _schemas(model.__pydantic_core_schema__)
    except Exception:  # the class is not fully defined
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
    """The schema of each field in a class's pydantic schema; None if the class has a custom serializer."""
    while schema["type"] != "model-fields":
        if any(schema.get(key) for key in _OWN_WAYS):
            return None
        schema = schema["schema"]
    return schema["fields"]


def _is_special(schema: object) -> bool:
    """Whether part of a schema has a custom serializer. Nested classes are skipped, because each is checked itself."""
    if isinstance(schema, list | tuple):
        return any(_is_special(one) for one in schema)
    if not isinstance(schema, Mapping) or schema.get("type") == "model":
        return False
    if schema.get("type") in _OWN_KINDS or any(schema.get(key) for key in _OWN_WAYS):
        return True
    return any(_is_special(one) for key, one in schema.items() if key != "metadata")


def _classes(annotation: Any, kinds: set[type]) -> bool:
    """Adds the classes in an annotation to `kinds`. Returns whether it takes any value."""
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
    # A dict's keys are text. The list is complete before `any`, so that every part adds its classes.
    found = [_classes(one, kinds) for one in (inside[1:] if origin is dict else inside)]
    return any(found)


def _of_fields(value: Any) -> object:
    """A dataclass as a dict, without fields that are None, which were never set."""
    from dataclasses import fields  # only needed here

    said = ((field.name, getattr(value, field.name), field.default) for field in fields(value))
    return {name: one for name, one, default in said if one is not None or default is not None}


def _with_nones(said: object, given: object) -> object:
    """A model's dump, with each None that it was given put back in its place."""
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
    """A streamed event as plain data, as in `to_plain`, without the `snapshot` that some SDKs' events have.

    A snapshot is everything that came so far: to export it with each event would cost the square of the stream's
    length. With `by_attribute`, an event that cannot be exported is read as in spec 004, by `event.parts`.
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


# The attributes that are read of an event, and of the objects in them. `dict` is a value that is taken unchanged.
_CALL = {"id": str, "name": str, "args": dict}
_PART = {"text": str, "thought": bool, "thought_signature": (str, bytes), "function_call": _CALL}
_EVENT = {"parts": [_PART]}


def _by_attribute(value: object, shape: object) -> object:
    """The attributes of an object that a shape names, as a dict without missing ones; None if it has none of them."""
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
    if isinstance(value, Iterator | set | frozenset):
        return "pass a list of it"
    if isinstance(value, type):
        return "pass an instance of it"
    if isinstance(value, PathLike):
        return "pass its content: path.read_bytes()"
    if hasattr(value, "__await__"):
        return "await it first"
    if hasattr(value, "__dataclass_fields__"):
        return "pass dataclasses.asdict() of it"
    if callable(value):
        return "a tool is a dict with its name, description and parameters"
    return ""


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]
