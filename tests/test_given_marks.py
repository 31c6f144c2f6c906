"""Marks for the prompt cache that the caller set where they are refused: on reasoning, or too long a lifetime."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
HOUR: Json = {"type": "ephemeral", "ttl": "1h"}
SHORT: Json = {"type": "ephemeral"}
MINUTES: Json = {"type": "ephemeral", "ttl": "5m"}


def of_marks(
    tool: Json | None, system: Json | None, inner: Json | None, result: Json | None, last: Json | None
) -> Json:
    """A request with these marks, in the order of the prompt."""

    def marked(value: Json, mark: Json | None) -> Json:
        return value | ({"cache_control": mark} if mark else {})

    block = marked({"type": "text", "text": "r"}, inner)
    answer = marked({"type": "tool_result", "tool_use_id": "c", "content": [block]}, result)
    return {
        "tools": [marked({"name": "f", "input_schema": {"type": "object"}}, tool)],
        "system": [marked({"type": "text", "text": "s"}, system)],
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
            {"role": "user", "content": [answer, marked({"type": "text", "text": "z"}, last)]},
        ],
    }


@pytest.mark.parametrize(
    ("given", "made", "paths"),
    [
        ((SHORT, HOUR, None, None, HOUR), (SHORT, SHORT, None, None, SHORT),
         ["$.system[0]", "$.messages[2].content[1]"]),
        ((HOUR, MINUTES, HOUR, None, HOUR), (HOUR, MINUTES, SHORT, None, SHORT),
         ["$.messages[2].content[0]", "$.messages[2].content[1]"]),
        ((None, SHORT, None, HOUR, None), (None, SHORT, None, SHORT, None), ["$.messages[2].content[0]"]),
        ((MINUTES, None, None, None, HOUR), (MINUTES, None, None, None, SHORT), ["$.messages[2].content[1]"]),
    ],
)  # fmt: skip
def test_no_mark_lasts_longer_than_one_before_it(given: Any, made: Any, paths: list[str]) -> None:
    body = of_marks(*given)
    ready = tw.prepare(body, "anthropic", source="anthropic")
    assert ready.payload == of_marks(*made)
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", path) for path in paths
    ]
    assert [(one.code, one.path) for one in tw.check(body, "anthropic", source="anthropic")] == [
        ("reshaped", one) for one in paths
    ]
    again = tw.prepare(ready.payload, "anthropic", source="anthropic")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


@pytest.mark.parametrize(
    "marks", [(HOUR, HOUR, None, MINUTES, SHORT), (None, HOUR, None, HOUR, HOUR), (SHORT,) * 2 + (None,) * 3]
)
def test_marks_in_order_stay(marks: Any) -> None:
    body = of_marks(*marks)
    ready = tw.prepare(body, "anthropic", source="anthropic")
    assert (ready.payload, list(ready.receipt)) == (body, [])


def test_a_mark_of_a_providers_tool_counts() -> None:
    body = of_marks(None, None, None, None, HOUR)
    body["tools"].append({"type": "web_search_20250305", "name": "web_search", "cache_control": MINUTES})
    ready = tw.prepare(body, "anthropic", source="anthropic")
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$.messages[2].content[1]")
    ]


@pytest.mark.parametrize(
    "thought",
    [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "redacted_thinking", "data": "c2ln"}],
)
def test_reasoning_loses_its_mark_and_stays(thought: Json) -> None:
    reply = {"role": "assistant", "content": [thought | {"cache_control": SHORT}, {"type": "text", "text": "a"}]}
    user = {"role": "user", "content": "q"}
    ready = tw.prepare([user, reply, user], "anthropic", source="anthropic")
    assert ready.payload["messages"][1]["content"] == [thought, {"type": "text", "text": "a"}]
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$[1].content[0]")
    ]
    again = tw.prepare(ready.payload, "anthropic", source="anthropic")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


def test_converse_accepts_no_mark_that_lasts_longer_than_one_before_it() -> None:
    def point(**ttl: str) -> Json:
        return {"cachePoint": {"type": "default", **ttl}}

    def body(last: Json) -> Json:
        tool = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
        return {
            "system": [{"text": "s"}, point(ttl="5m")],
            "messages": [{"role": "user", "content": [{"text": "q"}, last]}],
            "toolConfig": {"tools": [tool, point(ttl="1h")]},
        }

    ready = tw.prepare(body(point(ttl="1h")), "bedrock", source="bedrock")
    assert ready.payload == body(point())
    assert [(entry.code, entry.path) for entry in ready.receipt if entry.kind != "warning"] == [
        ("reshaped", "$.messages[0].content[1]")
    ]
    again = tw.prepare(ready.payload, "bedrock", source="bedrock")
    assert (again.payload, list(again.receipt)) == (ready.payload, [])
