//! Assembles one block of a streamed Converse reply.

use super::super::keys as k;
use crate::{
    model::{Args, Event},
    report::Error,
    value::{
        ArgsState, Host, Key, Raw, Source, Text, Tree, Value,
        json::read::{args_state, value},
    },
    wire::stream::{Blob, Flow, Map, Told, Words, calls::args_text, whole::changed},
};

/// The kind of a block's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    /// Text, with its citations.
    Text,
    /// A call of the caller's tools or the service's own.
    Call,
    /// A result of the service's own call.
    Result,
    /// Reasoning, with its signature.
    Thought,
    /// Reasoning that only the service can read.
    Redacted,
    /// An image.
    Image,
}

impl Sort {
    /// All kinds.
    pub(crate) const ALL: [Self; 6] =
        [Self::Text, Self::Call, Self::Result, Self::Thought, Self::Redacted, Self::Image];
    /// The kinds with a start event.
    pub(crate) const STARTED: [Self; 3] = [Self::Call, Self::Result, Self::Image];

    /// The key of such a block.
    pub(crate) fn key(self) -> &'static Key {
        match self {
            Self::Text => &k::TEXT,
            Self::Call => &k::TOOL_USE,
            Self::Result => &k::TOOL_RESULT,
            Self::Thought | Self::Redacted => &k::REASONING_CONTENT,
            Self::Image => &k::IMAGE,
        }
    }
}

/// A block.
pub(crate) struct Block<H: Host> {
    /// Its number.
    pub(crate) index: u64,
    sort: Sort,
    /// Its start event.
    begun: Value<H>,
    /// Its text: of an answer, of reasoning, or of the input of a call.
    pub(crate) text: Words<H>,
    pub(crate) signature: Words<H>,
    pub(crate) blob: Blob<H>,
    /// Its citations, or the blocks of a result.
    pub(crate) list: Vec<Value<H>>,
    pub(crate) stopped: bool,
    /// Whether the call, or the signature, has been reported.
    told: bool,
    /// How much of the call was reported to a reader of full events.
    flow: Flow,
}

impl<H: Host> Block<H> {
    pub(crate) fn new(index: u64, sort: Sort, begun: Option<Value<H>>) -> Self {
        Self {
            index,
            sort,
            begun: begun.unwrap_or_else(|| Map::default().value()),
            text: Words::default(),
            signature: Words::default(),
            blob: Blob::default(),
            list: Vec::new(),
            stopped: false,
            told: false,
            flow: Flow::default(),
        }
    }

    /// Whether it is a call of the caller's tools.
    fn is_call(&self) -> bool {
        let kind = Tree(&self.begun).get(&k::TYPE);
        self.sort == Sort::Call && kind.as_ref().and_then(Source::word).is_none_or(|kind| kind == "tool_use")
    }

    /// Whether another start event has the id of this block's.
    pub(crate) fn is(&self, begun: &Value<H>) -> bool {
        let id = |begun| Tree(begun).get(&k::TOOL_USE_ID).and_then(|id| id.text());
        id(&self.begun).zip(id(begun)).is_some_and(|(own, other)| !own.is_empty() && own.same(&other))
    }

    /// Begins the call for a reader of full events.
    pub(crate) fn begin(&mut self, out: &mut Told<H>) {
        let word = |key: &'static Key| Tree(&self.begun).get(key).and_then(|word| word.text());
        if let Some(name) = word(&k::NAME).filter(|_| out.is_full() && self.is_call()) {
            self.flow.begin(word(&k::TOOL_USE_ID).as_ref(), &name, false, out);
        }
    }

    /// Appends to the input of a call.
    pub(crate) fn grow(&mut self, piece: &Text<H>, out: &mut Told<H>) -> Result<(), Error> {
        self.text.push(piece, None);
        if out.is_full() { self.flow.grow(&self.text.bytes(), out) } else { Ok(()) }
    }

    /// Reports the signature of reasoning, which may come in pieces, to a reader of full events.
    pub(crate) fn sign(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if out.is_full() && self.sort == Sort::Thought && !self.told && !self.signature.is_empty() {
            self.told = true;
            let signature = self.signature.text()?;
            out.sign(|| Some(signature));
        }
        Ok(())
    }

