//! Assembles a streamed message of the family: text, reasoning, calls, and all other keys.

use super::super::keys as k;
use super::calls::CallsOf;
use crate::{
    dialects::chat::hooks::Chat,
    model::Event,
    report::{Error, Trail},
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys},
    wire::{
        read::{Keys, keys::wrong_type},
        stream::{
            Fields, Grown, Map, Numbered, Told, Words,
            grown::add,
            whole::{kept, list, word},
        },
    },
};

keys! {
    EXECUTED_TOOLS = "executed_tools";
    CHANNEL = "channel";
}

/// The message.
pub(crate) struct Growing<H: Host> {
    /// The keys for reasoning.
    thoughts: &'static [&'static Key],
    /// Other keys with text for the user.
    told: &'static [&'static Key],
    role: Option<Value<H>>,
    text: Words<H>,
    /// Content that arrives in parts, with the text before it.
    parts: Vec<Grown<H>>,
    /// Keys of the message that only grow.
    fields: Fields<H>,
    details: Numbered<H>,
    /// Values that are sent again whole: provider-run tools, images.
    tools: Numbered<H>,
    images: Numbered<H>,
    calls: CallsOf<H>,
}

impl<H: Host> Growing<H> {
    pub(crate) fn new<D: Chat>() -> Self {
        Self {
            thoughts: D::MEMBER.thoughts,
            told: D::MEMBER.told,
            role: None,
            text: Words::default(),
            parts: Vec::new(),
            fields: Fields::default(),
            details: Numbered::default(),
            tools: Numbered::default(),
            images: Numbered::default(),
            calls: CallsOf::new::<D>(),
        }
    }

    /// Ends the calls. `cut`: the reply ended early.
    pub(crate) fn finish(&mut self, cut: bool, out: &mut Told<H>) -> Result<(), Error> {
        self.calls.finish(cut, out)
    }

    /// Whether nothing has been said.
    pub(crate) fn says_nothing(&self) -> bool {
        self.text.is_empty() && self.parts.is_empty() && self.calls.is_empty() && self.fields.said().next().is_none()
    }

    /// Whether no call lacks a part of its arguments.
    pub(crate) fn calls_are_whole(&self) -> bool {
        self.calls.are_whole()
    }

    /// Takes the whole message: what no piece has said.
    pub(crate) fn whole<S: Source<H = H>>(
        &mut self,
        message: &S,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        let mut new = Map::default();
        for (key, value) in message.entries() {
            let key = key.detach(message.input());
            if !self.has(&key) {
                new.entry(key, kept(&value)?);
            }
        }
        self.delta(&Tree(&new.value()), None, at, out)
    }

    /// Whether a piece has said something under a key of the message.
    fn has(&self, key: &Text<H>) -> bool {
        let is = |one: &Key| key.is(one.name, None);
        let has_field = |one: &Key| self.fields.get(one.name).is_some();
        if is(&k::CONTENT) {
            return !self.text.is_empty() || !self.parts.is_empty();
        }
        if is(&k::TOOL_CALLS) || is(&k::FUNCTION_CALL) {
            return !self.calls.is_empty() || self.calls.has_legacy();
        }
        // Some servers repeat the same text under another key.
        if self.thoughts.iter().any(|one| is(one)) {
            return !self.details.items().is_empty() || self.thoughts.iter().any(|one| has_field(one));
        }
        let lists = [(&EXECUTED_TOOLS, &self.tools), (&k::IMAGES, &self.images)];
        lists.iter().any(|(one, list)| is(one) && !list.items().is_empty())
            || self.fields.get(&key.to_str(None)).is_some()
    }

