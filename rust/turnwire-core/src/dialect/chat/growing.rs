//! A streamed message of the family as far as it came: text, reasoning, calls, and whatever else grows.

use super::super::frame::wrong_type;
#[allow(clippy::wildcard_imports, reason = "the keys and types of the family, declared next door")]
use super::*;
use crate::{
    stream::{
        Event,
        calls::{Calls, Piece, args_text},
        grown::{Fields, Grown, Numbered, add},
        whole::{Map, kept, list, word},
        words::Words,
    },
    tool::Args,
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
    /// The keys under which it says what the model thinks.
    thoughts: &'static [&'static Key],
    /// Other keys whose words are said to the user.
    told: &'static [&'static Key],
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
    /// The calls as they came, where each comes whole, with its arguments as an object, and may do without an id.
    whole: Option<Vec<Value<H>>>,
}

impl<H: Host> Growing<H> {
    pub(crate) fn new<D: Chat>() -> Self {
        Self {
            thoughts: D::THOUGHTS,
            told: D::TOLD,
            role: None,
            text: Words::default(),
            parts: Vec::new(),
            fields: Fields::default(),
            details: Numbered::default(),
            tools: Numbered::default(),
            images: Numbered::default(),
            calls: Calls::new(true),
            function: Calls::new(false),
            whole: D::WHOLE_CALLS.then(Vec::new),
        }
    }

    /// The end of the calls. `cut`: whether the reply ended in the middle.
    pub(crate) fn finish(&mut self, cut: bool, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        // The legacy key holds one call, and a server that sends several means several.
        if self.function.list().len() > 1 {
            self.calls.append(&mut self.function);
        }
        self.calls.finish(cut, out)?;
        self.function.finish(cut, out)
    }

    pub(crate) fn says_nothing(&self) -> bool {
        self.text.is_empty()
            && self.parts.is_empty()
            && self.calls.list().is_empty()
            && self.fields.said().next().is_none()
    }

