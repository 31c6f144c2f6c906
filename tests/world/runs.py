"""What two requests in a row promise: the first is the beginning of the second, or a break says where not."""

import inspect
from typing import Any

import turnwire as tw

from . import conversation
from .options import keywords
from .outcome import Outcome, attempt
from .parts import Json

#: The keys under which formats hold their list.
LISTS = ("messages", "contents", "input", "conversations", "gen_ai.input.messages")


def held(payload: Any) -> list[Any]:
    """The list of a payload."""
    return payload if isinstance(payload, list) else next(payload[key] for key in LISTS if key in payload)


#: The options of each request of a ledger.
OF_REQUEST = set(inspect.signature(tw.Ledger.prepare).parameters)


def divided(target: str, options: Json) -> tuple[tw.Ledger, Json] | None:
    """A ledger with its options, and those of its requests; None if it does not take them."""
    mine = {name: value for name, value in options.items() if name in OF_REQUEST}
    theirs = {name: value for name, value in options.items() if name not in mine}
    made, error = attempt(tw.Ledger, target, **theirs)
    if made is None and error.code != "unknown_option":
        raise error
    return None if made is None else (made, mine)


def appended(it: Outcome) -> str | None:
    """Where the model has answered and the caller only appends, what was sent stays."""
    shorter = conversation.before_reply(it.case, it.seed)
    if it.case["end"] == "row" or it.case["wire"] != "none" or shorter is None:
        return None
    # Marks for the cache move on with each request.
    options = keywords(it.case | {"cache": None})
    if not (parts := divided(it.target, options)):
        return None
    ledger, mine = parts
    first, _ = attempt(ledger.prepare, shorter, **mine)
    if first is None:
        return None
    second, error = attempt(ledger.prepare, it.body, **mine)
    if second is None:
        return None if it.error else f"the second request raises {error!r}"
    before, now = held(first.payload), held(second.payload)
    if second.receipt.break_at is None and now[: len(before)] != before:
        return "what was sent has changed, and no break is told"
    return None


def opened(it: Outcome) -> str | None:
    """The first request of a ledger is that of `prepare`, with the same options."""
    options = keywords(it.case)
    if not (parts := divided(it.target, options)):
        return None
    ledger, mine = parts
    made, error = attempt(tw.prepare, it.body, it.target, **options)
    other, again = attempt(ledger.prepare, it.body, **mine)
    if made is None or other is None:
        same = error and again and (error.code, error.path) == (again.code, again.path)
        return None if same else f"{error!r} and {again!r}"
    # What the model saw before it thought is not known: a ledger sends no reasoning behind a repair, and says so.
    if "stale_reasoning" in {entry.code for entry in other.receipt if entry.kind != "warning"}:
        return None
    return None if other.payload == made.payload else "a ledger begins with another request"
