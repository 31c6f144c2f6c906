//! A conversation as turns and a frame. Every dialect parses to it and renders from it, and stages work on it.
//!
//! [`Parsed`] owns its turns, which is enough for a conversion. A [`Conversation`] has each turn behind a shared
//! pointer, so that conversations can share turns. Renderers read both through a [`View`].

mod rest;
mod turns;
mod view;

use std::sync::Arc;

pub use self::{
    rest::{Rest, RestKey},
    view::View,
};

use self::turns::Turns;
use super::{
    choice::Choice,
    flaw::Flaw,
    part::Parts,
    tool::{ALONE, Tool},
    turn::Turn,
};
use crate::{
    report::{Path, Place, Sources, Step, ToolNames},
    rules::{DialectId, Slot, Spelling},
    value::{Extras, Host, Input, Raw, Text, extras::map_extras},
};

/// Top-level system text.
#[derive(Debug)]
pub struct System<H: Host> {
    /// Its parts, mostly text.
    pub parts: Parts<H>,
    /// The wire value it was read from.
    pub origin: Option<Raw<H>>,
    /// Unknown keys beside its parts.
    pub extras: Option<Box<Extras<H>>>,
}

impl<H: Host> System<H> {
    /// Parts without an origin or extras.
    #[must_use]
    pub fn of(parts: impl Into<Parts<H>>) -> Self {
        Self { parts: parts.into(), origin: None, extras: None }
    }
}

/// The keys of a payload beside its list: system text, tools, tool choice. Conversations that grew from one payload
/// share it.
#[derive(Debug)]
pub struct Frame<H: Host> {
    /// The dialect that it was read from.
    pub from: DialectId,
    /// The payload's conversational keys in their order. Empty for a bare list.
    pub order: Vec<&'static str>,
    /// The whole payload, if it has no other keys.
    pub whole: Option<Raw<H>>,
    /// The other keys, if there are any.
    pub rest: Option<Box<Rest<H>>>,
    /// Top-level system text.
    pub system: Option<System<H>>,
    /// Tool definitions. `None` if the payload has none.
    pub tools: Option<Vec<Tool<H>>>,
    /// The wire value of the tools.
    pub tools_origin: Option<Raw<H>>,
    /// The choice of tools.
    pub choice: Option<Choice<H>>,
    /// The key that holds both tools and their choice, in formats with one.
    pub outer: Option<Outer<H>>,
    /// The places of these keys in the payload.
    pub places: FramePlaces,
    /// The key that says that the server may have earlier calls or results, such as `previous_response_id`.
    pub continues: Option<&'static str>,
    /// The places of values that were not read, because another spelling of the key counts; in the form of `places`.
    pub unread: Vec<&'static str>,
    /// What servers would refuse about the payload's keys.
    pub flaw: Option<&'static Flaw>,
    /// The target that would have read the payload, if it knew every key.
    pub lost_tie: Option<DialectId>,
    /// The caller's own names for the tools that a build renamed.
    pub names: ToolNames,
    /// The input that the spans of this frame point into.
    pub input: Option<Input>,
}

/// The value of one key that holds tools and their choice.
#[derive(Debug)]
pub struct Outer<H: Host> {
    /// The key.
    pub name: &'static str,
    /// Its wire value, as long as nothing in it has changed.
    pub origin: Option<Raw<H>>,
    /// Unknown keys inside.
    pub extras: Option<Box<Extras<H>>>,
    /// Whether these keys are settings.
    pub settings: bool,
}

/// The places in a payload of the keys beside its list.
#[derive(Clone, Copy, Debug)]
pub struct FramePlaces {
    /// System text.
    pub system: &'static str,
    /// Tool definitions.
    pub tools: &'static str,
    /// Whether the definitions are JSON text, inside which there are no paths.
    pub tools_in_text: bool,
    /// The choice of tools.
    pub choice: &'static str,
}

impl Default for FramePlaces {
    fn default() -> Self {
        Self { system: "system", tools: "tools", tools_in_text: false, choice: "tool_choice" }
    }
}

impl<H: Host> Frame<H> {
    /// An empty frame.
    #[must_use]
    pub fn empty(from: DialectId) -> Self {
        Self {
            from,
            order: Vec::new(),
            whole: None,
            rest: None,
            system: None,
            tools: None,
            tools_origin: None,
            choice: None,
            outer: None,
            places: FramePlaces::default(),
            continues: None,
            unread: Vec::new(),
            flaw: None,
            lost_tie: None,
            names: ToolNames::default(),
            input: None,
        }
    }

