//! Looking at an element or a body: every sign that is there, one after the other.

use super::index::{Index, Set, Sign};
use crate::{
    dialect::Spot,
    entity::Entity,
    error::{Code, Error},
    node::NodeKind,
    path::Path,
    value::{Key, Source, keys},
};

keys! {
    TYPE = "type";
    TEXT = "text";
    CONTENT = "content";
    NAME = "name";
    FUNCTION = "function";
    CUSTOM = "custom";
    TOOL_USE_ID = "tool_use_id";
    TOOL_NAME = "tool_name";
    TOOL_CALL_ID = "tool_call_id";
}

/// What a look found: who knows all of it, and whether there was any sign at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) set: Set,
    pub(super) signed: bool,
}

impl Look {
    /// Of something that any dialect takes.
    pub(super) const NOTHING: Self = Self { set: Set::ALL, signed: false };
}

/// Takes each sign.
pub(super) type See<'a> = &'a mut dyn FnMut(Sign);

/// Who can read an element of a list; `head` for the first.
pub(super) fn element<S: Source>(node: &S, head: bool, path: impl FnOnce() -> Path) -> Result<Look, Error> {
    let entity = Entity::open(node);
    let message = entity.as_ref().map_or(node, |(body, _)| body);
    candidates(path, &|see| element_signs(message, head, see))
}

/// Whose body this is, by its own keys and its tools.
pub(super) fn body<S: Source>(node: &S) -> Result<Look, Error> {
    candidates(Path::default, &|see| body_signs(node, see))
}

fn candidates(path: impl FnOnce() -> Path, look: &dyn Fn(See<'_>)) -> Result<Look, Error> {
    let found = every(look);
    if found.set.and(Index::get().readable).is_empty() { Err(nobody(look).at_path(path())) } else { Ok(found) }
}

/// Who knows all of what is seen.
pub(super) fn every(look: &dyn Fn(See<'_>)) -> Look {
    let mut found = Look::NOTHING;
    look(&mut |sign| found = Look { set: found.set.and(sign.known_by), signed: true });
    found
}

/// The error for signs that no dialect knows all of: two that do not go together, or what nobody can read yet.
#[cold]
#[inline(never)]
fn nobody(look: &dyn Fn(See<'_>)) -> Error {
    let index = Index::get();
    let mut signs: Vec<Sign> = Vec::new();
    let mut left = Set::ALL;
    look(&mut |sign| {
        // Only what leaves fewer than before is of interest.
        if left.and(sign.known_by) != left && !left.is_empty() {
            left = left.and(sign.known_by);
            signs.push(sign);
        }
    });
    let say = |sign: &Sign| format!("{} ({})", describe(sign), index.names(sign.known_by));
    let Some((last, before)) = signs.split_last() else {
        return Error::new(Code::NoDialect, "no dialect can be read");
    };
    if !left.is_empty() {
        let text = format!("{} cannot be read yet, and {} says that this is it", index.names(left), describe(last));
        return Error::new(Code::NoDialect, text);
    }
    let other = before.iter().find(|sign| !sign.known_by.has(last.known_by)).or(before.last());
    let text = match other {
        Some(other) => format!(
            "expected the signs of one dialect, got {} and {}: no dialect knows both; name the one to read it as",
            say(other),
            say(last)
        ),
        None => format!("{}: nobody can read it", say(last)),
    };
    Error::new(Code::ConflictingSigns, text)
}

pub(super) fn describe(sign: &Sign) -> String {
    let word = sign.word;
    match sign.spot {
        Spot::Body => format!("the key {word:?} of the body"),
        Spot::Tool => format!("the key {word:?} of a tool"),
        Spot::Head => format!("role {word:?} in the first element"),
        Spot::Key => format!("the key {word:?}"),
        Spot::Role => format!("role {word:?}"),
        Spot::Type => format!("type {word:?}"),
        Spot::Content => format!("content that is a {word}"),
        Spot::Block => format!("a block of type {word:?}"),
        Spot::Bare => format!("a block without a type and with the key {word:?}"),
        Spot::Text => format!("a text block with the key {word:?}"),
        Spot::Result => format!("a result block with the key {word:?}"),
        Spot::Call => format!("a call with the key {word:?}"),
    }
}

fn see(spot: Spot, word: &str, to: See<'_>) {
    if let Some(sign) = Index::get().sign(spot, word) {
        to(sign);
    }
}

/// The first of these keys that the node has.
fn see_first<S: Source>(node: &S, spot: Spot, keys: &[&'static Key], to: See<'_>) {
    if let Some(key) = keys.iter().find(|key| node.get(key).is_some()) {
        see(spot, key.name, to);
    }
}

/// The node's keys that have a value.
fn said<S: Source>(node: &S, mut each: impl FnMut(&str, &S)) {
    for (key, value) in node.entries() {
        // `null` is as good as absent: SDKs write out what was never set.
        if value.kind() != NodeKind::Null {
            each(&key.to_str(node.input()), &value);
        }
    }
}

pub(super) fn element_signs<S: Source>(node: &S, head: bool, to: See<'_>) {
    said(node, |key, value| {
        match key {
            "role" | "from" => {
                if let Some(word) = value.word() {
                    see(Spot::Role, &word, to);
                    if head {
                        see(Spot::Head, &word, to);
                    }
                }
            }
            "type" => see(Spot::Type, &value.word().unwrap_or_default(), to),
            "content" => content_signs(value, to),
            // Who wrote one call wrote them all.
            "tool_calls" | "toolCalls" => {
                if let Some(call) = value.items().next() {
                    see_first(&call, Spot::Call, &[&FUNCTION, &CUSTOM, &NAME], to);
                }
            }
            _ => {}
        }
        see(Spot::Key, key, to);
    });
}

fn content_signs<S: Source>(content: &S, to: See<'_>) {
    match content.kind() {
        NodeKind::Text => see(Spot::Content, "text", to),
        NodeKind::List => see(Spot::Content, "list", to),
        _ => {}
    }
    for item in content.items().filter(|item| item.kind() == NodeKind::Map) {
        block(&item, to);
    }
}

/// The signs of one block of content.
pub(super) fn block<S: Source>(node: &S, to: See<'_>) {
    let kind = node.get(&TYPE);
    let Some(word) = kind.as_ref().and_then(Source::word) else {
        said(node, |key, _| see(Spot::Bare, key, to));
        return;
    };
    see(Spot::Block, &word, to);
    match &*word {
        "text" => see_first(node, Spot::Text, &[&TEXT, &CONTENT], to),
        "tool_result" => {
            for key in [&TOOL_USE_ID, &TOOL_NAME, &TOOL_CALL_ID, &NAME] {
                see_first(node, Spot::Result, &[key], to);
            }
        }
        _ => {}
    }
}

pub(super) fn body_signs<S: Source>(node: &S, to: See<'_>) {
    said(node, |key, value| {
        see(Spot::Body, key, to);
        if key == "tools" {
            for tool in value.items() {
                said(&tool, |key, _| see(Spot::Tool, key, to));
            }
        }
    });
}

/// Whose form a tool definition has.
pub(super) fn tool<S: Source>(node: &S) -> Look {
    every(&|to| said(node, |key, _| see(Spot::Tool, key, to)))
}

/// The words under which an error names the keys of a node.
pub(super) fn keys_of<S: Source>(node: &S) -> String {
    let keys: Vec<_> = node.entries().take(8).map(|(key, _)| format!("{:?}", key.to_str(node.input()))).collect();
    if keys.is_empty() { "no key".to_owned() } else { format!("the keys {}", keys.join(", ")) }
}
