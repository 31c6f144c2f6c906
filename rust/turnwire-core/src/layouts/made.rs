//! Writes what is read from a record as JSON, and keeps from where in the record each piece of it is.

use std::borrow::Cow;

use super::at::At;
use crate::{
    detect::Reading,
    report::{Error, Losses, Path, Step, loss::LossCode},
    rules::DialectId,
    value::{Host, Input, NoHost, Source, Text, json::encode},
};

/// What was read from a record.
#[derive(Debug)]
pub struct Made {
    /// Its JSON.
    pub json: Input,
    /// Its form.
    pub form: Form,
    /// What the record says and the messages cannot hold: the path in the record, and why.
    lost: Vec<Lost>,
    places: Vec<Placed>,
}

type Lost = (LossCode, Path, Cow<'static, str>);

/// The form of what was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A payload of `otel`.
    Whole,
    /// A payload of `otel` whose messages may be in other dialects.
    Mixed,
    /// A row with a prompt and two answers.
    TwoAnswers,
}

/// From where in the record a piece is.
#[derive(Debug)]
struct Placed {
    /// Its place in the JSON.
    made: Vec<Step>,
    record: Path,
    /// Whether it is the record's own value, so that deeper paths go on in it.
    is_same: bool,
}

/// The dialect of what is made.
const OTEL: &str = "otel";

impl Made {
    /// How to read it, for this target.
    pub fn reading(&self, likely: Option<DialectId>) -> Result<Reading, Error> {
        let otel = DialectId::named(OTEL)?;
        Ok(if self.form == Form::Mixed { Reading::Framed(otel, likely) } else { Reading::As(otel) })
    }

    /// Reports what is lost.
    pub fn report(&self, losses: &mut Losses) -> Result<(), Error> {
        self.lost.iter().cloned().try_for_each(|(code, path, reason)| losses.lost(code, path, reason))
    }

    /// The path in the record of a path in the JSON: that of the smallest piece around it.
    pub(super) fn place(&self, path: &Path) -> Path {
        let steps: Vec<_> = path.steps().collect();
        let around = self.places.iter().filter(|one| steps.starts_with(&one.made));
        match around.max_by_key(|one| one.made.len()) {
            Some(one) if one.is_same => Path::of(one.record.steps().chain(steps.into_iter().skip(one.made.len()))),
            Some(one) => one.record.clone(),
            None => Path::default(),
        }
    }
}

/// Writes JSON.
pub(super) struct Writer {
    json: Vec<u8>,
    /// Whether a comma stands before the next value.
    comma: bool,
    /// The key of the list that is open, and the number of messages in it and of parts in the last one.
    list: &'static str,
    messages: usize,
    parts: usize,
    lost: Vec<Lost>,
    places: Option<Vec<Placed>>,
}

impl Writer {
    /// Keeps no places.
    pub(super) fn new() -> Self {
        Self { json: Vec::new(), comma: false, list: "", messages: 0, parts: 0, lost: Vec::new(), places: None }
    }

    /// Keeps the place of each piece.
    pub(super) fn with_places() -> Self {
        Self { places: Some(Vec::new()), ..Self::new() }
    }

    pub(super) fn made(&mut self, form: Form) -> Made {
        let json = Input::new(std::mem::take(&mut self.json));
        let lost = std::mem::take(&mut self.lost);
        Made { json, form, lost, places: self.places.take().unwrap_or_default() }
    }

    /// Keeps what the messages cannot hold.
    #[cold]
    pub(super) fn lost(&mut self, code: LossCode, at: &At<'_>, reason: impl Into<Cow<'static, str>>) {
        self.lost.push((code, at.path(), reason.into()));
    }

    fn open(&mut self, bracket: u8) {
        self.separate();
        self.json.push(bracket);
        self.comma = false;
    }

