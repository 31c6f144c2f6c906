//! Assembles a streamed Gemini reply: each chunk is a reply with more parts.
//!
//! Text continues from part to part. A part with a signature or any other key is kept unchanged. A call arrives whole,
//! or with its name first and its arguments later: in a call without a name (spec 004), or piece by piece on Vertex. A
//! call without arguments is complete when text or another call follows, or at the end.

mod call;
pub(super) mod partial;

use super::keys as k;
use std::collections::BTreeSet;

use self::{
    call::Call,
    partial::{is_true, named},
};
use super::{
    end::{FINISHES, is_unset, meaning, word_of},
    spelling::{either, other},
};
use crate::{
    model::{Event, Finish},
    report::{Error, Trail},
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Assembly, Beside, Fields, Flow, Map, Told, Words,
            whole::{kept, list, number, word},
        },
    },
};

keys! {
    PARTIAL_ARGS = "partialArgs";
    PARTIAL_ARGS_SNAKE = "partial_args";
    RESPONSE_ID_SNAKE = "response_id";
    MODEL_VERSION_SNAKE = "model_version";
    CREATE_TIME = "createTime";
    CREATE_TIME_SNAKE = "create_time";
}

/// The reply, as much of it as has arrived.
pub(crate) struct Stream<H: Host> {
    /// The index of the candidate that is taken: the first to arrive.
    candidate: Option<u64>,
    others: BTreeSet<u64>,
    role: Option<Value<H>>,
    parts: Vec<Part<H>>,
    /// The index of the last call.
    last: Option<usize>,
    reason: Option<Value<H>>,
    feedback: Option<Value<H>>,
    usage: Option<Value<H>>,
    error: Option<Value<H>>,
    /// The keys beside the candidates, and those beside the content of the candidate.
    beside: [Beside<H>; 2],
    /// Whether the parts came from an object's attributes, which do not show the end.
    shown: bool,
    /// The chunk of a list that is read, and where each part began: in which chunk, and in which of its parts.
    chunk: Option<usize>,
    began: Vec<(usize, usize)>,
}

/// The keys that name a chunk. The reply's id and model are read at its start.
const NAMES: [&Key; 6] =
    [&k::MODEL_VERSION, &k::RESPONSE_ID, &MODEL_VERSION_SNAKE, &RESPONSE_ID_SNAKE, &CREATE_TIME, &CREATE_TIME_SNAKE];

/// The keys of content, which an SDK's object shows beside its candidates.
const SHOWN: [&Key; 2] = [&k::PARTS, &k::ROLE];

enum Part<H: Host> {
    /// Text or reasoning that may continue.
    Text(Words<H>, Option<Value<H>>),
    /// A part that is kept unchanged.
    Whole(Value<H>),
    Call(Box<Call<H>>),
}

impl<H: Host> Assembly for Stream<H> {
    type H = H;

    fn new() -> Result<Self, Error> {
        Ok(Self {
            candidate: None,
            others: BTreeSet::new(),
            role: None,
            parts: Vec::new(),
            last: None,
            reason: None,
            feedback: None,
            usage: None,
            error: None,
            beside: [Beside::default(), Beside::default()],
            shown: false,
            chunk: None,
            began: Vec::new(),
        })
    }

    fn is_derived(_: &str) -> bool {
        false
    }

    fn reads_attributes() -> bool {
        true
    }

    fn feed<S: Source<H = H>>(&mut self, chunk: &S, out: &mut Told<H>) -> Result<(), Error> {
        if chunk.kind() == NodeKind::List {
            // The chunk is the whole stream as one list, which the server sends unless the client asks for events.
            let mut chunks = chunk.items().enumerate();
            return chunks.try_for_each(|(index, chunk)| {
                self.chunk = Some(index);
                self.chunk(&chunk, &Trail::ROOT.index(index), out)
            });
        }
        self.chunk(chunk, &Trail::ROOT, out)
    }

    fn has_ended(&self) -> bool {
        self.reason.is_some() || self.shown || self.feedback.is_some() && self.candidate.is_none()
    }

    fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<Value<H>, Error> {
        let reason = self.reason.as_ref().and_then(|reason| word_of(&Tree(reason), FINISHES));
        let reason = reason.map(|word| meaning(&word.to_str(None)));
        let stopped = reason.is_some_and(Finish::is_cut);
        let cut = cut || stopped;
        let last = self.last;
        for (place, part) in self.parts.iter_mut().enumerate() {
            if let Part::Call(call) = part {
                call.goes_on &= cut;
                // A stream without a finish reason may be complete: calls arrive whole, even those without arguments.
                call.tell(!stopped || Some(place) != last, out)?;
                call.end(out)?;
            }
        }
        let mut whole = Map::default();
        let mut candidates = Vec::new();
        if let Some(index) = self.candidate {
            let mut candidate = Map::default();
            if !self.parts.is_empty() {
                let mut content = Map::default();
                content.put(&k::PARTS, list(self.parts.iter().map(Part::value))?);
                content.put(&k::ROLE, self.role.as_ref().map_or_else(|| word(&k::MODEL), Value::share));
                candidate.put(&k::CONTENT, content.value());
            }
            candidate.maybe(&k::FINISH_REASON, self.reason.as_ref());
            self.beside[1].write(&mut candidate)?;
            candidate.put(&k::INDEX, number(index));
            candidates.push(candidate.value());
        }
        candidates.extend(self.others.iter().map(|index| {
            let mut other = Map::default();
            other.put(&k::INDEX, number(*index));
            other.value()
        }));
        if self.candidate.is_some() || self.feedback.is_none() {
            whole.put(&k::CANDIDATES, Value::List(candidates.into()));
        }
        whole.maybe(&k::PROMPT_FEEDBACK, self.feedback.as_ref());
        whole.maybe(&k::USAGE, self.usage.as_ref());
        whole.maybe(&k::ERROR, self.error.as_ref());
        self.beside[0].write(&mut whole)?;
        Ok(whole.value())
    }
}

impl<H: Host> Stream<H> {
    /// Where each part of a list of chunks began.
    pub(super) fn began(self) -> Vec<(usize, usize)> {
        self.began
    }

    fn chunk<S: Source<H = H>>(&mut self, chunk: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(chunk, at)?;
        out.begin(|| {
            let said = |key, snake| other(chunk, key, snake)?.text().map(|text| text.detached(chunk.input()));
            [said(&k::RESPONSE_ID, &RESPONSE_ID_SNAKE), said(&k::MODEL_VERSION, &MODEL_VERSION_SNAKE)]
        });
        // What every chunk has comes first: once no key is left, the others cost nothing.
        let candidates = keys.some(&k::CANDIDATES);
        // Counts are totals of the stream so far.
        if let Some(usage) = either(&mut keys, &k::USAGE, &k::USAGE_SNAKE) {
            self.usage = Some(kept(&usage)?);
        }
        keys.pass(&NAMES);
        if let Some(error) = keys.error(&k::ERROR, candidates.is_some()) {
            let error = kept(&error)?;
            self.error.get_or_insert(error);
        }
        if let Some(feedback) = either(&mut keys, &k::PROMPT_FEEDBACK, &k::PROMPT_FEEDBACK_SNAKE) {
            self.feedback = Some(kept(&feedback)?);
        }
        keys.pass(&SHOWN);
        self.beside[0].take(keys)?;
        if let Some(candidates) = candidates {
            let at = at.key(k::CANDIDATES.name);
            if candidates.kind() != NodeKind::List {
                return Err(wrong_type("a list", &candidates, &at));
            }
            for (place, candidate) in candidates.items().enumerate() {
                self.one(&candidate, place, &at.index(place), out)?;
            }
        } else if chunk.get(&k::PARTS).is_some() {
            // An SDK's object shows only its first candidate.
            self.candidate.get_or_insert(0);
            self.shown = true;
            self.content(chunk, at, out)?;
        }
        Ok(())
    }

    fn one<S: Source<H = H>>(
        &mut self,
        candidate: &S,
        place: usize,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(candidate, at)?;
        let index = keys.some(&k::INDEX).as_ref().and_then(Source::count).unwrap_or(place as u64);
        if *self.candidate.get_or_insert(index) != index {
            self.others.insert(index);
            return Ok(());
        }
        if let Some(content) = keys.some(&k::CONTENT) {
            self.content(&content, &at.key(k::CONTENT.name), out)?;
        }
        let reason = either(&mut keys, &k::FINISH_REASON, &k::FINISH_REASON_SNAKE);
        if let Some(reason) = reason.filter(|reason| !is_unset(reason)) {
            self.reason = Some(kept(&reason)?);
        }
        self.beside[1].take(keys)
    }

    fn content<S: Source<H = H>>(&mut self, content: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        let mut keys = Keys::of(content, at)?;
        if let Some(role) = keys.some(&k::ROLE) {
            self.role = Some(kept(&role)?);
        }
        let Some(parts) = keys.some(&k::PARTS) else { return Ok(()) };
        let at = at.key(k::PARTS.name);
        if parts.kind() != NodeKind::List {
            return Err(wrong_type("a list", &parts, &at));
        }
        parts.items().enumerate().try_for_each(|(item, part)| {
            self.part(&part, &at.index(item), out)?;
            let new = self.parts.len() - self.began.len();
            if let Some(chunk) = self.chunk {
                self.began.extend(std::iter::repeat_n((chunk, item), new));
            }
            Ok(())
        })
    }

