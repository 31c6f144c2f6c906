//! Results in Chat Completions: messages of role `tool`, and one user message for the media of a run of them.

#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use super::{
    media::Shown,
    render::{At, Page},
};
use crate::{
    handle::{Raw, Text},
    loss::LossCode,
    part::Kind,
    tool::{Content, ERROR_PREFIX, MOVED_MEDIA, ToolResult},
    value::Piece,
};

/// Media on their way out of results, each with its result.
pub(super) type Moved<'a, H> = Vec<(At<'a, H>, usize, &'a ToolResult<H>, Shown<'a, H>)>;

/// One text of a result.
enum Line<'a, H: Host> {
    /// Text, with the part of this format that it came from.
    Text(&'a Text<H>, Option<&'a Part<H>>),
    Json(&'a Raw<H>),
    /// An item of a list that goes back as it came.
    Raw(&'a Raw<H>),
}

impl<'a, H: Host, K: Sink<H>> Page<'_, 'a, H, K> {
    /// A message of role `tool`. Media wait for the end of the run of results.
    pub(super) fn result(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        result: &'a ToolResult<H>,
    ) -> Result<(), Error> {
        let path = || turn.part_path(index, at);
        let input = turn.input.as_ref();
        let own = turn.from.same_wire(self.w.target.id);
        let mut lines = Vec::new();
        match &result.content {
            Content::Absent => {}
            Content::Text(text) => lines.push(Line::Text(text, None)),
            Content::Blocks(blocks) => {
                for block in blocks.iter() {
                    if let Some(line) = self.line((index, turn), at, result, block)? {
                        lines.push(line);
                    }
                }
            }
        }
        if result.error {
            self.w.losses.changed(LossCode::ErrorFlag, path(), "the target has no error flag: the text says so");
        } else if let Some(Line::Text(text, _)) = lines.first()
            && text.starts_with(ERROR_PREFIX, input)
        {
            let reason = "this text begins like a failed result and is none";
            self.w.losses.changed(LossCode::AmbiguousError, path(), reason);
        }
        self.w.out.open_map();
        self.w.out.key(&ROLE);
        match &result.name {
            // A legacy call has no id to answer by.
            Some(name) if result.made_up_id && own => {
                self.w.out.literal(&FUNCTION);
                self.w.out.key(&NAME);
                self.w.out.text(name);
            }
            _ => {
                self.w.out.literal(&TOOL);
                self.w.out.key(&TOOL_CALL_ID);
                self.w.id(&self.links, (index, at), &result.id, &path);
                if let Some(name) = result.name.as_deref().filter(|_| own) {
                    self.w.out.key(&NAME);
                    self.w.out.text(name);
                }
            }
        }
        self.w.out.key(&CONTENT);
        self.write_lines(&lines, if result.error { ERROR_PREFIX } else { "" }, turn)?;
        if own {
            self.w.extras(turn, turn.extras.as_deref(), &|| turn.path(index))?;
        } else {
            self.w.extras(turn, turn.parts.get(at).and_then(|part| part.extras.as_deref()), &path)?;
        }
        self.w.out.close();
        Ok(())
    }

    /// One block of a result, or `None` where it moves or a loss says why not.
    fn line(
        &mut self,
        (index, turn): At<'a, H>,
        at: usize,
        result: &'a ToolResult<H>,
        block: &'a Part<H>,
    ) -> Result<Option<Line<'a, H>>, Error> {
        let input = turn.input.as_ref();
        let own = turn.from.same_wire(self.w.target.id);
        // The text before which the error prefix stood is not what came.
        let whole = !(result.error && matches!(block.kind, Kind::Text(_)));
        if let Some(raw) = self.w.part_origin(turn, block).filter(|_| whole) {
            return Ok(Some(Line::Raw(raw)));
        }
        let path = || turn.block_path(index, at, block);
        if !own {
            self.w.extras_lost(block.extras.as_deref(), input, &path)?;
        }
        match &block.kind {
            Kind::Text(text) | Kind::Refusal(text) => Ok(Some(Line::Text(text, own.then_some(block)))),
            Kind::Json(raw) => {
                self.w.losses.changed(LossCode::JsonAsText, path(), "the target takes results as text");
                Ok(Some(Line::Json(raw)))
            }
            Kind::Media(media) => {
                if let Some(shown) = self.shown(media, input, &path)? {
                    let reason = "the target takes no media in a result: they follow the results";
                    self.w.losses.changed(LossCode::MovedMedia, path(), reason);
                    self.moved.push(((index, turn), at, result, shown));
                }
                Ok(None)
            }
            Kind::Opaque(name) => self.w.opaque(name, input, &path).map(|()| None),
            Kind::Reasoning(_) | Kind::Call(_) | Kind::Result(_) => {
                self.w.losses.lost(LossCode::Opaque, path(), "no result can hold this").map(|()| None)
            }
        }
    }

    fn write_lines(&mut self, lines: &[Line<'_, H>], prefix: &str, turn: &Turn<H>) -> Result<(), Error> {
        match lines {
            [] => self.w.out.pieces(&[Piece::Str(prefix.trim_end())]),
            [one @ (Line::Text(_, None) | Line::Json(_))] => self.write_line(one, prefix, turn)?,
            several => {
                self.w.out.open_list();
                for (place, line) in several.iter().enumerate() {
                    if let Line::Raw(raw) = line {
                        self.w.out.raw(raw);
                        continue;
                    }
                    self.w.out.open_map();
                    self.w.out.key(&TYPE);
                    self.w.out.literal(&TEXT);
                    self.w.out.key(&TEXT);
                    self.write_line(line, if place == 0 { prefix } else { "" }, turn)?;
                    if let Line::Text(_, Some(part)) = line {
                        self.w.extras(turn, part.extras.as_deref(), &Path::default)?;
                    }
                    self.w.out.close();
                }
                self.w.out.close();
            }
        }
        Ok(())
    }

    fn write_line(&mut self, line: &Line<'_, H>, prefix: &str, turn: &Turn<H>) -> Result<(), Error> {
        match line {
            Line::Text(text, _) if prefix.is_empty() => self.w.out.text(text),
            Line::Text(text, _) => self.w.out.pieces(&[Piece::Str(prefix), Piece::Text(text)]),
            Line::Json(raw) | Line::Raw(raw) if prefix.is_empty() => self.w.out.raw_as_text(raw),
            Line::Json(raw) | Line::Raw(raw) => {
                let json = self.w.json_of(raw, turn.input.as_ref())?;
                self.w.out.pieces(&[Piece::Str(prefix), Piece::Str(&json)]);
            }
        }
        Ok(())
    }

    /// One user message with the media of a whole run of results.
    pub(super) fn moved_message(&mut self) {
        let moved = std::mem::take(&mut self.moved);
        if moved.is_empty() {
            return;
        }
        self.w.out.open_map();
        self.w.out.key(&ROLE);
        self.w.out.literal(&USER);
        self.w.out.key(&CONTENT);
        self.w.out.open_list();
        let mut named: Option<&ToolResult<H>> = None;
        for ((index, turn), at, result, shown) in &moved {
            self.w.out.scope(turn.input.as_ref());
            if !named.is_some_and(|named| std::ptr::eq(named, *result)) {
                let id = self.links.renamed(*index, *at).unwrap_or(&result.id);
                self.w.out.open_map();
                self.w.out.key(&TYPE);
                self.w.out.literal(&TEXT);
                self.w.out.key(&TEXT);
                self.w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(id), Piece::Str(":")]);
                self.w.out.close();
                named = Some(result);
            }
            self.begin_media(shown);
            self.w.out.close();
        }
        self.w.out.close();
        self.w.out.close();
        if let Some(((index, turn), at, ..)) = moved.first() {
            self.w.replaced(|_| turn.part_path(*index, *at));
        }
    }
}