    fn close(&mut self, bracket: u8) {
        self.json.push(bracket);
        self.comma = true;
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.comma, true) {
            self.json.push(b',');
        }
    }

    pub(super) fn open_map(&mut self) {
        self.open(b'{');
    }

    pub(super) fn close_map(&mut self) {
        self.close(b'}');
    }

    fn key(&mut self, name: &str) {
        self.separate();
        encode::text::<NoHost>(&Text::own(name), None, &mut self.json);
        self.json.push(b':');
        self.comma = false;
    }

    fn word(&mut self, key: &str, word: &str) {
        self.key(key);
        encode::text::<NoHost>(&Text::own(word), None, &mut self.json);
        self.comma = true;
    }

    /// Keeps from where a piece is.
    fn note(&mut self, made: impl FnOnce(&Self) -> Vec<Step>, at: &At<'_>, is_same: bool) {
        if self.places.is_some() {
            let made = made(self);
            self.places.iter_mut().for_each(|all| all.push(Placed { made: made.clone(), record: at.path(), is_same }));
        }
    }

    /// Writes a value of the record unchanged, under its key.
    pub(super) fn same<S: Source>(&mut self, name: &str, value: &S, at: &At<'_>) -> Result<(), Error> {
        self.note(|_| vec![Step::Name(name.into())], at, true);
        self.key(name);
        self.raw(value)
    }

    fn raw<S: Source>(&mut self, value: &S) -> Result<(), Error> {
        self.separate();
        encode::raw(&value.raw(), value.input(), &mut self.json).map(|_| ())
    }

    /// Begins a list of messages, or of parts that belong to no message.
    pub(super) fn open_list(&mut self, key: &'static str, at: &At<'_>) {
        (self.list, self.messages, self.parts) = (key, 0, 0);
        self.note(|_| vec![Step::Key(key)], at, false);
        self.key(key);
        self.open(b'[');
    }

    pub(super) fn close_list(&mut self) {
        self.close(b']');
    }

    /// Begins a message.
    pub(super) fn open_message(&mut self, role: &str, at: &At<'_>) {
        self.note(|to| vec![Step::Key(to.list), Step::Index(to.messages)], at, false);
        self.parts = 0;
        self.open_map();
        self.word("role", role);
        self.key("parts");
        self.open(b'[');
    }

    pub(super) fn close_message(&mut self) {
        self.close(b']');
        self.close_map();
        self.messages += 1;
    }

    /// Writes a message of the record unchanged.
    pub(super) fn message<S: Source>(&mut self, message: &S, at: &At<'_>) -> Result<(), Error> {
        self.note(|to| vec![Step::Key(to.list), Step::Index(to.messages)], at, true);
        self.messages += 1;
        self.raw(message)
    }

    /// Writes a part of text: that of all of these, with line ends between.
    pub(super) fn text<'x, H: Host>(
        &mut self,
        texts: impl Iterator<Item = (&'x Text<H>, Option<&'x Input>)>,
        at: &At<'_>,
    ) {
        self.note(
            |to| vec![Step::Key(to.list), Step::Index(to.messages), Step::Key("parts"), Step::Index(to.parts)],
            at,
            false,
        );
        self.part(texts);
    }

    /// [`text`](Self::text) in a list of parts that belong to no message.
    pub(super) fn system<H: Host>(&mut self, text: &Text<H>, input: Option<&Input>, at: &At<'_>) {
        self.note(|to| vec![Step::Key(to.list), Step::Index(to.parts)], at, false);
        self.part([(text, input)].into_iter());
    }

    fn part<'x, H: Host>(&mut self, texts: impl Iterator<Item = (&'x Text<H>, Option<&'x Input>)>) {
        self.parts += 1;
        self.open_map();
        self.word("type", "text");
        self.key("content");
        self.json.push(b'"');
        for (at, (text, input)) in texts.enumerate() {
            if at > 0 {
                self.json.extend_from_slice(b"\\n");
            }
            encode::body(text, input, &mut self.json);
        }
        self.json.push(b'"');
        self.comma = true;
        self.close_map();
    }
}
