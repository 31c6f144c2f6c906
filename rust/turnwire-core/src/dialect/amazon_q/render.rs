//! Writing Amazon Q messages.

mod image;
mod result;

use self::image::Image;
use super::super::write::Where;
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    error::Code,
    handle::{Raw, Text},
    links::Links,
    loss::LossCode,
    part::{Kind, Part},
    tool::{Call, Content, ToolResult},
    turn::Role,
    value::Piece,
};

/// A turn with its index.
type At<'a, H> = (usize, &'a Turn<H>);

/// What one message holds, by the key it stands under.
struct Message<'a, H: Host> {
    texts: Vec<(At<'a, H>, usize, &'a Text<H>)>,
    images: Vec<(At<'a, H>, Image<'a, H>)>,
    results: Vec<(At<'a, H>, usize, &'a ToolResult<H>)>,
    calls: Vec<(At<'a, H>, usize, &'a Call<H>)>,
    /// What the context holds beside results.
    context: Vec<(At<'a, H>, &'a Text<H>, &'a Raw<H>)>,
    /// What the message holds that only this service knows.
    others: Vec<(At<'a, H>, &'a Text<H>, &'a Raw<H>)>,
}

/// Turns of one side that become one message.
struct Run<'a, H: Host> {
    turns: Vec<At<'a, H>>,
    message: Message<'a, H>,
    /// Whether its only turn may go back as it came: nobody has looked into it.
    whole: bool,
}

impl<H: Host> Message<'_, H> {
    fn empty() -> Self {
        Self {
            texts: Vec::new(),
            images: Vec::new(),
            results: Vec::new(),
            calls: Vec::new(),
            context: Vec::new(),
            others: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty()
            && self.images.is_empty()
            && self.results.is_empty()
            && self.calls.is_empty()
            && self.context.is_empty()
            && self.others.is_empty()
    }

    fn append(&mut self, mut other: Self) {
        self.texts.append(&mut other.texts);
        self.images.append(&mut other.images);
        self.results.append(&mut other.results);
        self.calls.append(&mut other.calls);
        self.context.append(&mut other.context);
        self.others.append(&mut other.others);
    }
}

pub(super) fn turns<H: Host, K: Sink<H>>(w: &mut Writer<'_, H, K>) -> Result<(), Error> {
    let conversation = w.conversation;
    let links = Links::of(w.conversation, w.target.limits, |turn| w.replays(turn));
    let mut page = Page { w, links, written: 0 };
    let mut run = Run { turns: Vec::new(), message: Message::empty(), whole: false };
    let turns = conversation.turns.iter().enumerate().filter(|(_, turn)| !turn.role.is_system());
    for (index, turn) in turns {
        page.turn((index, turn), &mut run)?;
    }
    page.message(&run)
}

/// The list of messages while it is written.
struct Page<'p, 'a, H: Host, K: Sink<H>> {
    w: &'p mut Writer<'a, H, K>,
    links: Links<'a, H>,
    written: usize,
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// Neighbours of the same side are one message, because the service wants the sides to alternate.
    fn turn(&mut self, (index, turn): At<'a, H>, run: &mut Run<'a, H>) -> Result<(), Error> {
        let mut message = Message::empty();
        let whole = self.w.replays(turn);
        if !whole {
            self.sort((index, turn), &mut message)?;
            if message.is_empty() && !turn.from.same_wire(self.w.target.id) {
                return self.w.empty_turn(turn, index);
            }
        }
        let joins = |last: &At<'a, H>| (last.1.role == Role::Assistant) == (turn.role == Role::Assistant);
        if !run.turns.last().is_some_and(joins) {
            self.message(run)?;
            *run = Run { turns: vec![(index, turn)], message, whole };
            return Ok(());
        }
        if run.whole {
            run.whole = false;
            for first in &run.turns {
                self.sort(*first, &mut run.message)?;
            }
        }
        if whole {
            self.sort((index, turn), &mut run.message)?;
        } else {
            run.message.append(message);
        }
        run.turns.push((index, turn));
        Ok(())
    }

