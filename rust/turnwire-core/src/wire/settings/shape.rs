//! Reads the format of a reply's text from the shape that the source gives it.

use super::said::Said;
use crate::{
    report::Step,
    rules::FormatShape,
    value::{Host, Value, json},
    wire::read::openapi,
};

/// The format that the source asks for.
pub(super) enum Format<H: Host> {
    Text,
    Json,
    Schema(Schema<H>),
}

/// A schema with its name, description and strictness.
pub(super) struct Schema<H: Host> {
    pub(super) value: Value<H>,
    pub(super) name: Option<Value<H>>,
    pub(super) description: Option<Value<H>>,
    pub(super) strict: Option<bool>,
    /// The path of the schema.
    pub(super) at: Vec<Step>,
}

pub(super) fn get<'v, H: Host>(value: &'v Value<H>, name: &str) -> Option<&'v Value<H>> {
    let Value::Map(entries) = value else { return None };
    let found = entries.iter().rev().find(|(key, _)| key.is(name, None)).map(|(_, value)| value);
    found.filter(|value| !matches!(value, Value::Null))
}

pub(super) fn is<H: Host>(value: Option<&Value<H>>, word: &str) -> bool {
    matches!(value, Some(Value::Text(text)) if text.is(word, None))
}

pub(super) fn below(at: &[Step], keys: &[&'static str]) -> Vec<Step> {
    at.iter().cloned().chain(keys.iter().map(|key| Step::Key(key))).collect()
}

/// A schema from an object that has it under `schema`, with its name beside it.
fn named<H: Host>(around: &Value<H>, at: &[Step]) -> Option<Format<H>> {
    let key = if get(around, "schema").is_some() { "schema" } else { "schema_definition" };
    let strict = match get(around, "strict") {
        Some(Value::Bool(strict)) => Some(*strict),
        _ => None,
    };
    Some(Format::Schema(Schema {
        value: get(around, key).filter(|schema| matches!(schema, Value::Map(_)))?.share(),
        name: get(around, "name").map(Value::share),
        description: get(around, "description").map(Value::share),
        strict,
        at: below(at, &[key]),
    }))
}

fn plain<H: Host>(schema: &Value<H>, at: Vec<Step>) -> Format<H> {
    Format::Schema(Schema { value: schema.share(), name: None, description: None, strict: None, at })
}

/// The format that a value asks for. `None` if it does not have this shape.
pub(super) fn read<H: Host>(said: &[Said<H>], shape: FormatShape) -> Option<Format<H>> {
    let one = said.first()?;
    let (value, at) = (&one.value, &one.at);
    let kind = get(value, "type");
    match shape {
        _ if matches!(shape, FormatShape::Nested | FormatShape::Flat | FormatShape::Object) && is(kind, "text") => {
            Some(Format::Text)
        }
        FormatShape::Nested | FormatShape::Flat if is(kind, "json_object") => Some(Format::Json),
        FormatShape::Nested if is(kind, "json_schema") => {
            named(get(value, "json_schema")?, &below(at, &["json_schema"]))
        }
        FormatShape::Flat if is(kind, "json_schema") => named(value, at),
        FormatShape::SchemaOnly if is(kind, "json_schema") => {
            let Some(Format::Schema(schema)) = named(value, at) else { return None };
            Some(Format::Schema(Schema { strict: Some(true), ..schema }))
        }
        FormatShape::SchemaText if is(kind, "json_schema") => {
            let around = get(get(value, "structure")?, "jsonSchema")?;
            let Some(Value::Text(text)) = get(around, "schema") else { return None };
            let schema = json::read::value(text.to_str(None).as_bytes()).ok()?;
            Some(Format::Schema(Schema {
                value: Some(schema).filter(|schema| matches!(schema, Value::Map(_)))?,
                name: get(around, "name").map(Value::share),
                description: get(around, "description").map(Value::share),
                strict: Some(true),
                at: below(at, &["structure", "jsonSchema", "schema"]),
            }))
        }
        FormatShape::Object if is(kind, "json_object") => {
            let key = ["json_schema", "schema"].into_iter().find(|key| get(value, key).is_some());
            match key.and_then(|key| Some((key, get(value, key)?))) {
                Some((key, schema)) => Some(plain(schema, below(at, &[key]))),
                None => Some(Format::Json),
            }
        }
        FormatShape::Bare => match value {
            Value::Text(text) if text.is_empty() => Some(Format::Text),
            Value::Text(text) if text.is("json", None) => Some(Format::Json),
            Value::Map(_) => Some(plain(value, at.clone())),
            _ => None,
        },
        FormatShape::Typed => {
            // A list has one format for each kind of output.
            let (one, at) = match value {
                Value::List(items) => {
                    let at: Vec<_> = at.iter().cloned().chain([Step::Index(0)]).collect();
                    (items.first().filter(|_| items.len() == 1)?, at)
                }
                _ => (value, at.clone()),
            };
            let media = get(one, "mime_type");
            let is_json = is(media, "application/json");
            match get(one, "schema") {
                _ if !is(get(one, "type"), "text") => None,
                Some(schema @ Value::Map(_)) if is_json || media.is_none() => {
                    Some(plain(schema, below(&at, &["schema"])))
                }
                None if is_json => Some(Format::Json),
                None if media.is_none() || is(media, "text/plain") => Some(Format::Text),
                _ => None,
            }
        }
        FormatShape::MimeType => {
            let schema = said.iter().find(|said| matches!(said.value, Value::Map(_)));
            match schema {
                Some(found) => {
                    let own = openapi::is_sound(&found.value);
                    let schema = if own { openapi::json_schema(&found.value) } else { found.value.share() };
                    Some(plain(&schema, found.at.clone()))
                }
                None if is(Some(value), "text/plain") => Some(Format::Text),
                None if is(Some(value), "application/json") => Some(Format::Json),
                None => None,
            }
        }
        _ => None,
    }
}
