//! Cuts the tool results of rows to one budget each. Everything else is written unchanged.

use std::sync::Arc;

use super::{
    build::own,
    record::{RecordKind, RecordOptions},
};
use crate::{
    convert,
    detect::Reading,
    model::{Conversation, Kind, Part, ToolResult},
    report::{Change, ChangeKind, Edit, Error, Options, Rendering},
    spec::message::{Block, truncate_results},
    text::{Split, Units},
    value::{Host, Input, JsonSink, Raw, TapeSource, Text},
};

/// The options, the same as those of `truncate_results`.
#[derive(Debug)]
pub struct Truncate {
    /// The dialect of the rows.
    pub source: Reading,
    /// The budget of all results of a row together, in UTF-8 bytes.
    pub max_bytes: usize,
    /// The marker of a cut.
    pub suffix: String,
    /// How the budget is divided.
    pub split: Split,
    /// The options of the rendering.
    pub options: Options,
    /// What the caller says about records.
    pub records: RecordOptions,
}

impl Truncate {
    pub(super) fn row<H: Host>(
        &self,
        payload: &TapeSource<'_, H>,
        source: Reading,
        labelled: bool,
        out: &mut JsonSink,
    ) -> Result<Rendering, Error> {
        let (reading, dialect) = own(payload, source)?;
        let mut conversation = convert::parse(payload, reading)?;
        let record = RecordKind::of(payload, &conversation.view(), labelled, None);
        let options = self.records.options(self.records.is_row(record, None), payload, &self.options);
        let cuts = self.cut(&mut conversation)?;
        let mut rendering = convert::render(&conversation, dialect, &options, out)?;
        rendering.losses.splice(..0, cuts);
        Ok(rendering)
    }

    /// Cuts the results, and reports the cuts as changes.
    fn cut<H: Host>(&self, conversation: &mut Conversation<H>) -> Result<Vec<Change>, Error> {
        if most(conversation) <= self.max_bytes {
            return Ok(Vec::new());
        }
        let mut places = Vec::new();
        let mut results = Vec::new();
        for (at, turn) in conversation.turns().iter().enumerate() {
            for (place, part) in turn.parts.iter().enumerate() {
                if let Kind::Result(result) = part.kind.detach(turn.input.as_ref()) {
                    places.push((at, place));
                    results.push(result);
                }
            }
        }
        let all: Vec<_> = results.iter().collect();
        let cut = truncate_results(&all, self.max_bytes, Units::from(&*self.suffix), self.split)?;
        let mut losses = Vec::new();
        for ((at, place), new) in places.into_iter().zip(cut) {
            let Some(new) = new else { continue };
            let turn = &mut conversation.turns_mut()[at];
            let reason = "cut to its share of the budget";
            let path = turn.part_path(at, place);
            losses.push(Change::told(ChangeKind::Cut, Edit::CutResult, path, reason));
            let mut touched = turn.touch();
            let part = &mut touched.parts[place];
            *part = Part { kind: Kind::Result(new), touched: true, ..part.share() };
            *turn = Arc::new(touched);
        }
        Ok(losses)
    }
}

/// An upper bound for the size of all results: an escape is never shorter than its character, and JSON is never shorter
/// than its compact form.
fn most<H: Host>(conversation: &Conversation<H>) -> usize {
    let of = |result: &ToolResult<H>, input: Option<&Input>| -> usize {
        let blocks = result.blocks().map(|block| match block {
            Block::Text(Text::Span(span)) | Block::Json(Raw::Span(span)) => span.len as usize,
            Block::Text(text) => text.utf8_len(input),
            Block::Json(_) => usize::MAX,
            Block::Media(_) | Block::Other(_) => 0,
        });
        blocks.fold(0, usize::saturating_add)
    };
    let turns = conversation.turns().iter();
    let sizes = turns.flat_map(|turn| turn.results().map(|result| of(result, turn.input.as_ref())));
    sizes.fold(0, usize::saturating_add)
}