    fn message(&mut self, Run { turns: run, message, whole }: &Run<'a, H>) -> Result<(), Error> {
        let Some(&(index, first)) = run.first() else { return Ok(()) };
        if *whole && self.w.replay(first, index)? {
            self.written += 1;
            return Ok(());
        }
        let user = first.role != Role::Assistant;
        if self.written == 0 && !user && !self.w.conversation.frame.from.same_wire(self.w.target.id) {
            let text = "the target wants the user to speak first";
            return Err(Error::new(Code::Refused, text).at_path(first.path(index)));
        }
        self.written += 1;
        self.w.out.open_map();
        self.w.out.key(if user { &USER_MESSAGE } else { &ASSISTANT_MESSAGE });
        self.w.out.open_map();
        let mut named = false;
        for &(index, turn) in run {
            match &turn.id {
                Some(id) if !user && !named => {
                    named = true;
                    self.w.out.scope(turn.input.as_ref());
                    self.w.out.key(&MESSAGE_ID);
                    self.w.out.text(id);
                }
                _ => self.w.turn_id_lost(turn, index)?,
            }
        }
        self.content(message)?;
        if user {
            self.context(message)?;
            self.images(message);
        } else {
            self.calls(message)?;
        }
        for ((_, turn), name, raw) in &message.others {
            self.w.out.scope(turn.input.as_ref());
            self.w.out.key_text(name);
            self.w.out.raw(raw);
        }
        self.w.out.close();
        for (index, turn) in run {
            self.w.out.scope(turn.input.as_ref());
            self.w.extras(turn, turn.extras.as_deref(), &|| turn.path(*index))?;
        }
        self.w.out.close();
        self.w.checked_run(first, index, run.last().map_or(index, |(last, _)| *last))
    }

    fn sort(&mut self, (index, turn): At<'a, H>, message: &mut Message<'a, H>) -> Result<(), Error> {
        let input = turn.input.as_ref();
        self.w.results_first(turn, index);
        let mut behind = false;
        for (at, part) in turn.parts.iter().enumerate() {
            let path = || turn.part_path(index, at);
            if behind && matches!(part.kind, Kind::Text(_) | Kind::Refusal(_)) {
                self.w.losses.changed(LossCode::Order, path(), "the target has its text before images and calls");
            }
            match &part.kind {
                Kind::Text(text) => {
                    self.foreign_extras(turn, part, &path)?;
                    message.texts.push(((index, turn), at, text));
                }
                Kind::Refusal(text) => {
                    self.foreign_extras(turn, part, &path)?;
                    self.w.losses.changed(LossCode::Refusal, path(), "the target has no refusal");
                    message.texts.push(((index, turn), at, text));
                }
                Kind::Reasoning(thought) => {
                    let text = self.w.reasoning(thought, input, &path)?;
                    message.texts.extend(text.map(|text| ((index, turn), at, text)));
                }
                Kind::Media(media) => {
                    self.foreign_extras(turn, part, &path)?;
                    if turn.role == Role::Assistant {
                        self.w.losses.lost(LossCode::Media, path(), "the target takes no media from an assistant")?;
                    } else if let Some(image) = self.image(turn, part, media, &path)? {
                        message.images.push(((index, turn), image));
                        behind = true;
                    }
                }
                Kind::Call(call) => {
                    self.w.name(&call.name, input, &path)?;
                    if call.made_up_id {
                        self.w.losses.changed(LossCode::Id, path(), "the call came without an id");
                    }
                    self.foreign_extras(turn, part, &path)?;
                    message.calls.push(((index, turn), at, call));
                    behind = true;
                }
                Kind::Result(result) => {
                    self.foreign_extras(turn, part, &path)?;
                    self.moved(turn, (index, at), result, message)?;
                    message.results.push(((index, turn), at, result));
                }
                Kind::Opaque(name) => match self.w.part_origin(turn, part) {
                    Some(raw) if part.place.key == Some(parse::USER_CONTEXT) => {
                        message.context.push(((index, turn), name, raw));
                    }
                    Some(raw) if matches!(part.place.key, Some(parse::USER | parse::ASSISTANT)) => {
                        message.others.push(((index, turn), name, raw));
                    }
                    _ => self.w.opaque(name, input, &path)?,
                },
                Kind::Json(_) => {
                    self.w.losses.lost(LossCode::Opaque, path(), "the target takes JSON in results only")?;
                }
            }
        }
        Ok(())
    }

    fn foreign_extras(&mut self, turn: &Turn<H>, part: &Part<H>, path: Where<'_>) -> Result<(), Error> {
        if turn.from.same_wire(self.w.target.id) {
            return Ok(());
        }
        self.w.extras_lost(part.extras.as_deref(), turn.input.as_ref(), path)
    }

