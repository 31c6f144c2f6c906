//! The table of dialects: each wire format and its profiles, by name, and the dispatch to its type.

use super::{
    amazon_q, anthropic, bedrock, cohere, gemini, history, hugging_face, llama, mistral, ollama, openai,
    openai_responses, sharegpt, structured, suggest::meant,
};
use crate::{
    model::{conversation::Frame, dialect_id::DialectId},
    report::error::{Code, Error},
    value::{
        door::{Key, Source},
        handle::{Host, Value},
    },
    wire::{
        format::Dialect,
        rules::{extra_keys::WireKeys, limits::Limits, signs::Signs, slots::Slots},
        stream::{Assembly, Event},
    },
};

/// The state of a format's streams.
type StreamOf<D, H> = <D as Dialect>::Stream<H>;

/// Makes the table of wire formats, and `dispatch!`, which runs code with the type of one of them.
macro_rules! dialects {
    ($dollar:tt $($module:ident :: $wire:ident),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Wire { $($wire),+ }

        /// A stream while it is put together, in the state of its format.
        pub(crate) enum Stream<H: Host> { $($wire(Box<StreamOf<$module::$wire, H>>)),+ }

        impl<H: Host> Stream<H> {
            /// The state before the first chunk.
            pub(crate) fn new(from: DialectId) -> Result<Self, Error> {
                match from.row()?.wire { $(Wire::$wire => StreamOf::<$module::$wire, H>::new().map(Box::new).map(Self::$wire)),+ }
            }
            /// Whether objects of this type need not be read.
            pub(crate) fn is_derived(&self, kind: &str) -> bool {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::is_derived(kind)),+ }
            }
            /// Whether objects may be read by their attributes.
            pub(crate) fn reads_attributes(&self) -> bool {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::reads_attributes()),+ }
            }
            /// Whether the body of a response can be fed as it is.
            pub(crate) fn takes_bytes(&self) -> Result<(), Error> {
                match self { $(Self::$wire(_) => StreamOf::<$module::$wire, H>::takes_bytes()),+ }
            }
            /// Takes one chunk.
            pub(crate) fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Vec<Event<H>>) -> Result<(), Error> {
                match self { $(Self::$wire(state) => state.feed(chunk, out)),+ }
            }
            /// Whether the stream said itself that it has ended.
            pub(crate) fn has_ended(&self) -> bool {
                match self { $(Self::$wire(state) => StreamOf::<$module::$wire, H>::has_ended(state)),+ }
            }
            /// The whole reply.
            pub(crate) fn finish(&mut self, cut: bool, out: &mut Vec<Event<H>>) -> Result<Value<H>, Error> {
                match self { $(Self::$wire(state) => state.finish(cut, out)),+ }
            }
        }

        pub(super) const WIRES: &[Row] = &[$(Row::of::<$module::$wire>(Wire::$wire)),+];

        macro_rules! dispatch {
            ($dollar wire:expr, $dollar D:ident => $dollar body:expr) => {
                match $dollar wire { $(Wire::$wire => { type $dollar D = $module::$wire; $dollar body })+ }
            };
        }
    };
}

// A dialect is a `mod` line in `dialect.rs` and a row here.
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
}

pub(super) use dispatch;

/// What the table holds of a wire format.
pub(super) struct Row {
    pub(super) wire: Wire,
    pub(super) name: &'static str,
    signs: Signs,
    profile_signs: &'static [(&'static str, Signs)],
    pub(super) profiles: Profiles,
    apart: &'static [&'static str],
    keys: WireKeys,
    pub(super) slots: &'static Slots,
    reply: &'static [&'static [&'static Key]],
}

impl Row {
    const fn of<D: Dialect>(wire: Wire) -> Self {
        Self {
            wire,
            name: D::NAME,
            signs: D::SIGNS,
            profile_signs: D::PROFILE_SIGNS,
            profiles: D::PROFILES,
            apart: D::APART,
            keys: D::KEYS,
            slots: &D::SLOTS,
            reply: D::REPLY,
        }
    }
}

/// Every dialect that has replies, with the keys by which they can be told.
pub(crate) fn reply_keys() -> impl Iterator<Item = (DialectId, &'static [&'static [&'static Key]])> {
    let rows = WIRES.iter().enumerate().filter(|(_, row)| !row.reply.is_empty());
    rows.map(|(row, wire)| (DialectId { row: row as u8, profile: 0 }, wire.reply))
}

/// The error of a format that is stored and not answered in.
#[cold]
pub(crate) fn without_replies() -> Error {
    let known: Vec<_> = reply_keys().map(|(id, _)| id.name()).collect();
    Error::new(Code::UnknownDialect, format!("expected a dialect with replies, one of {}", known.join(", ")))
}

/// Limits by the name of the profile.
pub(super) type Profiles = &'static [(&'static str, Limits)];

