"""Sound conversations for endpoints that know no tools, and their judge."""

import json
from typing import Any

from judges import training

from faults.judge import Judge
from faults.payload import Json
from faults.payload.llama import told

from .turns import model, user

JUDGE = Judge(check=training.llama)


def call(*calls: tuple[str, Json]) -> Json:
    made = [{"name": name, "parameters": args} for name, args in calls]
    return model(json.dumps(made[0] if len(made) == 1 else made))


def got(name: str, result: Any) -> Json:
    return user(json.dumps(told(name, result)))


OWN: list[Any] = [
    [{"role": "system", "content": "Be brief."}, user("What is this?"), model("A test."), user("Good.")],
    [
        user("Look twice."),
        call(("look", {"q": "x"})),
        got("look", "first"),
        model("It is there."),
        user("Both."),
        call(("look", {"q": "x"}), ("find", {"q": "y", "n": [1, None]})),
        got("look", "second"),
        got("find", {"rows": ["third", 3]}),
        model("Done."),
        user("Once more."),
        call(("find", {})),
        got("find", "fourth"),
    ],
]
