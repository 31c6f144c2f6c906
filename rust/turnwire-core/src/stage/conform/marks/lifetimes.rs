//! Shortens marks that last an hour behind marks that last five minutes, in the order of tools, system text and messages.
//! Every target with marks refuses those.

use std::sync::Arc;

use super::{Forms, forms_in, is_mark};
use crate::{
    model::{Content, Frame, Kind, Part, Tool},
    report::{Change, Edit, Path, Step},
    rules::{Target, block_rule::without_key},
    stage::Draft,
    value::{Extras, Host, Input, Raw, Text, Value},
};

const WHY: &str = "the target refuses a mark that lasts an hour behind one that lasts five minutes: it lasts as long";
const TTL: &str = "ttl";

/// The marks so far: whether one of them lasts five minutes, so that none may last longer from there on.
#[derive(Default)]
struct Order {
    short: bool,
}

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: &Target<'_>) {
    if target.id.facts.cache.is_none() {
        return;
    }
    let frame = draft.frame.as_ref().unwrap_or(&draft.given.frame).clone();
    let (mut order, mut entries) = (Order::default(), Vec::new());
    let mut new = None;
    if let Some(forms) = forms_in(frame.from, target).filter(|forms| may_mark(&frame, forms)) {
        let mut mended = frame.map(&mut Text::share, &mut Raw::share);
        order.frame(&mut mended, forms, &mut entries);
        new = (!entries.is_empty()).then_some(mended);
    }
    let mut at = Vec::new();
    for (place, turn) in draft.turns().enumerate() {
        let Some(forms) = forms_in(turn.from, target) else { continue };
        let input = turn.input.as_ref();
        if !turn.parts.iter().any(|part| marks_of(part, forms, input)) {
            continue;
        }
        let mut changed = turn.touch();
        let (_, index) = draft.at(place);
        let before = entries.len();
        for (part, one) in changed.parts.iter_mut().enumerate() {
            if order.part(one, forms, input) {
                entries.push(Change::new(Edit::Reshaped, index, turn.part_path(index, part), WHY));
            }
        }
        at.extend((entries.len() > before).then_some((place, changed)));
    }
    if let Some(new) = new {
        draft.frame = Some(Arc::new(new));
    }
    if !at.is_empty() {
        let slots = draft.slots();
        for (place, turn) in at {
            slots[place].turn = Arc::new(turn);
        }
    }
    draft.receipt.changes.append(&mut entries);
}

impl Order {
    /// Takes the marks of the frame in the order of the prompt.
    fn frame<H: Host>(&mut self, frame: &mut Frame<H>, forms: Forms, entries: &mut Vec<Change>) {
        let (input, tools) = (frame.input.clone(), frame.tools_path());
        for (index, tool) in frame.tools.iter_mut().flatten().enumerate() {
            if self.tool(tool, forms, input.as_ref()) {
                frame.tools_origin = None;
                entries.push(Change::new(Edit::Reshaped, 0, tools.clone().then(Step::Index(index)), WHY));
            }
        }
        let Some(system) = &mut frame.system else { return };
        for part in &mut system.parts {
            if self.part(part, forms, input.as_ref()) {
                system.origin = None;
                entries.push(Change::new(Edit::Reshaped, 0, Path::default().at(part.place), WHY));
            }
        }
    }

    fn tool<H: Host>(&mut self, tool: &mut Tool<H>, forms: Forms, input: Option<&Input>) -> bool {
        let mark = if tool.by_provider {
            in_origin(tool.origin.as_ref(), forms, input)
        } else {
            in_extras(tool.extras.as_deref(), forms, input)
        };
        let wrong = self.is_wrong(mark.as_ref());
        if wrong {
            tool.origin = tool.origin.as_ref().and_then(|origin| shortened_in(origin, forms, input));
            shorten(tool.extras.as_deref_mut(), forms, input);
        }
        wrong
    }

