//! Assembles streamed replies of the family: of choices, `{"choices": [{"delta", "finish_reason"}], "usage"}`, or flat.

pub(super) mod calls;
mod choice;
pub(crate) mod message;

use super::keys as k;
use std::marker::PhantomData;

use self::{
    choice::{Belongs, Choice, Piece},
    message::Growing,
};
use super::{
    hooks::Chat,
    usage::{counts, usage},
};
use crate::{
    model::Finish,
    report::{Error, Trail},
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, Beside, Fields, Grown, Map, Told,
            whole::{kept, number},
        },
    },
};

keys! {
    SYSTEM_FINGERPRINT = "system_fingerprint";
    OBFUSCATION = "obfuscation";
}

/// The reply, as much of it as has arrived.
pub(crate) struct Choices<D, H: Host> {
    choice: Choice,
    /// A piece that may be another choice's.
    waiting: Option<Value<H>>,
    message: Growing<H>,
    reason: Option<Value<H>>,
    usage: Option<Value<H>>,
    error: Option<Value<H>>,
    ended: bool,
    /// The keys beside the choices, and those beside the message of the choice.
    beside: [Beside<H>; 2],
    of: PhantomData<D>,
}

/// The keys that name a chunk. The reply's id and model are read at its start.
const NAMES: [&Key; 4] = [&k::ID, &k::OBJECT, &k::CREATED, &k::MODEL];

/// The keys that hide the length of a chunk.
const PADDING: [&Key; 2] = [&OBFUSCATION, &k::P];

impl<D: Chat, H: Host> Assembly for Choices<D, H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            choice: Choice::default(),
            waiting: None,
            message: Growing::new::<D>(),
            reason: None,
            usage: None,
            error: None,
            ended: false,
            beside: [Beside::default(), Beside::default()],
            of: PhantomData,
        })
    }

    /// The SDK's helper emits its own events beside the chunks from which it makes them.
    fn is_derived(kind: &str) -> bool {
        kind != k::CHUNK.name
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        let mut keys = Keys::of(chunk, &at)?;
        let choices = keys.take(&k::CHOICES);
        // Events of some SDKs contain a chunk.
        for key in [&k::CHUNK, &k::DATA].into_iter().filter(|_| choices.is_none()) {
            if let Some(inner) = chunk.get(key).filter(|inner| inner.kind() == NodeKind::Map) {
                let at = at.key(key.name);
                let mut keys = Keys::of(&inner, &at)?;
                let choices = keys.take(&k::CHOICES);
                return self.chunk(keys, choices, out);
            }
        }
        self.chunk(keys, choices, out)
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    /// Some servers give no reason. A call that has begun must be whole.
    fn ends_by_mark(&self) -> bool {
        self.waiting.is_some() || !self.message.says_nothing() && self.message.calls_are_whole()
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        if let Some(piece) = self.waiting.take() {
            self.piece(&Tree(&piece), &Trail::ROOT, out)?;
        }
        let reason = self.reason.as_ref().map(|reason| (D::MEMBER.meaning)(&Tree(reason).word().unwrap_or_default()));
        let cut = cut || reason.is_some_and(Finish::is_cut);
        self.message.finish(cut, out)?;
        let mut whole = Map::default();
        let mut choices = Vec::new();
        if let Some(index) = self.choice.index() {
            let mut choice = Map::default();
            choice.put(&k::INDEX, number(index));
            choice.put(&k::MESSAGE, self.message.message()?);
            choice.maybe(&k::FINISH_REASON, self.reason.as_ref());
            self.beside[1].write(&mut choice)?;
            choices.push(choice.value());
        }
        choices.extend(self.choice.others().map(|index| {
            let mut other = Map::default();
            other.put(&k::INDEX, number(index));
            other.value()
        }));
        whole.put(&k::CHOICES, Value::List(choices.into()));
        whole.maybe(&k::USAGE, self.usage.as_ref());
        whole.maybe(&k::ERROR, self.error.as_ref());
        self.beside[0].write(&mut whole)?;
        Ok(whole.value())
    }
}

