//! Builds wire values from what has arrived: objects with the keys of their format.

use super::grown::Fields;
use crate::{
    report::{Error, Step},
    value::{Host, Key, Sink, Source, Text, Value, ValueSink},
};

/// An owned copy of a value.
pub(crate) fn kept<S: Source>(node: &S) -> Result<Value<S::H>, Error> {
    node.raw().to_value(node.input())
}

/// An object under construction.
pub(crate) struct Map<H: Host>(Vec<(Text<H>, Value<H>)>);

impl<H: Host> Default for Map<H> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<H: Host> Map<H> {
    /// Adds an entry.
    pub(crate) fn put(&mut self, key: &'static Key, value: Value<H>) {
        self.0.push((Text::own(key.name), value));
    }

    /// Adds an entry under a key that came with the data.
    pub(crate) fn entry(&mut self, key: Text<H>, value: Value<H>) {
        self.0.push((key, value));
    }

    /// Its entries.
    pub(crate) fn into_entries(self) -> Vec<(Text<H>, Value<H>)> {
        self.0
    }

    /// Adds an entry, if there is a value.
    pub(crate) fn maybe(&mut self, key: &'static Key, value: Option<&Value<H>>) {
        if let Some(value) = value {
            self.put(key, value.share());
        }
    }

    /// Adds every entry of `fields` that is not empty.
    pub(crate) fn fields(&mut self, fields: &Fields<H>) -> Result<(), Error> {
        for (key, value) in fields.said() {
            self.0.push((key.share(), value.value()?));
        }
        Ok(())
    }

    /// Adds every entry of another object.
    pub(crate) fn rest(&mut self, object: &Value<H>) {
        if let Value::Map(entries) = object {
            self.0.extend(entries.iter().map(|(key, value)| (key.share(), value.share())));
        }
    }

    /// The object, if it has an entry.
    pub(crate) fn some(self) -> Option<Value<H>> {
        (!self.0.is_empty()).then(|| self.value())
    }

    /// The object.
    pub(crate) fn value(self) -> Value<H> {
        Value::Map(self.0.into())
    }
}

/// An object with some of its values replaced, of a repeated key the last one. New keys come last.
pub(crate) fn changed<H: Host>(object: &Value<H>, changes: Vec<(&'static Key, Value<H>)>) -> Value<H> {
    let mut whole = Map::default();
    whole.rest(object);
    for (key, value) in changes {
        match whole.0.iter_mut().rfind(|(name, _)| name.is(key.name, None)) {
            Some((_, place)) => *place = value,
            None => whole.put(key, value),
        }
    }
    whole.value()
}

/// The value with another one at a path in it; at its root, with the other's entries. A missing path changes nothing.
pub(crate) fn replaced_at<H: Host>(value: &Value<H>, steps: &[Step], new: Value<H>) -> Value<H> {
    match (value, steps) {
        (Value::Map(_), []) => {
            let Value::Map(entries) = new else { return value.share() };
            entries.iter().fold(value.share(), |whole, (key, value)| with(&whole, &key.to_str(None), |_| value.share()))
        }
        (_, []) => new,
        (Value::List(items), [Step::Index(index), rest @ ..]) => {
            let item = |(at, item): (usize, &Value<H>)| {
                if at == *index { replaced_at(item, rest, new.share()) } else { item.share() }
            };
            Value::List(items.iter().enumerate().map(item).collect())
        }
        (_, [Step::Key(key), rest @ ..]) => with(value, key, |value| replaced_at(value, rest, new.share())),
        _ => value.share(),
    }
}

/// An object with another value under a key that it has.
fn with<H: Host>(object: &Value<H>, name: &str, new: impl Fn(&Value<H>) -> Value<H>) -> Value<H> {
    let Value::Map(entries) = object else { return object.share() };
    let entry =
        |(key, value): &(Text<H>, Value<H>)| (key.share(), if key.is(name, None) { new(value) } else { value.share() });
    Value::Map(entries.iter().map(entry).collect())
}

/// An object, or a list, whose content is written.
pub(crate) fn written<H: Host>(listed: bool, write: impl FnOnce(&mut ValueSink<H>)) -> Result<Value<H>, Error> {
    let mut out = ValueSink::new();
    if listed {
        out.open_list();
    } else {
        out.open_map();
    }
    write(&mut out);
    out.close();
    Ok(out.into_values()?.pop().unwrap_or(Value::Null))
}

/// An object whose keys are written.
pub(crate) fn object<H: Host>(write: impl FnOnce(&mut ValueSink<H>)) -> Value<H> {
    written(false, write).unwrap_or(Value::Null)
}

/// A list of values that may fail to be made.
pub(crate) fn list<H: Host>(items: impl Iterator<Item = Result<Value<H>, Error>>) -> Result<Value<H>, Error> {
    let mut list = Vec::new();
    for item in items {
        list.push(item?);
    }
    Ok(Value::List(list.into()))
}

/// A word that the format knows.
pub(crate) fn word<H: Host>(key: &'static Key) -> Value<H> {
    Value::Text(Text::own(key.name))
}

/// A number.
pub(crate) fn number<H: Host>(number: u64) -> Value<H> {
    Value::Number(number.to_string().into())
}
