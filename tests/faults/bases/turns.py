"""Turns with a role and content, as many dialects have them."""

from typing import Any

from faults.payload import Json


def user(content: Any) -> Json:
    return {"role": "user", "content": content}


def model(content: Any, **more: Any) -> Json:
    return {"role": "assistant", "content": content, **more}
