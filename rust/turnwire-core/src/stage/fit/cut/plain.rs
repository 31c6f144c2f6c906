//! Cuts what a provider's own tools have said in plain text. Their ids and everything that is encrypted stay.

use super::{Cutter, Ruler};
use crate::{
    model::{Kind, Part},
    report::Error,
    rules::PlainOutput,
    text::Split,
    value::{Host, Raw, Value},
};

/// The rule of a block that goes back to its own format, and the block.
fn of<H: Host>(part: &Part<H>, ruler: Ruler<'_>) -> Option<(&'static PlainOutput, Value<H>)> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    let scope = ruler.seat.scope;
    let rule = scope.from.facts.plain_outputs.iter().find(|rule| kind.is(rule.kind, scope.input))?;
    let block = part.origin.as_ref().filter(|_| ruler.meter.is_home(ruler.seat))?.to_value(scope.input).ok()?;
    Some((rule, block))
}

/// The size in bytes of the texts that can be cut.
pub(in crate::stage::fit) fn size<H: Host>(part: &Part<H>, ruler: Ruler<'_>) -> usize {
    of(part, ruler).map_or(0, |(rule, block)| rule.texts(&block).iter().map(|text| text.utf8_len(None)).sum())
}

/// The part with texts of at most `max_bytes` in total, each cut by `text`.
pub(super) fn cut<H: Host>(
    part: &Part<H>,
    max_bytes: usize,
    ruler: Ruler<'_>,
    text: &Cutter<'_, H>,
) -> Result<Part<H>, Error> {
    let mut new = part.share();
    let Some((rule, block)) = of(part, ruler) else { return Ok(new) };
    let sizes: Vec<_> = rule.texts(&block).iter().map(|text| text.utf8_len(None)).collect();
    let mut shares = Split::Fair.shares(&sizes, max_bytes).into_iter();
    let other = rule.with_texts(&block, |words| text(words, shares.next().unwrap_or(0), None))?;
    new.origin = Some(Raw::Tree(other));
    Ok(new)
}
