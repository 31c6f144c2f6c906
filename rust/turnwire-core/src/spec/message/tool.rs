//! The results of tools: their blocks, and how several results are cut to one budget.

use crate::{
    model::{Content, Kind, Media, Part, ToolResult},
    report::{Error, Home, Place},
    text::{Keep, Split, Units},
    value::{Host, Raw, Text, extras::share_extras, json},
};

/// The text of a result for a tool that the user cancelled.
pub const CANCELLED_RESULT: &str = "Tool use was cancelled by the user";

/// One block of a result.
pub enum Block<'a, H: Host> {
    /// Text.
    Text(&'a Text<H>),
    /// A JSON value.
    Json(&'a Raw<H>),
    /// An image or other media.
    Media(&'a Media<H>),
    /// Content that only its own dialect knows.
    Other(&'a Part<H>),
}

impl<H: Host> ToolResult<H> {
    /// Its blocks in order, whatever form the content has.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_, H>> {
        let (text, parts) = match &self.content {
            Content::Absent => (None, &[][..]),
            Content::Text(text) => (Some(Block::Text(text)), &[][..]),
            Content::Blocks(parts) => (None, &parts[..]),
        };
        text.into_iter().chain(parts.iter().map(|part| match &part.kind {
            Kind::Text(text) | Kind::Refusal(text) => Block::Text(text),
            Kind::Json(raw) => Block::Json(raw),
            Kind::Media(media) => Block::Media(media),
            _ => Block::Other(part),
        }))
    }
}

/// The size of a result's texts in UTF-8 bytes. A JSON value counts as it is written. A size above `enough` may be any
/// number above it.
pub(super) fn size_of<H: Host>(result: &ToolResult<H>, enough: usize) -> Result<usize, Error> {
    result.blocks().try_fold(0_usize, |size, block| Ok(size.saturating_add(block_size(&block, enough)?)))
}

/// The size of several results, counted the same way.
pub(super) fn all_sizes<'a, H: Host>(
    results: impl IntoIterator<Item = &'a ToolResult<H>>,
    enough: usize,
) -> Result<usize, Error> {
    let mut size = 0_usize;
    for result in results {
        if size > enough {
            break;
        }
        size = size.saturating_add(size_of(result, enough)?);
    }
    Ok(size)
}

fn block_size<H: Host>(block: &Block<'_, H>, enough: usize) -> Result<usize, Error> {
    match block {
        Block::Text(text) => {
            Ok(Some(least_size(text)).filter(|least| *least > enough).unwrap_or_else(|| text.utf8_len(None)))
        }
        Block::Json(raw) => Ok(json::brief::of(raw, enough)?.len()),
        Block::Media(_) | Block::Other(_) => Ok(0),
    }
}

/// The smallest size that a text can have, found without reading it.
fn least_size<H: Host>(text: &Text<H>) -> usize {
    match text {
        Text::Host(text) => H::units(text).len(),
        Text::Span(_) => 0,
        Text::Own(text) => text.len(),
    }
}

/// The smallest size that each result can have, found without reading it.
fn least_sizes<H: Host>(results: &[&ToolResult<H>]) -> Vec<usize> {
    let least = |result: &&ToolResult<H>| {
        let sizes = result.blocks().map(|block| if let Block::Text(text) = block { least_size(text) } else { 0 });
        sizes.fold(0, usize::saturating_add)
    };
    results.iter().map(least).collect()
}

/// The size of each result, as far as it matters. A result can get at most what is left if all others have their
/// smallest size, so nothing beyond that is read or written.
fn sizes_for<H: Host>(results: &[&ToolResult<H>], max_bytes: usize) -> Result<Vec<usize>, Error> {
    let least = least_sizes(results);
    let shares = Split::Fair.shares(&least, max_bytes);
    let enough = if shares == least { max_bytes } else { shares.into_iter().max().unwrap_or(0) };
    results.iter().map(|result| size_of(result, enough)).collect()
}

/// Results with texts of at most `max_bytes` UTF-8 bytes in total. If they are larger, each is cut to its own share.
/// `None` is a result that does not change.
///
/// A share covers all blocks of a result: small ones stay whole, large ones divide the rest. A JSON block that exceeds
/// its part becomes text. Media have no shorter form, so they are neither counted nor cut.
pub fn truncate_results<H: Host>(
    results: &[&ToolResult<H>],
    max_bytes: usize,
    suffix: Units<'_>,
    split: Split,
) -> Result<Vec<Option<ToolResult<H>>>, Error> {
    let sizes = match split {
        Split::Even
            if least_sizes(results).iter().sum::<usize>() <= max_bytes
                && all_sizes(results.iter().copied(), max_bytes)? <= max_bytes =>
        {
            return Ok(results.iter().map(|_| None).collect());
        }
        Split::Even => vec![0; results.len()],
        Split::Fair => sizes_for(results, max_bytes)?,
    };
    let shares = split.shares(&sizes, max_bytes);
    results.iter().zip(shares).map(|(result, share)| cut_result(result, share, suffix)).collect()
}

fn cut_result<H: Host>(
    result: &ToolResult<H>,
    share: usize,
    suffix: Units<'_>,
) -> Result<Option<ToolResult<H>>, Error> {
    let content = match &result.content {
        Content::Absent => None,
        Content::Text(text) => text.truncate(share, suffix, Keep::Head, None)?.map(Content::Text),
        Content::Blocks(parts) => cut_blocks(result, parts, share, suffix)?.map(Content::blocks),
    };
    Ok(content.map(|content| ToolResult {
        id: result.id.share(),
        made_up_id: result.made_up_id,
        name: result.name.as_deref().map(|name| Box::new(name.share())),
        content,
        error: result.error,
        synthetic: result.synthetic,
        custom: result.custom,
        form: result.form,
    }))
}

fn cut_blocks<H: Host>(
    result: &ToolResult<H>,
    parts: &[Part<H>],
    share: usize,
    suffix: Units<'_>,
) -> Result<Option<Vec<Part<H>>>, Error> {
    let sizes = result.blocks().map(|block| block_size(&block, share)).collect::<Result<Vec<_>, _>>()?;
    if sizes.iter().fold(0_usize, |sum, size| sum.saturating_add(*size)) <= share {
        return Ok(None);
    }
    let shares = Split::Fair.shares(&sizes, share);
    let blocks = result.blocks().zip(parts).zip(shares).map(|((block, part), share)| {
        let text = match block {
            Block::Text(text) => text.truncate(share, suffix, Keep::Head, None)?,
            Block::Json(raw) => {
                let json = json::brief::of(raw, share)?;
                let cut = Units::Utf8(&json).truncate(share, suffix, Keep::Head);
                cut.map(|cut| H::text(&cut)).transpose()?
            }
            Block::Media(_) | Block::Other(_) => None,
        };
        Ok(match text {
            None => part.share(),
            Some(text) => Part {
                kind: Kind::Text(text),
                origin: None,
                extras: share_extras(part.extras.as_deref()),
                inner: None,
                place: Place::default(),
                home: Home::NONE,
                flaw: None,
                touched: true,
                signed: false,
            },
        })
    });
    blocks.collect::<Result<Vec<_>, _>>().map(Some)
}
