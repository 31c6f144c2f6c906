//! Reads changes of settings that stand in a list, and writes them in another format's words.

use crate::{
    model::{Kind, Part, Parts, Role, Turn},
    report::{Edit, Error, Losses, Step},
    rules::{DialectId, UpdateForm, UpdateRule, value_rule::member},
    value::{Host, Raw, Text, Value},
    wire::plan::options,
};

const NO_PLACE: &str = "the target has no such change of settings in its list";
const NO_WORD: &str = "the target has no word for this effort in its list";

/// What a turn changes from its place on. `None` if it changes no settings.
pub(crate) fn of<H: Host>(turn: &Turn<H>) -> Option<Value<H>> {
    let rule = turn.from.facts.update.filter(|_| turn.role.is_system())?;
    let input = turn.input.as_ref();
    let value = match rule.form {
        UpdateForm::Item(kind) | UpdateForm::Option(kind) => match turn.parts.as_slice() {
            [Part { kind: Kind::Opaque(name), origin: Some(origin), .. }] if name.is(kind, input) => origin,
            _ => return None,
        },
        UpdateForm::Key(name) => turn
            .extras
            .iter()
            .flat_map(|extras| extras.iter())
            .find(|(key, _)| key.is(name, input))
            .map(|(_, raw)| raw)?,
    };
    let value = value.to_value(input).ok()?;
    if let UpdateForm::Option(_) = rule.form {
        return Some(nested(rule.effort, options::effort(turn.from, &value)?));
    }
    let says = matches!(&value, Value::Map(fields) if fields.iter().any(|(_, value)| !matches!(value, Value::Null)));
    says.then_some(value)
}

/// Whether a system turn changes settings from its place on, so that it may be without text.
pub(crate) fn sets_something<H: Host>(turn: &Turn<H>) -> bool {
    turn.extras.is_some() && of(turn).is_some()
}

/// Whether a turn says nothing else.
pub(crate) fn is_alone<H: Host>(turn: &Turn<H>) -> bool {
    let form = turn.from.facts.update.map(|rule| rule.form);
    let item = matches!(form, Some(UpdateForm::Item(_) | UpdateForm::Option(_)));
    (item || turn.parts.is_empty()) && of(turn).is_some()
}

/// Whether a turn says text, too, and the change is a key beside it.
pub(crate) fn is_beside_text<H: Host>(turn: &Turn<H>) -> bool {
    !turn.parts.is_empty() && key_of(turn).is_some() && of(turn).is_some()
}

/// Whether a turn has no text and a change that changes nothing.
pub(crate) fn says_nothing<H: Host>(turn: &Turn<H>) -> bool {
    let mut extras = turn.extras.iter().flat_map(|extras| extras.iter());
    let has = |name| extras.any(|(key, _)| key.is(name, turn.input.as_ref()));
    turn.parts.is_empty() && turn.role.is_system() && key_of(turn).is_some_and(has) && of(turn).is_none()
}

/// The key of a change, in formats where it is one.
fn key_of<H: Host>(turn: &Turn<H>) -> Option<&'static str> {
    match turn.from.facts.update?.form {
        UpdateForm::Key(name) => Some(name),
        UpdateForm::Item(_) | UpdateForm::Option(_) => None,
    }
}

/// A turn as two: its text without the change, and the change. `None` if it is not both.
pub(crate) fn apart<H: Host>(turn: &Turn<H>) -> Option<(Turn<H>, Turn<H>)> {
    let (rule, name, value) = (turn.from.facts.update?, key_of(turn)?, of(turn)?);
    let mut change = Turn { from: turn.from, ..of_role(turn, turn.role) };
    change.extras = Some(Box::new(vec![(Text::own(name), Raw::Tree(value))]));
    without(turn, rule).map(|said| (said, change))
}

/// The rule by which a target's own changes become one. An item has its rules on every server of the format.
pub(crate) fn joins_of(target: DialectId) -> Option<&'static UpdateRule> {
    target.facts.update.filter(|rule| rule_of(target).is_some() || matches!(rule.form, UpdateForm::Item(_)))
}

