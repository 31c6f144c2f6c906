//! Reads the tools of a body that only another format describes, as gateways pass them on: a group, a shell.

use crate::{
    detect::dialect_of_tool,
    dialects::registry,
    model::Frame,
    report::Error,
    rules::block_rule::block_rule_of,
    value::{Host, Tree, Value},
    wire::read::FOREIGN_TOOL,
};

/// Reads such definitions in their own format. The list of tools itself stays as it came.
pub(super) fn read<H: Host>(frame: &mut Frame<H>) -> Result<(), Error> {
    let (from, input) = (frame.from, frame.input.clone());
    for tool in frame.tools.iter_mut().flatten().filter(|tool| tool.inside.is_none()) {
        let unknown = || block_rule_of(from.keys().tools, &tool.name.to_str(input.as_ref())).is_none();
        let foreign = tool.flaw.is_some_and(|flaw| flaw.says == FOREIGN_TOOL.says);
        if !(foreign || tool.by_provider && unknown()) {
            continue;
        }
        let Some(origin) = &tool.origin else { continue };
        let list = Value::List([origin.to_value(input.as_ref())?].into());
        let of = |element: &Tree<'_, H>| dialect_of_tool(element, None).filter(|of| !of.same_wire(from));
        let mut read = registry::read_mixed_tools(&Tree(&list), of)?;
        // What a provider runs stays that of the body's own.
        if let Some(read) = read.pop().filter(|read| read.of.is_some() && !read.functions.is_empty()) {
            *tool = read;
        }
    }
    Ok(())
}
