//! Assembles tool calls from the pieces that chat endpoints stream. `calls/belonging.rs` decides which piece belongs to
//! which call.

mod belonging;

use super::{
    arguments::Arguments,
    grown::Fields,
    text::Words,
    told::{Flow, Told},
};
use crate::{
    model::{Args, Event},
    pairing::links::spelled,
    report::Error,
    rules::IdRule,
    value::{HashMap, Host, Text, Value},
};

/// One piece. Its handles need no input.
pub(crate) struct Piece<H: Host> {
    pub(crate) index: Option<u64>,
    pub(crate) id: Option<Text<H>>,
    pub(crate) name: Option<Text<H>>,
    pub(crate) args: Option<Text<H>>,
    /// Whether the arguments are free text for a custom tool.
    pub(crate) custom: bool,
}

impl<H: Host> Piece<H> {
    /// Whether it has no content.
    pub(crate) fn says_nothing(&self) -> bool {
        let empty = |text: &Option<Text<H>>| text.as_ref().is_none_or(Text::is_empty);
        empty(&self.id) && empty(&self.name) && empty(&self.args)
    }
}

/// A call, as much of it as has arrived.
pub(crate) struct Call<H: Host> {
    pub(crate) id: Option<Text<H>>,
    /// The index of its first piece.
    index: Option<u64>,
    name: Words<H>,
    args: Arguments<H>,
    /// The free text of a custom tool.
    input: Words<H>,
    pub(crate) custom: bool,
    /// Unknown keys of the call, and of the object inside it.
    pub(crate) fields: Fields<H>,
    pub(crate) inner: Fields<H>,
    /// Whether it was reported.
    told: bool,
    /// How much of it was reported to a reader of full events.
    flow: Flow,
    /// Whether it is listed in `waiting`.
    waits: bool,
}

impl<H: Host> Call<H> {
    /// The name.
    pub(crate) fn name(&self) -> Result<Text<H>, Error> {
        self.name.text()
    }

    /// The arguments as text, or the free text.
    pub(crate) fn args(&self) -> Result<Text<H>, Error> {
        if self.custom { self.input.text() } else { self.args.text() }
    }

    /// Whether its arguments have come to their end. Free text has none that shows.
    pub(crate) fn is_whole(&self) -> bool {
        self.custom || self.args.is_closed()
    }

    fn is(&self, name: &Text<H>) -> bool {
        *self.name.bytes() == *name.wtf8(None)
    }

    /// Whether some of its arguments have arrived.
    fn has_begun(&self) -> bool {
        !self.args.is_blank() || !self.input.is_empty()
    }
}

/// The calls of one reply, in the order in which they began.
pub(crate) struct Calls<H: Host> {
    /// Whether a call without an id gets one, because results need it.
    names: bool,
    list: Vec<Call<H>>,
    /// How many of them have begun, for a reader of full events.
    begun: usize,
    /// Calls with an empty object as arguments. They are complete, unless more arguments arrive before the next call.
    waiting: Vec<usize>,
    ids: HashMap<Vec<u8>, usize>,
    indices: HashMap<u64, usize>,
}

impl<H: Host> Calls<H> {
    /// No calls yet.
    pub(crate) fn new(names: bool) -> Self {
        Self {
            names,
            list: Vec::new(),
            begun: 0,
            waiting: Vec::new(),
            ids: HashMap::default(),
            indices: HashMap::default(),
        }
    }

    /// Every call, in order.
    pub(crate) fn list(&self) -> &[Call<H>] {
        &self.list
    }

    /// Appends the calls of another list.
    pub(crate) fn append(&mut self, others: &mut Self) {
        self.list.append(&mut others.list);
    }