/// The signs of every dialect, in the order of the table.
pub(crate) fn signs() -> impl Iterator<Item = (&'static str, Signs)> {
    WIRES.iter().map(|row| (row.name, row.signs))
}

/// The formats that have limits.
#[cfg(test)]
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    table().map(|(name, _)| name)
}

/// The signs of profiles that know more than their formats.
pub(crate) fn profile_signs() -> impl Iterator<Item = (&'static str, Signs)> {
    WIRES.iter().flat_map(|row| row.profile_signs.iter().copied())
}

/// Every name with its profiles.
fn table() -> impl Iterator<Item = (&'static str, Profiles)> {
    WIRES.iter().map(|row| (row.name, row.profiles))
}

impl DialectId {
    /// The dialect `name`, or `name:profile`.
    pub fn named(name: &str) -> Result<Self, Error> {
        // What people take for a profile may be a format of its own.
        let whole = WIRES.iter().any(|row| row.name == name);
        let (wire, profile) =
            name.split_once(':').filter(|(_, profile)| !whole && !profile.is_empty()).unwrap_or((name, ""));
        table()
            .enumerate()
            .filter(|(_, (name, _))| *name == wire)
            .find_map(|(at, (_, profiles))| {
                let profile = profiles.iter().position(|(name, _)| *name == profile)?;
                Some(Self { row: at as u8, profile: profile as u8 })
            })
            .ok_or_else(|| {
                let known = names().collect::<Vec<_>>().join(", ");
                let meant = meant(name, names()).map_or(String::new(), |one| format!(": did you mean {one:?}?"));
                Error::new(Code::UnknownDialect, format!("expected one of {known}, got {name:?}{meant}"))
            })
    }

    /// How it is read and written.
    pub(super) fn row(self) -> Result<&'static Row, Error> {
        WIRES.get(usize::from(self.row)).ok_or_else(|| Error::new(Code::UnknownDialect, "these turns have no dialect"))
    }

    /// Whether both spell the same wire format, perhaps by different profiles.
    #[must_use]
    pub fn same_wire(self, other: Self) -> bool {
        self.row == other.row && (self.profile == other.profile || !self.is_apart() && !other.is_apart())
    }

    /// Whether its profile spells the format in a way of its own.
    #[cold]
    fn is_apart(self) -> bool {
        self.row().is_ok_and(|row| row.apart.contains(&self.profile()))
    }

    /// The name of its profile; empty for the format itself.
    pub(crate) fn profile(self) -> &'static str {
        let named = self.known().and_then(|(_, profiles)| profiles.get(usize::from(self.profile)));
        named.map_or("", |(name, _)| name)
    }

    /// Whether it is any.
    pub(crate) fn can_be_read(self) -> bool {
        self.row().is_ok()
    }

    /// Its name without the profile, and its profiles.
    fn known(self) -> Option<(&'static str, Profiles)> {
        table().nth(usize::from(self.row))
    }

    /// Its limits.
    pub fn limits(self) -> Result<&'static Limits, Error> {
        #[cfg(test)]
        if let Some(other) = crate::wire::rules::limits::overridden(self) {
            return Ok(other);
        }
        self.known()
            .and_then(|(_, profiles)| profiles.get(usize::from(self.profile)))
            .map(|(_, limits)| limits)
            .ok_or_else(|| Error::new(Code::UnknownDialect, "these turns have no dialect"))
    }

    /// The keys that its format takes beyond those that are read, and those of its replies.
    pub(crate) fn keys(self) -> WireKeys {
        self.row().map_or(WireKeys::ANY, |row| row.keys)
    }

    /// Lets what came in an old spelling of a payload's keys be written anew.
    pub(crate) fn renew<H: Host>(self, frame: &mut Frame<H>) {
        if let Ok(row) = self.row() {
            row.slots.renew(frame);
        }
    }

    /// Whether its payload has a key for system text, beside the list.
    pub(crate) fn keeps_system_beside(self) -> bool {
        self.row().is_ok_and(|row| row.slots.system.is_some())
    }

    /// Its public name, profile included.
    #[must_use]
    pub fn name(self) -> String {
        let Some((name, profiles)) = self.known() else { return "none".to_owned() };
        match profiles.get(usize::from(self.profile)) {
            Some((profile, _)) if !profile.is_empty() => format!("{name}:{profile}"),
            _ => name.to_owned(),
        }
    }
}

/// The names of all dialects and profiles that can be read and written.
pub fn names() -> impl Iterator<Item = String> {
    WIRES.iter().enumerate().flat_map(|(row, wire)| {
        (0..wire.profiles.len()).map(move |profile| DialectId { row: row as u8, profile: profile as u8 }.name())
    })
}
