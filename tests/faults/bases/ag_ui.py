"""Sound messages of AG-UI, and their judge."""

from typing import Any

from judges import ag_ui

from faults.judge import Judge
from faults.payload import PNG, Json, text
from faults.payload.ag_ui import fn, said

JUDGE = Judge(check=ag_ui.check, types={"text", "image", "audio", "video", "document", "binary"})


def one(message_id: str, role: str, content: Any, **more: Any) -> Json:
    return {"id": message_id, "role": role, "content": content, **more}


IMAGE = {"type": "image", "source": {"type": "data", "value": PNG, "mimeType": "image/png"}}

OWN: list[Any] = [
    {
        "messages": [
            one("m1", "system", "Be brief."),
            one("m2", "user", "What is this?", name="Ann"),
            one("m3", "assistant", "A test."),
            one("m4", "user", [text("Good."), IMAGE]),
        ]
    },
    {
        "messages": [
            one("m1", "user", "Look twice."),
            {"id": "r1", "role": "reasoning", "content": "Two.", "encryptedValue": "c2ln"},
            one("m2", "assistant", "I look.", toolCalls=[fn("look", "call_1"), fn("find", "call_2", '{"q": "y"}')]),
            {"id": "x1", "role": "activity", "activityType": "PLAN", "content": {"steps": ["look"]}},
            said("t1", "call_1", "first"),
            said("t2", "call_2", [text("second"), IMAGE]),
            one("m3", "assistant", "Both are there."),
            one("m4", "user", "Once more."),
            {"id": "m5", "role": "assistant", "toolCalls": [fn("look", "call_3", "{}")]},
            said("t3", "call_3", "no such place", error="no such place"),
        ],
        "tools": [
            {"name": "look", "description": "To look.", "parameters": {"type": "object", "properties": {}}},
            {"name": "find", "description": "To find.", "parameters": {"type": "object", "properties": {}}},
        ],
    },
]
