//! Writing Anthropic messages, system text, tools and tool choice.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{
    super::schema::STRICT,
    block::{Block, Placed},
};
use crate::{error::Code, links::Links, loss::LossCode, part::Kind, tool::ChoiceKind, turn::Role, value::Key};

/// A turn with its index.
pub(super) type At<'a, H> = (usize, &'a Turn<H>);

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    let links = Links::of(w.conversation, w.target.limits, |turn| w.replays(turn));
    let last = conversation.turns.iter().rposition(|turn| !turn.role.is_system()).unwrap_or(0);
    let mut page = Page { w, links, last, written: 0, blocks: Vec::new() };
    let mut run = Vec::new();
    for (index, turn) in conversation.turns.iter().enumerate() {
        let results = turn.results().next().is_some();
        let own = turn.from.same_wire(page.w.target.id);
        // Only results that were messages of their own become one; a message of this format stays what it is.
        if !run.is_empty() && (own || !results) {
            page.results(&mut run)?;
        }
        if page.w.replay(turn, index)? {
            page.written += 1;
        } else if turn.role.is_system() && !own {
            // It stands in the system key.
        } else if results && turn.role != Role::Assistant {
            run.push((index, *turn));
            if own {
                page.results(&mut run)?;
            }
        } else {
            page.message((index, turn))?;
            if results {
                run.push((index, *turn));
            }
        }
    }
    page.results(&mut run)?;
    page.finish()
}

/// The list of messages while it is written.
pub(super) struct Page<'p, 'a, H: Host, K: Sink<H>> {
    pub(super) w: &'p mut Writer<'a, H, K>,
    pub(super) links: Links<'a, H>,
    /// The last turn that becomes a message.
    last: usize,
    written: usize,
    /// Room for the blocks of one message, kept for the next.
    blocks: Vec<Placed<'a, H>>,
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// One turn as one message, its results left out.
    fn message(&mut self, (index, turn): At<'a, H>) -> Result<(), Error> {
        let mut blocks = std::mem::take(&mut self.blocks);
        self.said((index, turn), &mut blocks)?;
        if index == self.last && turn.role == Role::Assistant && !turn.from.same_wire(self.w.target.id) {
            self.trim(&mut blocks)?;
        }
        let role = match turn.role {
            Role::Assistant => &ASSISTANT,
            Role::System | Role::Developer => &SYSTEM,
            Role::User | Role::Tool => &USER,
        };
        self.write((index, turn), role, blocks)
    }

    /// A run of turns with results as one user message: all results, then what else these turns say.
    fn results(&mut self, run: &mut Vec<At<'a, H>>) -> Result<(), Error> {
        let Some(first) = run.first().copied() else { return Ok(()) };
        let (mut blocks, mut moved) = (std::mem::take(&mut self.blocks), Vec::new());
        for &(index, turn) in run.iter() {
            for (at, part) in turn.parts.iter().enumerate() {
                if let Kind::Result(result) = &part.kind {
                    let block = self.result((index, turn), at, result, &mut moved)?;
                    blocks.push(((index, turn), at, block));
                }
            }
        }
        blocks.append(&mut moved);
        for (index, turn) in run.drain(..).filter(|(_, turn)| turn.role != Role::Assistant) {
            self.w.results_first(turn, index);
            self.said((index, turn), &mut blocks)?;
        }
        self.write(first, &USER, blocks)
    }

    /// What is said in a turn beside its results.
    fn said(&mut self, (index, turn): At<'a, H>, blocks: &mut Vec<Placed<'a, H>>) -> Result<(), Error> {
        for (at, part) in turn.parts.iter().enumerate() {
            if !matches!(part.kind, Kind::Result(_))
                && let Some(block) = self.block((index, turn), at, part)?
            {
                blocks.push(((index, turn), at, block));
            }
        }
        if turn.from.same_wire(self.w.target.id) {
            return Ok(());
        }
        self.w.rest_lost(turn, index)
    }

