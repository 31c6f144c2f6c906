"""The promises: each is a function from what happened to a sentence that says what is broken, or to nothing."""

import json
from collections.abc import Callable
from typing import Any

import turnwire as tw

from . import judge
from .conversions import converted
from .options import keywords
from .outcome import Outcome, attempt
from .runs import appended, opened
from .spell import needed
from .words import told, words_of

#: A budget that everything fits.
WIDE = 10**9


# --- P1: the budget ---


def counted(it: Outcome) -> str | None:
    """What is counted is what is written."""
    if not it.is_counted:
        return None
    wide, _ = it.prepare(WIDE)
    if wide is None:
        return None
    real, told = it.size(wide.payload), wide.receipt.totals["after"]
    # A format that joins texts may count a separator too many for each of them.
    return None if real <= told <= real + 64 else f"the payload has {real} bytes, and the totals say {told}"


def fits(it: Outcome) -> str | None:
    """A budget of the size of what was written changes nothing."""
    wide, _ = it.prepare(WIDE) if it.is_counted else (None, None)
    if wide is None:
        return None
    same, error = it.prepare(wide.receipt.totals["after"])
    if same is None:
        return f"what fits does not fit: {error}"
    return None if same.payload == wide.payload else "a budget that it fits changes it"


def kept_to(it: Outcome) -> str | None:
    """The payload is not larger than its budget."""
    share = it.case["budget"]
    if share is None or not it.is_counted:
        return None
    budget = int(it.size(it.made.payload) * share)
    cut, error = it.prepare(budget)
    if cut is None:
        is_known = error.code == "budget_too_small" or it.case["strict"]
        return None if is_known else f"{error.code} under a budget: {error}"
    real = it.size(cut.payload)
    return None if real <= budget else f"{real} bytes for a budget of {budget}"


# --- P3: the doors ---


def in_json(body: Any) -> bytes:
    """As JSON, without escapes where they are not needed: untouched text keeps its own escapes."""
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":")).encode()


def doors(it: Outcome) -> str | None:
    """Objects and JSON bytes give the same, or the same error."""
    other, error = attempt(tw.prepare_json, in_json(it.body), it.target, **keywords(it.case))
    if it.error is not None or error is not None:
        same = it.error and error and (it.error.code, it.error.path) == (error.code, error.path)
        return None if same else f"{it.error!r} and {error!r}"
    if json.loads(other.payload) != it.made.payload:
        return "the payloads differ"
    return None if (other.receipt, str(other.receipt)) == (it.made.receipt, str(it.made.receipt)) else "reports differ"


def replayed(it: Outcome) -> str | None:
    """A conversation without a fault comes back equal in its own format."""
    quiet = it.case["fault"] == "none" and it.case["system"] != "argument" and it.case["tools"] != "argument"
    if it.made is None or not quiet or it.target != it.case["source"] or it.made.receipt.changed:
        return None
    if it.case["cache"] or it.case["per_result"]:
        return None
    return None if json.dumps(it.made.payload) == json.dumps(it.body) else "changed without a receipt"


# --- P4: nothing vanishes, nothing is new ---


def accounted(it: Outcome) -> str | None:
    """Each word is written, or a change is told where it was."""
    if it.made is None:
        return None
    # A result of no call goes with its message.
    ends = {"orphan_result": ".content"}
    entries = it.made.receipt
    gone = told(it.body, it.made.payload, [entry.path.removesuffix(ends.get(entry.code, "")) for entry in entries])
    return f"vanished without a word: {gone}" if gone else None


def nothing_new(it: Outcome) -> str | None:
    """Each word of the payload is one of the caller's, and occurs as often."""
    if it.made is None:
        return None
    new = words_of(it.made.payload) - words_of(it.body) - {"w900z"}
    return f"nobody said {sorted(new)}" if new else None


def told_once(it: Outcome) -> str | None:
    """No change is told twice, and they come in the order of the messages, with what is beside them first."""
    if it.made is None:
        return None
    told = [(change.code, change.path, change.id, change.reason) for change in it.made.receipt if change.path != "$"]
    again = {one for one in told if told.count(one) > 1}
    places = [-1 if change.index is None else change.index for change in it.made.receipt]
    if again:
        return f"told twice: {sorted(map(str, again))}"
    return None if places == sorted(places) else f"the changes come in the order {places}"


def of_its_kind(it: Outcome) -> str | None:
    """Each change has a kind of its code, and what is new or written otherwise is told as that."""
    if it.made is None:
        return None
    wrong = [change for change in it.made.receipt if change.kind not in tw.codes.CHANGES[change.code].kinds]
    return f"not of the kinds of its code: {wrong[0]}" if wrong else None


