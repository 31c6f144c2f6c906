//! The dialects: a table of wire formats and their profiles, and the dispatch to each format's own file.

mod alphabet;
mod amazon_q;
mod anthropic;
mod bedrock;
mod elements;
mod envelope;
mod error_flag;
#[cfg(test)]
mod flip;
mod frame;
mod gemini;
mod history;
pub mod limits;
mod nameless;
mod openai;
mod openai_responses;
mod outline;
mod read;
mod rows;
mod schema;
mod signs;
mod slots;
mod system;
pub mod tools;
mod wire_keys;
pub mod words;
mod write;

pub(crate) use amazon_q::typed;

pub use crate::dialect_id::DialectId;
use crate::{
    conversation::{Frame, Parsed, View},
    error::{Code, Error},
    handle::{Host, Value},
    loss::{Loss, Losses, Options},
    part::Parts,
    path::{Path, Trail},
    provenance::Provenance,
    reply::Said,
    stream::{Assembly, Event},
    tool::{Choice, ChoiceKind, Tool},
    turn::Turn,
    value::{Key, Sink, Source, tree::Tree},
};
pub use elements::{Elements, Made};
pub use limits::Limits;
use outline::Message;
pub(crate) use outline::{media_fits, speaker, takes as media_takes};
pub(crate) use signs::{Signs, Spot};
use slots::Slots;
use system::SystemText;
pub(crate) use wire_keys::{KeyRule, KeyValue, Verdict, WireKeys};
use write::Writer;

/// One wire format: how its payload is read and written. Stages never see it; it never sees a budget.
pub(crate) trait Dialect {
    /// Its public name.
    const NAME: &'static str;
    /// By what its payloads can be told from others.
    const SIGNS: Signs;
    /// The same of profiles that know more, by their full names: they count where the profile is the target.
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[];
    /// Where the payload keeps what.
    const SLOTS: Slots;
    /// Its limits, by the name of the profile; the first is the format itself and has no name.
    const PROFILES: &'static [(&'static str, Limits)];
    /// Keys that it takes though nothing here looks at them, and keys of its SDK's reply objects, which it refuses.
    const KEYS: WireKeys = WireKeys::ANY;
    /// Keys by which a reply can be told from others: one of these sets is there.
    const REPLY: &'static [&'static [&'static Key]] = &[];
    /// What a streamed reply is put together in.
    type Stream<H: Host>: Assembly<H = H>;

    /// Reads one element of the list into `turn`, which has nothing in it yet but its wire value.
    fn turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error>;
    /// Reads top-level system text, which stands at `place`. Only formats with a slot for it are asked.
    fn system<S: Source>(_: &S, _place: &'static str) -> Result<Parts<S::H>, Error> {
        Ok(Parts::new())
    }
    /// Reads the list of tool definitions.
    fn tools<S: Source>(list: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
        list.items().enumerate().map(|(index, tool)| Self::tool(&tool, &at.index(index))).collect()
    }
    /// Reads one tool definition.
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::tool(tool, at)
    }
    /// Reads the choice of tools.
    fn choice<S: Source>(choice: &S, _: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        Ok(Choice { kind: ChoiceKind::Opaque, origin: Some(choice.raw()), extras: None, flaw: None })
    }
    /// Reads a whole reply.
    fn reply<H: Host>(_: &Tree<'_, H>, _: &mut Said<H>) -> Result<(), Error> {
        Err(without_replies())
    }

    /// Writes one message. What it says is decided: see [`outline`].
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, message: &Message<'_, H>) -> Result<(), Error>;
    /// Writes top-level system text, at least one. Only formats with a slot for it are asked.
    fn write_system<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &[SystemText<'_, H>]) {}
    /// Writes the list of tool definitions, each with its index.
    fn write_tools<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tools: &[(usize, &Tool<H>)]) -> Result<(), Error> {
        let frame = w.conversation.frame;
        let own = frame.from.same_wire(w.target.id);
        w.out.open_list();
        for (index, tool) in tools {
            match &tool.origin {
                Some(origin) if own => w.out.raw(origin),
                _ => Self::write_tool(w, tool, &frame.tool_path(*index))?,
            }
        }
        w.out.close();
        Ok(())
    }
    /// Writes a tool definition that the format can express.
    fn write_tool<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Tool<H>, _: &Path) -> Result<(), Error> {
        Ok(())
    }
    /// Writes the choice of tools; never an opaque one.
    fn write_choice<H: Host, K: Sink<H>>(_: &mut Writer<'_, H, K>, _: &Choice<H>) {}
}

