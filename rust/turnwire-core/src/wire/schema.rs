//! Repairs a tool's schema for a target: keeps the meaning if the target can express it, and describes it in words if
//! not.
//!
//! [`repaired`] depends on one schema and one rule, never on other tools. Each file below is one kind of repair, in the
//! order in which they run. A schema that needs no repair returns `None`.

mod combined;
mod keywords;
mod malformed;
mod node;
mod references;
mod root;
mod strict;

use std::borrow::Cow;

use self::node::Node;
pub(crate) use self::strict::{closed, strict_fault};
use crate::{
    report::{path::Step, receipt::Change},
    rules::tool_rule::{Draft, References, ToolRule},
    value::handle::{Host, Text, Value},
};

/// A repaired schema.
pub(crate) struct Repaired<H: Host> {
    pub(crate) schema: Value<H>,
    /// What the root can no longer express. It is added to the description of the tool.
    pub(crate) words: Vec<String>,
    pub(crate) changes: Vec<SchemaChange>,
}

/// One change.
pub(crate) struct SchemaChange {
    pub(crate) code: Change,
    /// Its path in the schema.
    pub(crate) at: Vec<Step>,
    pub(crate) why: Cow<'static, str>,
}

/// The path of something that cannot be repaired, and why.
pub(crate) type Refusal = (Vec<Step>, String);

/// How many values a schema may have once references are written out.
const MOST_NODES: usize = 100_000;
/// How deep they may be nested.
const MOST_DEEP: usize = 200;

/// How often a schema is repaired at most. One repair may make work for another: merged schemas may bring a reference.
const MOST_PASSES: usize = 8;

/// A schema, repaired for the rule until nothing changes any more. `None` if it needs no repair.
pub(crate) fn repaired<H: Host>(schema: &Value<H>, rule: &ToolRule) -> Result<Option<Repaired<H>>, Refusal> {
    let Some(mut whole) = repaired_once(schema, rule)? else { return Ok(None) };
    for _ in 1..MOST_PASSES {
        let Some(mut next) = repaired_once(&whole.schema, rule)? else { break };
        whole.schema = next.schema;
        whole.words.append(&mut next.words);
        whole.changes.append(&mut next.changes);
    }
    Ok(Some(whole))
}

fn repaired_once<H: Host>(schema: &Value<H>, rule: &ToolRule) -> Result<Option<Repaired<H>>, Refusal> {
    let mut root = Node::of(schema);
    let mut repairs = Repairs { rule: *rule, at: Vec::new(), words: Vec::new(), changes: Vec::new() };
    if rule.draft != Draft::Any {
        malformed::repair(&mut root, &mut repairs);
    }
    root::repair(&mut root, &mut repairs)?;
    if rule.references != References::Any {
        references::repair(&mut root, &mut repairs)?;
    }
    keywords::repair(&mut root, &mut repairs);
    root::keys(&mut root, &mut repairs);
    let Repairs { words, changes, .. } = repairs;
    Ok((!changes.is_empty()).then(|| Repaired { schema: root.into_value(), words, changes }))
}

/// A repair in progress.
struct Repairs {
    rule: ToolRule,
    /// The current path.
    at: Vec<Step>,
    words: Vec<String>,
    changes: Vec<SchemaChange>,
}

impl Repairs {
    /// Reports a change at a keyword of the current schema.
    fn changed(&mut self, keyword: &str, why: impl Into<Cow<'static, str>>) {
        self.report(Change::MendedSchema, keyword, why.into());
    }

    fn report(&mut self, code: Change, keyword: &str, why: Cow<'static, str>) {
        let mut at = self.at.clone();
        if !keyword.is_empty() {
            at.push(Step::Name(keyword.into()));
        }
        self.changes.push(SchemaChange { code, at, why });
    }

    /// Moves a keyword of a schema into its description.
    fn in_words<H: Host>(&mut self, schema: &mut Node<H>, keyword: &str) {
        let Some(value) = schema.take(keyword) else { return };
        let words = match (keyword, value.flag()) {
            ("additionalProperties", Some(false)) => "no other keys".to_owned(),
            ("description", _) => value.word().map_or_else(String::new, Cow::into_owned),
            _ => format!("{keyword}: {}", value.json()),
        };
        self.report(
            Change::SchemaInWords,
            keyword,
            "the target refuses or ignores this: it is in the description".into(),
        );
        self.say(schema, words);
    }

    /// Adds text to the description. At the root, that is the tool's description.
    fn say<H: Host>(&mut self, schema: &mut Node<H>, words: String) {
        if self.at.is_empty() {
            self.words.push(words);
            return;
        }
        let said = match schema.get("description").and_then(Node::word) {
            Some(before) if !before.is_empty() => format!("{before} ({words})"),
            _ => format!("({words})"),
        };
        schema.set("description", Node::text(&said));
    }
}

/// Keywords whose value is an object of schemas.
const MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords whose value is a schema. `items` may also be a list of them.
const ONES: [&str; 11] = [
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
const ANNOTATIONS: [&str; 11] = [
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
fn inside<H: Host>(schema: &mut Node<H>, repairs: &mut Repairs, then: Then<'_, H>) {
    let Node::Map(entries) = schema else { return };
    for (key, value) in entries {
        let key = key.to_str(None).into_owned();
        repairs.at.push(Step::Name(key.as_str().into()));
        inside_value(&key, value, repairs, then);
        repairs.at.pop();
    }
}

/// Applies a step to every schema in the value of a keyword.
fn inside_value<H: Host>(key: &str, value: &mut Node<H>, repairs: &mut Repairs, then: Then<'_, H>) {
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
fn each_inner<'n, H: Host>(schema: &'n Node<H>, then: &mut dyn FnMut(&'n Node<H>)) {
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

/// The schema that a local reference leads to.
fn target_of<'n, H: Host>(reference: &str, root: &'n Node<H>) -> Option<&'n Node<H>> {
    let pointer = reference.strip_prefix('#')?;
    let mut at = root;
    for step in pointer.split('/').filter(|step| !step.is_empty()) {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = match at {
            Node::Map(_) => at.get(&step)?,
            Node::List(items) => items.get(step.parse::<usize>().ok()?)?,
            Node::Leaf(_) => return None,
        };
    }
    Some(at)
}

/// A list of texts.
fn list_of<H: Host>(words: &[String]) -> Node<H> {
    Node::List(words.iter().map(|word| Node::Leaf(Value::Text(Text::own(word)))).collect())
}