    /// Takes the marks of a part, and shortens those that last too long. Returns whether there was one.
    fn part<H: Host>(&mut self, part: &mut Part<H>, forms: Forms, input: Option<&Input>) -> bool {
        let mut inside = false;
        if let Kind::Result(result) = &mut part.kind
            && let Content::Blocks(blocks) = &mut result.content
        {
            for block in blocks.iter_mut() {
                inside |= self.part(block, forms, input);
            }
        }
        if matches!(part.kind, Kind::Opaque(_)) {
            let wrong = self.is_wrong(in_origin(part.origin.as_ref(), forms, input).as_ref());
            if wrong {
                part.origin = part.origin.as_ref().and_then(|origin| shortened_in(origin, forms, input));
            }
            return wrong;
        }
        let wrong = self.is_wrong(in_extras(part.extras.as_deref(), forms, input).as_ref());
        if wrong {
            shorten(part.extras.as_deref_mut(), forms, input);
        }
        part.touched |= wrong || inside;
        wrong || inside
    }

    /// Whether this mark lasts longer than one before it.
    fn is_wrong<H: Host>(&mut self, mark: Option<&Value<H>>) -> bool {
        let Some(Value::Map(entries)) = mark else { return false };
        let long = entries
            .iter()
            .any(|(key, value)| key.is(TTL, None) && matches!(value, Value::Text(word) if word.is("1h", None)));
        self.short |= !long;
        long && self.short
    }
}

/// Whether the frame may have a mark.
fn may_mark<H: Host>(frame: &Frame<H>, forms: Forms) -> bool {
    let input = frame.input.as_ref();
    let is_marked = |tool: &Tool<H>| {
        tool.by_provider && in_origin(tool.origin.as_ref(), forms, input).is_some()
            || in_extras(tool.extras.as_deref(), forms, input).is_some()
    };
    frame.tools.iter().flatten().any(is_marked)
        || frame.system.iter().flat_map(|system| &system.parts).any(|part| marks_of(part, forms, input))
}

/// Whether a part has a mark, or a block of its result.
fn marks_of<H: Host>(part: &Part<H>, forms: Forms, input: Option<&Input>) -> bool {
    super::count(part, forms, input) > 0
}

fn in_extras<H: Host>(extras: Option<&Extras<H>>, forms: Forms, input: Option<&Input>) -> Option<Value<H>> {
    let (_, mark) = extras?.iter().find(|(key, _)| is_mark(key, forms, input))?;
    mark.to_value(input).ok()
}

fn in_origin<H: Host>(origin: Option<&Raw<H>>, forms: Forms, input: Option<&Input>) -> Option<Value<H>> {
    let Ok(Value::Map(entries)) = origin?.to_value(input) else { return None };
    entries.iter().find(|(key, _)| is_mark(key, forms, None)).map(|(_, mark)| mark.share())
}

/// Leaves out how long the mark among these keys lasts, so that it lasts five minutes.
fn shorten<H: Host>(extras: Option<&mut Extras<H>>, forms: Forms, input: Option<&Input>) {
    for (_, mark) in
        extras.into_iter().flat_map(|extras| extras.iter_mut()).filter(|(key, _)| is_mark(key, forms, input))
    {
        if let Some(short) = without_key(mark, TTL, input) {
            *mark = short;
        }
    }
}

/// A wire value whose mark lasts five minutes.
fn shortened_in<H: Host>(origin: &Raw<H>, forms: Forms, input: Option<&Input>) -> Option<Raw<H>> {
    let Ok(Value::Map(entries)) = origin.to_value(input) else { return None };
    let shorter = |(key, value): &(Text<H>, Value<H>)| {
        let short = if is_mark(key, forms, None) { without_key(&Raw::Tree(value.share()), TTL, None) } else { None };
        let Some(Ok(short)) = short.map(|short| short.to_value(None)) else { return (key.share(), value.share()) };
        (key.share(), short)
    };
    Some(Raw::Tree(Value::Map(entries.iter().map(shorter).collect::<Vec<_>>().into())))
}
