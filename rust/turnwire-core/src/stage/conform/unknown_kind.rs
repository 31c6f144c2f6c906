//! Finds unions of an unknown kind inside an opaque block of a known type, such as the source of a document.

use crate::{
    model::{Kind, Part},
    report::{Path, Step},
    rules::{ExtraKeys, value_rule::member},
    value::{Host, Input, Value},
};

/// The paths of their keys, in a part at the path `at`.
pub(super) fn of<H: Host>(keys: &ExtraKeys, part: &Part<H>, input: Option<&Input>, at: &Path) -> Vec<Path> {
    let (Kind::Opaque(name), Some(origin)) = (&part.kind, &part.origin) else { return Vec::new() };
    let Some((key, rule)) = keys.members.iter().find(|(key, _)| name.is(key, input)) else { return Vec::new() };
    let Ok(Value::Map(entries)) = origin.to_value(input) else { return Vec::new() };
    let value = member(&entries, key);
    value.map_or_else(Vec::new, |value| rule.unknown_kinds(value, &at.clone().then(Step::Key(key))))
}
