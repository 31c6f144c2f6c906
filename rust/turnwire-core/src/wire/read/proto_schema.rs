//! Checks whether Gemini's servers accept a schema in OpenAPI's form (`parameters`) whose words are all known.
//!
//! The rules come from the servers' error texts. Vertex accepts more; both accept JSON Schema (`parametersJsonSchema`).

use super::openapi::name_of;
use crate::value::{Host, Text, Value};

/// Words that only Vertex accepts.
const OF_VERTEX: [&str; 4] = ["additionalProperties", "additional_properties", "defs", "ref"];

/// What may be beside `anyOf`.
const BESIDE_ANY_OF: [&str; 6] = ["anyOf", "any_of", "default", "description", "nullable", "title"];

/// Whether the servers accept the schema of a function's parameters. It must be an object ("parameters schema should be
/// of type OBJECT"), and every schema inside must be accepted. Null is not a schema.
pub(crate) fn is_accepted<H: Host>(root: &Value<H>) -> bool {
    let Value::Map(entries) = root else { return matches!(root, Value::Null) };
    type_of(entries) == Some("object") && is_accepted_below(root)
}

fn is_accepted_below<H: Host>(schema: &Value<H>) -> bool {
    let Value::Map(entries) = schema else { return true };
    let get = |names: &[&str]| {
        let said = entries.iter().filter(|(_, value)| !matches!(value, Value::Null));
        said.into_iter().find(|(key, _)| names.iter().any(|name| key.is(name, None))).map(|(_, value)| value)
    };
    let kind = type_of(entries);
    let properties = get(&["properties"]);
    // "items: missing field"
    let lists = kind != Some("array") || get(&["items"]).is_some();
    // "enum only allowed for STRING type", "cannot be empty"
    let enumerates = get(&["enum"]).is_none_or(|words| kind == Some("string") && are_words(words));
    // "when using any_of, it must be the only field set"
    let alone = get(&["anyOf", "any_of"]).is_none()
        || entries
            .iter()
            .all(|(key, value)| matches!(value, Value::Null) || BESIDE_ANY_OF.iter().any(|name| key.is(name, None)));
    // "required[0]: property is not defined"
    let requires = get(&["required"]).is_none_or(|names| are_defined(names, properties));
    let known = get(&OF_VERTEX).is_none();
    lists
        && enumerates
        && alone
        && requires
        && known
        && entries.iter().all(|(key, value)| match (key.to_str(None).as_ref(), value) {
            ("properties", Value::Map(inner)) => {
                inner.iter().all(|(name, schema)| is_property(name) && is_accepted_below(schema))
            }
            ("anyOf" | "any_of", Value::List(schemas)) => schemas.iter().all(is_accepted_below),
            ("items", schema) => is_accepted_below(schema),
            _ => true,
        })
}

/// The type of a schema, as JSON Schema calls it.
fn type_of<H: Host>(entries: &[(Text<H>, Value<H>)]) -> Option<&'static str> {
    entries.iter().find(|(key, _)| key.is("type", None)).and_then(|(_, value)| name_of(value))
}

fn are_words<H: Host>(words: &Value<H>) -> bool {
    let is_word = |word: &Value<H>| matches!(word, Value::Text(word) if !word.is_empty());
    matches!(words, Value::List(words) if !words.is_empty() && words.iter().all(is_word))
}

fn are_defined<H: Host>(names: &Value<H>, properties: Option<&Value<H>>) -> bool {
    let Value::List(names) = names else { return true };
    let is_defined = |name: &Value<H>| match (name, properties) {
        (Value::Text(name), Some(Value::Map(known))) => known.iter().any(|(key, _)| key.same(name)),
        _ => false,
    };
    names.iter().all(is_defined)
}

/// "must start with a letter or an underscore and must only contain chars a-z, A-Z, 0-9, or underscores with a maximum length of
/// 64"
fn is_property<H: Host>(name: &Text<H>) -> bool {
    let name = name.to_str(None);
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=64).contains(&name.len()) && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(word)
}
