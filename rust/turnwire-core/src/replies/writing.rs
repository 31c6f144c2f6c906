//! Writes the events of a source as the target's: ids and arguments in the target's form, in an order that it can have.

use super::{begun::Begun, calls::Calls, free_text, held::Held, place::place, turns::BETWEEN_THOUGHTS};
use crate::{
    dialects::{registry, table},
    model::{Event, PartSort, Reply},
    report::{Change, ChangeKind, Edit, Error, ToolNames},
    rules::{DialectId, Limits, Shared, Thoughts, shared_block::both_have},
    value::{Host, Text},
    wire::{
        response::Wanted,
        stream::{Frames, Serial, Words},
    },
};

/// The writer of a new stream.
pub(super) struct Writing<H: Host> {
    pub(super) begun: Begun<H>,
    /// Whether clients of the target take the arguments at the end of a call, whatever its pieces were.
    whole: bool,
    /// For targets where one part is open at a time.
    serial: Option<Serial<H>>,
    calls: Calls<H>,
    /// The calls, where the source's server may answer them itself.
    pub(super) held: Option<Held<H>>,
    /// Whether the target accepts the source's signatures.
    signs: bool,
    /// Whether the target shows reasoning.
    thinks: bool,
    /// Where the target has one key for reasoning: whether some was written, and whether a new part of it has begun since.
    thoughts: Option<(bool, bool)>,
    /// How many bytes of text have come in pieces.
    pub(super) text: usize,
    /// The calls whose written pieces are not their arguments.
    damaged: Vec<usize>,
    /// The names of tools in the request, and the limits of a target without groups of tools.
    flat: Option<(ToolNames, &'static Limits)>,
}

impl<H: Host> Writing<H> {
    pub(super) fn new(
        source: DialectId,
        target: DialectId,
        names: &ToolNames,
        wanted: Wanted<H>,
    ) -> Result<Self, Error> {
        let calls = Calls::new(target, names)?;
        registry::response_rule(target).map_err(|error| error.in_dialect(&target.name()))?;
        let serial = (!table::Out::<H>::is_parallel(target)).then(Serial::new);
        let held = registry::response_rule(source)?.answers.then(Held::new);
        let (begun, whole) = (Begun::new(target, wanted), table::Out::<H>::is_whole(target));
        let thinks = !matches!(target.limits()?.thoughts, Thoughts::Nowhere);
        let thoughts = matches!(target.limits()?.thoughts, Thoughts::Key(_)).then_some((false, false));
        let signs = source.same_wire(target)
            || source.is_relative(target) && both_have(Shared::Thought, source.facts.shared, target.facts.shared);
        let limits = target.limits()?;
        let flat = target.facts.deferred.is_none().then(|| (names.clone(), limits));
        Ok(Self { begun, whole, serial, calls, held, signs, thinks, thoughts, text: 0, damaged: Vec::new(), flat })
    }

    /// Whether events have not been written yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.held.as_ref().is_some_and(Held::is_waiting)
            || self.serial.as_ref().is_some_and(Serial::is_waiting)
            || self.begun.is_waiting()
    }

    /// A loss for each call whose written pieces are not its arguments.
    pub(super) fn damaged(&self, reply: &Reply<H>) -> Vec<Change> {
        let calls = reply.turns.iter().enumerate().flat_map(|(at, turn)| turn.calls().map(move |_| at));
        let calls: Vec<_> = calls.collect();
        let reason = "the whole arguments of this call are not those in its pieces";
        let lost = |call: &usize| {
            let path = place(reply, calls.get(*call).copied().unwrap_or_default());
            Change::told(ChangeKind::Lost, Edit::LateText, path, reason)
        };
        self.damaged.iter().map(lost).collect()
    }

    pub(super) fn event<F: Frames<H>>(&mut self, event: Event<H>, out: &mut F) -> Result<(), Error> {
        let event = match &mut self.held {
            Some(held) => held.keep(event),
            None => Some(event),
        };
        let Some(mut event) = event else { return Ok(()) };
        if let Some((names, limits)) = &self.flat {
            event.flatten(names, limits);
        }
        let (calls, serial, writer) = (&mut self.calls, &mut self.serial, self.begun.writer()?);
        let mut put = |event: &Event<H>| {
            if let Event::CallWhole { call, .. } = event
                && !self.whole
            {
                self.damaged.push(*call);
            }
            writer.event(event, out)
        };
        let mut write = |event: Event<H>| match serial {
            Some(serial) => serial.take(event, &mut put),
            None => put(&event),
        };
        match event {
            Event::CallBegun { call, id, name, mut custom, namespace, form } => {
                let id = calls.id(id, &name);
                if !custom
                    && calls
                        .tools
                        .is_text(namespace.as_ref().map(|group| group.to_str(None)).as_deref(), &name.to_str(None))
                {
                    custom = true;
                    calls.texts.insert(call, Words::default());
                }
                calls.said.push(custom);
                let before = if custom { calls.wrap(call) } else { None };
                let custom = custom && before.is_none();
                write(Event::CallBegun { call, id, name, custom, namespace, form })?;
                before.map_or(Ok(()), |text| write(Event::CallPiece { call, text }))
            }
            Event::CallPiece { call, text } => {
                if let Some(words) = calls.texts.get_mut(&call) {
                    words.push(&text, None);
                    return Ok(());
                }
                let Some(text) = calls.held(call, text)? else { return Ok(()) };
                calls.says(call);
                let text = calls.piece(call, text)?;
                write(Event::CallPiece { call, text })
            }
            Event::CallWhole { call, text } => {
                if let Some(words) = calls.texts.get_mut(&call) {
                    *words = Words::of(text);
                    return Ok(());
                }
                if calls.starts_anew(call) {
                    let Some(text) = calls.held(call, text)? else { return Ok(()) };
                    calls.says(call);
                    return write(Event::CallPiece { call, text });
                }
                let text = calls.whole(call, text)?;
                write(Event::CallWhole { call, text })
            }
            Event::CallEnded { call } => {
                if let Some(words) = calls.texts.remove(&call) {
                    write(Event::CallPiece { call, text: free_text::of(words.text()?) })?;
                } else if let Some(text) = calls.left(call)? {
                    write(Event::CallPiece { call, text })?;
                } else if !calls.says(call) {
                    write(Event::CallPiece { call, text: Text::own("{}") })?;
                }
                if let Some(text) = calls.unwrap(call) {
                    write(Event::CallPiece { call, text })?;
                }
                write(Event::CallEnded { call })
            }
            Event::Signature(_) if !self.signs => Ok(()),
            Event::Reasoning(_) | Event::PartBegun(PartSort::Reasoning) | Event::PartEnded(PartSort::Reasoning)
                if !self.thinks =>
            {
                Ok(())
            }
            event => {
                match (&event, &mut self.thoughts) {
                    (Event::Text(text), _) => self.text += text.utf8_len(None),
                    (Event::PartBegun(PartSort::Reasoning), Some((said, apart))) => *apart = *said,
                    (Event::Reasoning(text), Some((said, apart))) if !text.is_empty() => {
                        if std::mem::take(apart) {
                            write(Event::Reasoning(Text::own(BETWEEN_THOUGHTS)))?;
                        }
                        *said = true;
                    }
                    _ => {}
                }
                write(event)
            }
        }
    }
}
