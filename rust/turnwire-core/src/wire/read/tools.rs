//! Reads a tool definition in any form: every dialect's own, or only a name, a description and a schema.

use super::{
    keys::{Keys, elements_of, join_extras, repeated},
    openapi,
};
use crate::k;
use crate::{
    model::{ALONE, Flaw, Tool},
    report::{Error, Place, Trail},
    value::{Key, NodeKind, Raw, Source, Text, door::keys},
};

keys! {
    INPUT_SCHEMA_CAMEL = "inputSchema";
    PARAMETERS_JSON_SCHEMA = "parametersJsonSchema";
    DECLARATIONS = "functionDeclarations";
}

const SCHEMAS: [&Key; 5] =
    [&k::PARAMETERS, &k::INPUT_SCHEMA, &INPUT_SCHEMA_CAMEL, &PARAMETERS_JSON_SCHEMA, &k::PARAMETERS_JSON_SCHEMA];

/// The types of a caller's tools.
const OWN: [&str; 3] = ["function", "custom", ""];

/// Where Bedrock keeps the schema.
const DEEP: &str = "inputSchema.json";

/// A schema as an opaque value, and whether it lacks a type. A value that is not an object is not a schema.
pub(crate) fn schema<S: Source>(node: Option<&S>) -> (Option<Raw<S::H>>, bool) {
    let node = node.filter(|node| node.kind() == NodeKind::Map);
    let untyped = |node: &S| node.get(&k::TYPE).is_none_or(|kind| kind.kind() == NodeKind::Null);
    (node.map(Source::raw), node.is_some_and(untyped))
}

/// Servers accept either no schema, or one that is an object and has that type.
pub(crate) static NO_SCHEMA: Flaw = Flaw::refused("a schema must be an object");
/// A definition in the form of another format.
pub(crate) static FOREIGN_TOOL: Flaw = Flaw::refused("the tool is defined in another format");

/// The flaw of a schema.
pub(crate) fn schema_flaw<S: Source>(node: Option<&S>) -> Option<&'static Flaw> {
    node.filter(|node| node.kind() != NodeKind::Map).map(|_| &NO_SCHEMA)
}

/// Reads each definition of a list. An entry of Gemini's holds several.
pub(crate) fn each<S: Source>(
    list: &S,
    at: &Trail<'_>,
    read: impl Fn(&S, &Trail<'_>) -> Result<Tool<S::H>, Error>,
) -> Result<Vec<Tool<S::H>>, Error> {
    let mut tools = Vec::with_capacity(list.len());
    let single = list.kind() != NodeKind::List;
    for (index, element) in elements_of(list).enumerate() {
        let at = if single { *at } else { at.index(index) };
        let index = if single { ALONE } else { index as u32 };
        let Some((key, declared)) = declarations(&element) else {
            let read = read(&element, &at)?;
            let inside = if single { Some((index, Place::default())) } else { read.inside };
            tools.push(Tool { inside, ..read });
            continue;
        };
        let at = at.key(key.name);
        for (one, place, at) in repeated(&declared, key.name, &at)? {
            tools.push(Tool { inside: Some((index, place)), ..declaration(&one, &at)? });
        }
    }
    Ok(tools)
}

/// The functions that an entry of Gemini's declares, if it holds nothing else.
fn declarations<S: Source>(element: &S) -> Option<(&'static Key, S)> {
    if element.kind() != NodeKind::Map || element.len() != 1 {
        return None;
    }
    let found = [&DECLARATIONS, &k::FUNCTION_DECLARATIONS].into_iter().find_map(|key| Some((key, element.get(key)?)));
    found.filter(|(_, list)| matches!(list.kind(), NodeKind::List | NodeKind::Map) && !list.is_empty())
}

/// Whether an entry of Gemini's declares functions, and holds nothing else.
pub(crate) fn declares<S: Source>(element: &S) -> bool {
    declarations(element).is_some()
}

/// Reads a function of Gemini's for another format. Its schema may be in OpenAPI's form.
fn declaration<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let mut made = tool(element, at)?;
    (made.origin, made.flaw) = (Some(element.raw()), Some(&FOREIGN_TOOL));
    if made.keys.1 == k::PARAMETERS.name
        && let Some(schema) = &made.schema
    {
        let said = schema.to_value(element.input())?;
        made.schema = Some(Raw::Tree(openapi::json_schema(&said)));
    }
    Ok(made)
}

/// Whether a definition is in Converse's form.
pub(crate) fn is_tool_spec<S: Source>(element: &S) -> bool {
    element.get(&k::TOOL_SPEC).is_some_and(|inner| inner.kind() == NodeKind::Map)
}

/// Reads a tool that a caller gives beside a payload, in any form, even one that a provider runs.
pub fn given<S: Source>(element: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
    let described = [&k::FUNCTION, &k::CUSTOM, &k::TOOL_SPEC, &k::DESCRIPTION].into_iter().chain(SCHEMAS);
    let described = described.filter_map(|key| element.get(key)).any(|value| value.kind() != NodeKind::Null);
    let kind = element.get(&k::TYPE).and_then(|kind| kind.text());
    let own = |kind: &Text<S::H>| OWN.iter().any(|own| kind.is(own, element.input()));
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
    let kind = outer.take(&k::TYPE);
    for wrapper in [&k::FUNCTION, &k::CUSTOM, &k::TOOL_SPEC] {
        if element.get(wrapper).is_some_and(|inner| inner.kind() == NodeKind::Map) {
            let inner = outer.needed(wrapper)?;
            let mut made = tool(&inner, &at.key(wrapper.name))?;
            made.custom |= wrapper.name == k::CUSTOM.name;
            made.keys.0 = wrapper.name;
            join_extras(&mut made.extras, outer.extras());
            return Ok(made);
        }
    }
    let flagged = outer.some(&k::CUSTOM).is_some_and(|flag| flag.bool() == Some(true));
    let name = outer.needed_text(&k::NAME)?;
    let description = outer.text(&k::DESCRIPTION)?;
    let (mut schema, mut schema_key) = (None, k::PARAMETERS.name);
    for key in SCHEMAS {
        if schema.is_none() {
            schema = outer.some(key);
            schema_key = key.name;
        }
    }
    let deep =
        schema.as_ref().is_some_and(|node| node.get(&k::JSON).is_some_and(|inner| inner.kind() == NodeKind::Map));
    let schema_key = if deep { DEEP } else { schema_key };
    // Without a schema, the type shows that the tool takes free text.
    let typed = kind.as_ref().is_some_and(|kind| kind.word().as_deref() == Some(k::CUSTOM.name));
    let custom = flagged || typed && schema.is_none();
    // Bedrock keeps the schema one level deeper.
    let schema = schema.map(|node| node.get(&k::JSON).filter(|inner| inner.kind() == NodeKind::Map).unwrap_or(node));
    let given = schema;
    let (schema, untyped) = self::schema(given.as_ref());
    // What this definition cannot say otherwise is told like an unknown key.
    let wrong = given.filter(|_| schema.is_none()).map(|given| (schema_key, given));
    let own = |kind: &S| kind.kind() == NodeKind::Null || kind.word().is_some_and(|word| OWN.contains(&&*word));
    let odd = kind.filter(|kind| !own(kind)).map(|kind| (k::TYPE.name, kind));
    let mut extras = outer.extras();
    for (key, value) in wrong.into_iter().chain(odd) {
        extras.get_or_insert_default().push((Text::own(key), value.raw()));
    }
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
        extras,
        flaw: None,
        functions: Vec::new(),
        of: None,
        namespace: None,
        form: None,
    })
}
