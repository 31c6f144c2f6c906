//! A sink that makes a frozen value from what is written, so that it can be put somewhere else later.

use super::{
    door::{Key, Piece, Sink},
    handle::{Host, Input, Raw, Text, Value},
    json::{
        self,
        read::{args_state, says_no_args},
    },
    node::ArgsState,
};
use crate::report::Error;

/// What was written, as frozen values. Texts stay the same handles, unless they need an input.
pub(crate) struct ValueSink<H: Host> {
    input: Option<Input>,
    open: Vec<Open<H>>,
    done: Vec<Value<H>>,
    replaced: usize,
    fault: Option<Error>,
}

/// A container that is still open.
enum Open<H: Host> {
    List(Vec<Value<H>>),
    Map(Vec<(Text<H>, Value<H>)>, Option<Text<H>>),
}

impl<H: Host> ValueSink<H> {
    pub(crate) fn new() -> Self {
        Self { input: None, open: Vec::new(), done: Vec::new(), replaced: 0, fault: None }
    }

    /// The values that were written, in order.
    pub(crate) fn into_values(self) -> Result<Vec<Value<H>>, Error> {
        self.fault.map_or(Ok(self.done), Err)
    }

    fn put(&mut self, value: Value<H>) {
        match self.open.last_mut() {
            None => self.done.push(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(entries, key)) => entries.extend(key.take().map(|key| (key, value))),
        }
    }

    fn kept(&mut self, value: Result<Value<H>, Error>) {
        match value {
            Ok(value) => self.put(value),
            Err(fault) => {
                self.fault.get_or_insert(fault);
                self.put(Value::Null);
            }
        }
    }

    fn own(&mut self, wtf8: &[u8]) {
        let text = H::text(wtf8).map(Value::Text);
        self.kept(text);
    }
}

impl<H: Host> Sink<H> for ValueSink<H> {
    fn scope(&mut self, input: Option<&Input>) {
        self.input = input.cloned();
    }
    fn open_map(&mut self) {
        self.open.push(Open::Map(Vec::new(), None));
    }
    fn open_list(&mut self) {
        self.open.push(Open::List(Vec::new()));
    }
    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::List(items)) => self.put(Value::List(items.into())),
            Some(Open::Map(entries, _)) => self.put(Value::Map(entries.into())),
            None => {}
        }
    }
    fn key(&mut self, key: &'static Key) {
        self.key_text(&Text::own(key.name));
    }
    fn key_text(&mut self, key: &Text<H>) {
        let key = key.detach(self.input.as_ref());
        if let Some(Open::Map(_, next)) = self.open.last_mut() {
            *next = Some(key);
        }
    }
    fn literal(&mut self, word: &'static Key) {
        self.put(Value::Text(Text::own(word.name)));
    }
    fn text(&mut self, text: &Text<H>) {
        let text = text.detach(self.input.as_ref());
        self.put(Value::Text(text));
    }
    fn pieces(&mut self, pieces: &[Piece<'_, H>]) {
        let mut whole = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Str(text) => whole.extend_from_slice(text.as_bytes()),
                Piece::Text(text) => whole.extend_from_slice(&text.wtf8(self.input.as_ref())),
            }
        }
        self.own(&whole);
    }
    fn bool(&mut self, value: bool) {
        self.put(Value::Bool(value));
    }
    fn null(&mut self) {
        self.put(Value::Null);
    }
    fn raw(&mut self, raw: &Raw<H>) {
        let value = raw.to_value(self.input.as_ref());
        self.kept(value);
    }
    fn raw_as_text(&mut self, raw: &Raw<H>) {
        let mut out = Vec::new();
        match json::encode::sound(raw, self.input.as_ref(), &mut out) {
            Ok(replaced) => {
                self.replaced += replaced;
                self.own(&out);
            }
            Err(fault) => self.kept(Err(fault)),
        }
    }
    fn text_as_raw(&mut self, text: &Text<H>) -> ArgsState {
        let wtf8 = text.wtf8(self.input.as_ref());
        let state = args_state(&wtf8);
        if state != ArgsState::Object || says_no_args(&wtf8) {
            self.put(Value::Map([].into()));
            return state;
        }
        // A lone surrogate has no UTF-8, and the reader accepts nothing else.
        let sound = crate::text::replace_surrogates(&wtf8).into_owned();
        self.kept(json::read::value(sound.as_bytes()));
        state
    }
    fn replaced(&self) -> usize {
        self.replaced
    }
    fn fault(&mut self) -> Option<Error> {
        self.fault.clone()
    }
}
