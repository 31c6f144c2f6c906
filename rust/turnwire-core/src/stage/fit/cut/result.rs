//! Cuts a result to a number of bytes, across all of its blocks.

use super::{Marking, Ruler, passage};
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

/// The bytes around its blocks.
pub(in crate::stage) fn around<H: Host>(result: &ToolResult<H>, ruler: Ruler<'_>) -> Result<usize, Error> {
    Ok(ruler.result(result)?.saturating_sub(size(result, ruler)?))
}

/// Cuts the result to at most `max_bytes`. Small blocks stay whole, and texts share the rest. A JSON value that exceeds
/// its share becomes text. Media and other blocks that cannot be cut are replaced by a word: in an `old` result before
/// any text is cut, else only if they exceed their share. If the caller's marker alone is larger, it is all that is left.
pub(in crate::stage) fn cut<H: Host>(
    result: &ToolResult<H>,
    (max_bytes, old): (usize, bool),
    marking: &Marking<'_>,
    ruler: Ruler<'_>,
) -> Result<ToolResult<H>, Error> {
    let mut new = result.share();
    let whole = size(result, ruler)?;
    // A marking remembers what it has written, so each cut needs its own.
    let marking = &marking.clone();
    let Some(room) = max_bytes.checked_sub(marking.must(whole)) else {
        new.content = Content::Text(marking.alone(whole));
        return Ok(new);
    };
    match &result.content {
        Content::Absent => {}
        Content::Text(words) => {
            marking.lead();
            new.content = Content::Text(marking.text(words, room, ruler.input())?);
        }
        Content::Blocks(blocks) => {
            let keeps = |block: &Part<H>| {
                let form = result.form.filter(|_| ruler.meter.is_home(ruler.seat));
                form.is_some_and(|form| form.keeps(block.place.key))
            };
            let named = ruler.meter.with_names(ruler.seat, blocks);
            let blocks = named.as_deref().unwrap_or(blocks);
            new.content = cut_blocks((blocks, &keeps), (max_bytes, room, old), (marking, whole), ruler)?;
        }
    }
    Ok(new)
}

/// Which blocks stay as they are.
type Keeps<'k, H> = &'k dyn Fn(&Part<H>) -> bool;

/// `room`: what is left for the blocks if the caller's marker is written. Blocks that `keeps` names stay as they are.
fn cut_blocks<H: Host>(
    (blocks, keeps): (&[Part<H>], Keeps<'_, H>),
    (max_bytes, room, old): (usize, usize, bool),
    (marking, whole): (&Marking<'_>, usize),
    ruler: Ruler<'_>,
) -> Result<Content<H>, Error> {
    let (scope, input) = (ruler.seat.scope, ruler.input());
    let mut given = blocks.iter().map(|block| ruler.size(block)).collect::<Result<Vec<_>, _>>()?;
    let kept = blocks.iter().zip(&mut given).filter(|(block, _)| keeps(block));
    let kept: usize = kept.map(|(_, size)| std::mem::take(size)).sum();
    let (max_bytes, room) = (max_bytes.saturating_sub(kept), room.saturating_sub(kept));
    let mut sizes = given.clone();
    let mut words = words_for(blocks, &mut sizes, (max_bytes, old), scope);
    let mut shares = Split::Fair.shares(&sizes, max_bytes);
    // Without media, the texts may fit. If not, the largest one gets the caller's marker. A word may stand for text, too.
    let loses_text = blocks.iter().zip(&words).any(|(block, word)| word.is_some() && has_text(block, scope));
    if marking.is_the_callers() && (loses_text || sizes.iter().sum::<usize>() > max_bytes) {
        sizes = given;
        words = words_for(blocks, &mut sizes, (room, old), scope);
        shares = Split::Fair.shares(&sizes, room);
        marking.lead();
    }
    let is_cut = |at: &usize| words[*at].is_none() && sizes[*at] > shares[*at] && has_text(&blocks[*at], scope);
    let first = if marking.is_awaited() { (0..blocks.len()).filter(is_cut).max_by_key(|at| sizes[*at]) } else { None };
    let mut kept = Vec::with_capacity(blocks.len());
    // The block with the caller's marker is cut first, but stays in its place.
    for at in first.into_iter().chain((0..blocks.len()).filter(|at| Some(*at) != first)) {
        let (block, size, share) = (&blocks[at], sizes[at], shares[at]);
        let has_room = share > 0 || Some(at) == first;
        match (&block.kind, &words[at]) {
            (_, Some(word)) if size <= share => kept.push((at, Part::text(&**word))),
            (_, None) if size <= share => kept.push((at, block.share())),
            (Kind::Text(words), _) if has_room => {
                let words = marking.text(words, share, input)?;
                kept.push((at, Part { kind: Kind::Text(words), touched: true, ..block.share() }));
            }
            (Kind::Json(value), _) if has_room => {
                let mut json = Vec::new();
                compact::raw(value, input, Numbers::Spelled, &mut json)?;
                let words = Text::own(&String::from_utf8_lossy(&json));
                kept.push((at, Part::text(marking.text(&words, share, None)?)));
            }
            (Kind::Opaque(_) | Kind::Media(_), None) if passage::size(block, scope) > 0 && has_room => {
                let around = size.saturating_sub(passage::size(block, scope));
                let text = |words: &Text<H>, max: usize, input: Option<&Input>| marking.text(words, max, input);
                kept.push((at, passage::cut(block, share.saturating_sub(around), scope, &text)?));
            }
            _ => {}
        }
    }
    kept.sort_by_key(|(at, _)| *at);
    let mut kept: Vec<_> = kept.into_iter().map(|(_, block)| block).collect();
    if marking.is_awaited() && !kept.is_empty() {
        let left: usize = (0..blocks.len()).filter(|at| words[*at].is_none()).map(|at| sizes[at].min(shares[at])).sum();
        kept.push(Part::text(marking.alone(whole.saturating_sub(left))));
    }
    if kept.is_empty() {
        return Ok(Content::Text(super::text(&marking.alone(whole), max_bytes, None)?));
    }
    Ok(Content::blocks(kept))
}

/// Whether a block has text that can be cut.
fn has_text<H: Host>(block: &Part<H>, scope: Scope<'_>) -> bool {
    match block.kind {
        Kind::Text(_) | Kind::Json(_) => true,
        Kind::Opaque(_) | Kind::Media(_) => passage::size(block, scope) > 0,
        _ => false,
    }
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
