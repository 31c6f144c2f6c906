//! Repairs keywords whose values JSON Schema does not allow: reads an obvious meaning, and drops the rest.

use super::{
    node::{Node, list_of},
    repairs::Repairs,
    vocabulary::{LISTS, MAPS, ONES, inside},
};
use crate::{
    report::sentence::{LEFT_OUT, MEANT},
    rules::Draft,
    value::{Host, Value},
};

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
/// Type names from programming languages.
const ALIASES: [(&str, &str); 16] = [
    ("dict", "object"),
    ("map", "object"),
    ("list", "array"),
    ("tuple", "array"),
    ("set", "array"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("int", "integer"),
    ("long", "integer"),
    ("bool", "boolean"),
    ("str", "string"),
    ("text", "string"),
    ("char", "string"),
    ("none", "null"),
    ("nil", "null"),
];
const WORDS: [&str; 5] = ["pattern", "format", "description", "title", "$ref"];
const NUMBERS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const COUNTS: [&str; 6] = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

pub(super) fn repair<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    required_in_properties(schema, repairs);
    draft_4(schema, repairs);
    if repairs.rule.draft == Draft::Newest {
        tuples(schema, repairs);
    }
    let names: Vec<String> = schema.entries().iter().map(|(key, _)| key.to_str(None).into_owned()).collect();
    for name in &names {
        let Some(value) = schema.get_mut(name) else { continue };
        match mended_value(name, value, repairs.rule.draft) {
            Verdict::Sound => {}
            Verdict::Repaired => repairs.changed(name, MEANT),
            Verdict::Wrong => {
                schema.take(name);
                repairs.changed(name, LEFT_OUT);
            }
        }
    }
    inside(schema, repairs, &mut repair);
}

enum Verdict {
    Sound,
    Repaired,
    Wrong,
}

fn mended_value<H: Host>(key: &str, value: &mut Node<H>, draft: Draft) -> Verdict {
    let sound = |sound: bool| if sound { Verdict::Sound } else { Verdict::Wrong };
    if key == "type" {
        return kind(value);
    }
    if key == "required" {
        return required(value);
    }
    if key == "enum" {
        return match value {
            Node::List(_) => Verdict::Sound,
            Node::Leaf(Value::Null) | Node::Map(_) => Verdict::Wrong,
            Node::Leaf(_) => {
                *value = Node::List(vec![value.share()]);
                Verdict::Repaired
            }
        };
    }
    if key == "uniqueItems" {
        return sound(value.flag().is_some());
    }
    if WORDS.contains(&key) {
        return sound(value.word().is_some());
    }
    if NUMBERS.contains(&key) || COUNTS.contains(&key) {
        return number(value, COUNTS.contains(&key));
    }
    if MAPS.contains(&key) {
        return schemas_by_name(value);
    }
    if LISTS.contains(&key) {
        return schemas(value);
    }
    if key == "items" && matches!(value, Node::List(_)) && draft != Draft::Newest {
        return each_schema(value);
    }
    if ONES.contains(&key) {
        return sound(value.is_schema());
    }
    Verdict::Sound
}

/// A type, or several types.
fn kind<H: Host>(value: &mut Node<H>) -> Verdict {
    let one = |node: &Node<H>| node.word().and_then(|word| meant(&word));
    match value {
        Node::List(kinds) => {
            let mut known: Vec<&'static str> = Vec::new();
            for kind in kinds.iter().filter_map(one) {
                if !known.contains(&kind) {
                    known.push(kind);
                }
            }
            let as_it_is = known.len() == kinds.len()
                && kinds.iter().zip(&known).all(|(kind, known)| kind.word().is_some_and(|word| word == *known));
            if known.is_empty() {
                return Verdict::Wrong;
            }
            if as_it_is {
                return Verdict::Sound;
            }
            *value = list_of(&known.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>());
            Verdict::Repaired
        }
        _ => match one(value) {
            None => Verdict::Wrong,
            Some(kind) if value.word().is_some_and(|word| word == kind) => Verdict::Sound,
            Some(kind) => {
                *value = Node::text(kind);
                Verdict::Repaired
            }
        },
    }
}

fn meant(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == word).map(|(_, kind)| *kind);
    TYPES.into_iter().find(|kind| *kind == word).or_else(alias)
}

