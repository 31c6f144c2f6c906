//! Reads the calls that a provider ran, and what is readable of their results, by a format's own description of them.

use super::value_rule::{Entry, member};
use crate::value::{Host, Source, Text, Tree, Value, json};

/// How a format spells a call that the provider ran, its result, or both in one block.
pub(crate) struct ServedRule {
    /// Its types, with blanks between them. A `*` at the end stands for any end.
    pub(crate) types: &'static str,
    /// The key that must be `true`. Empty if the type alone says that the provider ran it.
    pub(crate) flag: &'static str,
    /// Whether its fields are under its type, which is its only key.
    pub(crate) under_type: bool,
    /// The key of the id that a call and its result share. Empty if the result is the next one, or in the same block.
    pub(crate) id: &'static str,
    /// Its name and its input. `None` if it is only a result.
    pub(crate) call: Option<ServedCall>,
    /// What is readable of its result.
    pub(crate) result: &'static [Readable],
}

/// The name and the input of a call.
pub(crate) struct ServedCall {
    pub(crate) name: Named,
    /// The key of the input. Empty if the input is in the block itself.
    pub(crate) input: &'static str,
    /// The keys of the input, with blanks between them. Empty for all of it.
    pub(crate) keys: &'static str,
}

/// What a call is named after.
pub(crate) enum Named {
    /// The text under this key.
    Key(&'static str),
    /// Its type, without this beginning and this end.
    Type(&'static str, &'static str),
    /// Always this.
    Word(&'static str),
}

/// What is readable at one place of a result.
pub(crate) struct Readable {
    /// The keys that lead there, with dots between them. Empty for the block itself.
    pub(crate) at: &'static str,
    /// The places there that are read, with blanks between them, each in its own line: keys with dots between them. `a@b`
    /// is what is at `a` if its type is `b`; `a!b` is what is at `a` unless it is `b`; `*` is all that is there, if nothing
    /// else of it is readable.
    pub(crate) fields: &'static str,
}

/// A call that the provider ran, a result, or both.
pub(crate) struct Served<H: Host> {
    /// The id that a call and its result share.
    pub(crate) id: Option<Text<H>>,
    /// The name and the input.
    pub(crate) call: Option<String>,
    /// The readable lines of a result.
    pub(crate) lines: Vec<Text<H>>,
    /// Whether a result holds something that is not readable, such as an image.
    pub(crate) more: bool,
}

impl ServedRule {
    /// Reads a block of this type. `None` if its rule describes other blocks.
    pub(crate) fn read<H: Host>(&self, kind: &str, block: &Value<H>) -> Option<Served<H>> {
        let is = |word: &str| word.strip_suffix('*').map_or(word == kind, |begin| kind.starts_with(begin));
        if !self.types.split(' ').any(is) {
            return None;
        }
        let ran = || matches!(under(block, self.flag), Some(Value::Bool(true)));
        if !self.flag.is_empty() && !ran() {
            return None;
        }
        let block = if self.under_type { under(block, kind)? } else { block };
        let id = under(block, self.id).and_then(text);
        let call = match &self.call {
            Some(call) => Some(call.words(kind, block)?),
            None => None,
        };
        let (mut lines, mut more) = (Vec::new(), false);
        for readable in self.result {
            readable.add(block, &mut lines, &mut more);
        }
        Some(Served { id, call, lines, more })
    }
}

impl ServedCall {
    /// The name, a blank, and the input as JSON.
    fn words<H: Host>(&self, kind: &str, block: &Value<H>) -> Option<String> {
        let name = match self.name {
            Named::Key(key) => text(under(block, key)?)?.to_str(None).into_owned(),
            Named::Type(begin, end) => {
                let name = kind.strip_prefix(begin).unwrap_or(kind);
                name.strip_suffix(end).unwrap_or(name).to_owned()
            }
            Named::Word(word) => word.to_owned(),
        };
        let is_input = |(key, value): &&Entry<H>| {
            !matches!(value, Value::Null) && self.keys.split(' ').any(|known| key.is(known, None))
        };
        let input = match at(block, self.input) {
            // Some formats have the input as JSON text.
            Some(Value::Text(json)) => json.to_str(None).into_owned(),
            Some(Value::Map(all)) if !self.keys.is_empty() => {
                let kept = all.iter().filter(is_input).map(|(key, value)| (key.share(), value.share()));
                as_json(&Value::Map(kept.collect()))?
            }
            Some(given) => as_json(given)?,
            None => "{}".to_owned(),
        };
        Some(format!("{name} {input}"))
    }
}

impl Readable {
    /// Adds the readable lines at this place. Sets `more` if an item there has none.
    fn add<H: Host>(&self, block: &Value<H>, lines: &mut Vec<Text<H>>, more: &mut bool) {
        let Some(found) = at(block, self.at) else { return };
        match found {
            Value::List(items) => {
                for item in items.iter() {
                    let before = lines.len();
                    self.add_item(item, lines);
                    *more |= lines.len() == before;
                }
            }
            item => self.add_item(item, lines),
        }
    }

    fn add_item<H: Host>(&self, item: &Value<H>, lines: &mut Vec<Text<H>>) {
        if !matches!(item, Value::Map(_) | Value::List(_)) {
            lines.extend(line(item));
            return;
        }
        let before = lines.len();
        for field in self.fields.split(' ') {
            let (field, unless) = field.split_once('!').map_or((field, None), |(field, word)| (field, Some(word)));
            let found = field.split('.').try_fold(item, |at, step| {
                let (key, kind) = step.split_once('@').map_or((step, None), |(key, kind)| (key, Some(kind)));
                let next = under(at, key)?;
                let is = |kind: &str| under(next, "type").and_then(text).is_some_and(|word| word.is(kind, None));
                kind.is_none_or(is).then_some(next)
            });
            let found = if field == "*" { Some(item).filter(|_| lines.len() == before) } else { found };
            let said = found.and_then(line).filter(|text| unless.is_none_or(|word| !text.is(word, None)));
            lines.extend(said);
        }
    }
}

/// A value as a line: a text as it is, anything else as JSON. `None` for what says nothing.
fn line<H: Host>(value: &Value<H>) -> Option<Text<H>> {
    match value {
        Value::Text(text) => (!text.is_blank(None)).then(|| text.share()),
        Value::Null => None,
        other => as_json(other).filter(|json| json != "0").map(|json| Text::own(&json)),
    }
}

fn as_json<H: Host>(value: &Value<H>) -> Option<String> {
    json::encode::to_string(&Tree(value).raw(), None).ok()
}

/// What is at these keys, with dots between them: the value itself if there are none.
fn at<'v, H: Host>(value: &'v Value<H>, keys: &str) -> Option<&'v Value<H>> {
    keys.split('.').filter(|key| !key.is_empty()).try_fold(value, under)
}

/// What is under a key of an object.
fn under<'v, H: Host>(value: &'v Value<H>, key: &str) -> Option<&'v Value<H>> {
    if let Value::Map(entries) = value { member(entries, key) } else { None }
}

fn text<H: Host>(value: &Value<H>) -> Option<Text<H>> {
    if let Value::Text(text) = value { Some(text.share()) } else { None }
}
