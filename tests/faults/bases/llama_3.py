"""Sound conversations for Llama's chat template, and their judge."""

from typing import Any

from judges import training

from faults.judge import Judge
from faults.payload import Json
from faults.payload.llama_3 import calls

from .turns import model, user

JUDGE = Judge(check=training.llama_3)


def got(content: Any) -> Json:
    return {"role": "ipython", "content": content}


OWN: list[Any] = [
    [{"role": "system", "content": "Be brief."}, user("What is this?"), model("A test."), user("Good.")],
    [
        user("Look twice."),
        calls("look", {"q": "x"}),
        got("first"),
        model("It is there."),
        user("Once more."),
        calls("find", {"q": "y", "n": [1, None]}),
        got({"rows": ["second"]}),
        calls("look", {}),
        calls("find", {"q": "x"}),
        got("third"),
        got("fourth"),
        model("Done."),
    ],
]
