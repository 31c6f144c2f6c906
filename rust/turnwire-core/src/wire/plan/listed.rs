//! Groups reasoning of other makers by the lists of a message that carry it.

use crate::{
    rules::details,
    value::{Host, Key, Value, tree},
};

/// An item, and the key of the list that it is for.
pub(crate) type Listed<H> = (&'static Key, Value<H>);

/// The lists, each with its key, in the order of their first items. Details have numbers.
pub(crate) fn lists<'v, H: Host>(items: impl IntoIterator<Item = &'v Listed<H>>) -> Vec<Listed<H>> {
    let mut keys: Vec<(&'static Key, Vec<&'v Value<H>>)> = Vec::new();
    for (key, value) in items {
        match keys.iter_mut().find(|(known, _)| known.name == key.name) {
            Some((_, values)) => values.push(value),
            None => keys.push((key, vec![value])),
        }
    }
    let list = |(key, values): (&'static Key, Vec<&Value<H>>)| {
        let is_numbered = key.name == details::LIST.name;
        let list = if is_numbered {
            details::numbered(values)
        } else {
            tree::list(values.into_iter().map(Value::share).collect::<Vec<_>>())
        };
        (key, list)
    };
    keys.into_iter().map(list).collect()
}
