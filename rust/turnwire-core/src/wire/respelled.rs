//! Writes the cache marks of a list where another profile of its format, or its own, takes them, or leaves them out.

use crate::{
    model::{Content, Kind, Part, Role, Turn},
    report::{Edit, Error, Losses, Path, Place, Step},
    rules::{MarkForm, Marks, Target},
    value::{Extras, Host, Input, Raw, Text},
    wire::plan::Cached,
};

const NO_MARKS: &str = "the target has no such cache marks";
const NEWER_ONLY: &str = "the target takes such marks only for models from GPT-5.6 on: name the model";
const NO_MARK_HERE: &str = "the target takes no cache mark here";
const ON_PART: &str = "the target takes the cache mark of a message on its last part";

/// The turn with its marks as the target has them. `None` if none has to change, or if it is of another format.
pub(crate) fn of<H: Host>(
    turn: &Turn<H>,
    index: usize,
    target: &Target<'_>,
    losses: &mut Losses,
) -> Result<Option<Turn<H>>, Error> {
    let rule = turn.from.facts.marks;
    if !turn.from.same_wire(target.id) || rule.reads.is_empty() {
        return Ok(None);
    }
    let marks = target.id.marks();
    let is_other = |form: &MarkForm| turn.from != target.id && marks.is_none_or(|marks| marks.form != *form);
    let others = rule.reads.iter().copied().filter(is_other).collect();
    let change = Change { marks, others, target, turn, index };
    let respelled = if change.is_asked() { Some(change.respell(losses)?) } else { None };
    let moved = marks.and_then(|marks| on_last_part(respelled.as_ref().unwrap_or(turn), marks));
    if moved.is_some() {
        losses.changed(Edit::Reshaped, turn.path(index), ON_PART);
    }
    Ok(moved.or(respelled))
}

/// A key that no reader takes, and its value.
type Extra<H> = (Text<H>, Raw<H>);

/// A change of the marks of a turn.
struct Change<'t, H: Host> {
    /// Where the target takes marks.
    marks: Option<Marks>,
    /// The forms of marks that it does not take.
    others: Vec<MarkForm>,
    target: &'t Target<'t>,
    turn: &'t Turn<H>,
    index: usize,
}

impl<H: Host> Change<'_, H> {
    fn input(&self) -> Option<&Input> {
        self.turn.input.as_ref()
    }

    fn is_other(&self, key: &Text<H>) -> Option<MarkForm> {
        self.others.iter().copied().find(|form| key.is(form.key().name, self.input()))
    }

    fn has(&self, extras: Option<&Extras<H>>) -> bool {
        extras.into_iter().flatten().any(|(key, raw)| self.is_other(key).is_some() && !raw.says_nothing(self.input()))
    }

    fn is_asked(&self) -> bool {
        let marked = |part: &Part<H>| part.with_blocks().any(|part| self.has(part.extras.as_deref()));
        !self.others.is_empty() && (self.has(self.turn.extras.as_deref()) || self.turn.parts.iter().any(marked))
    }

    fn respell(&self, losses: &mut Losses) -> Result<Turn<H>, Error> {
        let mut new = self.turn.touch();
        let mut on_message = None;
        let whole = self.marks.filter(|marks| marks.on_messages && is_reply(self.turn.role));
        self.keys(&mut new.extras, whole, losses, &|| self.turn.path(self.index))?;
        for (at, part) in new.parts.iter_mut().enumerate() {
            let takes = self.marks.filter(|marks| marks.may_end(self.turn.role, part));
            if self.has(part.extras.as_deref()) {
                let path = || self.turn.part_path(self.index, at);
                on_message = self.keys(&mut part.extras, takes, losses, &path)?.or(on_message);
                part.touched = true;
            }
            if let Kind::Result(result) = &mut part.kind
                && let Content::Blocks(blocks) = &mut result.content
            {
                for block in blocks.iter_mut().filter(|block| self.has(block.extras.as_deref())) {
                    let path = self.turn.block_path(self.index, at, block);
                    on_message = self.keys(&mut block.extras, self.marks, losses, &|| path.clone())?.or(on_message);
                    (block.touched, part.touched) = (true, true);
                }
            }
        }
        if let (Some(mark), Some(_)) = (on_message, whole) {
            new.extras.get_or_insert_default().push(mark);
        }
        Ok(new)
    }

    /// Writes the marks among some keys in the target's form, or returns the one that the whole message has.
    fn keys(
        &self,
        extras: &mut Option<Box<Extras<H>>>,
        takes: Option<Marks>,
        losses: &mut Losses,
        path: &dyn Fn() -> Path,
    ) -> Result<Option<Extra<H>>, Error> {
        let Some(given) = extras.take() else { return Ok(None) };
        let (mut kept, mut on_message) = (Vec::new(), None);
        for (key, raw) in given.iter().map(|(key, raw)| (key.share(), raw.share())) {
            let Some(form) = self.is_other(&key) else {
                kept.push((key, raw));
                continue;
            };
            let value = raw.to_value(self.input())?;
            let known = self.target.marks_of(form).is_some();
            let made = takes.filter(|_| known).and_then(|marks| Some((marks, Cached::read(&value, form, marks)?)));
            match made {
                Some((marks, cached)) => {
                    let mark = (Text::own(marks.form.key().name), Raw::Tree(cached.value().1));
                    if marks.on_messages && is_reply(self.turn.role) {
                        on_message = Some(mark);
                    } else {
                        kept.push(mark);
                    }
                }
                None if is_told(losses) => {}
                None => {
                    let why = match self.marks {
                        Some(_) if known => NO_MARK_HERE,
                        Some(_) => NEWER_ONLY,
                        None => NO_MARKS,
                    };
                    losses.lost(Edit::Key, path().then(Step::Key(form.key().name)), why)?;
                }
            }
        }
        *extras = Some(Box::new(kept)).filter(|kept| !kept.is_empty());
        Ok(on_message)
    }
}

