"""The headers that a payload needs: for what only the types of the SDK's beta requests have, and nothing else."""

import pickle
import typing
from typing import Any

import pytest
import turnwire as tw
import typing_extensions
from anthropic.types import AnthropicBetaParam, MessageParam, message_create_params
from anthropic.types.beta import BetaMessageParam
from anthropic.types.beta import message_create_params as beta_create_params

Json = dict[str, Any]
HEADER = "anthropic-beta"
KNOWN = next(typing.get_args(one) for one in typing.get_args(AnthropicBetaParam) if typing.get_args(one))
CHANGES, INLINE, COMPACT = "mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15", "compact-2026-09-04"
FALLBACK, MCP = "server-side-fallback-2026-07-01", "mcp-client-2026-09-15"
SHOWN = {"type": "tool_reference", "name": "read"}
BY_VALUE = {"type": "tool_definition", "definition": {"name": "read", "input_schema": {"type": "object"}}}

# Content of a message, and the header's value for it.
MESSAGES: list[tuple[Json, tuple[str, ...]]] = [
    ({"role": "system", "content": [{"type": "tool_addition", "tool": SHOWN}]}, (CHANGES,)),
    ({"role": "system", "content": [{"type": "tool_removal", "tool": SHOWN}]}, (CHANGES,)),
    ({"role": "system", "content": [{"type": "tool_addition", "tool": BY_VALUE}]}, (CHANGES, INLINE)),
    (
        {"role": "system", "content": "For now.", "clear_at": "next_user_message"},
        ("mid-conversation-system-clear-at-2026-08-21",),
    ),
    (
        {"role": "system", "content": [], "output_config": {"effort": "low"}},
        ("mid-conversation-output-config-2026-07-01",),
    ),
    ({"role": "assistant", "content": [{"type": "compaction", "content": "So far."}]}, (COMPACT,)),
    ({"role": "assistant", "content": [{"type": "fallback", "to": {"model": "m"}}]}, (FALLBACK,)),
    (
        {"role": "assistant", "content": [{"type": "mcp_tool_listing", "mcp_server_name": "s", "tools": []}]},
        (MCP,),
    ),
]
BLOCKS = [
    ({"type": "mcp_tool_use", "id": "a", "name": "f", "input": {}, "server_name": "s"}, MCP),
    ({"type": "mcp_tool_result", "tool_use_id": "a", "content": []}, MCP),
    ({"type": "advisor_tool_result", "tool_use_id": "a", "content": {"type": "advisor_redacted_result"}},
     "advisor-tool-2026-03-01"),
]  # fmt: skip
MESSAGES += [({"role": "assistant", "content": [block]}, (value,)) for block, value in BLOCKS]
# Keys beside the messages.
KEYS: list[tuple[Json, tuple[str, ...]]] = [
    ({"compaction": {"type": "summarize"}}, (COMPACT,)),
    ({"context_management": {"edits": []}}, ("context-management-2025-06-27",)),
    ({"fallbacks": []}, (FALLBACK,)),
    ({"fallback_credit_token": {"token": "t"}}, ("fallback-credit-2026-07-01",)),
    ({"mcp_servers": []}, (MCP,)),
    ({"thread": {"type": "create"}}, ("message-threads-2026-08-12",)),
    (
        {"thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}},
        ("thinking-binding-controls-2026-08-01",),
    ),
]


def needed(body: Any) -> list[str]:
    ready = tw.convert(body, "anthropic", source="anthropic")
    assert tw.convert_json(body, "anthropic", source="anthropic").headers == ready.headers
    assert pickle.loads(pickle.dumps(ready)).headers == ready.headers
    assert set(ready.headers) <= {HEADER}
    return ready.headers[HEADER].split(",") if ready.headers else []


def names(kind: Any, seen: set[Any]) -> set[str]:
    """The keys of a type, and the values that it allows for them, with those of the types inside it."""
    if typing_extensions.is_typeddict(kind):
        if kind in seen:
            return set()
        seen.add(kind)
        hints = typing_extensions.get_type_hints(kind)
        return {*hints}.union(*(names(hint, seen) for hint in hints.values()))
    inner = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Literal:
        return {*map(str, inner)}
    return set[str]().union(*(names(one, seen) for one in inner))


PLAIN, BETA = names(MessageParam, set()), names(BetaMessageParam, set())


def said(value: Any) -> set[str]:
    """The keys of a message, and the types of its blocks."""
    if isinstance(value, dict):
        kind = {value["type"]} if "type" in value else set[str]()
        return {*value}.union(kind, *map(said, value.values()))
    return set[str]().union(*map(said, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize(("message", "values"), MESSAGES)
def test_what_only_beta_messages_hold_needs_its_header(message: Json, values: tuple[str, ...]) -> None:
    assert said(message) - PLAIN and said(message) - {"definition", "object"} <= BETA
    assert {*needed({"messages": [message, message]})} == {*values} <= {*KNOWN}
    assert {*needed([message])} == {*values}


@pytest.mark.parametrize(("keys", "values"), KEYS)
def test_what_only_beta_requests_hold_needs_its_header(keys: Json, values: tuple[str, ...]) -> None:
    ((name, value),) = keys.items()
    beta = typing.get_type_hints(beta_create_params.MessageCreateParamsBase)
    plain = typing.get_type_hints(message_create_params.MessageCreateParamsBase)
    assert name in beta
    assert name not in plain or "block_binding" in value
    body = {"messages": [{"role": "user", "content": "Hi."}], **keys}
    ready = tw.prepare(body, "anthropic", source="anthropic", settings="keep")
    assert ready.headers.get(HEADER, "").split(",") == [*values] and {*values} <= {*KNOWN}


def test_what_a_caller_only_quotes_needs_nothing() -> None:
    call = {
        "type": "tool_use",
        "id": "a",
        "name": "f",
        "input": {"content": [{"type": "tool_addition"}], "clear_at": 1},
    }
    result = {"type": "tool_result", "tool_use_id": "a", "content": '{"type": "compaction"}'}
    messages = [
        {"role": "user", "content": "compaction"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    assert needed({"messages": messages, "system": "fallback"}) == []


def test_a_value_comes_once_and_other_dialects_need_none() -> None:
    ledger = tw.Ledger("anthropic")
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in ("read", "grep", "list")]
    messages: list[Json] = [{"role": "user", "content": "Begin."}]
    assert ledger.prepare(messages, tools=tools[:1]).headers == {}
    messages += [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Go on."}]
    assert ledger.prepare(messages, tools=tools).headers == {HEADER: CHANGES}
    for target in tw.dialects():
        assert (
            target.startswith(("anthropic", "history"))
            or tw.convert(messages, target, source="anthropic").headers == {}
        )


def test_a_payload_that_was_edited_into_a_circle_comes_to_an_end() -> None:
    ready: Any = tw.prepare([{"role": "user", "content": "Hi."}], "anthropic")
    block: Json = {"type": "compaction"}
    block["content"] = [block, block]
    ready.payload["messages"].append({"role": "assistant", "content": [block]})
    assert ready.headers == {HEADER: COMPACT}
    ready.payload.clear()
    assert ready.headers == {}
