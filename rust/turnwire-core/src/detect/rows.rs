//! Finds the row of a format that has the keys of a turn which the target won only because all rows of its format are read alike.

use crate::{
    model::{Parsed, Part, Turn},
    rules::{DialectId, UpdateForm},
    value::{Extras, Host, Input},
};

/// Counts turns that were read as the target as another row's, if only that one has their marks for the prompt cache, or their
/// changes of settings.
pub(crate) fn settle<H: Host>(parsed: &mut Parsed<H>, target: DialectId) {
    for turn in parsed.turns.iter_mut().filter(|turn| turn.from == target) {
        if let Some(row) = row_of(turn, target) {
            turn.from = row;
        }
    }
}

fn row_of<H: Host>(turn: &Turn<H>, target: DialectId) -> Option<DialectId> {
    let input = turn.input.as_ref();
    let rows = || (0..).zip(target.facts.profiles).map(|(profile, _)| DialectId { facts: target.facts, profile });
    if let Some((rule, UpdateForm::Key(name))) = target.facts.update.map(|rule| (rule, rule.form))
        && turn.role.is_system()
        && !rule.profiles.contains(&target.profile())
        && has(turn.extras.as_deref(), name, input)
    {
        return rows().find(|row| rule.profiles.contains(&row.profile()));
    }
    let own = target.marks().map(|marks| marks.form);
    let others = target.facts.marks.reads.iter().filter(|form| Some(**form) != own);
    let blocks = || turn.parts.iter().flat_map(Part::with_blocks).map(|part| part.extras.as_deref());
    let keys = || std::iter::once(turn.extras.as_deref()).chain(blocks());
    let form = others.copied().find(|form| keys().any(|extras| has(extras, form.key().name, input)))?;
    rows().find(|row| row.marks().is_some_and(|marks| marks.form == form))
}

fn has<H: Host>(extras: Option<&Extras<H>>, name: &str, input: Option<&Input>) -> bool {
    extras.into_iter().flatten().any(|(key, _)| key.is(name, input))
}
