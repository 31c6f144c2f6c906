//! Blocks of Anthropic messages: what of a part can be said in one, and how it is written.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{
    super::write::Where,
    media::Shown,
    render::{At, Page},
};
use crate::{
    handle::{Raw, Text},
    loss::LossCode,
    part::Kind,
    tool::{Call, Content, MOVED_MEDIA, ToolResult},
    turn::Role,
    value::{Key, Piece},
};

/// One block, ready to be written: what is lost of it is reported.
pub(super) enum Block<'a, H: Host> {
    Raw(&'a Raw<H>),
    Text(&'a Text<H>),
    Own(Text<H>),
    Json(&'a Raw<H>),
    Source(Shown<'a, H>),
    Call(&'a Call<H>),
    Result(&'a ToolResult<H>, Inner<'a, H>),
    /// The line before media that left the result at this place.
    Moved(&'a ToolResult<H>, usize),
}

/// What a result says: most are one text.
pub(super) enum Inner<'a, H: Host> {
    Nothing,
    Text(&'a Text<H>),
    /// Blocks that came from this format know their part.
    List(Vec<(Option<&'a Part<H>>, Block<'a, H>)>),
}

/// A block with its turn and part.
pub(super) type Placed<'a, H> = (At<'a, H>, usize, Block<'a, H>);

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// One part as a block, or `None` where a loss says why not.
    pub(super) fn block(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        part: &'a Part<H>,
    ) -> Result<Option<Block<'a, H>>, Error> {
        let input = turn.input.as_ref();
        if self.links.renamed(index, at).is_none()
            && let Some(raw) = self.w.part_origin(turn, part)
        {
            return Ok(Some(Block::Raw(raw)));
        }
        let path = || turn.part_path(index, at);
        let block = match &part.kind {
            Kind::Text(text) => {
                if self.w.blank(text, input, &path)? {
                    return Ok(None);
                }
                Block::Text(text)
            }
            Kind::Refusal(text) => {
                self.w.losses.changed(LossCode::Refusal, path(), "the target has no refusal here");
                Block::Text(text)
            }
            Kind::Reasoning(thought) => return Ok(self.w.reasoning(thought, input, &path)?.map(Block::Text)),
            Kind::Opaque(name) => return self.w.opaque(name, input, &path).map(|()| None),
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path(), "the target takes JSON as text");
                Block::Json(raw)
            }
            Kind::Media(_) if turn.role == Role::Assistant => {
                let reason = "the target takes no media from an assistant";
                return self.w.losses.lost(LossCode::Media, path(), reason).map(|()| None);
            }
            Kind::Media(media) => match self.media(media, input, &path)? {
                Some(source) => Block::Source(source),
                None => return Ok(None),
            },
            Kind::Call(call) => {
                self.w.name(&call.name, input, &path)?;
                if call.made_up_id {
                    self.w.losses.changed(LossCode::Id, path(), "the call came without an id");
                }
                Block::Call(call)
            }
            Kind::Result(_) => return Ok(None),
        };
        if !turn.from.same_wire(self.w.target.id) {
            let path = || turn.part_path(index, at);
            self.w.extras_lost(part.extras.as_deref(), input, &path)?;
        }
        Ok(Some(block))
    }

    /// A result. With an error flag it may hold text only, so media move behind the results.
    pub(super) fn result(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        result: &'a ToolResult<H>,
        moved: &mut Vec<Placed<'a, H>>,
    ) -> Result<Block<'a, H>, Error> {
        let part = turn.parts.get(at);
        // A result that was a whole message of its own has no block to give back.
        let is_block = part.is_some_and(|part| part.place.index.is_some());
        if self.links.renamed(index, at).is_none()
            && let Some(raw) = part.and_then(|part| self.w.part_origin(turn, part)).filter(|_| is_block)
        {
            return Ok(Block::Raw(raw));
        }
        let input = turn.input.as_ref();
        let path = || turn.part_path(index, at);
        let inner = match &result.content {
            Content::Absent => Inner::Nothing,
            // No content at all says the same as empty text, and nobody refuses it.
            Content::Text(text) if text.is_empty() || self.w.blank(text, input, &path)? => Inner::Nothing,
            Content::Text(text) => Inner::Text(text),
            Content::Blocks(blocks) => {
                let mut inner = Vec::with_capacity(blocks.len());
                for one in blocks.iter() {
                    let path = || turn.block_path(index, at, one);
                    let Some(block) = self.inner((index, turn), one, &path)? else { continue };
                    if result.error && matches!(block, Block::Source(_)) {
                        let reason = "a failed result may hold nothing but text: media follow the results";
                        self.w.losses.changed(LossCode::MovedMedia, path(), reason);
                        if !moved
                            .iter()
                            .any(|(_, _, block)| matches!(block, Block::Moved(same, _) if std::ptr::eq(*same, result)))
                        {
                            moved.push(((index, turn), at, Block::Moved(result, at)));
                        }
                        moved.push(((index, turn), at, block));
                    } else {
                        inner.push((turn.from.same_wire(self.w.target.id).then_some(one), block));
                    }
                }
                Inner::List(inner)
            }
        };
        if !turn.from.same_wire(self.w.target.id) {
            self.w.extras_lost(part.and_then(|part| part.extras.as_deref()), input, &path)?;
        }
        Ok(Block::Result(result, inner))
    }

    /// One block inside a result.
    fn inner(
        &mut self,
        (_, turn): At<'a, H>,
        part: &'a Part<H>,
        path: Where<'_>,
    ) -> Result<Option<Block<'a, H>>, Error> {
        let input = turn.input.as_ref();
        if let Some(raw) = self.w.part_origin(turn, part) {
            return Ok(Some(Block::Raw(raw)));
        }
        if !turn.from.same_wire(self.w.target.id) {
            self.w.extras_lost(part.extras.as_deref(), input, path)?;
        }
        match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => {
                Ok((!self.w.blank(text, input, path)?).then_some(Block::Text(text)))
            }
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path(), "the target takes results as text");
                Ok(Some(Block::Json(raw)))
            }
            Kind::Media(media) => Ok(self.media(media, input, path)?.map(Block::Source)),
            Kind::Opaque(name) => self.w.opaque(name, input, path).map(|()| None),
            Kind::Reasoning(_) | Kind::Call(_) | Kind::Result(_) => {
                self.w.losses.lost(LossCode::Opaque, path(), "no result can hold this").map(|()| None)
            }
        }
    }

    pub(super) fn write_block(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        block: &Block<'a, H>,
    ) -> Result<(), Error> {
        match block {
            Block::Raw(raw) => {
                self.w.out.raw(raw);
                return Ok(());
            }
            Block::Call(call) => {
                let path = || turn.part_path(index, at);
                self.begin(&TOOL_USE);
                self.w.out.key(&ID);
                self.w.id(&self.links, (index, at), &call.id, &path);
                self.w.out.key(&NAME);
                self.w.out.text(&call.name);
                self.w.out.key(&INPUT);
                self.w.args_as_object(call, turn.input.as_ref(), &path)?;
            }
            Block::Result(result, inner) => self.write_result((index, turn), at, result, inner)?,
            Block::Moved(result, part) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                let id = self.links.renamed(index, *part).unwrap_or(&result.id);
                self.w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(id), Piece::Str(":")]);
                self.w.out.close();
                return Ok(());
            }
            simple => self.begin_simple(simple),
        }
        if turn.from.same_wire(self.w.target.id) {
            let path = || turn.part_path(index, at);
            self.w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), &path)?;
        }
        self.w.out.close();
        Ok(())
    }

    pub(super) fn begin(&mut self, kind: &'static Key) {
        self.w.out.open_map();
        self.w.out.key(&TYPE);
        self.w.out.literal(kind);
    }

    /// Begins a block of text or media; the caller closes it.
    fn begin_simple(&mut self, block: &Block<'a, H>) {
        match block {
            Block::Text(text) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.text(text);
            }
            Block::Own(text) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.text(text);
            }
            Block::Json(raw) => {
                self.begin(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.raw_as_text(raw);
            }
            Block::Source(source) => self.begin_source(source),
            Block::Raw(_) | Block::Call(_) | Block::Result(..) | Block::Moved(..) => self.w.out.open_map(),
        }
    }

    /// Begins a result; the caller closes it.
    fn write_result(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        result: &ToolResult<H>,
        inner: &Inner<'a, H>,
    ) -> Result<(), Error> {
        let path = || turn.part_path(index, at);
        self.begin(&TOOL_RESULT);
        self.w.out.key(&TOOL_USE_ID);
        self.w.id(&self.links, (index, at), &result.id, &path);
        let several = match inner {
            Inner::Nothing => &[],
            Inner::Text(text) => {
                self.w.out.key(&CONTENT);
                self.w.out.text(text);
                &[]
            }
            Inner::List(several) => several.as_slice(),
        };
        match several {
            [] => {}
            [(None, Block::Text(text))] => {
                self.w.out.key(&CONTENT);
                self.w.out.text(text);
            }
            [(None, Block::Json(raw))] => {
                self.w.out.key(&CONTENT);
                self.w.out.raw_as_text(raw);
            }
            several => {
                self.w.out.key(&CONTENT);
                self.w.out.open_list();
                for (part, block) in several {
                    if let Block::Raw(raw) = block {
                        self.w.out.raw(raw);
                    } else {
                        self.begin_simple(block);
                        self.w.extras(turn, part.and_then(|part| part.extras.as_deref()), &path)?;
                        self.w.out.close();
                    }
                }
                self.w.out.close();
            }
        }
        if result.error {
            self.w.out.key(&IS_ERROR);
            self.w.out.bool(true);
        }
        Ok(())
    }
}
