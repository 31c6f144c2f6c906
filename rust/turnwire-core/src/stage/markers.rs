//! The caller's own markers: what stands in a result where it was cut, for a model that can read the rest elsewhere.

use std::{
    cell::RefCell,
    collections::{BTreeMap, btree_map::Entry},
    fmt,
};

use crate::{
    model::{Call, Content, Kind, Part, ToolResult, Turn},
    prefix::hash_with,
    report::{Error, ToolNames},
    value::{HashMap, Host, Numbers, json::compact},
    wire::plan::{decide::Scope, passages},
};

/// A result that will be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The id of its call.
    pub id: String,
    /// The caller's name of the tool, if it is known.
    pub tool: Option<String>,
    /// The index of the caller's turn.
    pub index: usize,
    /// Its full content: texts and JSON values, each on its own line, and a word for each of the media.
    pub text: String,
    /// How much the budget leaves for it, marker included, in the unit of the budget.
    pub room: usize,
}

/// The caller's function that names the marker of a result. `None` leaves the usual one. Its errors end the build.
pub type NameMarker<'a> = dyn Fn(&Shortened) -> Result<Option<String>, Error> + 'a;

/// A marker that was asked for before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The id of the call.
    pub id: String,
    /// A hash of the full text of its result.
    pub sum: u64,
    /// The caller's own marker, if there is one.
    pub words: Option<String>,
}

/// The caller's own marker of a result. `None`: the caller leaves the usual one.
pub(super) struct OwnMarker(pub(super) Option<String>);

struct Known {
    sum: u64,
    words: Option<String>,
    /// Whether a build has used it.
    used: bool,
}

/// The caller's own markers. Each is asked for once, however many builds one request needs.
pub struct Markers<'a> {
    ask: Option<&'a NameMarker<'a>>,
    known: RefCell<BTreeMap<String, Known>>,
}

impl<'a> Markers<'a> {
    /// Markers of which none is known yet.
    #[must_use]
    pub fn new(ask: Option<&'a NameMarker<'a>>) -> Self {
        Self::remembered(ask, &[])
    }

    /// Markers of which some were asked for in earlier requests.
    pub(crate) fn remembered(ask: Option<&'a NameMarker<'a>>, markers: &[Marker]) -> Self {
        let known = |one: &Marker| (one.id.clone(), Known { sum: one.sum, words: one.words.clone(), used: false });
        Self { ask, known: RefCell::new(markers.iter().map(known).collect()) }
    }

    /// The markers that builds have used.
    pub(crate) fn used(&self) -> Vec<Marker> {
        let known = self.known.borrow();
        let used = known.iter().filter(|(_, one)| one.used);
        used.map(|(id, one)| Marker { id: id.clone(), sum: one.sum, words: one.words.clone() }).collect()
    }

    /// Whether the caller has a function for markers.
    pub(crate) fn asks(&self) -> bool {
        self.ask.is_some()
    }

    /// Whether no result has a marker of its own.
    pub(super) fn is_idle(&self) -> bool {
        self.ask.is_none() && self.known.borrow().is_empty()
    }

    /// What was asked for before, for a result with this full text.
    pub(super) fn recalled(&self, id: &str, text: impl FnOnce() -> String) -> Option<OwnMarker> {
        let mut known = self.known.borrow_mut();
        let one = known.get_mut(id)?;
        if one.sum != hash_with(0, text().as_bytes()) {
            return None;
        }
        one.used = true;
        Some(OwnMarker(one.words.clone()))
    }

    /// The marker of a result. Asks the caller for it, unless it is known.
    pub(crate) fn of(&self, cut: &Shortened) -> Result<Option<String>, Error> {
        if let Some(OwnMarker(known)) = self.recalled(&cut.id, || cut.text.clone()) {
            return Ok(known);
        }
        let Some(ask) = self.ask else { return Ok(None) };
        // The caller's function may start a build of its own, so nothing is borrowed here.
        let words = ask(cut)?;
        let new = Known { sum: hash_with(0, cut.text.as_bytes()), words: words.clone(), used: true };
        match self.known.borrow_mut().entry(cut.id.clone()) {
            Entry::Occupied(mut one) => drop(one.insert(new)),
            Entry::Vacant(place) => drop(place.insert(new)),
        }
        Ok(words)
    }
}

impl fmt::Debug for Markers<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} markers", self.known.borrow().len())
    }
}

/// The names of the tools of calls, by the ids of the calls.
pub(super) struct Tools(HashMap<String, String>);

impl Tools {
    /// The tools that these turns call. `names`: the caller's own names of renamed tools.
    pub(super) fn of<'t, H: Host>(turns: impl Iterator<Item = &'t Turn<H>>, names: &ToolNames) -> Self {
        let mut tools = HashMap::default();
        for turn in turns {
            let input = turn.input.as_ref();
            let own = |call: &Call<H>| {
                let name = call.name.to_str(input);
                names.own(&name).map_or_else(|| name.to_string(), ToString::to_string)
            };
            tools.extend(turn.calls().map(|call| (call.id.to_str(input).into_owned(), own(call))));
        }
        Self(tools)
    }

    /// A result of a turn with this index, before it is cut.
    pub(super) fn shortened<H: Host>(
        &self,
        (result, turn): (&ToolResult<H>, &Turn<H>),
        index: usize,
        room: usize,
    ) -> Shortened {
        let input = turn.input.as_ref();
        let id = result.id.to_str(input).into_owned();
        let named = || result.name.as_ref().map(|name| name.to_str(input).into_owned());
        let tool = self.0.get(&id).cloned().filter(|name| !name.is_empty()).or_else(named);
        Shortened { tool, index, text: full_text(result, turn), room, id }
    }
}

/// The full content of a result: texts and JSON values, each on its own line, and a word for each of the media.
pub(super) fn full_text<H: Host>(result: &ToolResult<H>, turn: &Turn<H>) -> String {
    match &result.content {
        Content::Absent => String::new(),
        Content::Text(text) => text.to_str(turn.input.as_ref()).into_owned(),
        Content::Blocks(blocks) => {
            blocks.iter().map(|block| words(block, Scope::of(turn))).collect::<Vec<_>>().join("\n")
        }
    }
}

fn words<H: Host>(block: &Part<H>, scope: Scope<'_>) -> String {
    let input = scope.input;
    match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) => text.to_str(input).into_owned(),
        Kind::Json(value) => {
            let mut json = Vec::new();
            // A host's value that cannot be written as JSON counts as empty.
            let _ = compact::raw(value, input, Numbers::Spelled, &mut json);
            String::from_utf8_lossy(&json).into_owned()
        }
        Kind::Opaque(_) => {
            passages::of(scope, block).map_or_else(String::new, |found| found.words().to_str(None).into_owned())
        }
        Kind::Media(media) => match media.data.plain() {
            Some(text) => text.to_str(input).into_owned(),
            None => format!("[{}]", media.class.name()),
        },
        _ => String::new(),
    }
}
