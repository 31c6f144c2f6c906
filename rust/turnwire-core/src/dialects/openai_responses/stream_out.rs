//! Writes a Responses stream: the start of the response, its items, each with a start, pieces and an end, then the
//! whole.
//!
//! Clients read the items from their end events, and the final response must repeat them, so everything is kept until
//! then.

mod item;

use super::keys as k;
use std::collections::BTreeMap;

use self::item::{Call, Open};
use super::response::{is_incomplete, prefix, response};
use crate::{
    model::{Event, PartSort},
    report::Error,
    rules::{CallForm, DialectId},
    value::{Host, Key, Sink, Source, Text, Tree, Value, door::keys},
    wire::{
        response::{Around, Closing, FailureWords},
        stream::{
            Frames, Framing, StreamWriter, Words,
            out::{empty, map, number, text, value, word},
        },
    },
};

keys! {
    CREATED = "response.created";
    STARTED = "response.in_progress";
    ITEM_ADDED = "response.output_item.added";
    ITEM_DONE = "response.output_item.done";
    PART_ADDED = "response.content_part.added";
    PART_DONE = "response.content_part.done";
    TEXT_DELTA = "response.output_text.delta";
    TEXT_DONE = "response.output_text.done";
    REFUSAL_DELTA = "response.refusal.delta";
    REFUSAL_DONE = "response.refusal.done";
    SUMMARY_PART_ADDED = "response.reasoning_summary_part.added";
    SUMMARY_PART_DONE = "response.reasoning_summary_part.done";
    SUMMARY_DELTA = "response.reasoning_summary_text.delta";
    SUMMARY_DONE = "response.reasoning_summary_text.done";
    ARGUMENTS_DELTA = "response.function_call_arguments.delta";
    ARGUMENTS_DONE = "response.function_call_arguments.done";
    INPUT_DELTA = "response.custom_tool_call_input.delta";
    INPUT_DONE = "response.custom_tool_call_input.done";
    ALL = "response.completed";
    CUT = "response.incomplete";
    FAILED = "response.failed";
    SEQUENCE_NUMBER = "sequence_number";
    COMMAND_ADDED = "response.shell_call_command.added";
    COMMAND_DELTA = "response.shell_call_command.delta";
    COMMAND_DONE = "response.shell_call_command.done";
    COMMAND_INDEX = "command_index";
    COMMANDS = "commands";
    COMMAND = "command";
}

/// A stream of events.
pub(crate) struct Events<H: Host> {
    around: Around<H>,
    /// The number of the next event.
    sequence: u64,
    /// How many items have begun.
    items: u64,
    /// The open text item.
    open: Option<Open<H>>,
    /// The open calls, by their numbers.
    calls: BTreeMap<usize, Call<H>>,
    /// The ended items, by their indices.
    done: BTreeMap<u64, Value<H>>,
}

impl<H: Host> StreamWriter for Events<H> {
    type H = H;
    const FRAMING: Framing = Framing::Named;
    const PARALLEL: bool = true;
    const WHOLE: bool = true;
    const PAUSES: bool = false;

    fn new(_: DialectId, around: Around<H>) -> Result<Self, Error> {
        Ok(Self { around, sequence: 0, items: 0, open: None, calls: BTreeMap::new(), done: BTreeMap::new() })
    }

    fn goes_on(&mut self, id: Option<Text<H>>, chunks: u64) {
        self.sequence = chunks;
        self.around.id = id.unwrap_or_else(|| self.around.id.share());
    }

    fn event<F: Frames<H>>(&mut self, event: &Event<H>, out: &mut F) -> Result<(), Error> {
        match event {
            Event::Begun { .. } => {
                self.response(out, &CREATED, None, None)?;
                self.response(out, &STARTED, None, None)
            }
            Event::PartBegun(sort) => self.begin_part(*sort, out),
            Event::Text(piece) | Event::Refusal(piece) | Event::Reasoning(piece) => self.piece(piece, out),
            Event::PartEnded(_) => self.end_part(&k::COMPLETED, out),
            Event::CallBegun { call, id, name, custom, namespace, form } => {
                // The type of its item depends on its arguments.
                let prefix = if *custom { "ctc_" } else { "fc_" };
                let (index, item_id) = if form.is_some() { (0, Text::own("")) } else { self.begin_item(prefix) };
                let result_id = id.as_ref().map_or_else(|| Text::own(""), Text::share);
                let begun = Call {
                    index,
                    id: item_id,
                    result_id,
                    name: name.share(),
                    custom: *custom,
                    namespace: namespace.as_ref().map(Text::share),
                    form: *form,
                    args: Words::default(),
                };
                let item = begun.item(&k::IN_PROGRESS)?;
                self.calls.insert(*call, begun);
                if form.is_some() { Ok(()) } else { self.item(out, &ITEM_ADDED, index, &item) }
            }
            Event::CallPiece { call, text: piece } => {
                let Some(call) = self.calls.get_mut(call) else { return Ok(()) };
                call.args.push(piece, None);
                if call.form.is_some() {
                    return Ok(());
                }
                let (index, id, custom) = (call.index, call.id.share(), call.custom);
                let kind = if custom { &INPUT_DELTA } else { &ARGUMENTS_DELTA };
                self.typed(out, kind, |out| {
                    at(out, index, &id);
                    text(out, &k::DELTA, piece);
                })
            }
            Event::CallWhole { call, text } => {
                if let Some(call) = self.calls.get_mut(call) {
                    call.args = Words::of(text.share());
                }
                Ok(())
            }
            Event::CallEnded { call } => {
                let Some(call) = self.calls.remove(call) else { return Ok(()) };
                if call.form.is_some() { self.whole_call(call, out) } else { self.end_call(&call, &k::COMPLETED, out) }
            }
            _ => Ok(()),
        }
    }

