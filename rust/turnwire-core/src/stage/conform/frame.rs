//! What surrounds the turns, as the target takes it: system text that says something, tools by names it takes.

use std::{collections::HashSet, sync::Arc};

use super::keys;
use crate::{
    conversation::{Frame, System},
    dialect::{DialectId, Limits, Verdict},
    error::{Code, Error},
    handle::{Host, Input, Raw, Text, Value},
    part::Kind,
    path::Path,
    receipt::{Change, Entry},
    stage::Draft,
    tool::Tool,
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let own = frame.from.same_wire(target);
    tools(&frame, limits, own)?;
    if limits.tools_required && !frame.from.same_wire(target) {
        without_tools(draft, &frame)?;
    }
    if !frame.from.same_wire(target) {
        return Ok(());
    }
    let mut faults: Vec<(Change, Path, &'static str)> = Vec::new();
    let input = frame.input.as_ref();
    for part in frame.system.iter().flat_map(|system| &system.parts) {
        if matches!(&part.kind, Kind::Text(text) if !limits.blank_text && text.is_blank(input)) && !part.touched {
            let why = "the target refuses text without a visible character";
            faults.push((Change::BlankText, Path::default().at(part.place), why));
        }
    }
    // An empty string has no part, and is refused all the same.
    let text = |origin: &Raw<H>| !origin.is_list(input);
    let silent = |system: &System<H>| system.parts.is_empty() && system.origin.as_ref().is_some_and(text);
    let silent = frame.system.as_ref().is_some_and(silent);
    if silent && !limits.blank_text {
        faults.push((Change::BlankText, frame.system_path(), "the target refuses system text that says nothing"));
    }
    let no_tools = frame.tools.as_ref().is_some_and(Vec::is_empty);
    if no_tools {
        faults.push((Change::NoTools, frame.tools_path(), "the target refuses an empty list of tools"));
    }
    for part in frame.system.iter().flat_map(|system| &system.parts) {
        let sound = matches!(part.kind, Kind::Text(_) | Kind::Opaque(_)) && part.flaw.is_none();
        if !sound && !part.touched {
            let why = "the target takes text as system text, and nothing else";
            faults.push((Change::MovedSystem, Path::default().at(part.place), why));
        }
    }
    for (index, tool) in frame.tools.iter().flatten().enumerate() {
        if let (Some(flaw), Some(_)) = (tool.flaw, &tool.origin) {
            faults.push((Change::Reshaped, frame.tool_path(index), flaw.0));
        }
    }
    if let (Some(flaw), Some(_)) = (frame.flaw, &frame.whole) {
        faults.push((Change::Reshaped, Path::default(), flaw.0));
    }
    let wrong_choice = frame.choice.as_ref().filter(|choice| choice.origin.is_some()).and_then(|choice| choice.flaw);
    if let Some(flaw) = wrong_choice {
        faults.push((Change::Reshaped, frame.choice_path(), flaw.0));
    }
    let lone_choice = frame.choice.is_some() && frame.tools.as_ref().is_none_or(Vec::is_empty);
    if lone_choice {
        faults.push((Change::LoneChoice, frame.choice_path(), "the target takes no choice of tools without tools"));
    }
    warn(draft, &frame, target);
    if faults.is_empty() {
        return Ok(());
    }
    let mut new = frame.map(&mut Text::share, &mut Raw::share);
    if let Some(system) = &mut new.system
        && faults.iter().any(|(code, ..)| matches!(code, Change::BlankText | Change::MovedSystem))
    {
        system.origin = None;
        system.parts.iter_mut().for_each(|part| {
            part.touched |= match &part.kind {
                Kind::Text(text) => part.flaw.is_some() || text.is_blank(new.input.as_ref()),
                Kind::Opaque(_) => part.flaw.is_some(),
                _ => true,
            };
        });
    }
    if no_tools {
        (new.tools, new.tools_origin) = (None, None);
    }
    if lone_choice {
        new.choice = None;
    }
    if let Some(choice) = new.choice.as_mut().filter(|choice| choice.flaw.is_some()) {
        choice.origin = None;
    }
    if new.tools.iter().flatten().any(|tool| tool.flaw.is_some()) {
        new.tools_origin = None;
        new.tools.iter_mut().flatten().filter(|tool| tool.flaw.is_some()).for_each(|tool| tool.origin = None);
    }
    draft.frame = Some(Arc::new(new));
    for (code, path, why) in faults {
        draft.report(Entry::new(code, 0, path, why));
    }
    Ok(())
}

/// Keys of definitions that nobody knows.
fn warn<H: Host>(draft: &mut Draft<'_, H>, frame: &Frame<H>, target: DialectId) {
    let (keys, input) = (target.keys(), frame.input.as_ref());
    for (index, tool) in frame.tools.iter().flatten().enumerate() {
        for (key, value) in tool.extras.iter().flat_map(|extras| extras.iter()) {
            if keys.judge(keys.tool, (key, value), input) != Verdict::Fine {
                draft.receipt.warnings.push(keys::unknown(&key.to_str(input), frame.tool_path(index)));
            }
        }
    }
}

/// Nobody could map a new name back, so one that the target refuses is an error; so is one that two tools have.
fn tools<H: Host>(frame: &Frame<H>, limits: &Limits, own: bool) -> Result<(), Error> {
    let input = frame.input.as_ref();
    let count = frame.tools.as_ref().map_or(0, Vec::len);
    if count > limits.tools_max {
        let text = format!("the target takes {} tools at most, and here are {count}", limits.tools_max);
        return Err(Error::new(Code::Unsendable, text).at_path(frame.tools_path()));
    }
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| own && tool.by_provider) {
        // Nobody here knows how to say it better.
        if let Some(flaw) = tool.flaw {
            return Err(Error::new(Code::Unsendable, flaw.0).at_path(frame.tool_path(index)));
        }
    }
    let mut names = HashSet::new();
    for (index, tool) in frame.tools.iter().flatten().enumerate().filter(|(_, tool)| own || !tool.by_provider) {
        let Some(name) = named(tool, input) else { continue };
        let text = if !limits.name.allows(name.as_bytes()) {
            format!("the target refuses {name:?} as the name of a tool")
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

/// The name that a tool is called by; a tool of the provider's may have none beside its type.
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

/// Where only tools of another provider are defined, none is left to call.
fn without_tools<H: Host>(draft: &Draft<'_, H>, frame: &Frame<H>) -> Result<(), Error> {
    let gone = frame.tools.as_ref().is_some_and(|tools| tools.iter().all(|tool| tool.by_provider));
    let calls = |turn: &crate::turn::Turn<H>| turn.calls().next().is_some() || turn.results().next().is_some();
    match draft.turns().position(|turn| calls(turn)).filter(|_| gone) {
        None => Ok(()),
        Some(at) => {
            let text = "the target refuses tool calls and results where the request defines no tool";
            Err(Error::new(Code::Unsendable, text).at_path(draft.path(at)))
        }
    }
}
