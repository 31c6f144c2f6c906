//! `share=True`: hands on the caller's own elements where a payload would have equal copies of them.

use pyo3::{
    ffi,
    prelude::*,
    types::{PyDict, PyList},
};
use turnwire_core::{
    model::conversation::Conversation,
    report::error::Error,
    value::{
        handle::{Raw, Text, Value},
        mark::Spot,
        node::MAX_DEPTH,
    },
};

use crate::{
    error::host_fault,
    host::PyHost,
    node::{List, Node, for_each_entry},
    sink::copy,
    source::PySource,
};

/// The caller's messages, tools and blocks of system text, by the addresses of the frozen values that were made of them.
/// Only a hint: what is handed on is compared first. In the order of the addresses, which for hundreds of elements is faster
/// than hashing them.
#[derive(Default)]
pub(crate) struct OwnElements(Vec<(usize, Py<PyAny>)>);

impl OwnElements {
    /// Those of `root`, of which `frozen` was made, and `read` was read.
    pub(crate) fn of(
        root: &Bound<'_, PyAny>,
        frozen: &Value<PyHost>,
        read: &Conversation<PyHost>,
    ) -> Result<Self, Error> {
        let mut items = Vec::with_capacity(read.turns().len());
        items_of(root, frozen, &mut items)?;
        // A payload may be one message.
        items.extend(address(frozen).map(|address| (address, root.clone())));
        items.sort_unstable_by_key(|(address, _)| *address);
        let turns = read.turns().iter();
        let messages =
            turns.filter_map(|turn| turn.entity.as_ref().map(|entity| &entity.origin).or(turn.origin.as_ref()));
        let tools = read.frame.tools.iter().flatten().filter_map(|tool| tool.origin.as_ref());
        let system = read.frame.system.iter().flat_map(|system| &system.parts).filter_map(|part| part.origin.as_ref());
        let origins = messages.chain(tools).chain(system);
        let mut elements: Vec<_> =
            origins.filter_map(|origin| if let Raw::Tree(value) = origin { address(value) } else { None }).collect();
        elements.sort_unstable();
        items.retain(|(address, _)| elements.binary_search(address).is_ok());
        Ok(Self(items.into_iter().map(|(address, item)| (address, item.unbind())).collect()))
    }

    /// The caller's own element that a value was made of, if it is a dict and still equals the value.
    pub(crate) fn unchanged<'py>(&self, py: Python<'py>, value: &Value<PyHost>) -> Option<&Bound<'py, PyAny>> {
        let at = self.0.binary_search_by_key(&address(value)?, |(address, _)| *address).ok()?;
        let own = self.0.get(at)?.1.bind(py);
        is_same(own, value).then_some(own)
    }
}

/// The dicts in a list, or in the lists that are under keys of a dict, by the addresses of their frozen values.
fn items_of<'py>(
    own: &Bound<'py, PyAny>,
    frozen: &Value<PyHost>,
    items: &mut Vec<(usize, Bound<'py, PyAny>)>,
) -> Result<(), Error> {
    match (frozen, Node::of(own)) {
        (Value::Map(entries), Node::Map(dict)) => entries.iter().try_for_each(|(key, value)| match (key, value) {
            (Text::Host(key), Value::Map(_) | Value::List(_)) => {
                let own = dict.get_item(key.object(own.py())).map_err(host_fault)?;
                own.map_or(Ok(()), |own| items_of(&own, value, items))
            }
            _ => Ok(()),
        }),
        (Value::List(values), Node::List(list)) => {
            let found = values.iter().enumerate().filter_map(|(at, value)| Some((address(value)?, list.get(at)?)));
            items.extend(found);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Where the entries of an object are.
fn address(value: &Value<PyHost>) -> Option<usize> {
    if let Value::Map(entries) = value { Some(entries.as_ptr().addr()) } else { None }
}

/// Whether a copy of `value` in new dicts and lists would equal `own`, types included: all scalars are the same objects.
/// A function of the caller may have changed a container since it was frozen.
fn is_same(own: &Bound<'_, PyAny>, value: &Value<PyHost>) -> bool {
    match value {
        Value::Text(Text::Host(text)) => own.is(text.object(own.py())),
        Value::Leaf(leaf) => own.is(leaf),
        Value::Null => own.is_none(),
        Value::Bool(flag) => own.is(pyo3::types::PyBool::new(own.py(), *flag)),
        Value::Map(entries) => own.cast_exact::<PyDict>().is_ok_and(|dict| is_same_dict(dict, entries)),
        Value::List(items) => own.cast_exact::<PyList>().is_ok_and(|list| {
            list.len() == items.len()
                && items
                    .iter()
                    .enumerate()
                    .all(|(at, item)| List::List(list).get(at).is_some_and(|own| is_same(&own, item)))
        }),
        // A frozen value of Python has no spellings.
        Value::Text(_) | Value::Number(_) => false,
    }
}

fn is_same_dict(dict: &Bound<'_, PyDict>, entries: &[(Text<PyHost>, Value<PyHost>)]) -> bool {
    let mut left = entries.iter();
    let mut same = dict.len() == entries.len();
    let walked = for_each_entry(dict, |key, value| {
        same = same
            && left.next().is_some_and(|(name, item)| {
                matches!(name, Text::Host(name) if key.is(name.object(dict.py()))) && is_same(value, item)
            });
        Ok(())
    });
    same && walked.is_ok()
}

/// Replaces the elements of a payload's lists that hold a spot by copies, because what is the caller's does not change.
pub(crate) fn unshare(payload: &Bound<'_, PyAny>, spots: &[Spot<PySource<'_>>]) -> Result<(), Error> {
    let objects = spots.iter().map(|spot| match spot {
        Spot::Key(object) | Spot::Behind(object, _) | Spot::Text(object, _) => object.object().as_ptr(),
    });
    copied(payload, &objects.collect::<Vec<_>>())
}

fn copied(value: &Bound<'_, PyAny>, wanted: &[*mut ffi::PyObject]) -> Result<(), Error> {
    match Node::of(value) {
        Node::Map(dict) => for_each_entry(dict, |_, value| copied(value, wanted)),
        Node::List(List::List(list)) => list.iter().enumerate().try_for_each(|(index, element)| {
            if holds(&element, wanted) {
                list.set_item(index, copy(&element, MAX_DEPTH)?).map_err(host_fault)?;
            }
            Ok(())
        }),
        _ => Ok(()),
    }
}

/// Whether one of these objects is this one or in it.
fn holds(value: &Bound<'_, PyAny>, wanted: &[*mut ffi::PyObject]) -> bool {
    let mut found = wanted.contains(&value.as_ptr());
    // The payload was written here, so it is no deeper than what was read, and nothing changes it meanwhile.
    let _ = match Node::of(value) {
        _ if found => Ok(()),
        Node::Map(dict) => for_each_entry(dict, |_, value| {
            found = found || holds(value, wanted);
            Ok(())
        }),
        Node::List(list) => list.for_each(|item| {
            found = found || holds(item, wanted);
            Ok(())
        }),
        _ => Ok(()),
    };
    found
}
