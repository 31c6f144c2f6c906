//! Knows which keywords hold schemas and which only annotate, and walks into the schemas inside a schema.

use super::{node::Node, repairs::Repairs};
use crate::{report::Step, value::Host};

/// Keywords whose value is an object of schemas.
pub(super) const MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose value is a list of schemas.
pub(super) const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords whose value is a schema. `items` may also be a list of them.
pub(super) const ONES: [&str; 11] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords that do not affect validity.
pub(super) const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$schema",
    "$id",
    "$comment",
    "$anchor",
];

/// The step to apply to a schema.
type Then<'a, H> = &'a mut dyn FnMut(&mut Node<H>, &mut Repairs);

/// Applies a step to every schema inside a schema.
pub(super) fn inside<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs, then: Then<'_, H>) {
    let Node::Map(entries) = schema else { return };
    for (key, value) in entries {
        let key = key.to_str(None).into_owned();
        repairs.at.push(Step::Name(key.as_str().into()));
        inside_value(&key, value, repairs, then);
        repairs.at.pop();
    }
}

/// Applies a step to every schema in the value of a keyword.
pub(super) fn inside_value<H: Host>(key: &str, value: &mut Node<H>, repairs: &mut Repairs, then: Then<'_, H>) {
    match value {
        Node::Map(inner) if MAPS.contains(&key) => {
            for (name, schema) in inner {
                repairs.at.push(Step::Name(name.to_str(None).as_ref().into()));
                then(schema, repairs);
                repairs.at.pop();
            }
        }
        Node::List(items) if LISTS.contains(&key) || key == "items" => {
            for (index, schema) in items.iter_mut().enumerate() {
                repairs.at.push(Step::Index(index));
                then(schema, repairs);
                repairs.at.pop();
            }
        }
        schema if ONES.contains(&key) && schema.is_schema() => then(schema, repairs),
        _ => {}
    }
}

/// Visits every schema inside a schema.
pub(super) fn each_inner<'n, H: Host>(schema: &'n Node<H>, then: &mut dyn FnMut(&'n Node<H>)) {
    for (key, value) in schema.entries() {
        let is = |words: &[&str]| words.iter().any(|word| key.is(word, None));
        match value {
            Node::Map(inner) if is(&MAPS) => inner.iter().for_each(|(_, schema)| then(schema)),
            Node::List(items) if is(&LISTS) || is(&["items"]) => items.iter().for_each(&mut *then),
            schema if is(&ONES) && schema.is_schema() => then(schema),
            _ => {}
        }
    }
}