    /// The dialect of the body's other keys, which are its settings.
    pub(crate) fn settings_from(&self) -> DialectId {
        self.rest.as_ref().map(|rest| rest.from).filter(|from| *from != DialectId::NONE).unwrap_or(self.from)
    }

    /// The dialect of a definition: its own, if it was given beside the payload.
    pub(crate) fn dialect_of(&self, tool: &Tool<H>) -> DialectId {
        tool.of.unwrap_or(self.from)
    }

    /// Whether a definition is in the target's own format.
    pub(crate) fn is_own(&self, tool: &Tool<H>, target: DialectId) -> bool {
        self.dialect_of(tool).same_wire(target)
    }

    /// The path of top-level system text.
    #[must_use]
    pub fn system_path(&self) -> Path {
        Path::default().at(Place::key(self.places.system))
    }

    /// The path of the tool definitions.
    #[must_use]
    pub fn tools_path(&self) -> Path {
        Path::default().at(Place::key(self.places.tools))
    }

    /// The path of one tool definition.
    #[must_use]
    pub fn tool_path(&self, index: usize) -> Path {
        if self.places.tools_in_text {
            return self.tools_path();
        }
        let item = |index| match index {
            ALONE => self.tools_path(),
            index => Path::default().at(Place::item(self.places.tools, index as usize)),
        };
        let tool = self.tools.as_ref().and_then(|tools| tools.get(index));
        match tool.and_then(|tool| tool.inside.map(|inside| (inside, tool))) {
            None => item(index as u32),
            // A provider-run tool is the value under its own name.
            Some(((entry, _), tool)) if tool.by_provider => {
                item(entry).then(Step::Name(tool.name.to_str(self.input.as_ref()).as_ref().into()))
            }
            Some(((entry, place), _)) => item(entry).at(place),
        }
    }

    /// The path of a key of one tool definition. `key` may be several keys with dots between them.
    #[must_use]
    pub fn tool_key_path(&self, index: usize, key: &'static str) -> Path {
        let path = self.tool_path(index);
        if self.places.tools_in_text {
            return path;
        }
        let within = self.tools.as_ref().and_then(|tools| tools.get(index)).map_or("", |tool| tool.keys.0);
        let steps = [within, key].into_iter().filter(|keys| !keys.is_empty()).flat_map(|keys| keys.split('.'));
        steps.fold(path, |path, key| path.then(Step::Key(key)))
    }

    /// The path of the schema of one tool definition.
    #[must_use]
    pub fn schema_path(&self, index: usize) -> Path {
        let tool = self.tools.as_ref().and_then(|tools| tools.get(index));
        self.tool_key_path(index, tool.map_or("", |tool| tool.keys.1))
    }

    /// The path of the choice of tools.
    #[must_use]
    pub fn choice_path(&self) -> Path {
        Path::default().at(Place::key(self.places.choice))
    }

    /// The spelling of a slot: the one that was read from a payload of this format, else another one in that payload,
    /// else the first.
    pub(crate) fn spelling_of(&self, slot: Slot, own: bool) -> &'static Spelling {
        let places = &self.places;
        let read = |spelling: &&Spelling| [places.system, places.tools, places.choice].contains(&spelling.path());
        let beside = |spelling: &&Spelling| self.outer.as_ref().is_some_and(|outer| outer.name == spelling.top().name);
        let came = |spelling: &&Spelling| self.order.contains(&spelling.top().name);
        let find = |is: &dyn Fn(&&Spelling) -> bool| slot.0.iter().filter(came).find(is);
        let found = find(&read).or_else(|| find(&beside)).or_else(|| find(&came));
        found.filter(|_| own).unwrap_or(slot.first())
    }

    /// Marks everything under a deprecated key to be written under the current one. The places stay, because paths lead
    /// there.
    pub(crate) fn renew(&mut self) {
        let Some(slots) = self.from.facts.slots else { return };
        let old = |slot: Option<Slot>| slot.and_then(|slot| Some((slot.first(), slot.0.iter().find(|one| one.old)?)));
        for (first, old) in [old(slots.tools), old(slots.choice)].into_iter().flatten() {
            let Some(key) = self.order.iter_mut().find(|key| **key == old.key.name) else { continue };
            *key = first.key.name;
            if self.places.tools == old.path() {
                self.tools_origin = None;
                let own = self.tools.iter_mut().flatten().filter(|tool| !tool.by_provider);
                own.for_each(|tool| tool.origin = None);
            } else {
                self.choice.iter_mut().for_each(|choice| choice.origin = None);
            }
        }
    }
    /// The frame with new handles, to be changed. It no longer equals the payload.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        let system = self.system.as_ref().map(|system| System {
            parts: system.parts.iter().map(|part| part.map(text, raw)).collect(),
            origin: system.origin.as_ref().map(&mut *raw),
            extras: map_extras(system.extras.as_deref(), text, raw),
        });
        Self {
            from: self.from,
            order: self.order.clone(),
            whole: None,
            rest: self.rest.as_ref().map(|rest| Box::new(rest.map(text, raw))),
            system,
            tools: self.tools.as_ref().map(|tools| tools.iter().map(|tool| tool.map(text, raw)).collect()),
            tools_origin: self.tools_origin.as_ref().map(&mut *raw),
            choice: self.choice.as_ref().map(|choice| choice.map(text, raw)),
            outer: self.outer.as_ref().map(|outer| Outer {
                name: outer.name,
                origin: None,
                extras: map_extras(outer.extras.as_deref(), text, raw),
                settings: outer.settings,
            }),
            places: self.places,
            continues: self.continues,
            unread: self.unread.clone(),
            flaw: self.flaw,
            lost_tie: self.lost_tie,
            names: self.names.clone(),
            input: self.input.clone(),
        }
    }
}

