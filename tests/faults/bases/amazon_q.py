"""Sound messages of the Amazon Q service, and their judge."""

from typing import Any

from judges import amazon_q

from faults.judge import Judge
from faults.payload import PNG, Json

JUDGE = Judge(check=amazon_q.check)


def asks(content: str, **context: Any) -> Json:
    message: Json = {"content": content}
    if context:
        message["userInputMessageContext"] = context
    return {"userInputMessage": message}


def answers(content: str, *uses: Json) -> Json:
    message: Json = {"messageId": "m-1", "content": content}
    if uses:
        message["toolUses"] = list(uses)
    return {"assistantResponseMessage": message}


def runs(name: str, call_id: str) -> Json:
    return {"toolUseId": call_id, "name": name, "input": {"q": "x"}}


def ran(call_id: str, *content: Json, status: str = "success") -> Json:
    return {"toolUseId": call_id, "content": list(content), "status": status}


OWN: list[Any] = [
    [asks("What is this?"), answers("A test."), asks("Thank you.")],
    [
        asks("Look twice.", envState={"operatingSystem": "linux", "currentWorkingDirectory": "/tmp"}),
        answers("I look.", runs("look", "tooluse_1"), runs("find", "tooluse_2")),
        asks("", toolResults=[ran("tooluse_1", {"text": "first"}), ran("tooluse_2", {"json": {"second": [2]}})]),
        answers("Both are there."),
        asks("Once more."),
        answers("", runs("look", "tooluse_3")),
        asks("", toolResults=[ran("tooluse_3", {"text": "it failed"}, status="error")]),
    ],
    [
        {"userInputMessage": {"content": "See.", "images": [{"format": "png", "source": {"bytes": PNG}}]}},
        answers("I see.", runs("look", "tooluse_a")),
        asks("And?", toolResults=[ran("tooluse_a", {"text": "done"}, {"text": "and more"})]),
    ],
    [asks("Just this.")],
]
