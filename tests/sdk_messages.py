"""Random messages by the types of the providers' own SDKs: everything that a type checker accepts."""

import base64
import collections.abc
import enum
import functools
import inspect
import random
import types
import typing
from typing import Any

import typing_extensions as te
from pydantic import BaseModel

Json = dict[str, Any]
WORDS = ["", " ", "a", "hello", "ü😀", "{}", '{"a": 1}', "https://x.y/z.png", "aGk=", "image/png"]
OF_KEY = {
    **{key: ["call_1", "call_2", "call_3"] for key in ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")},
    **{key: ["f", "g"] for key in ("name", "tool_name")},
    "arguments": ["{}", '{"a": 1}'],
}
# The SDKs do not list these as required; the servers require them.
NEEDED = {"role", "type", "name", "file_uri", "data", "mime_type", "tool_call_id", "function", "arguments"}


def made(rng: random.Random, kind: Any, key: str = "", depth: int = 0) -> Any:
    """Any value of a type: typed dicts and models, unions, literals, and what they hold."""
    origin, inner = te.get_origin(kind), te.get_args(kind)
    if origin in (te.Required, te.NotRequired, te.Annotated):
        return made(rng, inner[0], key, depth)
    if "Nullable" in getattr(origin, "__name__", ""):
        return made(rng, inner[0], key, depth) if rng.random() < 0.85 else None
    if hasattr(kind, "__value__"):
        return made(rng, kind.__value__, key, depth)
    if origin in (typing.Union, types.UnionType):
        return made(rng, rng.choice(choices(inner, depth)), key, depth)
    if origin is typing.Literal or origin is te.Literal:
        return rng.choice(inner)
    if origin in (list, collections.abc.Iterable, collections.abc.Sequence):
        return [made(rng, inner[0], "", depth + 1) for _ in range(rng.choice([0, 1, 1, 2, 3]) if depth < 6 else 0)]
    if origin in (dict, collections.abc.Mapping):
        return {name: made(rng, inner[1], "", depth + 1) for name in rng.sample("ab", rng.randint(0, 2))}
    if te.is_typeddict(kind) or is_model(kind):
        return {name: value for name, value in entries(rng, kind, depth) if value is not ...}
    if inspect.isclass(kind) and issubclass(kind, enum.Enum):
        return rng.choice([one.value for one in kind])
    if kind is str:
        return rng.choice(OF_KEY.get(key, WORDS))
    plain = {int: [0, 1, 7], float: [0.5, 1.0], bool: [True, False], object: [{}, {"a": 1}, "x", 1]}
    plain |= {Any: plain[object], None: [None], type(None): [None]}
    # Everything else is a file in some form.
    return rng.choice(plain.get(kind, ["aGk="]))


def choices(kinds: tuple[Any, ...], depth: int) -> list[Any]:
    """A union's members for requests: no response classes beside typed dicts, none of the SDK's own machinery."""
    known = [one for one in kinds if not getattr(one, "__name__", "").startswith(("Unset", "Unknown", "Unrecognized"))]
    if any(te.is_typeddict(one) for one in known):
        known = [one for one in known if not is_model(one)]
    plain = [one for one in known if one in (str, int, bool, float, type(None)) or te.get_origin(one) is te.Literal]
    return plain if depth > 5 and plain else known


def is_model(kind: Any) -> bool:
    """Whether a type is a class of pydantic, or a union of such classes."""
    if te.get_origin(kind) is te.Annotated:
        return is_model(te.get_args(kind)[0])
    if te.get_origin(kind) in (typing.Union, types.UnionType):
        return all(is_model(one) for one in te.get_args(kind))
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def entries(rng: random.Random, kind: Any, depth: int) -> collections.abc.Iterator[tuple[str, Any]]:
    """The keys of a typed dict or a model, and their values; `...` for one that is left out."""
    hints = hints_of(kind)
    if te.is_typeddict(kind):
        for name, hint in hints.items():
            needed = te.get_origin(hint) is te.Required or (
                kind.__total__ and te.get_origin(hint) is not te.NotRequired
            )
            yield name, made(rng, hint, name, depth + 1) if needed or rng.random() < 0.3 else ...
        return
    for name, field in kind.model_fields.items():
        key = field.serialization_alias or field.alias or name
        if name in NEEDED or field.is_required():
            values = (made(rng, hints[name], name, depth + 1) for _ in range(50))
            yield key, next((value for value in values if value is not None), None)
        elif rng.random() < 0.3:
            yield key, made(rng, hints[name], name, depth + 1)


@functools.cache
def hints_of(kind: Any) -> dict[str, Any]:
    return te.get_type_hints(kind, include_extras=True)


def gemini_content(rng: random.Random) -> Json:
    """A content with one kind of data in each part, as the SDK's documentation says."""
    from google.genai.types import Part

    hints = hints_of(Part)
    data = ["text", "inline_data", "file_data", "function_call", "function_response", "executable_code"]
    data += ["code_execution_result", "tool_call", "tool_response"]

    def part() -> Json:
        names = [rng.choice(data), *(name for name in hints if name not in data and rng.random() < 0.15)]
        values = {name: made(rng, hints[name], name, 1) for name in names}
        return {Part.model_fields[name].alias or name: value for name, value in values.items() if value is not None}

    parts = [one for one in (part() for _ in range(rng.randrange(4))) if one]
    return {"role": rng.choice(["user", "model", "model", "function"]), "parts": parts}


def bedrock_message(rng: random.Random) -> Json:
    """A message by the shapes in the service's own description."""

    def value(shape: Any, key: str, depth: int) -> Any:
        match shape.type_name:
            case "structure" if shape.is_document_type:
                return rng.choice([{}, {"a": 1}, {"b": [1, "x"]}])
            case "structure" if shape.is_tagged_union:
                name = rng.choice(list(shape.members))
                return {name: value(shape.members[name], name, depth + 1)}
            case "structure":
                names = [name for name in shape.members if name in shape.required_members or rng.random() < 0.35]
                return {name: value(shape.members[name], name, depth + 1) for name in names}
            case "list":
                return [value(shape.member, "", depth + 1) for _ in range(rng.randrange(3) if depth < 8 else 0)]
            case "string":
                return rng.choice(shape.enum or OF_KEY.get(key, WORDS))
            case other:
                return {"blob": base64.b64encode(b"hi").decode(), "map": {}, "boolean": True}.get(other, 1)

    return value(bedrock_shape(), "", 0)  # type: ignore[no-any-return]


@functools.cache
def bedrock_shape() -> Any:
    import botocore.session

    return botocore.session.get_session().get_service_model("bedrock-runtime").shape_for("Message")


def message_of(source: str, rng: random.Random) -> Json:
    """A message of a provider's own types."""
    match source:
        case "openai":
            from openai.types.chat import ChatCompletionMessageParam as Message
        case "openai-responses":
            from openai.types.responses import ResponseInputItemParam as Message
        case "anthropic":
            from anthropic.types.beta import BetaMessageParam as Message
        case "gemini":
            return gemini_content(rng)
        case "gemini-interactions":
            from google.genai.interactions import StepParam as Message
        case "bedrock":
            return bedrock_message(rng)
        case "mistral":
            from mistralai.client.models import AssistantMessage, SystemMessage, ToolMessage, UserMessage

            return made(rng, rng.choice([AssistantMessage, SystemMessage, ToolMessage, UserMessage]))  # type: ignore[no-any-return]
        case "cohere":
            from cohere.types import ChatMessageV2 as Message
        case _:
            from ollama import Message as OllamaMessage

            said = made(rng, OllamaMessage)
            images = [image["value"] for image in said.pop("images", None) or () if image["value"]]
            return {**said, "role": rng.choice(["user", "assistant", "system", "tool"]), "images": images}
    return made(rng, Message)  # type: ignore[no-any-return]
