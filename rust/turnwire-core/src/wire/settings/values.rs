//! Reads one value of a setting into neutral words, and writes it for a wire within its bounds.

use super::{
    said::Said,
    told::{Told, changed, lost},
};
use crate::{
    report::ChangeKind,
    rules::{Cell, Kind},
    value::{Host, Raw, Source, Text, Tree, Value, json::encode},
};

/// The kind of a value, for an error sentence.
pub(super) fn what<H: Host>(value: &Value<H>) -> &'static str {
    Tree(value).kind().name()
}

/// A number's value.
pub(super) fn number<H: Host>(value: &Value<H>) -> Option<f64> {
    if matches!(value, Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Null) {
        return None;
    }
    let mut digits = Vec::new();
    encode::raw(&Raw::Tree(value.share()), None, &mut digits).ok()?;
    str::from_utf8(&digits).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A new number. A whole one has no fraction.
pub(super) fn numeral<H: Host>(number: f64) -> Value<H> {
    Value::Number(format!("{number}").into())
}

/// A new word.
pub(super) fn word<H: Host>(word: &str) -> Value<H> {
    Value::Text(Text::own(word))
}

fn expected<H: Host, T>(wanted: &str, value: &Value<H>) -> Result<T, String> {
    let got = match value {
        Value::Number(_) if number(value).is_none() => "one that is too large for a server",
        _ => what(value),
    };
    Err(format!("expected {wanted}, got {got}"))
}

/// The meaning of a value, and a report if the value has more content than that.
type Meant<H> = (Value<H>, Option<String>);

/// Reads a value. `None` if it is empty.
pub(super) fn read<H: Host>(value: &Value<H>, kind: Kind) -> Result<Option<Meant<H>>, String> {
    let same = |value: &Value<H>| Ok(Some((value.share(), None)));
    match (kind, value) {
        (_, Value::Null) => Ok(None),
        (Kind::Flag, Value::Bool(_)) | (Kind::Text(_), Value::Text(_)) => same(value),
        (Kind::Switch(on, off), Value::Bool(flag)) => Ok(Some((word(if *flag { on } else { off }), None))),
        (Kind::Flag | Kind::Switch(..), _) => expected("a boolean", value),
        (Kind::Words(words), Value::Text(text)) => {
            let text = text.to_str(None);
            let mine = words.iter().find(|(wire, _)| !wire.is_empty() && wire.eq_ignore_ascii_case(&text));
            let Some((wire, meant)) = mine else {
                return Err(format!("{text:?} is not a value that is known here"));
            };
            let plain = words.iter().find(|(_, other)| other == meant).is_none_or(|(first, _)| first == wire);
            let told = (!plain).then(|| format!("{wire:?} means {meant:?} elsewhere"));
            Ok(Some((word(meant), told)))
        }
        (Kind::Text(_) | Kind::Words(_), _) => expected("a string", value),
        (Kind::Member(one), Value::List(items)) => {
            let is_in = items.iter().any(|item| matches!(item, Value::Text(text) if text.is(one, None)));
            Ok(is_in.then(|| {
                let others = items.len() - 1;
                let told = (others > 0).then(|| format!("the target cannot express the {others} others in this list"));
                (Value::Bool(true), told)
            }))
        }
        (Kind::Member(_), _) => expected("a list", value),
        (Kind::Integer(..) | Kind::Number(..), _) => match number(value) {
            Some(found) if matches!(kind, Kind::Integer(..)) && found.fract() != 0.0 => {
                Err("expected a whole number".to_owned())
            }
            Some(_) => same(value),
            None => expected("a number", value),
        },
        (Kind::Texts(_) | Kind::VisibleTexts(_), Value::Text(_)) => {
            Ok(Some((Value::List([value.share()].into()), None)))
        }
        (Kind::Texts(_) | Kind::VisibleTexts(_), Value::List(items))
            if items.iter().all(|item| matches!(item, Value::Text(_))) =>
        {
            if items.is_empty() {
                Ok(None)
            } else {
                same(value)
            }
        }
        (Kind::Texts(_) | Kind::VisibleTexts(_), _) => expected("a string, or a list of strings", value),
        (Kind::Labels(..), Value::Map(entries)) if entries.iter().all(|(_, value)| matches!(value, Value::Text(_))) => {
            if entries.is_empty() {
                Ok(None)
            } else {
                same(value)
            }
        }
        (Kind::Labels(..), _) => expected("an object of strings", value),
        _ => same(value),
    }
}

/// Whether both wires spell this word in the same way, and mean the same by it.
pub(super) fn is_alike<H: Host>(value: &Value<H>, mine: &Cell, theirs: &Cell) -> bool {
    let (Kind::Words(mine), Kind::Words(theirs), Value::Text(text)) = (mine.kind, theirs.kind, value) else {
        return false;
    };
    let word = |words: &[(&'static str, &'static str)]| words.iter().find(|(wire, _)| text.is(wire, None)).copied();
    word(mine).is_some() && word(mine) == word(theirs)
}

/// Writes a setting for the target, with what to report about it.
pub(super) fn written<H: Host>(said: &Said<H>, cell: &Cell) -> (Option<Value<H>>, Told) {
    let value = &said.value;
    let name = said.setting.name;
    // The source's column has already checked it, unless that column has no type.
    let value = match read(value, cell.kind) {
        _ if matches!(cell.kind, Kind::Words(_) | Kind::Switch(..) | Kind::Member(_)) => value.share(),
        Ok(Some((value, _))) => value,
        Ok(None) => return (None, None),
        Err(reason) => return (None, lost(reason)),
    };
    match (cell.kind, &value) {
        (Kind::None | Kind::Own | Kind::Payload | Kind::Choices(_) | Kind::InChoice, _) => {
            (None, lost(format!("the target does not have the setting {name}")))
        }
        (Kind::Refused(why) | Kind::RefusedInReasoning(why), _) => (None, lost(why)),
        (Kind::Elsewhere(_), Value::Bool(false)) | (Kind::Always, Value::Bool(true)) => (None, None),
        (Kind::Elsewhere(where_), _) => (None, changed(where_)),
        (Kind::Always, _) => (None, changed("the target always does it")),
        (Kind::Switch(on, _), Value::Text(text)) if text.is(on, None) => (Some(Value::Bool(true)), None),
        (Kind::Switch(_, off), Value::Text(text)) if text.is(off, None) => (Some(Value::Bool(false)), None),
        (Kind::Words(words), Value::Text(text)) => {
            let text = text.to_str(None);
            match words.iter().find(|(_, meant)| *meant == text) {
                None => (None, lost(format!("the target does not have the value {text:?}"))),
                Some(("", "none")) => (None, lost("the model always reasons")),
                Some(("", _)) => (None, None),
                Some((wire, meant)) => {
                    let back = words.iter().find(|(other, _)| other == wire).map_or(meant, |(_, back)| back);
                    // Whoever wants no thinking gets some.
                    let told = match *meant {
                        _ if back == meant => None,
                        "none" => lost(format!("the model always reasons, {wire:?} the least")),
                        _ => changed(format!("the target's nearest value to {text:?} is {wire:?}")),
                    };
                    (Some(word(wire)), told)
                }
            }
        }
        (Kind::Switch(..) | Kind::Words(_), _) => (None, lost("the target cannot express this value")),
        (Kind::Member(one), Value::Bool(true)) => (Some(Value::List([word(one)].into())), None),
        (Kind::Member(_), _) => (None, None),
        (Kind::Integer(least, most) | Kind::Number(least, most), _) => within(&value, least, most),
        (Kind::Text(most), Value::Text(text)) if text.to_str(None).chars().count() > most => {
            (None, lost(format!("the target accepts at most {most} characters")))
        }
        (Kind::Texts(most), Value::List(items)) => texts(items.iter().collect(), most),
        (Kind::VisibleTexts(most), Value::List(items)) => {
            let says = |item: &&Value<H>| !matches!(item, Value::Text(text) if text.is_blank(None));
            let visible: Vec<_> = items.iter().filter(says).collect();
            if visible.len() == items.len() {
                return texts(visible, most);
            }
            let told = lost("the target refuses blank texts here");
            if visible.is_empty() { (None, told) } else { (texts(visible, most).0, told) }
        }
        (Kind::Labels(most, characters), Value::Map(entries)) => labels(&value, entries, most, characters),
        _ => (Some(value), None),
    }
}

/// A number within bounds.
pub(super) fn within<H: Host>(value: &Value<H>, least: f64, most: f64) -> (Option<Value<H>>, Told) {
    let Some(found) = number(value) else { return (None, lost("expected a number")) };
    let (which, bound) = if found < least {
        ("least", least)
    } else if found > most {
        ("most", most)
    } else {
        return (Some(value.share()), None);
    };
    (Some(numeral(bound)), changed(format!("the target's {which} is {bound}")))
}

/// The first texts, as many as the target accepts.
fn texts<H: Host>(items: Vec<&Value<H>>, most: usize) -> (Option<Value<H>>, Told) {
    if items.len() <= most {
        return (Some(Value::List(items.into_iter().map(Value::share).collect())), None);
    }
    let kept = items.into_iter().take(most).map(Value::share).collect();
    let reason = (format!("the target accepts at most {most}"), "the first are kept").into();
    (Some(Value::List(kept)), Some((ChangeKind::Lost, reason)))
}

/// Labels unchanged, if the target accepts all of them.
fn labels<H: Host>(
    value: &Value<H>,
    entries: &[(Text<H>, Value<H>)],
    most: usize,
    characters: usize,
) -> (Option<Value<H>>, Told) {
    let long = |text: &Text<H>| text.to_str(None).chars().count() > characters;
    if entries.len() > most {
        return (None, lost(format!("the target accepts at most {most} labels")));
    }
    match entries.iter().find(|(_, value)| matches!(value, Value::Text(text) if long(text))) {
        Some((key, _)) => (
            None,
            lost(format!(
                "the target accepts at most {characters} characters in a label, as in {:?}",
                key.to_str(None)
            )),
        ),
        None => (Some(value.share()), None),
    }
}
