//! Step 3 for programs that write the provider's format from the turns themselves. Repairs content that such a program
//! would pass on unchanged, although some providers refuse it. Calls already have results, which name the problem.

use std::sync::Arc;

use super::{draft::Draft, inputs::Relay};
use crate::{
    model::{Args, Call, Content, Kind, Part, Parts, Tie, Turn, says_no_args},
    report::{Change, Edit, Path},
    value::{ArgsState, Host, Input, Text},
};

/// The codes of warnings about content that such a program writes itself.
const OF_KEYS: &[Edit] = &[Edit::UnknownKey, Edit::UnknownBlock, Edit::ToolsMissing];

const EMPTY_OBJECT: &str = "{}";

/// Removes the warnings about content that the program writes itself.
pub(super) fn drop_key_warnings<H: Host>(draft: &mut Draft<'_, H>, relay: Relay) {
    if relay.own_keys {
        draft.receipt.changes.retain(|change| !OF_KEYS.iter().any(|code| change.code == *code));
    }
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, relay: Relay) {
    let minds = relay.no_blanks || relay.only_objects;
    let faulty =
        |turn: &Turn<H>| relay.empties(turn) || turn.parts.iter().any(|part| relay.fault(turn, part).is_some());
    if !minds || !draft.turns().any(|turn| faulty(turn)) {
        return;
    }
    // Without its last turn the conversation would have no question, so that turn stays and causes an error.
    let last = draft.turns().len().saturating_sub(1);
    let (mut at, mut entries) = (0.., Vec::new());
    draft.slots().retain_mut(|slot| {
        let is_last = at.next() == Some(last);
        if relay.empties(&slot.turn) {
            if !is_last {
                let why = "this turn has no content, and not every provider accepts that";
                entries.push(Change::new(Edit::EmptyTurn, slot.index, slot.path(), why));
            }
            return is_last;
        }
        let mut parts = Parts::new();
        let before = entries.len();
        for (at, part) in slot.turn.parts.iter().enumerate() {
            let Some((fault, repaired)) = relay.fault(&slot.turn, part) else {
                parts.push(part.share());
                continue;
            };
            entries.push(Change { index: Some(slot.index), path: slot.path_of(at), ..fault });
            parts.extend(repaired);
        }
        if entries.len() > before {
            slot.turn = Arc::new(slot.turn.touch_with(parts));
        }
        true
    });
    draft.receipt.changes.append(&mut entries);
}

impl Relay {
    /// Whether no part of a turn would be left.
    fn empties<H: Host>(self, turn: &Turn<H>) -> bool {
        self.no_blanks && turn.tie == Tie::None && turn.parts.iter().all(|part| is_blank(part, turn.input.as_ref()))
    }

    /// The fault of a part, and the part that replaces it, if any.
    fn fault<H: Host>(self, turn: &Turn<H>, part: &Part<H>) -> Option<(Change, Option<Part<H>>)> {
        let input = turn.input.as_ref();
        let entry = |code, why: &'static str| Change::new(code, 0, Path::default(), why);
        match &part.kind {
            Kind::Call(call) if self.only_objects && !call.custom => {
                let Args::Text(text) = &call.args else { return None };
                // Empty arguments count as an object and are passed on.
                if !says_no_args(text, input) && call.args.state(input) == ArgsState::Object {
                    return None;
                }
                let kind = Kind::Call(Call { args: Args::Text(Text::own(EMPTY_OBJECT)), ..call.share() });
                let entry =
                    entry(Edit::Arguments, "the arguments are not a JSON object, and some providers refuse that");
                let entry = entry.sized(text.utf8_len(input), EMPTY_OBJECT.len());
                Some((entry.of(call.id.to_str(input).into_owned()), Some(Part { kind, touched: true, ..part.share() })))
            }
            Kind::Result(result) if self.no_blanks && matches!(result.content, Content::Absent) && !part.touched => {
                // Only the parser knows whether the wire value may be empty like this.
                let entry = entry(Edit::Reshaped, turn.flaw?.says).of(result.id.to_str(input).into_owned());
                Some((entry, Some(Part { touched: true, ..part.share() })))
            }
            Kind::Text(text) if self.no_blanks && text.is_blank(input) => {
                let entry = entry(Edit::BlankText, "a text without a visible character, which some providers refuse");
                Some((entry.sized(text.utf8_len(input), 0), None))
            }
            _ => None,
        }
    }
}

fn is_blank<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    matches!(&part.kind, Kind::Text(text) if text.is_blank(input))
}
