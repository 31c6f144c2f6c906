//! A tool definition in any of the forms that people write: every dialect's own, or the bare name, description and schema.

use super::read::Keys;
use crate::{
    error::Error,
    path::Trail,
    tool::Tool,
    value::{Key, NodeKind, Source, keys},
};

keys! {
    FUNCTION = "function";
    TOOL_SPEC = "toolSpec";
    NAME = "name";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    INPUT_SCHEMA = "input_schema";
    INPUT_SCHEMA_CAMEL = "inputSchema";
    PARAMETERS_JSON_SCHEMA = "parametersJsonSchema";
    TYPE = "type";
    JSON = "json";
}

const SCHEMAS: [&Key; 4] = [&PARAMETERS, &INPUT_SCHEMA, &INPUT_SCHEMA_CAMEL, &PARAMETERS_JSON_SCHEMA];

/// Reads a tool definition whatever its form. What is in none of these keys is kept as an extra.
pub fn tool<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut outer = Keys::of(element, at)?;
    for wrapper in [&FUNCTION, &TOOL_SPEC] {
        if let Some(inner) = outer.some(wrapper).filter(|inner| inner.kind() == NodeKind::Map) {
            return tool(&inner, &at.key(wrapper.name));
        }
    }
    let _ = outer.take(&TYPE);
    let name = outer.needed_text(&NAME)?;
    let description = outer.text(&DESCRIPTION)?;
    let mut schema = None;
    for key in SCHEMAS {
        if schema.is_none() {
            schema = outer.some(key);
        }
    }
    // Bedrock keeps the schema one level deeper.
    let schema = schema.map(|node| node.get(&JSON).filter(|inner| inner.kind() == NodeKind::Map).unwrap_or(node).raw());
    Ok(Tool { name, description, schema, by_provider: false, origin: None, extras: outer.extras() })
}
