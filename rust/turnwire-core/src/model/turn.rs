//! A turn: a speaker, and parts.

use super::{
    entity::Entity,
    flaw::Flaw,
    part::{Kind, Part, Parts},
    tool::{Call, ToolResult},
};
use crate::{
    report::Path,
    rules::{DialectId, Limits, OneText, ResultPlace, SystemPlace},
    value::{Extras, Host, Input, Raw, Source, Text, extras::share_extras},
};

/// The role of a speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions.
    System,
    /// Instructions, by the name that newer OpenAI models use.
    Developer,
    /// The user, or a program on the user's behalf.
    User,
    /// The model.
    Assistant,
    /// A tool's results, in dialects that give them a role.
    Tool,
}

impl Role {
    /// Every role.
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

    /// Who brings results: the tool, if each is a message of its own, else the user.
    pub(crate) fn of_results(limits: &Limits) -> Self {
        match limits.results {
            ResultPlace::OneEach | ResultPlace::EachBehindCall | ResultPlace::WithCall => Self::Tool,
            _ => Self::User,
        }
    }

    /// Whether it must send one text instead of a list of parts.
    #[must_use]
    pub fn sends_one_text(self, limits: &Limits) -> bool {
        if self.is_system() && limits.system == SystemPlace::One {
            return true;
        }
        // There, system text is a part of the user's message.
        let is_user = self == Self::User || self.is_system() && limits.system == SystemPlace::User;
        match limits.one_text {
            OneText::Nobody => false,
            OneText::Replies => matches!(self, Self::Assistant | Self::Tool),
            OneText::AllButUser => !is_user,
            OneText::All => true,
        }
    }
}

/// One element of the payload's list.
#[derive(Debug)]
pub struct Turn<H: Host> {
    /// Who speaks.
    pub role: Role,
    /// The element's own id, if the wire has one.
    pub id: Option<Text<H>>,
    /// Its content, in order.
    pub parts: Parts<H>,
    /// The wire value it was read from. It is sent back to its own dialect as long as the turn is untouched.
    pub origin: Option<Raw<H>>,
    /// Unknown keys of the element.
    pub extras: Option<Box<Extras<H>>>,
    /// The dialect and profile that it was read from.
    pub from: DialectId,
    /// The key of its payload's list. Empty if the payload was a bare list, or if the turn was not read from a payload.
    pub list: &'static str,
    /// Whether it is the whole list: some payloads are a single text or element instead of a list.
    pub lone: bool,
    /// Whether it depends on another turn, on something outside of this conversation, or on content that only its format
    /// knows.
    pub tie: Tie,
    /// The input that its spans point into.
    pub input: Option<Input>,
    /// The entity around it.
    pub entity: Option<Box<Entity<H>>>,
    /// What its own format's servers would refuse about its wire value.
    pub flaw: Option<&'static Flaw>,
    /// Whether a stage has changed it.
    pub touched: bool,
}

/// A turn with its index.
pub(crate) type At<'a, H> = (usize, &'a Turn<H>);

/// How a turn depends on others, or on content that only its own format knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// It depends on nothing.
    None,
    /// It refers to something on the server, which may be a call.
    Refers,
    /// It answers a call that only this format knows, and must follow it.
    GivesBack,
    /// It is a later step of the same element as the turn before it.
    Continues,
    /// It follows results, and what the user gets or says of them comes only after it.
    Bridges,
}

impl<H: Host> Turn<H> {
    /// An empty turn that will be read from `element`.
    #[inline]
    pub(crate) fn read<S: Source<H = H>>(from: DialectId, list: &'static str, element: &S) -> Self {
        Self {
            role: Role::User,
            id: None,
            parts: Parts::new(),
            origin: Some(element.raw()),
            extras: None,
            from,
            list,
            lone: false,
            tie: Tie::None,
            input: element.input().cloned(),
            entity: None,
            flaw: None,
            touched: false,
        }
    }

    /// A turn that is not read from a payload.
    #[must_use]
    pub fn new(role: Role, parts: impl Into<Parts<H>>) -> Self {
        Self {
            role,
            id: None,
            parts: parts.into(),
            origin: None,
            extras: None,
            from: DialectId::NONE,
            list: "",
            lone: false,
            tie: Tie::None,
            input: None,
            entity: None,
            flaw: None,
            touched: false,
        }
    }

    /// A copy to be changed: touched, with shared handles.
    #[must_use]
    pub fn touch(&self) -> Self {
        Self { touched: true, ..self.share() }
    }

    /// A touched copy with other parts.
    pub(crate) fn touch_with(&self, parts: Parts<H>) -> Self {
        Self { touched: true, ..self.share_with(parts) }
    }

    /// A copy with shared handles.
    #[must_use]
    pub fn share(&self) -> Self {
        self.share_with(self.parts.iter().map(Part::share).collect())
    }

    fn share_with(&self, parts: Parts<H>) -> Self {
        Self {
            role: self.role,
            id: self.id.as_ref().map(Text::share),
            parts,
            origin: self.origin.as_ref().map(Raw::share),
            extras: share_extras(self.extras.as_deref()),
            from: self.from,
            list: self.list,
            lone: self.lone,
            tie: self.tie,
            input: self.input.clone(),
            entity: self.entity.as_ref().map(|entity| Box::new(entity.share())),
            flaw: self.flaw,
            touched: self.touched,
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
    pub fn results(&self) -> impl Iterator<Item = &ToolResult<H>> {
        self.parts.iter().filter_map(|part| match &part.kind {
            Kind::Result(result) => Some(result),
            _ => None,
        })
    }

    /// Who speaks. A turn with tool calls is the assistant's.
    #[inline]
    pub(crate) fn speaker(&self) -> Role {
        match self.role {
            Role::User | Role::Tool if self.calls().next().is_some() => Role::Assistant,
            role => role,
        }
    }

    /// The path of the turn itself.
    #[must_use]
    pub fn path(&self, index: usize) -> Path {
        let element = match self.list {
            "" if self.lone => Path::default(),
            list if self.lone => Path::key(list),
            list => Path::element(list, index),
        };
        if self.entity.is_some() { element.within(Entity::<H>::body()) } else { element }
    }

    /// The path of one of its parts in the original payload. A part that was not read from it has the path of the turn.
    #[must_use]
    pub fn part_path(&self, index: usize, part: usize) -> Path {
        let Some(part) = self.parts.get(part) else { return self.path(index) };
        self.path(index).read_from(part.home).at(part.place)
    }

    /// The path of a part inside a result: under the result, if that has its own wire value.
    #[must_use]
    pub fn block_path(&self, index: usize, part: usize, block: &Part<H>) -> Path {
        let nested = self.parts.get(part).is_some_and(|part| part.place.index.is_some() || part.origin.is_some());
        let home = self.parts.get(part).map(|part| part.home).unwrap_or_default();
        if nested { self.part_path(index, part) } else { self.path(index).read_from(home) }.at(block.place)
    }
}
