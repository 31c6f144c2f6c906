//! Step 4: the system prompts in front, joined by a newline.

use super::{Draft, Slot, filter::HALF};
use crate::{
    handle::{Host, Text},
    part::{Kind, Part},
    path::Path,
    receipt::{Change, Entry},
    surrogate::mend,
    turn::{Role, Turn},
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, prompts: &[Text<H>]) {
    let joined = match prompts {
        [] => return,
        [one] => one.share(),
        several => Text::own(&several.iter().map(|prompt| prompt.to_str(None)).collect::<Vec<_>>().join("\n")),
    };
    let joined = mend::text(&joined, None);
    let words = joined.wtf8(None);
    let standing = draft.turns().next().is_some_and(|turn| {
        turn.role == Role::System
            && matches!(turn.parts.as_slice(), [Part { kind: Kind::Text(text), .. }] if text.wtf8(turn.input.as_ref()) == words)
    });
    // A conversation that was built before has them already.
    if standing {
        return;
    }
    let entry = Entry::new(Change::SystemAdded, 0, Path::default(), "the system prompts").sized(0, words.len());
    drop(words);
    draft.slots().insert(0, Slot::made(Turn::new(Role::System, [Part::text(joined)]), 0));
    if prompts.iter().any(Text::has_lone_surrogate) {
        draft.report(Entry::new(Change::LoneSurrogate, 0, Path::default(), HALF));
    }
    draft.report(entry);
}
