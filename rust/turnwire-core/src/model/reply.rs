//! A model's reply: its turns, why it ended, and its usage, read as a whole or assembled from a stream (`replies.rs`).
//!
//! The reader of each format finds these (`reply_parts.rs`). This file decides what they mean for an agent's loop: calls
//! count more than the provider's word for the end; a call whose arguments break off was cut; and an error is an error,
//! whatever follows it.

use crate::{
    report::{Change, ToolNames},
    rules::{CallForm, DialectId},
    value::{ArgsState, HashSet, Host, Text, Value},
};
use std::sync::Arc;

use super::{
    event::Event,
    finish::Finish,
    head::Head,
    part::{Kind, Part},
    tool::{Args, Call, ToolResult, says_no_args},
    turn::Turn,
};

/// The usage of a reply in tokens. `None` for what the provider does not report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tokens {
    /// All input, including cached input.
    pub input: Option<u64>,
    /// All output, including reasoning.
    pub output: Option<u64>,
    /// The input that was read from a cache.
    pub cached: Option<u64>,
    /// The output that was reasoning.
    pub reasoning: Option<u64>,
    /// The input that was written to a cache.
    pub written: Option<u64>,
}

/// Where a reader found what stands beside the turns, for the paths of losses.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// The usage.
    pub(crate) usage: &'static str,
    /// Why the reply ended, if it is not at the format's usual place.
    pub(crate) end: Option<&'static str>,
    /// The error.
    pub(crate) error: &'static str,
}

impl Default for Places {
    fn default() -> Self {
        Self { usage: ".usage", end: None, error: ".error" }
    }
}

/// A reply. It needs no input.
#[derive(Debug)]
pub struct Reply<H: Host> {
    /// The dialect that it was read from.
    pub from: DialectId,
    /// Its turns: one, or several in formats of items.
    pub turns: Vec<Arc<Turn<H>>>,
    /// The provider's own word for why it ended.
    pub stop_reason: Option<Text<H>>,
    /// Why it ended.
    pub finish: Finish,
    /// The provider's own usage object.
    pub usage: Option<Value<H>>,
    /// Its usage.
    pub tokens: Tokens,
    /// The error, unchanged.
    pub error: Option<Value<H>>,
    /// What was not read, such as other choices.
    pub losses: Vec<Change>,
    /// The last events of a stream, which are known only at its end.
    pub events: Vec<Event<H>>,
    /// Where these were.
    pub places: Places,
    /// The provider's own sentence on why it ended.
    pub why: Option<Text<H>>,
    /// Its id, its model and its time.
    pub head: Head<H>,
    /// The status of its response, if it is known.
    pub status: Option<u16>,
    /// A refusal beside the content.
    pub refusal: Option<Text<H>>,
    /// The whole original reply. `None` if it was assembled from a stream.
    pub origin: Option<Value<H>>,
    /// If it came as a list of its chunks: where each part began, as the index of a chunk and of a part in it.
    pub chunks: Option<Vec<(usize, usize)>>,
    /// Whether the provider's word for the end asks for calls of which one breaks off.
    pub cut_call: bool,
    /// What a stream was assembled to, for the keys beside its turns; `None` where the reply came whole.
    pub assembled: Option<Value<H>>,
    /// The names of tools in its request.
    pub names: ToolNames,
}

