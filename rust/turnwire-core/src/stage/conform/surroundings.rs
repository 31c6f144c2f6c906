//! Checks the frame against the target's rules: blank system text, names of tools, keys and the tool choice.

use std::sync::Arc;

use super::{definitions, keys, marks, own_tools, tools};
use crate::{
    model::{Choice, ChoiceKind, Flaw, Frame, Kind, Part, RestKey, Tool},
    report::{Change, Edit, Error, Losses, Others, Path, Place, Severity},
    rules::{DialectId, ExtraKeys, Limits, Slot, Target, ToolName, Verdict},
    stage::Draft,
    value::{Host, Input, Raw, Text},
    wire::{
        plan::{
            choice::{self, Limited},
            judge,
            wrong::{Wrong, is_repaired, of_flaw},
        },
        settings,
    },
};

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, wire: &Target<'_>) -> Result<(), Error> {
    let Target { id: target, limits, .. } = *wire;
    settle(draft, wire)?;
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let own = frame.from.same_wire(target);
    tools::check(&frame, limits, target)?;
    let mut faults = if own { faults(&frame, wire) } else { Vec::new() };
    if own {
        warn(draft, &frame, target);
    }
    let given = own_tools::find(draft, &frame, wire);
    if faults.iter().chain(&given).any(|(wrong, _)| is_repaired(wrong.severity)) {
        let mut new = if own { repaired(&frame, wire, &faults) } else { frame.map(&mut Text::share, &mut Raw::share) };
        own_tools::repair(&mut new, &frame, wire);
        draft.frame = Some(Arc::new(new));
    }
    faults.extend(given);
    for (wrong, path) in faults {
        if is_repaired(wrong.severity) {
            draft.report(Change::new(wrong.code, 0, path, wrong.why).graded(wrong.severity));
        } else {
            draft.taken.push(Change::warning(wrong.code, path, wrong.why).graded(wrong.severity));
        }
    }
    // Nothing can be wrong with tools for which the payload has no place.
    let has_tools = target.facts.slots.is_some_and(|slots| slots.tools.is_some());
    if has_tools {
        definitions::apply(draft, target, limits)?;
    }
    let frame = draft.frame.as_ref().unwrap_or(&frame);
    if has_tools {
        tools::check_names(frame, limits, target)?;
    }
    if own { Ok(()) } else { tools::some_left(draft, frame, wire) }
}

/// Converts the settings that the target or its model refuses, if the caller wants it.
fn settle<H: Host>(draft: &mut Draft<'_, H>, wire: &Target<'_>) -> Result<(), Error> {
    if wire.options.rest != Others::Convert {
        return Ok(());
    }
    let mut losses = Losses::new(wire.options);
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    if let Some(new) = settings::settled(&frame, *wire, &mut losses)? {
        draft.frame = Some(Arc::new(new));
        draft.receipt.changes.append(&mut losses.list);
    }
    Ok(())
}

const TWICE: &str = "the key is there in another spelling, too, and servers accept one of them";
const NO_TOOLS: &str = "the target refuses a choice of tools without tools";

/// A fault of the frame, and its path.
pub(super) type Fault = (Wrong, Path);

/// What the target has keys for, and what it accepts.
type Rules<'a> = (&'a ExtraKeys, &'a Limits);

