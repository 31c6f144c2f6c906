//! Grows a JSON value from pieces: texts are appended, objects grow by key, lists by item.

use super::text::Words;
use crate::k;
use crate::{
    report::{Error, Step},
    value::{HashMap, Host, Key, Source, Text, Tree, Value},
};

/// A value, as much of it as has arrived.
#[derive(Debug)]
pub(crate) enum Grown<H: Host> {
    /// A text.
    Words(Words<H>),
    /// An array.
    List(Vec<Grown<H>>),
    /// An object.
    Map(Fields<H>),
    /// A value that cannot grow.
    Whole(Value<H>),
}

/// Keys with a fixed text, which may be repeated and never grows.
const FIXED: &[&str] = &["type", "id", "index", "format", "role", "name"];

impl<H: Host> Grown<H> {
    /// Begins with a piece.
    pub(crate) fn of(value: Value<H>) -> Self {
        match value {
            Value::Text(text) => Self::Words(Words::of(text)),
            Value::List(items) => Self::List(items.iter().map(|item| Self::of(item.share())).collect()),
            Value::Map(entries) => {
                let mut fields = Fields::default();
                fields.grow_each(&entries);
                Self::Map(fields)
            }
            whole => Self::Whole(whole),
        }
    }

    /// Takes another piece. `null` is ignored. A value that cannot grow is replaced, but a text or a list stays.
    pub(crate) fn grow(&mut self, value: Value<H>) {
        match (self, value) {
            (_, Value::Null) => {}
            (Self::Words(words), Value::Text(piece)) => words.push(&piece, None),
            (Self::List(items), Value::List(more)) => {
                for item in more.iter() {
                    add(items, item.share());
                }
            }
            (Self::Map(fields), Value::Map(entries)) => fields.grow_each(&entries),
            (mine @ (Self::Words(_) | Self::List(_)), _) if !mine.is_empty() => {}
            (mine, other) => *mine = Self::of(other),
        }
    }

    /// Puts a value at the end of a path, and creates missing keys and items on the way. An index beyond the end of a
    /// list appends. `change` gets the value at that path, or an empty one.
    pub(crate) fn put(&mut self, way: &[Step], change: impl FnOnce(&mut Self)) {
        let Some((step, rest)) = way.split_first() else { return change(self) };
        let index = match step {
            Step::Index(index) => *index,
            Step::Key(key) => return self.put_under(&Text::own(key), rest, change),
            Step::Name(key) => return self.put_under(&Text::own(key), rest, change),
        };
        if !matches!(self, Self::List(_)) {
            *self = Self::List(Vec::new());
        }
        if let Self::List(items) = self {
            if index >= items.len() {
                items.push(Self::Whole(Value::Null));
            }
            let last = items.len() - 1;
            items[last.min(index)].put(rest, change);
        }
    }

    fn put_under(&mut self, key: &Text<H>, rest: &[Step], change: impl FnOnce(&mut Self)) {
        if !matches!(self, Self::Map(_)) {
            *self = Self::Map(Fields::default());
        }
        if let Self::Map(fields) = self {
            fields.at(key).put(rest, change);
        }
    }

    /// Whether it is empty: a text without characters, a list without items, or `null`.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Words(words) => words.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Map(_) => false,
            Self::Whole(value) => matches!(value, Value::Null),
        }
    }

    /// All that has arrived.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        Ok(match self {
            Self::Words(words) => words.value()?,
            Self::List(items) => Value::List(items.iter().map(Self::value).collect::<Result<_, _>>()?),
            Self::Map(fields) => fields.value()?,
            Self::Whole(value) => value.share(),
        })
    }

    /// Whether a part continues this one: both are text, or both are thinking, and none of it would be lost.
    fn goes_on(&self, next: &Self) -> bool {
        let (Self::Map(mine), Self::Map(next)) = (self, next) else { return false };
        [&k::TEXT, &k::THINKING].into_iter().any(|kind| {
            let is = |fields: &Fields<H>| fields.word(&k::TYPE).is_some_and(|word| word.is(kind.name, None));
            let form = |fields: &Fields<H>| {
                fields.get(kind.name).filter(|value| !value.is_empty()).map(std::mem::discriminant)
            };
            is(mine) && is(next) && form(mine).zip(form(next)).is_none_or(|(mine, next)| mine == next)
        })
    }
}

/// Adds an item to a list. Text parts in a row become one.
pub(crate) fn add<H: Host>(items: &mut Vec<Grown<H>>, item: Value<H>) {
    let new = Grown::of(item.share());
    match items.last_mut() {
        Some(last) if last.goes_on(&new) => last.grow(item),
        _ => items.push(new),
    }
}

/// The entries of an object, in the order in which their keys first arrived.
#[derive(Debug)]
pub(crate) struct Fields<H: Host> {
    entries: Vec<(Text<H>, Grown<H>)>,
    /// The index of each key, once there are too many to compare.
    places: HashMap<Vec<u8>, usize>,
}

impl<H: Host> Default for Fields<H> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: HashMap::default() }
    }
}

/// Up to this many keys are compared one by one. Hardly any object has more.
const FEW: usize = 16;

impl<H: Host> Fields<H> {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Grown<H>> {
        Some(&self.entries[self.find(key.as_bytes())?].1)
    }

