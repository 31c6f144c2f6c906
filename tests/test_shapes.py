"""Values deep inside what is read as it came: what the target's own types refuse is mended, or an error says where."""

from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]


def converse(*blocks: Json, **around: Any) -> Json:
    """A question with these blocks, and what stands around it."""
    return {"messages": [{"role": "user", "content": [{"text": "q"}, *blocks]}], **around}


def contents(*parts: Json, **around: Any) -> Json:
    return {"contents": [{"role": "user", "parts": [{"text": "q"}, *parts]}], **around}


def build(body: Json, dialect: str) -> tw.Conversation:
    return tw.MessageBuilder().set_messages(body, dialect).build(target=dialect)


SPEC = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
PDF = "JVBERi0xLjQK"


def paper(name: str, source: Json) -> Json:
    return {"document": {"format": "pdf", "name": name, "source": source}}


def quote(**citation: Any) -> Json:
    """What the model quotes."""
    return {
        "role": "assistant",
        "content": [{"citationsContent": {"content": [{"text": "a"}], "citations": [citation]}}],
    }


ASKED = {"role": "user", "content": [{"text": "q"}]}
USER = {"role": "user", "parts": [{"text": "q"}]}
UNQUOTED = {"role": "assistant", "content": [{"text": "a"}]}

# By what is wrong: the dialect, what came, what goes out, and what the receipt says.
MENDED: dict[str, tuple[str, Json, Json, list[tuple[str, str]]]] = {
    "a place that counts backwards": (
        "bedrock",
        {"messages": [ASKED, quote(location={"documentPage": {"start": -1}}), ASKED]},
        {"messages": [ASKED, UNQUOTED, ASKED]},
        [("reshaped", "$.messages[1].content[0]")],
    ),
    "a place of no kind": (
        "bedrock",
        {"messages": [ASKED, quote(title="t", location={}), ASKED]},
        {"messages": [ASKED, UNQUOTED, ASKED]},
        [("reshaped", "$.messages[1].content[0]")],
    ),
    "a choice that is no object": (
        "bedrock",
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"auto": [{}]}}),
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"auto": {}}}),
        [("reshaped", "$.toolConfig.toolChoice")],
    ),
    "a choice of a tool that nobody defines": (
        "bedrock",
        converse(toolConfig={"tools": [SPEC], "toolChoice": {"tool": {"name": "g"}}}),
        converse(toolConfig={"tools": [SPEC]}),
        [("lone_choice", "$.toolConfig.toolChoice")],
    ),
    "a configuration without tools": (
        "bedrock",
        converse(toolConfig={"x": 1}),
        converse(),
        [("reshaped", "$")],
    ),
    "strict that is no flag": (
        "bedrock",
        converse(toolConfig={"tools": [{"toolSpec": SPEC["toolSpec"] | {"strict": 1}}]}),
        converse(toolConfig={"tools": [SPEC]}),
        [("reshaped", "$.toolConfig.tools[0]")],
    ),
    "a mark in the system text without its type": (
        "bedrock",
        converse(system=[{"text": "s"}, {"cachePoint": {}}]),
        converse(system=[{"text": "s"}]),
        [("reshaped", "$.system[1]")],
    ),
    "a result that the user says the service made": (
        "bedrock",
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [], "type": "x"}}]},
            ]
        },
        {
            "messages": [
                ASKED,
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": []}}]},
            ]
        },
        [("reshaped", "$.messages[2].content[0]")],
    ),
    "two documents of one name, one of which nobody reads": (
        "bedrock",
        converse(paper("a", {"bytes": PDF}), paper("a", {"content": [{"text": "x"}]})),
        converse(paper("a 2", {"bytes": PDF}), paper("a", {"content": [{"text": "x"}]})),
        [("wrong_media", "$.messages[0].content[1]")],
    ),
    "a clip that is no object": (
        "gemini",
        contents({"text": "x", "videoMetadata": []}),
        contents({"text": "x"}),
        [("reshaped", "$.contents[0].parts[1]")],
    ),
    "a speaker that is no word": (
        "gemini",
        contents(systemInstruction={"role": [], "parts": [{"text": "s"}]}),
        contents(systemInstruction={"parts": [{"text": "s"}]}),
        [("reshaped", "$.systemInstruction.parts[0]")],
    ),
    "system text that is none": (
        "gemini",
        contents(systemInstruction={"parts": [{"text": "s"}, {"name": "x"}]}),
        contents(systemInstruction={"parts": [{"text": "s"}]}),
        [("reshaped", "$.systemInstruction.parts[1]")],
    ),
    "a list of names that is none": (
        "gemini",
        contents(
            tools=[{"functionDeclarations": [{"name": "f"}]}],
            toolConfig={"functionCallingConfig": {"mode": "AUTO"}, "includeServerSideToolInvocations": "yes"},
        ),
        contents(
            tools=[{"functionDeclarations": [{"name": "f"}]}],
            toolConfig={"functionCallingConfig": {"mode": "AUTO"}},
        ),
        [("reshaped", "$.toolConfig")],
    ),
    "properties that are no object": (
        "gemini",
        contents(tools=[{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT", "required": [1]}}]}]),
        contents(
            tools=[
                {"functionDeclarations": [{"name": "f", "parametersJsonSchema": {"type": "object", "required": [1]}}]}
            ]
        ),
        [("reshaped", "$.tools[0].functionDeclarations[0]")],
    ),
    "data without its type": (
        "gemini",
        contents({"inlineData": {"data": PDF}}),
        contents({"inlineData": {"mimeType": "application/pdf", "data": PDF}}),
        [("reshaped", "$.contents[0].parts[1]")],
    ),
    "a signature with bits of no byte": (
        "gemini",
        {"contents": [USER, {"role": "model", "parts": [{"text": "a", "thoughtSignature": "Zh=="}]}, USER]},
        {"contents": [USER, {"role": "model", "parts": [{"text": "a"}]}, USER]},
        [("reshaped", "$.contents[1].parts[0]")],
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_the_target_refuses_is_mended(name: str) -> None:
    dialect, body, expected, told = MENDED[name]
    built = build(body, dialect)
    assert [(entry.code, entry.path) for entry in built.receipt or ()] == told
    assert built.render(dialect).payload == expected
    assert not build(expected, dialect).receipt
    found = [(one.code, one.path) for one in tw.check(body, dialect, dialect) if one.severity != "info"]
    assert set(told) <= set(found)


SERVED = {"role": "model", "parts": [{"toolCall": {"toolType": "x"}}]}

# What nobody can say better, and where it stands.
REFUSED: dict[str, tuple[str, Json, str]] = {
    "a system tool without a name that may be": (
        "bedrock",
        converse(toolConfig={"tools": [{"systemTool": {"name": "a b"}}]}),
        "$.toolConfig.tools[0]",
    ),
    "a document of an unknown format that nobody reads": (
        "bedrock",
        converse({"document": {"format": "x", "name": "a", "source": {"content": [{"text": "x"}]}}}),
        "$.messages[0].content[1]",
    ),
    "two documents of one name that nobody reads": (
        "bedrock",
        converse(*[paper("a", {"content": [{"text": "x"}]}) for _ in range(2)]),
        "$.messages[0].content[2]",
    ),
    "a block of nobody's beside nothing": ("bedrock", converse({"text": None, "x": 1}), "$.messages[0].content[1]"),
    "a tool of the server's that is no object": (
        "gemini",
        contents(tools=[{"googleSearch": []}]),
        "$.tools[0]",
    ),
    "names of stores that are none": (
        "gemini",
        contents(tools=[{"fileSearch": {"fileSearchStoreNames": [1]}}]),
        "$.tools[0]",
    ),
    "a call of a tool that no server has": (
        "gemini",
        {"contents": [USER, SERVED]},
        "$.contents[1].parts[0]",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_nobody_can_mend_is_refused(name: str) -> None:
    dialect, body, path = REFUSED[name]
    with pytest.raises(tw.BuildError) as caught:
        build(body, dialect)
    assert (caught.value.code, caught.value.path) == ("unsendable", path)


def test_system_text_between_two_turns_of_the_assistant_makes_way() -> None:
    said = [{"role": "assistant", "content": [{"text": word}]} for word in ("a", "b")]
    system = {"role": "system", "content": [{"text": "s"}]}
    built = build({"messages": [ASKED, said[0], system, said[1], ASKED]}, "bedrock")
    assert [entry.code for entry in built.receipt or ()] == ["moved_system", "merged_turn"]
    together = {"role": "assistant", "content": [{"text": "a"}, {"text": "b"}]}
    assert built.render("bedrock").payload == {"system": [{"text": "s"}], "messages": [ASKED, together, ASKED]}


def test_a_block_in_a_result_that_is_written_anew_is_looked_at() -> None:
    found = {"searchResult": {"source": "s", "title": "t", "content": [], "citations": "x"}}
    turns = [
        ASKED,
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "\ud800"}, found]}}]},
    ]
    with pytest.raises(tw.BuildError) as caught:
        build({"messages": turns}, "bedrock")
    assert (caught.value.code, caught.value.path) == ("unsendable", "$.messages[2].content[0]")
