//! Describes what a provider's own tools have said in plain text, which a budget may cut in the provider's own format.

use super::value_rule::member;
use crate::value::{Host, Text, Value};

/// The texts in a block of the provider's.
pub(crate) struct PlainOutput {
    /// The type of the block.
    pub(crate) kind: &'static str,
    /// The key of the list that holds them. Empty if there is one text, in the block itself.
    pub(crate) list: &'static str,
    /// The key of a text.
    pub(crate) text: &'static str,
}

impl PlainOutput {
    /// The texts of a block.
    pub(crate) fn texts<H: Host>(&self, block: &Value<H>) -> Vec<Text<H>> {
        let mut texts = Vec::new();
        let _ = self.with_texts(block, |text| {
            texts.push(text.share());
            Ok::<_, ()>(text.share())
        });
        texts
    }

    /// The block with other texts, each given by `other`.
    pub(crate) fn with_texts<H: Host, E>(
        &self,
        block: &Value<H>,
        mut other: impl FnMut(&Text<H>) -> Result<Text<H>, E>,
    ) -> Result<Value<H>, E> {
        if self.list.is_empty() {
            return with(block, self.text, &mut |value| text(value, &mut other));
        }
        with(block, self.list, &mut |value| {
            let Value::List(items) = value else { return Ok(value.share()) };
            let each = items.iter().map(|item| with(item, self.text, &mut |value| text(value, &mut other)));
            Ok(Value::List(each.collect::<Result<Vec<_>, E>>()?.into()))
        })
    }
}

/// What replaces a value.
type Other<'a, H, E> = dyn FnMut(&Value<H>) -> Result<Value<H>, E> + 'a;

/// The object with another value under a key, if it has one there.
fn with<H: Host, E>(object: &Value<H>, key: &str, other: &mut Other<'_, H, E>) -> Result<Value<H>, E> {
    let Value::Map(entries) = object else { return Ok(object.share()) };
    if member(entries, key).is_none() {
        return Ok(object.share());
    }
    let each = entries.iter().map(|(name, value)| {
        let value = if name.is(key, None) { other(value)? } else { value.share() };
        Ok((name.share(), value))
    });
    Ok(Value::Map(each.collect::<Result<Vec<_>, E>>()?.into()))
}

fn text<H: Host, E>(value: &Value<H>, other: &mut impl FnMut(&Text<H>) -> Result<Text<H>, E>) -> Result<Value<H>, E> {
    match value {
        Value::Text(words) => other(words).map(Value::Text),
        value => Ok(value.share()),
    }
}