/// What a payload is written for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) id: DialectId,
    pub(crate) limits: &'static Limits,
    pub(crate) options: &'a Options,
}

/// The state of a format's streams.
type StreamOf<D, H> = <D as Dialect>::Stream<H>;

/// Makes the table of wire formats, and `dispatch!`, which runs code with the type of one of them.
macro_rules! dialects {
    ($dollar:tt $($module:ident :: $wire:ident),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Wire { $($wire),+ }

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

        const WIRES: &[Row] = &[$(Row::of::<$module::$wire>(Wire::$wire)),+];

        macro_rules! dispatch {
            ($dollar wire:expr, $dollar D:ident => $dollar body:expr) => {
                match $dollar wire { $(Wire::$wire => { type $dollar D = $module::$wire; $dollar body })+ }
            };
        }
    };
}

// A dialect is a `mod` line above and a row here.
dialects! { $
    openai::OpenAi,
    openai_responses::OpenAiResponses,
    anthropic::Anthropic,
    gemini::Gemini,
    bedrock::Bedrock,
    amazon_q::AmazonQ,
    history::History,
}

struct Row {
    wire: Wire,
    name: &'static str,
    signs: Signs,
    profile_signs: &'static [(&'static str, Signs)],
    profiles: Profiles,
    keys: WireKeys,
    slots: &'static Slots,
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
            keys: D::KEYS,
            slots: &D::SLOTS,
            reply: D::REPLY,
        }
    }
}

/// Reads a payload of the dialect `from`.
pub fn parse<S: Source>(payload: &S, from: DialectId, elements: &Elements<'_, S>) -> Result<Parsed<S::H>, Error> {
    dispatch!(from.row()?.wire, D => frame::parse::<D, S>(payload, from, elements))
        .map_err(|error| error.or_in_dialect(&from.name()))
}

/// Reads one element of a list into a turn that says which dialect it is in.
fn read_turn<S: Source>(element: &S, index: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    dispatch!(turn.from.row()?.wire, D => D::turn(element, index, at, turn))
}

/// Reads a whole reply of the dialect `from`.
pub(crate) fn read_reply<H: Host>(payload: &Tree<'_, H>, from: DialectId, said: &mut Said<H>) -> Result<(), Error> {
    dispatch!(from.row()?.wire, D => D::reply(payload, said))?;
    if nameless::may_be(from) {
        nameless::link(&mut said.turns);
    }
    Ok(())
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

/// Reads one element of the list of a payload of the dialect `from`.
pub fn parse_turn<S: Source>(element: &S, from: DialectId) -> Result<Turn<S::H>, Error> {
    dispatch!(from.row()?.wire, D => frame::parse_turn::<D, S>(element, from))
        .map_err(|error| error.in_dialect(&from.name()))
}

/// Reads tool definitions that are given beside a payload: as those of a dialect, or in any form.
pub fn read_tools<S: Source>(list: &S, own: Option<DialectId>) -> Result<Vec<Tool<S::H>>, Error> {
    let at = Trail::ROOT.key("tools");
    match own {
        Some(own) => dispatch!(own.row()?.wire, D => D::tools(list, &at)),
        None => list.items().enumerate().map(|(index, tool)| tools::tool(&tool, &at.index(index))).collect(),
    }
}

/// Writes nothing but the list of turns, those of entities in their entities.
fn render_turns<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    losses: &mut Losses,
    out: &mut K,
) -> Result<(), Error> {
    let row = target.row()?;
    let options = Options::default();
    let wanted = Target { id: target, limits: target.limits()?, options: &options };
    out.open_list();
    let mut w = Writer::new(conversation, wanted, losses, out);
    w.in_entities = true;
    dispatch!(row.wire, D => outline::write::<D, H, K>(&mut w))?;
    out.close();
    Ok(())
}

