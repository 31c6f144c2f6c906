"""What the wire checker does not check in a request of Responses, and its findings about messages of several types."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem
from judges.wire.findings import Report
from judges.wire.sdk_types import typed

# The types that a message may have, by what distinguishes them: the SDK's union tries all of them.
EASY = ("openai.types.responses.easy_input_message_param", "EasyInputMessageParam")
GIVEN = ("openai.types.responses.response_input_item_param", "Message")
WRITTEN = ("openai.types.responses.response_output_message_param", "ResponseOutputMessageParam")
# Keys that only the SDK's own reply objects must have: clients send the assistant's parts without them, and servers
# accept that.
OPTIONAL = {"id", "status", "type"}
# The items whose id is that of another.
NAMING = ("item_reference", "local_shell_call_output")


def check(payload: Any) -> Iterator[Problem]:
    """No two items have the same id: "Duplicate item found with id …" is the servers' answer.

    That of a local shell's output may be its call's.
    """
    items = payload.get("input") if isinstance(payload, dict) else payload
    counts: Counter[str] = Counter()
    for index, item in enumerate(items if isinstance(items, list) else []):
        item_id = item.get("id") if isinstance(item, dict) else None
        if isinstance(item_id, str) and item.get("type") not in NAMING:
            counts[item_id] += 1
            if counts[item_id] > 1:
                yield Problem("id.twice", f"input[{index}].id", repr(item_id))


def read(payload: Any, found: list[Problem]) -> list[Problem]:
    """The same findings; a message keeps only those of the one type that it is nearest to."""
    items = payload.get("input") if isinstance(payload, dict) else None
    sifted = [one for one in found if not _is_null_status(payload, one)]
    for index, item in enumerate(items if isinstance(items, list) else []):
        at = f"input[{index}]"
        if not isinstance(item, dict) or item.get("type", "message") != "message":
            continue
        told = [one for one in sifted if one.code == "type" and f"{one.path}.".startswith((f"{at}.", f"{at}["))]
        # Only a message with a role of the types' own is checked again.
        if told and item.get("role") in ("user", "assistant", "system", "developer"):
            sifted = [one for one in sifted if one not in told] + _of_message(item, at)
    typed = {one.path for one in sifted if one.code == "type"}
    return [one for one in sifted if one.code != "assistant.part" or one.path not in typed]


def _of_message(item: dict[str, Any], at: str) -> list[Problem]:
    made = []
    types = (EASY, GIVEN)
    if item["role"] == "assistant":
        # In a list the servers accept only what the model wrote.
        types = (WRITTEN,) if isinstance(item.get("content"), list) else (EASY, WRITTEN)
    for module, name in types:
        report = Report("openai_responses")
        typed(report, item, module, name)
        problems = [Problem("type", f"{at}.{one.path}", one.message) for one in report.problems]
        made.append([one for one in problems if not _is_spared(one, at, item)])
    return min(made, key=len)


def _is_spared(one: Problem, at: str, item: dict[str, Any]) -> bool:
    key = one.path.removeprefix(f"{at}.")
    if key in OPTIONAL and "Field required" in one.message:
        return True
    if key == "phase" and "Extra inputs" in one.message:
        # The easy type has it for every role.
        return True
    # Servers write null for these themselves.
    return key in ("status", "phase") and item.get(key) is None


def _is_null_status(payload: Any, one: Problem) -> bool:
    """Servers have accepted a call whose status is null."""
    if one.code != "type" or one.place != "input[].status":
        return False
    item = payload["input"][int(one.path[6:].partition("]")[0])]
    return "status" in item and item["status"] is None
