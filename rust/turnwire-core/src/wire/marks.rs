//! Adds marks for the prompt cache to a written payload, if the caller asks for it and the target has marks.
//!
//! A provider caches a prompt up to each mark. A later request reads the longest cached part that ends at one of its
//! own marks or at most 20 blocks before it. So these marks are added, the most useful first:
//!
//! 1. at the end: the next request repeats all of it;
//! 2. before the newest reply, where the previous request ended, however many blocks have followed;
//! 3. at the end of the system text, and of the tools, which all conversations share;
//! 4. before the reply that precedes the newest one.
//!
//! The caller's own marks stay and count: only as many are added as they leave of the target's maximum. No mark is
//! added before one of the caller's with a longer lifetime, because the provider refuses that order.
//! <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>

mod body;
mod size;

use self::body::{Body, Place};
use crate::{
    k,
    model::Frame,
    report::{AutoMarks, Edit, Error, Losses, Path, Provenance},
    rules::{CacheMark, CacheRule, DialectId, Family, Slots, cache_rule::fewest},
    value::{Host, Key, Marks, Sink, Source, Spot},
};

/// Where a payload comes from: the keys beside its list, the sources of its elements, and the path of a source.
pub(crate) struct Origin<'a, H: Host> {
    pub(crate) frame: &'a Frame<H>,
    pub(crate) provenance: &'a Provenance,
    pub(crate) path: &'a dyn Fn(usize) -> Path,
}

/// Adds marks to the payload in `out`, and reports each.
pub(crate) fn add<H: Host, K: Sink<H>>(
    (target, auto): (DialectId, &AutoMarks),
    origin: &Origin<'_, H>,
    losses: &mut Losses,
    out: &mut K,
) -> Result<(), Error> {
    let (Some(rule), Some(slots), Some((_, most))) = (target.facts.cache, target.facts.slots, target.keys().most)
    else {
        return Ok(());
    };
    let family = target.limits()?.family;
    if family == Family::Any || out.fault().is_some() {
        return Ok(());
    }
    let mut finder = Finder { rule, slots, most, family, model: auto.model.as_deref(), found: Vec::new() };
    out.mark(&mut finder)?;
    for place in finder.found {
        let path = match place {
            Place::Tool(_) => origin.frame.tools_path(),
            Place::System(_) => origin.frame.system_path(),
            Place::Block(message, _) => {
                // A message that was made up has no source, so the one before it counts.
                let sources = origin.provenance.sources.get(..=message).unwrap_or_default();
                sources.iter().rev().find_map(|one| one.last()).map(|index| (origin.path)(*index)).unwrap_or_default()
            }
        };
        losses.changed(Edit::CacheMark, path, "the prompt can be cached up to here, as the caller asked");
    }
    Ok(())
}

/// Finds the positions of the marks in a payload.
struct Finder<'a> {
    rule: &'static CacheRule,
    slots: &'static Slots,
    /// How many marks the target accepts.
    most: usize,
    family: Family,
    model: Option<&'a str>,
    found: Vec<Place>,
}

impl<H: Host> Marks<H> for Finder<'_> {
    fn mark(&self) -> (&'static Key, &'static Key) {
        (self.rule.mark.key(), self.rule.kind)
    }

    fn spots<S: Source<H = H>>(&mut self, payload: &S) -> Vec<Spot<S>> {
        let named = payload.get(&k::MODEL).or_else(|| payload.get(&k::MODEL_ID));
        let named = named.as_ref().and_then(Source::word);
        let model = self.model.or(named.as_deref());
        if model.is_some_and(|model| !self.family.has(model)) {
            return Vec::new();
        }
        let body = Body::of(payload, self.rule, self.slots);
        let own = body.marks();
        let start = size::reaches(&body, fewest(model));
        let may = |place: &Place| {
            start.is_some_and(|start| *place >= start) && own.last_long.is_none_or(|last| *place > last)
        };
        for place in body.places().into_iter().flatten() {
            if self.found.len() + own.count >= self.most {
                break;
            }
            if may(&place) && !self.found.contains(&place) && !body.is_marked(place) {
                self.found.push(place);
            }
        }
        self.found.sort_unstable();
        self.found.iter().filter_map(|place| body.spot(*place)).collect()
    }
}

/// The position of a block's mark.
impl CacheMark {
    fn spot<S: Source>(self, list: S, index: usize) -> Option<Spot<S>> {
        match self {
            Self::Key(_) => list.items().nth(index).map(Spot::Key),
            Self::Block(_) => Some(Spot::Behind(list, index)),
        }
    }
}
