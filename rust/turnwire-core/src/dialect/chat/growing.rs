//! A streamed message of the family as far as it came: text, reasoning, calls, and whatever else grows.

use super::super::{frame::wrong_type, read::Keys};
#[allow(clippy::wildcard_imports, reason = "the keys of the family, declared next door")]
use super::*;
use crate::{
    handle::{Text, Value},
    node::NodeKind,
    path::Trail,
    reply::count,
    stream::{
        Event,
        calls::{Calls, Piece, args_text},
        grown::{Fields, Grown, Numbered, add},
        whole::{Map, list, word},
        words::Words,
    },
    value::tree::Tree,
};

keys! {
    EXECUTED_TOOLS = "executed_tools";
    IMAGES = "images";
    EXTRA_CONTENT = "extra_content";
    CHANNEL = "channel";
    SUMMARY = "summary";
    AUDIO = "audio";
    FUNCTION_CALL = "function_call";
    REASONING_CONTENT = "reasoning_content";
    REASONING = "reasoning";
    REASONING_DETAILS = "reasoning_details";
}

/// The message.
pub(crate) struct Growing<H: Host> {
    role: Option<Value<H>>,
    text: Words<H>,
    /// Content that comes in parts, with the text in front of it.
    parts: Vec<Grown<H>>,
    /// Keys of the message that only grow.
    fields: Fields<H>,
    details: Numbered<H>,
    /// What comes again whole: tools that the provider has run, images.
    tools: Numbered<H>,
    images: Numbered<H>,
    calls: Calls<H>,
    /// The one call of the legacy key, which has no id.
    function: Calls<H>,
}

impl<H: Host> Growing<H> {
    pub(crate) fn new() -> Self {
        Self {
            role: None,
            text: Words::default(),
            parts: Vec::new(),
            fields: Fields::default(),
            details: Numbered::default(),
            tools: Numbered::default(),
            images: Numbered::default(),
            calls: Calls::new(true),
            function: Calls::new(false),
        }
    }

    /// The end of the calls. `cut`: whether the reply ended in the middle.
    pub(crate) fn finish(&mut self, cut: bool, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        self.calls.finish(cut, out)?;
        self.function.finish(cut, out)
    }

    pub(crate) fn says_nothing(&self) -> bool {
        self.text.is_empty()
            && self.parts.is_empty()
            && self.calls.list().is_empty()
            && self.fields.said().next().is_none()
    }

