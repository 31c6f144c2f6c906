//! Writes a message as one element: its calls, its results or its text.

use super::{ARGUMENTS, BETWEEN, ShareGpt, keys as k};
use std::sync::Arc;

use crate::{
    model::{Role, Tool},
    report::{Edit, Error, Path},
    value::{Host, Key, Piece, Raw, Sink, Text, Value},
    wire::{
        format::Write,
        plan::{Item, Message, Said},
        write::{SystemText, Writer, by_order, call_json, single_text, system, writer::NO_FREE_TEXT},
    },
};

impl Write for ShareGpt {
    /// Writes results before calls. Only a user's turn with both has them in one message.
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let sorted = Sorted::of(message);
        let speaker = match message.role {
            Role::Assistant => &k::GPT,
            Role::System | Role::Developer => &k::SYSTEM,
            Role::User | Role::Tool => &k::HUMAN,
        };
        let (results, calls) = (!sorted.results.is_empty(), !sorted.calls.is_empty());
        if results {
            let said = if calls { &[] } else { &sorted.said[..] };
            element(w, message, &k::OBSERVATION, &[&sorted.results, said].concat(), |w| {
                observation(w, &sorted.results)?;
                beside(w, said, "a result")
            })?;
        }
        if calls {
            let said = sorted.beside_calls(w)?;
            element(w, message, &k::FUNCTION_CALL, &[said, &sorted.calls].concat(), |w| {
                call_json::write(w, sorted.calls.iter().copied(), ARGUMENTS)?;
                beside(w, said, "a call")
            })?;
        }
        if !results && !calls {
            element(w, message, speaker, &sorted.said, |w| single_text::joined(w, &sorted.said))?;
        }
        Ok(())
    }
    fn write_system<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, texts: &[SystemText<'_, H>]) {
        system::joined(w, texts);
    }
    /// Writes the list as JSON text.
    fn write_tools<H: Host, K: Sink<H>>(
        w: &mut Writer<'_, '_, H, K>,
        tools: &[(usize, &Tool<H>)],
    ) -> Result<(), Error> {
        let frame = w.p.conversation.frame;
        let (own, input) = (frame.from.same_wire(w.p.target.id), frame.input.as_ref());
        let mut list = Vec::with_capacity(tools.len());
        for (index, tool) in tools {
            list.push(match &tool.origin {
                Some(origin) if own => w.p.value_of(origin, input)?,
                _ => definition(w, tool, &frame.tool_path(*index))?,
            });
        }
        w.out.raw_as_text(&Raw::Tree(Value::List(list.into())));
        Ok(())
    }
}

/// The items of a message, by kind.
struct Sorted<'i, 'a, H: Host> {
    calls: Vec<&'i Item<'a, H>>,
    results: Vec<&'i Item<'a, H>>,
    said: Vec<&'i Item<'a, H>>,
    /// How many of the texts precede the first call.
    before_calls: usize,
}

impl<'i, 'a, H: Host> Sorted<'i, 'a, H> {
    fn of(message: &'i Message<'a, H>) -> Self {
        let mut sorted = Self { calls: Vec::new(), results: Vec::new(), said: Vec::new(), before_calls: 0 };
        for item in &message.items {
            match item.said {
                Said::Call(_) => sorted.calls.push(item),
                Said::Result(_) => sorted.results.push(item),
                _ => {
                    sorted.said.push(item);
                    sorted.before_calls += usize::from(sorted.calls.is_empty());
                }
            }
        }
        sorted
    }

    /// The texts beside the calls, unless all are blank.
    fn beside_calls<K: Sink<H>>(&self, w: &mut Writer<'_, '_, H, K>) -> Result<&[&'i Item<'a, H>], Error> {
        if self.said.iter().all(|item| item.text().is_some_and(|text| text.is_blank(item.input))) {
            for item in &self.said {
                w.p.silent_lost(item.text().is_some_and(Text::is_empty), w.p.path_of(item))?;
            }
            return Ok(&[]);
        }
        for item in &self.said[self.before_calls..] {
            w.p.losses.changed(Edit::Order, w.p.path_of(item), "the target reads text beside calls before them");
        }
        Ok(&self.said)
    }
}

/// Writes one element. The first element of a turn gets the turn's extra keys.
fn element<'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'a, H>,
    speaker: &'static Key,
    items: &[&Item<'a, H>],
    write: impl FnOnce(&mut Writer<'_, '_, H, K>) -> Result<(), Error>,
) -> Result<(), Error> {
    let is_first = message.items.first().is_none_or(|first| items.iter().any(|item| item.site == first.site));
    w.s.provenance.sources.push(message.sources_of(items.iter().copied()));
    w.out.scope(items.first().and_then(|item| item.input));
    w.out.open_map();
    w.out.key(&k::FROM);
    w.out.literal(speaker);
    w.out.key(&k::VALUE);
    write(w)?;
    if is_first {
        w.message_extras(message);
    }
    w.out.close();
    by_order::wrote(w, items.iter().copied(), message.role == Role::Assistant, false)
}

/// Writes text beside calls or results, under a key that trainers ignore: a side that speaks twice makes them skip the
/// row.
fn beside<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, said: &[&Item<'_, H>], what: &str) -> Result<(), Error> {
    let Some(first) = said.first() else { return Ok(()) };
    let reason = format!("the target has no place for text beside {what}: it is under a key that trainers ignore");
    w.p.losses.changed(Edit::Joined, w.p.path_of(first), reason);
    w.out.key(&k::TEXT);
    single_text::joined(w, said)
}

/// Writes results as one text. A result that contains the separator is read as several.
fn observation<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[&Item<'_, H>]) -> Result<(), Error> {
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let Said::Result(outcome) = &item.said else { continue };
        w.result_name_lost(item, outcome.result)?;
        let text = single_text::of(w, outcome)?;
        if text.to_str(None).contains(BETWEEN) {
            let reason = "this result contains the text that separates results: a reader will read several results";
            w.p.losses.changed(Edit::Joined, w.p.path_of(item), reason);
        }
        texts.push(text);
    }
    let between = |at: usize| (at > 0).then_some(Piece::Str(BETWEEN));
    let pieces = texts.iter().enumerate().flat_map(|(at, text)| [between(at), Some(Piece::Text(text))]);
    match texts.as_slice() {
        [one] => w.out.text(one),
        _ => w.out.pieces(&pieces.flatten().collect::<Vec<_>>()),
    }
    Ok(())
}

/// `{"name", "description"?, "parameters"?}`
fn definition<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, tool: &Tool<H>, at: &Path) -> Result<Value<H>, Error> {
    let input = w.p.conversation.frame.input.as_ref();
    let mut entries = vec![(Text::own("name"), Value::Text(w.p.detached(&tool.name, input)))];
    if let Some(description) = w.description(tool) {
        entries.push((Text::own("description"), Value::Text(w.p.detached(&description, input))));
    }
    if tool.custom {
        w.p.losses.changed(Edit::Tool, at.clone(), NO_FREE_TEXT);
    }
    if let Some(schema) = &tool.schema {
        entries.push((Text::own("parameters"), w.p.value_of(schema, input)?));
    } else {
        w.no_schema(tool, at)?;
    }
    for extra in tool.extras.iter().flat_map(|extras| extras.iter()) {
        w.tool_key_lost(tool, at, (&extra.0, &extra.1))?;
    }
    Ok(Value::Map(Arc::from(entries)))
}
