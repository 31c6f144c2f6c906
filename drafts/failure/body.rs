//! Reads the body of an error, whatever came: the shapes of providers, gateways and proxies, plain text, HTML, nothing.

use std::borrow::Cow;

use crate::{
    k,
    value::{Host, Key, NodeKind, Source, Text, Tree, Value, door::keys, json},
};

keys! {
    AWS_TYPE = "__type";
    ERRORS = "errors";
    ERROR_TYPE = "error_type";
    BIG_MESSAGE = "Message";
    ERROR_MESSAGE = "errorMessage";
    METADATA = "metadata";
    RAW = "raw";
    LOC = "loc";
    MSG = "msg";
}

/// The keys under which a message may be.
const SAID: [&Key; 4] = [&k::MESSAGE, &k::DETAIL, &BIG_MESSAGE, &ERROR_MESSAGE];
/// The keys whose words say what an error means.
const WORDS: [&Key; 5] = [&k::CODE, &k::TYPE, &k::STATUS, &AWS_TYPE, &ERROR_TYPE];
/// How many bodies may be in each other: gateways put the body of a provider into their own as text.
const NESTED: u8 = 4;
/// The most characters of a text that is no message of a provider.
const LONGEST: usize = 2_000;

/// What the body of an error says.
#[derive(Debug)]
pub(crate) struct Body<H: Host> {
    /// The message; `None` if there is none.
    pub(crate) message: Option<Text<H>>,
    /// The error's own words for what it means, the outermost first.
    pub(crate) words: Vec<String>,
    /// The status that it names.
    pub(crate) status: Option<u16>,
}

impl<H: Host> Body<H> {
    pub(crate) fn read(value: &Value<H>) -> Self {
        let mut body = Self { message: None, words: Vec::new(), status: None };
        body.take(&Tree(value), NESTED);
        body
    }

    fn take(&mut self, node: &Tree<'_, H>, depth: u8) {
        match node.0 {
            Value::Null => {}
            Value::Text(text) => self.text(text, depth),
            Value::List(items) => match items.first() {
                Some(Value::Map(_)) if !is_places(items) => self.take(&Tree(&items[0]), depth),
                Some(_) => self.message = places(items).or_else(|| as_json(node)),
                None => {}
            },
            Value::Map(_) => self.map(node, depth),
            _ => self.message = as_json(node),
        }
    }

    fn map(&mut self, node: &Tree<'_, H>, depth: u8) {
        let some = |key: &'static Key| node.get(key).filter(|value| value.kind() != NodeKind::Null);
        for key in WORDS {
            let Some(word) = some(key) else { continue };
            if let Some(text) = word.text() {
                let word = text.to_str(None);
                self.words.push(word.rsplit('#').next().unwrap_or(&word).to_owned());
            } else if let Some(number) = word.count().filter(|_| std::ptr::eq(key, &raw const k::CODE)) {
                self.words.push(number.to_string());
                self.status = self.status.or(u16::try_from(number).ok().filter(|status| (400..600).contains(status)));
            }
        }
        if depth == 0 {
            return;
        }
        let inner = [&k::ERROR, &ERRORS].into_iter().find_map(some);
        if let Some(inner) = inner {
            self.take(&inner, depth - 1);
        }
        if self.message.is_none() {
            for said in SAID.into_iter().filter_map(some) {
                self.take(&said, depth - 1);
                if self.message.is_some() {
                    break;
                }
            }
        }
        // A gateway that says nothing itself has the provider's own words beside.
        let generic = |text: &Text<H>| text.is("Provider returned error", None);
        if self.message.as_ref().is_none_or(generic)
            && let Some(raw) = some(&METADATA).and_then(|metadata| metadata.get(&RAW)?.text())
            && !raw.is_blank(None)
        {
            self.text(&raw, depth - 1);
        }
        let says = node.entries().any(|(_, value)| !is_nothing(value.0));
        if self.message.is_none() && inner.is_none() && says {
            self.message = as_json(node);
        }
    }

    /// Reads a text, which may be another body.
    fn text(&mut self, text: &Text<H>, depth: u8) {
        let words = text.to_str(None);
        let trimmed = words.trim();
        if trimmed.is_empty() {
            return;
        }
        if depth > 0 && trimmed.starts_with(['{', '['])
            && let Ok(value) = json::read::value::<H>(trimmed.as_bytes())
        {
            let mut inner = Self::read_in(&value, depth - 1);
            if inner.message.is_some() {
                self.words.append(&mut inner.words);
                self.message = inner.message;
                self.status = self.status.or(inner.status);
                return;
            }
        }
        self.message = match trimmed.starts_with('<') {
            true => title(trimmed).map(|title| Text::own(&title)),
            false if trimmed.chars().nth(LONGEST).is_none() => Some(text.share()),
            false => Some(Text::own(&trimmed.chars().take(LONGEST).collect::<String>())),
        };
    }

    fn read_in(value: &Value<H>, depth: u8) -> Self {
        let mut body = Self { message: None, words: Vec::new(), status: None };
        body.take(&Tree(value), depth);
        body
    }
}

/// Whether a value says nothing.
fn is_nothing<H: Host>(value: &Value<H>) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_blank(None),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Whether a list says what is wrong at which places of the request.
fn is_places<H: Host>(items: &[Value<H>]) -> bool {
    Tree(&items[0]).get(&MSG).is_some()
}

/// The places of a request and what is wrong there, or texts, in a sentence.
fn places<H: Host>(items: &[Value<H>]) -> Option<Text<H>> {
    let one = |item: &Value<H>| -> Option<String> {
        let node = Tree(item);
        if let Some(text) = node.text() {
            return Some(text.to_str(None).into_owned());
        }
        let said = node.get(&MSG)?.text()?.to_str(None).into_owned();
        let place = |step: Tree<'_, H>| match step.text() {
            Some(text) => text.to_str(None).into_owned(),
            None => step.count().map_or_else(String::new, |number| number.to_string()),
        };
        let places: Vec<_> = node.get(&LOC).map(|steps| steps.items().map(place).collect()).unwrap_or_default();
        Some(if places.is_empty() { said } else { format!("{}: {said}", places.join(".")) })
    };
    let said: Vec<_> = items.iter().map(one).collect::<Option<_>>()?;
    let text = said.join("; ");
    (!text.trim().is_empty()).then(|| Text::own(&shortened(&text)))
}

/// A value as JSON text.
fn as_json<H: Host>(node: &Tree<'_, H>) -> Option<Text<H>> {
    let json = json::encode::to_string(&node.raw(), None).ok()?;
    Some(Text::own(&shortened(&json)))
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => text[..at].into(),
        None => text.into(),
    }
}

/// The title of a page.
fn title(page: &str) -> Option<String> {
    let lower = page.to_ascii_lowercase();
    let begin = lower.find("<title")?;
    let begin = begin + lower[begin..].find('>')? + 1;
    let end = begin + lower[begin..].find("</title")?;
    let words: Vec<_> = page.get(begin..end)?.split_whitespace().collect();
    let title = words.join(" ");
    (!title.is_empty()).then(|| shortened(&title).into_owned())
}
