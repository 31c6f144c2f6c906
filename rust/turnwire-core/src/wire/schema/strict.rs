//! Checks whether a schema can be strict, because providers that compile schemas into grammars refuse some.

use std::borrow::Cow;

use super::{
    node::{Node, target_of},
    repairs::Repairs,
    vocabulary::{each_inner, inside},
};
use crate::{
    rules::tool_rule::{Strict, ToolRule},
    value::{HashSet, Host, Value},
};

const ALL_KEYS: [&str; 21] = [
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "default",
];
const CLOSED: [&str; 16] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "not",
    "oneOf",
    "if",
    "patternProperties",
    "propertyNames",
];
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const UNTYPED: [&str; 6] = ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
/// How many levels of objects are allowed.
const LEVELS: usize = 10;
/// How many properties, and how many values of enumerations are allowed.
const PROPERTIES: usize = 5_000;
const VALUES: usize = 1_000;

/// Why `strict` becomes false, by what [`strict_fault`] says.
pub(crate) fn not_strict(why: &str) -> String {
    format!("the target refuses this schema as a strict one: {why}")
}

/// Why a schema cannot be strict. `None` if it can. `asked`: whether the caller wants it strict; otherwise the target
/// would make it so.
pub(crate) fn strict_fault<H: Host>(schema: &Value<H>, rule: Strict, asked: bool) -> Option<String> {
    let root = Node::of(schema);
    let mut look = Look { root: &root, rule, asked, fault: None, properties: 0, values: 0 };
    match rule {
        Strict::Any => return None,
        Strict::AllKeys if !asked => return None,
        _ => {}
    }
    look.schema(&root, 0, true);
    if look.properties > PROPERTIES || look.values > VALUES {
        look.found("it has too many properties or values".to_owned());
    }
    if rule == Strict::Closed && is_recursive(&root) {
        look.found("it refers to itself".to_owned());
    }
    look.fault
}

/// The schema, with each object closed that lists its keys. `None` if all are closed already.
pub(crate) fn closed<H: Host>(schema: &Value<H>) -> Option<Value<H>> {
    let mut root = Node::of(schema);
    let mut repairs = Repairs { rule: ToolRule::ANY, at: Vec::new(), words: Vec::new(), changes: Vec::new() };
    close(&mut root, &mut repairs);
    (!repairs.changes.is_empty()).then(|| root.into_value())
}

fn close<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs) {
    if schema.is_a("object") && !schema.has("additionalProperties") {
        schema.set("additionalProperties", Node::Leaf(Value::Bool(false)));
        repairs.changed("additionalProperties", "the object is closed");
    }
    inside(schema, repairs, &mut close);
}

struct Look<'n, H: Host> {
    root: &'n Node<H>,
    rule: Strict,
    asked: bool,
    fault: Option<String>,
    properties: usize,
    values: usize,
}

impl<H: Host> Look<'_, H> {
    fn found(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    fn schema(&mut self, schema: &Node<H>, depth: usize, is_root: bool) {
        let format = schema.get("format").and_then(Node::word);
        if self.rule != Strict::Closed
            && schema.is_a("string")
            && let Some(format) = format.filter(|format| !FORMATS.contains(&&**format))
        {
            self.found(format!("{format:?} is not a format that it may have"));
        }
        if !self.asked {
            each_inner(schema, &mut |inner| self.schema(inner, depth, false));
            return;
        }
        let object = schema.is_a("object");
        if object && schema.get("additionalProperties").and_then(Node::flag) != Some(false) {
            self.found("an object does not have additionalProperties: false".to_owned());
        }
        let refused: &[&str] = if self.rule == Strict::Closed { &CLOSED } else { &ALL_KEYS };
        if let Some(key) = refused.iter().find(|key| schema.has(key)) {
            self.found(format!("{key} is not permitted in it"));
        }
        if self.rule != Strict::Closed {
            self.all_keys(schema, object, is_root);
        }
        let depth = depth + usize::from(object);
        if depth > LEVELS && self.rule != Strict::Closed {
            self.found(format!("it is nested deeper than {LEVELS} levels"));
        }
        let around = |word: &str| schema.get(word).map_or(&[][..], Node::entries);
        self.properties += around("properties").len();
        self.values += schema.get("enum").map_or(0, |list| list.items().len());
        let mut inner = Vec::new();
        each_inner(schema, &mut |one| inner.push(one));
        let defined = around("$defs").iter().chain(around("definitions")).map(|(_, one)| std::ptr::from_ref(one));
        let defined: Vec<_> = defined.collect();
        for one in inner {
            let depth = if defined.contains(&std::ptr::from_ref(one)) { 0 } else { depth };
            self.schema(one, depth, false);
        }
    }

    fn all_keys(&mut self, schema: &Node<H>, object: bool, is_root: bool) {
        if object && let Some(properties) = schema.get("properties") {
            let required: HashSet<String> = schema.words("required").into_iter().collect();
            let missing = properties.entries().iter().find(|(name, _)| !required.contains(&*name.to_str(None)));
            if let Some((name, _)) = missing {
                self.found(format!("required lacks {:?}", name.to_str(None)));
            }
        }
        if !is_root && !schema.has("type") && !UNTYPED.iter().any(|key| schema.has(key)) && schema.flag() != Some(false)
        {
            self.found("a schema has no type".to_owned());
        }
        if schema.has("$ref") && !is_root && schema.entries().len() > 1 {
            self.found("a reference has keywords beside it".to_owned());
        }
        let looks_around =
            |pattern: Cow<'_, str>| ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look));
        if schema.get("pattern").and_then(Node::word).is_some_and(looks_around) {
            self.found("a pattern looks around".to_owned());
        }
        let lost = |reference: Cow<'_, str>| target_of(&reference, self.root).is_none();
        if schema.get("$ref").and_then(Node::word).is_some_and(lost) {
            self.found("a reference leads nowhere".to_owned());
        }
    }
}

/// Whether a reference leads back to itself.
fn is_recursive<H: Host>(root: &Node<H>) -> bool {
    let (mut open, mut done) = (Vec::new(), Vec::new());
    leads_back(root, root, &mut open, &mut done)
}

fn leads_back<H: Host>(schema: &Node<H>, root: &Node<H>, open: &mut Vec<String>, done: &mut Vec<String>) -> bool {
    if let Some(reference) = schema.get("$ref").and_then(Node::word).map(Cow::into_owned) {
        if open.contains(&reference) {
            return true;
        }
        if !done.contains(&reference)
            && let Some(target) = target_of(&reference, root)
        {
            open.push(reference.clone());
            if leads_back(target, root, open, done) {
                return true;
            }
            open.pop();
            done.push(reference);
        }
    }
    let mut back = false;
    each_inner(schema, &mut |inner| back = back || leads_back(inner, root, open, done));
    back
}
