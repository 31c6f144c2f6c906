//! The choice of tools: none, any, one, or one among some.

use super::flaw::Flaw;
use crate::value::{Extras, Host, Raw, Text, extras::map_extras};

/// The tools that the model must or may call.
#[derive(Debug)]
pub struct Choice<H: Host> {
    /// The choice itself.
    pub kind: ChoiceKind<H>,
    /// The wire value it was read from.
    pub origin: Option<Raw<H>>,
    /// Unknown keys.
    pub extras: Option<Box<Extras<H>>>,
    /// What its own format's servers would refuse about its wire value.
    pub flaw: Option<&'static Flaw>,
}

/// A choice of tools.
#[derive(Debug)]
pub enum ChoiceKind<H: Host> {
    /// The model decides.
    Auto,
    /// At least one tool.
    Required,
    /// No tool.
    None,
    /// This tool.
    Tool(Text<H>),
    /// Only some of the tools, all of them functions of the caller's.
    Among(Among<H>),
    /// A choice that only its own dialect knows.
    Opaque,
}

/// The tools that a choice is limited to.
#[derive(Debug)]
pub struct Among<H: Host> {
    /// Whether the model must call one of them.
    pub must: bool,
    /// The tools.
    pub tools: Vec<Chosen<H>>,
}

/// A tool that a choice names.
#[derive(Debug)]
pub struct Chosen<H: Host> {
    /// The group that the tool is in.
    pub group: Option<Text<H>>,
    /// Its name.
    pub name: Text<H>,
}

impl<H: Host> Chosen<H> {
    /// A copy with shared handles.
    pub(crate) fn share(&self) -> Self {
        Self { group: self.group.as_ref().map(Text::share), name: self.name.share() }
    }
}

impl<H: Host> ChoiceKind<H> {
    /// The names of the chosen tools.
    pub(crate) fn names_mut(&mut self) -> Vec<&mut Text<H>> {
        match self {
            Self::Tool(name) => vec![name],
            Self::Among(among) => among.tools.iter_mut().map(|one| &mut one.name).collect(),
            Self::Auto | Self::Required | Self::None | Self::Opaque => Vec::new(),
        }
    }
}

impl<H: Host> Choice<H> {
    /// The choice with new handles.
    pub(crate) fn map(
        &self,
        text: &mut dyn FnMut(&Text<H>) -> Text<H>,
        raw: &mut dyn FnMut(&Raw<H>) -> Raw<H>,
    ) -> Self {
        let kind = match &self.kind {
            ChoiceKind::Auto => ChoiceKind::Auto,
            ChoiceKind::Required => ChoiceKind::Required,
            ChoiceKind::None => ChoiceKind::None,
            ChoiceKind::Tool(name) => ChoiceKind::Tool(text(name)),
            ChoiceKind::Among(among) => {
                let tools = among
                    .tools
                    .iter()
                    .map(|one| Chosen { group: one.group.as_ref().map(&mut *text), name: text(&one.name) });
                ChoiceKind::Among(Among { must: among.must, tools: tools.collect() })
            }
            ChoiceKind::Opaque => ChoiceKind::Opaque,
        };
        let origin = self.origin.as_ref().map(&mut *raw);
        Self { kind, origin, extras: map_extras(self.extras.as_deref(), text, raw), flaw: self.flaw }
    }
}