    /// The target refuses white space at the end of a text that it is asked to continue.
    fn trim(&mut self, blocks: &mut [Placed<'a, H>]) -> Result<(), Error> {
        let Some(((index, turn), at, block)) = blocks.last_mut() else { return Ok(()) };
        let Block::Text(text) = block else { return Ok(()) };
        let words = text.to_str(turn.input.as_ref());
        let kept = words.trim_end();
        if kept.len() < words.len() {
            let path = || turn.part_path(*index, *at);
            self.w.losses.changed(LossCode::TrailingSpace, path(), "the target refuses white space at the very end");
            // U+FFFD is as long as the half of a character for which it stands.
            *block = Block::Own(self.w.text_of(&text.wtf8(turn.input.as_ref())[..kept.len()])?);
        }
        Ok(())
    }

    /// Writes a message, unless nothing is left of it.
    fn write(&mut self, at: At<'a, H>, role: &'static Key, mut blocks: Vec<Placed<'a, H>>) -> Result<(), Error> {
        self.write_blocks(at, role, &blocks)?;
        blocks.clear();
        self.blocks = blocks;
        Ok(())
    }

    fn write_blocks(
        &mut self,
        (index, turn): At<'a, H>,
        role: &'static Key,
        blocks: &[Placed<'a, H>],
    ) -> Result<(), Error> {
        if blocks.is_empty() {
            self.w.losses.changed(LossCode::EmptyTurn, turn.path(index), "nothing of this turn is left to say");
            return Ok(());
        }
        if self.written == 0 && role.name != USER.name && !self.w.conversation.frame.from.same_wire(self.w.target.id) {
            let text = "the target wants the user to speak first";
            return Err(Error::new(Code::Refused, text).at_path(turn.path(index)));
        }
        self.written += 1;
        self.w.out.scope(turn.input.as_ref());
        self.w.out.open_map();
        self.w.out.key(&ROLE);
        self.w.out.literal(role);
        self.w.out.key(&CONTENT);
        match blocks {
            [(_, at, Block::Text(text))] if self.plain(turn, *at) => self.w.out.text(text),
            [(_, _, Block::Own(text))] => self.w.out.text(text),
            _ => {
                self.w.out.open_list();
                for (at, part, block) in blocks {
                    self.w.out.scope(at.1.input.as_ref());
                    self.write_block(*at, *part, block)?;
                }
                self.w.out.close();
            }
        }
        let path = || turn.path(index);
        self.w.out.scope(turn.input.as_ref());
        if turn.from.same_wire(self.w.target.id) {
            self.w.extras(turn, turn.extras.as_deref(), &path)?;
        }
        self.w.out.close();
        self.w.checked_run(turn, index, blocks.last().map_or(index, |((last, _), ..)| *last))
    }

    /// Whether a text may stand alone: it did, or it comes from elsewhere. A list stays a list, whatever changed in it.
    fn plain(&self, turn: &Turn<H>, at: usize) -> bool {
        !turn.from.same_wire(self.w.target.id) || turn.parts.get(at).is_none_or(|part| part.place.index.is_none())
    }

    /// The target wants at least one message.
    fn finish(self) -> Result<(), Error> {
        let conversation = self.w.conversation;
        let own = conversation.frame.from.same_wire(self.w.target.id);
        if self.written > 0 || own || conversation.turns.is_empty() {
            return Ok(());
        }
        let text = "the target wants a message, and nothing is left to say but system text";
        let path = match conversation.turns.first().map_or("", |turn| turn.list) {
            "" => Path::default(),
            list => Path::key(list),
        };
        Err(Error::new(Code::Refused, text).at_path(path))
    }
}

pub(super) fn system<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, texts: &[SystemText<'_, H>]) {
    if let [SystemText { text, input, origin: None }] = texts {
        w.out.scope(*input);
        w.out.text(text);
        return;
    }
    w.out.open_list();
    for SystemText { text, input, origin } in texts {
        w.out.scope(*input);
        if let Some(raw) = origin {
            w.out.raw(raw);
            continue;
        }
        w.out.open_map();
        w.out.key(&TYPE);
        w.out.literal(&TEXT);
        w.out.key(&TEXT);
        w.out.text(text);
        w.out.close();
    }
    w.out.close();
}

pub(super) fn tool<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, tool: &Tool<H>, at: &Path) -> Result<(), Error> {
    let frame = w.conversation.frame;
    w.name(&tool.name, frame.input.as_ref(), &|| at.clone())?;
    w.out.open_map();
    w.named(tool);
    w.out.key(&INPUT_SCHEMA);
    if tool.custom {
        w.free_text_schema(at);
    } else if let Some(schema) = tool.schema.as_ref().filter(|_| tool.untyped) {
        w.typed_schema(schema, at)?;
    } else if let Some(schema) = &tool.schema {
        w.out.raw(schema);
    } else {
        w.losses.changed(LossCode::StandIn, at.clone(), "the target wants a schema even where there are no arguments");
        w.out.open_map();
        w.out.key(&TYPE);
        w.out.literal(&OBJECT);
        w.out.close();
    }
    if let Some(strict) = w.tool_extras(tool, at)? {
        w.out.key(&STRICT);
        w.out.raw(strict);
    }
    w.out.close();
    Ok(())
}

pub(super) fn choice<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>, choice: &Choice<H>) {
    let kind = match &choice.kind {
        ChoiceKind::Auto | ChoiceKind::Opaque => &AUTO,
        ChoiceKind::Required => &ANY,
        ChoiceKind::None => &NONE,
        ChoiceKind::Tool(_) => &TOOL,
    };
    w.out.open_map();
    w.out.key(&TYPE);
    w.out.literal(kind);
    if let ChoiceKind::Tool(name) = &choice.kind {
        w.out.key(&NAME);
        w.out.text(name);
    }
    w.out.close();
}
