//! A conversation as turns: what every dialect parses to and renders from, and what stages work on.

use std::sync::Arc;

use crate::{
    dialect::DialectId,
    handle::{Host, Input, Raw, Text},
    part::{Extras, Kind, Part, Parts, Place, share_extras},
    path::{Path, Step},
    tool::{Answer, Call, Choice, Tool},
};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions.
    System,
    /// Instructions, by the name that newer OpenAI models use.
    Developer,
    /// The person, or the program in their place.
    User,
    /// The model.
    Assistant,
    /// A tool's results, in dialects that give them a role.
    Tool,
}

impl Role {
    /// Every role there is.
    pub const ALL: [Self; 5] = [Self::System, Self::Developer, Self::User, Self::Assistant, Self::Tool];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    /// Whether it gives instructions.
    #[must_use]
    pub fn is_system(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }
}

/// One element of the payload's list.
#[derive(Debug)]
pub struct Turn<H: Host> {
    /// Who speaks.
    pub role: Role,
    /// The element's own id, where the wire has one.
    pub id: Option<Text<H>>,
    /// What is said, in order.
    pub parts: Parts<H>,
    /// The wire value it was read from: replayed to its own dialect while the turn is untouched.
    pub origin: Option<Raw<H>>,
    /// Keys of the origin that have no place here.
    pub extras: Option<Box<Extras<H>>>,
    /// The dialect and profile that it was read from.
    pub from: DialectId,
    /// The bytes that its spans point into.
    pub input: Option<Input>,
    /// Whether a stage has changed it.
    pub touched: bool,
}

/// Top-level system text.
#[derive(Debug)]
pub struct System<H: Host> {
    /// Its parts: text, mostly.
    pub parts: Parts<H>,
    /// The wire value it was read from.
    pub origin: Option<Raw<H>>,
}

/// What surrounds the turns in a payload. Shared by every conversation that grew from the same payload.
#[derive(Debug)]
pub struct Frame<H: Host> {
    /// The dialect that it was read from.
    pub from: DialectId,
    /// The payload's conversational keys in their order; empty where it was a bare list.
    pub order: Vec<&'static str>,
    /// The whole payload, where it holds nothing else.
    pub whole: Option<Raw<H>>,
    /// Top-level system text.
    pub system: Option<System<H>>,
    /// Tool definitions; `None` when the payload has none.
    pub tools: Option<Vec<Tool<H>>>,
    /// The wire value of the tools.
    pub tools_origin: Option<Raw<H>>,
    /// The choice of tools.
    pub choice: Option<Choice<H>>,
    /// The bytes that spans in here point into.
    pub input: Option<Input>,
}

impl<H: Host> Frame<H> {
    /// A frame with nothing in it.
    #[must_use]
    pub fn empty(from: DialectId) -> Self {
        Self {
            from,
            order: Vec::new(),
            whole: None,
            system: None,
            tools: None,
            tools_origin: None,
            choice: None,
            input: None,
        }
    }
}

/// Turns, and what surrounds them.
#[derive(Debug)]
pub struct Conversation<H: Host> {
    turns: Arc<Vec<Arc<Turn<H>>>>,
    /// The wire value of the whole list of turns, while no turn was added, taken or changed.
    list_origin: Option<Raw<H>>,
    /// System text, tools, choice of tools.
    pub frame: Arc<Frame<H>>,
    /// Whether calls or results may stand on the server (`previous_response_id` and the like).
    pub continues: bool,
}

impl<H: Host> Conversation<H> {
    /// A conversation as it was read.
    #[must_use]
    pub fn new(turns: Vec<Arc<Turn<H>>>, frame: Arc<Frame<H>>, list_origin: Option<Raw<H>>) -> Self {
        Self { turns: Arc::new(turns), list_origin, frame, continues: false }
    }

    /// The turns in order.
    #[must_use]
    pub fn turns(&self) -> &[Arc<Turn<H>>] {
        &self.turns
    }

    /// The turns, to be changed: the list as a whole is no longer what was read.
    pub fn turns_mut(&mut self) -> &mut Vec<Arc<Turn<H>>> {
        self.list_origin = None;
        Arc::make_mut(&mut self.turns)
    }

    /// The wire value of the whole list, while it is what was read.
    #[must_use]
    pub fn list_origin(&self) -> Option<&Raw<H>> {
        self.list_origin.as_ref()
    }

    /// Another conversation of the same turns.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            turns: self.turns.clone(),
            list_origin: self.list_origin.as_ref().map(Raw::share),
            frame: self.frame.clone(),
            continues: self.continues,
        }
    }
}

impl<H: Host> Turn<H> {
    /// A turn that was made here.
    #[must_use]
    pub fn new(role: Role, parts: impl Into<Parts<H>>) -> Self {
        Self { role, id: None, parts: parts.into(), origin: None, extras: None, from: DialectId::NONE, input: None, touched: false }
    }

    /// A copy that a stage may change: touched, its handles shared.
    #[must_use]
    pub fn touch(&self) -> Self {
        Self {
            role: self.role,
            id: self.id.as_ref().map(Text::share),
            parts: self.parts.iter().map(Part::share).collect(),
            origin: self.origin.as_ref().map(Raw::share),
            extras: share_extras(self.extras.as_deref()),
            from: self.from,
            input: self.input.clone(),
            touched: true,
        }
    }

    /// Its calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call<H>> {
        self.parts.iter().filter_map(|part| match &part.kind {
            Kind::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Its results, in order.
    pub fn answers(&self) -> impl Iterator<Item = &Answer<H>> {
        self.parts.iter().filter_map(|part| match &part.kind {
            Kind::Answer(answer) => Some(answer),
            _ => None,
        })
    }

    /// The path of the turn itself; a format whose payload is the bare list has no name for it.
    #[must_use]
    pub fn path(&self, index: usize) -> Path {
        Path::element(self.from.list(), index)
    }

    /// The path of one of its parts in the payload that it came from.
    #[must_use]
    pub fn part_path(&self, index: usize, part: usize) -> Path {
        self.path_of(self.from.list(), index, part)
    }

    /// The path of a part inside a result: under the result, where that has a wire value of its own.
    #[must_use]
    pub fn block_path(&self, index: usize, part: usize, block: &Part<H>) -> Path {
        let nested = self.parts.get(part).is_some_and(|part| part.place.index.is_some());
        if nested { self.part_path(index, part) } else { self.path(index) }.at(block.place)
    }

    /// The path of one of its parts: the caller's own where the part came from a payload.
    #[must_use]
    pub fn path_of(&self, list: &'static str, index: usize, part: usize) -> Path {
        let turn = Path::element(list, index);
        match self.parts.get(part).map(|part| part.place) {
            Some(place @ Place { key: Some(_), .. }) => turn.at(place),
            _ => turn.then(Step::Key("parts")).then(Step::Index(part)),
        }
    }
}
