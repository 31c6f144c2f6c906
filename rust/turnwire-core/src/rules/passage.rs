//! Reads and writes search results, which are texts with a title and a source, and names the keys of documents.

use super::value_rule::Entry;
use crate::{
    text::replace_surrogates,
    value::{Host, Input, Text, Value},
};

/// How a format spells a search result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassageRule {
    /// Its type, or its only key.
    pub(crate) name: &'static str,
    /// Whether its fields are under its name. Otherwise its type is one of them.
    pub(crate) under_name: bool,
    /// Whether each of its texts says that it is one.
    pub(crate) typed: bool,
    /// Whether only models of the format's family take it.
    pub(crate) of_family: bool,
}

/// The keys of a document that mean the same in each format that lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaperRule {
    /// The key of a text about the document, which the model reads.
    pub(crate) context: &'static str,
    /// All of these keys.
    pub(crate) keys: &'static [&'static str],
}

/// A search result.
pub(crate) struct Passage<H: Host> {
    title: Text<H>,
    source: Text<H>,
    texts: Vec<Text<H>>,
    /// The other keys of the block.
    pub(crate) beside: Vec<Entry<H>>,
    /// The other keys of its texts.
    in_texts: Vec<Text<H>>,
}

const TYPE: &str = "type";
const TEXT: &str = "text";
const TITLE: &str = "title";
const SOURCE: &str = "source";
const CONTENT: &str = "content";
/// Whether the model is to cite the search result.
const CITATIONS: &str = "citations";
const ENABLED: &str = "enabled";

impl PassageRule {
    /// A search result. `None` if the block is none, or holds something other than texts.
    pub(crate) fn read<H: Host>(&self, block: &Value<H>) -> Option<Passage<H>> {
        let (mut title, mut source, mut texts, mut beside) = (None, None, None, Vec::new());
        let mut in_texts = Vec::new();
        for (key, value) in self.fields(block)? {
            match value {
                Value::Text(text) if key.is(TITLE, None) => title = Some(text.share()),
                Value::Text(text) if key.is(SOURCE, None) => source = Some(text.share()),
                Value::List(items) if key.is(CONTENT, None) => {
                    let said = items.iter().map(|item| self.text(item, &mut in_texts));
                    texts = Some(said.collect::<Option<Vec<_>>>()?);
                }
                _ if !self.under_name && key.is(TYPE, None) => {}
                _ => beside.push((key.share(), value.share())),
            }
        }
        Some(Passage { title: title?, source: source?, texts: texts?, beside, in_texts })
    }

    /// A search result in this spelling. It keeps whether the model is to cite it.
    pub(crate) fn written<H: Host>(&self, passage: &Passage<H>) -> Value<H> {
        let text = |text: &Text<H>| {
            let kind = self.typed.then(|| entry(TYPE, Value::Text(Text::own(TEXT))));
            Value::Map(kind.into_iter().chain([entry(TEXT, Value::Text(text.share()))]).collect())
        };
        let cites = passage.beside.iter().filter(|entry| asks_citations(entry).is_some());
        let kind = (!self.under_name).then(|| entry(TYPE, Value::Text(Text::own(self.name))));
        let fields = kind.into_iter().chain([
            entry(SOURCE, Value::Text(passage.source.share())),
            entry(TITLE, Value::Text(passage.title.share())),
            entry(CONTENT, Value::List(passage.texts.iter().map(text).collect())),
        ]);
        let fields = fields.chain(cites.map(|(_, value)| entry(CITATIONS, value.share())));
        self.around(fields.collect())
    }

