//! Assembles the calls of a streamed message: in pieces, whole, or under the legacy key.

use super::super::keys as k;
use crate::{
    dialects::chat::hooks::Chat,
    model::{Args, Event},
    report::{Error, Trail},
    value::{Host, NodeKind, Raw, Source, Text, Value},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Calls, Flow, Map, Told,
            calls::{self, Piece, args_text},
            whole::{kept, word},
        },
    },
};

pub(crate) struct CallsOf<H: Host> {
    by_pieces: Calls<H>,
    /// The only call under the legacy key, without an id.
    legacy: Calls<H>,
    /// The unchanged calls, if each arrives whole with its arguments as an object. They may lack an id.
    as_they_came: Option<Vec<Value<H>>>,
}

impl<H: Host> CallsOf<H> {
    pub(crate) fn new<D: Chat>() -> Self {
        let as_they_came = D::MEMBER.whole_calls.then(Vec::new);
        Self { by_pieces: Calls::new(true), legacy: Calls::new(false), as_they_came }
    }

    /// Whether there are no calls other than the legacy key's.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_pieces.list().is_empty()
    }

    /// Whether the arguments of all of them have come to their end.
    pub(crate) fn are_whole(&self) -> bool {
        self.by_pieces.list().iter().chain(self.legacy.list()).all(calls::Call::is_whole)
    }

    pub(crate) fn has_legacy(&self) -> bool {
        !self.legacy.list().is_empty()
    }

    /// Takes pieces of calls. `index`: the call's index, if the object around the piece has it.
    pub(crate) fn take<S: Source<H = H>>(
        &mut self,
        calls: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        match calls.kind() {
            NodeKind::List => {
                calls.items().enumerate().try_for_each(|(item, call)| self.call(&call, None, &at.index(item), out))
            }
            NodeKind::Map => self.call(calls, index, at, out),
            _ => Err(wrong_type("a list", calls, at)),
        }
    }

    /// Takes a piece of the call under the legacy key.
    pub(crate) fn legacy<S: Source<H = H>>(
        &mut self,
        function: &S,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(function, at)?;
        let name = keys.text(&k::NAME)?.map(|name| name.detached(function.input()));
        let args = given(keys.some(&k::ARGUMENTS))?;
        let piece = Piece { index: Some(0), id: None, name, args, custom: false };
        if piece.says_nothing() { Ok(()) } else { self.legacy.take(piece, out).map(|_| ()) }
    }

    /// Takes a piece of a call. `index`: the call's index, if the object around the piece has it.
    fn call<S: Source<H = H>>(
        &mut self,
        call: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        if self.as_they_came.is_some() {
            return self.whole_call(call, at, out);
        }
        let mut keys = Keys::of(call, at)?;
        let input = call.input();
        let index = keys.some(&k::INDEX).as_ref().and_then(Source::count).or(index);
        let id = keys.text(&k::ID)?.map(|id| id.detached(input));
        let kind = keys.some(&k::TYPE).and_then(|kind| kind.word().map(|word| word == k::CUSTOM.name));
        let (custom, inner) = match keys.some(&k::CUSTOM) {
            Some(inner) => (true, Some(inner)),
            None => (kind.unwrap_or(false), keys.some(&k::FUNCTION)),
        };
        let inner_at = at.key(if custom { k::CUSTOM.name } else { k::FUNCTION.name });
        let (mut name, mut args, mut others) = (None, None, None);
        if let Some(inner) = &inner {
            let mut keys = Keys::of(inner, &inner_at)?;
            name = keys.text(&k::NAME)?.map(|name| name.detached(input));
            args = given(keys.some(if custom { &k::INPUT } else { &k::ARGUMENTS }))?;
            others = keys.extras();
        }
        let extras = keys.extras();
        let piece = Piece { index, id, name, args, custom };
        if piece.says_nothing() && extras.is_none() && others.is_none() {
            return Ok(());
        }
        let call = self.by_pieces.take(piece, out)?;
        for (key, value) in extras.into_iter().flat_map(|extras| *extras) {
            call.fields.set(&key.detach(input), value.to_value(input)?);
        }
        for (key, value) in others.into_iter().flat_map(|others| *others) {
            call.inner.set(&key.detach(input), value.to_value(input)?);
        }
        Ok(())
    }

    fn whole_call<S: Source<H = H>>(&mut self, call: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(call, at)?;
        let input = call.input();
        let function = keys.needed(&k::FUNCTION)?;
        let at = at.key(k::FUNCTION.name);
        let mut inner = Keys::of(&function, &at)?;
        let name = inner.needed_text(&k::NAME)?.detach(input);
        let id = keys.text(&k::ID)?.map(|id| id.detached(input)).filter(|id| !id.is_empty());
        let args = inner.some(&k::ARGUMENTS).map(|args| args.raw().to_value(input)).transpose()?;
        let whole = call.raw().to_value(input)?;
        if id.is_some() && self.as_they_came.iter().flatten().any(|other| other.same(&whole)) {
            // One that comes twice is no other call.
            return Ok(());
        }
        let mut flow = Flow::default();
        flow.begin(id.as_ref(), &name, false, out);
        if let Some(args) = args.as_ref().filter(|_| out.is_full())
            && let Some(json) = args_text(args)?
        {
            flow.grow(&json.wtf8(None), out)?;
        }
        flow.end(out);
        if let Some(args @ Value::Map(_)) = args {
            out.push(Event::Call { id, name, args: Args::Value(Raw::Tree(args)), namespace: None, form: None });
        }
        if let Some(calls) = &mut self.as_they_came {
            calls.push(whole);
        }
        Ok(())
    }

    /// Ends the calls. `cut`: the reply ended early.
    pub(crate) fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<(), Error> {
        // The legacy key holds one call, but some servers send several there.
        if self.legacy.list().len() > 1 {
            self.by_pieces.append(&mut self.legacy);
        }
        self.by_pieces.finish(cut, out)?;
        self.legacy.finish(cut, out)
    }

    /// The calls in the form of a whole message, if there are any.
    pub(crate) fn whole(&self) -> Result<Option<Value<H>>, Error> {
        if let Some(whole) = self.as_they_came.as_ref().filter(|whole| !whole.is_empty()) {
            return Ok(Some(Value::List(whole.iter().map(Value::share).collect())));
        }
        if self.by_pieces.list().is_empty() {
            return Ok(None);
        }
        let mut calls = Vec::new();
        for call in self.by_pieces.list() {
            let (kind, args) = if call.custom { (&k::CUSTOM, &k::INPUT) } else { (&k::FUNCTION, &k::ARGUMENTS) };
            let mut inner = Map::default();
            inner.put(&k::NAME, Value::Text(call.name()?));
            inner.put(args, Value::Text(call.args()?));
            inner.fields(&call.inner)?;
            let mut whole = Map::default();
            whole.put(&k::ID, call.id.as_ref().map_or(Value::Null, |id| Value::Text(id.share())));
            whole.put(&k::TYPE, word(kind));
            whole.put(kind, inner.value());
            whole.fields(&call.fields)?;
            calls.push(whole.value());
        }
        Ok(Some(Value::List(calls.into())))
    }

    /// The legacy key's call in the form of a whole message, if there is one.
    pub(crate) fn legacy_whole(&self) -> Result<Option<Value<H>>, Error> {
        let Some(call) = self.legacy.list().first() else { return Ok(None) };
        let mut function = Map::default();
        function.put(&k::NAME, Value::Text(call.name()?));
        function.put(&k::ARGUMENTS, Value::Text(call.args()?));
        Ok(Some(function.value()))
    }
}

/// Arguments as text, whether they are text or a value.
fn given<S: Source>(args: Option<S>) -> Result<Option<Text<S::H>>, Error> {
    match args {
        Some(args) => args_text(&kept(&args)?),
        None => Ok(None),
    }
}
