"""Makes the neutral turns of a case, and spells them in its source format."""

import random
from typing import Any

from . import parts, spell
from .faults import FAULTS
from .parts import Json, Words

#: What a factor becomes where the source has no place for its kind, one factor after the other.
PLAIN = {"u1": "text", "u2": "text", "m1": "say", "m2": "say", "res": "r_text", "fault": "none", "system": "none"}


def turns(case: Json, seed: int) -> list[Json]:
    """The turns: the user and the model twice, with results of calls, and the user's last words."""
    words = Words(random.Random(seed))
    made: list[Json] = []
    for asked, said in ((case["u1"], case["m1"]), (case["u2"], case["m2"])):
        made.append(parts.user(asked, words))
        turn = parts.model(said, words)
        made.append(turn)
        if got := parts.results(turn, case["res"], words):
            made += [{"role": "results", "parts": got}, parts.model("say", words)]
    made.append(parts.user("text", words))
    FAULTS[case["fault"]](made, words)
    if case["system"] in ("first", "beside"):
        made.insert(0, {"role": "system", "parts": [words.text()], "beside": case["system"] == "beside"})
    return made


def body(case: Json, seed: int) -> tuple[Json, Json]:
    """The case as far as its source can say it, and the request."""
    kept = dict(case)
    for factor in (None, *PLAIN):
        if factor:
            kept[factor] = PLAIN[factor]
        try:
            return kept, spell.request(case["source"], turns(kept, seed), with_tools=case["tools"] == "body")
        except spell.CannotError:
            continue
    raise AssertionError(f"not even plain text: {case}")


def tools(dialect: str) -> Any:
    """The tool that the conversations call, as this format defines it."""
    return spell.tools(dialect)
