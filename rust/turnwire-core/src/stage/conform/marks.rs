//! Mends marks for the prompt cache: where they may be, how many there are, and how long they last.
//!
//! Of too many, the first ones are removed, because the caller set the last ones last. Marks in the frame stay longest,
//! because most requests share them.

mod lifetimes;
mod reasoning;

use std::sync::Arc;

use crate::{
    k,
    model::{Content, Frame, Kind, Part, Tool, Turn},
    report::{Change, Edit, Path, Step},
    rules::{DialectId, MarkForm, Target, block_rule::without_key, mark_rule::MOST},
    stage::Draft,
    value::{Extras, Host, Input, Raw, Text, Value},
};

const WHY: &str = "the target accepts no more marks than these";

/// The forms of marks that a format has.
type Forms = &'static [MarkForm];

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    reasoning::apply(draft, target.id);
    count_down(draft, target);
    lifetimes::apply(draft, target);
}

/// The marks of a format that the target gets: its own where it counts them, or those that are written as the target's.
#[inline]
fn forms_in(from: DialectId, target: &Target<'_>) -> Option<Forms> {
    let forms = from.facts.marks.reads;
    let counts = if from.same_wire(target.id) {
        from.keys().most.is_some() || target.id.marks().is_some_and(|marks| marks.form == MarkForm::Control)
    } else {
        forms.iter().any(|form| target.marks_of(*form).is_some())
    };
    counts.then_some(forms)
}

fn is_mark<H: Host>(key: &Text<H>, forms: Forms, input: Option<&Input>) -> bool {
    forms.iter().any(|form| key.is(form.key().name, input))
}

fn unmarked<H: Host>(origin: &Raw<H>, forms: Forms, input: Option<&Input>) -> Option<Raw<H>> {
    forms.iter().find_map(|form| without_key(origin, form.key().name, input))
}

/// Removes as many marks as there are too many.
fn count_down<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    let Some(marks) = target.id.marks() else { return };
    let forms = |from: DialectId| forms_in(from, target);
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let around = forms(frame.from).map_or(0, |forms| {
        let system = if target.marks_system(marks) { in_system(&frame, forms) } else { 0 };
        system + if marks.beside { in_tools(&frame, forms) } else { 0 }
    });
    let in_turn = |turn: &Turn<H>| {
        let forms = forms(turn.from)?;
        let input = turn.input.as_ref();
        let whole = usize::from(has_whole(turn, forms));
        // The others are lost.
        let taken = turn.parts.iter().filter(|part| marks.may_end(turn.role, part));
        Some(whole + taken.map(|part| count(part, forms, input)).sum::<usize>())
    };
    let all = around + draft.turns().filter_map(|turn| in_turn(turn)).sum::<usize>();
    let mut over = all.saturating_sub(MOST);
    if over == 0 {
        return;
    }
    let mut entries = Vec::new();
    for slot in draft.slots().iter_mut() {
        let Some(forms) = forms(slot.turn.from) else { continue };
        let input = slot.turn.input.clone();
        let parts = slot.turn.parts.iter().enumerate();
        let marked: Vec<_> =
            parts.filter(|(_, part)| count(part, forms, input.as_ref()) > 0).map(|(at, _)| at).collect();
        let whole = has_whole(&slot.turn, forms);
        if over == 0 || marked.is_empty() && !whole {
            continue;
        }
        let mut new = slot.turn.touch();
        for at in marked {
            if over == 0 {
                break;
            }
            over = over.saturating_sub(take(&mut new.parts[at], forms, input.as_ref()));
            entries.push(Change::new(Edit::ExtraMarks, slot.index, slot.path_of(at), WHY));
        }
        if whole && over > 0 {
            over -= 1;
            if let Some(extras) = &mut new.extras {
                extras.retain(|(key, _)| !is_mark(key, forms, input.as_ref()));
            }
            entries.push(Change::new(Edit::ExtraMarks, slot.index, slot.path(), WHY));
        }
        new.parts.retain(|part| !is_nothing(part, input.as_ref()));
        slot.turn = Arc::new(new);
    }
    if let Some(forms) = forms(frame.from).filter(|_| over > 0) {
        let mut new = frame.map(&mut Text::share, &mut Raw::share);
        take_around(&mut new, forms, over, &mut entries);
        draft.frame = Some(Arc::new(new));
    }
    draft.receipt.changes.append(&mut entries);
}

/// The paths of the keys in a mark that its format does not list. `at`: the path of what has the mark.
pub(super) fn unlisted<H: Host>(
    target: DialectId,
    (key, mark): (&Text<H>, &Raw<H>),
    input: Option<&Input>,
    at: &dyn Fn() -> Path,
) -> Vec<Path> {
    let Some(form) = target.marks().map(|marks| marks.form).filter(|form| key.is(form.key().name, input)) else {
        return Vec::new();
    };
    let Ok(Value::Map(entries)) = mark.to_value(input) else { return Vec::new() };
    let is_listed = |key: &Text<H>| key.is(form.kind().0.name, None) || key.is(k::TTL.name, None);
    let others = entries.iter().map(|(key, _)| key).filter(|key| !is_listed(key));
    let path = |key: &Text<H>| at().then(Step::Key(form.key().name)).then(Step::Name(key.to_str(None).into()));
    others.map(path).collect()
}

/// Whether a mark of a part, or of a block in it, has such keys.
pub(super) fn has_unlisted<H: Host>(target: DialectId, part: &Part<H>, input: Option<&Input>) -> bool {
    let mut extras = part.with_blocks().flat_map(|part| part.extras.iter().flat_map(|extras| extras.iter()));
    extras.any(|(key, mark)| !unlisted(target, (key, mark), input, &Path::default).is_empty())
}

