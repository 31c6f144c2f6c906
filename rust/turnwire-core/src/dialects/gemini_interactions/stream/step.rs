//! Assembles one step of a streamed reply of Interactions from its start and its deltas.

use super::super::keys as k;
use crate::{
    model::{Event, Telling},
    report::{Error, Trail},
    value::{Host, Key, Source, Text, Tree, Value},
    wire::{
        read::{Keys, keys::elements_of},
        stream::{
            CallInput, Fields, Grown, Map, Told,
            calls::args_text,
            grown,
            whole::{changed, kept, word},
        },
    },
};

/// A step, as much of it as has arrived.
pub(super) struct Step<H: Host> {
    index: u64,
    fields: Fields<H>,
    /// For text and thoughts of the model: the list of its contents, and the event for their text.
    list: Option<(&'static Key, Telling<H>)>,
    /// Whether the caller must run it.
    call: bool,
    input: CallInput<H>,
    stopped: bool,
}

impl<H: Host> Step<H> {
    /// Begins a step, and reports any text in its start.
    pub(super) fn new(index: u64, step: &Value<H>, out: &mut Told<H>) -> Self {
        out.divide();
        let node = Tree(step);
        let kind = node.get(&k::TYPE);
        let kind = kind.as_ref().and_then(Source::word);
        let list: Option<(&'static Key, Telling<H>)> = match kind.as_deref() {
            Some("model_output") => Some((&k::CONTENT, Event::Text)),
            Some("thought") => Some((&k::SUMMARY, Event::Reasoning)),
            _ => None,
        };
        if let Some((key, event)) = list {
            let texts = node.get(key).into_iter().flat_map(|list| {
                list.items().filter(is_text).filter_map(|one| one.get(&k::TEXT)?.text()).collect::<Vec<_>>()
            });
            texts.filter(|text| !text.is_empty()).for_each(|text| out.push(event(text)));
        }
        let call = kind.as_deref() == Some(k::FUNCTION_CALL.name);
        let fields = match Grown::of(step.share()) {
            Grown::Map(fields) => fields,
            _ => Fields::default(),
        };
        let mut input = CallInput::default();
        if let Some(name) = fields.word(&k::NAME).filter(|_| call) {
            input.begin(fields.word(&k::ID).filter(|id| !id.is_empty()), name, out);
        }
        Self { index, fields, list, call, input, stopped: false }
    }

    /// Begins a step with a delta of the type `kind`. `None` if that does not show the type of the step.
    pub(super) fn of_delta(index: u64, kind: &str, out: &mut Told<H>) -> Option<Self> {
        let own = match kind {
            "text" | "text_annotation_delta" | "image" | "audio" | "video" | "document" => k::MODEL_OUTPUT.name,
            "thought_summary" | "thought_signature" => k::THOUGHT.name,
            _ if kind.ends_with("_call") || kind.ends_with("_result") => kind,
            _ => return None,
        };
        let mut step = Map::default();
        step.put(&k::TYPE, Value::Text(Text::own(own)));
        Some(Self::new(index, &step.value(), out))
    }

    /// Whether it has the id of this step.
    pub(super) fn is<S: Source<H = H>>(&self, step: &S) -> bool {
        self.fields.names(step, &k::ID)
    }

    pub(super) fn index(&self) -> u64 {
        self.index
    }

