"""What answers a call in the AI SDK's lists: the last result that is not preliminary, or the user's denial."""

from typing import Any

import pytest
import turnwire as tw
from ai_sdk_lists import GO, OTHERS, Json

CALL: Any = {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {}}
ASKED: Any = {"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1"}
CALLED: Any = {"role": "assistant", "content": [CALL]}
REQUESTED: Any = {"role": "assistant", "content": [CALL, ASKED]}
NONE = "No result was recorded for this tool call."
DENIED = "Tool call execution denied."


def result(output: Any, **more: Any) -> Json:
    output = {"type": "text", "value": output} if isinstance(output, str) else output
    return {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": output, **more}


def tool(*parts: Any) -> Json:
    return {"role": "tool", "content": list(parts)}


def answer(approved: bool, reason: str | None = None) -> Json:
    said = {"type": "tool-approval-response", "approvalId": "a1", "approved": approved}
    return tool(said | ({"reason": reason} if reason else {}))


def ui(**part: Any) -> list[Any]:
    return [
        {"id": "u", "role": "user", "parts": [{"type": "text", "text": "go"}]},
        {"id": "a", "role": "assistant", "parts": [{"type": "tool-f", "toolCallId": "c1", "input": {}, **part}]},
    ]


def elements(payload: Any) -> Any:
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


# These say in the text that a tool failed.
FLAGLESS = ("openai", "openai-responses", "cohere", "ollama", "mistral")
EARLY = result("10%", preliminary=True)
# Each history: the messages, their format, what answers the call, and what is told about its results.
HISTORIES: Any = {
    "progress": ([GO, CALLED, tool(EARLY), tool(result("done"))], "ai-sdk", "done", ["duplicate_result"]),
    "progress in one message": ([GO, CALLED, tool(EARLY, result("done"))], "ai-sdk", "done", ["duplicate_result"]),
    "progress twice": ([GO, CALLED, tool(EARLY, EARLY, result("done"))], "ai-sdk", "done", ["duplicate_result"] * 2),
    "progress at the end": ([GO, CALLED, tool(result("done"), EARLY)], "ai-sdk", "done", ["duplicate_result"]),
    "progress alone": ([GO, CALLED, tool(EARLY)], "ai-sdk", NONE, ["missing_result", "duplicate_result"]),
    "a flag that is not set": ([GO, CALLED, tool(result("r", preliminary=False))], "ai-sdk", "r", []),
    "progress in the UI": (
        ui(state="output-available", output="10%", preliminary=True),
        "ai-sdk-ui",
        NONE,
        ["missing_result"],
    ),
    "denied": ([GO, REQUESTED, answer(False, "too risky")], "ai-sdk", "too risky", []),
    "denied without a reason": ([GO, REQUESTED, answer(False)], "ai-sdk", DENIED, []),
    "a denial as output": ([GO, CALLED, tool(result({"type": "execution-denied"}))], "ai-sdk", DENIED, []),
    "a reason as output": (
        [GO, CALLED, tool(result({"type": "execution-denied", "reason": "no"}))],
        "ai-sdk",
        "no",
        [],
    ),
    "denied, and answered": (
        [GO, REQUESTED, answer(False, "no"), tool(result({"type": "execution-denied", "reason": "no"}))],
        "ai-sdk",
        "no",
        [],
    ),
    "allowed": ([GO, REQUESTED, answer(True)], "ai-sdk", NONE, ["missing_result"]),
    "asked": ([GO, REQUESTED], "ai-sdk", NONE, ["missing_result"]),
    "denied in the UI": (
        ui(state="approval-responded", approval={"id": "a1", "approved": False, "reason": "too risky"}),
        "ai-sdk-ui",
        "too risky",
        [],
    ),
    "denied in the UI, told": (
        ui(state="output-denied", approval={"id": "a1", "approved": False}),
        "ai-sdk-ui",
        DENIED,
        [],
    ),
    "allowed in the UI": (
        ui(state="approval-responded", approval={"id": "a1", "approved": True}),
        "ai-sdk-ui",
        NONE,
        ["missing_result"],
    ),
    "asked in the UI": (ui(state="approval-requested", approval={"id": "a1"}), "ai-sdk-ui", NONE, ["missing_result"]),
}


def results(value: Any) -> list[Any]:
    """The results in a list of any target."""
    found = []
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        result = item.get("functionResponse") or item.get("toolResult")
        kind = str(item.get("type", item.get("role", "")))
        if result or kind in ("tool", "tool_result", "function_call_output", "function_result"):
            found.append(result or item)
        else:
            found += [one for key in ("content", "parts") for one in results(item.get(key, []))]
    return found


@pytest.mark.parametrize("target", OTHERS)
@pytest.mark.parametrize("name", HISTORIES)
def test_what_answers_a_call(name: str, target: Any) -> None:
    messages, source, words, told = HISTORIES[name]
    made = tw.prepare(messages, target, source=source)
    (got,) = results(elements(made.payload))
    assert words in str(got)
    failed = words == NONE
    if target == "anthropic":
        assert got.get("is_error", False) is failed
    assert ("[tool error]" in str(got)) is (
        failed and target in ("openai", "openai-responses", "cohere", "ollama", "mistral")
    )
    known = ("missing_result", "duplicate_result", "moved_result", "orphan_result")
    assert sorted(one.code for one in made.receipt if one.code in known) == sorted(told)


@pytest.mark.parametrize("name", [name for name, history in HISTORIES.items() if history[2] == NONE])
def test_an_open_call_stays_open_at_the_end(name: str) -> None:
    messages, source, _, _ = HISTORIES[name]
    for target in ("openai", "anthropic", "bedrock", source):
        made = tw.prepare(messages, target, source=source, end="calls")
        assert NONE not in str(made.payload)
        assert not any(one.code == "missing_result" for one in made.receipt)


@pytest.mark.parametrize("name", [name for name, history in HISTORIES.items() if "enied" in name or "denial" in name])
def test_a_denial_stays_as_it_is_at_home(name: str) -> None:
    messages, source, _, _ = HISTORIES[name]
    made = tw.prepare(messages, source, source=source)
    assert made.payload == messages and not made.receipt.changed


def test_a_denial_that_others_follow_becomes_a_result_at_home() -> None:
    messages = [GO, REQUESTED, answer(False, "no"), {"role": "assistant", "content": "ok"}, GO]
    made = tw.prepare(messages, "ai-sdk", source="ai-sdk")
    assert elements(made.payload)[2] == tool(result({"type": "execution-denied", "reason": "no"}))
    again = tw.prepare(made.payload, "ai-sdk", source="ai-sdk")
    assert again.payload == made.payload and not again.receipt.changed


def test_a_denial_that_others_follow_gets_its_state_in_the_ui() -> None:
    denied = ui(state="approval-responded", approval={"id": "a1", "approved": False, "reason": "no"})
    said = {"id": "b", "role": "assistant", "parts": [{"type": "text", "text": "ok"}]}
    made = tw.prepare([*denied, said], "ai-sdk-ui", source="ai-sdk-ui")
    assert elements(made.payload)[1]["parts"] == [denied[1]["parts"][0] | {"state": "output-denied"}]
    again = tw.prepare(made.payload, "ai-sdk-ui", source="ai-sdk-ui")
    assert again.payload == made.payload and not again.receipt.changed


def test_progress_is_left_out_at_home() -> None:
    made = tw.prepare([GO, CALLED, tool(EARLY, result("done"))], "ai-sdk", source="ai-sdk")
    assert elements(made.payload)[2] == tool(result("done"))
    assert [one.code for one in made.receipt] == ["duplicate_result"]
    converted = tw.convert([GO, CALLED, tool(EARLY, result("done"))], "openai", source="ai-sdk")
    assert [one.get("content") for one in elements(converted.payload)][2:] == ["done"]


def test_denials_keep_their_state_when_the_ui_is_rewritten() -> None:
    twice = ui(state="output-denied", approval={"id": "a1", "approved": False, "reason": "no"})
    messages = [*twice, *[message | {"id": message["id"] + "2"} for message in twice]]
    made = tw.prepare(messages, "ai-sdk-ui", source="ai-sdk-ui")
    parts = [message["parts"][0] for message in elements(made.payload)[1::2]]
    assert parts[0]["toolCallId"] != parts[1]["toolCallId"]
    assert [part["state"] for part in parts] == ["output-denied"] * 2
    assert all("output" not in part and "errorText" not in part for part in parts)


def test_pending_calls_wait_for_what_is_not_progress() -> None:
    for results in ([tool(EARLY)], [tool(EARLY, EARLY)], []):
        conversation = tw.Conversation.parse([GO, CALLED, *results], source="ai-sdk")
        assert [call.id for call in conversation.pending_tool_uses] == ["c1"]
    conversation = tw.Conversation.parse([GO, CALLED, tool(EARLY, result("done"))], source="ai-sdk")
    assert conversation.pending_tool_uses == ()
