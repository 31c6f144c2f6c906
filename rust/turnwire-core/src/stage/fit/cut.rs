//! A result cut to a number of bytes, over all of its blocks together.

use crate::{
    budget::Split,
    error::Error,
    handle::{Host, Input, Text},
    json,
    part::{Kind, Part},
    stage::size,
    text::{Keep, TRUNCATED_SUFFIX, Units},
    tool::{Content, ToolResult},
};

/// The result in at most `max_bytes`: both ends of a text stay, because an error or a pointer to the whole is often last. A JSON
/// value that does not fit becomes text; media that do not fit become a word.
pub(super) fn result<H: Host>(
    result: &ToolResult<H>,
    max_bytes: usize,
    input: Option<&Input>,
) -> Result<ToolResult<H>, Error> {
    let mut new = result.share();
    new.content = match &result.content {
        Content::Absent => Content::Absent,
        Content::Text(words) => Content::Text(text(words, max_bytes, input)?),
        Content::Blocks(blocks) => {
            let sizes: Vec<_> = blocks.iter().map(|block| size::part(block, input)).collect();
            let mut left = max_bytes;
            let mut kept = Vec::with_capacity(blocks.len());
            for ((part, size), share) in blocks.iter().zip(&sizes).zip(Split::Fair.shares(&sizes, max_bytes)) {
                let new = if *size <= share { Some(part.share()) } else { block(part, share.min(left), input)? };
                if let Some(new) = new {
                    left = left.saturating_sub(size::part(&new, input));
                    kept.push(new);
                }
            }
            if kept.is_empty() { Content::Text(Text::own("")) } else { Content::blocks(kept) }
        }
    };
    Ok(new)
}

fn block<H: Host>(part: &Part<H>, max_bytes: usize, input: Option<&Input>) -> Result<Option<Part<H>>, Error> {
    if max_bytes == 0 {
        return Ok(None);
    }
    Ok(Some(match &part.kind {
        Kind::Text(words) => Part { kind: Kind::Text(text(words, max_bytes, input)?), touched: true, ..part.share() },
        Kind::Json(value) => Part::text(text(&Text::own(&json::write::to_string(value, input)?), max_bytes, input)?),
        _ => Part::text(text(&Text::own(TRUNCATED_SUFFIX), max_bytes, input)?),
    }))
}

fn text<H: Host>(words: &Text<H>, max_bytes: usize, input: Option<&Input>) -> Result<Text<H>, Error> {
    let cut = words.truncate(max_bytes, Units::from(TRUNCATED_SUFFIX), Keep::Middle, input)?;
    Ok(cut.unwrap_or_else(|| words.share()))
}
