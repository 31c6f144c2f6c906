//! Cuts long strings in arguments. The keys stay, and the result is still JSON.

use super::text;
use crate::{
    model::Args,
    report::Error,
    text::Units,
    value::{
        Host, Input, Raw, Text, Value,
        json::{encode, escape},
    },
};

/// Appends the size of each string value in the order of the text.
pub(super) fn sizes<H: Host>(value: &Value<H>, out: &mut Vec<usize>) {
    match value {
        Value::Text(text) => out.push(written(text, None)),
        Value::List(items) => items.iter().for_each(|item| sizes(item, out)),
        Value::Map(entries) => entries.iter().for_each(|(_, item)| sizes(item, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Leaf(_) => {}
    }
}

/// The value with each string cut to its share, in the same order.
pub(super) fn cut<H: Host>(value: &Value<H>, share: &mut dyn FnMut() -> usize) -> Result<Value<H>, Error> {
    Ok(match value {
        Value::Text(text) => Value::Text(string(text, share(), None)?),
        Value::List(items) => Value::List(items.iter().map(|item| cut(item, share)).collect::<Result<_, _>>()?),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, item)| Ok((key.share(), cut(item, share)?)));
            Value::Map(entries.collect::<Result<_, Error>>()?)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Leaf(_) => value.share(),
    })
}

/// Arguments in the same form as the original ones: a value, or JSON text.
pub(super) fn like<H: Host>(args: &Args<H>, value: Value<H>) -> Result<Args<H>, Error> {
    let value = Raw::Tree(value);
    Ok(match args {
        Args::Text(_) => Args::Text(Text::own(&encode::to_string(&value, None)?)),
        Args::Value(_) => Args::Value(value),
    })
}

/// The bytes of a string in JSON, without its quotes.
pub(super) fn written<H: Host>(text: &Text<H>, input: Option<&Input>) -> usize {
    let mut out = Vec::new();
    escape::body(Units::Utf8(&text.wtf8(input)), &mut out);
    out.len()
}

/// The string cut to at most `max_bytes` in JSON, where some characters take more than one byte.
pub(super) fn string<H: Host>(words: &Text<H>, max_bytes: usize, input: Option<&Input>) -> Result<Text<H>, Error> {
    if written(words, input) <= max_bytes {
        return Ok(words.share());
    }
    let (mut fits, mut over) = (0, max_bytes + 1);
    let mut best = text(words, 0, input)?;
    let mut most = max_bytes;
    while most > fits {
        let new = text(words, most, input)?;
        if written(&new, input) <= max_bytes {
            (fits, best) = (most, new);
        } else {
            over = most;
        }
        most = fits + (over - fits) / 2;
    }
    Ok(best)
}
