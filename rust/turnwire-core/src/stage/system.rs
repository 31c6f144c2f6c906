//! Step 4: puts the system prompts first, joined by newlines.

use super::draft::{Draft, DraftTurn};
use crate::{
    model::{Kind, Part, Role, Turn, surrogate::repair},
    report::{Change, Edit, Path, sentence::HALF},
    value::{Host, Text},
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, prompts: &[Text<H>]) {
    let Some(joined) = joined(prompts) else { return };
    // The result of an earlier build already has them.
    if draft.turns().next().is_some_and(|turn| says(turn, &joined)) {
        return;
    }
    let bytes = joined.utf8_len(None);
    let entry = Change::new(Edit::SystemAdded, 0, Path::default(), "the system prompts").sized(0, bytes);
    draft.slots().insert(0, DraftTurn::made(Turn::new(Role::System, [Part::text(joined)]), 0));
    if prompts.iter().any(Text::has_lone_surrogate) {
        draft.report(Change::new(Edit::LoneSurrogate, 0, Path::default(), HALF));
    }
    draft.report(entry);
}

/// The text of all system prompts.
pub(super) fn joined<H: Host>(prompts: &[Text<H>]) -> Option<Text<H>> {
    let joined = match prompts {
        [] => return None,
        [one] => one.share(),
        several => Text::own(&several.iter().map(|prompt| prompt.to_str(None)).collect::<Vec<_>>().join("\n")),
    };
    Some(repair::text(&joined, None))
}

/// Whether a turn is exactly these system prompts.
pub(super) fn says<H: Host>(turn: &Turn<H>, joined: &Text<H>) -> bool {
    alone(turn).is_some_and(|text| text.wtf8(turn.input.as_ref()) == joined.wtf8(None))
}

/// The text of a system turn that has no other content.
pub(super) fn alone<H: Host>(turn: &Turn<H>) -> Option<&Text<H>> {
    match turn.parts.as_slice() {
        [Part { kind: Kind::Text(text), .. }] if turn.role == Role::System => Some(text),
        _ => None,
    }
}
