//! Collects the settings to write, resolves their conflicts, and makes the target's body from them.

use super::{said::Said, told::Report, values};
use crate::{
    report::{ChangeKind, Path, Step},
    rules::{Cell, Setting},
    value::{Host, Text, Value},
};

/// A setting that will be written.
struct Entry<H: Host> {
    setting: &'static Setting,
    cell: &'static Cell,
    place: &'static str,
    value: Value<H>,
    /// Its path in the source. `None` if it was added here.
    at: Option<Vec<Step>>,
}

/// All settings to write.
pub(super) struct Entries<H: Host>(Vec<Entry<H>>);

impl<H: Host> Default for Entries<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A forced tool call, as a name that settings may exclude.
const FORCED_CHOICE: &str = "forced_choice";
/// What it is called for readers.
const FORCED: &str = "a choice of tools that forces a call";

impl<H: Host> Entries<H> {
    /// Adds a setting at the first of its cell's paths.
    pub(super) fn add(
        &mut self,
        setting: &'static Setting,
        cell: &'static Cell,
        value: Value<H>,
        at: Option<Vec<Step>>,
    ) {
        if let Some(place) = cell.places.first() {
            self.put(setting, cell, place, value, at);
        }
    }

    /// Adds a setting at a path.
    pub(super) fn put(
        &mut self,
        setting: &'static Setting,
        cell: &'static Cell,
        place: &'static str,
        value: Value<H>,
        at: Option<Vec<Step>>,
    ) {
        self.0.push(Entry { setting, cell, place, value, at });
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value<H>> {
        self.0.iter().find(|entry| entry.setting.name == name).map(|entry| &entry.value)
    }

    /// Whether something is written at a path.
    pub(super) fn is_taken(&self, place: &str) -> bool {
        self.0.iter().any(|entry| entry.place == place)
    }

    /// Removes a setting and returns its path in the source.
    pub(super) fn remove(&mut self, name: &str) -> Option<Vec<Step>> {
        let at = self.0.iter().position(|entry| entry.setting.name == name)?;
        self.0.remove(at).at
    }

    /// A setting that the target refuses beside another, or without one, and why.
    pub(super) fn conflict(&self, forced: bool) -> Option<(&'static str, String)> {
        let is_given = |name: &str| match self.get(name) {
            Some(Value::Text(word)) if name == "reasoning_mode" => !word.is("disabled", None),
            Some(Value::Bool(flag)) => *flag,
            Some(_) => true,
            None => name == FORCED_CHOICE && forced,
        };
        self.0.iter().find_map(|entry| {
            let name = entry.setting.name;
            let beside = entry.cell.excludes.iter().find(|other| is_given(other));
            let without = entry.cell.needs.iter().find(|other| !is_given(other));
            match (beside, without) {
                (Some(other), _) => {
                    let other = if *other == FORCED_CHOICE { FORCED } else { other };
                    Some((name, format!("the target refuses it beside {other}")))
                }
                (_, Some(other)) => Some((name, format!("the target refuses it without {other}"))),
                _ => None,
            }
        })
    }

    /// The thinking budget where it counts in the length of the reply.
    pub(super) fn budget_in_length(&self) -> Option<f64> {
        let budget = self.0.iter().find(|entry| entry.setting.name == "reasoning_budget")?;
        values::number(&budget.value).filter(|_| budget.place.ends_with("budget_tokens"))
    }

    /// Lowers the thinking budget below the tokens of the reply, which include it. `default`: their number where the body
    /// says none.
    pub(super) fn lower_budget(&mut self, default: Option<f64>, reports: &mut Vec<Report>) {
        let length = self.get("max_tokens").and_then(values::number);
        let room = length.or(default).unwrap_or(f64::INFINITY);
        let Some(budget) = self.0.iter().position(|entry| entry.setting.name == "reasoning_budget") else { return };
        if self.budget_in_length().is_none_or(|tokens| tokens < room) {
            return;
        }
        let path = Path::of(self.0[budget].at.clone().unwrap_or_default());
        if room > 1024.0 {
            self.0[budget].value = values::numeral(room - 1.0);
            let reason = "the target accepts only a budget below the tokens of the reply";
            reports.push(Report { kind: ChangeKind::Restated, path, why: reason.into() });
        } else {
            self.0.remove(budget);
            self.remove("reasoning_mode");
            let reason = "the reply is too short for the smallest budget that the target accepts";
            reports.push(Report { kind: ChangeKind::Lost, path, why: reason.into() });
        }
    }

    /// What is written of a setting that a body has: where, and which value.
    pub(super) fn written(&self, said: &Said<H>) -> Option<(&'static str, Value<H>)> {
        let is_it = |entry: &&Entry<H>| entry.setting.name == said.setting.name && entry.at.as_ref() == Some(&said.at);
        self.0.iter().find(is_it).map(|entry| (entry.place, entry.value.share()))
    }

    /// What is written of the settings that `wanted` names.
    pub(super) fn each(&self, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&'static str, Value<H>)> {
        let entries = self.0.iter().filter(move |entry| wanted(entry.setting.name));
        entries.map(|entry| (entry.place, entry.value.share()))
    }

    /// The keys of the body, with the defaults that it lacks.
    pub(super) fn into_keys(self, defaults: Vec<(Text<H>, Value<H>)>) -> Vec<(Text<H>, Value<H>)> {
        let mut keys = Vec::new();
        for entry in self.0 {
            let steps: Vec<_> = entry.place.split('.').collect();
            put(&mut keys, &steps, entry.value);
        }
        for (key, value) in defaults {
            match keys.iter_mut().find(|(known, _)| known.same(&key)) {
                None => keys.push((key, value)),
                Some((_, held)) => {
                    if let Some(more) = merged(held, &value) {
                        *held = more;
                    }
                }
            }
        }
        keys
    }
}

/// Puts a value under nested keys. Lists at the same path are joined.
fn put<H: Host>(entries: &mut Vec<(Text<H>, Value<H>)>, steps: &[&str], value: Value<H>) {
    let Some((first, inner)) = steps.split_first() else { return };
    let index = entries.iter().position(|(key, _)| key.is(first, None)).unwrap_or_else(|| {
        entries.push((Text::own(first), Value::Null));
        entries.len() - 1
    });
    let held = &mut entries[index].1;
    if inner.is_empty() {
        *held = match (&*held, &value) {
            (Value::List(before), Value::List(more)) => {
                Value::List(before.iter().chain(more.iter()).map(Value::share).collect())
            }
            _ => value,
        };
        return;
    }
    let mut below: Vec<_> = match held {
        Value::Map(entries) => entries.iter().map(|(key, value)| (key.share(), value.share())).collect(),
        _ => Vec::new(),
    };
    put(&mut below, inner, value);
    *held = Value::Map(below.into());
}

/// An object with the keys of another that it lacks. `None` if it lacks none.
pub(crate) fn merged<H: Host>(held: &Value<H>, more: &Value<H>) -> Option<Value<H>> {
    let (Value::Map(held), Value::Map(more)) = (held, more) else { return None };
    let mut all: Vec<_> = held.iter().map(|(key, value)| (key.share(), value.share())).collect();
    let mut grown = false;
    for (key, value) in more.iter() {
        match all.iter_mut().find(|(known, _)| known.same(key)) {
            None => {
                all.push((key.share(), value.share()));
                grown = true;
            }
            Some((_, held)) => {
                if let Some(new) = merged(held, value) {
                    *held = new;
                    grown = true;
                }
            }
        }
    }
    grown.then(|| Value::Map(all.into()))
}

/// Whether a body has a value at a path.
pub(super) fn has<H: Host>(entries: &[(Text<H>, Value<H>)], place: &str) -> bool {
    let (first, inner) = place.split_once('.').map_or((place, None), |(first, inner)| (first, Some(inner)));
    let Some((_, value)) = entries.iter().find(|(key, _)| key.is(first, None)) else { return false };
    match (inner, value) {
        (None, _) => true,
        (Some(inner), Value::Map(entries)) => has(entries, inner),
        _ => false,
    }
}
