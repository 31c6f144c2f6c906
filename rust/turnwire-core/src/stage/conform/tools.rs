//! Faults of tools that cannot be repaired: their number, equal names, and required keys of the provider's own tools.

use crate::{
    model::{Frame, Tool},
    report::{Error, error::Code},
    rules::{ExtraKeys, Limits, ToolName, block_rule::misfit},
    stage::Draft,
    value::{HashSet, Host, Input, Text, Value},
    wire::plan::{rules, seats::first_use},
};

/// Checks the number of tools, and the keys of those that the provider runs.
pub(super) fn check<H: Host>(frame: &Frame<H>, limits: &Limits, keys: &ExtraKeys, own: bool) -> Result<(), Error> {
    let input = frame.input.as_ref();
    let count = frame.tools.as_ref().map_or(0, Vec::len);
    if count > limits.tools_max {
        let text = format!("the target accepts at most {} tools, got {count}", limits.tools_max);
        return Err(Error::new(Code::Unsendable, text).at_path(frame.tools_path()));
    }
    for (index, tool) in
        frame.tools.iter().flatten().enumerate().filter(|(_, tool)| own && tool.by_provider && tool.origin.is_some())
    {
        // Only the caller can correct such a definition.
        let misfit = || misfit(keys.tools, &tool.name, tool.origin.as_ref(), input);
        if let Some(why) = tool.flaw.map(|flaw| flaw.says.to_owned()).or_else(misfit) {
            return Err(Error::new(Code::Unsendable, why).at_path(frame.tool_path(index)));
        }
    }
    Ok(())
}

/// Refuses names that cannot be made legal, and names that two tools share.
pub(super) fn check_names<H: Host>(frame: &Frame<H>, limits: &Limits, own: bool) -> Result<(), Error> {
    let input = frame.input.as_ref();
    let mut names = HashSet::default();
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| own || !tool.by_provider) {
        let Some(name) = named(tool, input) else { continue };
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

/// The name by which a tool is called. A provider's tool may have only a type.
fn named<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> Option<String> {
    if !tool.by_provider {
        return Some(tool.name.to_str(input).into_owned());
    }
    match tool.origin.as_ref()?.to_value(input).ok()? {
        Value::Map(entries) => entries.iter().find(|(key, _)| key.is("name", None)).and_then(|(_, name)| match name {
            Value::Text(name) => Some(name.to_str(None).into_owned()),
            _ => None,
        }),
        _ => None,
    }
}

/// Refuses a choice of tools if all tools are another provider's, so that none remains.
pub(super) fn some_left<H: Host>(draft: &Draft<'_, H>, frame: &Frame<H>, limits: &Limits) -> Result<(), Error> {
    let gone = frame.tools.as_ref().is_some_and(|tools| {
        !tools.is_empty() && tools.iter().all(|tool| tool.by_provider && tool.functions.is_empty())
    });
    match first_use(limits, draft.turns().map(|turn| &**turn)).filter(|_| gone) {
        None => Ok(()),
        Some(at) => Err(Error::new(Code::Unsendable, rules::NO_TOOL_DEFINED).at_path(draft.path(at))),
    }
}
