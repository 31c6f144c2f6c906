//! Cuts a result to a number of bytes, across all of its blocks.

use super::{Ruler, passage, text};
use crate::{
    model::{Content, Kind, Part, ToolResult},
    report::Error,
    text::{Split, TRUNCATED_SUFFIX},
    value::{Host, Input, Numbers, Text, json::compact},
    wire::plan::decide::Scope,
};

/// The total size of its blocks.
pub(in crate::stage) fn size<H: Host>(result: &ToolResult<H>, ruler: Ruler<'_>) -> Result<usize, Error> {
    match &result.content {
        Content::Absent => Ok(0),
        Content::Text(text) => Ok(text.utf8_len(ruler.input())),
        Content::Blocks(blocks) => blocks.iter().try_fold(0, |total, block| Ok(total + ruler.size(block)?)),
    }
}

/// Cuts the result to at most `max_bytes`. Small blocks stay whole, and texts share the rest. A JSON value that exceeds
/// its share becomes text. Media and other blocks that cannot be cut are replaced by a word: in an `old` result before
/// any text is cut, else only if they exceed their share.
pub(in crate::stage) fn cut<H: Host>(
    result: &ToolResult<H>,
    (max_bytes, old): (usize, bool),
    ruler: Ruler<'_>,
) -> Result<ToolResult<H>, Error> {
    let mut new = result.share();
    match &result.content {
        Content::Absent => {}
        Content::Text(words) => new.content = Content::Text(text(words, max_bytes, ruler.input())?),
        Content::Blocks(blocks) => new.content = cut_blocks(blocks, (max_bytes, old), ruler)?,
    }
    Ok(new)
}

fn cut_blocks<H: Host>(
    blocks: &[Part<H>],
    (max_bytes, old): (usize, bool),
    ruler: Ruler<'_>,
) -> Result<Content<H>, Error> {
    let mut sizes = blocks.iter().map(|block| ruler.size(block)).collect::<Result<Vec<_>, _>>()?;
    let words = words_for(blocks, &mut sizes, (max_bytes, old), ruler.seat.scope);
    let shares = Split::Fair.shares(&sizes, max_bytes);
    let mut kept = Vec::with_capacity(blocks.len());
    for (((block, word), size), share) in blocks.iter().zip(words).zip(sizes).zip(shares) {
        match (&block.kind, word) {
            (_, Some(word)) if size <= share => kept.push(Part::text(&*word)),
            (_, None) if size <= share => kept.push(block.share()),
            (Kind::Text(words), _) if share > 0 => {
                let words = text(words, share, ruler.input())?;
                kept.push(Part { kind: Kind::Text(words), touched: true, ..block.share() });
            }
            (Kind::Json(value), _) if share > 0 => {
                let mut json = Vec::new();
                compact::raw(value, ruler.input(), Numbers::Spelled, &mut json)?;
                kept.push(Part::text(text(&Text::own(&String::from_utf8_lossy(&json)), share, None)?));
            }
            (Kind::Opaque(_) | Kind::Media(_), None) if passage::size(block, ruler.seat.scope) > 0 && share > 0 => {
                let around = size.saturating_sub(passage::size(block, ruler.seat.scope));
                kept.push(passage::cut(block, share.saturating_sub(around), ruler.seat.scope)?);
            }
            _ => {}
        }
    }
    if kept.is_empty() {
        return Ok(Content::Text(text(&Text::own(TRUNCATED_SUFFIX), max_bytes, None)?));
    }
    Ok(Content::blocks(kept))
}

/// For each block, the word that replaces it, if any. Updates `sizes` to the sizes of the words.
fn words_for<H: Host>(
    blocks: &[Part<H>],
    sizes: &mut [usize],
    (max_bytes, old): (usize, bool),
    scope: Scope<'_>,
) -> Vec<Option<String>> {
    let shares = Split::Fair.shares(sizes, max_bytes);
    let mut total: usize = sizes.iter().sum();
    let mut words = Vec::with_capacity(blocks.len());
    for ((block, size), share) in blocks.iter().zip(sizes).zip(shares) {
        let too_much = if old { total > max_bytes } else { *size > share };
        let texts = passage::size(block, scope);
        // A search result or a document is cut if what is around its texts fits.
        let is_cut = texts > 0 && size.saturating_sub(texts) + TRUNCATED_SUFFIX.len() <= share;
        let word = word_for(block, scope.input).filter(|word| too_much && word.len() < *size && !is_cut);
        if let Some(word) = &word {
            total -= *size - word.len();
            *size = word.len();
        }
        words.push(word);
    }
    words
}

/// The word that replaces a block that cannot be cut.
fn word_for<H: Host>(block: &Part<H>, input: Option<&Input>) -> Option<String> {
    match &block.kind {
        Kind::Text(_) | Kind::Json(_) => None,
        Kind::Media(media) => Some(format!("[{}]", media.class.name())),
        Kind::Opaque(name) => Some(format!("[{}]", name.to_str(input))),
        _ => Some(TRUNCATED_SUFFIX.to_owned()),
    }
}
