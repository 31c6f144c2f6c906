"""Conversations for training rows in Chat Completions' form: parallel calls, reasoning, empty texts, any script."""

import json
import random
from typing import Any

Json = dict[str, Any]

_LETTERS = "abc éß 漢字 한국 🙂 \n\t\"'\\ {}<>&"
TOOLS = [
    {"type": "function", "function": {"name": name, "description": f"does {name}", "parameters": {"type": "object"}}}
    for name in ("look", "sum_up")
]


class Talk:
    """Makes messages of unique words, so that any lost word is missed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._count = 0

    def word(self) -> str:
        self._count += 1
        return f"w{self._count}" + "".join(self.random.choices(_LETTERS, k=self.random.randint(0, 6))) + "."

    def user(self) -> Json:
        return {"role": "user", "content": self.word()}

    def exchange(self) -> list[Json]:
        """Calls, parallel ones too, and a result for each in their order."""
        ids = [f"call_{self._count}_{at}" for at in range(self.random.randint(1, 3))]
        calls = [self._call(one) for one in ids]
        spoken: Json = {
            "role": "assistant",
            "content": self.random.choice([None, "", self.word()]),
            "tool_calls": calls,
        }
        if self.random.random() < 0.3:
            spoken["reasoning_content"] = self.word()
        return [spoken, *({"role": "tool", "tool_call_id": one, "content": self._result()} for one in ids)]

    def answer(self) -> list[Json]:
        """The assistant's messages until it has answered."""
        done = [message for _ in range(self.random.choice([0, 0, 1, 2])) for message in self.exchange()]
        return [*done, {"role": "assistant", "content": self.word()}]

    def prompt(self) -> list[Json]:
        """Sometimes system text, and turns up to one of the user."""
        system = [{"role": "system", "content": self.word()}] if self.random.random() < 0.5 else []
        before = [one for _ in range(self.random.randint(0, 2)) for one in [self.user(), *self.answer()]]
        return [*system, *before, self.user()]

    def _call(self, id: str) -> Json:
        args: Any = self.random.choice([{}, {"q": self.word()}, {"n": [1, 2.5, None], "é": {"in": self.word()}}])
        name = self.random.choice(["look", "sum_up"])
        return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}

    def _result(self) -> str:
        return self.random.choice([self.word(), json.dumps({"r": self.word()}), "0"])


def told(messages: list[Json]) -> list[Any]:
    """The content of messages, whatever their form: texts, reasoning, calls and results, in their order."""
    said: list[Any] = []
    for message in messages:
        if thought := message.get("reasoning_content") or message.get("thinking"):
            said.append(("thought", thought))
        if text := message.get("content"):
            said.append((message["role"], text))
        for call in message.get("tool_calls") or []:
            args = call["function"]["arguments"]
            said.append((call["function"]["name"], json.loads(args) if isinstance(args, str) else args))
    return said