/// A payload as it was read.
#[derive(Debug)]
pub struct Parsed<H: Host> {
    /// The turns in order.
    pub turns: Vec<Turn<H>>,
    /// The wire value of the whole list, if all turns came from it in one dialect.
    pub list_origin: Option<Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: Frame<H>,
}

/// Turns and their frame.
#[derive(Debug)]
pub struct Conversation<H: Host> {
    turns: Arc<Turns<H>>,
    /// The wire value of the whole list of turns, as long as no turn was added, removed or changed.
    pub(crate) list_origin: Option<Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: Arc<Frame<H>>,
    /// The caller's elements that each turn was made from. `None` if each turn is the element at its own index.
    origins: Option<Arc<[Sources]>>,
}

impl<H: Host> Conversation<H> {
    /// A conversation as it was read.
    #[must_use]
    pub fn new(turns: Vec<Arc<Turn<H>>>, frame: Arc<Frame<H>>, list_origin: Option<Raw<H>>) -> Self {
        Self { turns: Arc::new(Turns::new(turns)), list_origin, frame, origins: None }
    }

    /// The turns in order.
    #[must_use]
    pub fn turns(&self) -> &[Arc<Turn<H>>] {
        self.turns.all()
    }

    /// The number of turns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there are no turns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The wire value of the whole list of turns, as long as no turn was added, removed or changed.
    #[must_use]
    pub fn list_origin(&self) -> Option<&Raw<H>> {
        self.list_origin.as_ref()
    }

    /// The payload that it was read from in one dialect, as long as nothing was changed.
    #[must_use]
    pub fn payload(&self) -> Option<&Raw<H>> {
        let (list, frame) = (self.list_origin.as_ref()?, &*self.frame);
        if frame.order.is_empty() {
            let bare = frame.system.is_none() && frame.tools.is_none() && frame.rest.is_none();
            return Some(list).filter(|_| bare);
        }
        frame.whole.as_ref().or_else(|| frame.rest.as_ref()?.origin.as_ref())
    }

    /// Sets the caller's elements that each turn was made from.
    #[must_use]
    pub fn made_of(self, origins: Option<Arc<[Sources]>>) -> Self {
        Self { origins, ..self }
    }

    /// The caller's elements that each turn was made from. `None` if each turn is the element at its own index.
    #[must_use]
    pub fn origins(&self) -> Option<&[Sources]> {
        self.origins.as_deref()
    }

    /// The turns, to be changed. From now on this list counts as the caller's own, and not as the payload's.
    pub fn turns_mut(&mut self) -> &mut Vec<Arc<Turn<H>>> {
        self.list_origin = None;
        self.origins = None;
        Arc::make_mut(&mut self.turns).all_mut()
    }

    /// Adds turns at the end of a copy. Costs only the new turns.
    #[must_use]
    pub fn extended(&self, turns: Vec<Arc<Turn<H>>>) -> Self {
        if turns.is_empty() {
            return self.share();
        }
        let turns = Arc::new(self.turns.extended(turns));
        Self { turns, list_origin: None, frame: self.frame.clone(), origins: None }
    }

    /// Another conversation with the same turns.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            turns: self.turns.clone(),
            list_origin: self.list_origin.as_ref().map(Raw::share),
            frame: self.frame.clone(),
            origins: self.origins.clone(),
        }
    }
}

impl<H: Host> From<Parsed<H>> for Conversation<H> {
    fn from(parsed: Parsed<H>) -> Self {
        let turns = parsed.turns.into_iter().map(Arc::new).collect();
        Self::new(turns, Arc::new(parsed.frame), parsed.list_origin)
    }
}
