//! Lets a result be an item of the kind that answers its call, where the target has items of several kinds.
//!
//! Text becomes the text of the other kind. What this kind cannot hold stays as it came, with a warning.

use std::sync::Arc;

use crate::{
    model::{Call, Content, Kind, Part, ToolResult, Turn},
    pairing::{
        Fate, Matching,
        links::{ResultSite, on_server},
    },
    report::{Change, Edit, Severity},
    rules::{CallForm, DialectId, Limits},
    stage::Draft,
    value::Host,
    wire::plan::arguments::is_free,
};

const OTHER_KIND: &str = "the target answers this call with an item of another kind";
const STAYS: &str = "the target answers this call with an item of another kind, which cannot hold this result";

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) {
    let special = |part: &Part<H>| match &part.kind {
        Kind::Call(call) => call.custom || call.form.is_some(),
        Kind::Result(result) => result.custom || result.form.is_some(),
        _ => false,
    };
    if target.facts.forms.is_empty() || !draft.turns().any(|turn| turn.parts.iter().any(special)) {
        return;
    }
    for Fault { site: (at, part), kind, holds } in faults(draft, target, limits) {
        // By OpenAI's own type, nothing but a screenshot answers a look at the screen.
        let severity = if kind.1 == Some(CallForm::Screen) { Severity::Error } else { Severity::Warning };
        let (turn, index) = draft.at(at);
        let path = turn.part_path(index, part);
        if !holds {
            let warning = Change::warning(Edit::OtherKind, path, STAYS).graded(severity);
            if !draft.receipt.changes.contains(&warning) {
                draft.receipt.changes.push(warning);
            }
            continue;
        }
        let mut new = turn.touch();
        let answer = &mut new.parts[part];
        // Its keys are those of another kind.
        (answer.touched, answer.origin) = (true, None);
        if let Kind::Result(result) = &mut answer.kind {
            (result.custom, result.form) = kind;
            if let Content::Blocks(blocks) = &mut result.content {
                blocks.iter_mut().for_each(|block| (block.touched, block.origin) = (true, None));
            }
        }
        draft.slots()[at].turn = Arc::new(new);
        draft.receipt.changes.push(Change::new(Edit::Reshaped, index, path, OTHER_KIND));
    }
}

/// A result of another kind than its call.
struct Fault {
    /// Its turn and part.
    site: (usize, usize),
    /// Whether the call is a custom one, and its form.
    kind: (bool, Option<CallForm>),
    /// Whether the item that answers such calls can hold it.
    holds: bool,
}

fn faults<H: Host>(draft: &Draft<'_, H>, target: DialectId, limits: &Limits) -> Vec<Fault> {
    let turns: Vec<&Turn<H>> = draft.turns().map(|turn| &**turn).collect();
    let on_server = on_server::may_hold_calls(&draft.given.frame, turns.iter().copied(), Some(target));
    let matching = Matching::of(turns.iter().copied(), on_server);
    let fault = |answer: &ResultSite<'_>| {
        let (turn, Fate::Of(call)) = (turns[answer.turn], answer.fate) else { return None };
        let asked = &matching.calls[call];
        let (Kind::Call(call), Kind::Result(result)) =
            (&turns[asked.turn].parts[asked.part].kind, &turn.parts[answer.part].kind)
        else {
            return None;
        };
        let (site, kind) = ((answer.turn, answer.part), (is_free(limits, call.custom), call.form));
        let wrong = turn.from.same_wire(target) && !result.synthetic && !answers(kind, result);
        wrong.then(|| Fault { site, kind, holds: holds(call, result) })
    };
    matching.results.iter().filter_map(fault).collect()
}

/// Whether a result is of the kind that answers a call.
fn answers<H: Host>((custom, form): (bool, Option<CallForm>), result: &ToolResult<H>) -> bool {
    let same = custom == result.custom && form == result.form;
    let plain = result.form.is_none() && !result.custom;
    same || plain && form.is_some_and(CallForm::takes_plain)
}

/// Whether the kind of item that answers a call can hold all of a result.
fn holds<H: Host>(call: &Call<H>, result: &ToolResult<H>) -> bool {
    let is_media = |block: &Part<H>| matches!(block.kind, Kind::Media(_));
    let blocks = match &result.content {
        Content::Blocks(blocks) => blocks.as_slice(),
        _ => &[],
    };
    // The result of a search is definitions, of which only the names are text.
    result.form != Some(CallForm::Search)
        && match call.form {
            Some(CallForm::Search) => false,
            Some(CallForm::Screen) => matches!(blocks, [only] if is_media(only)),
            Some(CallForm::Shell | CallForm::Patch) => !blocks.iter().any(is_media),
            Some(CallForm::LocalShell) | None => true,
        }
}