/// `row`: whether no server reads it.
fn faults<H: Host>(frame: &Frame<H>, wire: &Target<'_>) -> Vec<Fault> {
    let (rules, row) = ((wire.id.keys(), wire.limits), wire.options.row);
    let (keys, limits) = rules;
    let mut faults: Vec<Fault> = Vec::new();
    let input = frame.input.as_ref();
    let flawed = |flaw| Wrong::flawed(Edit::Reshaped, flaw, limits);
    for part in frame.system.iter().flat_map(|system| &system.parts).filter(|part| !part.touched) {
        let mut found = |wrong| faults.push((wrong, Path::default().at(part.place)));
        judge::system_part(limits, part, input, &mut found);
        if let Some(wrong) = stray(part, rules, input).wrong() {
            found(wrong);
        }
    }
    let beside = frame.system.as_ref().and_then(|system| system.extras.as_deref());
    if let Some(wrong) = keys::faults(rules, keys.turn, beside, input).wrong() {
        faults.push((wrong, frame.system_path()));
    }
    // An empty string has no part, but the target refuses it all the same.
    if let Some(wrong) = judge::no_system_text(limits).filter(|_| is_silent(frame)) {
        faults.push((wrong, frame.system_path()));
    }
    // A format that is only stored refuses no list.
    if frame.tools.as_ref().is_some_and(Vec::is_empty) && !keys.any {
        faults.push((no_tools(served(limits.no_tools, row)), frame.tools_path()));
    }
    if let Some(flaw) = frame.flaw {
        faults.push((flawed(flaw), Path::default()));
    }
    for place in &frame.unread {
        faults.push((Wrong::new(Edit::Reshaped, TWICE), Path::default().at(Place::key(place))));
    }
    let wrong_choice = frame.choice.as_ref().filter(|choice| choice.origin.is_some()).and_then(|choice| choice.flaw);
    let is_written = || frame.choice.as_ref().is_some_and(|choice| choice.origin.is_some());
    let wrong_choice = wrong_choice.map(flawed).or_else(|| judge::choice(limits, frame).filter(|_| is_written()));
    faults.extend(wrong_choice.map(|wrong| (wrong, frame.choice_path())));
    if let Some((_, why)) = another_choice(frame, wire) {
        faults.push((Wrong::new(Edit::ToolChoice, why).graded(Severity::Error), frame.choice_path()));
    }
    if let Some((outer, wrong)) = frame.outer.as_ref().zip(around(frame, rules)) {
        faults.push((wrong, Path::key(outer.name)));
    }
    if let Some(wrong) = lone_choice(frame, limits) {
        faults.push((wrong, frame.choice_path()));
    }
    let others = frame.rest.iter().flat_map(|rest| &rest.keys);
    faults.extend(others.filter_map(|one| Some((lone(frame, one, limits, row)?, one.path(input)))));
    faults
}

/// What a server does about something. None reads a row.
fn served(severity: Severity, row: bool) -> Severity {
    if row { Severity::Info } else { severity }
}

/// An empty list of tools.
fn no_tools(severity: Severity) -> Wrong {
    let why = match severity {
        Severity::Error => "the target refuses an empty list of tools",
        Severity::Warning => "the target may refuse an empty list of tools",
        Severity::Info => "an empty list of tools, which other targets refuse",
    };
    Wrong::new(Edit::NoTools, why).graded(severity)
}

/// A choice of tools without tools.
fn no_tools_to_choose(severity: Severity) -> Wrong {
    let why = match severity {
        Severity::Error => NO_TOOLS,
        Severity::Warning => "the target may refuse a choice of tools without tools",
        Severity::Info => "a choice of tools without tools, which other targets refuse",
    };
    Wrong::new(Edit::LoneChoice, why).graded(severity)
}

/// A setting for tools without tools.
fn lone_setting(severity: Severity) -> Wrong {
    let why = match severity {
        Severity::Info => "a setting for tools without tools, which other targets refuse",
        _ => "the target accepts this setting only beside tools",
    };
    Wrong::new(Edit::LoneChoice, why).graded(severity)
}