    /// The text of a key that never grows.
    pub(crate) fn word(&self, key: &Key) -> Option<&Text<H>> {
        match self.get(key.name)? {
            Grown::Whole(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether an object has the same text under a key that names it.
    pub(crate) fn names<S: Source>(&self, node: &S, key: &'static Key) -> bool {
        let named = || node.get(key)?.text().map(|name| name.wtf8(node.input()).into_owned());
        self.word(key).is_some_and(|own| !own.is_empty() && named().is_some_and(|name| name == *own.wtf8(None)))
    }

    /// The value of a key, to be changed. A new key gets an empty one.
    pub(crate) fn at(&mut self, key: &Text<H>) -> &mut Grown<H> {
        let bytes = key.wtf8(None);
        let place = self.find(&bytes).unwrap_or_else(|| {
            if self.entries.len() >= FEW {
                if self.places.is_empty() {
                    let known = self.entries.iter().enumerate();
                    self.places = known.map(|(at, (key, _))| (key.wtf8(None).into_owned(), at)).collect();
                }
                self.places.insert(bytes.into_owned(), self.entries.len());
            }
            self.entries.push((key.share(), Grown::Whole(Value::Null)));
            self.entries.len() - 1
        });
        &mut self.entries[place].1
    }

    fn find(&self, key: &[u8]) -> Option<usize> {
        if !self.places.is_empty() {
            return self.places.get(key).copied();
        }
        self.entries.iter().position(|(name, _)| *name.wtf8(None) == *key)
    }

    /// Appends a piece to a key's value.
    pub(crate) fn grow(&mut self, key: &Text<H>, value: Value<H>) {
        let fixed = FIXED.iter().any(|word| key.is(word, None));
        if fixed { self.set(key, value) } else { self.at(key).grow(value) }
    }

    /// Appends the pieces of an object. Of a repeated key, the last one counts.
    fn grow_each(&mut self, entries: &[(Text<H>, Value<H>)]) {
        let last: HashMap<_, _> = match entries.len() {
            0..=FEW => HashMap::default(),
            _ => entries.iter().enumerate().map(|(at, (key, _))| (key.wtf8(None), at)).collect(),
        };
        for (at, (key, value)) in entries.iter().enumerate() {
            let again = match last.get(&*key.wtf8(None)) {
                Some(last) => *last > at,
                None => entries[at + 1..].iter().any(|(later, _)| later.same(key)),
            };
            if !again {
                self.grow(key, value.share());
            }
        }
    }

    /// Sets the value of a key. `null` is ignored.
    pub(crate) fn set(&mut self, key: &Text<H>, value: Value<H>) {
        let place = self.at(key);
        if !matches!(value, Value::Null) {
            *place = Grown::Whole(value);
        }
    }

    /// Every entry that is not empty.
    pub(crate) fn said(&self) -> impl Iterator<Item = (&Text<H>, &Grown<H>)> {
        self.entries.iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value))
    }

    /// All that has arrived, `null` included.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        let entries = self.entries.iter().map(|(key, value)| Ok((key.share(), value.value()?)));
        Ok(Value::Map(entries.collect::<Result<_, Error>>()?))
    }
}

/// A list whose items arrive in pieces, each with its item's number and perhaps a type.
#[derive(Debug)]
pub(crate) struct Numbered<H: Host> {
    items: Vec<Grown<H>>,
    places: HashMap<(u64, Vec<u8>), usize>,
}

impl<H: Host> Default for Numbered<H> {
    fn default() -> Self {
        Self { items: Vec::new(), places: HashMap::default() }
    }
}

impl<H: Host> Numbered<H> {
    /// Takes a list of pieces, or one. `grows`: whether a piece is appended to its item; otherwise it replaces the
    /// item.
    pub(crate) fn take(&mut self, pieces: &Value<H>, grows: bool) {
        let Value::List(pieces) = pieces else { return self.add(pieces.share()) };
        for piece in pieces.iter() {
            match self.place_of(piece) {
                Some(place) if grows => self.items[place].grow(piece.share()),
                Some(place) => self.items[place] = Grown::of(piece.share()),
                None => self.add(piece.share()),
            }
        }
    }

    fn add(&mut self, piece: Value<H>) {
        if let Some(key) = number_of(&piece) {
            self.places.insert(key, self.items.len());
        }
        self.items.push(Grown::of(piece));
    }

    fn place_of(&self, piece: &Value<H>) -> Option<usize> {
        self.places.get(&number_of(piece)?).copied()
    }

    /// Every item, in the order in which they began.
    pub(crate) fn items(&self) -> &[Grown<H>] {
        &self.items
    }
}

/// The number of a piece, and its type.
fn number_of<H: Host>(piece: &Value<H>) -> Option<(u64, Vec<u8>)> {
    let Value::Map(entries) = piece else { return None };
    let of = |name: &str| entries.iter().rev().find(|(key, _)| key.is(name, None)).map(|(_, value)| value);
    let kind = match of("type") {
        Some(Value::Text(kind)) => kind.wtf8(None).into_owned(),
        _ => Vec::new(),
    };
    Some((Tree(of("index")?).count()?, kind))
}
