"""Tools as MCP servers list them and as frameworks hold them: `tools=` reads each, and reports what a target lacks."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
import turnwire as tw

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NAMED = {"name": "get_weather", "description": "Get the weather."}
Q = {"role": "user", "content": "q"}


class Arguments:
    """What LangChain and CrewAI hold: a model of the arguments."""

    @staticmethod
    def model_json_schema() -> dict[str, Any]:
        return SCHEMA


@dataclasses.dataclass
class FunctionTool:
    """As in OpenAI Agents and Pydantic AI, with fields that no model gets."""

    name: str
    description: str
    params_json_schema: dict[str, Any]
    on_invoke_tool: object = print
    strict_json_schema: bool = False


class Declared:
    """As in Google ADK."""

    name = "get_weather"

    def _get_declaration(self) -> dict[str, Any]:
        return {**NAMED, "parameters_json_schema": SCHEMA}


class Llama:
    """As in LlamaIndex."""

    metadata = SimpleNamespace(
        to_openai_tool=lambda: {"type": "function", "function": {**NAMED, "parameters": SCHEMA}},
    )


HELD = {
    "agents": FunctionTool(**NAMED, params_json_schema=SCHEMA),
    "pydantic-ai": SimpleNamespace(**NAMED, parameters_json_schema=SCHEMA, strict=None, kind="function"),
    "langchain": SimpleNamespace(**NAMED, tool_call_schema=Arguments, args_schema=None, func=print),
    "crewai": SimpleNamespace(**NAMED, args_schema=Arguments, cache_function=print),
    "mcp": SimpleNamespace(**NAMED, inputSchema=SCHEMA),
    "mcp, snake case": SimpleNamespace(**NAMED, input_schema=SCHEMA),
    "strands": SimpleNamespace(tool_spec={**NAMED, "inputSchema": {"json": SCHEMA}}),
    "haystack": SimpleNamespace(**NAMED, tool_spec={**NAMED, "parameters": SCHEMA}),
    "autogen": SimpleNamespace(**NAMED, schema={**NAMED, "parameters": SCHEMA}),
    "adk": Declared(),
    "llama-index": Llama(),
    "smolagents": SimpleNamespace(**NAMED, inputs={"city": {"type": "string"}}, output_type="string"),
}


def tools_of(ready: Any) -> list[Any]:
    payload = ready.payload
    return payload["toolConfig"]["tools"] if "toolConfig" in payload else payload["tools"]


@pytest.mark.parametrize("framework", HELD)
@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "bedrock", "ollama"])
def test_a_tool_of_a_framework_is_the_tool_that_it_describes(framework: str, target: str) -> None:
    plain = tw.prepare([Q], target, tools=[{**NAMED, "parameters": SCHEMA}])
    held = tw.prepare([Q], target, tools=[HELD[framework]])
    assert tools_of(held) == tools_of(plain)
    assert held.receipt == plain.receipt


@pytest.mark.parametrize("package", ["mcp_use.tools", "openai_agents", "coherent", "googlegenai"])
def test_a_package_is_no_other_whose_name_it_begins_with(package: str) -> None:
    tool = type("Tool", (SimpleNamespace,), {"__module__": package})(**NAMED, args_schema=Arguments)
    plain = tw.prepare([Q], "openai", tools=[{**NAMED, "parameters": SCHEMA}])
    assert tools_of(tw.prepare([Q], "openai", tools=[tool])) == tools_of(plain)


def test_a_strict_tool_stays_strict() -> None:
    strict = {**SCHEMA, "additionalProperties": False}
    tool = FunctionTool(**NAMED, params_json_schema=strict, strict_json_schema=True)
    (written,) = tools_of(tw.prepare([Q], "openai", tools=[tool]))
    assert written["function"]["strict"] is True


def test_a_tool_without_arguments_has_an_empty_object() -> None:
    tool = SimpleNamespace(**NAMED, args_schema=None)
    (written,) = tools_of(tw.prepare([Q], "anthropic", tools=[tool]))
    assert written["input_schema"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("source", "tool", "path"),
    [
        ("openai", {"type": "function", "function": {**NAMED, "parameters": ["x"]}}, "$.tools[0].function.parameters"),
        ("openai-responses", {"type": "function", **NAMED, "parameters": "x"}, "$.tools[0].parameters"),
        ("anthropic", {**NAMED, "input_schema": 5}, "$.tools[0].input_schema"),
        (
            "gemini",
            {"functionDeclarations": [{**NAMED, "parametersJsonSchema": ["x"]}]},
            "$.tools[0].functionDeclarations[0].parametersJsonSchema",
        ),
        (
            "bedrock",
            {"toolSpec": {**NAMED, "inputSchema": {"json": [1]}}},
            "$.toolConfig.tools[0].toolSpec.inputSchema.json",
        ),
    ],
)
def test_a_schema_that_is_no_object_is_a_loss(source: Any, tool: dict[str, Any], path: str) -> None:
    def losses(tool: dict[str, Any], target: Any) -> list[tuple[str, str]]:
        body = tw.convert([Q], source, source="openai").payload
        body = body if isinstance(body, dict) else {"messages": body}
        tools = {"toolConfig": {"tools": [tool]}} if source == "bedrock" else {"tools": [tool]}
        return [(loss.kind, loss.path) for loss in tw.convert({**body, **tools}, target, source=source).receipt]

    targets: list[Any] = ["gemini-interactions", "gemini", "ollama", "otel"]
    for target in [one for one in targets if one != source]:
        assert losses(tool, target) == [("lost", path)], target


def test_an_argument_of_any_type_may_be_absent() -> None:
    inputs = {"a": {"type": "any", "description": "anything"}, "b": {"type": "integer", "nullable": True}}
    (written,) = tools_of(tw.prepare([Q], "anthropic", tools=[SimpleNamespace(**NAMED, inputs=inputs)]))
    assert written["input_schema"] == {
        "type": "object",
        "properties": {"a": {"description": "anything"}, "b": {"type": "integer"}},
        "required": ["a"],
    }


@pytest.mark.parametrize("dumped", [{}, {"by_alias": True}, {"exclude_none": True}])
@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "bedrock"])
def test_a_tool_of_an_mcp_server_belongs_to_no_dialect(target: str, dumped: dict[str, bool]) -> None:
    types = pytest.importorskip("mcp.types", reason="the MCP SDK is not installed")
    hints = types.ToolAnnotations(readOnlyHint=True)
    listed = types.Tool(
        **NAMED, title="Weather", inputSchema=SCHEMA, outputSchema={"type": "object"}, annotations=hints
    )
    plain = tw.prepare([Q], target, tools=[{**NAMED, "parameters": SCHEMA}])
    for tool in (listed, listed.model_dump(**dumped)):
        ready = tw.prepare([Q], target, tools=[tool])
        assert tools_of(ready) == tools_of(plain)
        lost = {loss.path.rpartition(".")[2] for loss in ready.receipt}
        assert "title" in lost and lost & {"outputSchema", "output_schema"}
        # The replies of chat formats have a key of this name.
        assert "annotations" in lost or "reply_keys" in {
            entry.code for entry in ready.receipt if entry.kind != "warning"
        }


@pytest.mark.parametrize("tool", [print, object(), SimpleNamespace(name="f"), SimpleNamespace(inputs={}), FunctionTool])
def test_what_describes_no_tool_is_refused(tool: object) -> None:
    with pytest.raises(tw.TurnwireError) as caught:
        tw.prepare([Q], "anthropic", tools=[tool])
    assert caught.value.code == "not_json"
