"""Definitions in a body that only another format describes, as gateways pass them on: each target gets them as from
their own format, and a build of the body's own format says so."""

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

GO = {"role": "user", "content": "go"}
NOTHING = {"type": "object", "properties": {}}
MEMBER = {"type": "function", "name": "status", "parameters": NOTHING}
GROUP = {"type": "namespace", "name": "mcp__a", "description": "about a", "tools": [MEMBER]}
# Each with its own format and the names that it has as functions.
TOOLS = {
    "a group": (GROUP, "openai-responses", ["mcp__a__status"]),
    "a shell": ({"type": "shell"}, "openai-responses", ["shell"]),
    "a local shell": ({"type": "local_shell"}, "openai-responses", ["local_shell"]),
    "a patch": ({"type": "apply_patch"}, "openai-responses", ["apply_patch"]),
    "a bash": ({"type": "bash_20250124", "name": "bash"}, "anthropic", ["bash"]),
    "an editor": (
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        "anthropic",
        ["str_replace_based_edit_tool"],
    ),
    "a memory": ({"type": "memory_20250818", "name": "memory"}, "anthropic", ["memory"]),
}
PLAIN = {
    "openai": {"type": "function", "function": {"name": "f", "parameters": NOTHING}},
    "openai-responses": {"type": "function", "name": "f", "parameters": NOTHING, "strict": False},
    "anthropic": {"name": "f", "input_schema": NOTHING},
    "mistral": {"type": "function", "function": {"name": "f", "parameters": NOTHING}},
    "ollama": {"type": "function", "function": {"name": "f", "parameters": NOTHING}},
}
TARGETS = (
    "openai",
    "openai:compatible",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "ollama",
)


def body(source, *tools):
    return {"input" if source == "openai-responses" else "messages": [GO], "tools": list(tools)}


def refused(target, payload):
    if target == "gemini-interactions":
        return [str(problem) for problem in gemini_interactions.check(payload)]
    return wire.refused(target, payload)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", PLAIN)
@pytest.mark.parametrize("kind", TOOLS)
def test_as_from_its_own_format(kind, source, target):
    tool, own, _ = TOOLS[kind]
    plain = tw.prepare(body(source, PLAIN[source]), target, source=source)
    alone = tw.prepare(body(own, tool), target, source=own)
    both = tw.prepare(body(source, tool, PLAIN[source]), target, source=source)
    first = tw.prepare(body(source, tool), target, source=source)
    assert tools(first.payload) == tools(alone.payload)
    assert names(both.payload) == names(alone.payload) + names(plain.payload)
    assert not refused(target, first.payload)
    assert not tw.check(first.payload, target)
    assert not [change for change in first.receipt if change.kind == "lost"]


def tools(payload):
    return payload["toolConfig"] if "toolConfig" in payload else payload["tools"]


def names(payload):
    """The names of all functions and typed tools, in order."""
    found = []
    for entry in payload.get("tools") or payload["toolConfig"]["tools"]:
        spec = entry.get("toolSpec") or entry.get("function") or entry
        members = entry.get("functionDeclarations") or entry.get("tools") or [spec]
        found += [one.get("name") or one.get("type") for one in members]
    return found


@pytest.mark.parametrize("source", [one for one in PLAIN if one != "openai-responses"])
@pytest.mark.parametrize("kind", TOOLS)
def test_the_own_format_says_so(kind, source):
    tool, own, expected = TOOLS[kind]
    if source == own:
        return
    given = body(source, PLAIN[source], tool)
    finding = next(one for one in tw.check(given, source, source=source) if one.path == "$.tools[1]")
    assert finding.severity == "error"
    made = tw.prepare(given, source, source=source)
    assert [name for name in names(made.payload) if name != "f"] == expected
    assert next(change.code for change in made.receipt if change.path.startswith("$.tools[1]")) == "reshaped"
    again = tw.prepare(made.payload, source, source=source)
    assert again.payload == made.payload
    # What is only converted is sent on as it came.
    assert tw.convert(given, source, source=source).payload == given
    assert given["tools"] == [PLAIN[source], tool]


@pytest.mark.parametrize("source", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "tool",
    [
        {"type": "shell", "environment": {"type": "container_auto"}},
        {"type": "nobody_knows"},
        {"type": "namespace"},
        {"type": "namespace", "name": "a", "tools": []},
        {"type": "namespace", "name": "a", "tools": 1},
        {"type": "computer_20251124", "name": "computer", "display_width_px": 1, "display_height_px": 1},
    ],
)
def test_what_has_no_function_is_told(source, tool):
    given = body(source, PLAIN[source], tool)
    for target in ("openai", "anthropic", "gemini", "openai-responses"):
        try:
            made = tw.prepare(given, target, source=source)
        except tw.BuildError as error:
            assert error.path == "$.tools[1]"
            continue
        sent = str(tool["type"]) in str(made.payload["tools"])
        told = [change for change in made.receipt if change.path.startswith("$.tools[1]")]
        assert sent or [change for change in told if change.kind == "lost"]
