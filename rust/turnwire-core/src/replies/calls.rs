//! The calls of a converted stream: ids and arguments as the target wants them.

use crate::{
    pairing::{links::names::Names, unnamed::Given},
    report::{error::Error, tool_names::ToolNames},
    rules::{dialect_id::DialectId, limits::IdRule},
    value::{
        handle::{Host, Text},
        hash::HashMap,
    },
    wire::stream::text::Words,
};

/// The calls as the target wants them: with ids that it takes, and arguments.
pub(super) struct Calls<H: Host> {
    rule: IdRule,
    unnamed: Given<'static>,
    names: Names<'static>,
    /// Whether each may do without arguments: it has some, or they are free text.
    pub(super) said: Vec<bool>,
    /// Which of the client's tools take free text.
    pub(super) tools: ToolNames,
    /// The arguments of calls of such tools, where the source knows none: they are text once they are whole.
    pub(super) texts: HashMap<usize, Words<H>>,
}

impl<H: Host> Calls<H> {
    pub(super) fn new(target: DialectId, tools: &ToolNames) -> Result<Self, Error> {
        let limits = target.limits()?;
        let tools = if limits.free_text { tools.clone() } else { ToolNames::default() };
        let (rule, unnamed, names) = (limits.id, Given::default(), Names::new(limits.id));
        Ok(Self { rule, unnamed, names, said: Vec::new(), tools, texts: HashMap::default() })
    }

    /// The id of a call: its own as far as the target takes it. A made-up one is written only where the target needs one.
    pub(super) fn id(&mut self, id: Option<Text<H>>, name: &Text<H>) -> Option<Text<H>> {
        let id = id.filter(|id| !id.is_empty());
        if id.is_none() && self.rule.optional {
            return None;
        }
        let own = match &id {
            Some(id) => id.wtf8(None).into_owned(),
            None => self.unnamed.next(name.wtf8(None).into_owned().into()).into_bytes(),
        };
        let sound = self.rule.allows(&own);
        match self.names.give(own.clone().into(), sound) {
            Some(new) => Some(Text::own(&new)),
            None => id.or_else(|| Some(Text::own(&String::from_utf8_lossy(&own)))),
        }
    }

    /// A call says something. Whether it did before.
    pub(super) fn says(&mut self, call: usize) -> bool {
        self.said.get_mut(call).is_none_or(|said| std::mem::replace(said, true))
    }
}
