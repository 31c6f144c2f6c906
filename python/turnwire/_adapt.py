"""SDK objects as plain data: by what they export of themselves, never by their attributes."""

from collections.abc import Mapping


def to_plain(value: object) -> object:
    """What `value` says of itself as dicts, lists and scalars, or None where it does not say.

    A pydantic model, which the objects of the OpenAI, Anthropic, Google, Mistral, Cohere and Ollama SDKs are, dumps
    itself as JSON data by the names of the wire and without what was never set; other classes have a `to_dict()`; a
    mapping becomes a dict, and a UUID its text. A class itself, rather than an instance of it, says nothing.
    """
    if isinstance(value, type):
        return None
    plain: object = None
    if type(value).__module__ == "uuid":
        plain = str(value)
    elif callable(dump := getattr(value, "model_dump", None)):
        plain = dump(mode="json", by_alias=True, exclude_none=True)
    elif callable(to_dict := getattr(value, "to_dict", None)):
        plain = to_dict()
    elif isinstance(value, Mapping):
        plain = dict(value)
    return plain