/// The rule of a target that takes them.
pub(crate) fn rule_of(target: DialectId) -> Option<&'static UpdateRule> {
    target.facts.update.filter(|rule| rule.profiles.contains(&target.profile()))
}

/// Whether a turn comes from another format, or from a profile that takes them while the target does not.
pub(crate) fn is_foreign<H: Host>(turn: &Turn<H>, target: DialectId) -> bool {
    !turn.from.same_wire(target) || rule_of(turn.from).is_some() && rule_of(target).is_none()
}

/// The turn with other settings.
pub(crate) fn with<H: Host>(turn: &Turn<H>, value: Value<H>) -> Turn<H> {
    let mut new = turn.touch();
    match (turn.from.facts.update.map(|rule| rule.form), new.parts.first_mut()) {
        (Some(UpdateForm::Item(_)), Some(part)) => part.origin = Some(Raw::Tree(value)),
        (Some(UpdateForm::Key(name)), _) => {
            let input = turn.input.as_ref();
            for (key, raw) in new.extras.iter_mut().flat_map(|extras| extras.iter_mut()) {
                if key.is(name, input) {
                    *raw = Raw::Tree(value.share());
                }
            }
        }
        _ => {}
    }
    new
}

/// What is written for a turn of another format that changes settings: its text without them, and the change in the target's
/// form. `None` if it changes none. `index`: of the turn.
pub(crate) fn translated<H: Host>(
    turn: &Turn<H>,
    index: usize,
    target: DialectId,
    losses: &mut Losses,
) -> Result<Option<Vec<Turn<H>>>, Error> {
    let Some((value, from)) = of(turn).filter(|_| is_foreign(turn, target)).zip(turn.from.facts.update) else {
        return Ok(None);
    };
    let path = match from.form {
        UpdateForm::Item(_) | UpdateForm::Option(_) => turn.path(index),
        UpdateForm::Key(name) => turn.path(index).then(Step::Key(name)),
    };
    let rule = rule_of(target);
    let mut effort = None;
    for (at, leaf) in leaves(&value, from) {
        let at = at.iter().fold(path.clone(), |path, key| path.then(Step::Name(key.as_str().into())));
        let word = match (&leaf, rule) {
            (Leaf::Effort(word), Some(rule)) => rule.word(word),
            _ => None,
        };
        match word {
            Some(word) => effort = Some(word.to_owned()),
            None => losses.lost(
                Edit::Key,
                at,
                if rule.is_some() && matches!(leaf, Leaf::Effort(_)) { NO_WORD } else { NO_PLACE },
            )?,
        }
    }
    let mut left = Vec::new();
    let said = without(turn, from);
    if let (Some(rule), Some(word)) = (rule, effort) {
        let change = nested(rule.effort, Value::Text(Text::own(&word)));
        match rule.form {
            UpdateForm::Item(kind) => {
                left.extend(said);
                let mut fields = vec![(Text::own("type"), Value::Text(Text::own(kind)))];
                if let Value::Map(more) = change {
                    fields.extend(more.iter().map(|(key, value)| (key.share(), value.share())));
                }
                left.push(item(turn, target, kind, Value::Map(fields.into())));
            }
            UpdateForm::Option(kind) => {
                left.extend(said);
                let whole = options::setting(target, Value::Text(Text::own(&word)));
                left.extend(whole.map(|whole| item(turn, target, kind, whole)));
            }
            UpdateForm::Key(name) => {
                let mut new = Turn { from: target, ..of_role(turn, Role::System) };
                new.extras = Some(Box::new(vec![(Text::own(name), Raw::Tree(change))]));
                match said.as_ref().map(|said| bare(said)) {
                    Some(Some(parts)) => new.parts = parts,
                    Some(None) => left.extend(said),
                    None => {}
                }
                left.push(new);
            }
        }
        return Ok(Some(left));
    }
    left.extend(said);
    Ok(Some(left))
}

/// A field of a change.
enum Leaf {
    Effort(String),
    Other,
}

