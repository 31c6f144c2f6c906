"""Sound ModelMessages of the AI SDK, and their judge."""

from typing import Any

from judges import ai_sdk

from faults.judge import Judge
from faults.payload import PNG, Json, text
from faults.payload.ai_sdk import call, got

from .turns import model, user

JUDGE = Judge(check=ai_sdk.check, types=set(ai_sdk.NEEDS))


def tool(*parts: Json) -> Json:
    return {"role": "tool", "content": list(parts)}


OWN: list[Any] = [
    [{"role": "system", "content": "Be brief."}, user("What is this?"), model("A test."), user("Good.")],
    [
        user([text("Look twice."), {"type": "image", "image": PNG, "mediaType": "image/png"}]),
        model([text("I look."), call("look", "call_1"), call("find", "call_2", {"q": "y", "n": [1, None]})]),
        tool(got("look", "call_1", "first"), got("find", "call_2", {"type": "content", "value": [text("second")]})),
        model([text("Both are there.")]),
        user("Once more."),
        model(
            [
                {"type": "reasoning", "text": "Hm.", "providerOptions": {"anthropic": {"signature": "c2ln"}}},
                call("look", "call_3", {}),
            ]
        ),
        tool(got("look", "call_3", {"type": "json", "value": {"third": 1}})),
    ],
    [
        user("Remove it."),
        model([call("rm", "call_4"), {"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "call_4"}]),
        tool({"type": "tool-approval-response", "approvalId": "a1", "approved": True}),
        tool(got("rm", "call_4", {"type": "error-text", "value": "no such file"})),
        model("It was not there."),
    ],
]