    /// Takes what came of it.
    pub(crate) fn delta<S: Source<H = H>>(
        &mut self,
        delta: &S,
        at: &Trail<'_>,
        out: &mut Vec<Event<H>>,
    ) -> Result<(), Error> {
        let mut keys = Keys::of(delta, at)?;
        if let Some(role) = keys.some(&ROLE) {
            self.role = Some(role.raw().to_value(role.input())?);
        }
        let mut thought = false;
        for key in [&REASONING_CONTENT, &REASONING] {
            let Some(node) = keys.some(key) else { continue };
            if let Some(text) = node.text().map(|text| text.detach(delta.input())).filter(|text| !text.is_empty()) {
                // Some servers say the same under both keys.
                if !thought {
                    out.push(Event::Reasoning(text.share()));
                }
                thought = true;
            }
            self.fields.grow(&Text::own(key.name), node.raw().to_value(node.input())?);
        }
        if let Some(details) = keys.some(&REASONING_DETAILS) {
            let details = details.raw().to_value(details.input())?;
            if !thought {
                reasons(&Tree(&details), out);
            }
            self.details.take(&details, true);
        }
        if let Some(content) = keys.some(&CONTENT) {
            self.content(&content, &at.key(CONTENT.name), out)?;
        }
        for (key, list) in [(&EXECUTED_TOOLS, &mut self.tools), (&IMAGES, &mut self.images)] {
            if let Some(node) = keys.some(key) {
                list.take(&node.raw().to_value(node.input())?, false);
            }
        }
        if let Some(calls) = keys.some(&TOOL_CALLS) {
            let at = at.key(TOOL_CALLS.name);
            if calls.kind() != NodeKind::List {
                return Err(wrong_type("a list", &calls, &at));
            }
            for (item, call) in calls.items().enumerate() {
                self.call(&call, &at.index(item), out)?;
            }
        }
        if let Some(function) = keys.some(&FUNCTION_CALL) {
            let at = at.key(FUNCTION_CALL.name);
            let mut keys = Keys::of(&function, &at)?;
            let name = keys.text(&NAME)?.map(|name| name.detach(delta.input()));
            let args = given(keys.some(&ARGUMENTS))?;
            let piece = Piece { index: Some(0), id: None, name, args, custom: false };
            if !piece.says_nothing() {
                self.function.take(piece, out)?;
            }
        }
        // Which channel of the model a piece came from is no part of the message.
        let _ = keys.take(&CHANNEL);
        if let Some(extra) = keys.some(&EXTRA_CONTENT) {
            self.fields.set(&Text::own(EXTRA_CONTENT.name), extra.raw().to_value(extra.input())?);
        }
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            self.fields.grow(&key.detach(delta.input()), value.to_value(delta.input())?);
        }
        Ok(())
    }

    fn content<S: Source<H = H>>(&mut self, content: &S, at: &Trail<'_>, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        if let Some(text) = content.text() {
            if text.is_empty() {
                return Ok(());
            }
            let text = text.detach(content.input());
            out.push(Event::Text(text.share()));
            if self.parts.is_empty() {
                self.text.push(&text, None);
            } else {
                add(&mut self.parts, text_part(text));
            }
            return Ok(());
        }
        if content.kind() != NodeKind::List {
            return Err(wrong_type("a string or a list", content, at));
        }
        for item in content.items() {
            if self.parts.is_empty() && !self.text.is_empty() {
                self.parts.push(Grown::of(text_part(self.text.text()?)));
                self.text = Words::default();
            }
            let item = item.raw().to_value(item.input())?;
            tell(&Tree(&item), out);
            add(&mut self.parts, item);
        }
        Ok(())
    }

    fn call<S: Source<H = H>>(&mut self, call: &S, at: &Trail<'_>, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        let mut keys = Keys::of(call, at)?;
        let input = call.input();
        let index = keys.some(&INDEX).as_ref().and_then(count);
        let id = keys.text(&ID)?.map(|id| id.detach(input));
        let kind = keys.some(&TYPE).and_then(|kind| kind.word().map(|word| word == CUSTOM.name));
        let (custom, inner) = match keys.some(&CUSTOM) {
            Some(inner) => (true, Some(inner)),
            None => (kind.unwrap_or(false), keys.some(&FUNCTION)),
        };
        let inner_at = at.key(if custom { CUSTOM.name } else { FUNCTION.name });
        let (mut name, mut args, mut others) = (None, None, None);
        if let Some(inner) = &inner {
            let mut keys = Keys::of(inner, &inner_at)?;
            name = keys.text(&NAME)?.map(|name| name.detach(input));
            args = given(keys.some(if custom { &INPUT } else { &ARGUMENTS }))?;
            others = keys.extras();
        }
        let extras = keys.extras();
        let piece = Piece { index, id, name, args, custom };
        if piece.says_nothing() && extras.is_none() && others.is_none() {
            return Ok(());
        }
        let call = self.calls.take(piece, out)?;
        for (key, value) in extras.into_iter().flat_map(|extras| *extras) {
            call.fields.set(&key.detach(input), value.to_value(input)?);
        }
        for (key, value) in others.into_iter().flat_map(|others| *others) {
            call.inner.set(&key.detach(input), value.to_value(input)?);
        }
        Ok(())
    }

    /// The message as the provider would have sent it whole. Keys under which nothing was said are left out.
    pub(crate) fn message(&self) -> Result<Value<H>, Error> {
        let mut message = Map::default();
        message.put(&ROLE, self.role.as_ref().map_or_else(|| word(&ASSISTANT), Value::share));
        // Where something else is said, no text is none.
        let asks = !self.calls.list().is_empty() || !self.function.list().is_empty();
        let said = |key: &Key| self.fields.get(key.name).is_some_and(|value| !value.is_empty());
        let content = match (&*self.parts, self.text.is_empty()) {
            ([], true) if asks || said(&REFUSAL) || said(&AUDIO) => Value::Null,
            ([], _) => self.text.value()?,
            (parts, _) => list(parts.iter().map(Grown::value))?,
        };
        message.put(&CONTENT, content);
        message.fields(&self.fields)?;
        for (key, numbered) in
            [(&REASONING_DETAILS, &self.details), (&EXECUTED_TOOLS, &self.tools), (&IMAGES, &self.images)]
        {
            if !numbered.items().is_empty() {
                message.put(key, list(numbered.items().iter().map(Grown::value))?);
            }
        }
        if !self.calls.list().is_empty() {
            let mut calls = Vec::new();
            for call in self.calls.list() {
                let (kind, args) = if call.custom { (&CUSTOM, &INPUT) } else { (&FUNCTION, &ARGUMENTS) };
                let mut inner = Map::default();
                inner.put(&NAME, Value::Text(call.name()?));
                inner.put(args, Value::Text(call.args()?));
                inner.fields(&call.inner)?;
                let mut whole = Map::default();
                whole.put(&ID, call.id.as_ref().map_or(Value::Null, |id| Value::Text(id.share())));
                whole.put(&TYPE, word(kind));
                whole.put(kind, inner.value());
                whole.fields(&call.fields)?;
                calls.push(whole.value());
            }
            message.put(&TOOL_CALLS, Value::List(calls.into()));
        }
        if let Some(call) = self.function.list().first() {
            let mut function = Map::default();
            function.put(&NAME, Value::Text(call.name()?));
            function.put(&ARGUMENTS, Value::Text(call.args()?));
            message.put(&FUNCTION_CALL, function.value());
        }
        Ok(message.value())
    }
}