impl<D: Chat, H: Host> Choices<D, H> {
    fn chunk<S: Source<H = H>>(
        &mut self,
        mut keys: Keys<'_, S>,
        choices: Option<S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let (chunk, at) = (keys.node, keys.at);
        // A first chunk may have nothing but the verdict of a filter, before the id and the model are known.
        let is_named = || NAMES_OF_REPLY.into_iter().any(|key| chunk.get(key).is_some_and(|name| says(&name)));
        if choices.as_ref().is_some_and(|choices| !choices.is_empty()) || is_named() {
            begin(chunk, out);
        }
        // What every chunk has comes first: once no key is left, the others cost nothing.
        keys.pass(&NAMES);
        self.beside[0].usual(&mut keys, &k::SERVICE_TIER)?;
        self.beside[0].once(&mut keys, &SYSTEM_FINGERPRINT)?;
        if let Some(error) = keys.error(&k::ERROR, choices.is_some()) {
            let error = kept(&error)?;
            self.error.get_or_insert(error);
        } else if choices.is_none() && is_error(chunk) {
            // Mistral's errors, and those of older vLLM, have no key around them.
            let error = kept(chunk)?;
            self.error.get_or_insert(error);
            return Ok(());
        }
        let counts = usage(&mut keys);
        keys.pass(&PADDING);
        self.beside[0].take(keys)?;
        let choices = choices.filter(|choices| choices.kind() != NodeKind::Null);
        if let Some(choices) = &choices {
            let at = at.key(k::CHOICES.name);
            if choices.kind() != NodeKind::List {
                return Err(wrong_type("a list", choices, &at));
            }
            for (place, choice) in choices.items().enumerate() {
                self.one_choice(&choice, (place, choices.len()), &at.index(place), out)?;
            }
        }
        // Counts are totals of the stream so far. A chunk's own count before those in its choice.
        if let Some(counts) = counts {
            self.usage = Some(kept(&counts)?);
        }
        // The counts come last, in a separate chunk.
        self.ended |= choices.is_some_and(|choices| choices.is_empty()) && self.usage.is_some();
        Ok(())
    }

    /// Takes a piece of the choice that is taken. `place`: its place in the chunk, and how many there are.
    fn one_choice<S: Source<H = H>>(
        &mut self,
        choice: &S,
        (place, count): (usize, usize),
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(choice, at)?;
        let index = keys.some(&k::INDEX).as_ref().and_then(Source::count).unwrap_or(place as u64);
        if !self.choice.is_usual(index) {
            let ends = choice.get(&k::FINISH_REASON).is_some_and(|reason| says(&reason));
            let parts = [&k::DELTA, &k::MESSAGE].into_iter().filter_map(|key| choice.get(key));
            let piece = Piece {
                index,
                continues: count == 1 && !self.ended,
                says: parts.into_iter().any(|part| message::says(&part)),
                certain: ends || self.waiting.is_some(),
            };
            match self.choice.take(piece) {
                Belongs::Elsewhere => {
                    self.waiting = None;
                    return Ok(());
                }
                Belongs::Waits => {
                    self.waiting = Some(kept(choice)?);
                    return Ok(());
                }
                Belongs::Here => {}
            }
            if let Some(before) = self.waiting.take().filter(|_| !self.choice.numbers_choices()) {
                self.piece(&Tree(&before), at, out)?;
            }
        }
        self.piece(choice, at, out)
    }

    /// Whether the choice has ended with an error. What comes behind it does not mend that.
    fn has_failed(&self) -> bool {
        let said = |reason: &Value<H>| (D::MEMBER.meaning)(&Tree(reason).word().unwrap_or_default());
        self.reason.as_ref().is_some_and(|reason| said(reason) == Finish::Error)
    }

