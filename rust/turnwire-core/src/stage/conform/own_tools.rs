//! Finds what the target refuses in definitions of its own format, and unknown keys in them.

use super::{keys, marks, surroundings::Fault};
use crate::{
    model::{Flaw, Frame, Tool},
    report::{Change, Edit},
    rules::{DialectId, ExtraKeys, Limits, Target, Verdict, block_rule::block_rule_of},
    stage::Draft,
    value::Host,
    wire::plan::{
        judge,
        unknown_keys::all_are_left_out,
        wrong::{Wrong, is_repaired, of_flaw},
    },
    wire::read::FOREIGN_TOOL,
};

/// The faults of such definitions. Warns of their unknown keys.
pub(super) fn find<H: Host>(draft: &mut Draft<'_, H>, frame: &Frame<H>, wire: &Target<'_>) -> Vec<Fault> {
    let (keys, limits, input) = (wire.id.keys(), wire.limits, frame.input.as_ref());
    let mut faults: Vec<Fault> = Vec::new();
    warn(draft, frame, wire);
    for (index, tool) in own(frame, wire.id) {
        let came = tool.origin.is_some();
        let flaw = tool.flaw.filter(|_| came).map(|flaw| Wrong::flawed(Edit::Reshaped, flaw, limits));
        let flaw = flaw.or_else(|| no_text(tool, (keys, limits)).filter(|_| came));
        let stray = || keys::faults((&of_tools(keys), limits), keys.tool, tool.extras.as_deref(), input).wrong();
        // What is repaired comes first.
        let wrong = match flaw {
            Some(wrong) if is_repaired(wrong.severity) => Some(wrong),
            taken => stray().or(taken),
        };
        faults.extend(wrong.map(|wrong| (wrong, frame.tool_path(index))));
    }
    let foreign = foreign(frame, wire.id).map(|index| frame.tool_path(index));
    faults.extend(foreign.map(|path| (Wrong::flawed(Edit::Reshaped, &FOREIGN_TOOL, limits), path)));
    faults
}

/// Marks the definitions with faults to be rewritten.
pub(super) fn repair<H: Host>(new: &mut Frame<H>, frame: &Frame<H>, wire: &Target<'_>) {
    let (keys, limits, input) = (wire.id.keys(), wire.limits, frame.input.as_ref());
    let has_flaw = |flaw: Option<&'static Flaw>| flaw.is_some_and(|flaw| is_repaired(of_flaw(flaw, limits)));
    let of_tools = of_tools(keys);
    let is_own = |tool: &Tool<H>| frame.is_own(tool, wire.id);
    if foreign(frame, wire.id).next().is_some() {
        new.tools_origin = None;
    }
    for tool in new.tools.iter_mut().flatten().filter(|tool| is_own(tool)) {
        let stray = keys::faults((&of_tools, limits), keys.tool, tool.extras.as_deref(), input).is_repaired();
        let unfit = has_flaw(tool.flaw) || no_text(tool, (keys, limits)).is_some();
        if !unfit && !stray {
            continue;
        }
        new.tools_origin = None;
        // If only a key is at fault, the rest stays unchanged. A tool among several in one entry is rewritten.
        let origin = tool.origin.take().filter(|_| !unfit && tool.inside.is_none());
        let others = keys::removed((&of_tools, limits), keys.tool, tool.extras.as_deref(), input);
        tool.origin = origin.and_then(|origin| keys.without_stray_keys(&origin, input, &others));
        tool.extras = keys::kept((keys, limits), keys.tool, tool.extras.take(), input);
    }
    let replayed = new.tools_origin.is_some() && new.choice.as_ref().is_none_or(|choice| choice.origin.is_some());
    if !replayed && frame.from.same_wire(wire.id) {
        new.renew();
    }
}

/// What is wrong with a tool of free text.
fn no_text<H: Host>(tool: &Tool<H>, (keys, limits): (&ExtraKeys, &Limits)) -> Option<Wrong> {
    // A format that is only stored refuses none.
    judge::tool(limits, tool).filter(|_| !keys.any)
}

/// The definitions in the target's own format, with their indices.
fn own<H: Host>(frame: &Frame<H>, target: DialectId) -> impl Iterator<Item = (usize, &Tool<H>)> {
    frame.tools.iter().flatten().enumerate().filter(move |(_, tool)| frame.is_own(tool, target))
}

/// The indices of definitions in another format, in a body of the target's own.
fn foreign<H: Host>(frame: &Frame<H>, target: DialectId) -> impl Iterator<Item = usize> {
    let came = frame.tools_origin.is_some() && frame.from.same_wire(target);
    let all = frame.tools.iter().flatten().enumerate().filter(move |_| came);
    all.filter(move |(_, tool)| !frame.is_own(tool, target)).map(|(index, _)| index)
}

/// The keys for definitions, which are never in a reply.
fn of_tools(keys: &ExtraKeys) -> ExtraKeys {
    ExtraKeys { echoed: &[], ..*keys }
}

fn warn<H: Host>(draft: &mut Draft<'_, H>, frame: &Frame<H>, wire: &Target<'_>) {
    let (target, keys, input) = (wire.id, wire.id.keys(), frame.input.as_ref());
    for (index, tool) in own(frame, target).filter(|(_, tool)| tool.by_provider && tool.origin.is_some()) {
        let kind = tool.name.to_str(input);
        match block_rule_of(keys.tools, &kind) {
            None if keys.tools.is_empty() => {}
            None => {
                let text = format!("the target may refuse a tool of type {kind:?}, which no list of its tools has");
                let warning = Change::warning(Edit::UnknownTool, frame.tool_path(index), text);
                draft.receipt.changes.push(warning);
            }
            Some(rule) => {
                let unlisted = rule.unlisted(tool.origin.as_ref(), input);
                let warnings = unlisted.iter().map(|key| keys::unknown(key, frame.tool_path(index)));
                draft.receipt.changes.extend(warnings);
            }
        }
    }
    // A build leaves these out.
    let closed = all_are_left_out(wire.limits);
    for (index, tool) in own(frame, target).filter(|_| !closed) {
        for (key, value) in tool.extras.iter().flat_map(|extras| extras.iter()) {
            if keys.judge(keys.tool, (key, value), input) == Verdict::Unknown {
                draft.receipt.changes.push(keys::unknown(&key.to_str(input), frame.tool_path(index)));
            }
            let inside = marks::unlisted(target, (key, value), input, &|| frame.tool_path(index));
            draft.receipt.changes.extend(inside.into_iter().map(keys::unknown_at));
        }
    }
}