    /// Takes a piece. Returns its call, and pushes an event for every call that is now complete.
    pub(crate) fn take(&mut self, mut piece: Piece<H>, out: &mut Told<H>) -> Result<&mut Call<H>, Error> {
        piece.id = piece.id.filter(|id| !id.is_empty());
        piece.name = piece.name.filter(|name| !name.is_empty());
        let mut at = if let Some(at) = self.call_of(&piece) {
            at
        } else {
            self.tell_waiting(self.list.len(), out)?;
            self.open(&piece)
        };
        let call = &mut self.list[at];
        if call.id.is_none() && !call.told {
            call.id = piece.id.as_ref().map(Text::share);
        }
        call.custom |= piece.custom && !call.told;
        let unnamed = call.name.is_empty() || !call.has_begun();
        if let Some(name) = piece.name.as_ref().filter(|name| unnamed && !call.is(name)) {
            call.name.push(name, None);
        }
        self.find_again(at, &piece);
        let mut args = piece.args.take();
        while let Some(text) = args {
            let call = &mut self.list[at];
            args = if call.custom {
                call.input.push(&text, None);
                None
            } else if call.told && call.args.is_nothing() && is_other(&text, &call.args.bytes()) {
                // A program already runs this call without arguments, so these belong to another call.
                Some(text)
            } else if call.told && is_stray(&text) {
                // A program already runs this call with its complete arguments.
                None
            } else {
                // The same object again is a piece that came twice.
                call.args.push(&text)?.filter(|rest| *rest.wtf8(None).trim_ascii() != *call.args.bytes().trim_ascii())
            };
            self.tell(at, out)?;
            self.flow(at, out)?;
            if args.is_some() {
                // Another object after a complete one: the same tool is called again.
                let name = Some(self.list[at].name()?);
                let next = Piece { index: piece.index, id: None, name, args: None, custom: false };
                at = self.open(&next);
                if let Some(name) = &next.name {
                    self.list[at].name.push(name, None);
                }
                self.find_again(at, &piece);
            }
        }
        self.tell(at, out)?;
        Ok(&mut self.list[at])
    }

    fn open(&mut self, piece: &Piece<H>) -> usize {
        self.list.push(Call {
            id: None,
            index: piece.index,
            name: Words::default(),
            args: Arguments::default(),
            input: Words::default(),
            custom: piece.custom,
            fields: Fields::default(),
            inner: Fields::default(),
            told: false,
            flow: Flow::default(),
            waits: false,
        });
        self.list.len() - 1
    }

    /// Makes the next piece with this index or id belong to this call.
    fn find_again(&mut self, at: usize, piece: &Piece<H>) {
        if let Some(index) = piece.index {
            self.indices.insert(index, at);
        }
        // A call keeps its id. Another one on its later pieces may be on those of every call.
        let own = self.list[at].id.as_ref();
        if let Some(id) = piece.id.as_ref().filter(|id| own.is_none_or(|own| own.same(id))) {
            self.ids.insert(id.wtf8(None).into_owned(), at);
        }
    }

    /// Pushes an event for a call whose arguments are complete. Empty arguments may still continue.
    fn tell(&mut self, at: usize, out: &mut Told<H>) -> Result<(), Error> {
        let call = &mut self.list[at];
        if call.told || call.custom || call.name.is_empty() {
            return Ok(());
        }
        if call.args.is_whole() {
            self.tell_waiting(at, out)?;
            return self.event(at, out);
        }
        if call.args.is_closed() && call.args.is_nothing() && !call.waits {
            call.waits = true;
            self.waiting.push(at);
        }
        Ok(())
    }

