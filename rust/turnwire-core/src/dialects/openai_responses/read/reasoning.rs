//! Reads reasoning: an item that is sent back as a whole or not at all.

use super::super::keys as k;
use std::sync::Arc;

use crate::{
    dialects::openai_responses::items,
    model::{Flaw, Kind, Part, Reasoning, Role, Turn},
    report::{Error, Place},
    rules::{block_rule::without_key, value_rule::member},
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
static CONTENT_TOO: Flaw = Flaw::refused("the target takes no content in reasoning: only its summary stays");
/// OpenAI's error text, reported once: "Unknown parameter: 'input[1].status'". The SDK's type has it.
static STATUS_TOO: Flaw = Flaw::unsure("some servers refuse the status of reasoning: it goes without");
/// OpenAI keeps what it thought under the id. Where it has given no ids, another server has thought this, and knows it not.
static NOT_STORED: Flaw = Flaw::refused(
    "no server has kept this reasoning: its content is not encrypted, and messages before it have no ids",
);

/// Its two lists, with the types of their items.
const LISTS: [(&Key, &Key); 2] = [(&k::SUMMARY, &k::SUMMARY_TEXT), (&k::CONTENT, &k::REASONING_TEXT)];

/// Reads reasoning: its summary and its full text.
pub(crate) fn read<S: Source>(mut keys: Keys<'_, S>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Assistant;
    let mut texts = Vec::new();
    // The summary is required and all else optional, but nothing may be `null`.
    let mut sound = keys.node.entries().all(|(_, value)| value.kind() != NodeKind::Null);
    let has_items = |key| keys.node.get(key).is_some_and(|list| list.kind() == NodeKind::List && !list.is_empty());
    let content = has_items(&k::CONTENT).then_some(&CONTENT_TOO);
    for (key, kind) in LISTS {
        let Some(list) = keys.some(key) else {
            sound &= !std::ptr::eq(key, &raw const k::SUMMARY);
            continue;
        };
        let at = keys.at.key(key.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        for (index, element) in list.items().enumerate() {
            let at = at.index(index);
            let text = Keys::of(&element, &at)?.needed_text(&k::TEXT)?;
            sound &= element.get(&k::TYPE).is_some_and(|given| given.word().as_deref() == Some(kind.name));
            texts.push(text);
        }
    }
    let text = joined(&texts, "\n\n", keys.node.input())?;
    let signed = keys.text(&k::ENCRYPTED_CONTENT)?.is_some_and(|content| !content.is_empty());
    let id = keys.node.get(&k::ID);
    let _ = keys.take(&k::ID);
    let named = id.as_ref().and_then(Source::word).is_some_and(|id| items::fits(k::REASONING.name, &id));
    let status = keys.take(&k::STATUS);
    sound &= status.as_ref().is_none_or(|status| is_state(status));
    let element = keys.node.clone();
    let mut part = Part { signed, ..placed(Kind::Reasoning(Reasoning { text }), &element, Place::default()) };
    if !named && !signed {
        part.flaw = Some(&NO_ID);
    } else if content.is_some() || !sound || status.is_some() {
        turn.flaw = content.or(Some(if sound { &STATUS_TOO } else { &NO_SHAPE }));
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

/// Refuses reasoning that no server has kept, although it has an id: it is plain text, and messages before it have no ids.
pub(crate) fn settle<H: Host>(turns: &mut [Turn<H>]) {
    let mut is_kept = true;
    for turn in turns {
        let is_plain = turn.flaw.is_some_and(|flaw| std::ptr::eq(flaw, &raw const CONTENT_TOO));
        if let [part @ Part { kind: Kind::Reasoning(_), signed: false, .. }] = turn.parts.as_mut_slice() {
            if is_plain && !is_kept {
                part.flaw = Some(&NOT_STORED);
            }
        } else if turn.role == Role::Assistant && turn.parts.iter().any(|part| matches!(part.kind, Kind::Text(_))) {
            is_kept &= turn.id.is_some();
        }
    }
}

/// The item in the form that servers take: with a summary, and without content and status.
fn repaired<S: Source>(element: &S) -> Result<Raw<S::H>, Error> {
    let input = element.input();
    let Value::Map(given) = element.raw().to_value(input)? else { return Ok(element.raw()) };
    let items = |key: &Key| match member(&given, key.name) {
        Some(Value::List(items)) if !items.is_empty() => Some(items),
        _ => None,
    };
    let said = items(&k::SUMMARY).map_or_else(
        || Value::List(Arc::default()),
        |items| Value::List(items.iter().map(|item| typed(item, &k::SUMMARY_TEXT)).collect()),
    );
    let mut made = Vec::with_capacity(given.len() + 1);
    for (key, value) in given.iter() {
        match value {
            _ if key.is(k::SUMMARY.name, None) => made.push((key.share(), said.share())),
            Value::List(items) if key.is(k::CONTENT.name, None) && !items.is_empty() => {}
            Value::Null => {}
            _ if key.is(k::STATUS.name, None) => {}
            _ => made.push((key.share(), value.share())),
        }
    }
    if !given.iter().any(|(key, _)| key.is(k::SUMMARY.name, None)) {
        made.push((Text::own(k::SUMMARY.name), said));
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
