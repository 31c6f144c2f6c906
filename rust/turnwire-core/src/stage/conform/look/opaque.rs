//! Decides whether an opaque block may be written unchanged.

use super::Look;
use crate::{
    detect::{foreign_block, knows_block},
    model::{Content, Kind, Part, Role, Turn},
    pairing::links::ran,
    rules::{CallForm, KeyRule, Limits, block_rule::misfit},
    value::{Host, Input, Text, Value},
    wire::plan::{answer::is_words, decide::Scope, rules},
};

impl Look<'_> {
    /// Faults of a block that its turn's own format cannot read: another format's block, or one without a type.
    pub(super) fn unknown_block<H: Host>(&mut self, turn: &Turn<H>, part: &Part<H>) -> Option<String> {
        let input = turn.input.as_ref();
        match &part.kind {
            Kind::Opaque(_) if part.flaw.is_some() => {
                part.flaw.map(|flaw| format!("the target refuses this block: {}", flaw.says))
            }
            // A stored format is never sent and may hold anything.
            Kind::Opaque(_) if self.keys.any => None,
            Kind::Opaque(name) => {
                let listed = |list: &str| list.split(' ').any(|word| !word.is_empty() && name.is(word, input));
                let assistant = turn.role == Role::Assistant;
                let elsewhere = listed(if assistant { self.keys.user_blocks } else { self.keys.assistant_blocks });
                let text = || format!("the target refuses {:?} from the other side", name.to_str(input));
                if elsewhere {
                    return Some(text());
                }
                let again = |look: &mut Self| ran::id_of(part, input).is_some_and(|id| !look.ran.insert(id));
                if assistant && listed(self.keys.assistant_blocks) && again(self) {
                    return Some("the target has already run another call with this id".to_owned());
                }
                if let Some((key, rule)) = self.keys.members.iter().find(|(key, _)| name.is(key, input))
                    && !holds(part, (key, *rule), input)
                {
                    return Some(format!("the target refuses {key:?} as it is here"));
                }
                misfit(self.keys.blocks, name, part.origin.as_ref(), input).or_else(|| foreign_block(turn, part))
            }
            Kind::Result(result) => match &result.content {
                Content::Blocks(blocks) => {
                    let text_alone = result.error && self.limits.fails_in_text();
                    let scope = Scope::of(turn);
                    let stays = |block: &Part<H>| matches!(block.kind, Kind::Opaque(_)) && !is_words(scope, block);
                    if text_alone && blocks.iter().any(stays) {
                        return Some(rules::FAILED_TEXT.says.to_owned());
                    }
                    blocks
                        .iter()
                        .filter(|block| !block.touched)
                        .find_map(|block| self.misplaced(turn, block).or_else(|| self.unknown_block(turn, block)))
                }
                Content::Absent | Content::Text(_) => None,
            },
            _ => None,
        }
    }

    /// Why the target refuses an item that is alone in its turn.
    pub(in crate::stage::conform) fn refused_item<H: Host>(&mut self, turn: &Turn<H>) -> Option<String> {
        self.unknown_block(turn, turn.parts.first()?)
    }

    /// Faults of a call or an answer that is an item of its own kind.
    pub(super) fn misformed<H: Host>(&self, turn: &Turn<H>, part: &Part<H>) -> Option<String> {
        let kind = item_kind(part).filter(|_| turn.flaw.is_none() && part.flaw.is_none())?;
        misfit(self.keys.blocks, &Text::<H>::own(kind), part.origin.as_ref(), turn.input.as_ref())
    }

    /// Faults of a block outside of results that its own format knows.
    pub(super) fn misplaced<H: Host>(&self, turn: &Turn<H>, block: &Part<H>) -> Option<String> {
        let (Kind::Opaque(name), input) = (&block.kind, turn.input.as_ref()) else { return None };
        let listed = self.keys.result_blocks.split(' ').any(|word| name.is(word, input));
        let known = !self.keys.result_blocks.is_empty() && knows_block(turn.from, &name.to_str(input));
        (known && !listed).then(|| format!("no result can hold {:?}", name.to_str(input)))
    }
}

/// The type of the item that a call or an answer of its own kind is.
pub(in crate::stage::conform) fn item_kind<H: Host>(part: &Part<H>) -> Option<&'static str> {
    match &part.kind {
        Kind::Call(call) => call.form.map(CallForm::call),
        Kind::Result(result) => result.form.map(CallForm::result),
        _ => None,
    }
}

/// Whether an opaque block has the value that the target needs under its key.
pub(super) fn holds<H: Host>(part: &Part<H>, (key, rule): KeyRule, input: Option<&Input>) -> bool {
    let Some(Ok(Value::Map(entries))) = part.origin.as_ref().map(|origin| origin.to_value(input)) else { return true };
    let value = entries.iter().find(|(name, _)| name.is(key, None)).map(|(_, value)| value.share());
    value.is_none_or(|value| rule.allows(&value))
}

/// Whether a part has an unknown type, so that only a newer version of its own format can know it.
pub(in crate::stage::conform) fn is_unknown<H: Host>(turn: &Turn<H>, part: &Part<H>) -> bool {
    let whole = part.place.key.is_none() && turn.from.limits().is_ok_and(Limits::has_items);
    let Kind::Opaque(name) = &part.kind else { return false };
    // Where a list of one may be its element, so may a part.
    let single = turn.from.facts.slots.is_some_and(|slots| slots.singles);
    (part.place.index.is_some() || whole || single) && !knows_block(turn.from, &name.to_str(turn.input.as_ref()))
}