    fn end<F: Frames<H>>(&mut self, closing: &Closing<H>, out: &mut F) -> Result<(), Error> {
        self.response(out, if is_incomplete(closing) { &CUT } else { &ALL }, Some(closing), None)
    }

    fn fail<F: Frames<H>>(&mut self, words: &FailureWords<H>, out: &mut F) -> Result<(), Error> {
        // Agents skip an error event before the first response.
        if self.sequence == 0 {
            self.event(&Event::Begun { id: None, model: None }, out)?;
        }
        self.response(out, &FAILED, None, Some(words))
    }
}

impl<H: Host> Events<H> {
    /// Writes an event of a type, with its number.
    fn typed<F: Frames<H>>(
        &mut self,
        out: &mut F,
        kind: &'static Key,
        said: impl FnOnce(&mut F::Out),
    ) -> Result<(), Error> {
        let sequence = self.sequence;
        self.sequence += 1;
        out.event(kind, false, |out| numbered(out, kind, sequence, said))
    }

    /// Writes an event with the response as it is now.
    fn response<F: Frames<H>>(
        &mut self,
        out: &mut F,
        kind: &'static Key,
        end: Option<&Closing<H>>,
        failure: Option<&FailureWords<H>>,
    ) -> Result<(), Error> {
        let sequence = self.sequence;
        self.sequence += 1;
        out.event(kind, failure.is_some(), |out| {
            numbered(out, kind, sequence, |out| {
                map(out, &k::RESPONSE, |out| response(&self.around, self.done.values(), end, failure, out));
            });
        })
    }

    /// The index and the id of an item that begins.
    fn begin_item(&mut self, prefix: &str) -> (u64, Text<H>) {
        let index = self.items;
        self.items += 1;
        (index, self.around.item(prefix, index as usize))
    }

    fn item<F: Frames<H>>(
        &mut self,
        out: &mut F,
        kind: &'static Key,
        index: u64,
        item: &Value<H>,
    ) -> Result<(), Error> {
        self.typed(out, kind, |out| {
            number(out, &k::OUTPUT_INDEX, index);
            value(out, &k::ITEM, item);
        })
    }

    fn begin_part<F: Frames<H>>(&mut self, sort: PartSort, out: &mut F) -> Result<(), Error> {
        let reasons = sort == PartSort::Reasoning;
        let (index, id) = self.begin_item(if reasons { "rs_" } else { "msg_" });
        let open = Open { index, id, sort, said: Words::default() };
        let item = open.item(&k::IN_PROGRESS, None);
        let part = open.part(&Text::own(""));
        let id = open.id.share();
        self.open = Some(open);
        self.item(out, &ITEM_ADDED, index, &item)?;
        let kind = if reasons { &SUMMARY_PART_ADDED } else { &PART_ADDED };
        self.typed(out, kind, |out| {
            inside(out, index, &id, sort);
            value(out, &k::PART, &part);
        })
    }

