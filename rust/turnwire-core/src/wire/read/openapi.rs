//! Translates schemas in OpenAPI's form into JSON Schema: `{"type": "STRING", "nullable": true}` becomes `{"type":
//! ["string", "null"]}`.
//!
//! In its own format a declaration is sent back unchanged, so only other formats get the translation.

use std::sync::Arc;

use crate::{
    rules::ValueRule,
    value::{Host, Text, Value},
};

/// In this form, types are words of an enumeration.
const TYPES: [(&str, &str); 7] = [
    ("STRING", "string"),
    ("NUMBER", "number"),
    ("INTEGER", "integer"),
    ("BOOLEAN", "boolean"),
    ("ARRAY", "array"),
    ("OBJECT", "object"),
    ("NULL", "null"),
];

/// Keys whose names clients also spell with underscores.
const KEYS: [(&str, &str); 8] = [
    ("any_of", "anyOf"),
    ("min_items", "minItems"),
    ("max_items", "maxItems"),
    ("min_length", "minLength"),
    ("max_length", "maxLength"),
    ("min_properties", "minProperties"),
    ("max_properties", "maxProperties"),
    ("additional_properties", "additionalProperties"),
];

/// The words of a schema, except those with two spellings.
const WORDS: [&str; 20] = [
    "additionalProperties",
    "anyOf",
    "default",
    "defs",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maximum",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "property_ordering",
    "ref",
    "required",
    "title",
    "type",
];

/// Whether the schema has only words that OpenAPI has here.
pub(crate) fn is_sound<H: Host>(schema: &Value<H>) -> bool {
    let Value::Map(entries) = schema else { return matches!(schema, Value::Null) };
    let listed = |key: &Text<H>| {
        WORDS.iter().any(|word| key.is(word, None))
            || KEYS.iter().any(|(snake, camel)| key.is(snake, None) || key.is(camel, None))
    };
    entries.iter().all(|(key, value)| listed(key) && holds(&key.to_str(None), value))
}

/// Whether a key of a schema has a valid value. `null` counts as absent.
fn holds<H: Host>(key: &str, value: &Value<H>) -> bool {
    let each = |rule: ValueRule| rule.allows(value);
    match (key, value) {
        (_, Value::Null) | ("additionalProperties" | "additional_properties" | "default" | "example", _) => true,
        ("type", Value::Text(text)) => text.is("TYPE_UNSPECIFIED", None) || name_of(value).is_some(),
        ("properties" | "defs", Value::Map(inner)) => inner.iter().all(|(_, schema)| is_schema(schema)),
        ("anyOf" | "any_of", Value::List(schemas)) => schemas.iter().all(is_schema),
        ("type" | "properties" | "defs" | "anyOf" | "any_of", _) => false,
        ("items", schema) => is_sound(schema),
        ("nullable", _) => each(ValueRule::Flag),
        ("minimum" | "maximum", _) => each(ValueRule::Number),
        ("required" | "enum" | "propertyOrdering" | "property_ordering", _) => {
            each(ValueRule::ListOf(&ValueRule::Word))
        }
        ("description" | "format" | "pattern" | "ref" | "title", _) => each(ValueRule::Word),
        // Whole numbers of 64 bits are strings in proto JSON, and clients write them as numbers.
        _ => each(ValueRule::Either(&[ValueRule::Count, ValueRule::Text(is_whole)])),
    }
}

/// Whether a required value is such a schema.
fn is_schema<H: Host>(schema: &Value<H>) -> bool {
    !matches!(schema, Value::Null) && is_sound(schema)
}

fn is_whole(text: &str) -> bool {
    (1..19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The schema as JSON Schema. A value that is not a schema stays unchanged.
pub(crate) fn json_schema<H: Host>(schema: &Value<H>) -> Value<H> {
    let Value::Map(entries) = schema else { return schema.share() };
    let says = |name: &str| entries.iter().any(|(key, value)| key.is(name, None) && matches!(value, Value::Bool(true)));
    let nullable =
        says("nullable") && entries.iter().any(|(key, value)| key.is("type", None) && name_of(value).is_some());
    let mut new: Vec<(Text<H>, Value<H>)> = Vec::with_capacity(entries.len());
    for (key, value) in entries.iter() {
        // An unset key of a client's object.
        let unset = matches!(value, Value::Null);
        if unset || nullable && key.is("nullable", None) {
            continue;
        }
        let spelled = KEYS.iter().find(|(snake, _)| key.is(snake, None)).map(|(_, camel)| *camel);
        let key = spelled.map_or_else(|| key.share(), Text::own);
        let value = value_of(&key, value, nullable);
        new.push((key, value));
    }
    Value::Map(new.into())
}

fn value_of<H: Host>(key: &Text<H>, value: &Value<H>, nullable: bool) -> Value<H> {
    match (key.to_str(None).as_ref(), value) {
        ("type", _) => match name_of(value) {
            Some(name) if nullable => Value::List([name, "null"].map(|name| Value::Text(Text::own(name))).into()),
            Some(name) => Value::Text(Text::own(name)),
            None => value.share(),
        },
        ("properties" | "$defs" | "defs", Value::Map(entries)) => {
            let each = entries.iter().map(|(name, schema)| (name.share(), json_schema(schema)));
            Value::Map(each.collect::<Arc<[_]>>())
        }
        ("items" | "additionalProperties", _) => json_schema(value),
        ("anyOf", Value::List(schemas)) => Value::List(schemas.iter().map(json_schema).collect()),
        // Whole numbers of 64 bits are strings in proto JSON.
        (
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties" | "maxProperties",
            Value::Text(text),
        ) => {
            let digits = text.to_str(None);
            let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if number { Value::Number(digits.as_ref().into()) } else { value.share() }
        }
        _ => value.share(),
    }
}

/// The name of a type in JSON Schema.
pub(super) fn name_of<H: Host>(value: &Value<H>) -> Option<&'static str> {
    let Value::Text(text) = value else { return None };
    TYPES.iter().find(|(old, new)| text.is(old, None) || text.is(new, None)).map(|(_, new)| *new)
}