/// Writes a payload of the dialect `target`. Says where its elements come from.
pub fn render<H: Host, K: Sink<H>>(
    conversation: &View<'_, H>,
    target: DialectId,
    options: &Options,
    losses: &mut Losses,
    out: &mut K,
) -> Result<Provenance, Error> {
    let row = target.row()?;
    let wanted = Target { id: target, limits: target.limits()?, options };
    let mut w = Writer::new(conversation, wanted, losses, out);
    dispatch!(row.wire, D => envelope::render::<D, H, K>(&mut w)).map_err(|error| error.in_dialect(&target.name()))?;
    Ok(w.provenance)
}

/// Limits by the name of the profile.
type Profiles = &'static [(&'static str, Limits)];

/// The signs of every dialect, in the order of the table.
pub(crate) fn signs() -> impl Iterator<Item = (&'static str, Signs)> {
    WIRES.iter().map(|row| (row.name, row.signs)).chain(signs::SIGNS.iter().copied())
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

/// Every name that has limits: the formats that can be read and written, then the others.
fn table() -> impl Iterator<Item = (&'static str, Profiles)> {
    let wires = WIRES.iter().map(|row| (row.name, row.profiles));
    wires.chain(rows::ROWS.iter().copied())
}

impl DialectId {
    /// The dialect `name`, or `name:profile`. Also one that is only known by its limits so far.
    pub fn named(name: &str) -> Result<Self, Error> {
        let (wire, profile) = name.split_once(':').unwrap_or((name, ""));
        table()
            .enumerate()
            .filter(|(_, (name, _))| *name == wire)
            .find_map(|(at, (_, profiles))| {
                let profile = profiles.iter().position(|(name, _)| *name == profile)?;
                Some(Self { row: at as u8, profile: profile as u8 })
            })
            .ok_or_else(|| {
                let known = names().collect::<Vec<_>>().join(", ");
                Error::new(Code::UnknownDialect, format!("expected one of {known}, got {name:?}"))
            })
    }

    /// How it is read and written.
    fn row(self) -> Result<&'static Row, Error> {
        WIRES.get(usize::from(self.row)).ok_or_else(|| {
            let text = match self.known() {
                Some((name, _)) => format!("{name} is known by its limits, but can not be read or written yet"),
                None => "these turns have no dialect".to_owned(),
            };
            Error::new(Code::UnknownDialect, text)
        })
    }

    /// Whether it is more than limits.
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
        if let Some(other) = limits::overridden(self) {
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

/// Whether anything of a turn will be written for the target.
pub(crate) fn says<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return true };
    let as_it_came = turn.from.same_wire(target) && !turn.touched && turn.origin.is_some();
    as_it_came || write::says(turn, limits, false, |part| write::goes_back(turn, part, target))
}

/// Whether the user says something beside results in a turn, as far as the target takes it.
pub(crate) fn asks<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    let Ok(limits) = target.limits() else { return false };
    write::asks(turn, limits, false, |part| write::goes_back(turn, part, target))
}

/// Writes one turn as its own dialect does, in its entity, as a list of elements. True when nothing of it was lost or changed.
pub fn render_turn<H: Host, K: Sink<H>>(turn: &Turn<H>, out: &mut K) -> Result<bool, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame };
    render_turns(&conversation, turn.from, &mut losses, out)?;
    Ok(losses.list.is_empty())
}

/// Writes one turn as its own dialect does, as the element itself. Says what was lost or changed.
pub(crate) fn render_message<H: Host, K: Sink<H>>(turn: &Turn<H>, out: &mut K) -> Result<Vec<Loss>, Error> {
    let mut losses = Losses::new(&Options::default());
    let frame = Frame::empty(turn.from);
    let conversation = View { turns: vec![turn], list_origin: None, frame: &frame };
    let (options, row) = (Options::default(), turn.from.row()?);
    let wanted = Target { id: turn.from, limits: turn.from.limits()?, options: &options };
    let mut w = Writer::new(&conversation, wanted, &mut losses, out);
    dispatch!(row.wire, D => outline::write::<D, H, K>(&mut w)).map_err(|error| error.in_dialect(row.name))?;
    w.out.fault().map_or(Ok(losses.list), Err)
}

/// The names of all dialects and profiles that can be read and written.
pub fn names() -> impl Iterator<Item = String> {
    WIRES.iter().enumerate().flat_map(|(row, wire)| {
        (0..wire.profiles.len()).map(move |profile| DialectId { row: row as u8, profile: profile as u8 }.name())
    })
}
