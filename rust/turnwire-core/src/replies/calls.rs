//! The calls of a converted stream, with ids and arguments in the target's form.

use crate::{
    pairing::{Given, links::names::Names},
    report::{Error, ToolNames},
    rules::{DialectId, IdRule},
    value::{
        HashMap, Host, Raw, Text, Value,
        json::{self, read::says_no_args},
    },
    wire::{stream::Words, write::writer::INPUT},
};

/// The calls of a converted stream, with ids and arguments that the target accepts.
pub(super) struct Calls<H: Host> {
    rule: IdRule,
    unnamed: Given<'static>,
    names: Names<'static>,
    /// For each call, whether its arguments are not missing: it has some, or they are free text.
    pub(super) said: Vec<bool>,
    /// What has come of the arguments of a call, as WTF-8, while it may be the text `null`, which means that it has none.
    starts: HashMap<usize, Vec<u8>>,
    /// Which of the client's tools take free text.
    pub(super) tools: ToolNames,
    /// The arguments of calls of such tools, if the source does not know free text. They are unwrapped once they are
    /// complete.
    pub(super) texts: HashMap<usize, Words<H>>,
    /// Whether the target has tools that take free text.
    free_text: bool,
    /// The calls with free text that goes under a key, as the target has no such tools.
    wrapped: Vec<usize>,
}

impl<H: Host> Calls<H> {
    pub(super) fn new(target: DialectId, tools: &ToolNames) -> Result<Self, Error> {
        let limits = target.limits()?;
        let tools = if limits.free_text { tools.clone() } else { ToolNames::default() };
        let (rule, unnamed, names) = (limits.id, Given::default(), Names::new(limits.id));
        Ok(Self {
            rule,
            unnamed,
            names,
            said: Vec::new(),
            starts: HashMap::default(),
            tools,
            texts: HashMap::default(),
            free_text: limits.free_text,
            wrapped: Vec::new(),
        })
    }

    /// The id of a call: its own, if the target accepts it. A made-up one is written only if the target needs one.
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

    /// What comes before the free text of a call for a target without such calls; `None` where the text is written as it is.
    pub(super) fn wrap(&mut self, call: usize) -> Option<Text<H>> {
        if self.free_text {
            return None;
        }
        self.wrapped.push(call);
        Some(Text::own(&before()))
    }

    /// A piece of arguments as the target writes it: free text under a key is a JSON string.
    pub(super) fn piece(&self, call: usize, text: Text<H>) -> Result<Text<H>, Error> {
        if !self.wrapped.contains(&call) {
            return Ok(text);
        }
        let quoted = json::encode::to_string(&Raw::Tree(Value::Text(text)), None)?;
        Ok(Text::own(&quoted[1..quoted.len() - 1]))
    }

    /// All arguments as the target writes them, except for what comes after free text under a key.
    pub(super) fn whole(&self, call: usize, text: Text<H>) -> Result<Text<H>, Error> {
        if !self.wrapped.contains(&call) {
            return Ok(text);
        }
        Ok(Text::own(&(before() + &self.piece(call, text)?.to_str(None))))
    }

    /// What comes after the free text under a key.
    pub(super) fn unwrap(&mut self, call: usize) -> Option<Text<H>> {
        let place = self.wrapped.iter().position(|wrapped| *wrapped == call)?;
        self.wrapped.remove(place);
        Some(Text::own("\"}"))
    }

    /// A piece of the arguments of a call, with what was held back of those before it. `None` while they may be none.
    pub(super) fn held(&mut self, call: usize, text: Text<H>) -> Result<Option<Text<H>>, Error> {
        if self.said.get(call).is_none_or(|said| *said) {
            return Ok(Some(text));
        }
        let before = self.starts.remove(&call);
        let mut all = before.unwrap_or_default();
        let is_first = all.is_empty();
        all.extend_from_slice(&text.wtf8(None));
        if NO_ARGS.starts_with(all.trim_ascii()) {
            self.starts.insert(call, all);
            return Ok(None);
        }
        if is_first { Ok(Some(text)) } else { H::text(&all).map(Some) }
    }

    /// Forgets what was held back of the arguments of a call, of which the client has nothing yet. Returns whether there
    /// was something.
    pub(super) fn starts_anew(&mut self, call: usize) -> bool {
        self.starts.remove(&call).is_some()
    }

    /// What was held back of the arguments of a call that has ended, unless it means that it has none.
    pub(super) fn left(&mut self, call: usize) -> Result<Option<Text<H>>, Error> {
        let left = self.starts.remove(&call).filter(|all| !says_no_args(all));
        left.map(|all| H::text(&all)).transpose()
    }

    /// Records that a call has arguments. Returns whether it had some before.
    pub(super) fn says(&mut self, call: usize) -> bool {
        self.said.get_mut(call).is_none_or(|said| std::mem::replace(said, true))
    }
}

/// The text that some servers write for no arguments.
const NO_ARGS: &[u8] = b"null";

/// What comes before free text under a key.
fn before() -> String {
    format!("{{\"{}\":\"", INPUT.name)
}