    /// The block with other texts, which this returns for those that it has. A text that becomes empty is left out.
    pub(crate) fn with_texts<H: Host, E>(
        &self,
        block: &Value<H>,
        mut other: impl FnMut(&Text<H>) -> Result<Text<H>, E>,
    ) -> Result<Option<Value<H>>, E> {
        let Some(fields) = self.fields(block) else { return Ok(None) };
        let mut new = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            let Value::List(items) = value else {
                new.push((key.share(), value.share()));
                continue;
            };
            let mut kept = Vec::with_capacity(items.len());
            for item in items.iter() {
                let Value::Map(entries) = item else { return Ok(None) };
                let mut said = Vec::with_capacity(entries.len());
                let mut empty = false;
                for (key, value) in entries.iter() {
                    let value = match value {
                        Value::Text(text) if key.is(TEXT, None) => {
                            let text = other(text)?;
                            empty = text.is_empty();
                            Value::Text(text)
                        }
                        value => value.share(),
                    };
                    said.push((key.share(), value));
                }
                if !empty {
                    kept.push(Value::Map(said.into()));
                }
            }
            new.push((key.share(), Value::List(kept.into())));
        }
        Ok(Some(self.around(new)))
    }

    /// The fields of a block of this name.
    fn fields<'v, H: Host>(&self, block: &'v Value<H>) -> Option<&'v [Entry<H>]> {
        let Value::Map(entries) = block else { return None };
        if !self.under_name {
            let is_kind = |(key, value): &Entry<H>| {
                key.is(TYPE, None) && matches!(value, Value::Text(word) if word.is(self.name, None))
            };
            return entries.iter().any(is_kind).then_some(entries);
        }
        match &entries[..] {
            [(key, Value::Map(fields))] if key.is(self.name, None) => Some(fields),
            _ => None,
        }
    }

    fn around<H: Host>(&self, fields: Vec<Entry<H>>) -> Value<H> {
        let fields = Value::Map(fields.into());
        if self.under_name { Value::Map([entry(self.name, fields)].into()) } else { fields }
    }

    /// One of its texts. Adds the other keys beside it to `others`.
    fn text<H: Host>(&self, item: &Value<H>, others: &mut Vec<Text<H>>) -> Option<Text<H>> {
        let Value::Map(entries) = item else { return None };
        let mut text = None;
        for (key, value) in entries.iter() {
            match value {
                Value::Text(said) if key.is(TEXT, None) => text = Some(said.share()),
                Value::Text(word) if self.typed && key.is(TYPE, None) => word.is(TEXT, None).then_some(())?,
                _ => others.push(key.share()),
            }
        }
        text
    }
}

impl<H: Host> Passage<H> {
    /// The sizes of its texts in bytes.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.texts.iter().map(|text| text.utf8_len(None)).collect()
    }

    /// The size of its texts in bytes.
    pub(crate) fn size(&self) -> usize {
        self.sizes().iter().sum()
    }

    /// The keys that are lost. `whole`: whether the target gets a search result, not text.
    pub(crate) fn lost(&self, whole: bool) -> impl Iterator<Item = &Text<H>> {
        // The model cites only if it is asked to.
        let says = move |entry: &&Entry<H>| asks_citations(entry).is_none_or(|asks| asks && !whole);
        self.beside.iter().filter(says).map(|(key, _)| key).chain(&self.in_texts)
    }

    /// A line for its title, one for its source, and then its texts.
    pub(crate) fn words(&self) -> Text<H> {
        lines([&self.title, &self.source].into_iter().chain(&self.texts), None)
    }
}

fn entry<H: Host>(key: &'static str, value: Value<H>) -> Entry<H> {
    (Text::own(key), value)
}

/// A line for each of these texts that is not empty.
pub(crate) fn lines<'t, H: Host>(texts: impl IntoIterator<Item = &'t Text<H>>, input: Option<&Input>) -> Text<H> {
    let mut whole = Vec::new();
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        if !whole.is_empty() {
            whole.push(b'\n');
        }
        whole.extend_from_slice(&text.wtf8(input));
    }
    H::text(&whole).unwrap_or_else(|_| Text::own(&replace_surrogates(&whole)))
}

/// Whether a key says that the model is to cite, if it says that or the opposite.
fn asks_citations<H: Host>((key, value): &Entry<H>) -> Option<bool> {
    match value {
        Value::Map(entries) if key.is(CITATIONS, None) => match &entries[..] {
            [(key, Value::Bool(enabled))] if key.is(ENABLED, None) => Some(*enabled),
            _ => None,
        },
        _ => None,
    }
}