impl<H: Host> Reply<H> {
    /// The reply with shared handles, without its events.
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
            places: self.places,
            why: self.why.as_ref().map(Text::share),
            head: self.head.share(),
            status: self.status,
            refusal: self.refusal.as_ref().map(Text::share),
            origin: self.origin.as_ref().map(Value::share),
            chunks: self.chunks.clone(),
            cut_call: self.cut_call,
            assembled: self.assembled.as_ref().map(Value::share),
            names: self.names.clone(),
        }
    }

    /// Marks the calls without any arguments that a broken stream may have cut off. Their arguments are the beginning of
    /// an object, so that no program runs them without arguments. Their wire values stay as they came.
    pub(crate) fn leave_open(&mut self, is_open: impl Fn(&Call<H>) -> bool) {
        let cut = |part: &Part<H>| match &part.kind {
            Kind::Call(call) => !call.custom && call.args.is_empty_object() && is_open(call),
            _ => false,
        };
        for turn in self.turns.iter_mut().filter(|turn| turn.parts.iter().any(cut)) {
            let mut new = turn.share();
            for part in new.parts.iter_mut().filter(|part| cut(part)) {
                if let Kind::Call(call) = &mut part.kind {
                    call.args = Args::Text(Text::own("{"));
                }
            }
            *turn = Arc::new(new);
        }
    }

    /// Gives calls the caller's own tool names.
    pub fn rename(&mut self, names: &ToolNames) {
        let own = |part: &Part<H>| match &part.kind {
            Kind::Call(call) => own_call(call, names),
            _ => None,
        };
        if names.is_empty() {
            return;
        }
        self.names = names.clone();
        self.give_up(names.hosted());
        for turn in &mut self.turns {
            if !turn.parts.iter().any(|part| own(part).is_some()) {
                continue;
            }
            let mut new = turn.touch();
            for part in &mut new.parts {
                if let (Some(own), Kind::Call(call)) = (own(part), &mut part.kind) {
                    *call = own;
                    part.touched = true;
                }
            }
            *turn = Arc::new(new);
        }
    }

    /// Gives the provider the calls of tools that it runs itself, by the types of their items: only the request says so.
    fn give_up(&mut self, hosted: &[&'static str]) {
        let is_given = |part: &Part<H>| match &part.kind {
            Kind::Call(call) => call.form.map(CallForm::call).filter(|kind| hosted.contains(kind)).filter(|_| {
                // Where the item says itself where the tool runs, that counts.
                !part.extras.iter().flat_map(|extras| extras.iter()).any(|(key, _)| key.is(CallForm::PLACE, None))
            }),
            _ => None,
        };
        for turn in &mut self.turns {
            if !turn.parts.iter().any(|part| is_given(part).is_some()) {
                continue;
            }
            let mut new = turn.share();
            for part in &mut new.parts {
                if let Some(kind) = is_given(part) {
                    (part.kind, part.extras) = (Kind::Opaque(Text::own(kind)), None);
                }
            }
            *turn = Arc::new(new);
        }
        if self.finish == Finish::ToolCalls && self.calls().next().is_none() {
            self.finish = Finish::Paused;
        }
    }

    /// Why the reply ended, from the provider's word and the calls.
    pub(super) fn meant(&self, said: Finish) -> Finish {
        let calls = self.calls().count() > 0;
        match said {
            _ if self.error.is_some() => Finish::Error,
            // A provider that reaches its token limit inside a call may still ask for the call to be run.
            Finish::Stop | Finish::ToolCalls | Finish::Other if self.has_cut_call() => Finish::Length,
            Finish::Stop | Finish::ToolCalls | Finish::Other if calls => Finish::ToolCalls,
            Finish::Stop if self.refuses() => Finish::Refusal,
            Finish::ToolCalls => Finish::Stop,
            said => said,
        }
    }

    /// Whether the arguments of a call break off.
    pub(super) fn has_cut_call(&self) -> bool {
        self.calls().any(|call| !call.custom && call.args.state(None) == ArgsState::Incomplete)
    }

    /// Why the reply ended by the provider's own word, for clients that judge the arguments of its calls themselves.
    pub(crate) fn said_end(&self) -> Finish {
        if self.cut_call && self.finish == Finish::Length { Finish::ToolCalls } else { self.finish }
    }

    /// Whether both have the same content and the same end. What only streams have does not count.
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

    /// Whether there is a refusal.
    fn refuses(&self) -> bool {
        let mut parts = self.turns.iter().flat_map(|turn| &turn.parts);
        parts.any(|part| matches!(&part.kind, Kind::Refusal(words) if !words.is_empty()))
    }

    /// The results of the calls that its server has run.
    pub fn results(&self) -> impl Iterator<Item = &ToolResult<H>> {
        self.turns.iter().flat_map(|turn| turn.results())
    }

    /// The calls that the caller has to run, in order. Calls of a server's own tools already have a result.
    pub fn calls(&self) -> impl Iterator<Item = &Call<H>> {
        let answered: HashSet<_> = self.results().map(|result| result.id.wtf8(None).into_owned()).collect();
        let calls = self.turns.iter().flat_map(|turn| turn.calls());
        calls.filter(move |call| answered.is_empty() || !answered.contains(&*call.id.wtf8(None)))
    }

    /// The texts of the answer, in order.
    pub fn texts(&self) -> impl Iterator<Item = &Text<H>> {
        self.turns.iter().flat_map(|turn| &turn.parts).filter_map(|part| match &part.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        })
    }
}

/// Whether arguments are the text `null`. Pieces of a stream may be blank for other reasons.
pub(crate) fn is_null<H: Host>(text: &Text<H>) -> bool {
    says_no_args(text, None) && !text.is_blank(None)
}

/// A call of the caller's own tool. `None` if nothing changes. Arguments that the tool's own form cannot have stay those of
/// a plain call.
fn own_call<H: Host>(call: &Call<H>, names: &ToolNames) -> Option<Call<H>> {
    if call.namespace.is_some() || call.form.is_some() {
        return None;
    }
    let wire = call.name.to_str(None);
    let Some(tool) = names.tool(&wire) else {
        let name = Text::own(names.own(&wire)?);
        return Some(Call { name, ..call.share() });
    };
    let name = Text::own(&tool.name);
    let namespace = tool.namespace.as_deref().map(|group| Box::new(Text::own(group)));
    let form = tool.call.and_then(CallForm::named);
    let form = form.filter(|form| call.args.value(None).is_some_and(|args| form.fits(&args)));
    let changes = *wire != *tool.name || namespace.is_some() || form != call.form;
    changes.then(|| Call { name, form, namespace, ..call.share() })
}
