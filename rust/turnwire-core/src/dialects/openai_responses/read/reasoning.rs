//! Reads reasoning: an item that is sent back as a whole or not at all.

use super::super::keys as k;
use std::sync::Arc;

use crate::{
    dialects::openai_responses::items,
    model::{Flaw, Kind, Part, Reasoning, Role, Turn},
    report::{Error, Place},
    rules::block_rule::without_key,
    value::{Host, Key, NodeKind, Raw, Source, Text, Value},
    wire::read::{
        Keys,
        keys::{joined, placed, wrong_type},
    },
};

static NO_ID: Flaw = Flaw::refused("reasoning is known by its id");
static OTHER_ID: Flaw = Flaw::refused("the target refuses this id: reasoning goes without it");
static NO_SHAPE: Flaw = Flaw::refused("reasoning has a list of summaries, and no key that is null or of another type");

/// OpenAI's error text: "Invalid 'input[1].content': array too long. Expected an array with maximum length 0".
static FULL_TEXT: Flaw =
    Flaw::refused("the target takes a summary of reasoning, and no content: reasoning goes without it");

/// Its two lists, with the types of their items.
const LISTS: [(&Key, &Key); 2] = [(&k::SUMMARY, &k::SUMMARY_TEXT), (&k::CONTENT, &k::REASONING_TEXT)];

/// Reads reasoning: its summary, or its full text.
pub(crate) fn read<S: Source>(mut keys: Keys<'_, S>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Assistant;
    let mut texts = Vec::new();
    // The summary is required and all else optional, but nothing may be `null`.
    let mut sound = keys.node.entries().all(|(_, value)| value.kind() != NodeKind::Null);
    let full = keys.node.get(&k::CONTENT).is_some_and(|list| !list.is_empty());
    for (key, kind) in LISTS {
        let Some(list) = keys.some(key) else {
            sound &= !std::ptr::eq(key, &raw const k::SUMMARY);
            continue;
        };
        let at = keys.at.key(key.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        let first = texts.is_empty();
        for (index, element) in list.items().enumerate() {
            let at = at.index(index);
            let text = Keys::of(&element, &at)?.needed_text(&k::TEXT)?;
            sound &= element.get(&k::TYPE).is_some_and(|given| given.word().as_deref() == Some(kind.name));
            texts.extend(first.then_some(text));
        }
    }
    let text = joined(&texts, "\n\n", keys.node.input())?;
    let signed = keys.text(&k::ENCRYPTED_CONTENT)?.is_some_and(|content| !content.is_empty());
    let id = keys.node.get(&k::ID);
    let _ = keys.take(&k::ID);
    let named = id.as_ref().and_then(Source::word).is_some_and(|id| items::fits(k::REASONING.name, &id));
    sound &= keys.take(&k::STATUS).is_none_or(|status| is_state(&status));
    let element = keys.node.clone();
    let mut part = Part { signed, ..placed(Kind::Reasoning(Reasoning { text }), &element, Place::default()) };
    if !named && !signed {
        part.flaw = Some(&NO_ID);
    } else if full || !sound {
        turn.flaw = Some(if full { &FULL_TEXT } else { &NO_SHAPE });
        part.origin = Some(repaired(&element)?);
    }
    // Encrypted reasoning needs no id.
    if !named && signed && id.is_some() {
        turn.flaw = turn.flaw.or(Some(&OTHER_ID));
        part.origin = part.origin.and_then(|origin| without_key(&origin, k::ID.name, element.input()));
    }
    turn.parts.push(part);
    turn.extras = keys.extras();
    Ok(())
}

fn is_state<S: Source>(status: &S) -> bool {
    status.word().is_some_and(|word| items::STATES.contains(&&*word))
}

/// The item in the form that servers take: all of it but the full text, which they take from no client.
fn repaired<S: Source>(element: &S) -> Result<Raw<S::H>, Error> {
    let input = element.input();
    let Value::Map(given) = element.raw().to_value(input)? else { return Ok(element.raw()) };
    let mut made = Vec::with_capacity(given.len() + 1);
    for (key, value) in given.iter() {
        let list = LISTS.iter().find(|(list, _)| key.is(list.name, None));
        let value = match (list, value) {
            (Some((list, _)), Value::List(items)) if list.name == k::CONTENT.name && !items.is_empty() => continue,
            (Some((_, kind)), Value::List(items)) => Value::List(items.iter().map(|item| typed(item, kind)).collect()),
            (Some((list, _)), Value::Null) if list.name == k::SUMMARY.name => Value::List(Arc::default()),
            (_, Value::Null) => continue,
            _ if key.is(k::STATUS.name, None) && element.get(&k::STATUS).is_some_and(|status| !is_state(&status)) => {
                continue;
            }
            (_, value) => value.share(),
        };
        made.push((key.share(), value));
    }
    if !given.iter().any(|(key, _)| key.is(k::SUMMARY.name, None)) {
        made.push((Text::own(k::SUMMARY.name), Value::List(Arc::default())));
    }
    Ok(Raw::Tree(Value::Map(made.into())))
}

/// An item of a list with this type.
fn typed<H: Host>(item: &Value<H>, kind: &Key) -> Value<H> {
    let Value::Map(entries) = item else { return item.share() };
    let others = entries.iter().filter(|(key, _)| !key.is(k::TYPE.name, None));
    let first = (Text::own(k::TYPE.name), Value::Text(Text::own(kind.name)));
    let entries = others.map(|(key, value)| (key.share(), value.share()));
    Value::Map(std::iter::once(first).chain(entries).collect())
}
