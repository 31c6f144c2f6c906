"""Makes the neutral turns of a case, and spells them in its source format."""

import random
from typing import Any

from . import parts, spell, wire
from .faults import FAULTS
from .parts import Json, Words

#: What a factor is where the source has no place for its kind.
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


def body(case: Json, seed: int) -> tuple[Json, Any]:
    """The case as far as its source can say it, and the request."""
    kept = case | spell.needed(case["source"]) | PLAIN
    made = _spelled(kept, seed)
    for factor in PLAIN:
        asked = kept | {factor: case[factor]}
        if asked != kept and (body := _spelled(asked, seed)) is not None:
            kept, made = asked, body
    assert made is not None, f"not even plain text: {case}"
    return kept, wire.spoilt(made, case["wire"], seed)


def drawn(dialect: str, seed: int) -> Any:
    """A sound request of a format, of random kinds of parts."""
    dice = random.Random(f"{dialect} {seed}")
    kinds = {"u1": parts.USER, "u2": parts.USER, "m1": parts.MODEL, "m2": parts.MODEL, "res": parts.RESULT}
    case = {factor: dice.choice(values) for factor, values in kinds.items()}
    system = dice.choice(("none", "first", "beside"))
    plain = {"source": dialect, "fault": "none", "wire": "none", "tools": "body", "system": system}
    return body(case | plain, seed)[1]


def before_reply(case: Json, seed: int) -> Any:
    """The request to which the model's last answer to the user is the reply, if there is one."""
    made = turns(case, seed)
    roles = [turn["role"] for turn in made]
    asked = [at for at in range(1, len(made)) if roles[at - 1 : at + 1] == ["user", "model"]]
    return _spelled(case, seed, made[: asked[-1]]) if asked else None


def _spelled(case: Json, seed: int, said: list[Json] | None = None) -> Any:
    """The request, or None where the format has no place for something."""
    try:
        return spell.request(case["source"], said or turns(case, seed), with_tools=case["tools"] == "body")
    except spell.CannotError:
        return None


def tools(dialect: str) -> Any:
    """The tool that the conversations call, as this format defines it."""
    return spell.tools(dialect)
