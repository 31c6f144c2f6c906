//! Translates the caller's cache marks between formats.

use crate::{
    k,
    model::{Kind, Part, Role},
    rules::{DialectId, MarkForm, Marks, Target, option_rule::Means},
    value::{Extras, Host, Input, Key, Raw, Sink, Text, Value, tree},
};

/// A cache mark.
#[derive(Clone, Copy)]
pub(crate) struct Cached {
    /// The form in which the target has it.
    form: MarkForm,
    /// For how long, if not as long as the provider's marks usually are.
    ttl: Option<&'static Key>,
    /// Whether the source says for how long, and the target has no such time.
    pub(crate) usual: bool,
    /// Whether the source's mark has keys that no format of it lists.
    pub(crate) more: bool,
}

impl Cached {
    /// Reads a mark's object. `None` if it is none.
    pub(crate) fn read<H: Host>(mark: &Value<H>, form: MarkForm, marks: Marks) -> Option<Self> {
        let Value::Map(entries) = mark else { return None };
        let (kind, word) = form.kind();
        let (mut ttl, mut more) = (None, false);
        for (key, value) in entries.iter() {
            match value {
                Value::Text(given) if key.is(kind.name, None) && given.is(word.name, None) => {}
                Value::Null if key.is(k::TTL.name, None) => {}
                Value::Text(given) if key.is(k::TTL.name, None) => {
                    ttl = Some(form.lifetime(|known| given.is(known, None))?);
                }
                _ if !key.is(kind.name, None) && !key.is(k::TTL.name, None) => more = true,
                _ => return None,
            }
        }
        let same = ttl.and_then(|ttl: &Key| marks.form.lifetime(|known| known == ttl.name));
        Some(Self { form: marks.form, ttl: same, usual: ttl.is_some() && same.is_none(), more })
    }

    /// Its form, and its object in that form.
    pub(crate) fn value<H: Host>(self) -> (MarkForm, Value<H>) {
        let (kind, word) = self.form.kind();
        let ttl = self.ttl.map(|ttl| (k::TTL.name, tree::text(ttl.name)));
        (self.form, tree::map([(kind.name, tree::text(word.name))].into_iter().chain(ttl)))
    }

    /// Writes the mark's object in the target's form.
    pub(crate) fn write<H: Host, K: Sink<H>>(self, form: MarkForm, out: &mut K) {
        let (kind, word) = form.kind();
        out.open_map();
        out.key(kind);
        out.literal(word);
        if let Some(ttl) = self.ttl {
            out.key(&k::TTL);
            out.literal(ttl);
        }
        out.close();
    }
}

impl Marks {
    /// Whether a part of this turn may have one.
    pub(crate) fn may_end<H: Host>(self, role: Role, part: &Part<H>) -> bool {
        match part.kind {
            Kind::Call(_) => self.calls,
            _ => self.of_assistant || role != Role::Assistant,
        }
    }
}

/// The formats that a mark comes from and goes to.
pub(crate) type Wires<'t> = (DialectId, &'t Target<'t>);

/// The mark among some keys, if the target takes it at such a place.
pub(crate) fn in_keys<H: Host>(
    wires: Wires<'_>,
    may: impl Fn(Marks) -> bool,
    extras: Option<&Extras<H>>,
    input: Option<&Input>,
) -> Option<(&'static str, Cached)> {
    let extras = extras?;
    if let Some(rule) = wires.0.facts.options {
        let given = rule.of_extras(extras, input);
        return taken(wires).filter(|(_, marks)| may(*marks)).find_map(|(form, marks)| {
            let (name, value) = rule.first(&given, Means::Mark(form))?;
            Some((name, Cached::read(value, form, marks)?))
        });
    }
    taken(wires).filter(|(form, marks)| *form != MarkForm::Point && may(*marks)).find_map(|(form, marks)| {
        let (_, value) = extras.iter().find(|(key, _)| key.is(form.key().name, input))?;
        Some((form.key().name, Cached::read(&value.to_value(input).ok()?, form, marks)?))
    })
}

/// The mark of this form among some keys, as its format has it.
pub(crate) fn own<H: Host>(
    form: MarkForm,
    extras: &Extras<H>,
    input: Option<&Input>,
) -> Option<(&'static str, Cached)> {
    let name = form.key().name;
    let (_, value) = extras.iter().find(|(key, _)| key.is(name, input))?;
    Some((name, Cached::read(&value.to_value(input).ok()?, form, Marks::anywhere(form))?))
}

/// The mark among the keys of a block that was read, if the target takes it.
pub(crate) fn in_entries<H: Host>(wires: Wires<'_>, entries: &[(Text<H>, Value<H>)]) -> Option<(&'static str, Cached)> {
    taken(wires).filter(|(form, _)| *form != MarkForm::Point).find_map(|(form, marks)| {
        let (_, value) = entries.iter().find(|(key, _)| key.is(form.key().name, None))?;
        Some((form.key().name, Cached::read(value, form, marks)?))
    })
}

/// The mark of a block that is only a mark, if the target takes it at such a place.
pub(crate) fn in_block<H: Host>(
    wires: Wires<'_>,
    may: impl Fn(Marks) -> bool,
    part: &Part<H>,
    input: Option<&Input>,
) -> Option<Cached> {
    let Kind::Opaque(kind) = &part.kind else { return None };
    mark_of(wires, may, (kind, part.origin.as_ref()), input)
}

/// The mark of anything with a type name that is only a mark.
pub(crate) fn mark_of<H: Host>(
    wires: Wires<'_>,
    may: impl Fn(Marks) -> bool,
    (kind, origin): (&Text<H>, Option<&Raw<H>>),
    input: Option<&Input>,
) -> Option<Cached> {
    let name = MarkForm::Point.key().name;
    let (form, marks) = taken(wires).find(|(form, marks)| *form == MarkForm::Point && may(*marks))?;
    let block = origin.filter(|_| kind.is(name, input))?.to_value(input).ok()?;
    match &block {
        Value::Map(entries) => match entries.iter().as_slice() {
            [(key, mark)] if key.is(name, None) => Cached::read(mark, form, marks),
            _ => None,
        },
        _ => None,
    }
}

/// The forms in which a format has marks that the target takes, and where it does.
fn taken((from, target): Wires<'_>) -> impl Iterator<Item = (MarkForm, Marks)> {
    let forms = if from.same_wire(target.id) { &[] } else { from.facts.marks.reads };
    forms.iter().filter_map(move |form| Some((*form, target.marks_of(*form)?)))
}