    /// Reports waiting calls before this index. They have no arguments, because another call has begun or is complete.
    fn tell_waiting(&mut self, before: usize, out: &mut Told<H>) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let (mut now, later) = std::mem::take(&mut self.waiting).into_iter().partition::<Vec<_>, _>(|at| *at < before);
        self.waiting = later;
        now.sort_unstable();
        for at in now {
            let call = &mut self.list[at];
            call.waits = false;
            if !call.told && call.args.is_closed() && call.args.is_nothing() {
                self.event(at, out)?;
            }
        }
        Ok(())
    }

    fn event(&mut self, at: usize, out: &mut Told<H>) -> Result<(), Error> {
        self.name(at)?;
        let call = &mut self.list[at];
        call.told = true;
        let id = call.id.as_ref().map(Text::share);
        out.push(Event::Call {
            id,
            name: call.name()?,
            args: Args::Text(call.args.text()?),
            namespace: None,
            form: None,
        });
        self.flow(at, out)
    }

    /// Reports the progress of a call to a reader of full events, once its arguments have begun, and of those that waited for
    /// it. Before that, more of its name may come. An empty object may still be withdrawn.
    fn flow(&mut self, at: usize, out: &mut Told<H>) -> Result<(), Error> {
        if !out.is_full() {
            return Ok(());
        }
        let mut next = at;
        while self.list.get(next).is_some_and(|call| next == at || call.has_begun()) && self.can_begin(next, out) {
            self.begin_until(next, out)?;
            let call = &mut self.list[next];
            call.flow.grow(&if call.custom { call.input.bytes() } else { call.args.bytes() }, out)?;
            if call.told {
                call.flow.end(out);
            }
            next = self.begun.max(next + 1);
        }
        Ok(())
    }

    /// Whether a call and those before it may begin. Where one call is open at a time, one without arguments would hold up
    /// all that follows it.
    fn can_begin(&self, at: usize, out: &Told<H>) -> bool {
        let call = &self.list[at];
        let waits = !call.told && (!call.has_begun() || call.args.is_closed() && call.args.is_nothing());
        let holds = |call: &Call<H>| call.name.is_empty() || out.is_serial() && !call.told && !call.has_begun();
        // The name of an earlier call may come later.
        let before = self.list.iter().take(at).skip(self.begun).any(holds);
        !(waits || before || call.name.is_empty() || self.names && call.id.is_none())
    }

    /// Begins calls in their order.
    fn begin_until(&mut self, at: usize, out: &mut Told<H>) -> Result<(), Error> {
        while self.begun <= at {
            self.name(self.begun)?;
            let call = &mut self.list[self.begun];
            let name = call.name.text()?;
            call.flow.begin(call.id.as_ref(), &name, call.custom, out);
            self.begun += 1;
        }
        Ok(())
    }

    /// Makes a unique id for a call without one, from its content and its index.
    fn name(&mut self, at: usize) -> Result<(), Error> {
        if !self.names || self.list[at].id.is_some() {
            return Ok(());
        }
        let call = &self.list[at];
        let mut said = call.name.bytes().into_owned();
        said.push(0);
        said.extend_from_slice(&if call.custom { call.input.bytes() } else { call.args.bytes() });
        let ids = (at as u64..).map(|salt| spelled(&IdRule::ANY, &said, salt));
        let free = ids.into_iter().find(|id| !self.ids.contains_key(id.as_bytes()));
        if let Some(id) = free {
            self.ids.insert(id.clone().into_bytes(), at);
            self.list[at].id = Some(H::text(id.as_bytes())?);
        }
        Ok(())
    }

    /// Ends the stream. Every call gets an id, and calls without arguments are reported. `cut`: whether the reply ended
    /// early, so that any call may have lost all of its arguments: those of parallel calls may come after all names.
    pub(crate) fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<(), Error> {
        for at in 0..self.list.len() {
            self.list[at].args.forget_null()?;
            self.name(at)?;
            let call = &self.list[at];
            let gone = cut && call.args.is_blank();
            if !call.told && !call.custom && !call.name.is_empty() && call.args.is_nothing() && !gone {
                self.event(at, out)?;
            }
            if out.is_full() {
                self.begin_until(at, out)?;
                let call = &mut self.list[at];
                call.flow.grow(&if call.custom { call.input.bytes() } else { call.args.bytes() }, out)?;
                call.flow.end(out);
            }
        }
        Ok(())
    }
}

/// Whether a piece after an empty object begins another object.
fn is_other<H: Host>(piece: &Text<H>, args: &[u8]) -> bool {
    let piece = piece.wtf8(None);
    piece.trim_ascii().starts_with(b"{") && piece.trim_ascii() != args.trim_ascii()
}

/// Whether a piece after a complete object is neither white space nor another object.
fn is_stray<H: Host>(piece: &Text<H>) -> bool {
    !matches!(piece.wtf8(None).trim_ascii().first(), None | Some(b'{'))
}

/// The arguments of a piece as text: some servers send the object itself.
pub(crate) fn args_text<H: Host>(value: &Value<H>) -> Result<Option<Text<H>>, Error> {
    Ok(match value {
        Value::Null => None,
        Value::Text(text) => Some(text.share()),
        other => {
            let mut json = Vec::new();
            crate::value::json::encode::value(other, None, &mut json)?;
            Some(H::text(&json)?)
        }
    })
}
