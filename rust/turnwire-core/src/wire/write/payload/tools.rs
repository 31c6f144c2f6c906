//! Writes the tools of a payload and the choice of tools.

use super::Envelope;
use crate::{
    model::{Choice, ChoiceKind, Tool},
    report::{Edit, Error, Path, error::Code},
    rules::Spelling,
    value::{Host, Input, Sink, Text},
    wire::{
        plan::{
            choice::{self, Limited},
            rules,
            seats::first_use,
        },
        settings::IN_CHOICE,
        write::{Writer, tool_schema::holder_of},
    },
};

impl<H: Host, K: Sink<H>> Envelope<'_, '_, '_, H, K> {
    pub(super) fn tools(&mut self, spelling: &Spelling) -> Result<(), Error> {
        let frame = self.w.p.conversation.frame;
        let Some(tools) = &frame.tools else { return Ok(()) };
        let own = frame.from.same_wire(self.w.p.target.id);
        if let Some(origin) = frame.tools_origin.as_ref().filter(|_| own) {
            self.key(spelling);
            self.w.out.raw(origin);
            return Ok(());
        }
        let target = self.w.p.target.id;
        let is_lost = |tool: &Tool<H>| is_lost(tool, frame.is_own(tool, target));
        for (index, tool) in tools.iter().enumerate().filter(|(_, tool)| is_lost(tool)) {
            if self.w.marks_tool(index) {
                continue;
            }
            let (input, path) = (frame.input.as_ref(), || frame.tool_path(index));
            if self.w.p.named_point_lost((frame.dialect_of(tool), &tool.name, tool.origin.as_ref()), input, &path)? {
                continue;
            }
            let reason = only_its_provider(&tool.name, input);
            self.w.p.losses.lost(Edit::Tool, frame.tool_path(index), reason)?;
        }
        let kept: Vec<_> = tools.iter().enumerate().filter(|(_, tool)| !is_lost(tool)).collect();
        if tools.is_empty() {
            self.w.p.losses.changed(Edit::NoTools, frame.tools_path(), "an empty list of tools");
            return Ok(());
        }
        if kept.is_empty() {
            return without_tools(self.w);
        }
        let is_sent = |tool: &Tool<H>| frame.is_own(tool, target) && tool.origin.is_some();
        for (index, tool) in kept.iter().filter(|(_, tool)| !is_sent(tool)) {
            self.w.p.name(&tool.name, frame.input.as_ref(), &|| frame.tool_path(*index))?;
        }
        self.key(spelling);
        (self.w.dialect.tools)(self.w, &kept)
    }

    pub(super) fn choice(&mut self, spelling: &Spelling) -> Result<(), Error> {
        let frame = self.w.p.conversation.frame;
        // A limit to one call is a key of the choice, which then leaves the choice to the model.
        let any = Choice { kind: ChoiceKind::Auto, origin: None, extras: None, flaw: None };
        let made = self.w.one_call().then_some(&any);
        let Some(choice) = frame.choice.as_ref().or(made) else { return Ok(()) };
        let own = frame.from.same_wire(self.w.p.target.id);
        if let Some(origin) = choice.origin.as_ref().filter(|_| own) {
            self.key(spelling);
            self.w.out.raw(origin);
            return Ok(());
        }
        let any_tool = frame.tools.iter().flatten().any(|tool: &Tool<H>| !tool.by_provider);
        let path = frame.choice_path();
        if !any_tool {
            return self.w.p.losses.lost(Edit::ToolChoice, path, "no tool is left to choose from");
        }
        if matches!(&choice.kind, ChoiceKind::Tool(name) if !choice::is_there(frame, name)) {
            self.w.p.losses.lost(Edit::ToolChoice, path, choice::GONE)?;
            self.left_to_model(spelling, made);
            return Ok(());
        }
        let limited = match &choice.kind {
            ChoiceKind::Among(among) => choice::limited(&self.w.p.target, frame, among),
            _ => Limited::Stays,
        };
        if let Limited::Less(_, why) = limited {
            self.w.p.losses.lost(Edit::ToolChoice, path.clone(), why)?;
        }
        let limited = match limited {
            Limited::Stays => None,
            Limited::Same(kind) | Limited::Less(kind, _) => {
                Some(Choice { kind, origin: None, extras: None, flaw: None })
            }
        };
        let (given, choice) = (choice, limited.as_ref().unwrap_or(choice));
        let chosen = choice::named(&choice.kind);
        let has_word = chosen.is_some_and(|chosen| self.w.p.target.limits.chooses.contains(&chosen));
        let required = match choice::fate(&self.w.p.target, frame, choice) {
            choice::Fate::Stays if chosen.is_some() => None,
            choice::Fate::Required(why) => {
                self.w.p.losses.changed(Edit::ToolChoice, path.clone(), why);
                Some(Choice { kind: ChoiceKind::Required, origin: None, extras: None, flaw: None })
            }
            choice::Fate::LeftOut(why) => {
                self.w.p.losses.lost(Edit::ToolChoice, path, why)?;
                self.left_to_model(spelling, made);
                return Ok(());
            }
            choice::Fate::Stays => {
                self.w.p.losses.lost(Edit::ToolChoice, path, "the target cannot express this choice")?;
                self.left_to_model(spelling, made);
                return Ok(());
            }
        };
        let has_word = has_word || required.is_some() || matches!(choice.kind, ChoiceKind::Among(_));
        let extras = given.extras.iter().flat_map(|extras| extras.iter());
        // It is one of the settings, which report it.
        let converts = self.w.s.settings.is_some();
        for extra in extras.filter(|(key, _)| !(converts && key.is(IN_CHOICE, frame.input.as_ref()))) {
            let extra = (&extra.0, &extra.1);
            let origin = given.origin.as_ref();
            let place = || origin.map_or(path.clone(), |origin| holder_of(extra, origin, frame.input.as_ref(), &path));
            self.w.p.extra_lost(extra, frame.input.as_ref(), &place)?;
        }
        if !has_word {
            // Leaving the choice out means the same.
            return Ok(());
        }
        self.key(spelling);
        (self.w.dialect.choice)(self.w, required.as_ref().unwrap_or(choice));
        Ok(())
    }

    /// Writes the limit to one call where the choice itself is lost.
    fn left_to_model(&mut self, spelling: &Spelling, made: Option<&Choice<H>>) {
        if let Some(any) = made {
            self.key(spelling);
            (self.w.dialect.choice)(self.w, any);
        }
    }
}

/// Why a tool of another provider is lost.
pub(crate) fn only_its_provider<H: Host>(name: &Text<H>, input: Option<&Input>) -> String {
    format!("only the provider that defines {:?} knows it", name.to_str(input))
}

/// Whether only another provider can run the tool.
fn is_lost<H: Host>(tool: &Tool<H>, own: bool) -> bool {
    tool.by_provider && (!own || tool.origin.is_none())
}

/// Refuses calls and results without tools, if the target does. If a payload has no key for tools, the caller may still
/// add them. Here the key exists, and all of its tools are lost.
fn without_tools<H: Host, K: Sink<H>>(w: &Writer<'_, '_, H, K>) -> Result<(), Error> {
    let (conversation, target) = (w.p.conversation, w.p.target);
    if conversation.frame.from.same_wire(target.id) {
        return Ok(());
    }
    let path = |at: usize| conversation.turns.get(at).map_or_else(Path::default, |turn| turn.path(at));
    let used = first_use(target.limits, conversation.turns.iter().copied());
    used.map_or(Ok(()), |at| Err(Error::new(Code::Refused, rules::NO_TOOL_DEFINED).at_path(path(at))))
}
