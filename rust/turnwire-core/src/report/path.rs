//! Places in a payload: `$.messages[3].content[0]`, for errors, losses and receipts.

use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
    sync::Arc,
};

use super::provenance::{Home, Sources};

/// One step down from a container.
#[derive(Clone, Debug)]
pub enum Step {
    /// A key that a dialect knows.
    Key(&'static str),
    /// A key that came with the data.
    Name(Arc<str>),
    /// An index in a list, from 0.
    Index(usize),
}

impl Step {
    /// The text of a key; empty for an index.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Key(key) => key,
            Self::Name(key) => key,
            Self::Index(_) => "",
        }
    }
}

/// Keys are equal if their text is, wherever it comes from.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Index(mine), Self::Index(theirs)) => mine == theirs,
            (Self::Index(_), _) | (_, Self::Index(_)) => false,
            _ => self.name() == other.name(),
        }
    }
}

impl Eq for Step {}

/// Where a part is in its turn's wire value: under a key, or in the list under a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The key of the turn's wire value, or several with dots between. `None` for a part that was not read from it.
    pub key: Option<&'static str>,
    /// The index in the list under that key. If the key is a path with `#`, it stands there.
    pub index: Option<u32>,
}

impl Place {
    /// Under a key.
    #[must_use]
    pub fn key(key: &'static str) -> Self {
        Self { key: Some(key), index: None }
    }

    /// In the list under a key.
    #[must_use]
    pub fn item(key: &'static str, index: usize) -> Self {
        Self { key: Some(key), index: Some(index as u32) }
    }

    /// Its steps from the turn's wire value. A key may itself be a path.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        let index = move || self.index.map(|index| Step::Index(index as usize));
        let step = move |key| if key == "#" { index() } else { Some(Step::Key(key)) };
        let within = self.key.is_some_and(|key| key.contains('#'));
        let keys = self.key.into_iter().flat_map(keys_of).filter_map(step);
        keys.chain(index().filter(|_| !within))
    }
}

/// The keys of a path with dots. The attributes of a trace have dots in their names.
fn keys_of(path: &'static str) -> impl Iterator<Item = &'static str> {
    let whole = path.starts_with("gen_ai.");
    path.split(move |letter| letter == '.' && !whole)
}

/// A whole path, from the payload's root.
///
/// Renderers make one for every part, and almost none is ever read. So the turn and the places inside it stay numbers
/// until the steps are needed, and such a path allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The key of the payload's list, and the index in it.
    turn: Option<(&'static str, usize)>,
    /// The element that the part was read from, if a build moved it to another turn.
    home: Home,
    /// The key of the element that holds the message, if the element is not the message itself.
    within: Option<&'static str>,
    /// The part inside the turn, and the block inside the part.
    places: [Place; 2],
    /// More steps.
    rest: Vec<Step>,
}

impl Path {
    /// The path of one key of the root.
    #[must_use]
    pub fn key(name: &'static str) -> Self {
        Self::default().then(Step::Key(name))
    }

    /// Reads a path from its spelling: `.choices[0].message`.
    #[must_use]
    pub fn written(path: &'static str) -> Self {
        let step = |word: &'static str| {
            word.strip_suffix(']').and_then(|at| at.parse().ok()).map_or(Step::Key(word), Step::Index)
        };
        Self::of(path.split(['.', '[']).filter(|word| !word.is_empty()).map(step))
    }

    /// The path of one element of the payload's list. If `list` is empty, the payload is the list.
    #[must_use]
    pub fn element(list: &'static str, index: usize) -> Self {
        Self { turn: Some((list, index)), ..Self::default() }
    }

    /// Adds the key of the element that holds the message.
    #[must_use]
    pub fn within(mut self, key: &'static str) -> Self {
        self.within = Some(key);
        self
    }

    /// The path of these steps.
    #[must_use]
    pub fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { rest: steps.into_iter().collect(), ..Self::default() }
    }

    /// Adds one step.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.rest.push(step);
        self
    }

    /// Adds a place inside the value at this path.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        match self.places.iter_mut().find(|held| **held == Place::default()).filter(|_| self.rest.is_empty()) {
            Some(free) => *free = place,
            None => self.rest.extend(place.steps()),
        }
        self
    }

    /// Adds all steps of another path.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.rest.extend(other.steps());
        self
    }

    /// Adds the home of the part that follows.
    #[must_use]
    pub(crate) fn read_from(self, home: Home) -> Self {
        Self { home, ..self }
    }

    /// The path with the home of its part for good.
    #[must_use]
    pub(crate) fn settled(self) -> Self {
        let turn = self.turn.map(|(list, index)| (list, self.home.index().unwrap_or(index)));
        Self { turn, home: Home::NONE, ..self }
    }

    /// Translates the path to the caller's indices. `origins` are the elements that each turn was made from, its own
    /// first. If a turn was made from none, the path has no index.
    #[must_use]
    pub(crate) fn seen_from(self, origins: &[Sources]) -> Self {
        let Some((list, index)) = self.turn else { return self };
        let Some(sources) = origins.get(index) else { return Self::default() };
        match self.home.among(sources).or(sources.first().copied()) {
            Some(element) => Self { turn: Some((list, element)), home: Home::NONE, ..self },
            None => Self::default(),
        }
    }

    /// Translates only the index of the turn. The home stays the caller's.
    #[must_use]
    pub(crate) fn in_turns(self, turns: &[Sources]) -> Self {
        let home = self.home;
        Self { home: Home::NONE, ..self }.seen_from(turns).read_from(home)
    }

    /// Its steps from the root.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let list = self.turn.into_iter().filter(|(list, _)| !list.is_empty()).map(|(list, _)| Step::Key(list));
        let index = self.turn.into_iter().map(|(_, index)| Step::Index(self.home.index().unwrap_or(index)));
        let element = list.chain(index).chain(self.within.map(Step::Key));
        element.chain(self.places.into_iter().flat_map(Place::steps)).chain(self.rest.iter().cloned())
    }

    /// The index of the payload's element that it is in. `None` beside the list.
    #[must_use]
    pub fn turn(&self) -> Option<usize> {
        self.turn.map(|(_, index)| self.home.index().unwrap_or(index))
    }

    /// The order of two paths: indices by number, keys by name, the shorter one first.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let order = |one: &Step, other: &Step| match (one, other) {
            (Step::Index(one), Step::Index(other)) => one.cmp(other),
            (Step::Index(_), _) => Ordering::Less,
            (_, Step::Index(_)) => Ordering::Greater,
            _ => one.name().cmp(other.name()),
        };
        self.steps()
            .zip(other.steps())
            .map(|(one, other)| order(&one, &other))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| self.steps().count().cmp(&other.steps().count()))
    }

    /// Whether it is this place, or inside of it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let mut steps = self.steps();
        other.steps().all(|step| steps.next().is_some_and(|mine| mine == step))
    }

    /// Whether it is the payload itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps().next().is_none()
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.steps().eq(other.steps())
    }
}

