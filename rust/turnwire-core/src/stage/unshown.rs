//! Leaves out screenshots that the target refuses. Nothing can stand for one, so their calls count as unanswered.

use super::{draft::Draft, policy::Policy, size};
use crate::{
    model::{Content, Kind, Part, ToolResult, Turn},
    pairing::{Fate, Matching, links::on_server},
    report::{Change, Edit, Error},
    rules::{CallForm, Target},
    value::Host,
    wire::plan::{
        answer::answer,
        decide::{self, Scope},
    },
};

const REFUSED: &str = "the target refuses this screenshot: it is left out";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, rules: &Policy) -> Result<(), Error> {
    let Some(target) = rules.written_for() else { return Ok(()) };
    let looks = |part: &Part<H>| matches!(&part.kind, Kind::Call(call) if call.form == Some(CallForm::Screen));
    let is_home = |turn: &Turn<H>| target.id.same_wire(turn.from) && target.id.facts.has_form(CallForm::Screen);
    if !draft.turns().any(|turn| is_home(turn) && turn.parts.iter().any(looks)) {
        return Ok(());
    }
    let turns: Vec<&Turn<H>> = draft.turns().map(|turn| &**turn).collect();
    let on_server = on_server::may_hold_calls(&draft.given.frame, turns.iter().copied(), rules.target);
    let matching = Matching::of(turns.iter().copied(), on_server);
    let mut gone = Vec::new();
    for site in &matching.results {
        let Fate::Of(call) = site.fate else { continue };
        let (asked, turn) = (&matching.calls[call], turns[site.turn]);
        if let Kind::Result(result) = &turn.parts[site.part].kind
            && looks(&turns[asked.turn].parts[asked.part])
            && is_home(turn)
            && turn.parts.len() == 1
            && is_screenshot(result)
            && !is_shown(&target, turn, result)?
        {
            gone.push(site.turn);
        }
    }
    let mut entries = Vec::new();
    let mut at = 0..;
    if gone.is_empty() {
        return Ok(());
    }
    draft.slots().retain(|slot| {
        let goes = at.next().is_some_and(|at| gone.binary_search(&at).is_ok());
        if goes {
            let entry = Change::new(Edit::Media, slot.index, slot.path(), REFUSED);
            entries.push(Change { kind: Edit::Media.kind_lost(), ..entry.sized(size::turn(&slot.turn), 0) });
        }
        !goes
    });
    draft.receipt.changes.append(&mut entries);
    Ok(())
}

/// Whether a result is a screenshot, or an image that could be one.
fn is_screenshot<H: Host>(result: &ToolResult<H>) -> bool {
    let is_image = |blocks: &[Part<H>]| matches!(blocks, [only] if matches!(only.kind, Kind::Media(_)));
    result.form == Some(CallForm::Screen) || matches!(&result.content, Content::Blocks(blocks) if is_image(blocks))
}

/// Whether the target gets an image.
fn is_shown<H: Host>(target: &Target<'_>, turn: &Turn<H>, result: &ToolResult<H>) -> Result<bool, Error> {
    let answer = answer(target, Scope::of(turn), result)?;
    Ok(answer.blocks.iter().any(|block| {
        let is_kept = matches!(block.decision.fate, decide::Fate::Media(_) | decide::Fate::Origin(_));
        is_kept && matches!(block.part.kind, Kind::Media(_))
    }))
}
