//! Combines several schemas into one, all of which or one of which must match.

use super::node::{Node, list_of};
use crate::value::{Host, Text};

/// Merges another schema into a schema. Returns the keywords on which they disagree, which keep their first value.
pub(super) fn merge<H: Host>(into: &mut Node<H>, other: Node<H>) -> Vec<(String, Node<H>)> {
    let mut clashes = Vec::new();
    let Node::Map(entries) = other else { return clashes };
    for (key, value) in entries {
        let name = key.to_str(None).into_owned();
        let Some(mine) = into.get_mut(&name) else {
            into.set(&name, value);
            continue;
        };
        match &*name {
            "required" => {
                let mut words = into.words("required");
                for word in value.items().iter().filter_map(Node::word) {
                    if !words.iter().any(|known| *known == word) {
                        words.push(word.into_owned());
                    }
                }
                into.set("required", list_of(&words));
            }
            "properties" | "$defs" | "definitions" | "patternProperties" => {
                for (key, schema) in value.entries() {
                    let key = key.to_str(None);
                    let both = match mine.get(&key) {
                        None => schema.share(),
                        Some(held) if held.same(schema) => continue,
                        Some(held) => Node::pair("allOf", Node::List(vec![held.share(), schema.share()])),
                    };
                    mine.set(&key, both);
                }
            }
            "type" if narrower(mine, &value) => *mine = value,
            "type" if narrower(&value, mine) => {}
            // The annotations of the first one apply to both.
            "title" | "description" | "default" | "examples" | "$schema" | "$id" | "$comment" => {}
            _ if mine.same(&value) => {}
            _ => clashes.push((name, value)),
        }
    }
    clashes
}

/// Whether each type of the second is one of the first.
fn narrower<H: Host>(wide: &Node<H>, narrow: &Node<H>) -> bool {
    let each = |node: &Node<H>| match node {
        Node::List(_) => node.items().iter().filter_map(|item| item.word().map(std::borrow::Cow::into_owned)).collect(),
        _ => node.word().map(|word| vec![word.into_owned()]).unwrap_or_default(),
    };
    let (wide, narrow): (Vec<String>, Vec<String>) = (each(wide), each(narrow));
    let holds = |kind: &String| wide.contains(kind) || kind == "integer" && wide.iter().any(|kind| kind == "number");
    !narrow.is_empty() && narrow.iter().all(holds)
}

/// Replaces alternatives by one object: it has the properties of all, and requires those that all require. `None` if an
/// alternative is more than an object with properties.
pub(super) fn union<H: Host>(branches: &[Node<H>]) -> Option<Node<H>> {
    const MAY: [&str; 10] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "title",
        "description",
        "$schema",
        "$comment",
        "examples",
        "default",
    ];
    let plain = |branch: &Node<H>| {
        matches!(branch, Node::Map(_))
            && branch.get("type").is_none_or(|kind| kind.word().is_some_and(|word| word == "object"))
            && branch.entries().iter().all(|(key, _)| MAY.iter().any(|may| key.is(may, None)))
    };
    if branches.is_empty() || !branches.iter().all(plain) {
        return None;
    }
    let mut properties: Vec<(Text<H>, Vec<Node<H>>)> = Vec::new();
    for (name, schema) in branches.iter().filter_map(|branch| branch.get("properties")).flat_map(Node::entries) {
        match properties.iter_mut().find(|(known, _)| known.same(name)) {
            None => properties.push((name.share(), vec![schema.share()])),
            Some((_, held)) if held.iter().any(|held| held.same(schema)) => {}
            Some((_, held)) => held.push(schema.share()),
        }
    }
    let one = |mut schemas: Vec<Node<H>>| match schemas.len() {
        1 => schemas.remove(0),
        _ => constants(&schemas).unwrap_or_else(|| Node::pair("anyOf", Node::List(schemas))),
    };
    let properties = properties.into_iter().map(|(name, schemas)| (name, one(schemas))).collect();
    let mut made = Node::pair("properties", Node::Map(properties));
    let mut required = branches[0].words("required");
    required.retain(|word| branches.iter().all(|branch| branch.words("required").contains(word)));
    if !required.is_empty() {
        made.set("required", list_of(&required));
    }
    let closed = |branch: &Node<H>| branch.get("additionalProperties").and_then(Node::flag) == Some(false);
    if branches.iter().all(closed) {
        made.set("additionalProperties", Node::Leaf(crate::value::handle::Value::Bool(false)));
    }
    Some(made)
}

/// One enumeration of the constants that distinguish such objects.
fn constants<H: Host>(schemas: &[Node<H>]) -> Option<Node<H>> {
    let mut values: Vec<Node<H>> = Vec::new();
    let kind = schemas[0].get("type");
    for schema in schemas {
        let told =
            |key: &Text<H>| ["type", "const", "enum", "title", "description"].iter().any(|may| key.is(may, None));
        let alike = match (kind, schema.get("type")) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => mine.same(theirs),
            _ => false,
        };
        if !alike || !schema.entries().iter().all(|(key, _)| told(key)) {
            return None;
        }
        match (schema.get("const"), schema.get("enum")) {
            (Some(value), None) => values.push(value.share()),
            (None, Some(Node::List(some))) => values.extend(some.iter().map(Node::share)),
            _ => return None,
        }
    }
    let mut made = Node::empty();
    if let Some(kind) = kind {
        made.set("type", kind.share());
    }
    made.set("enum", Node::List(values));
    Some(made)
}
