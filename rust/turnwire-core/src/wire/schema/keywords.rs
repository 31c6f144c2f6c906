//! Replaces keywords that the target refuses or ignores by others that it reads, or by text.

use super::{
    combined::merge,
    node::Node,
    references::MOST_DEEP,
    repairs::Repairs,
    vocabulary::{ANNOTATIONS, inside, inside_value},
};
use crate::{
    report::{Step, sentence::CONTRADICTS},
    value::{Host, Value},
};

pub(super) fn repair<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    let rule = repairs.rule;
    if rule.no_flags {
        flags(schema, repairs);
    }
    for key in rule.refused {
        if schema.take(key).is_some() {
            repairs.changed(key, "the target refuses this keyword, which no argument depends on");
        }
    }
    for key in rule.told {
        repairs.in_words(schema, key);
    }
    let no_reference = |id: &Node<H>| id.word().is_some_and(|id| id.contains(char::is_whitespace));
    if rule.id_is_reference && schema.get("$id").is_some_and(no_reference) {
        schema.take("$id");
        repairs.changed("$id", "the target requires a reference here, and this is not one");
    }
    if rule.listed_items && schema.is_a("array") && !schema.has("items") && !schema.has("prefixItems") {
        schema.set("items", Node::empty());
        repairs.changed("items", "the target requires the type of a list's items: any item is allowed");
    }
    if !rule.keys.is_empty() && (!repairs.at.is_empty() || rule.root_keys.is_empty()) {
        listed(schema, repairs);
    }
    if !rule.free_items {
        return inside(schema, repairs, &mut repair);
    }
    let Node::Map(entries) = schema else { return };
    for (key, value) in entries.iter_mut().filter(|(key, _)| !key.is("items", None) && !key.is("$defs", None)) {
        let key = key.to_str(None).into_owned();
        repairs.at.push(Step::Name(key.as_str().into()));
        inside_value(&key, value, repairs, &mut repair);
        repairs.at.pop();
    }
}

/// Expands boolean schemas: `true` allows anything, and a property that is `false` allows nothing.
fn flags<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if schema.flag().is_some() {
        *schema = Node::empty();
        repairs.changed("", "the target requires a schema to be an object");
    }
    let Some(Node::Map(properties)) = schema.get_mut("properties") else { return };
    let before = properties.len();
    properties.retain(|(_, property)| property.flag() != Some(false));
    if properties.len() < before {
        repairs.changed("properties", "the target cannot express that a property must not be there");
    }
}

/// Removes keywords that the target does not read.
fn listed<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    let keys = repairs.rule.keys;
    let reads = |key: &str| keys.contains(&key);
    if !reads("const") && reads("enum") {
        constant(schema, repairs);
    }
    if !reads("allOf") {
        all_of(schema, repairs);
    }
    if !reads("oneOf")
        && reads("anyOf")
        && !schema.has("anyOf")
        && let Some(branches) = schema.take("oneOf")
    {
        schema.set("anyOf", branches);
        repairs.changed("oneOf", "the target cannot express exactly one: it is at least one");
    }
    for (excluded, bound, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        if !reads(excluded) && reads(bound) {
            exclusive(schema, (excluded, bound, step), repairs);
        }
    }
    let names: Vec<String> = schema.entries().iter().map(|(key, _)| key.to_str(None).into_owned()).collect();
    for name in names.iter().filter(|name| !reads(name)) {
        if ANNOTATIONS.contains(&name.as_str()) {
            continue;
        }
        let open = name == "additionalProperties" && schema.get(name).is_some_and(|value| value.flag() == Some(true));
        if open || ["$defs", "definitions"].contains(&name.as_str()) {
            schema.take(name);
            repairs.changed(name, "the target does not read this keyword, which has no effect here");
        } else {
            repairs.in_words(schema, name);
        }
    }
}

/// Turns a constant into an enumeration of one value.
fn constant<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    let Some(value) = schema.take("const") else { return };
    if let Some(list) = schema.get("enum")
        && !(list.items().len() == 1 && list.items().iter().all(|item| item.same(&value)))
    {
        schema.set("const", value);
        return;
    }
    let kind = match &value {
        Node::Map(_) => "object",
        Node::List(_) => "array",
        Node::Leaf(Value::Null) => "null",
        Node::Leaf(Value::Bool(_)) => "boolean",
        Node::Leaf(Value::Text(_)) => "string",
        Node::Leaf(_) if value.number().is_some_and(|number| number.fract() == 0.0) => "integer",
        Node::Leaf(_) => "number",
    };
    if !schema.has("type") {
        schema.set("type", Node::text(kind));
    }
    schema.set("enum", Node::List(vec![value]));
    repairs.changed("const", "the target does not read this keyword: it is an enum of one value");
}

/// Replaces `allOf`: a single reference becomes `anyOf`, and other schemas are merged.
fn all_of<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    // A merge may add more.
    for _ in 0..MOST_DEEP {
        let Some(Node::List(mut branches)) = schema.take("allOf") else { return };
        let refers = branches.iter().any(|branch| branch.has("$ref"));
        if branches.len() == 1 && refers && !schema.has("anyOf") {
            schema.set("anyOf", Node::List(branches));
            repairs.changed("allOf", "the target does not read this keyword: all of one are any of it");
            return;
        }
        if refers || !branches.iter().all(|branch| branch.flag().is_none()) {
            schema.set("allOf", Node::List(branches));
            return;
        }
        repairs.changed("allOf", "the target does not read this keyword: all of them are merged");
        for branch in branches.drain(..) {
            let closed = |one: &Node<H>| one.get("additionalProperties").and_then(Node::flag) == Some(false);
            if closed(&branch) || closed(schema) {
                repairs.changed("allOf", "merged with others, a closed object gets their keys, too");
            }
            for (name, value) in merge(schema, branch) {
                let words = format!("{name}: {}", value.json());
                repairs.changed("allOf", CONTRADICTS);
                repairs.say(schema, words);
            }
        }
    }
}

/// Turns an exclusive bound of whole numbers into the next whole number.
fn exclusive<H: Host>(schema: &mut Node<H>, (excluded, bound, step): (&str, &str, i64), repairs: &mut Repairs) {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    let whole = schema.get("type").is_some_and(|kind| kind.word().is_some_and(|word| word == "integer"));
    let value = schema.get(excluded).and_then(Node::number);
    let Some(value) = value.filter(|value| whole && !schema.has(bound) && value.abs() < EXACT) else { return };
    let next = if step > 0 { value.floor() } else { value.ceil() } as i64 + step;
    schema.take(excluded);
    schema.set(bound, Node::Leaf(Value::Number(next.to_string().into())));
    repairs.changed(excluded, "the target does not read this keyword: the next whole number is the bound");
}
