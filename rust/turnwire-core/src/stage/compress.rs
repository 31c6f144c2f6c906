//! Step 1: a summary in place of the older turns.

use std::{borrow::Cow, collections::HashSet};

use super::{Draft, Inputs, Slot, size};
use crate::{
    handle::{Host, Text},
    part::{Kind, Part},
    path::Path,
    receipt::{Change, Entry, Warning},
    turn::{Role, Turn},
};

/// What stands for the older turns (spec 001).
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The summary itself.
    pub text: String,
    /// Whether lone surrogates of the text became U+FFFD before it came here.
    pub mended: bool,
    /// The id of the first turn that stays.
    pub start_id: String,
    /// The ids of the turns that it covers.
    pub ids: Vec<String>,
}

impl Summary {
    /// The text of the turn that holds it (spec 001).
    #[must_use]
    pub fn said(&self) -> String {
        format!("[Previous conversation summary ({} messages compressed)]\n\n{}", self.ids.len(), self.text)
    }
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, inputs: &Inputs<'_, H>) {
    let Some(summary) = inputs.summary else { return };
    let Some(start) = draft.slots().iter().position(|slot| id(slot, inputs).is_some_and(|id| id == *summary.start_id))
    else {
        let text = "startMessageId not found, using all messages";
        draft.receipt.warnings.push(Warning::new("start_id_missing", text));
        return;
    };
    let covered: HashSet<&str> = summary.ids.iter().map(String::as_str).collect();
    let said = summary.said();
    let mut kept = Vec::with_capacity(draft.slots().len() - start + 1);
    let mut entries = Vec::new();
    let mut standing = None;
    for (at, slot) in draft.slots().drain(..).enumerate() {
        let covers = id(&slot, inputs).is_some_and(|id| covered.contains(&*id));
        if at >= start && !covers {
            kept.push(slot);
            continue;
        }
        if standing.is_none() && is_summary(&slot.turn, &said) {
            standing = Some(slot);
            continue;
        }
        let (code, why) = if covers {
            (Change::Compressed, "the summary covers this turn")
        } else {
            (Change::BeforeSummary, "this turn stands before the start id, and the summary does not cover it")
        };
        entries.push(Entry::new(code, slot.index, slot.path(), why).sized(size::turn(&slot.turn), 0));
    }
    let slot = standing.unwrap_or_else(|| {
        entries.push(
            Entry::new(Change::SummaryAdded, 0, Path::default(), "the summary of the older turns").sized(0, said.len()),
        );
        if summary.mended {
            let why = "the summary held halves of characters, which became U+FFFD";
            entries.push(Entry::new(Change::LoneSurrogate, 0, Path::default(), why));
        }
        Slot::made(Turn::new(Role::System, [Part::text(Text::own(&said))]), 0)
    });
    kept.insert(0, slot);
    *draft.slots() = kept;
    draft.receipt.entries.append(&mut entries);
}

/// The id that the caller knows a turn by.
fn id<'a, H: Host>(slot: &'a Slot<H>, inputs: &'a Inputs<'_, H>) -> Option<Cow<'a, str>> {
    let own = || slot.turn.id.as_ref().map(|id| id.to_str(slot.turn.input.as_ref()));
    inputs.ids.get(slot.index).and_then(Option::as_ref).map(|id| id.to_str(None)).or_else(own)
}

/// Whether a turn is this very summary, from a build before.
fn is_summary<H: Host>(turn: &Turn<H>, said: &str) -> bool {
    turn.role == Role::System
        && matches!(turn.parts.as_slice(), [Part { kind: Kind::Text(text), .. }] if text.is(said, turn.input.as_ref()))
}
