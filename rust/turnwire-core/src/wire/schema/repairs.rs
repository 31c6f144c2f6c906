//! Holds a repair in progress: its rule, the current path, and what it has changed.

use std::borrow::Cow;

use super::node::Node;
use crate::{
    report::{Edit, Step, sentence::IN_WORDS},
    rules::tool_rule::ToolRule,
    value::Host,
};

/// One change.
pub(crate) struct SchemaChange {
    pub(crate) code: Edit,
    /// Its path in the schema.
    pub(crate) at: Vec<Step>,
    pub(crate) why: Cow<'static, str>,
}

/// The path of something that cannot be repaired, and why.
pub(crate) type Refusal = (Vec<Step>, String);

/// A repair in progress.
pub(super) struct Repairs {
    pub(super) rule: ToolRule,
    /// The current path.
    pub(super) at: Vec<Step>,
    pub(super) words: Vec<String>,
    pub(super) changes: Vec<SchemaChange>,
}

impl Repairs {
    /// Reports a change at a keyword of the current schema.
    pub(super) fn changed(&mut self, keyword: &str, why: impl Into<Cow<'static, str>>) {
        self.report(Edit::MendedSchema, keyword, why.into());
    }

    pub(super) fn report(&mut self, code: Edit, keyword: &str, why: Cow<'static, str>) {
        let mut at = self.at.clone();
        if !keyword.is_empty() {
            at.push(Step::Name(keyword.into()));
        }
        self.changes.push(SchemaChange { code, at, why });
    }

    /// Moves a keyword of a schema into its description.
    pub(super) fn in_words<H: Host>(&mut self, schema: &mut Node<H>, keyword: &str) {
        let Some(value) = schema.take(keyword) else { return };
        let words = match (keyword, value.flag()) {
            ("additionalProperties", Some(false)) => "no other keys".to_owned(),
            ("description", _) => value.word().map_or_else(String::new, Cow::into_owned),
            _ => format!("{keyword}: {}", value.json()),
        };
        self.report(Edit::SchemaInWords, keyword, IN_WORDS.into());
        self.say(schema, words);
    }

    /// Adds text to the description. At the root, that is the tool's description.
    pub(super) fn say<H: Host>(&mut self, schema: &mut Node<H>, words: String) {
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
