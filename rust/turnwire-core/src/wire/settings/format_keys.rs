//! Finds the keys of a reply's format that its kind does not have.

use super::{
    said::Said,
    shape::{Format, below, get},
};
use crate::{
    report::Step,
    rules::FormatShape,
    value::{Host, Value},
};

/// The keys of a format that were not read, each with its path.
pub(super) fn left<H: Host>(said: &Said<H>, shape: FormatShape, format: &Format<H>) -> Vec<Vec<Step>> {
    let is_schema = matches!(format, Format::Schema(_));
    // Where the name and the rest of the schema's companions are, and how they are called.
    let (around, inner): (&[&'static str], &[&str]) = match shape {
        FormatShape::Nested => (&["json_schema"], &["name", "description", "schema", "schema_definition", "strict"]),
        FormatShape::Flat => (&[], &["type", "name", "description", "schema", "schema_definition", "strict"]),
        FormatShape::SchemaOnly => (&[], &["type", "name", "description", "schema"]),
        FormatShape::SchemaText => (&["structure", "jsonSchema"], &["name", "description", "schema"]),
        FormatShape::Object => (&[], &["type", "json_schema", "schema"]),
        FormatShape::Typed => (&[], &["type", "mime_type", "schema"]),
        FormatShape::Bare | FormatShape::MimeType => return Vec::new(),
    };
    let (mut value, mut at, mut found) = (&said.value, said.at.clone(), Vec::new());
    if let Value::List(items) = value {
        let Some(first) = items.first() else { return found };
        (value, at) = (first, at.into_iter().chain([Step::Index(0)]).collect());
    }
    let mut look = |value: &Value<H>, at: &[Step], known: &dyn Fn(&str) -> bool| {
        let Value::Map(entries) = value else { return };
        for (key, value) in entries.iter().filter(|(_, value)| !matches!(value, Value::Null)) {
            let key = key.to_str(None);
            let no_flag = &*key == "strict" && !matches!(value, Value::Bool(_));
            if !known(&key) || no_flag {
                found.push(at.iter().cloned().chain([Step::Name(key.as_ref().into())]).collect());
            }
        }
    };
    if !is_schema {
        look(value, &at, &|key| matches!(key, "type") || key == "mime_type" && shape == FormatShape::Typed);
        return found;
    }
    for key in around {
        look(value, &at, &|other| other == "type" && *key == around[0] || other == *key);
        let Some(inside) = get(value, key) else { return found };
        (value, at) = (inside, below(&at, &[key]));
    }
    look(value, &at, &|key| inner.contains(&key));
    found
}