/// The fields of a change, each with its keys. Fields of an object are one field, unless the effort is among them.
fn leaves<H: Host>(value: &Value<H>, rule: &UpdateRule) -> Vec<(Vec<String>, Leaf)> {
    let mut found = Vec::new();
    collect(value, rule.effort, &mut Vec::new(), &mut found);
    found
}

fn collect<H: Host>(value: &Value<H>, effort: &[&str], path: &mut Vec<String>, found: &mut Vec<(Vec<String>, Leaf)>) {
    let Value::Map(fields) = value else { return };
    for (key, value) in fields.iter().filter(|(_, value)| !matches!(value, Value::Null)) {
        let name = key.to_str(None).into_owned();
        if path.is_empty() && (name == "type" || name == "id") {
            continue;
        }
        path.push(name);
        match (effort, value) {
            ([last], Value::Text(word)) if key.is(last, None) => {
                found.push((path.clone(), Leaf::Effort(word.to_str(None).into_owned())));
            }
            ([first, rest @ ..], Value::Map(_)) if !rest.is_empty() && key.is(first, None) => {
                collect(value, rest, path, found);
            }
            _ => found.push((path.clone(), Leaf::Other)),
        }
        path.pop();
    }
}

/// The turn without its change of settings. `None` if nothing is left.
fn without<H: Host>(turn: &Turn<H>, rule: &UpdateRule) -> Option<Turn<H>> {
    let UpdateForm::Key(name) = rule.form else { return None };
    if turn.parts.is_empty() {
        return None;
    }
    let mut new = turn.touch();
    let input = turn.input.as_ref();
    if let Some(extras) = &mut new.extras {
        extras.retain(|(key, _)| !key.is(name, input));
    }
    new.extras = new.extras.filter(|extras| !extras.is_empty());
    Some(new)
}

/// The texts of a turn that has nothing else.
fn bare<H: Host>(turn: &Turn<H>) -> Option<Parts<H>> {
    let text = |part: &Part<H>| match &part.kind {
        Kind::Text(text) if part.extras.is_none() => Some(Part::text(text.detach(turn.input.as_ref()))),
        _ => None,
    };
    turn.parts.iter().map(text).collect()
}

/// An empty turn at the place of another one.
fn of_role<H: Host>(turn: &Turn<H>, role: Role) -> Turn<H> {
    Turn { list: turn.list, touched: true, ..Turn::new(role, Parts::new()) }
}

/// A turn that is one element of the target's list.
fn item<H: Host>(turn: &Turn<H>, target: DialectId, kind: &'static str, whole: Value<H>) -> Turn<H> {
    let origin = Raw::Tree(whole);
    let part = Part { origin: Some(origin), ..Part::text(Text::own("")) };
    let part = Part { kind: Kind::Opaque(Text::own(kind)), ..part };
    Turn { from: target, parts: [part].into(), ..of_role(turn, Role::Developer) }
}

/// A value under these keys, from the outside inwards.
fn nested<H: Host>(keys: &[&str], value: Value<H>) -> Value<H> {
    keys.iter().rev().fold(value, |value, key| Value::Map(vec![(Text::own(key), value)].into()))
}

/// Two changes as one: the second, with what only the first one sets.
pub(crate) fn joined<H: Host>(first: &Value<H>, second: &Value<H>) -> Value<H> {
    let (Value::Map(old), Value::Map(new)) = (first, second) else { return second.share() };
    let mut entries: Vec<_> = new.iter().map(|(key, value)| (key.share(), value.share())).collect();
    for (key, was) in old.iter().filter(|(key, _)| !key.is("id", None)) {
        match entries.iter_mut().find(|(known, _)| known.same(key)) {
            None => entries.push((key.share(), was.share())),
            Some((_, now)) => {
                if let (Value::Map(was), Value::Map(given)) = (was, &*now) {
                    let kept = was.iter().filter(|(key, _)| member(given, &key.to_str(None)).is_none());
                    let all = given.iter().chain(kept).map(|(key, value)| (key.share(), value.share()));
                    *now = Value::Map(all.collect::<Vec<_>>().into());
                }
            }
        }
    }
    Value::Map(entries.into())
}
