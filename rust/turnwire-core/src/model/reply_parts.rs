//! What the reader of a format finds in a reply, before its meaning is decided (`reply.rs`).

use crate::{
    k,
    report::{Change, ChangeKind, Edit, Error, Path, Step, ToolNames},
    rules::DialectId,
    value::{Host, Key, NodeKind, Source, Text, Tree, Value},
};
use std::sync::Arc;

use super::{
    finish::Finish,
    head::Head,
    part::Kind,
    reply::{Places, Reply, Tokens, is_null},
    tool::{Args, Call},
    turn::Turn,
};

/// What a format's reader finds in a reply.
pub(crate) struct ReplyParts<H: Host> {
    pub(crate) from: DialectId,
    pub(crate) turns: Vec<Turn<H>>,
    pub(crate) stop_reason: Option<Text<H>>,
    /// The meaning of the provider's word for the end.
    pub(crate) finish: Option<Finish>,
    pub(crate) usage: Option<Value<H>>,
    pub(crate) tokens: Tokens,
    pub(crate) error: Option<Value<H>>,
    pub(crate) losses: Vec<Change>,
    /// A refusal beside the content.
    pub(crate) refusal: Option<Text<H>>,
    pub(crate) places: Places,
    /// The provider's own sentence on why it ended.
    pub(crate) why: Option<Text<H>>,
    /// Its head, if the format has its own keys for it.
    pub(crate) head: Option<Head<H>>,
    /// If it is a list of its chunks: where each part began.
    pub(crate) chunks: Option<Vec<(usize, usize)>>,
}

impl<H: Host> ReplyParts<H> {
    /// An empty reply.
    pub(crate) fn new(from: DialectId) -> Self {
        Self {
            from,
            turns: Vec::new(),
            stop_reason: None,
            finish: None,
            usage: None,
            tokens: Tokens::default(),
            error: None,
            losses: Vec::new(),
            refusal: None,
            places: Places::default(),
            why: None,
            head: None,
            chunks: None,
        }
    }

    /// Reads the usage, if there is one.
    pub(crate) fn cost(&mut self, usage: Option<&Tree<'_, H>>, tokens: impl FnOnce(&Tree<'_, H>) -> Tokens) {
        self.tokens = usage.map_or_else(Tokens::default, tokens);
        self.usage = usage.map(|usage| usage.0.share());
    }

    /// Reads an error under its key. If the payload has no answer, the payload itself is the error.
    pub(crate) fn failed(&mut self, payload: &Tree<'_, H>, answer: &'static Key) {
        let said = |key| payload.get(key).filter(|value| !matches!(value.kind(), NodeKind::Null | NodeKind::Map));
        let alone = || payload.get(answer).is_none() && (said(&k::MESSAGE).is_some() || said(&k::DETAIL).is_some());
        let is_answered = payload.get(answer).is_some_and(|answer| !answer.says_nothing());
        // Servers send an empty error, or `false`, beside an answer.
        let none = |error: &Tree<'_, H>| error.kind() == NodeKind::Null || is_answered && error.says_nothing();
        let error = payload.get(&k::ERROR).filter(|error| !none(error));
        if error.is_none() && alone() {
            self.error = Some(payload.0.share());
            self.places.error = "";
        } else {
            self.error = error.map(|error| error.0.share());
        }
    }

    /// Reads an element that the format treats as a turn.
    pub(crate) fn turn(
        &mut self,
        element: &Value<H>,
        read: impl FnOnce(&Tree<'_, H>, &mut Turn<H>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let element = Tree(element);
        let mut turn = Turn::read(self.from, "", &element);
        read(&element, &mut turn)?;
        self.turns.push(turn);
        Ok(())
    }

    /// Reads the word for the end, and its meaning.
    pub(crate) fn stopped(&mut self, word: Option<Text<H>>, meaning: impl FnOnce(&str) -> Finish) {
        self.finish = word.as_ref().map(|word| meaning(&word.to_str(None)));
        self.stop_reason = word;
    }

    /// Reports all but the first entry of a list as not read.
    pub(crate) fn others<S: Source>(&mut self, list: &'static Key, entries: &S) {
        for index in 1..entries.len() {
            let path = Path::of([Step::Key(list.name), Step::Index(index)]);
            let reason = "a conversation continues with one answer, so only the first is kept";
            self.losses.push(Change::told(ChangeKind::Lost, Edit::Choice, path, reason));
        }
    }

    /// The finished reply, with why it ended. A call whose arguments are the text `null` has none.
    pub(crate) fn settle(mut self) -> Reply<H> {
        for part in self.turns.iter_mut().flat_map(|turn| &mut turn.parts) {
            if let Kind::Call(Call { args: Args::Text(text), custom: false, .. }) = &mut part.kind
                && is_null(text)
            {
                *text = Text::own("");
            }
        }
        let mut reply = Reply {
            from: self.from,
            turns: self.turns.into_iter().map(Arc::new).collect(),
            stop_reason: self.stop_reason,
            finish: Finish::Other,
            usage: self.usage,
            tokens: self.tokens,
            error: self.error,
            losses: self.losses,
            events: Vec::new(),
            places: self.places,
            why: self.why,
            head: Head::default(),
            status: None,
            refusal: self.refusal,
            origin: None,
            chunks: self.chunks,
            cut_call: false,
            assembled: None,
            names: ToolNames::default(),
        };
        let said = self.finish.unwrap_or(Finish::Other);
        reply.finish = reply.meant(said);
        reply.cut_call = matches!(said, Finish::Stop | Finish::ToolCalls) && reply.has_cut_call();
        reply
    }
}