impl Eq for Path {}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("$")?;
        for step in self.steps() {
            match step {
                Step::Index(index) => write!(out, "[{index}]")?,
                Step::Key(key) => write_key(out, key)?,
                Step::Name(key) => write_key(out, &key)?,
            }
        }
        Ok(())
    }
}

fn write_key(out: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain {
        return write!(out, ".{key}");
    }
    out.write_str("[\"")?;
    for letter in key.chars() {
        match letter {
            '"' | '\\' => write!(out, "\\{letter}")?,
            // What cannot be seen is written as in JSON.
            _ if letter.escape_debug().len() > 2 => {
                letter.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))?;
            }
            '\0'..='\x1f' => write!(out, "\\u{:04x}", u32::from(letter))?,
            _ => out.write_char(letter)?,
        }
    }
    out.write_str("\"]")
}

/// A path while the payload is read, kept on the stack. It costs nothing until it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    step: Option<TrailStep<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum TrailStep<'a> {
    Key(&'static str),
    Name(&'a str),
    Index(usize),
}

impl<'a> Trail<'a> {
    /// The payload itself.
    pub const ROOT: Trail<'static> = Trail { parent: None, step: None };

    /// Adds a known key.
    #[must_use]
    pub fn key(&'a self, key: &'static str) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Key(key)) }
    }

    /// Adds a key of the data.
    #[must_use]
    pub fn name(&'a self, name: &'a str) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Name(name)) }
    }

    /// Adds an index.
    #[must_use]
    pub fn index(&'a self, index: usize) -> Trail<'a> {
        Trail { parent: Some(self), step: Some(TrailStep::Index(index)) }
    }

    /// The trail as a path, which can be kept.
    #[must_use]
    pub fn to_path(&self) -> Path {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(trail) = here {
            match trail.step {
                Some(TrailStep::Key(key)) => steps.push(Step::Key(key)),
                Some(TrailStep::Name(name)) => steps.push(Step::Name(name.into())),
                Some(TrailStep::Index(index)) => steps.push(Step::Index(index)),
                None => {}
            }
            here = trail.parent;
        }
        Path::of(steps.into_iter().rev())
    }
}