/// The frame with its faults marked to be rewritten.
fn repaired<H: Host>(frame: &Frame<H>, wire: &Target<'_>, faults: &[Fault]) -> Frame<H> {
    let (rules, row) = ((wire.id.keys(), wire.limits), wire.options.row);
    let (keys, limits) = rules;
    let has_flaw = |flaw: Option<&'static Flaw>| flaw.is_some_and(|flaw| is_repaired(of_flaw(flaw, limits)));
    let input = frame.input.as_ref();
    let mut new = frame.map(&mut Text::share, &mut Raw::share);
    // What was not read is lost from here on. Only the receipt reports it.
    (new.flaw, new.unread) = (None, Vec::new());
    if let Some(system) = &mut new.system {
        let mut changed = keys::faults(rules, keys.turn, system.extras.as_deref(), input).is_repaired();
        if changed {
            system.extras = keys::kept(rules, keys.turn, system.extras.take(), input);
        }
        changed |= is_silent(frame) && judge::no_system_text(limits).is_some_and(|wrong| is_repaired(wrong.severity));
        for part in system.parts.iter_mut().filter(|part| !part.touched) {
            let stray = stray(part, rules, input).is_repaired();
            let mut rewritten = false;
            judge::system_part(limits, part, input, &mut |wrong| rewritten |= is_repaired(wrong.severity));
            part.touched = rewritten || stray && !matches!(part.kind, Kind::Opaque(_));
            if part.touched || stray {
                keys::strip(rules, part, input);
            }
            changed |= rewritten || stray;
        }
        if changed {
            system.origin = None;
        }
    }
    if has_flaw(frame.flaw) {
        new.tools_origin = None;
    }
    if faults.iter().any(|(wrong, _)| wrong.code == Edit::NoTools && is_repaired(wrong.severity)) {
        (new.tools, new.tools_origin) = (None, None);
    }
    let repairs = |wrong: Option<Wrong>| wrong.is_some_and(|wrong| is_repaired(wrong.severity));
    if repairs(lone_choice(frame, limits)) {
        new.choice = None;
    }
    if let Some(rest) = &mut new.rest {
        rest.keys.retain(|one| !repairs(lone(frame, one, limits, row)));
    }
    if let (Some(allowed), true) = (keys.around, repairs(around(frame, rules))) {
        if let Some(outer) = &mut new.outer {
            outer.extras = keys::kept(rules, allowed, outer.extras.take(), input);
        }
        let stray = |choice: &Choice<H>| keys::faults(rules, allowed, choice.extras.as_deref(), input).is_repaired();
        if let Some(choice) = new.choice.as_mut().filter(|choice| stray(choice)) {
            // The key may be at any depth of the choice, so the choice is written anew.
            choice.origin = None;
            choice.extras = keys::kept(rules, allowed, choice.extras.take(), input);
        }
    }
    match another_choice(frame, wire) {
        Some((Some(kind), _)) => new.choice = Some(Choice { kind, origin: None, extras: None, flaw: None }),
        Some((None, _)) => new.choice = None,
        None => {}
    }
    let is_anew = judge::choice(limits, frame).is_some();
    if let Some(choice) = new.choice.as_mut().filter(|choice| is_anew || has_flaw(choice.flaw)) {
        choice.origin = None;
    }
    new
}

fn stray<H: Host>(part: &Part<H>, rules: Rules<'_>, input: Option<&Input>) -> keys::Found {
    if keys::any_in(part) { keys::faults_in(rules, part, input) } else { keys::Found::default() }
}

/// Whether there is system text, but only blank text.
fn is_silent<H: Host>(frame: &Frame<H>) -> bool {
    let text = |origin: &Raw<H>| !origin.is_list(frame.input.as_ref());
    frame.system.as_ref().is_some_and(|system| system.parts.is_empty() && system.origin.as_ref().is_some_and(text))
}

/// What is wrong with the keys beside the tools and in the tool choice.
fn around<H: Host>(frame: &Frame<H>, rules: Rules<'_>) -> Option<Wrong> {
    let allowed = rules.0.around?;
    let of = |extras| keys::faults(rules, allowed, extras, frame.input.as_ref());
    let outer = frame.outer.as_ref().map(|outer| of(outer.extras.as_deref()));
    let choice = frame.choice.as_ref().map(|choice| of(choice.extras.as_deref()));
    let wrong = outer.unwrap_or_default().join(choice.unwrap_or_default()).wrong()?;
    Some(Wrong { code: Edit::Reshaped, ..wrong })
}

/// What the target gets in place of a choice of its own format, and why: `None` inside if it is left out.
fn another_choice<H: Host>(frame: &Frame<H>, target: &Target<'_>) -> Option<(Option<ChoiceKind<H>>, &'static str)> {
    let made = frame.choice.as_ref().filter(|_| frame.tools.as_ref().is_some_and(|tools| !tools.is_empty()))?;
    if let ChoiceKind::Among(among) = &made.kind {
        match choice::limited(target, frame, among) {
            Limited::Stays => {}
            Limited::Same(kind) => return Some((Some(kind), choice::WHY)),
            Limited::Less(kind, why) => return Some((Some(kind), why)),
        }
    }
    match choice::fate(target, frame, made) {
        choice::Fate::Stays => None,
        choice::Fate::Required(why) => Some((Some(ChoiceKind::Required), why)),
        choice::Fate::LeftOut(why) => Some((None, why)),
    }
}

