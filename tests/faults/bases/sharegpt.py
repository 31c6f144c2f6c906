"""Sound sets in the form of ShareGPT, and who judges them."""

import json
from typing import Any

from faults import training_checker
from faults.judge import Judge
from faults.payload import Json

JUDGE = Judge(check=training_checker.sharegpt)

TOOLS = json.dumps([{"name": "look", "description": "To look.", "parameters": {"type": "object"}}])


def call(name: str, args: Json) -> Json:
    return {"from": "function_call", "value": json.dumps({"name": name, "arguments": args})}


def human(words: str) -> Json:
    return {"from": "human", "value": words}


def gpt(words: str) -> Json:
    return {"from": "gpt", "value": words}


def observed(words: str) -> Json:
    return {"from": "observation", "value": words}


OWN: list[Any] = [
    {"conversations": [human("What is this?"), gpt("A test."), human("Good."), gpt("Yes.")], "system": "Be brief."},
    {
        "conversations": [
            human("Look twice."),
            call("look", {"q": "x"}),
            call("find", {"q": "y", "n": [1, None]}),
            observed("first"),
            observed("second"),
            gpt("Both are there."),
            human("Once more."),
            call("look", {}),
            observed("third"),
            gpt("Done."),
        ],
        "tools": TOOLS,
    },
    [{"from": "system", "value": "Be brief."}, human("Go."), call("look", {"q": "x"}), observed("seen"), gpt("There.")],
]
