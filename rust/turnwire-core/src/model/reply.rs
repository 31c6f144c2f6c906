//! A model's reply: its turns, why it ended and what it cost, read whole, or put together from a stream (`replies.rs`).
//!
//! Each provider's format says where these things stand (`ReplyParts`); what they mean for a loop around the model is decided here,
//! once: calls count, not the word that the provider says for them; a call whose arguments end in the middle was cut off; and
//! an error is one, however the reply went on.

use std::sync::Arc;

use super::{
    event::Event,
    head::Head,
    part::{Kind, Part},
    tool::Call,
    turn::Turn,
};
use crate::{
    report::{
        error::Error,
        loss::{Loss, LossCode, LossKind},
        path::{Path, Step},
        tool_names::ToolNames,
    },
    rules::dialect_id::DialectId,
    value::{
        door::{Key, Source, keys},
        handle::{Host, Text, Value},
        node::{ArgsState, NodeKind},
        tree::Tree,
    },
};

keys! {
    ERROR = "error";
    MESSAGE = "message";
    DETAIL = "detail";
}

/// Why a reply ended, in one word for all providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model had nothing more to say.
    Stop,
    /// It wants its calls to be run.
    ToolCalls,
    /// There was no room for more.
    Length,
    /// The model refused to answer.
    Refusal,
    /// The provider held the answer back.
    Filtered,
    /// The provider waits to be asked to go on.
    Paused,
    /// Something went wrong, or a stream ended in the middle.
    Error,
    /// A word that turnwire does not know, or none.
    Other,
}

impl Finish {
    /// Every one there is.
    pub const ALL: [Self; 8] = [
        Self::Stop,
        Self::ToolCalls,
        Self::Length,
        Self::Refusal,
        Self::Filtered,
        Self::Paused,
        Self::Error,
        Self::Other,
    ];

    /// Whether the model was stopped before it had said everything.
    #[must_use]
    pub fn is_cut(self) -> bool {
        matches!(self, Self::Length | Self::Filtered | Self::Error)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::Refusal => "refusal",
            Self::Filtered => "filtered",
            Self::Paused => "paused",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

/// What a reply cost, in tokens; `None` where the provider does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tokens {
    /// All that the model read, what was cached included.
    pub input: Option<u64>,
    /// All that it wrote, reasoning included.
    pub output: Option<u64>,
    /// How much of the input came from a cache.
    pub cached: Option<u64>,
    /// How much of the output was reasoning.
    pub reasoning: Option<u64>,
    /// How much of the input went into a cache.
    pub written: Option<u64>,
}

impl Tokens {
    /// The counts of a provider that counts apart from the rest of the input what was cached, and what is to be.
    pub(crate) fn apart(input: Option<u64>, cached: Option<u64>, written: Option<u64>) -> Self {
        let apart = cached.unwrap_or(0).saturating_add(written.unwrap_or(0));
        Self { input: input.map(|input| input.saturating_add(apart)), cached, written, ..Self::default() }
    }
}

/// A count under a key.
pub(crate) fn count<S: Source>(usage: &S, key: &'static Key) -> Option<u64> {
    usage.get(key).as_ref().and_then(Source::count)
}

/// A reply. Nothing in it needs an input.
#[derive(Debug)]
pub struct Reply<H: Host> {
    /// The dialect that it was read from.
    pub from: DialectId,
    /// What was said: one turn, in formats of items several.
    pub turns: Vec<Arc<Turn<H>>>,
    /// Why it ended, in the provider's own word.
    pub stop_reason: Option<Text<H>>,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost, unchanged.
    pub usage: Option<Value<H>>,
    /// What it cost.
    pub tokens: Tokens,
    /// What went wrong, unchanged.
    pub error: Option<Value<H>>,
    /// What was not taken: other choices.
    pub losses: Vec<Loss>,
    /// Events of a stream that only its end could tell.
    pub events: Vec<Event<H>>,
    /// Which reply it is.
    pub head: Head<H>,
    /// The words of a refusal that stand beside what was said.
    pub refusal: Option<Text<H>>,
    /// The whole reply as it came; `None` where it was put together from a stream.
    pub origin: Option<Value<H>>,
}

/// What a format's own reader finds.
pub(crate) struct ReplyParts<H: Host> {
    pub(crate) from: DialectId,
    pub(crate) turns: Vec<Turn<H>>,
    pub(crate) stop_reason: Option<Text<H>>,
    /// What the format means by its word.
    pub(crate) finish: Option<Finish>,
    pub(crate) usage: Option<Value<H>>,
    pub(crate) tokens: Tokens,
    pub(crate) error: Option<Value<H>>,
    pub(crate) losses: Vec<Loss>,
    /// The words of a refusal that stand beside what was said.
    pub(crate) refusal: Option<Text<H>>,
}

impl<H: Host> ReplyParts<H> {
    /// Nothing yet.
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
        }
    }

    /// What the reply cost, where it says so.
    pub(crate) fn cost(&mut self, usage: Option<&Tree<'_, H>>, tokens: impl FnOnce(&Tree<'_, H>) -> Tokens) {
        self.tokens = usage.map_or_else(Tokens::default, tokens);
        self.usage = usage.map(|usage| usage.0.share());
    }

    /// What went wrong, where the payload says so: under the key for it, or, where it has no answer, in the payload itself.
    pub(crate) fn failed(&mut self, payload: &Tree<'_, H>, answer: &'static Key) {
        let said = |key| payload.get(key).filter(|value| !matches!(value.kind(), NodeKind::Null | NodeKind::Map));
        let alone = || payload.get(answer).is_none() && (said(&MESSAGE).is_some() || said(&DETAIL).is_some());
        let error = payload.get(&ERROR).filter(|error| error.kind() != NodeKind::Null);
        self.error = error.or_else(|| alone().then_some(Tree(payload.0))).map(|error| error.0.share());
    }

    /// The element that the format reads as a turn of its own.
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

    /// The word for the end, and what the format means by it.
    pub(crate) fn stopped(&mut self, word: Option<Text<H>>, meaning: impl FnOnce(&str) -> Finish) {
        self.finish = word.as_ref().map(|word| meaning(&word.to_str(None)));
        self.stop_reason = word;
    }

    /// All but the first entry of a list are not taken.
    pub(crate) fn others<S: Source>(&mut self, list: &'static Key, entries: &S) {
        for index in 1..entries.len() {
            let path = Path::of([Step::Key(list.name), Step::Index(index)]);
            let reason = "a conversation goes on with one answer: the first".into();
            self.losses.push(Loss { kind: LossKind::Lost, code: LossCode::Choice, path, reason });
        }
    }

    /// The reply, and what its end means.
    pub(crate) fn settle(self) -> Reply<H> {
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
            head: Head::default(),
            refusal: self.refusal,
            origin: None,
        };
        reply.finish = reply.meant(self.finish.unwrap_or(Finish::Other));
        reply
    }
}

