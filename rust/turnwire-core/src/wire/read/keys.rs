//! Gives parsers typed access to the keys of a node, with errors that have a path, and collects the unknown keys.

use crate::{
    model::{Args, Flaw, Kind, Part, Parts, Served},
    report::{Error, Home, Place, Trail, error::Code},
    value::{Extras, Host, Input, Key, NodeKind, Source, Text, json},
};

/// No dialect knows more keys of one map than this.
const MOST: usize = 16;

/// The keys of one map. Keys that are never taken become extras.
pub(crate) struct Keys<'a, S: Source> {
    pub(crate) node: &'a S,
    pub(crate) at: &'a Trail<'a>,
    taken: [Option<&'static Key>; MOST],
    count: usize,
    len: usize,
    /// A bit for each key of `taken` that had the value `null` where a value was read.
    nulls: u16,
}

impl<'a, S: Source> Keys<'a, S> {
    /// The keys of `node`, which must be a map.
    #[inline]
    pub(crate) fn of(node: &'a S, at: &'a Trail<'a>) -> Result<Self, Error> {
        let len = node.map_len().ok_or_else(|| wrong_type("an object", node, at))?;
        Ok(Self { node, at, taken: [None; MOST], count: 0, len, nulls: 0 })
    }

    /// The value of a key, `null` included.
    #[inline]
    pub(crate) fn take(&mut self, key: &'static Key) -> Option<S> {
        // Most maps are small and well known: once all of their keys are taken, no look-up is needed.
        if !self.are_left() {
            return None;
        }
        let found = self.node.get(key)?;
        self.mark(key);
        Some(found)
    }

    #[inline]
    fn mark(&mut self, key: &'static Key) {
        // A key that does not fit the array would only be reported as an extra, never lost.
        if let Some(slot) = self.taken.get_mut(self.count) {
            *slot = Some(key);
            self.count += 1;
        }
    }

    /// The value of a key. `null` counts as absent.
    #[inline]
    pub(crate) fn some(&mut self, key: &'static Key) -> Option<S> {
        if !self.are_left() {
            return None;
        }
        let found = self.node.get(key);
        self.found(key, found)
    }

    /// The error under a key. Beside an answer, one that says nothing is none: servers send it with every reply.
    pub(crate) fn error(&mut self, key: &'static Key, is_answered: bool) -> Option<S> {
        self.some(key).filter(|error| !(is_answered && error.says_nothing()))
    }

    /// The last key that was taken is `null`.
    fn mark_null(&mut self) {
        self.nulls |= 1 << (self.count - 1);
    }

