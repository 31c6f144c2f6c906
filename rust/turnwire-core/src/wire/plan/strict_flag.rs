//! Decides whether the tools of a request may say that they are strict.

use crate::{
    k,
    model::{Frame, Tool},
    rules::{Limits, StrictFlag},
    value::{Host, Input, Value},
};

/// Why no tool says so.
pub(crate) const WHY: &str = "the target takes no tool that says that it is strict";
/// The same where the tools differ.
pub(crate) const DIFFER: &str = "the target wants all tools to be strict, or none";

/// Whether a tool says that it is strict, or that it is not.
pub(crate) fn of<H: Host>(tool: &Tool<H>, input: Option<&Input>) -> Option<bool> {
    let said = tool.extras.iter().flat_map(|extras| extras.iter()).find(|(key, _)| key.is(k::STRICT.name, input))?;
    if let Ok(Value::Bool(flag)) = said.1.to_value(input) { Some(flag) } else { None }
}

/// Why the flag is left out of every tool. `None` if the target takes it.
pub(crate) fn left_out<H: Host>(limits: &Limits, frame: &Frame<H>) -> Option<&'static str> {
    let input = frame.input.as_ref();
    let mut said =
        frame.tools.iter().flatten().filter(|tool| !tool.by_provider).map(|tool| of(tool, input) == Some(true));
    match limits.tool.strict_flag {
        StrictFlag::Kept => None,
        StrictFlag::LeftOut => Some(WHY),
        StrictFlag::Alike => {
            let first = said.next()?;
            said.any(|other| other != first).then_some(DIFFER)
        }
    }
}