impl<H: Host> Reply<H> {
    /// Another handle to the same reply, without its events.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            from: self.from,
            turns: self.turns.clone(),
            stop_reason: self.stop_reason.as_ref().map(Text::share),
            finish: self.finish,
            usage: self.usage.as_ref().map(Value::share),
            tokens: self.tokens,
            error: self.error.as_ref().map(Value::share),
            losses: self.losses.clone(),
            events: Vec::new(),
            head: self.head.share(),
            refusal: self.refusal.as_ref().map(Text::share),
            origin: self.origin.as_ref().map(Value::share),
        }
    }

    /// Gives calls the names that the caller knows their tools by.
    pub fn rename(&mut self, names: &ToolNames) {
        let own = |part: &Part<H>| match &part.kind {
            Kind::Call(call) => names.own(&call.name.to_str(None)).map(Text::own),
            _ => None,
        };
        if names.is_empty() {
            return;
        }
        for turn in &mut self.turns {
            if !turn.parts.iter().any(|part| own(part).is_some()) {
                continue;
            }
            let mut new = turn.touch();
            for part in &mut new.parts {
                if let (Some(name), Kind::Call(call)) = (own(part), &mut part.kind) {
                    call.name = name;
                    part.touched = true;
                }
            }
            *turn = Arc::new(new);
        }
    }

    /// What the end of a reply means that says so itself.
    fn meant(&self, said: Finish) -> Finish {
        let calls = self.calls().count() > 0;
        // A provider that runs out of room in the middle of a call may still say that it wants it to be run.
        let cut = |call: &Call<H>| !call.custom && call.args.state(None) == ArgsState::Incomplete;
        match said {
            _ if self.error.is_some() => Finish::Error,
            Finish::Stop | Finish::ToolCalls | Finish::Other if self.calls().any(cut) => Finish::Length,
            Finish::Stop | Finish::ToolCalls | Finish::Other if calls => Finish::ToolCalls,
            Finish::Stop if self.refuses() => Finish::Refusal,
            Finish::ToolCalls => Finish::Stop,
            said => said,
        }
    }

    /// Whether both say the same and ended in the same way. What only a stream has does not count.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let value = |a: &Option<Value<H>>, b: &Option<Value<H>>| match (a, b) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        self.finish == other.finish
            && Text::same_option(self.stop_reason.as_ref(), other.stop_reason.as_ref())
            && self.tokens == other.tokens
            && value(&self.usage, &other.usage)
            && value(&self.error, &other.error)
            && self.losses == other.losses
            && self.turns.len() == other.turns.len()
            && self.turns.iter().zip(&other.turns).all(|(mine, theirs)| mine.same(theirs))
    }

    /// Whether there are words of refusal.
    fn refuses(&self) -> bool {
        let mut parts = self.turns.iter().flat_map(|turn| &turn.parts);
        parts.any(|part| matches!(&part.kind, Kind::Refusal(words) if !words.is_empty()))
    }

    /// The calls that the model wants to be run, in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call<H>> {
        self.turns.iter().flat_map(|turn| turn.calls())
    }

    /// The texts of the answer, in order.
    pub fn texts(&self) -> impl Iterator<Item = &Text<H>> {
        self.turns.iter().flat_map(|turn| &turn.parts).filter_map(|part| match &part.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        })
    }
}