/// Arguments as text, however they came.
fn given<S: Source>(args: Option<S>) -> Result<Option<Text<S::H>>, Error> {
    match args {
        Some(args) => args_text(&args.raw().to_value(args.input())?),
        None => Ok(None),
    }
}

fn text_part<H: Host>(text: Text<H>) -> Value<H> {
    let mut part = Map::default();
    part.put(&TYPE, word(&TEXT));
    part.put(&TEXT, Value::Text(text));
    part.value()
}

/// Tells of a part of content: text, or Mistral's thinking.
fn tell<H: Host>(part: &Tree<'_, H>, out: &mut Vec<Event<H>>) {
    let kind = part.get(&TYPE);
    match kind.as_ref().and_then(Source::word).as_deref() {
        None => push(part.text(), Event::Text, out),
        Some("text") => push(part.get(&TEXT).and_then(|text| text.text()), Event::Text, out),
        Some("thinking") => {
            for piece in part.get(&THINKING).iter().flat_map(Source::items) {
                push(piece.get(&TEXT).and_then(|text| text.text()), Event::Reasoning, out);
            }
        }
        Some(_) => {}
    }
}

/// Tells of what can be read of OpenRouter's details.
fn reasons<H: Host>(details: &Tree<'_, H>, out: &mut Vec<Event<H>>) {
    for detail in details.items() {
        for key in [&TEXT, &SUMMARY] {
            push(detail.get(key).and_then(|text| text.text()), Event::Reasoning, out);
        }
    }
}

fn push<H: Host>(text: Option<Text<H>>, event: impl FnOnce(Text<H>) -> Event<H>, out: &mut Vec<Event<H>>) {
    out.extend(text.filter(|text| !text.is_empty()).map(event));
}
