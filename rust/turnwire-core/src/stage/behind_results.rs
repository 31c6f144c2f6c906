//! Step 7: warns of the user's words right after a result, where some servers of the target refuse that.

use super::{draft::Draft, policy::Policy};
use crate::{
    model::Role,
    report::{Change, Edit, Severity},
    value::Host,
    wire::write::says::{is_written, user_asks},
};

pub(super) fn warn<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) {
    let Some(target) = rules.written_for() else { return };
    let severity = target.limits.user_after_result;
    if severity == Severity::Info {
        return;
    }
    let (mut answered, mut found) = (false, Vec::new());
    let turns = draft.turns().enumerate();
    for (at, turn) in turns.filter(|(_, turn)| !turn.role.is_system() && is_written(turn, &target)) {
        let answers = turn.results().next().is_some();
        let user = turn.speaker() != Role::Assistant;
        // The results of a turn are written before its words.
        let asks = user && (!answers || user_asks(turn, &target));
        if asks && (answers || answered) {
            found.push(at);
        }
        answered = answers && !asks;
    }
    let text =
        "some servers of the target refuse the user's words right after a result: put the assistant's answer between";
    for at in found {
        let warning = Change::warning(Edit::UserAfterResult, draft.path(at), text).graded(severity);
        draft.receipt.changes.push(warning);
    }
}
