"""Sound UIMessages of the AI SDK, and their judge."""

from typing import Any

from judges import ai_sdk_ui

from faults.judge import Judge
from faults.payload import PNG, Json, text
from faults.payload.ai_sdk_ui import said, tool

JUDGE = Judge(check=ai_sdk_ui.check, types=set(ai_sdk_ui.TEXTS))

STEP: Json = {"type": "step-start"}
IMAGE: Json = {"type": "file", "mediaType": "image/png", "url": f"data:image/png;base64,{PNG}"}
THOUGHT: Json = {"type": "reasoning", "text": "Hm.", "providerMetadata": {"anthropic": {"signature": "c2ln"}}}
APPROVED: Json = {"id": "a1", "approved": True}
SEARCH: Json = {"type": "tool-search", "toolCallId": "srv_1", "state": "output-available", "input": {"q": "x"}}
MANY: Json = {"type": "dynamic-tool", "toolName": "find"}

OWN: list[Any] = [
    [
        said("m1", "system", text("Be brief.")),
        said("m2", "user", text("What is this?"), IMAGE),
        said("m3", "assistant", STEP, text("A test."), metadata={"tokens": 3}),
        said("m4", "user", text("Good.")),
    ],
    [
        said("m1", "user", text("Look twice.")),
        said(
            "m2",
            "assistant",
            STEP,
            text("I look."),
            tool("look", "call_1", "first"),
            {**tool("find", "call_2", {"found": ["second"]}, input={"q": "y", "n": [1, None]}), **MANY},
            STEP,
            text("Both are there."),
        ),
        said("m3", "user", text("Once more.")),
        said("m4", "assistant", STEP, THOUGHT, tool("look", "call_3", {"third": 1}, input={}), STEP, text("Three.")),
        said("m5", "user", text("Thank you.")),
    ],
    [
        said("m1", "user", text("Remove both.")),
        said(
            "m2",
            "assistant",
            STEP,
            tool("rm", "call_4", None, state="output-error", errorText="no such file", approval=APPROVED),
            tool(
                "rm", "call_5", None, state="output-denied", approval={"id": "a2", "approved": False, "reason": "No."}
            ),
            {"type": "data-note", "data": {"left": 2}},
        ),
        said("m3", "assistant", STEP, {**SEARCH, "providerExecuted": True, "output": [{"url": "https://e.org"}]}),
        said("m4", "assistant", text("None was there.")),
        said("m5", "user", text("Well.")),
    ],
]