    fn piece<S: Source<H = H>>(&mut self, choice: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(choice, at)?;
        let _ = keys.some(&k::INDEX);
        let delta = keys.some(&k::DELTA);
        let reason = keys.some(&k::FINISH_REASON);
        self.beside[1].usual(&mut keys, &k::LOGPROBS)?;
        if let Some(error) = keys.error(&k::ERROR, true) {
            let error = kept(&error)?;
            self.error.get_or_insert(error);
        }
        if let Some(counts) = counts(keys.some(&k::USAGE)) {
            self.usage = Some(kept(&counts)?);
        }
        let message = keys.some(&k::MESSAGE);
        if let Some(delta) = &delta {
            self.message.delta(delta, None, &at.key(k::DELTA.name), out)?;
        }
        if let Some(message) = message.filter(|_| !delta.is_some_and(|delta| message::says(&delta))) {
            // A server that does not stream sends the whole message.
            self.message.whole(&message, &at.key(k::MESSAGE.name), out)?;
        }
        if let Some(reason) = reason {
            let reason = keys.text_of(&reason, &k::FINISH_REASON)?.detached(choice.input());
            self.ended |= !reason.is_empty();
            if (!reason.is_empty() || self.reason.is_none()) && !self.has_failed() {
                self.reason = Some(Value::Text(reason));
            }
        }
        self.beside[1].take(keys)
    }
}

/// The keys of a chunk that name the reply.
const NAMES_OF_REPLY: [&Key; 2] = [&k::ID, &k::MODEL];

fn says<S: Source>(name: &S) -> bool {
    name.text().is_some_and(|name| !name.is_empty())
}

/// Whether a chunk is an error without a key around it.
#[cold]
fn is_error<S: Source>(chunk: &S) -> bool {
    chunk.get(&k::OBJECT).is_some_and(|kind| kind.one_of(&[(k::ERROR.name, ())]).is_some())
}

/// Reports the start of the reply.
fn begin<S: Source>(chunk: &S, out: &mut Told<S::H>) {
    out.begin(|| NAMES_OF_REPLY.map(|key| chunk.get(key)?.text().map(|text| text.detached(chunk.input()))));
}

/// A reply that is one message, as much of it as has arrived.
pub(crate) struct Flat<D, H: Host> {
    message: Growing<H>,
    /// The keys beside the message. The last value counts.
    rest: Fields<H>,
    begun: bool,
    ended: bool,
    of: PhantomData<D>,
}

impl<D: Chat, H: Host> Assembly for Flat<D, H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        let (message, rest) = (Growing::new::<D>(), Fields::default());
        Ok(Self { message, rest, begun: false, ended: false, of: PhantomData })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        let at = Trail::ROOT;
        if chunk.kind() != NodeKind::Map {
            return Err(wrong_type("an object", chunk, &at));
        }
        begin(chunk, out);
        // A typed event has the new parts in an object; otherwise the chunk itself has them.
        let delta = chunk.get(&k::DELTA).filter(|delta| delta.kind() == NodeKind::Map);
        let (at, holder) = match (&delta, chunk.get(&k::TYPE)) {
            (Some(delta), _) => (at.key(k::DELTA.name), delta),
            (None, None) => (at, chunk),
            (None, Some(_)) => return Ok(()),
        };
        self.ended |=
            holder.get(D::MEMBER.ended).is_some_and(|end| end.kind() != NodeKind::Null && end.bool() != Some(false));
        for (key, value) in holder.entries() {
            let key = key.detach(holder.input());
            if !key.is(k::MESSAGE.name, None) {
                self.rest.set(&key, kept(&value)?);
            } else if value.kind() == NodeKind::Text {
                // Such an error has its text under this key.
                self.rest.set(&Text::own(k::ERROR.name), kept(&value)?);
            }
        }
        let Some(message) = holder.get(&k::MESSAGE).filter(|message| message.kind() == NodeKind::Map) else {
            return Ok(());
        };
        self.begun = true;
        let index = chunk.get(&k::INDEX).as_ref().and_then(Source::count);
        self.message.delta(&message, index, &at.key(k::MESSAGE.name), out)
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn is_over(&self) -> bool {
        self.ended
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        let end = self.rest.get(D::MEMBER.end.name).map(Grown::value).transpose()?;
        let end = end.as_ref().and_then(|end| Tree(end).word().map(|word| (D::MEMBER.meaning)(&word)));
        self.message.finish(cut || end.is_some_and(Finish::is_cut), out)?;
        let mut whole = Map::default();
        if self.begun || self.rest.get(k::ERROR.name).is_none() {
            whole.put(&k::MESSAGE, self.message.message()?);
        }
        whole.fields(&self.rest)?;
        Ok(whole.value())
    }
}
