"""Turns a framework's tool definitions into plain dicts: name, description, parameters."""

from collections.abc import Mapping

from turnwire._adapt import to_plain

# Packages whose objects export the definition themselves, so that nothing has to be searched.
_EXPORTED = ("anthropic", "cohere", "google.genai", "groq", "mcp", "mcp_types", "mistralai", "ollama", "openai")

# The attributes with the schema of a tool's arguments: LangChain (without arguments that it injects), CrewAI, OpenAI
# Agents, Pydantic AI, and MCP.
_SCHEMAS = (
    "tool_call_schema",
    "args_schema",
    "params_json_schema",
    "parameters_json_schema",
    "inputSchema",
    "input_schema",
)

_NO_ARGUMENTS = {"type": "object", "properties": {}}


def definition(tool: object) -> object:
    """The definition of a framework's tool, or None if it is not such a tool."""
    module = f"{type(tool).__module__}."
    if isinstance(tool, type) or any(module.startswith(f"{package}.") for package in _EXPORTED):
        return None
    if callable(declare := getattr(tool, "_get_declaration", None)):  # Google ADK
        return to_plain(declare())
    for whole in ("tool_spec", "schema"):  # Strands and Haystack, AutoGen
        if isinstance(said := getattr(tool, whole, None), Mapping) and "name" in said:
            return dict(said)
    if callable(told := getattr(getattr(tool, "metadata", None), "to_openai_tool", None)):  # LlamaIndex
        return told()
    name = getattr(tool, "name", None)
    if not isinstance(name, str):
        return None
    schema = _schema(tool)
    if schema is None:
        return None
    said = {"name": name, "description": getattr(tool, "description", None), "parameters": schema}
    if getattr(tool, "strict_json_schema", None) is True or getattr(tool, "strict", None) is True:
        said["strict"] = True
    return {key: value for key, value in said.items() if value is not None}


def _schema(tool: object) -> object:
    """The schema of a tool's arguments, or None if it has no attribute for one."""
    for place in _SCHEMAS:
        schema = getattr(tool, place, None)
        if isinstance(schema, Mapping):
            return dict(schema)
        if callable(made := getattr(schema, "model_json_schema", None)):
            return made()
    if isinstance(inputs := getattr(tool, "inputs", None), Mapping):  # smolagents
        return _of_inputs(inputs)
    return dict(_NO_ARGUMENTS) if any(hasattr(tool, place) for place in _SCHEMAS) else None


def _of_inputs(inputs: Mapping[str, Mapping[str, object]]) -> object:
    """The schema for arguments that are described one by one. The type `any` is any type."""
    properties = {}
    for name, one in inputs.items():
        properties[name] = {
            key: value for key, value in one.items() if key != "nullable" and (key, value) != ("type", "any")
        }
    required = [name for name, one in inputs.items() if not one.get("nullable")]
    return {"type": "object", "properties": properties, "required": required}
