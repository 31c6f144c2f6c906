//! Cuts the texts of a search result. Its title and its source stay.

use super::text;
use crate::{
    model::Part,
    report::Error,
    text::Split,
    value::{Host, Raw},
    wire::plan::{decide::Scope, passages},
};

/// The part with texts of at most `max_bytes` in total. Nothing in it is signed, so it goes back to its own format.
pub(super) fn cut<H: Host>(part: &Part<H>, max_bytes: usize, scope: Scope<'_>) -> Result<Part<H>, Error> {
    let mut new = part.share();
    let Some((rule, passage)) = passages::read(scope, part) else { return Ok(new) };
    let mut shares = Split::Fair.shares(&passage.sizes(), max_bytes).into_iter();
    let block = part.origin.as_ref().map(|origin| origin.to_value(scope.input)).transpose()?;
    if let Some(block) = block {
        let other = rule.with_texts(&block, |words| text(words, shares.next().unwrap_or(0), None))?;
        new.origin = other.map(Raw::Tree).or(new.origin);
    }
    Ok(new)
}
