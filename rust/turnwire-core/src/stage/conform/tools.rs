//! Faults of tools that cannot be repaired: their number, equal names, and required keys of the provider's own tools.

use crate::{
    model::{Frame, Tool},
    report::{Error, error::Code},
    rules::{DialectId, Limits, Target, ToolName, block_rule::misfit},
    stage::Draft,
    value::{HashSet, Host, Text},
    wire::plan::{rules, seats::first_use},
};

/// Checks the number of tools, and the keys of those that the provider runs.
pub(super) fn check<H: Host>(frame: &Frame<H>, limits: &Limits, target: DialectId) -> Result<(), Error> {
    let keys = target.keys();
    let input = frame.input.as_ref();
    let count = frame.tools.as_ref().map_or(0, Vec::len);
    if count > limits.tools_max {
        let text = format!("the target accepts at most {} tools, got {count}", limits.tools_max);
        return Err(Error::new(Code::Unsendable, text).at_path(frame.tools_path()));
    }
    let is_meant = |tool: &Tool<H>| frame.is_own(tool, target) && tool.by_provider && tool.origin.is_some();
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| is_meant(tool)) {
        // Only the caller can correct such a definition.
        let misfit = || misfit(keys.tools, &tool.name, tool.origin.as_ref(), input);
        if let Some(why) = tool.flaw.map(|flaw| flaw.says.to_owned()).or_else(misfit) {
            return Err(Error::new(Code::Unsendable, why).at_path(frame.tool_path(index)));
        }
    }
    Ok(())
}

/// Refuses names that cannot be made legal, and names that two tools share.
pub(super) fn check_names<H: Host>(frame: &Frame<H>, limits: &Limits, target: DialectId) -> Result<(), Error> {
    let input = frame.input.as_ref();
    let mut names = HashSet::default();
    let is_meant = |tool: &Tool<H>| frame.is_own(tool, target) || !tool.by_provider;
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| is_meant(tool)) {
        let Some(name) = tool.called(input) else { continue };
        let refused = !matches!(limits.tool_name(&Text::<H>::own(&name), None), ToolName::Fine);
        let text = if refused {
            rules::name_refused(&name)
        } else if names.contains(&name) {
            format!("two tools have the name {name:?}")
        } else {
            names.insert(name);
            continue;
        };
        return Err(Error::new(Code::Unsendable, text).at_path(frame.tool_path(index)));
    }
    Ok(())
}

/// Refuses a choice of tools if all tools are another provider's, so that none remains.
pub(super) fn some_left<H: Host>(draft: &Draft<'_, H>, frame: &Frame<H>, target: &Target<'_>) -> Result<(), Error> {
    let is_gone = |tool: &Tool<H>| tool.by_provider && tool.functions.is_empty() && !frame.is_own(tool, target.id);
    let gone = frame.tools.as_ref().is_some_and(|tools| !tools.is_empty() && tools.iter().all(is_gone));
    let limits = target.limits;
    match first_use(limits, draft.turns().map(|turn| &**turn)).filter(|_| gone) {
        None => Ok(()),
        Some(at) => Err(Error::new(Code::Unsendable, rules::NO_TOOL_DEFINED).at_path(draft.path(at))),
    }
}
