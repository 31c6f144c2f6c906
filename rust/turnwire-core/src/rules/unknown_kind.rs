//! Finds unions of a kind that their format does not list: objects whose one key says what they are.

use super::value_rule::{KeyRule, ValueRule, member};
use crate::{
    report::{Path, Step},
    value::{Host, Value},
};

impl ValueRule {
    /// The paths of the keys of such unions, in a value at the path `at`.
    pub(crate) fn unknown_kinds<H: Host>(self, value: &Value<H>, at: &Path) -> Vec<Path> {
        match (self, value) {
            (Self::Union(rules), Value::Map(entries))
                if rules.iter().all(|(name, _)| member(entries, name).is_none()) =>
            {
                let keys = entries.iter().map(|(key, _)| at.clone().then(Step::Name(key.to_str(None).into())));
                keys.collect()
            }
            (Self::Union(rules), value) => of_keys(rules, value, at),
            (Self::Fields(needs, may), value) => {
                let mut found = of_keys(needs, value, at);
                found.append(&mut of_keys(may, value, at));
                found
            }
            (Self::ListOf(rule) | Self::SomeOf(rule), Value::List(items)) => {
                let each = items.iter().enumerate();
                each.flat_map(|(index, item)| rule.unknown_kinds(item, &at.clone().then(Step::Index(index)))).collect()
            }
            (Self::Maybe(rule), value) => rule.unknown_kinds(value, at),
            _ => Vec::new(),
        }
    }
}

/// The same for the values of an object's keys.
fn of_keys<H: Host>(rules: &[KeyRule], value: &Value<H>, at: &Path) -> Vec<Path> {
    let Value::Map(entries) = value else { return Vec::new() };
    let given = rules.iter().filter_map(|(name, rule)| Some((*name, rule, member(entries, name)?)));
    given.flat_map(|(name, rule, value)| rule.unknown_kinds(value, &at.clone().then(Step::Key(name)))).collect()
}