fn required<H: Host>(value: &mut Node<H>) -> Verdict {
    let Node::List(items) = &*value else { return Verdict::Wrong };
    let mut words: Vec<String> = Vec::new();
    for word in items.iter().filter_map(Node::word) {
        if !words.iter().any(|known| *known == word) {
            words.push(word.into_owned());
        }
    }
    if words.len() == items.len() {
        return Verdict::Sound;
    }
    *value = list_of(&words);
    Verdict::Repaired
}

/// A number, even in a string.
fn number<H: Host>(value: &mut Node<H>, counts: bool) -> Verdict {
    let fits = |number: f64| number.is_finite() && (!counts || number >= 0.0 && number.fract() == 0.0);
    if let Some(number) = value.number() {
        return if fits(number) { Verdict::Sound } else { Verdict::Wrong };
    }
    let Some(word) = value.word().map(|word| word.trim().to_owned()) else { return Verdict::Wrong };
    let plain = word.strip_prefix('-').unwrap_or(&word);
    let digits = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || plain.len() > 1 && plain.starts_with('0') || !word.parse().is_ok_and(fits) {
        return Verdict::Wrong;
    }
    *value = Node::Leaf(Value::Number(word.into()));
    Verdict::Repaired
}

/// An object of schemas.
fn schemas_by_name<H: Host>(value: &mut Node<H>) -> Verdict {
    match value {
        Node::Map(entries) => {
            let mut verdict = Verdict::Sound;
            for (_, schema) in entries.iter_mut().filter(|(_, schema)| !schema.is_schema()) {
                verdict = Verdict::Repaired;
                *schema = schema_for(schema);
            }
            verdict
        }
        // PHP writes an empty object like this.
        Node::List(items) if items.is_empty() => {
            *value = Node::empty();
            Verdict::Repaired
        }
        _ => Verdict::Wrong,
    }
}

/// The schema for a bare type name. Any other value allows anything.
fn schema_for<H: Host>(written: &Node<H>) -> Node<H> {
    match written.word().and_then(|word| meant(&word)) {
        Some(kind) => Node::pair("type", Node::text(kind)),
        None => Node::empty(),
    }
}

/// A list of schemas that is not empty.
fn schemas<H: Host>(value: &mut Node<H>) -> Verdict {
    match value {
        Node::Map(_) => {
            let one = std::mem::replace(value, Node::empty());
            *value = Node::List(vec![one]);
            Verdict::Repaired
        }
        Node::List(_) => match each_schema(value) {
            _ if value.items().is_empty() => Verdict::Wrong,
            verdict => verdict,
        },
        Node::Leaf(_) => Verdict::Wrong,
    }
}

fn each_schema<H: Host>(value: &mut Node<H>) -> Verdict {
    let Node::List(items) = value else { return Verdict::Wrong };
    let before = items.len();
    items.retain(Node::is_schema);
    if items.len() == before { Verdict::Sound } else { Verdict::Repaired }
}

/// Moves `required` flags of properties (draft 3) into a list.
fn required_in_properties<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    let Some(Node::Map(properties)) = schema.get_mut("properties") else { return };
    let mut found = Vec::new();
    for (name, property) in properties {
        if let Some(flag) = property.get("required").and_then(Node::flag) {
            property.take("required");
            found.push((name.to_str(None).into_owned(), flag));
        }
    }
    for (name, flag) in found {
        let mut words = schema.words("required");
        if flag && !words.contains(&name) {
            words.push(name);
            schema.set("required", list_of(&words));
        }
        repairs.changed("required", MEANT);
    }
}

/// Turns exclusive flags (draft 4) into bounds.
fn draft_4<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    for (bound, excluded) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        let Some(flag) = schema.get(excluded).and_then(Node::flag) else { continue };
        schema.take(excluded);
        if let Some(value) = schema.take(bound) {
            schema.set(if flag { excluded } else { bound }, value);
        }
        repairs.changed(excluded, MEANT);
    }
}

/// Renames lists of items and what follows them to the keywords of 2020-12.
fn tuples<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if !matches!(schema.get("items"), Some(Node::List(_))) {
        return;
    }
    let Some(mut items) = schema.take("items") else { return };
    let _ = each_schema(&mut items);
    if !items.items().is_empty() && !schema.has("prefixItems") {
        schema.set("prefixItems", items);
    }
    let rest = schema.take("additionalItems").filter(Node::is_schema);
    schema.set("items", rest.unwrap_or_else(Node::empty));
    repairs.changed("items", "a list of schemas is called prefixItems in this JSON Schema");
}
