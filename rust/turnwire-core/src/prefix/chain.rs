//! Checks which reasoning of a body still follows the content it was made after, including the reasoning block before
//! it.

use std::collections::VecDeque;

use super::{cause::Cause, element::get, thought::Thought};
use crate::value::{HashMap, Host, Value};

/// The result of comparing the reasoning of two bodies.
#[derive(Default)]
pub(super) struct Chain {
    /// The stale blocks, by their index in the second body.
    pub(super) stale: Vec<usize>,
    /// The first change of the chain that has a cost: the number of pieces before it, the cause, and its path in each
    /// body.
    pub(super) broken: Option<Broken>,
    /// The first block that the second body left out, by its index in the first.
    pub(super) left_out: Option<usize>,
}

/// A change of the chain.
pub(super) struct Broken {
    pub(super) at: usize,
    pub(super) cause: Cause,
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
}

/// Compares the reasoning of two bodies. `edit`: the first piece that was changed, if any. `reach`: how many pieces the
/// first body has.
pub(super) fn compare<H: Host>(a: &[Thought<H>], b: &[Thought<H>], edit: Option<usize>, reach: usize) -> Chain {
    let mut known: HashMap<&[u8], VecDeque<usize>> = HashMap::default();
    for (index, thought) in a.iter().enumerate() {
        known.entry(&thought.token).or_default().push_back(index);
    }
    let origins: Vec<_> = b.iter().map(|one| known.get_mut(&one.token[..]).and_then(VecDeque::pop_front)).collect();
    let mut kept = vec![false; a.len()];
    origins.iter().flatten().for_each(|origin| kept[*origin] = true);
    let mut missing: HashMap<usize, usize> = HashMap::default();
    for was in (0..a.len()).filter(|was| !kept[*was]) {
        missing.entry(a[was].at).or_insert(was);
    }
    let mut chain = Chain { left_out: kept.iter().position(|kept| !kept), ..Chain::default() };
    // The last block that is still valid, by its index in the first body. New blocks count on after the first body's
    // last one.
    let (mut last, mut made, mut put_back): (Option<usize>, usize, Option<usize>) = (None, 0, None);
    for (index, thought) in b.iter().enumerate() {
        let made_at = origins[index].map_or(0, |origin| a[origin].at);
        let is_behind = edit.is_some_and(|edit| thought.at > edit || made_at > edit);
        let mut fault = None;
        let place = if let Some(origin) = origins[index] {
            if !is_behind && a[origin].at != thought.at {
                fault = Some((Cause::ReasoningMoved, Some(origin), Some(index)));
            } else if modified(&a[origin].value, &thought.value) {
                fault = Some((Cause::ReasoningChanged, Some(origin), Some(index)));
            }
            origin
        } else {
            // If a block of the first body is missing at the same place, this is that block with another signature.
            let was = missing.get(&thought.at).copied();
            if was.is_some() && !is_behind {
                fault = Some((Cause::ReasoningChanged, was, Some(index)));
            } else if thought.at >= reach || is_behind {
                made += 1;
            } else {
                put_back = put_back.or(Some(index));
                continue;
            }
            a.len() + made.saturating_sub(1)
        };
        if is_behind {
            chain.stale.push(index);
            continue;
        }
        if fault.is_none() {
            fault = match (last, put_back) {
                (Some(before), _) if place < before => Some((Cause::ReasoningMoved, Some(place), Some(index))),
                (Some(before), _) if place != before + 1 => Some((Cause::ReasoningGap, Some(before + 1), Some(index))),
                (_, Some(back)) => Some((Cause::ReasoningPutBack, None, Some(back))),
                _ => None,
            };
        }
        match fault {
            Some((cause, old, new)) => {
                chain.stale.push(index);
                let at = match (cause, old, new) {
                    (Cause::ReasoningGap, Some(old), _) if old < a.len() => a[old].at,
                    (_, _, Some(new)) => b[new].at,
                    _ => thought.at,
                };
                chain.broken.get_or_insert(Broken { at, cause, a: old.filter(|old| *old < a.len()), b: new });
            }
            None => last = Some(place),
        }
    }
    chain
}

/// Whether a block has another text under the same signature. A block whose text is hidden is not compared.
fn modified<H: Host>(a: &Value<H>, b: &Value<H>) -> bool {
    let said = |value: &Value<H>| {
        let inner = get(value, "reasoningContent").and_then(|inner| get(inner, "reasoningText")).map(Value::share);
        let value = inner.unwrap_or_else(|| value.share());
        let shown = ["thinking", "text", "content"].iter().find_map(|key| get(&value, key).map(Value::share));
        shown.filter(|shown| match shown {
            Value::Text(text) => !text.is_empty(),
            Value::List(items) => !items.is_empty(),
            _ => false,
        })
    };
    match (said(a), said(b)) {
        (Some(old), Some(new)) => !old.same(&new),
        _ => false,
    }
}