/// Whether a whole turn has a mark.
fn has_whole<H: Host>(turn: &Turn<H>, forms: Forms) -> bool {
    turn.from.facts.marks.on_messages && has(turn.extras.as_deref(), forms, turn.input.as_ref())
}

/// Whether a part was nothing but a mark, which was removed.
fn is_nothing<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    matches!(part.kind, Kind::Opaque(_)) && is_empty(part.origin.as_ref(), input)
}

fn is_empty<H: Host>(origin: Option<&Raw<H>>, input: Option<&Input>) -> bool {
    let value = origin.and_then(|origin| origin.to_value(input).ok());
    matches!(value, Some(Value::Map(entries)) if entries.is_empty())
}

/// How many marks the system text beside the list has.
fn in_system<H: Host>(frame: &Frame<H>, forms: Forms) -> usize {
    let parts = frame.system.iter().flat_map(|system| &system.parts);
    parts.map(|part| count(part, forms, frame.input.as_ref())).sum()
}

/// How many marks the definitions of tools have.
fn in_tools<H: Host>(frame: &Frame<H>, forms: Forms) -> usize {
    frame.tools.iter().flatten().filter(|tool| is_marked(tool, forms, frame.input.as_ref())).count()
}

/// Removes the first marks of the frame, as many as needed.
fn take_around<H: Host>(frame: &mut Frame<H>, forms: Forms, mut over: usize, entries: &mut Vec<Change>) {
    let input = frame.input.clone();
    let tools = frame.tools_path();
    for part in frame.system.iter_mut().flat_map(|system| &mut system.parts) {
        if over > 0 && count(part, forms, input.as_ref()) > 0 {
            over -= take(part, forms, input.as_ref()).min(over);
            entries.push(Change::new(Edit::ExtraMarks, 0, Path::default().at(part.place), WHY));
        }
    }
    if let Some(system) = frame.system.as_mut().filter(|_| !entries.is_empty()) {
        system.origin = None;
        system.parts.retain(|part| !is_nothing(part, input.as_ref()));
    }
    for (index, tool) in frame.tools.iter_mut().flatten().enumerate() {
        if over > 0 && is_marked(tool, forms, input.as_ref()) {
            over -= 1;
            tool.origin = tool.origin.as_ref().and_then(|origin| unmarked(origin, forms, input.as_ref()));
            if let Some(extras) = &mut tool.extras {
                extras.retain(|(key, _)| !is_mark(key, forms, input.as_ref()));
            }
            frame.tools_origin = None;
            entries.push(Change::new(Edit::ExtraMarks, 0, tools.clone().then(Step::Index(index)), WHY));
        }
    }
    let marks = |tool: &Tool<H>| tool.by_provider && is_empty(tool.origin.as_ref(), input.as_ref());
    frame.tools.iter_mut().for_each(|tools| tools.retain(|tool| !marks(tool)));
}

fn is_marked<H: Host>(tool: &Tool<H>, forms: Forms, input: Option<&Input>) -> bool {
    has(tool.extras.as_deref(), forms, input) || tool.by_provider && holds(tool.origin.as_ref(), forms, input)
}

fn has<H: Host>(extras: Option<&Extras<H>>, forms: Forms, input: Option<&Input>) -> bool {
    let marks = |(key, value): &(Text<H>, Raw<H>)| is_mark(key, forms, input) && !value.says_nothing(input);
    extras.into_iter().flatten().any(marks)
}

/// Whether an opaque value has a mark.
fn holds<H: Host>(origin: Option<&Raw<H>>, forms: Forms, input: Option<&Input>) -> bool {
    let mark = |(key, value): &(Text<H>, Value<H>)| is_mark(key, forms, None) && !matches!(value, Value::Null);
    let value = origin.and_then(|origin| origin.to_value(input).ok());
    matches!(value, Some(Value::Map(entries)) if entries.iter().any(mark))
}

/// How many marks a part has, including those of a result's blocks.
fn count<H: Host>(part: &Part<H>, forms: Forms, input: Option<&Input>) -> usize {
    let inner = match &part.kind {
        Kind::Result(result) => match &result.content {
            Content::Blocks(blocks) => blocks.iter().map(|block| count(block, forms, input)).sum(),
            Content::Absent | Content::Text(_) => 0,
        },
        Kind::Opaque(_) => usize::from(holds(part.origin.as_ref(), forms, input)),
        _ => 0,
    };
    inner + usize::from(has(part.extras.as_deref(), forms, input))
}

/// Removes all marks of a part, and returns how many there were.
fn take<H: Host>(part: &mut Part<H>, forms: Forms, input: Option<&Input>) -> usize {
    let mut taken = usize::from(has(part.extras.as_deref(), forms, input));
    if let Some(extras) = &mut part.extras {
        extras.retain(|(key, _)| !is_mark(key, forms, input));
    }
    if matches!(part.kind, Kind::Opaque(_)) && holds(part.origin.as_ref(), forms, input) {
        part.origin = part.origin.as_ref().and_then(|origin| unmarked(origin, forms, input));
        return taken + 1;
    }
    if let Kind::Result(result) = &mut part.kind
        && let Content::Blocks(blocks) = &mut result.content
    {
        taken += blocks.iter_mut().map(|block| take(block, forms, input)).sum::<usize>();
    }
    part.touched |= taken > 0;
    taken
}
