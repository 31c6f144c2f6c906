//! Reads a tool definition in any form: every dialect's own, or only a name, a description and a schema.

use super::keys::{Keys, join_extras};
use crate::{
    model::{part::Flaw, tool::Tool},
    report::{error::Error, path::Trail},
    value::{
        door::{Key, Source, keys},
        handle::{Raw, Text},
        node::NodeKind,
    },
};

keys! {
    FUNCTION = "function";
    CUSTOM = "custom";
    TOOL_SPEC = "toolSpec";
    NAME = "name";
    DESCRIPTION = "description";
    PARAMETERS = "parameters";
    INPUT_SCHEMA = "input_schema";
    INPUT_SCHEMA_CAMEL = "inputSchema";
    PARAMETERS_JSON_SCHEMA = "parametersJsonSchema";
    PARAMETERS_JSON_SCHEMA_SNAKE = "parameters_json_schema";
    TYPE = "type";
    JSON = "json";
}

const SCHEMAS: [&Key; 5] =
    [&PARAMETERS, &INPUT_SCHEMA, &INPUT_SCHEMA_CAMEL, &PARAMETERS_JSON_SCHEMA, &PARAMETERS_JSON_SCHEMA_SNAKE];

/// Where Bedrock keeps the schema.
const DEEP: &str = "inputSchema.json";

/// A schema as an opaque value, and whether it lacks a type. A value that is not an object is not a schema.
pub(crate) fn schema<S: Source>(node: Option<&S>) -> (Option<Raw<S::H>>, bool) {
    let node = node.filter(|node| node.kind() == NodeKind::Map);
    let untyped = |node: &S| node.get(&TYPE).is_none_or(|kind| kind.kind() == NodeKind::Null);
    (node.map(Source::raw), node.is_some_and(untyped))
}

/// Servers accept either no schema, or one that is an object and has that type.
pub(crate) static NO_SCHEMA: Flaw = Flaw("a schema must be an object");
/// A definition in the form of another format.
pub(crate) static FOREIGN_TOOL: Flaw = Flaw("the tool is defined in another format");

/// The flaw of a schema.
pub(crate) fn schema_flaw<S: Source>(node: Option<&S>) -> Option<&'static Flaw> {
    node.filter(|node| node.kind() != NodeKind::Map).map(|_| &NO_SCHEMA)
}

/// How one tool definition is read.
pub(crate) type ReadTool<S> = fn(&S, &Trail<'_>) -> Result<Tool<<S as Source>::H>, Error>;

/// Reads each definition of a list.
pub(crate) fn each<S: Source>(list: &S, at: &Trail<'_>, read: ReadTool<S>) -> Result<Vec<Tool<S::H>>, Error> {
    list.items().enumerate().map(|(index, tool)| read(&tool, &at.index(index))).collect()
}

/// Reads a tool that a caller gives beside a payload, in any form, even one that a provider runs.
pub fn given<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let described = [&FUNCTION, &CUSTOM, &TOOL_SPEC, &DESCRIPTION].into_iter().chain(SCHEMAS);
    let described = described.filter_map(|key| element.get(key)).any(|value| value.kind() != NodeKind::Null);
    let kind = element.get(&TYPE).and_then(|kind| kind.text());
    let own = |kind: &Text<S::H>| [FUNCTION.name, CUSTOM.name, ""].iter().any(|own| kind.is(own, element.input()));
    match kind {
        Some(kind) if !described && !own(&kind) => return Ok(Tool::of_provider(kind, element.raw())),
        _ => {}
    }
    // Gemini's provider-run tools are keyed by their names.
    match element.entries().next() {
        Some((key, value)) if !described && element.len() == 1 && value.kind() == NodeKind::Map => {
            Ok(Tool::of_provider(key, element.raw()))
        }
        _ => tool(element, at),
    }
}

/// Reads a tool definition in any form. Unknown keys are kept as extras.
pub fn tool<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut outer = Keys::of(element, at)?;
    let kind = outer.take(&TYPE);
    for wrapper in [&FUNCTION, &CUSTOM, &TOOL_SPEC] {
        if element.get(wrapper).is_some_and(|inner| inner.kind() == NodeKind::Map) {
            let inner = outer.needed(wrapper)?;
            let mut made = tool(&inner, &at.key(wrapper.name))?;
            made.custom |= wrapper.name == CUSTOM.name;
            made.keys.0 = wrapper.name;
            join_extras(&mut made.extras, outer.extras());
            return Ok(made);
        }
    }
    let flagged = outer.some(&CUSTOM).is_some_and(|flag| flag.bool() == Some(true));
    let name = outer.needed_text(&NAME)?;
    let description = outer.text(&DESCRIPTION)?;
    let (mut schema, mut schema_key) = (None, PARAMETERS.name);
    for key in SCHEMAS {
        if schema.is_none() {
            schema = outer.some(key);
            schema_key = key.name;
        }
    }
    let deep = schema.as_ref().is_some_and(|node| node.get(&JSON).is_some_and(|inner| inner.kind() == NodeKind::Map));
    let schema_key = if deep { DEEP } else { schema_key };
    // Without a schema, the type shows that the tool takes free text.
    let typed = kind.is_some_and(|kind| kind.word().as_deref() == Some(CUSTOM.name));
    let custom = flagged || typed && schema.is_none();
    // Bedrock keeps the schema one level deeper.
    let schema = schema.map(|node| node.get(&JSON).filter(|inner| inner.kind() == NodeKind::Map).unwrap_or(node));
    let (schema, untyped) = self::schema(schema.as_ref());
    Ok(Tool {
        name,
        description,
        schema,
        untyped,
        translated: false,
        keys: ("", schema_key),
        by_provider: false,
        custom,
        inside: None,
        origin: None,
        extras: outer.extras(),
        flaw: None,
    })
}