    fn piece<F: Frames<H>>(&mut self, piece: &Text<H>, out: &mut F) -> Result<(), Error> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.said.push(piece, None);
        let (index, id, sort) = (open.index, open.id.share(), open.sort);
        let kind = match sort {
            PartSort::Text => &TEXT_DELTA,
            PartSort::Refusal => &REFUSAL_DELTA,
            PartSort::Reasoning => &SUMMARY_DELTA,
        };
        self.typed(out, kind, |out| {
            inside(out, index, &id, sort);
            text(out, &k::DELTA, piece);
            if sort == PartSort::Text {
                empty(out, &k::LOGPROBS);
            }
        })
    }

    fn end_part<F: Frames<H>>(&mut self, status: &'static Key, out: &mut F) -> Result<(), Error> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let (index, sort, all) = (open.index, open.sort, open.said.text()?);
        let (part, item) = (open.part(&all), open.item(status, Some(&all)));
        let (done, key, part_done) = match sort {
            PartSort::Text => (&TEXT_DONE, &k::TEXT, &PART_DONE),
            PartSort::Refusal => (&REFUSAL_DONE, &k::REFUSAL, &PART_DONE),
            PartSort::Reasoning => (&SUMMARY_DONE, &k::TEXT, &SUMMARY_PART_DONE),
        };
        self.typed(out, done, |out| {
            inside(out, index, &open.id, sort);
            text(out, key, &all);
            if sort == PartSort::Text {
                empty(out, &k::LOGPROBS);
            }
        })?;
        self.typed(out, part_done, |out| {
            inside(out, index, &open.id, sort);
            value(out, &k::PART, &part);
        })?;
        self.item(out, &ITEM_DONE, index, &item)?;
        self.done.insert(index, item);
        Ok(())
    }

    /// Writes a call of the client's own tool, now that all of its arguments are there: as an item of its own kind, or as a
    /// plain call if they do not fit that.
    fn whole_call<F: Frames<H>>(&mut self, mut call: Call<H>, out: &mut F) -> Result<(), Error> {
        let (form, args) = call.shaped()?;
        let (index, id) = self.begin_item(form.map_or("fc_", prefix));
        (call.index, call.id, call.form) = (index, id, form);
        // The arguments of a plain call come after its beginning.
        let held = form.is_none().then(|| std::mem::take(&mut call.args));
        self.item(out, &ITEM_ADDED, index, &call.item(&k::IN_PROGRESS)?)?;
        call.args = held.unwrap_or(call.args);
        let Some(form) = form else {
            let (id, piece) = (call.id.share(), call.args.text()?);
            self.typed(out, &ARGUMENTS_DELTA, |out| {
                at(out, index, &id);
                text(out, &k::DELTA, &piece);
            })?;
            return self.end_call(&call, &k::COMPLETED, out);
        };
        let commands = match args.as_ref().map(Tree) {
            Some(args) if form == CallForm::Shell => args.get(&COMMANDS),
            _ => None,
        };
        for (at, command) in commands.iter().flat_map(Source::items).enumerate() {
            let Some(command) = command.text() else { continue };
            let nothing = Text::own("");
            let said = [(&COMMAND_ADDED, &COMMAND, &nothing), (&COMMAND_DELTA, &k::DELTA, &command)];
            for (kind, key, said) in said.into_iter().chain([(&COMMAND_DONE, &COMMAND, &command)]) {
                self.typed(out, kind, |out| {
                    number(out, &k::OUTPUT_INDEX, index);
                    number(out, &COMMAND_INDEX, at as u64);
                    text(out, key, said);
                })?;
            }
        }
        let item = call.item(&k::COMPLETED)?;
        self.item(out, &ITEM_DONE, index, &item)?;
        self.done.insert(index, item);
        Ok(())
    }

    fn end_call<F: Frames<H>>(&mut self, call: &Call<H>, status: &'static Key, out: &mut F) -> Result<(), Error> {
        let (kind, key) = if call.custom { (&INPUT_DONE, &k::INPUT) } else { (&ARGUMENTS_DONE, &k::ARGUMENTS) };
        let args = call.args.text()?;
        self.typed(out, kind, |out| {
            at(out, call.index, &call.id);
            text(out, key, &args);
            if !call.custom {
                text(out, &k::NAME, &call.name);
            }
        })?;
        let item = call.item(status)?;
        self.item(out, &ITEM_DONE, call.index, &item)?;
        self.done.insert(call.index, item);
        Ok(())
    }
}

/// Writes an event of a type, with its number.
fn numbered<H: Host, K: Sink<H>>(out: &mut K, kind: &'static Key, sequence: u64, said: impl FnOnce(&mut K)) {
    word(out, &k::TYPE, kind);
    number(out, &SEQUENCE_NUMBER, sequence);
    said(out);
}

/// Writes which item an event belongs to.
fn at<H: Host, K: Sink<H>>(out: &mut K, index: u64, id: &Text<H>) {
    number(out, &k::OUTPUT_INDEX, index);
    text(out, &k::ITEM_ID, id);
}

/// Writes which part of the item an event belongs to: there is only one.
fn inside<H: Host, K: Sink<H>>(out: &mut K, index: u64, id: &Text<H>, sort: PartSort) {
    at(out, index, id);
    number(out, if sort == PartSort::Reasoning { &k::SUMMARY_INDEX } else { &k::CONTENT_INDEX }, 0);
}