# --- P5: the input stays, and twice is once ---

#: The options that say how a request is read and sent. The others have had their effect.
AGAIN = ("end", "reasoning", "model", "settings", "blobs")


def twice(it: Outcome) -> str | None:
    """What was written is not changed again."""
    # Text that is told to look like a call is one where it is read again.
    if it.made is None or "ambiguous_call" in [loss.code for loss in it.made.receipt]:
        return None
    options = {name: value for name, value in keywords(it.case).items() if name in AGAIN} | needed(it.target)
    again, error = attempt(tw.prepare, it.made.payload, it.target, source=it.target, **options)
    if again is None:
        return f"the second time raises {error!r}"
    return None if again.payload == it.made.payload else f"changed again: {[one.code for one in again.receipt]}"


# --- P6 and P7: errors and what the provider accepts ---


def errors(it: Outcome) -> str | None:
    """What cannot be sent is refused before it is written, with a code and a path."""
    for error in (it.error, *(error for _, error in it.budgets.values())):
        # A strict call raises for each loss, and only the writer knows them all.
        if isinstance(error, tw.RenderError) and not it.case["strict"]:
            return f"found only while writing: {error!r}"
        if error is not None and not error.code:
            return f"no code: {error!r}"
    return None


def accepted(it: Outcome) -> str | None:
    """The judge finds nothing, with or without a budget."""
    # No server reads a row, and the caller adds to a list that stays open before it is sent.
    if it.case["end"] in ("row", "calls"):
        return None
    # What is odd may be a kind that is not known yet, and unknown keys stay where they are.
    apart = it.case["said_source"] and it.target.partition(":")[0] != it.case["source"].partition(":")[0]
    if it.case["wire"] == "odd" or (it.case["wire"] == "keys" and not apart):
        return None
    for made, _ in ((it.made, None), *it.budgets.values()):
        found = judge.problems(it.target, made.payload, it.case["model"]) if made else []
        if found:
            return str(found[0])
    return None


def needless(it: Outcome) -> str | None:
    """What the judge accepts is not refused."""
    own = it.target == it.case["source"] and it.case["system"] != "argument" and it.case["tools"] != "argument"
    if not own or not isinstance(it.error, tw.BuildError) or it.case["end"] == "row":
        return None
    # The judge lets every model begin, and continue, an answer of its own: only some do.
    if it.error.code in ("ends_with_assistant", "starts_with_assistant"):
        return None
    found = judge.problems(it.target, it.body, it.case["model"])
    return None if found else f"refused, and the judge accepts it: {it.error!r}"


def checked(it: Outcome) -> str | None:
    """`check` returns the receipt of `prepare`, with what `prepare` raises at its end. Both take the same options.

    Only `check` notes what the target accepts as it is, and other targets refuse.
    """
    options = keywords(it.case)
    made, refused = attempt(tw.prepare, it.body, it.target, **options)
    receipt, error = attempt(tw.check, it.body, it.target, **options)
    if receipt is None:
        # What cannot be read at all, or an option that is wrong.
        same = refused is not None and (refused.code, refused.path) == (error.code, error.path)
        return None if same else f"check raises {error!r}"
    if made is not None:
        told = [change for change in receipt if not is_note(change)]
        same = told == [change for change in made.receipt if not is_note(change)]
        return None if same else f"check says\n{receipt}\nand prepare\n{made.receipt}"
    *_, last = receipt
    same = (last.kind, last.code, last.path) == ("refused", refused.code, refused.path)
    return None if same else f"check says {last}, and prepare raises {refused!r}"


def is_note(change: tw.Change) -> bool:
    """Whether it is a warning without weight."""
    return (change.kind, change.severity) == ("warning", "info")


PROMISES: dict[str, Callable[[Outcome], str | None]] = {
    "P1 counted": counted,
    "P1 fits": fits,
    "P1 kept to": kept_to,
    "P3 doors": doors,
    "P3 replayed": replayed,
    "P4 accounted": accounted,
    "P4 converted": converted,
    "P4 nothing new": nothing_new,
    "P4 told once": told_once,
    "P4 of its kind": of_its_kind,
    "P5 twice": twice,
    "P6 errors": errors,
    "P7 accepted": accepted,
    "P7 needless": needless,
    "P7 checked": checked,
    "P8 appended": appended,
    "P8 opened": opened,
}
