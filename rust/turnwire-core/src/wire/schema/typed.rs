//! Gives every schema its type, for targets that want it in each, and only inside alternatives and references.

use super::{node::Node, repairs::Repairs, vocabulary::inside};
use crate::value::Host;

/// Every type, for a schema that allows anything.
const EVERY: &[&str] = &["string", "number", "boolean", "object", "array", "null"];
/// Keywords that only schemas of one type have.
const OF_TYPE: &[(&str, &str)] = &[
    ("properties", "object"),
    ("required", "object"),
    ("additionalProperties", "object"),
    ("items", "array"),
    ("minItems", "array"),
    ("maxItems", "array"),
    ("pattern", "string"),
    ("format", "string"),
    ("minLength", "string"),
    ("maxLength", "string"),
    ("minimum", "number"),
    ("maximum", "number"),
    ("multipleOf", "number"),
];

pub(super) fn repair<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if matches!(schema, Node::Map(_)) {
        one(schema, repairs);
    }
    inside(schema, repairs, &mut repair);
}

fn one<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if schema.has("anyOf") || schema.has("$ref") {
        let Some(kind) = schema.take("type") else { return };
        repairs.changed("type", "the target wants the type inside the alternatives alone");
        if let Some(Node::List(branches)) = schema.get_mut("anyOf") {
            let says = |branch: &Node<H>| ["type", "anyOf", "$ref"].iter().any(|key| branch.has(key));
            for branch in branches.iter_mut().filter(|branch| matches!(branch, Node::Map(_)) && !says(branch)) {
                branch.set("type", kind.share());
            }
        }
        return;
    }
    if schema.has("type") {
        return;
    }
    let kind = said(schema).map_or_else(|| Node::List(EVERY.iter().map(|kind| Node::text(kind)).collect()), Node::text);
    schema.set("type", kind);
    repairs.changed("type", "the target wants every schema to say its type");
}

/// The type of a schema that does not say it, by its values or by a keyword.
fn said<H: Host>(schema: &Node<H>) -> Option<&'static str> {
    let values = schema.get("enum").map(Node::items).into_iter().flatten().chain(schema.get("const"));
    let mut kinds = values.map(|value| match value {
        _ if value.flag().is_some() => "boolean",
        _ if value.word().is_some() => "string",
        _ if value.number().is_some() => "number",
        _ => "",
    });
    if let Some(first) = kinds.next() {
        return (!first.is_empty() && kinds.all(|kind| kind == first)).then_some(first);
    }
    OF_TYPE.iter().find(|(keyword, _)| schema.has(keyword)).map(|(_, kind)| *kind)
}