    /// Takes a piece of the message. `index`: the index of the object in an event that has only one.
    pub(crate) fn delta<S: Source<H = H>>(
        &mut self,
        delta: &S,
        index: Option<u64>,
        at: &Trail<'_>,
        out: &mut Told<H>,
    ) -> Result<(), Error> {
        // Most pieces have a single key, so that key is looked up first.
        let alone = |key| delta.get(key).filter(|node| delta.len() == 1 && node.kind() != NodeKind::Null);
        if let Some(content) = alone(&k::CONTENT) {
            return self.content(&content, &at.key(k::CONTENT.name), out);
        }
        if let Some(calls) = alone(&k::TOOL_CALLS) {
            return self.calls.take(&calls, index, &at.key(k::TOOL_CALLS.name), out);
        }
        let mut keys = Keys::of(delta, at)?;
        if let Some(role) = keys.some(&k::ROLE) {
            self.role = Some(kept(&role)?);
        }
        let mut thought = false;
        for key in self.thoughts.iter().filter(|key| key.name != k::REASONING_DETAILS.name) {
            let Some(node) = keys.some(key) else { continue };
            if let Some(text) = node.text().map(|text| text.detached(delta.input())).filter(|text| !text.is_empty()) {
                // Some servers repeat the same text under both keys.
                if !thought {
                    out.push(Event::Reasoning(text.share()));
                }
                thought = true;
            }
            self.fields.grow(&Text::own(key.name), kept(&node)?);
        }
        if let Some(details) = keys.some(&k::REASONING_DETAILS) {
            let details = kept(&details)?;
            if !thought {
                reasons(&Tree(&details), out);
            }
            self.details.take(&details, true);
        }
        for key in self.told {
            let Some(text) = keys.text(key)?.map(|text| text.detached(delta.input())) else { continue };
            if self.fields.get(key.name).is_none() {
                out.divide();
            }
            self.fields.grow(&Text::own(key.name), Value::Text(text.share()));
            push(Some(text), Event::Text, out);
        }
        if let Some(content) = keys.some(&k::CONTENT) {
            self.content(&content, &at.key(k::CONTENT.name), out)?;
        }
        for (key, list) in [(&EXECUTED_TOOLS, &mut self.tools), (&k::IMAGES, &mut self.images)] {
            if let Some(node) = keys.some(key) {
                list.take(&kept(&node)?, false);
            }
        }
        if let Some(calls) = keys.some(&k::TOOL_CALLS) {
            self.calls.take(&calls, index, &at.key(k::TOOL_CALLS.name), out)?;
        }
        if let Some(function) = keys.some(&k::FUNCTION_CALL) {
            self.calls.legacy(&function, &at.key(k::FUNCTION_CALL.name), out)?;
        }
        // The model's channel does not belong to the message.
        let _ = keys.take(&CHANNEL);
        if let Some(extra) = keys.some(&k::EXTRA_CONTENT) {
            self.fields.set(&Text::own(k::EXTRA_CONTENT.name), kept(&extra)?);
        }
        for (key, value) in keys.extras().into_iter().flat_map(|extras| *extras) {
            let value = value.to_value(delta.input())?;
            if let Value::Text(words) = &value
                && key.is(k::REFUSAL.name, delta.input())
                && !words.is_empty()
            {
                out.push_full(|| Some(Event::Refusal(words.share())));
            }
            let one = index.is_some() && matches!(value, Value::Map(_));
            self.fields.grow(&key.detach(delta.input()), if one { Value::List([value].into()) } else { value });
        }
        Ok(())
    }

    fn content<S: Source<H = H>>(&mut self, content: &S, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
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
        for (index, item) in content.items().enumerate() {
            self.divide()?;
            let item = kept(&item)?;
            tell(&Tree(&item), &at.index(index), out)?;
            add(&mut self.parts, item);
        }
        Ok(())
    }

    /// Makes the text so far the first of several parts.
    fn divide(&mut self) -> Result<(), Error> {
        if self.parts.is_empty() && !self.text.is_empty() {
            self.parts.push(Grown::of(text_part(self.text.text()?)));
            self.text = Words::default();
        }
        Ok(())
    }

    /// Takes a piece of one block. The block's first piece has its type.
    fn block<S: Source<H = H>>(&mut self, block: &S, out: &mut Told<H>) -> Result<(), Error> {
        self.divide()?;
        let begins = block.get(&k::TYPE).is_some();
        if begins {
            out.divide();
        }
        for (key, event) in [(&k::TEXT, Event::Text as fn(Text<H>) -> Event<H>), (&k::THINKING, Event::Reasoning)] {
            let Some(text) = block.get(key).and_then(|text| text.text()) else { continue };
            let text = text.detached(block.input());
            push(Some(text.share()), event, out);
            let piece = typed(key, text);
            if begins {
                self.parts.push(Grown::of(piece));
            } else {
                add(&mut self.parts, piece);
            }
        }
        Ok(())
    }

