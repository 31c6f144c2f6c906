"""The judge's findings about Bedrock, with the places that the SDK's messages name."""

import re
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem

from . import paths

STRANGER = re.compile(r'.*Unknown parameter in (\S+): "(.*)", must be one of: (.*)', re.DOTALL)
SEVERAL = re.compile(r".*(?:tagged union structure|tagged unionstructure) ([\w.\[\]]+?)[.:] .*", re.DOTALL)


def read(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """The SDK's messages hold their paths. An unknown key in a union has two messages about it."""
    strange = [found for one in told if (found := STRANGER.fullmatch(one.message))]
    for one in told:
        if found := STRANGER.fullmatch(one.message):
            at, key, known = found.groups()
            holder = paths.value(body, f"$.{at}")
            alone = isinstance(holder, dict) and not set(holder) & set(known.split(", "))
            block = alone and at.endswith("]") and not at.startswith("toolConfig")
            yield Problem("unknown-block", at, key) if block else Problem("unknown-key", f"{at}.{key}", one.message)
        elif found := SEVERAL.fullmatch(one.message):
            holder = paths.value(body, f"$.{found[1]}")
            names = next((other[3].split(", ") for other in strange if other[1] == found[1]), None)
            if names is None or not isinstance(holder, dict) or len(set(holder) & set(names)) > 1:
                yield Problem("union", found[1], one.message)
        else:
            yield one
