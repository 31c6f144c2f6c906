//! Declares the table of dialects: each wire format and its profiles, by name, and the dispatch to its type.

use super::{
    ag_ui, ai_sdk, ai_sdk_ui, amazon_q, anthropic, bedrock, cohere, gemini, gemini_interactions, history, hugging_face,
    llama, mistral, ollama, openai, openai_responses, otel, servers, sharegpt, structured, suggest::unknown,
};
use crate::{
    report::{Change, Error, error::Code},
    rules::{DialectId, Facts, ReplySigns, Signs, block_rule::block_rule_of, dialect_id::no_dialect},
    value::{Host, Key, NodeKind, Source, Text, Value},
    wire::{
        format::Reply,
        response::{Around, Closing, FailureRows, FailureWords},
        stream::{Assembly, Event, Frames, Framing, StreamWriter, Told},
    },
};

/// The state of a format's streams.
type StreamOf<D, H> = <D as Reply>::Stream<H>;
/// The stream writer of a format.
type OutOf<D, H> = <D as Reply>::Out<H>;

/// Makes the table of wire formats, and `dispatch!`, which runs code with the type of one of them.
macro_rules! dialects {
    ($dollar:tt $($module:ident :: $wire:ident),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Wire { $($wire),+ }

        /// A stream that is being assembled, in its format's state.
        pub(crate) enum Stream<H: Host> { $($wire(Box<StreamOf<$module::$wire, H>>)),+ }

        impl<H: Host> Stream<H> {
            /// The state before the first chunk.
            pub(crate) fn new(from: DialectId) -> Result<Self, Error> {
                if from.facts.reply_signs.is_empty() {
                    return Err(without_replies());
                }
                match Wire::of(from)? { $(Wire::$wire => StreamOf::<$module::$wire, H>::new().map(Box::new).map(Self::$wire)),+ }
            }
            /// Whether objects of this type can be skipped, because the SDK derives them from others.
            pub(crate) fn is_derived(&self, kind: &str) -> bool {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::is_derived(kind)),+ }
            }
            /// Whether the attributes of objects may be read.
            pub(crate) fn reads_attributes(&self) -> bool {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::reads_attributes()),+ }
            }
            /// Whether only the format knows where the id and the model are.
            pub(crate) fn has_own_head(&self) -> bool {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::has_own_head()),+ }
            }
            /// Whether the body of a response is a binary event stream.
            pub(crate) fn is_binary(&self) -> bool {
                match self { $(Self::$wire(_) => OutOf::<$module::$wire, H>::FRAMING == Framing::Binary),+ }
            }
            /// Whether the body of a response is lines of JSON.
            pub(crate) fn is_lines(&self) -> bool {
                match self { $(Self::$wire(_) => OutOf::<$module::$wire, H>::FRAMING == Framing::Lines),+ }
            }
            /// Whether the reply is complete.
            pub(crate) fn is_over(&self) -> bool {
                match self { $(Self::$wire(state) => state.is_over()),+ }
            }
            /// Takes one chunk.
            pub(crate) fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
                match self { $(Self::$wire(state) => state.feed(chunk, out)),+ }
            }
            /// Whether the stream itself has said that it is complete.
            pub(crate) fn has_ended(&self) -> bool {
                match self { $(Self::$wire(state) => StreamOf::<$module::$wire, H>::has_ended(state)),+ }
            }
            /// Whether the mark of the end completes a reply that has not said how it ended.
            pub(crate) fn ends_by_mark(&self) -> bool {
                match self { $(Self::$wire(state) => StreamOf::<$module::$wire, H>::ends_by_mark(state)),+ }
            }
            /// The whole reply.
            pub(crate) fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
                match self { $(Self::$wire(state) => state.finish(cut, out)),+ }
            }
            /// What the chunks contained and the whole reply cannot hold.
            pub(crate) fn losses(&mut self) -> Vec<Change> {
                match self { $(Self::$wire(state) => state.losses()),+ }
            }
        }

        /// A stream that is being written, in its format's state.
        pub(crate) enum Out<H: Host> { $($wire(Box<OutOf<$module::$wire, H>>)),+ }

        impl<H: Host> Out<H> {
            /// The state before the first event.
            pub(crate) fn new(to: DialectId, around: Around<H>) -> Result<Self, Error> {
                match Wire::of(to)? { $(Wire::$wire => OutOf::<$module::$wire, H>::new(to, around).map(Box::new).map(Self::$wire)),+ }
            }
            /// How events are framed in a body.
            pub(crate) fn framing(to: DialectId) -> Framing {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::FRAMING,)+ Err(_) => Framing::Data }
            }
            /// Whether clients do not notice that a reply broke off.
            pub(crate) fn is_silent(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::SILENT,)+ Err(_) => false }
            }
            /// Whether several parts may be open at once.
            pub(crate) fn is_parallel(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::PARALLEL,)+ Err(_) => false }
            }
            /// Whether a reply may end with a pause, after which the client asks the model to continue.
            pub(crate) fn pauses(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::PAUSES,)+ Err(_) => false }
            }
            /// Whether clients read a body that is a JSON list of its chunks.
            pub(crate) fn is_list(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::LIST,)+ Err(_) => false }
            }
            /// Whether it writes the arguments of a call as an object.
            pub(crate) fn has_objects(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::OBJECTS,)+ Err(_) => false }
            }
            /// Whether a client takes the arguments at the end of a call, whatever its pieces were.
            pub(crate) fn is_whole(to: DialectId) -> bool {
                match Wire::of(to) { $(Ok(Wire::$wire) => OutOf::<$module::$wire, H>::WHOLE,)+ Err(_) => false }
            }
            /// Whether it holds a call that is not written yet.
            pub(crate) fn holds(&self) -> bool {
                match self { $(Self::$wire(state) => state.holds()),+ }
            }
            /// Goes on behind this many chunks of a reply with this id, which were replayed.
            pub(crate) fn goes_on(&mut self, id: Option<Text<H>>, chunks: u64) {
                match self { $(Self::$wire(state) => state.goes_on(id, chunks)),+ }
            }
            /// Takes one event.
            pub(crate) fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
                match self { $(Self::$wire(state) => state.event(event, out)),+ }
            }
            /// Writes the end of a whole reply.
            pub(crate) fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
                match self { $(Self::$wire(state) => state.end(closing, out)),+ }
            }
            /// Writes the end of a broken reply.
            pub(crate) fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
                match self { $(Self::$wire(state) => state.fail(words, out)),+ }
            }
        }

        pub(crate) static WIRES: &[Facts] = &[$(Facts::of::<$module::$wire>(Wire::$wire as u8)),+];

        impl Wire {
            /// The format of an id.
            pub(super) fn of(id: DialectId) -> Result<Self, Error> {
                const ALL: &[Wire] = &[$(Wire::$wire),+];
                ALL.get(usize::from(id.facts.row)).copied().ok_or_else(no_dialect)
            }
        }

        macro_rules! dispatch {
            ($dollar wire:expr, $dollar D:ident => $dollar body:expr) => {
                match $dollar wire { $(Wire::$wire => { type $dollar D = crate::dialects::$module::$wire; $dollar body })+ }
            };
        }
    };
}

