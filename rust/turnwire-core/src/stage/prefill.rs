//! Step 6, before `conform`: trims white space at the end of a prefill, the assistant text that the model continues.
//!
//! Anthropic's error text: "final assistant content cannot end with trailing whitespace".

use std::sync::Arc;

use super::{draft::Draft, policy::Policy};
use crate::{
    model::{Kind, Part, Role},
    report::{Change, Edit, Error},
    value::Host,
};

const WHY: &str = "the target refuses white space at the end of an answer that it continues";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    if !rules.prefill || !rules.limits.is_some_and(|limits| limits.prefill) {
        return Ok(());
    }
    let last = draft.turns().enumerate().rev().find(|(_, turn)| !turn.role.is_system());
    let Some((at, turn)) = last.filter(|(_, turn)| turn.speaker() == Role::Assistant) else { return Ok(()) };
    let input = turn.input.as_ref();
    let Some((part, Kind::Text(text))) = turn.parts.last().map(|part| (turn.parts.len() - 1, &part.kind)) else {
        return Ok(());
    };
    let (size, kept) = (text.utf8_len(input), text.to_str(input).trim_end().len());
    // The next step removes text without a visible character as a whole.
    if kept == 0 || kept == size {
        return Ok(());
    }
    let trimmed = Kind::Text(H::text(&text.wtf8(input)[..kept])?);
    let slot = &mut draft.slots()[at];
    let mut new = slot.turn.touch();
    new.parts[part] = Part { kind: trimmed, touched: true, ..slot.turn.parts[part].share() };
    let entry = Change::new(Edit::Reshaped, slot.index, slot.path_of(part), WHY).sized(size, kept);
    slot.turn = Arc::new(new);
    draft.report(entry);
    Ok(())
}