    /// The message as the provider would have sent it in a whole reply, without empty keys.
    pub(crate) fn message(&self) -> Result<Value<H>, Error> {
        let mut message = Map::default();
        message.put(&k::ROLE, self.role.as_ref().map_or_else(|| word(&k::ASSISTANT), Value::share));
        // Beside other parts, empty text counts as none.
        let asks = !self.calls.is_empty() || self.calls.has_legacy();
        let said = |key: &Key| self.fields.get(key.name).is_some_and(|value| !value.is_empty());
        let content = match (&*self.parts, self.text.is_empty()) {
            ([], true) if asks || said(&k::REFUSAL) || said(&k::AUDIO) => Value::Null,
            ([], _) => self.text.value()?,
            (parts, _) => list(parts.iter().map(Grown::value))?,
        };
        message.put(&k::CONTENT, content);
        message.fields(&self.fields)?;
        for (key, numbered) in
            [(&k::REASONING_DETAILS, &self.details), (&EXECUTED_TOOLS, &self.tools), (&k::IMAGES, &self.images)]
        {
            if !numbered.items().is_empty() {
                message.put(key, list(numbered.items().iter().map(Grown::value))?);
            }
        }
        if let Some(calls) = self.calls.whole()? {
            message.put(&k::TOOL_CALLS, calls);
        }
        message.maybe(&k::FUNCTION_CALL, self.calls.legacy_whole()?.as_ref());
        Ok(message.value())
    }
}

/// Whether a message, or a piece of one, says something beside its role.
pub(super) fn says<S: Source>(message: &S) -> bool {
    let said = |value: &S| match value.kind() {
        NodeKind::Null => false,
        NodeKind::Text => value.text().is_some_and(|text| !text.is_empty()),
        NodeKind::List | NodeKind::Map => !value.is_empty(),
        _ => true,
    };
    message.entries().any(|(key, value)| !key.is(k::ROLE.name, message.input()) && said(&value))
}

fn text_part<H: Host>(text: Text<H>) -> Value<H> {
    typed(&k::TEXT, text)
}

fn typed<H: Host>(kind: &'static Key, text: Text<H>) -> Value<H> {
    let mut part = Map::default();
    part.put(&k::TYPE, word(kind));
    part.put(kind, Value::Text(text));
    part.value()
}

/// Reports a part of content: text, or Mistral's thinking.
fn tell<H: Host>(part: &Tree<'_, H>, at: &Trail<'_>, out: &mut Told<H>) -> Result<(), Error> {
    let kind = part.get(&k::TYPE);
    match kind.as_ref().and_then(Source::word).as_deref() {
        None => push(part.text(), Event::Text, out),
        Some("text") => push(Keys::of(part, at)?.text(&k::TEXT)?, Event::Text, out),
        Some("thinking") => {
            let thinking = part.get(&k::THINKING);
            push(thinking.as_ref().and_then(Source::text), Event::Reasoning, out);
            for piece in thinking.iter().flat_map(Source::items) {
                push(piece.get(&k::TEXT).and_then(|text| text.text()), Event::Reasoning, out);
            }
        }
        Some(_) => {}
    }
    Ok(())
}

/// Reports the readable text of OpenRouter's details.
fn reasons<H: Host>(details: &Tree<'_, H>, out: &mut Told<H>) {
    for detail in details.items() {
        for key in [&k::TEXT, &k::SUMMARY] {
            push(detail.get(key).and_then(|text| text.text()), Event::Reasoning, out);
        }
    }
}

fn push<H: Host>(text: Option<Text<H>>, event: impl FnOnce(Text<H>) -> Event<H>, out: &mut Told<H>) {
    out.extend(text.filter(|text| !text.is_empty()).map(event));
}