    fn part<S: Source<H = H>>(&mut self, part: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
        for key in [&k::FUNCTION_CALL, &k::FUNCTION_CALL_SNAKE] {
            if let Some(call) = part.get(key).filter(|call| call.kind() != NodeKind::Null) {
                return self.call(part, &call, key, at, out);
            }
        }
        let Some(text) = part.get(&k::TEXT).and_then(|text| text.text()).map(|text| text.detached(part.input())) else {
            if part.kind() != NodeKind::Map {
                return Err(wrong_type("an object", part, at));
            }
            self.parts.push(Part::Whole(kept(part)?));
            return Ok(());
        };
        let thought = part.get(&k::THOUGHT).filter(|flag| flag.kind() != NodeKind::Null);
        let thinks = is_true(thought.as_ref());
        if !text.is_empty() {
            // What was said behind a call comes after it, also behind one without arguments.
            if let Some(last) = self.last_call() {
                last.tell(true, out)?;
            }
            out.push(if thinks { Event::Reasoning(text.share()) } else { Event::Text(text.share()) });
        }
        sign(part, out);
        if part.len() > 1 + usize::from(part.get(&k::THOUGHT).is_some()) {
            self.parts.push(Part::Whole(kept(part)?));
            return Ok(());
        }
        match self.parts.last_mut() {
            // The last chunk often has an empty text.
            _ if text.is_empty() => {}
            Some(Part::Text(words, flag)) if thinks == is_true(flag.as_ref().map(Tree).as_ref()) => {
                words.push(&text, None);
            }
            _ => {
                let flag = thought.map(|flag| kept(&flag)).transpose()?;
                self.parts.push(Part::Text(Words::of(text), flag));
            }
        }
        Ok(())
    }

    fn call<S: Source<H = H>>(
        &mut self,
        part: &S,
        node: &S,
        key: &'static Key,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let at = at.key(key.name);
        let mut keys = Keys::of(node, &at)?;
        let input = node.input();
        let name = named(keys.text(&k::NAME)?).map(|name| name.detached(input));
        let id = named(keys.text(&k::ID)?).map(|id| id.detached(input));
        let args = keys.some(&k::ARGS).map(|args| kept(&args)).transpose()?;
        let args = args.filter(|args| !matches!(args, Value::Map(entries) if entries.is_empty()));
        let pieces = either(&mut keys, &PARTIAL_ARGS, &PARTIAL_ARGS_SNAKE);
        let goes_on = is_true(either(&mut keys, &k::WILL_CONTINUE, &k::WILL_CONTINUE_SNAKE).as_ref());
        if let (Some(id), Some(name), None) = (&id, &name, &pieces)
            && self.parts.iter().any(|part| matches!(part, Part::Call(call) if call.is(id, name, args.as_ref())))
        {
            // A part that comes twice is no other call.
            return Ok(());
        }
        let nothing = name.is_none() && args.is_none() && pieces.is_none();
        let begins = name.is_some() || !nothing && self.unfinished().is_none();
        if begins {
            if let Some(last) = self.last_call() {
                last.tell(true, out)?;
            }
            // A call without a name continues with the last call's tool.
            let name = name.or_else(|| self.last_call().and_then(|last| last.name.as_ref().map(Text::share)));
            self.last = Some(self.parts.len());
            let call = Call {
                key,
                beside: Fields::default(),
                fields: Fields::default(),
                name,
                id: None,
                args: None,
                partial: None,
                goes_on: false,
                told: false,
                flow: Flow::default(),
            };
            self.parts.push(Part::Call(Box::new(call)));
        }
        let Some(call) = self.last_call() else { return Ok(()) };
        call.id = call.id.take().or(id);
        call.args = args.or(call.args.take());
        call.goes_on = goes_on;
        if let Some(pieces) = pieces {
            let partial = call.partial.get_or_insert_default();
            partial.take(&pieces, &at.key(PARTIAL_ARGS.name))?;
        }
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            call.fields.set(&key.detach(input), value.to_value(input)?);
        }
        for (key, value) in part.entries().filter(|(key, _)| !key.is(call.key.name, input)) {
            call.beside.set(&key.detach(input), kept(&value)?);
        }
        call.tell(false, out)
    }

    fn last_call(&mut self) -> Option<&mut Call<H>> {
        match self.parts.get_mut(self.last?) {
            Some(Part::Call(call)) => Some(call),
            _ => None,
        }
    }

    /// The last call, if its arguments may continue.
    fn unfinished(&mut self) -> Option<&mut Call<H>> {
        self.last_call().filter(|call| !call.told)
    }
}

/// Reports a part's signature.
fn sign<S: Source>(part: &S, out: &mut Told<S::H>) {
    let signature = || other(part, &k::THOUGHT_SIGNATURE, &k::THOUGHT_SIGNATURE_SNAKE)?.text();
    out.push_full(|| signature().map(|text| Event::Signature(text.detached(part.input()))));
}

impl<H: Host> Part<H> {
    fn value(&self) -> Result<Value<H>, Error> {
        match self {
            Self::Whole(value) => Ok(value.share()),
            Self::Call(call) => call.value(),
            Self::Text(words, flag) => {
                let mut part = Map::default();
                part.put(&k::TEXT, words.value()?);
                part.maybe(&k::THOUGHT, flag.as_ref());
                Ok(part.value())
            }
        }
    }
}