    /// The values of several keys that almost every such map has. `null` counts as absent.
    #[inline]
    pub(crate) fn some_each<const N: usize>(&mut self, keys: [&'static Key; N]) -> [Option<S>; N] {
        let mut at = keys.into_iter();
        self.look(keys).map(|found| at.next().and_then(|key| self.found(key, found)))
    }

    /// The values of several keys, `null` included. Takes none of them: see [`Self::found`].
    #[inline]
    pub(crate) fn look<const N: usize>(&self, keys: [&'static Key; N]) -> [Option<S>; N] {
        self.node.get_each(keys, self.len - self.count)
    }

    /// Takes a key whose value was found before. `null` counts as absent.
    #[inline]
    pub(crate) fn found(&mut self, key: &'static Key, found: Option<S>) -> Option<S> {
        let node = found?;
        self.mark(key);
        if node.kind() == NodeKind::Null {
            self.mark_null();
            return None;
        }
        Some(node)
    }

    /// Takes keys whose values are not read, so that they do not become extras.
    #[inline]
    pub(crate) fn pass(&mut self, keys: &[&'static Key]) {
        for key in keys {
            let _ = self.take(key);
        }
    }

    /// The flaw of a key with the value `null`, unless it is among those that may have it.
    #[inline]
    pub(crate) fn null_but(&self, nullable: &[&'static Key]) -> Option<&'static Flaw> {
        let is_null = |at: usize| self.nulls & 1 << at != 0;
        let may_be = |key: &Key| nullable.iter().any(|other| std::ptr::eq(*other, key));
        let mut taken = self.taken[..self.count].iter().flatten().enumerate();
        (self.nulls != 0 && taken.any(|(at, key)| is_null(at) && !may_be(key))).then_some(&NULL)
    }

    /// A string or `null`.
    #[inline]
    pub(crate) fn text(&mut self, key: &'static Key) -> Result<Option<Text<S::H>>, Error> {
        match self.some(key) {
            None => Ok(None),
            Some(node) => self.text_of(&node, key).map(Some),
        }
    }

    /// [`Self::found`] for a string or `null`.
    #[inline]
    pub(crate) fn found_text(&mut self, key: &'static Key, found: Option<S>) -> Result<Option<Text<S::H>>, Error> {
        self.found(key, found).map(|node| self.text_of(&node, key)).transpose()
    }

    /// The value of a key as a string, or the error for another type.
    #[inline]
    pub(crate) fn text_of(&self, node: &S, key: &'static Key) -> Result<Text<S::H>, Error> {
        node.text().ok_or_else(|| wrong_type("a string", node, &self.at.key(key.name)))
    }

    /// A required string.
    #[inline]
    pub(crate) fn needed_text(&mut self, key: &'static Key) -> Result<Text<S::H>, Error> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    /// Passes a key if it has one of these words. Any other value stays among the unknown keys.
    pub(crate) fn pass_words(&mut self, key: &'static Key, words: &[&str]) {
        if self.node.get(key).is_some_and(|node| node.word().is_some_and(|word| words.contains(&&*word))) {
            self.pass(&[key]);
        }
    }

    /// Whether a flag is set. A value of another type stays among the unknown keys.
    pub(crate) fn flag(&mut self, key: &'static Key) -> bool {
        let Some(node) = self.node.get(key) else { return false };
        if matches!(node.kind(), NodeKind::Bool | NodeKind::Null) {
            self.pass(&[key]);
        }
        node.bool() == Some(true)
    }

    /// A number of 0 or more, or `null`.
    pub(crate) fn number(&mut self, key: &'static Key) -> Result<Option<u64>, Error> {
        let Some(node) = self.some(key) else { return Ok(None) };
        let wrong = || wrong_type("a number from 0", &node, &self.at.key(key.name));
        node.count().map(Some).ok_or_else(wrong)
    }

    /// A required number of 0 or more.
    pub(crate) fn needed_number(&mut self, key: &'static Key) -> Result<u64, Error> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    /// A required value.
    #[inline]
    pub(crate) fn needed(&mut self, key: &'static Key) -> Result<S, Error> {
        self.some(key).ok_or_else(|| self.missing(key))
    }

    /// A value that is required unless `other` is true.
    pub(crate) fn needed_unless(&mut self, other: bool, key: &'static Key) -> Result<Option<S>, Error> {
        match self.some(key) {
            None if !other => Err(self.missing(key)),
            found => Ok(found),
        }
    }

    /// The error for a missing key.
    #[cold]
    #[inline(never)]
    pub(crate) fn missing(&self, key: &'static Key) -> Error {
        missing(self.node, key.name, self.at)
    }

    /// Whether there are keys that were not taken yet.
    #[inline]
    pub(crate) fn are_left(&self) -> bool {
        self.count < self.len
    }

    /// All keys that were never taken, with their values.
    #[inline]
    pub(crate) fn extras(self) -> Option<Box<Extras<S::H>>> {
        if self.are_left() { self.others() } else { None }
    }

    #[inline(never)]
    fn others(self) -> Option<Box<Extras<S::H>>> {
        let input = self.node.input();
        let extras: Extras<S::H> = self
            .node
            .entries()
            .filter(|(key, _)| !self.taken.iter().flatten().any(|taken| key.is(taken.name, input)))
            .map(|(key, value)| (key, value.raw()))
            .collect();
        (!extras.is_empty()).then(|| Box::new(extras))
    }
}

/// The error for a map without a key that it must have, or with nothing under it. It names a key that differs by one
/// mistake.
#[cold]
pub(crate) fn missing<S: Source>(node: &S, name: &str, at: &Trail<'_>) -> Error {
    let given = node.entries().find(|(key, _)| key.is(name, node.input()));
    let mut text = match given {
        Some((_, value)) => format!("expected a value of the key {name:?}, got {}", value.describe()),
        None => format!("expected the key {name:?}, got {}", found(node)),
    };
    let keys: Vec<_> = node.entries().map(|(key, _)| key.to_str(node.input()).into_owned()).collect();
    if let Some(key) = keys.iter().find(|key| is_misspelt(key, name)) {
        text = format!("{text}; got `{key}`: did you mean `{name}`?");
    }
    Error::new(Code::MissingKey, text).at(at)
}

/// Whether a key is a name with one mistake: a letter too many, too few or another one, or two letters in the wrong
/// order, or letters of the other case.
fn is_misspelt(key: &str, name: &str) -> bool {
    let (key, name): (Vec<char>, Vec<char>) = (key.chars().collect(), name.chars().collect());
    if name.len() < 3 || key == name || key.len().abs_diff(name.len()) > 1 {
        return false;
    }
    let same = key.iter().zip(&name).take_while(|(a, b)| a == b).count();
    let (left, wanted) = (&key[same..], &name[same..]);
    let rest = |list: &[char], from: usize| list.get(from..).unwrap_or_default().to_vec();
    let swapped = left.len() > 1 && wanted.len() > 1 && (left[0], left[1]) == (wanted[1], wanted[0]);
    rest(left, 1) == rest(wanted, 1)
        || rest(left, 1) == wanted
        || left == rest(wanted, 1)
        || swapped && rest(left, 2) == rest(wanted, 2)
        || key.iter().zip(&name).all(|(a, b)| a.eq_ignore_ascii_case(b)) && key.len() == name.len()
}

/// The most keys that an error names, and the most characters of each.
const NAMED: usize = 8;
const LONGEST: usize = 40;

/// A map that lacks a key, as an error describes it: by the keys that it has. So a misspelled key is in the message.
#[cold]
pub(crate) fn found<S: Source>(node: &S) -> String {
    let name = |key: &Text<S::H>| key.to_str(node.input()).chars().take(LONGEST).collect::<String>();
    let names: Vec<_> = node.entries().take(NAMED).map(|(key, _)| format!("{:?}", name(&key))).collect();
    match names.as_slice() {
        [] => "an empty object".to_owned(),
        [one] => format!("an object with the key {one}"),
        several => format!("an object with the keys {}", several.join(", ")),
    }
}

/// A key with the value `null` that must be absent instead.
pub(crate) static NULL: Flaw =
    Flaw { says: "a key is null, and the target accepts it only left out", served: Served::AsNull };

/// Arguments in their original form: text stays text, an object stays a value, absent arguments are the empty text. Any
/// other value becomes its JSON text, so that no reader takes it for an object.
pub(crate) fn args<S: Source>(node: Option<S>) -> Result<Args<S::H>, Error> {
    let Some(node) = node else { return Ok(Args::Text(Text::own(""))) };
    Ok(match node.kind() {
        NodeKind::Null => Args::Text(Text::own("")),
        NodeKind::Map => Args::Value(node.raw()),
        _ => match node.text() {
            Some(text) => Args::Text(text),
            None => Args::Text(Text::own(&json::encode::to_string(&node.raw(), node.input())?)),
        },
    })
}

/// The elements of a list, or the single value instead of one.
pub(crate) fn elements_of<S: Source>(node: &S) -> impl Iterator<Item = S> {
    let mut one = (node.kind() != NodeKind::List).then(|| node.clone());
    let mut items = node.items();
    std::iter::from_fn(move || one.take().or_else(|| items.next()))
}

/// The elements of a field that holds a list or a single object, each with its place under `key` and its path.
pub(crate) fn repeated<'a, S: Source>(
    node: &S,
    key: &'static str,
    at: &'a Trail<'a>,
) -> Result<impl Iterator<Item = (S, Place, Trail<'a>)>, Error> {
    let is_list = node.kind() == NodeKind::List;
    if !is_list && node.kind() != NodeKind::Map {
        return Err(wrong_type("a list", node, at));
    }
    let elements = elements_of(node).enumerate();
    Ok(elements.map(move |(item, element)| {
        if is_list { (element, Place::item(key, item), at.index(item)) } else { (element, Place::key(key), *at) }
    }))
}

/// Reads each item of a list into a part. A plain loop: `collect` would compile `read` several times.
pub(crate) fn each_part<S: Source>(
    list: &S,
    key: &'static str,
    at: &Trail<'_>,
    mut read: impl FnMut(&S, Place, &Trail<'_>) -> Result<Part<S::H>, Error>,
) -> Result<Parts<S::H>, Error> {
    let mut parts = Parts::new();
    for (item, one) in list.items().enumerate() {
        parts.push(read(&one, Place::item(key, item), &at.index(item))?);
    }
    Ok(parts)
}

/// Adds the unknown keys of a map inside the part, so that other formats report them.
pub(crate) fn join_extras<H: Host>(outer: &mut Option<Box<Extras<H>>>, inner: Option<Box<Extras<H>>>) {
    if let Some(inner) = inner {
        outer.get_or_insert_default().extend(*inner);
    }
}

/// A part with its own wire value.
#[inline]
pub(crate) fn placed<S: Source>(kind: Kind<S::H>, node: &S, place: Place) -> Part<S::H> {
    Part {
        kind,
        origin: Some(node.raw()),
        extras: None,
        inner: None,
        place,
        home: Home::NONE,
        flaw: None,
        touched: false,
        signed: false,
    }
}

/// The names of the keys that a map has beside the known ones, unless they are `null`.
pub(crate) fn keys_beside<S: Source>(node: &S, known: &[&'static Key]) -> Vec<Text<S::H>> {
    let is_known = |name: &Text<S::H>| known.iter().any(|key| name.is(key.name, node.input()));
    let others = node.entries().filter(|(name, value)| value.kind() != NodeKind::Null && !is_known(name));
    others.map(|(name, _)| name).collect()
}

/// Joins several texts into one. `None` if there are none.
pub(crate) fn joined<H: Host>(
    texts: &[Text<H>],
    between: &str,
    input: Option<&Input>,
) -> Result<Option<Text<H>>, Error> {
    Ok(match texts {
        [] => None,
        [one] => Some(one.share()),
        several => {
            let several: Vec<_> = several.iter().map(|text| text.wtf8(input)).collect();
            Some(H::text(&several.join(between.as_bytes()))?)
        }
    })
}

/// An error for a value of a wrong type.
#[cold]
#[inline(never)]
pub(crate) fn wrong_type<S: Source>(expected: &str, got: &S, at: &Trail<'_>) -> Error {
    Error::new(Code::WrongType, format!("expected {expected}, got {}", got.describe())).at(at)
}

/// An error for a role that the dialect does not have.
pub(crate) fn unknown_role(word: &str, known: &str, at: &Trail<'_>) -> Error {
    Error::new(Code::UnknownRole, format!("expected one of {known}, got {word:?}")).at(at)
}
