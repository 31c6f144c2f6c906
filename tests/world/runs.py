"""What two requests in a row promise: the first is the beginning of the second, or a break says where not."""

import inspect
from typing import Any

import turnwire as tw

from . import conversation
from .options import keywords
from .outcome import Outcome, attempt

#: The keys under which formats hold their list.
LISTS = ("messages", "contents", "input", "conversations", "gen_ai.input.messages")


def held(payload: Any) -> list[Any]:
    """The list of a payload."""
    return payload if isinstance(payload, list) else next(payload[key] for key in LISTS if key in payload)


def appended(it: Outcome) -> str | None:
    """Where the model has answered and the caller only appends, what was sent stays."""
    shorter = conversation.before_reply(it.case, it.seed)
    if it.case["row"] or it.case["wire"] != "none" or shorter is None:
        return None
    # Marks for the cache move on with each request.
    options = keywords(it.case | {"cache": None})
    first, _ = attempt(tw.prepare, shorter, it.target, after=None, **options)
    if first is None:
        return None
    second, error = attempt(tw.prepare, it.body, it.target, after=first, **options)
    if second is None:
        return None if it.error else f"the second request raises {error!r}"
    before, now = held(first.payload), held(second.payload)
    if second.receipt.break_at is None and now[: len(before)] != before:
        return "what was sent has changed, and no break is told"
    return None


#: The options of a ledger, and those of each of its requests.
OF_LEDGER = set(inspect.signature(tw.Ledger).parameters)
OF_REQUEST = set(inspect.signature(tw.Ledger.prepare).parameters)


def opened(it: Outcome) -> str | None:
    """The first request of a ledger is that of `prepare`, with the same options."""
    options = keywords(it.case)
    mine = {name: value for name, value in options.items() if name in OF_REQUEST}
    if {*options} - OF_LEDGER - OF_REQUEST:
        return None
    made, error = attempt(tw.prepare, it.body, it.target, after=None, **options)
    ledger = tw.Ledger(it.target, **{name: value for name, value in options.items() if name not in mine})
    other, again = attempt(ledger.prepare, it.body, **mine)
    if made is None or other is None:
        same = error and again and (error.code, error.path) == (again.code, again.path)
        return None if same else f"{error!r} and {again!r}"
    return None if other.payload == made.payload else "a ledger begins with another request"
