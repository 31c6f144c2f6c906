//! Checks the frame against the target's rules: blank system text, names of tools, keys and the tool choice.

use std::sync::Arc;

use super::{definitions, keys, tools};
use crate::{
    model::{
        conversation::{Frame, RestKey},
        part::{Kind, Part},
        tool::{ChoiceKind, Tool},
    },
    report::{
        error::Error,
        notice::Notice,
        path::{Path, Place},
        receipt::{Change, Entry, Warning},
    },
    rules::{
        block_rule::block_rule_of,
        dialect_id::DialectId,
        extra_keys::{ExtraKeys, Verdict},
        limits::Limits,
        slots::Slot,
        value_rule::KeyRule,
    },
    stage::draft::Draft,
    value::{
        extras::Extras,
        handle::{Host, Input, Raw, Text},
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let own = frame.from.same_wire(target);
    tools::check(&frame, limits, target.keys(), own)?;
    if own {
        warn(draft, &frame, target);
        let faults = faults(&frame, target.keys(), limits);
        if !faults.is_empty() {
            draft.frame = Some(Arc::new(repaired(&frame, target.keys(), limits)));
            for (code, path, why) in faults {
                draft.report(Entry::new(code, 0, path, why));
            }
        }
    }
    // Nothing can be wrong with tools for which the payload has no place.
    let has_tools = target.facts.slots.is_some_and(|slots| slots.tools.is_some());
    if has_tools {
        definitions::apply(draft, target, limits)?;
    }
    let frame = draft.frame.as_ref().unwrap_or(&frame);
    if has_tools {
        tools::check_names(frame, limits, own)?;
    }
    if !own && limits.tools_required { tools::some_left(draft, frame) } else { Ok(()) }
}

const TWICE: &str = "the key is there in another spelling, too, and servers accept one of them";
const NO_TOOLS: &str = "the target refuses a choice of tools without tools";

/// A fault of the frame: its change, its path, and the reason.
type Fault = (Change, Path, &'static str);

fn faults<H: Host>(frame: &Frame<H>, keys: ExtraKeys, limits: &Limits) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let input = frame.input.as_ref();
    for part in frame.system.iter().flat_map(|system| &system.parts).filter(|part| !part.touched) {
        let mut found = |code, why| faults.push((code, Path::default().at(part.place), why));
        if is_blank(part, limits, input) {
            found(Change::BlankText, "the target refuses text without a visible character");
        }
        if !is_text(part) {
            found(Change::MovedSystem, "the target accepts only text as system text");
        } else if let Some(flaw) = part.flaw {
            found(Change::Reshaped, flaw.0);
        }
        if let Some(code) = stray(part, keys, input) {
            found(code, keys::STRAY);
        }
    }
    let beside = frame.system.as_ref().and_then(|system| system.extras.as_deref());
    if let (Some(code), _) = keys::faults(keys, keys.turn, beside, input) {
        faults.push((code, frame.system_path(), keys::STRAY));
    }
    // An empty string has no part, but the target refuses it all the same.
    if is_silent(frame) && !limits.blank_text {
        faults.push((Change::BlankText, frame.system_path(), "the target refuses system text without content"));
    }
    if frame.tools.as_ref().is_some_and(Vec::is_empty) {
        faults.push((Change::NoTools, frame.tools_path(), "the target refuses an empty list of tools"));
    }
    for (index, tool) in frame.tools.iter().flatten().enumerate() {
        if let (Some(flaw), Some(_)) = (tool.flaw, &tool.origin) {
            faults.push((Change::Reshaped, frame.tool_path(index), flaw.0));
        } else if let (Some(code), _) = keys::faults(keys, keys.tool, tool.extras.as_deref(), input) {
            faults.push((code, frame.tool_path(index), keys::STRAY));
        }
    }
    if let Some(flaw) = frame.flaw {
        faults.push((Change::Reshaped, Path::default(), flaw.0));
    }
    for place in &frame.unread {
        faults.push((Change::Reshaped, Path::default().at(Place::key(place)), TWICE));
    }
    let wrong_choice = frame.choice.as_ref().filter(|choice| choice.origin.is_some()).and_then(|choice| choice.flaw);
    if let Some(flaw) = wrong_choice {
        faults.push((Change::Reshaped, frame.choice_path(), flaw.0));
    }
    if let Some(outer) = frame.outer.as_ref().filter(|_| is_wrong_around(frame, keys)) {
        faults.push((Change::Reshaped, Path::key(outer.name), keys::STRAY));
    }
    if is_lone_choice(frame) {
        faults.push((Change::LoneChoice, frame.choice_path(), NO_TOOLS));
    } else if is_choice_of_none(frame, limits) {
        faults.push((
            Change::LoneChoice,
            frame.choice_path(),
            "the target refuses the choice of a tool that is not defined",
        ));
    }
    let others = frame.rest.iter().flat_map(|rest| &rest.keys);
    faults.extend(others.filter_map(|one| {
        let (code, why) = lone(frame, one)?;
        Some((code, one.path(input), why))
    }));
    faults
}

/// The frame with its faults marked to be rewritten.
fn repaired<H: Host>(frame: &Frame<H>, keys: ExtraKeys, limits: &Limits) -> Frame<H> {
    let input = frame.input.as_ref();
    let mut new = frame.map(&mut Text::share, &mut Raw::share);
    // What was not read is lost from here on. Only the receipt reports it.
    (new.flaw, new.unread) = (None, Vec::new());
    if let Some(system) = &mut new.system {
        let mut changed = keys::faults(keys, keys.turn, system.extras.as_deref(), input).0.is_some();
        system.extras = keys.strip(keys.turn, system.extras.take(), input);
        changed |= is_silent(frame) && !limits.blank_text;
        for part in system.parts.iter_mut().filter(|part| !part.touched) {
            let stray = stray(part, keys, input).is_some();
            let rewritten = part.flaw.is_some() || is_blank(part, limits, input) || !is_text(part);
            part.touched = rewritten || stray && !matches!(part.kind, Kind::Opaque(_));
            keys::strip(keys, part, input);
            changed |= rewritten || stray;
        }
        if changed {
            system.origin = None;
        }
    }
    if frame.flaw.is_some() {
        new.tools_origin = None;
    }
    if new.tools.as_ref().is_some_and(Vec::is_empty) {
        (new.tools, new.tools_origin) = (None, None);
    }
    if is_lone_choice(frame) || is_choice_of_none(frame, limits) {
        new.choice = None;
    }
    if let Some(rest) = &mut new.rest {
        rest.keys.retain(|one| lone(frame, one).is_none());
    }
    if let (Some(rules), true) = (keys.around, is_wrong_around(frame, keys)) {
        if let Some(outer) = &mut new.outer {
            outer.extras = keys.strip(rules, outer.extras.take(), input);
        }
        if let Some(choice) =
            new.choice.as_mut().filter(|choice| is_wrong_beside(choice.extras.as_deref(), rules, keys, input))
        {
            // The key may be at any depth of the choice, so the choice is written anew.
            choice.origin = None;
            choice.extras = keys.strip(rules, choice.extras.take(), input);
        }
    }
    if let Some(choice) = new.choice.as_mut().filter(|choice| choice.flaw.is_some()) {
        choice.origin = None;
    }
    for tool in new.tools.iter_mut().flatten() {
        let stray = keys::faults(keys, keys.tool, tool.extras.as_deref(), input).0.is_some();
        if tool.flaw.is_none() && !stray {
            continue;
        }
        new.tools_origin = None;
        // If only a key is at fault, the rest stays unchanged. A tool among several in one entry is rewritten.
        let origin = tool.origin.take().filter(|_| tool.flaw.is_none() && tool.inside.is_none());
        tool.origin = origin.and_then(|origin| keys.without_stray_keys(&origin, input));
        tool.extras = keys.strip(keys.tool, tool.extras.take(), input);
    }
    let replayed = new.tools_origin.is_some() && new.choice.as_ref().is_none_or(|choice| choice.origin.is_some());
    if !replayed {
        new.renew();
    }
    new
}

fn is_blank<H: Host>(part: &Part<H>, limits: &Limits, input: Option<&Input>) -> bool {
    matches!(&part.kind, Kind::Text(text) if !limits.blank_text && text.is_blank(input))
}

fn is_text<H: Host>(part: &Part<H>) -> bool {
    matches!(part.kind, Kind::Text(_) | Kind::Opaque(_))
}

fn stray<H: Host>(part: &Part<H>, keys: ExtraKeys, input: Option<&Input>) -> Option<Change> {
    if keys::any_in(part) { keys::faults_in(keys, part, input).0 } else { None }
}

/// Whether there is system text, but only blank text.
fn is_silent<H: Host>(frame: &Frame<H>) -> bool {
    let text = |origin: &Raw<H>| !origin.is_list(frame.input.as_ref());
    frame.system.as_ref().is_some_and(|system| system.parts.is_empty() && system.origin.as_ref().is_some_and(text))
}

/// Whether a key beside the tools or in the tool choice has a value that the target refuses.
fn is_wrong_around<H: Host>(frame: &Frame<H>, keys: ExtraKeys) -> bool {
    let Some(rules) = keys.around else { return false };
    let wrong = |extras| is_wrong_beside(extras, rules, keys, frame.input.as_ref());
    frame.outer.as_ref().is_some_and(|outer| wrong(outer.extras.as_deref()))
        || frame.choice.as_ref().is_some_and(|choice| wrong(choice.extras.as_deref()))
}

/// Whether one of these keys beside the tools or their choice has a value that the target refuses.
fn is_wrong_beside<H: Host>(
    extras: Option<&Extras<H>>,
    rules: &[KeyRule],
    keys: ExtraKeys,
    input: Option<&Input>,
) -> bool {
    keys::faults(keys, rules, extras, input).0.is_some()
}

fn is_lone_choice<H: Host>(frame: &Frame<H>) -> bool {
    frame.choice.is_some() && frame.tools.as_ref().is_none_or(Vec::is_empty)
}

/// Whether the choice names a tool that is not defined. The names of a provider's own tools are unknown here.
fn is_choice_of_none<H: Host>(frame: &Frame<H>, limits: &Limits) -> bool {
    let (Some(tools), input) = (&frame.tools, frame.input.as_ref()) else { return false };
    let Some(ChoiceKind::Tool(name)) = frame.choice.as_ref().map(|choice| &choice.kind) else { return false };
    let named = |tool: &Tool<H>| tool.by_provider || tool.name.wtf8(input) == name.wtf8(input);
    limits.name.legal(&name.to_str(input)).is_none() || !tools.iter().any(named)
}

/// Why another key of the body goes with the tools or their choice, if it does.
fn lone<H: Host>(frame: &Frame<H>, one: &RestKey<H>) -> Option<(Change, &'static str)> {
    let (slots, input) = (frame.from.facts.slots?, frame.input.as_ref());
    let no_tools = frame.tools.as_ref().is_none_or(Vec::is_empty);
    let is_old = |slot: Option<Slot>| {
        slot.is_some_and(|slot| slot.0.iter().any(|one_of| one_of.old && one.key.is(one_of.key.name, input)))
    };
    // A deprecated key is among the others only where the current one is there, too.
    if is_old(slots.choice) && no_tools {
        return Some((Change::LoneChoice, NO_TOOLS));
    }
    if is_old(slots.choice) || is_old(slots.tools) {
        return Some((Change::Reshaped, TWICE));
    }
    let needs_tools = slots.beside_tools.iter().any(|name| one.key.is(name, input)) && !one.value.is_null(input);
    (no_tools && needs_tools).then_some((Change::LoneChoice, "the target accepts this setting only beside tools"))
}

/// Warns of unknown keys in system text, definitions and choice, and of missing tool definitions.
fn warn<H: Host>(draft: &mut Draft<'_, H>, frame: &Frame<H>, target: DialectId) {
    let (keys, input) = (target.keys(), frame.input.as_ref());
    let choice = frame.choice.iter().filter(|_| keys.around.is_none());
    for (key, _) in choice.filter_map(|choice| choice.extras.as_deref()).flatten() {
        draft.receipt.warnings.push(keys::unknown(&key.to_str(input), frame.choice_path()));
    }
    for (key, value) in frame.system.iter().filter_map(|system| system.extras.as_deref()).flatten() {
        if keys.judge(keys.turn, (key, value), input) == Verdict::Unknown {
            draft.receipt.warnings.push(keys::unknown(&key.to_str(input), frame.system_path()));
        }
    }
    for part in frame.system.iter().flat_map(|system| &system.parts) {
        for (key, value) in part.extras.iter().flat_map(|extras| extras.iter()) {
            if keys.judge(keys.part, (key, value), input) == Verdict::Unknown {
                draft.receipt.warnings.push(keys::unknown(&key.to_str(input), Path::default().at(part.place)));
            }
        }
    }
    if let Some(rules) = keys.around {
        let outer = frame.outer.as_ref().and_then(|outer| Some((outer.extras.as_deref()?, Path::key(outer.name))));
        let choice = frame.choice.as_ref().and_then(|choice| Some((choice.extras.as_deref()?, frame.choice_path())));
        for (extras, path) in outer.into_iter().chain(choice) {
            for (key, value) in extras {
                if keys.judge(rules, (key, value), input) != Verdict::Fine {
                    draft.receipt.warnings.push(keys::unknown(&key.to_str(input), path.clone()));
                }
            }
        }
    }
    for (index, tool) in
        frame.tools.iter().flatten().enumerate().filter(|(_, tool)| tool.by_provider && tool.origin.is_some())
    {
        let kind = tool.name.to_str(input);
        match block_rule_of(keys.tools, &kind) {
            None if keys.tools.is_empty() => {}
            None => {
                let text = format!("the target may refuse a tool of type {kind:?}, which no list of its tools has");
                let warning = Warning { code: Notice::UnknownTool, path: frame.tool_path(index), text: text.into() };
                draft.receipt.warnings.push(warning);
            }
            Some(rule) => {
                let unlisted = rule.unlisted(tool.origin.as_ref(), input);
                let warnings = unlisted.iter().map(|key| keys::unknown(key, frame.tool_path(index)));
                draft.receipt.warnings.extend(warnings);
            }
        }
    }
    for (index, tool) in frame.tools.iter().flatten().enumerate() {
        for (key, value) in tool.extras.iter().flat_map(|extras| extras.iter()) {
            if keys.judge(keys.tool, (key, value), input) == Verdict::Unknown {
                draft.receipt.warnings.push(keys::unknown(&key.to_str(input), frame.tool_path(index)));
            }
        }
    }
}