    /// Ends the call for a reader of full events. Without pieces, its start event has the whole input.
    pub(crate) fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if out.is_full()
            && self.text.is_empty()
            && let Some(input) = Tree(&self.begun).get(&k::INPUT)
        {
            self.flow.grow(&args_text(input.0)?.map_or_else(Vec::new, |text| text.wtf8(None).into_owned()), out)?;
        }
        self.flow.end(out);
        Ok(())
    }

    /// Whether any input of a call has arrived.
    pub(crate) fn has_input(&self) -> bool {
        !self.text.is_empty()
    }

    /// Appends to a result: a text piece continues the last text.
    pub(crate) fn result(&mut self, more: &[Value<H>]) -> Result<(), Error> {
        let text = |block: &Value<H>| match block {
            Value::Map(entries) if entries.len() == 1 => Tree(block).get(&k::TEXT).and_then(|text| text.text()),
            _ => None,
        };
        for block in more {
            if let Some(piece) = text(block) {
                self.text.push(&piece, None);
            } else {
                self.close_text()?;
                self.list.push(block.share());
            }
        }
        Ok(())
    }

    /// Adds the keys of an image beside its bytes: its location, or its error.
    pub(crate) fn add(&mut self, image: &Value<H>) {
        let mut whole = Map::default();
        whole.rest(&self.begun);
        whole.rest(image);
        self.begun = whole.value();
    }

    /// Ends the text of a result when another block follows.
    fn close_text(&mut self) -> Result<(), Error> {
        if !self.text.is_empty() {
            self.list.push(one(&k::TEXT, std::mem::take(&mut self.text).value()?));
        }
        Ok(())
    }

    /// The input: pieces win over the start event, and text that is not an object stays text.
    fn input(&self) -> Result<Value<H>, Error> {
        let text = self.text.bytes();
        if text.trim_ascii().is_empty() {
            let begun = Tree(&self.begun).get(&k::INPUT);
            return Ok(begun.map_or_else(|| Map::default().value(), |input| input.0.share()));
        }
        match value(&text) {
            Ok(object @ Value::Map(_)) => Ok(object),
            _ => self.text.value(),
        }
    }

    /// Reports a call of the caller's tools once it is complete. `all`: whether a call without input counts as
    /// complete.
    pub(crate) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        if self.told || !self.stopped || !self.is_call() {
            return Ok(());
        }
        let begun = Tree(&self.begun);
        let word = |key: &'static Key| begun.get(key).and_then(|word| word.text());
        let Some(name) = word(&k::NAME) else { return Ok(()) };
        let args = match self.input()? {
            Value::Text(text) if args_state(&text.wtf8(None)) == ArgsState::Object => Args::Text(text),
            Value::Map(entries) if all || !entries.is_empty() || self.has_input() => {
                Args::Value(Raw::Tree(Value::Map(entries)))
            }
            _ => return Ok(()),
        };
        out.push(Event::Call { id: word(&k::TOOL_USE_ID), name, args, namespace: None, form: None });
        self.told = true;
        Ok(())
    }

    /// Adds the block as the service would have sent it in a whole reply. If its bytes cannot be joined, adds several.
    pub(crate) fn write(&mut self, out: &mut Vec<Value<H>>) -> Result<(), Error> {
        let key = self.sort.key();
        match self.sort {
            Sort::Text if self.list.is_empty() => out.push(one(&k::TEXT, self.text.value()?)),
            Sort::Text => {
                let mut cited = Map::default();
                cited.put(&k::CONTENT, Value::List([one(&k::TEXT, self.text.value()?)].into()));
                cited.put(&k::CITATIONS, Value::List(self.list.iter().map(Value::share).collect()));
                out.push(one(&k::CITATIONS_CONTENT, cited.value()));
            }
            Sort::Call => out.push(one(key, changed(&self.begun, vec![(&k::INPUT, self.input()?)]))),
            Sort::Result => {
                self.close_text()?;
                let content = Value::List(self.list.iter().map(Value::share).collect());
                out.push(one(key, changed(&self.begun, vec![(&k::CONTENT, content)])));
            }
            Sort::Thought => {
                let mut thought = Map::default();
                thought.put(&k::TEXT, self.text.value()?);
                if !self.signature.is_empty() {
                    thought.put(&k::SIGNATURE, self.signature.value()?);
                }
                out.push(one(key, one(&k::REASONING_TEXT, thought.value())));
            }
            Sort::Redacted => {
                let blocks = self.bytes()?.into_iter();
                out.extend(blocks.map(|bytes| one(key, one(&k::REDACTED_CONTENT, bytes))));
            }
            Sort::Image => {
                let images = self.bytes()?;
                if images.is_empty() {
                    out.push(one(key, self.begun.share()));
                }
                let image = |bytes| changed(&self.begun, vec![(&k::SOURCE, one(&k::BYTES, bytes))]);
                out.extend(images.into_iter().map(|bytes| one(key, image(bytes))));
            }
        }
        Ok(())
    }

    fn bytes(&self) -> Result<Vec<Value<H>>, Error> {
        if self.blob.is_empty() {
            return Ok(Vec::new());
        }
        Ok(match self.blob.value()? {
            Some(whole) => vec![whole],
            None => self.blob.pieces().iter().map(Value::share).collect(),
        })
    }
}

/// An object with one key.
fn one<H: Host>(key: &'static Key, value: Value<H>) -> Value<H> {
    let mut block = Map::default();
    block.put(key, value);
    block.value()
}
