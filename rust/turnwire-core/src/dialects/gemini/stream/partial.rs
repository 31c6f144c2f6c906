//! Assembles arguments in pieces, as Vertex streams them. A JSON path says where in the arguments each piece belongs.

use super::super::keys as k;
use crate::{
    dialects::gemini::spelling::other,
    report::{Error, Step, Trail, error::Code},
    value::{Host, MAX_DEPTH, NodeKind, Source, Text, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{Fields, Grown, whole::kept},
    },
};

keys! {
    JSON_PATH = "jsonPath";
    JSON_PATH_SNAKE = "json_path";
    STRING_VALUE = "stringValue";
    STRING_VALUE_SNAKE = "string_value";
    NUMBER_VALUE = "numberValue";
    NUMBER_VALUE_SNAKE = "number_value";
    BOOL_VALUE = "boolValue";
    BOOL_VALUE_SNAKE = "bool_value";
}

/// The arguments so far.
pub(crate) struct Partial<H: Host> {
    args: Grown<H>,
    /// The path of the text that the next piece continues.
    open: Option<String>,
}

impl<H: Host> Default for Partial<H> {
    fn default() -> Self {
        Self { args: Grown::Map(Fields::default()), open: None }
    }
}

impl<H: Host> Partial<H> {
    /// Takes a list of pieces.
    pub(crate) fn take<S: Source<H = H>>(&mut self, pieces: &S, at: &Trail<'_>) -> Result<(), Error> {
        if pieces.kind() != NodeKind::List {
            return Err(wrong_type("a list", pieces, at));
        }
        pieces.items().enumerate().try_for_each(|(index, piece)| self.piece(&piece, &at.index(index)))
    }

    fn piece<S: Source<H = H>>(&mut self, piece: &S, at: &Trail<'_>) -> Result<(), Error> {
        let keys = Keys::of(piece, at)?;
        let node = other(piece, &JSON_PATH, &JSON_PATH_SNAKE).ok_or_else(|| keys.missing(&JSON_PATH))?;
        let path = node.word().map(std::borrow::Cow::into_owned);
        let at = at.key(JSON_PATH.name);
        let path = path.ok_or_else(|| wrong_type("a string", &node, &at))?;
        let way = steps(&path).ok_or_else(|| wrong_type("a JSON path", &node, &at))?;
        if way.len() > MAX_DEPTH / 2 {
            return Err(Error::new(Code::TooDeep, "a path that leads down too far").at(&at));
        }
        let goes_on = is_true(other(piece, &k::WILL_CONTINUE, &k::WILL_CONTINUE_SNAKE).as_ref());
        let went_on = self.open.as_ref() == Some(&path);
        let value = if let Some(text) = other(piece, &STRING_VALUE, &STRING_VALUE_SNAKE).filter(is_text) {
            text
        } else if let Some(value) = other(piece, &NUMBER_VALUE, &NUMBER_VALUE_SNAKE) {
            value
        } else if let Some(value) = other(piece, &BOOL_VALUE, &BOOL_VALUE_SNAKE) {
            value
        } else {
            // A piece without a value is null.
            self.args.put(&way, |place| *place = Grown::Whole(Value::Null));
            self.open = None;
            return Ok(());
        };
        let value = kept(&value)?;
        self.args.put(&way, |place| if went_on { place.grow(value) } else { *place = Grown::of(value) });
        self.open = goes_on.then_some(path);
        Ok(())
    }

    /// All of the arguments.
    pub(crate) fn value(&self) -> Result<Value<H>, Error> {
        self.args.value()
    }

    /// The arguments as JSON text without the last bracket, because they were cut off.
    pub(crate) fn cut(&self) -> Result<Value<H>, Error> {
        let mut json = Vec::new();
        crate::value::json::encode::value(&self.value()?, None, &mut json)?;
        json.pop();
        H::text(&json).map(Value::Text)
    }
}

/// Whether a flag is set.
pub(crate) fn is_true<S: Source>(flag: Option<&S>) -> bool {
    flag.and_then(Source::bool) == Some(true)
}

/// The steps of a JSON path to a single value: `$.a[0]['b']`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut way = Vec::new();
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            way.push(Step::Name(name[..end].into()));
            rest = &name[end..];
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        if let Some(quote) = inside.chars().next().filter(|first| matches!(first, '\'' | '"')) {
            let (name, behind) = inside[1..].split_once(quote)?;
            way.push(Step::Name(name.into()));
            rest = behind.strip_prefix(']')?;
        } else {
            let (index, behind) = inside.split_once(']')?;
            way.push(Step::Index(index.parse().ok()?));
            rest = behind;
        }
    }
    (!way.is_empty()).then_some(way)
}

fn is_text<S: Source>(node: &S) -> bool {
    node.kind() == NodeKind::Text
}

/// A name, or `None` if it is empty.
pub(crate) fn named<H: Host>(text: Option<Text<H>>) -> Option<Text<H>> {
    text.filter(|text| !text.is_empty())
}