/// What is wrong with a tool choice without tools, or of a tool that is not defined.
fn lone_choice<H: Host>(frame: &Frame<H>, limits: &Limits) -> Option<Wrong> {
    let choice = frame.choice.as_ref()?;
    if frame.tools.as_ref().is_none_or(Vec::is_empty) {
        let free = matches!(choice.kind, ChoiceKind::Auto | ChoiceKind::None);
        let severity = if free { limits.lone_choice } else { Severity::Error };
        return Some(no_tools_to_choose(severity));
    }
    let why = "the target refuses the choice of a tool that is not defined";
    is_choice_of_none(frame, limits).then(|| Wrong::new(Edit::LoneChoice, why))
}

/// Whether the choice names a tool that is not defined. The names of a provider's own tools are unknown here.
fn is_choice_of_none<H: Host>(frame: &Frame<H>, limits: &Limits) -> bool {
    let (Some(tools), input) = (&frame.tools, frame.input.as_ref()) else { return false };
    let Some(ChoiceKind::Tool(name)) = frame.choice.as_ref().map(|choice| &choice.kind) else { return false };
    let named = |tool: &Tool<H>| tool.by_provider || tool.name.wtf8(input) == name.wtf8(input);
    matches!(limits.tool_name(name, input), ToolName::Refused) || !tools.iter().any(named)
}

/// What is wrong with another key of the body that goes with the tools or their choice.
fn lone<H: Host>(frame: &Frame<H>, one: &RestKey<H>, limits: &Limits, row: bool) -> Option<Wrong> {
    let (slots, input) = (frame.from.facts.slots?, frame.input.as_ref());
    let no_tools = frame.tools.as_ref().is_none_or(Vec::is_empty);
    let is_old = |slot: Option<Slot>| {
        slot.is_some_and(|slot| slot.0.iter().any(|one_of| one_of.old && one.key.is(one_of.key.name, input)))
    };
    // A deprecated key is among the others only where the current one is there, too.
    if is_old(slots.choice) && no_tools {
        return Some(Wrong::new(Edit::LoneChoice, NO_TOOLS));
    }
    if is_old(slots.choice) || is_old(slots.tools) {
        return Some(Wrong::new(Edit::Reshaped, TWICE));
    }
    let needs_tools = slots.beside_tools.iter().any(|name| one.key.is(name, input)) && !one.value.is_null(input);
    (no_tools && needs_tools).then(|| lone_setting(served(limits.lone_choice, row)))
}

/// Warns of unknown keys in system text and choice.
fn warn<H: Host>(draft: &mut Draft<'_, H>, frame: &Frame<H>, target: DialectId) {
    let (keys, input) = (target.keys(), frame.input.as_ref());
    let choice = frame.choice.iter().filter(|_| keys.around.is_none());
    for (key, _) in choice.filter_map(|choice| choice.extras.as_deref()).flatten() {
        draft.receipt.changes.push(keys::unknown(&key.to_str(input), frame.choice_path()));
    }
    for (key, value) in frame.system.iter().filter_map(|system| system.extras.as_deref()).flatten() {
        if keys.judge(keys.turn, (key, value), input) == Verdict::Unknown {
            draft.receipt.changes.push(keys::unknown(&key.to_str(input), frame.system_path()));
        }
    }
    for part in frame.system.iter().flat_map(|system| &system.parts) {
        for (key, value) in part.extras.iter().flat_map(|extras| extras.iter()) {
            if keys.judge(keys.part, (key, value), input) == Verdict::Unknown {
                draft.receipt.changes.push(keys::unknown(&key.to_str(input), Path::default().at(part.place)));
            }
            let inside = marks::unlisted(target, (key, value), input, &|| Path::default().at(part.place));
            draft.receipt.changes.extend(inside.into_iter().map(keys::unknown_at));
        }
    }
    if let Some(rules) = keys.around {
        let outer = frame.outer.as_ref().and_then(|outer| Some((outer.extras.as_deref()?, Path::key(outer.name))));
        let choice = frame.choice.as_ref().and_then(|choice| Some((choice.extras.as_deref()?, frame.choice_path())));
        for (extras, path) in outer.into_iter().chain(choice) {
            for (key, value) in extras {
                if keys.judge(rules, (key, value), input) != Verdict::Fine {
                    draft.receipt.changes.push(keys::unknown(&key.to_str(input), path.clone()));
                }
            }
        }
    }
    for one in frame.rest.iter().flat_map(|rest| &rest.keys) {
        let inside = marks::unlisted(target, (&one.key, &one.value), input, &Path::default);
        draft.receipt.changes.extend(inside.into_iter().map(keys::unknown_at));
    }
}
