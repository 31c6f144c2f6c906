"""What `convert` promises of a case: both doors say the same, and each word is written or told."""

import inspect
import json
from typing import Any

import turnwire as tw

from .options import keywords
from .outcome import Outcome, attempt
from .words import told

#: The options that `convert` takes, too.
TAKEN = set(inspect.signature(tw.convert).parameters)


def converted(it: Outcome) -> str | None:
    options: Any = {name: value for name, value in keywords(it.case).items() if name in TAKEN}
    options.pop("source", None)
    way = (it.case["source"], it.target)
    made, error = attempt(tw.convert, it.body, *way, **options)
    text = json.dumps(it.body, separators=(",", ":")).encode()
    other, again = attempt(tw.convert_json, text, *way, **options)
    if made is None or other is None:
        same = error and again and (error.code, error.path) == (again.code, again.path)
        return None if same else f"{error!r} and {again!r}"
    if (json.loads(other.payload), other.losses) != (made.payload, made.losses):
        return "convert and convert_json differ"
    gone = told(it.body, made.payload, [loss.path for loss in made.losses])
    return f"vanished without a word: {gone}" if gone else None