// A dialect is a `mod` line in `dialects.rs` and a row here.
dialects! { $
    openai::OpenAi,
    openai_responses::OpenAiResponses,
    anthropic::Anthropic,
    gemini::Gemini,
    bedrock::Bedrock,
    ollama::Ollama,
    mistral::Mistral,
    cohere::Cohere,
    amazon_q::AmazonQ,
    history::History,
    llama::Llama,
    sharegpt::ShareGpt,
    structured::Structured,
    hugging_face::HuggingFace,
    ai_sdk::AiSdk,
    ai_sdk_ui::AiSdkUi,
    ag_ui::AgUi,
    gemini_interactions::GeminiInteractions,
    otel::Otel,
}

pub(super) use dispatch;

/// Every dialect with replies, with their signs.
pub(crate) fn reply_keys() -> impl Iterator<Item = (DialectId, ReplySigns)> {
    let with_replies = WIRES.iter().filter(|facts| !facts.reply_signs.is_empty());
    with_replies.map(|facts| (DialectId { facts, profile: 0 }, facts.reply_signs))
}

/// The rows of every format with replies for its errors.
pub(crate) fn failure_rows() -> impl Iterator<Item = FailureRows> {
    reply_keys().filter_map(|(id, _)| Some(super::registry::response_rule(id).ok()?.failures))
}