    /// Images of a result join those of the message, and what else it cannot hold is reported.
    fn moved(
        &mut self,
        turn: &'a Turn<H>,
        (index, at): (usize, usize),
        result: &'a ToolResult<H>,
        message: &mut Message<'a, H>,
    ) -> Result<(), Error> {
        let Content::Blocks(blocks) = &result.content else { return Ok(()) };
        for block in blocks.iter() {
            if self.w.part_origin(turn, block).is_some() {
                continue;
            }
            let path = || turn.block_path(index, at, block);
            self.foreign_extras(turn, block, &path)?;
            match &block.kind {
                Kind::Text(_) | Kind::Refusal(_) | Kind::Json(_) => {}
                Kind::Media(media) => {
                    if let Some(image) = self.image(turn, block, media, &path)? {
                        let reason = "the target takes no media in a result: they join the message";
                        self.w.losses.changed(LossCode::MovedMedia, path(), reason);
                        message.images.push(((index, turn), image));
                    }
                }
                Kind::Opaque(name) => self.w.opaque(name, turn.input.as_ref(), &path)?,
                Kind::Reasoning(_) | Kind::Call(_) | Kind::Result(_) => {
                    self.w.losses.lost(LossCode::Opaque, path(), "no result can hold this")?;
                }
            }
        }
        Ok(())
    }

    /// All texts as one, a line each.
    fn content(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        self.w.out.key(&CONTENT);
        if let [((_, turn), _, text)] = message.texts.as_slice() {
            self.w.out.scope(turn.input.as_ref());
            self.w.out.text(text);
            return Ok(());
        }
        for ((index, turn), at, _) in message.texts.iter().skip(1) {
            let path = || turn.part_path(*index, *at);
            self.w.losses.changed(LossCode::Joined, path(), "the target has one text in a message");
        }
        // Pieces share one scope, and these texts may come from several inputs.
        let mut texts = Vec::with_capacity(message.texts.len());
        for ((_, turn), _, text) in &message.texts {
            texts.push(match text {
                Text::Span(_) => self.w.text_of(&text.wtf8(turn.input.as_ref()))?,
                _ => text.share(),
            });
        }
        let mut pieces = Vec::with_capacity(texts.len() * 2);
        for text in &texts {
            if !pieces.is_empty() {
                pieces.push(Piece::Str("\n"));
            }
            pieces.push(Piece::Text(text));
        }
        self.w.out.pieces(&pieces);
        Ok(())
    }

    fn context(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        if message.context.is_empty() && message.results.is_empty() {
            return Ok(());
        }
        self.w.out.key(&CONTEXT);
        self.w.out.open_map();
        for ((_, turn), name, raw) in &message.context {
            self.w.out.scope(turn.input.as_ref());
            self.w.out.key_text(name);
            self.w.out.raw(raw);
        }
        if !message.results.is_empty() {
            self.w.out.key(&TOOL_RESULTS);
            self.w.out.open_list();
            for (turn, at, result) in &message.results {
                self.result(*turn, *at, result)?;
            }
            self.w.out.close();
        }
        self.w.out.close();
        Ok(())
    }

    fn own_extras(&mut self, (_, turn): At<'a, H>, at: usize, path: Where<'_>) -> Result<(), Error> {
        if !turn.from.same_wire(self.w.target.id) {
            return Ok(());
        }
        self.w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), path)
    }

    fn calls(&mut self, message: &Message<'a, H>) -> Result<(), Error> {
        if message.calls.is_empty() {
            return Ok(());
        }
        self.w.out.key(&TOOL_USES);
        self.w.out.open_list();
        for ((index, turn), at, call) in &message.calls {
            self.w.out.scope(turn.input.as_ref());
            let origin = turn.parts.get(*at).and_then(|part| self.w.part_origin(turn, part));
            if let Some(raw) = origin.filter(|_| self.links.renamed(*index, *at).is_none()) {
                self.w.out.raw(raw);
                continue;
            }
            let path = || turn.part_path(*index, *at);
            self.w.out.open_map();
            self.w.out.key(&TOOL_USE_ID);
            self.w.id(&self.links, (*index, *at), &call.id, &path);
            self.w.out.key(&NAME);
            self.w.out.text(&call.name);
            self.w.out.key(&INPUT);
            self.w.args_as_object(call, turn.input.as_ref(), &path)?;
            self.own_extras((*index, turn), *at, &path)?;
            self.w.out.close();
        }
        self.w.out.close();
        Ok(())
    }
}
