"""Each pydantic model that an official client makes to read one value is made once, and not for every value."""

from __future__ import annotations

from functools import wraps
from typing import Any

# The clients of Google and Mistral call their models so. A model depends on nothing but its type.
NAMES = ("Marshaller", "Unmarshaller")


def keep() -> None:
    """Keep what such a client makes. It takes pydantic's function when it is imported, so this comes first."""
    import pydantic

    made = pydantic.create_model
    # The type is kept beside its model, so that no other type gets its place in memory.
    kept: dict[Any, tuple[Any, Any]] = {}

    @wraps(made)
    def create_model(name: str, /, **fields: Any) -> Any:
        if name not in NAMES or fields.keys() != {"body", "__config__"}:
            return made(name, **fields)
        kind, default = fields["body"]
        # Equal unions can have another order, which decides what a value is read as.
        key = (name, id(kind), default, tuple(sorted(fields["__config__"].items())))
        if key not in kept:
            kept[key] = (kind, made(name, **fields))
        return kept[key][1]

    pydantic.create_model = create_model  # type: ignore[assignment]