    /// Takes a delta of the type `kind`.
    pub(super) fn grow<S: Source<H = H>>(
        &mut self,
        kind: &str,
        mut keys: Keys<'_, S>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        match (kind, self.list) {
            ("arguments_delta", _) => {
                let piece = keys.some(&k::ARGUMENTS).map(|piece| args_text(&kept(&piece)?)).transpose()?.flatten();
                piece.map_or(Ok(()), |piece| self.input.push(&piece, None, out))
            }
            ("thought_signature", _) => {
                if let Some(signature) = keys.text(&k::SIGNATURE)? {
                    let signature = signature.detached(keys.node.input());
                    self.fields.set(&Text::own(k::SIGNATURE.name), Value::Text(signature.share()));
                    out.push_full(|| Some(Event::Signature(signature)));
                }
                Ok(())
            }
            ("thought_summary", Some(list)) => {
                let content = keys.some(&k::CONTENT).map(|content| kept(&content)).transpose()?;
                content.map_or(Ok(()), |content| self.add(list, content, &keys.at.key(k::CONTENT.name), out))
            }
            // It belongs to the text before it.
            ("text_annotation_delta", Some(list)) => {
                let mut noted = Map::default();
                noted.put(&k::TYPE, word(&k::TEXT));
                noted.put(&k::TEXT, word(&k::EMPTY));
                noted
                    .maybe(&k::ANNOTATIONS, keys.some(&k::ANNOTATIONS).map(|notes| kept(&notes)).transpose()?.as_ref());
                self.add(list, noted.value(), keys.at, out)
            }
            // Every other delta of this list is a content. Text continues the text before it.
            (_, Some(list)) if !kind.is_empty() => self.add(list, kept(keys.node)?, keys.at, out),
            // Server tools send each key whole. Contents are added to those before them.
            _ => {
                let (input, at) = (keys.node.input(), keys.at);
                keys.some(&k::TYPE);
                for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
                    let (key, value) = (key.detach(input), value.to_value(input)?);
                    match self.list.filter(|(list, _)| key.is(list.name, None)) {
                        Some(list) if !matches!(value, Value::Null) => {
                            let at = at.key(list.0.name);
                            elements_of(&Tree(&value)).try_for_each(|one| self.add(list, one.0.share(), &at, out))?;
                        }
                        _ => self.fields.set(&key, value),
                    }
                }
                Ok(())
            }
        }
    }

    /// Adds a content, or more of the text before it.
    fn add(
        &mut self,
        (key, event): (&'static Key, Telling<H>),
        content: Value<H>,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let node = Tree(&content);
        if is_text(&node) {
            let text = Keys::of(&node, at)?.text(&k::TEXT)?.filter(|text| !text.is_empty());
            out.extend(text.map(event));
        }
        match self.fields.at(&Text::own(key.name)) {
            Grown::List(contents) => grown::add(contents, content),
            other => *other = Grown::List(vec![Grown::of(content)]),
        }
        Ok(())
    }

    /// Ends the step. The arguments of a call may go on behind it.
    pub(super) fn stop(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        out.divide();
        self.stopped = true;
        self.tell(false, out)?;
        if self.call && self.input.is_open(self.start()?.as_ref()) { Ok(()) } else { self.end(out) }
    }

    /// Ends a step that has stopped, before the next one: a call without arguments will not get any more.
    pub(super) fn settle(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        self.tell(self.stopped, out)?;
        if self.stopped && self.input.is_empty() { self.end(out) } else { Ok(()) }
    }

    /// Ends a step with the reply. `stops`: whether the server itself ended the reply, which also ends every step.
    pub(super) fn finish(&mut self, all: bool, stops: bool, out: &mut Told<H>) -> Result<(), Error> {
        // Arguments that came in pieces show whether they are complete.
        self.stopped |= stops || !self.input.is_empty();
        self.tell(all, out)?;
        self.end(out)
    }

    fn end(&mut self, out: &mut Told<H>) -> Result<(), Error> {
        if out.is_full() { self.input.end(self.start()?, out) } else { Ok(()) }
    }

    /// Reports a call once it is complete. `all`: whether a call without arguments counts as complete.
    pub(super) fn tell(&mut self, all: bool, out: &mut Told<H>) -> Result<(), Error> {
        if !self.call || !self.stopped {
            return Ok(());
        }
        let start = self.start()?;
        let Some(name) = self.fields.word(&k::NAME) else { return Ok(()) };
        self.input.tell(all, (self.fields.word(&k::ID), name), start, out)
    }

    /// The arguments in its start event.
    fn start(&self) -> Result<Option<Value<H>>, Error> {
        self.fields.get(k::ARGUMENTS.name).map(Grown::value).transpose()
    }

    /// The step as the provider would have sent it in a whole reply.
    pub(super) fn value(&self) -> Result<Value<H>, Error> {
        let mut changes: Vec<_> = self.input.value()?.map(|input| (&k::ARGUMENTS, input)).into_iter().collect();
        if self.call && self.fields.get(k::NAME.name).is_none() {
            changes.push((&k::NAME, word(&k::EMPTY)));
        }
        if self.list.is_some_and(|(key, _)| key.name == k::CONTENT.name) && self.fields.get(k::CONTENT.name).is_none() {
            changes.push((&k::CONTENT, Value::List([].into())));
        }
        Ok(changed(&self.fields.value()?, changes))
    }
}

fn is_text<H: Host>(content: &Tree<'_, H>) -> bool {
    let kind = content.get(&k::TYPE);
    kind.as_ref().and_then(Source::word).is_some_and(|kind| kind == k::TEXT.name)
}
