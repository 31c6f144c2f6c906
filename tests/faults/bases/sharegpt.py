"""Sound sets in the form of ShareGPT, and their judge."""

import json
from typing import Any

from judges import training

from faults.judge import Judge
from faults.payload import Json

JUDGE = Judge(check=training.sharegpt)

TOOLS = json.dumps([{"name": "look", "description": "To look.", "parameters": {"type": "object"}}])


def call(*calls: tuple[str, Json]) -> Json:
    made = [{"name": name, "arguments": args} for name, args in calls]
    return {"from": "function_call", "value": json.dumps(made if len(made) > 1 else made[0])}


def human(words: str) -> Json:
    return {"from": "human", "value": words}


def gpt(words: str) -> Json:
    return {"from": "gpt", "value": words}


def observed(*words: str) -> Json:
    return {"from": "observation", "value": training.BETWEEN.join(words)}


OWN: list[Any] = [
    {"conversations": [human("What is this?"), gpt("A test."), human("Good."), gpt("Yes.")], "system": "Be brief."},
    {
        "conversations": [
            human("Look twice."),
            call(("look", {"q": "x"}), ("find", {"q": "y", "n": [1, None]})),
            observed("first", "second"),
            gpt("Both are there."),
            human("Once more."),
            call(("look", {})),
            observed("third"),
            gpt("Done."),
        ],
        "tools": TOOLS,
    },
    [
        {"from": "system", "value": "Be brief."},
        human("Go."),
        call(("look", {"q": "x"})),
        observed("seen"),
        gpt("There."),
    ],
]