/// Whether the mark of a message may be its own, and not that of its last part.
fn is_reply(role: Role) -> bool {
    matches!(role, Role::Assistant | Role::Tool)
}

/// Whether a lost mark is told already: one entry is for all of a request.
pub(crate) fn is_told(losses: &Losses) -> bool {
    let is_mark = |step: Step| match step {
        Step::Key(key) => is_mark(key),
        Step::Name(key) => is_mark(&key),
        Step::Index(_) => false,
    };
    let lost = |code: Edit| code == Edit::Key;
    losses.list.iter().any(|one| one.code.edit().is_some_and(lost) && one.path.steps().last().is_some_and(is_mark))
}

/// Whether a key is that of a mark.
pub(crate) fn is_mark(key: &str) -> bool {
    [MarkForm::Control, MarkForm::Point, MarkForm::Breakpoint].iter().any(|form| form.key().name == key)
}

/// The turn with its own mark on its last part, where the target has marks of parts only.
fn on_last_part<H: Host>(turn: &Turn<H>, marks: Marks) -> Option<Turn<H>> {
    let (name, input) = (marks.form.key().name, turn.input.as_ref());
    let is_mark = |(key, _): &&(Text<H>, Raw<H>)| key.is(name, input);
    let (key, mark) = turn.extras.iter().flat_map(|extras| extras.iter()).find(is_mark)?;
    if marks.on_messages && is_reply(turn.role) || !matches!(mark.to_value(input), Ok(crate::value::Value::Map(_))) {
        return None;
    }
    let may = |part: &Part<H>| match &part.kind {
        Kind::Text(text) => !text.is_blank(input),
        Kind::Reasoning(_) | Kind::Opaque(_) => false,
        _ => true,
    };
    let at = turn.parts.iter().rposition(|part| may(part) && marks.may_end(turn.role, part))?;
    let mut new = turn.touch();
    new.extras = new.extras.map(|mut extras| {
        extras.retain(|(key, _)| !key.is(name, input));
        extras
    });
    new.extras = new.extras.filter(|extras| !extras.is_empty());
    let part = new.parts.get_mut(at)?;
    let has = part.extras.iter().flat_map(|extras| extras.iter()).any(|(key, _)| key.is(name, input));
    if !has {
        part.extras.get_or_insert_default().push((key.share(), mark.share()));
        part.touched = true;
        if let (Some(key), None, Kind::Text(_)) = (part.place.key, part.place.index, &part.kind) {
            part.place = Place::item(key, 0);
        }
    }
    Some(new)
}