/// The dialect of a reply: the first that has all of its keys.
pub(crate) fn reply_of<S: Source>(payload: &S) -> Option<DialectId> {
    // For a list of events, the first one shows the dialect.
    let first = if payload.kind() == NodeKind::List { payload.items().next() } else { None };
    let payload = first.as_ref().unwrap_or(payload);
    let has = |keys: &&[&'static Key]| keys.iter().all(|key| payload.get(key).is_some());
    reply_keys().find(|(_, signs)| signs.iter().any(has)).map(|(id, _)| id)
}

/// The formats that describe tools of this type, which they name themselves.
pub(crate) fn tools_of(kind: &str) -> impl Iterator<Item = DialectId> {
    let describe = |facts: &&Facts| block_rule_of(facts.keys.tools, kind).is_some();
    WIRES.iter().filter(describe).map(|facts| DialectId { facts, profile: 0 })
}

/// The formats that show the model some tools after a search only, each with the key of a definition that says so.
pub(crate) fn hiding() -> impl Iterator<Item = (DialectId, &'static str)> {
    WIRES.iter().filter_map(|facts| Some((DialectId { facts, profile: 0 }, facts.deferred?.flag)))
}

/// The error of a format that is only stored.
#[cold]
pub(crate) fn without_replies() -> Error {
    let known: Vec<_> = reply_keys().map(|(id, _)| id.name()).collect();
    Error::new(Code::UnknownDialect, format!("expected a dialect with replies, one of {}", known.join(", ")))
}

/// The signs of every dialect, in the order of the table.
pub(crate) fn signs() -> impl Iterator<Item = (&'static str, Signs)> {
    WIRES.iter().map(|row| (row.name, row.signs))
}

/// The formats that have limits.
#[cfg(test)]
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    WIRES.iter().map(|facts| facts.name)
}

/// The formats with their block rules.
#[cfg(test)]
pub(crate) fn block_rules() -> impl Iterator<Item = (DialectId, &'static [crate::rules::block_rule::BlockRule])> {
    WIRES.iter().map(|facts| (DialectId { facts, profile: 0 }, facts.keys.blocks))
}

/// The signs of profiles with more words than their formats.
pub(crate) fn profile_signs() -> impl Iterator<Item = (&'static str, Signs)> {
    WIRES.iter().flat_map(|row| row.profile_signs.iter().copied())
}

impl DialectId {
    /// The dialect `name`, or `name:profile`, or a row that such a name is the base of: `name+column=value`.
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = |facts: &'static Facts| {
            let rest = name.strip_prefix(facts.name)?;
            let wanted = if rest.is_empty() { rest } else { rest.strip_prefix(facts.between())? };
            let profile = facts.profiles.iter().position(|(name, _)| *name == wanted)?;
            Some(Self { facts, profile: profile as u16 }).filter(|_| rest.is_empty() || !wanted.is_empty())
        };
        if let Some(shipped) = WIRES.iter().find_map(found) {
            return Ok(shipped);
        }
        servers::named(name).unwrap_or_else(|| Err(Error::new(Code::UnknownDialect, unknown(name, names))))
    }
}

/// All dialects and profiles that can be read and written.
pub(crate) fn ids() -> impl Iterator<Item = DialectId> {
    let profiles =
        |facts: &'static Facts| (0..facts.profiles.len()).map(move |at| DialectId { facts, profile: at as u16 });
    WIRES.iter().flat_map(profiles)
}

/// The places of the messages in whole replies. A reply of another format is a message itself.
pub(crate) fn reply_messages() -> impl Iterator<Item = &'static str> {
    WIRES.iter().map(|facts| facts.reply_message).filter(|path| !path.is_empty())
}

/// The target, or else the first format, if its user texts may be results.
pub(crate) fn with_results(target: Option<DialectId>) -> Option<DialectId> {
    target.into_iter().chain(ids()).find(|id| id.facts.results_in_text)
}

/// Their names.
pub fn names() -> impl Iterator<Item = String> {
    ids().map(DialectId::name)
}