    /// Takes what came of it. `index`: of an event that has one thing under a key, the index of that thing.
    pub(crate) fn delta<S: Source<H = H>>(
        &mut self,
        delta: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Vec<Event<H>>,
    ) -> Result<(), Error> {
        // Most hold one thing alone, which is looked for first.
        let alone = |key| delta.get(key).filter(|node| delta.len() == 1 && node.kind() != NodeKind::Null);
        if let Some(content) = alone(&CONTENT) {
            return self.content(&content, &at.key(CONTENT.name), out);
        }
        if let Some(calls) = alone(&TOOL_CALLS) {
            return self.calls(&calls, index, &at.key(TOOL_CALLS.name), out);
        }
        let mut keys = Keys::of(delta, at)?;
        if let Some(role) = keys.some(&ROLE) {
            self.role = Some(kept(&role)?);
        }
        let mut thought = false;
        for key in self.thoughts.iter().filter(|key| key.name != REASONING_DETAILS.name) {
            let Some(node) = keys.some(key) else { continue };
            if let Some(text) = node.text().map(|text| text.detached(delta.input())).filter(|text| !text.is_empty()) {
                // Some servers say the same under both keys.
                if !thought {
                    out.push(Event::Reasoning(text.share()));
                }
                thought = true;
            }
            self.fields.grow(&Text::own(key.name), kept(&node)?);
        }
        if let Some(details) = keys.some(&REASONING_DETAILS) {
            let details = kept(&details)?;
            if !thought {
                reasons(&Tree(&details), out);
            }
            self.details.take(&details, true);
        }
        for key in self.told {
            let Some(text) = keys.text(key)?.map(|text| text.detached(delta.input())) else { continue };
            self.fields.grow(&Text::own(key.name), Value::Text(text.share()));
            push(Some(text), Event::Text, out);
        }
        if let Some(content) = keys.some(&CONTENT) {
            self.content(&content, &at.key(CONTENT.name), out)?;
        }
        for (key, list) in [(&EXECUTED_TOOLS, &mut self.tools), (&IMAGES, &mut self.images)] {
            if let Some(node) = keys.some(key) {
                list.take(&kept(&node)?, false);
            }
        }
        if let Some(calls) = keys.some(&TOOL_CALLS) {
            self.calls(&calls, index, &at.key(TOOL_CALLS.name), out)?;
        }
        if let Some(function) = keys.some(&FUNCTION_CALL) {
            let at = at.key(FUNCTION_CALL.name);
            let mut keys = Keys::of(&function, &at)?;
            let name = keys.text(&NAME)?.map(|name| name.detached(delta.input()));
            let args = given(keys.some(&ARGUMENTS))?;
            let piece = Piece { index: Some(0), id: None, name, args, custom: false };
            if !piece.says_nothing() {
                self.function.take(piece, out)?;
            }
        }
        // Which channel of the model a piece came from is no part of the message.
        let _ = keys.take(&CHANNEL);
        if let Some(extra) = keys.some(&EXTRA_CONTENT) {
            self.fields.set(&Text::own(EXTRA_CONTENT.name), kept(&extra)?);
        }
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            let value = value.to_value(delta.input())?;
            let one = index.is_some() && matches!(value, Value::Map(_));
            self.fields.grow(&key.detach(delta.input()), if one { Value::List([value].into()) } else { value });
        }
        Ok(())
    }

    fn calls<S: Source<H = H>>(
        &mut self,
        calls: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Vec<Event<H>>,
    ) -> Result<(), Error> {
        match calls.kind() {
            NodeKind::List => {
                calls.items().enumerate().try_for_each(|(item, call)| self.call(&call, None, &at.index(item), out))
            }
            NodeKind::Map => self.call(calls, index, at, out),
            _ => Err(wrong_type("a list", calls, at)),
        }
    }

    fn content<S: Source<H = H>>(&mut self, content: &S, at: &Trail<'_>, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        if let Some(text) = content.text() {
            if text.is_empty() {
                return Ok(());
            }
            let text = text.detached(content.input());
            out.push(Event::Text(text.share()));
            if self.parts.is_empty() {
                self.text.push(&text, None);
            } else {
                add(&mut self.parts, text_part(text));
            }
            return Ok(());
        }
        if content.kind() == NodeKind::Map {
            return self.block(content, out);
        }
        if content.kind() != NodeKind::List {
            return Err(wrong_type("a string or a list", content, at));
        }
        for item in content.items() {
            self.divide()?;
            let item = kept(&item)?;
            tell(&Tree(&item), out);
            add(&mut self.parts, item);
        }
        Ok(())
    }

    /// The text so far becomes the first of several parts.
    fn divide(&mut self) -> Result<(), Error> {
        if self.parts.is_empty() && !self.text.is_empty() {
            self.parts.push(Grown::of(text_part(self.text.text()?)));
            self.text = Words::default();
        }
        Ok(())
    }

    /// Takes a piece of one block. The first one says its type.
    fn block<S: Source<H = H>>(&mut self, block: &S, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        self.divide()?;
        for (key, event) in [(&TEXT, Event::Text as fn(Text<H>) -> Event<H>), (&THINKING, Event::Reasoning)] {
            let Some(text) = block.get(key).and_then(|text| text.text()) else { continue };
            let text = text.detached(block.input());
            push(Some(text.share()), event, out);
            let piece = typed(key, text);
            if block.get(&TYPE).is_some() {
                self.parts.push(Grown::of(piece));
            } else {
                add(&mut self.parts, piece);
            }
        }
        Ok(())
    }

    /// Takes a piece of a call. `index`: which one, where what is around the piece says it.
    pub(crate) fn call<S: Source<H = H>>(
        &mut self,
        call: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Vec<Event<H>>,
    ) -> Result<(), Error> {
        if self.whole.is_some() {
            return self.whole_call(call, at, out);
        }
        let mut keys = Keys::of(call, at)?;
        let input = call.input();
        let index = keys.some(&INDEX).as_ref().and_then(Source::count).or(index);
        let id = keys.text(&ID)?.map(|id| id.detached(input));
        let kind = keys.some(&TYPE).and_then(|kind| kind.word().map(|word| word == CUSTOM.name));
        let (custom, inner) = match keys.some(&CUSTOM) {
            Some(inner) => (true, Some(inner)),
            None => (kind.unwrap_or(false), keys.some(&FUNCTION)),
        };
        let inner_at = at.key(if custom { CUSTOM.name } else { FUNCTION.name });
        let (mut name, mut args, mut others) = (None, None, None);
        if let Some(inner) = &inner {
            let mut keys = Keys::of(inner, &inner_at)?;
            name = keys.text(&NAME)?.map(|name| name.detached(input));
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

    fn whole_call<S: Source<H = H>>(&mut self, call: &S, at: &Trail<'_>, out: &mut Vec<Event<H>>) -> Result<(), Error> {
        let mut keys = Keys::of(call, at)?;
        let input = call.input();
        let function = keys.needed(&FUNCTION)?;
        let at = at.key(FUNCTION.name);
        let mut inner = Keys::of(&function, &at)?;
        let name = inner.needed_text(&NAME)?.detach(input);
        let id = keys.text(&ID)?.map(|id| id.detached(input)).filter(|id| !id.is_empty());
        if let Some(args) = inner.some(&ARGUMENTS).filter(|args| args.kind() == NodeKind::Map) {
            let args = Args::Value(Raw::Tree(args.raw().to_value(input)?));
            out.push(Event::Call { id, name, args });
        }
        if let Some(whole) = &mut self.whole {
            whole.push(call.raw().to_value(input)?);
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
        if let Some(calls) = self.tool_calls()? {
            message.put(&TOOL_CALLS, calls);
        }
        if let Some(call) = self.function.list().first() {
            let mut function = Map::default();
            function.put(&NAME, Value::Text(call.name()?));
            function.put(&ARGUMENTS, Value::Text(call.args()?));
            message.put(&FUNCTION_CALL, function.value());
        }
        Ok(message.value())
    }

    /// The calls, where there are any.
    pub(crate) fn tool_calls(&self) -> Result<Option<Value<H>>, Error> {
        if let Some(whole) = self.whole.as_ref().filter(|whole| !whole.is_empty()) {
            return Ok(Some(Value::List(whole.iter().map(Value::share).collect())));
        }
        if self.calls.list().is_empty() {
            return Ok(None);
        }
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
        Ok(Some(Value::List(calls.into())))
    }
}

/// Arguments as text, however they came.
fn given<S: Source>(args: Option<S>) -> Result<Option<Text<S::H>>, Error> {
    match args {
        Some(args) => args_text(&kept(&args)?),
        None => Ok(None),
    }
}

fn text_part<H: Host>(text: Text<H>) -> Value<H> {
    typed(&TEXT, text)
}

fn typed<H: Host>(kind: &'static Key, text: Text<H>) -> Value<H> {
    let mut part = Map::default();
    part.put(&TYPE, word(kind));
    part.put(kind, Value::Text(text));
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
