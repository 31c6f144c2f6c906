//! Collects the signs of an element or a body.

use super::{
    block::block,
    index::{Index, Set, Sign},
    sourced::{answers, is_sourced},
};
use crate::k;
use crate::{
    model::Entity,
    report::{Error, Path, error::Code},
    rules::{ArgsForm, Spot},
    value::{Key, NodeKind, Source, door::keys},
};

keys! {
    CLEAR_AT = "clear_at";
    CONFIGURATION_UPDATE = "configuration_update";
    OUTPUT_CONFIG = "output_config";
}

/// The result of a look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The dialects that can read it.
    pub(super) able: Set,
    /// The dialects that also fit its marks.
    pub(super) set: Set,
    /// The dialects that also know it at this position of the list.
    pub(super) own: Set,
    /// The dialects that know it at this position, whatever its marks are.
    pub(super) placed: Set,
    /// Whether it has any sign.
    pub(super) signed: bool,
    /// Whether it has a sign that is not common to all chats.
    pub(super) telling: bool,
    /// The form of its calls' arguments.
    pub(super) args: Option<ArgsForm>,
    /// The dialects whose calls and results may lack the ids that it lacks. They decide only between dialects that know
    /// all of a list, because a missing id may be a mistake.
    pub(super) without_ids: Set,
}

impl Look {
    /// The result for a value that any dialect takes.
    pub(super) const NOTHING: Self = Self {
        able: Set::ALL,
        set: Set::ALL,
        own: Set::ALL,
        placed: Set::ALL,
        signed: false,
        telling: false,
        args: None,
        without_ids: Set::ALL,
    };
}

/// Receives each sign.
pub(super) type See<'a> = &'a mut dyn FnMut(Sign);

/// Which of the dialects in `all` can read this element of a list. `head`: whether it is the first element.
pub(super) fn element<S: Source>(node: &S, head: bool, all: Set, path: impl FnOnce() -> Path) -> Result<Look, Error> {
    let entity = Entity::open(node);
    let message = entity.as_ref().map_or(node, |(body, _)| body);
    candidates(all, path, &|see| element_signs(message, head, see)).map_err(|error| {
        let two = message.get(&k::FROM).is_some() && message.get(&k::ROLE).is_some();
        if two { two_speakers().at_path(error.path().clone()) } else { error }
    })
}

/// The error for an element that names its speaker under two keys.
#[cold]
fn two_speakers() -> Error {
    let text = "expected the speaker under \"from\" or under \"role\", got both: leave out one, and the text that belongs to it";
    Error::new(Code::ConflictingSigns, text)
}

pub(super) fn candidates(all: Set, path: impl FnOnce() -> Path, look: &dyn Fn(See<'_>)) -> Result<Look, Error> {
    let found = every(all, look);
    if found.set.is_empty() { Err(no_dialect(look).at_path(path())) } else { Ok(found) }
}

/// Which of the dialects in `all` know all signs.
pub(super) fn every(all: Set, look: &dyn Fn(See<'_>)) -> Look {
    let mut found = Look { able: all, ..Look::NOTHING };
    let (mut marked, mut placed, mut roles) = (all, all, all);
    let mut untyped = false;
    look(&mut |sign| {
        found.signed = true;
        found.telling |= is_telling(sign);
        if sign.spot == Spot::Args {
            found.args = Some(if sign.word == "text" { ArgsForm::Text } else { ArgsForm::Object });
        }
        let set = match sign.spot {
            Spot::Mark | Spot::Untyped | Spot::Setting => &mut marked,
            Spot::Head => &mut placed,
            Spot::NoId => &mut found.without_ids,
            Spot::Role => &mut roles,
            _ => &mut found.able,
        };
        untyped |= sign.spot == Spot::Untyped;
        *set = set.and(sign.known_by);
    });
    // The role may be the mistake in a message whose parts have no types.
    found.able = match found.able.and(marked) {
        typeless if untyped && !typeless.is_empty() => typeless.and_if_any(roles),
        _ => found.able.and(roles),
    };
    // A mark that other dialects pass along, or a role in the wrong place, must not rule out all dialects. A mark counts
    // only if a dialect that has it also takes the role at the head.
    found.placed = found.able.and(placed);
    found.set = found.able.and_if_any(marked);
    if found.placed.has(Set::ALL) && !found.placed.has(found.set) {
        found.set = found.able;
    }
    found.own = found.set.and_if_any(placed);
    found
}

/// Whether a sign is more than message text.
fn is_telling(sign: Sign) -> bool {
    !matches!(
        (sign.spot, sign.word),
        (Spot::Role | Spot::Head, "user" | "assistant" | "system")
            | (Spot::Key | Spot::Mark, "content")
            | (Spot::Content, _)
            | (Spot::Block | Spot::Text, "text")
    )
}

/// The error for signs that no dialect knows together: two that conflict, or one that is unknown.
#[cold]
#[inline(never)]
fn no_dialect(look: &dyn Fn(See<'_>)) -> Error {
    let index = Index::get();
    let mut signs: Vec<Sign> = Vec::new();
    let mut left = Set::ALL;
    look(&mut |sign| {
        // Only a sign that rules out more dialects matters.
        if !matches!(sign.spot, Spot::Mark | Spot::Untyped | Spot::Setting | Spot::Head | Spot::NoId)
            && left.and(sign.known_by) != left
            && !left.is_empty()
        {
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
            "cannot tell the dialect: {} does not go with {}; name the dialect to read it as",
            say(other),
            say(last)
        ),
        None => format!("cannot tell the dialect: no dialect has {}", say(last)),
    };
    Error::new(Code::ConflictingSigns, text)
}

pub(super) fn describe(sign: &Sign) -> String {
    let word = sign.word;
    match sign.spot {
        Spot::Body | Spot::Setting => format!("the key {word:?} of the body"),
        Spot::Tool => format!("the key {word:?} of a tool"),
        Spot::ProviderTool => format!("the key {word:?} of a tool that the provider runs"),
        Spot::Head => format!("role {word:?} in the first element"),
        Spot::Key => format!("the key {word:?}"),
        Spot::Role => format!("role {word:?}"),
        Spot::Type => format!("type {word:?}"),
        Spot::Content => format!("content that is a {word}"),
        Spot::Block => format!("a block of type {word:?}"),
        Spot::Bare => format!("a block without a type and with the key {word:?}"),
        Spot::Mark => format!("a block with the key {word:?}"),
        Spot::Text => format!("a text block with the key {word:?}"),
        Spot::Source if word == "none" => "media without a source".to_owned(),
        Spot::Source => format!("an image or a document with the key {word:?}"),
        Spot::Result => format!("a result block with the key {word:?}"),
        Spot::Call => format!("a call with the key {word:?}"),
        Spot::Args => format!("arguments that are {word}"),
        Spot::NoId => format!("a {word} without an id"),
        Spot::Untyped => format!("a {word} without a type"),
    }
}

pub(super) fn see(spot: Spot, word: &str, to: See<'_>) {
    if let Some(sign) = Index::get().sign(spot, word) {
        to(sign);
    }
}

/// Reports the first of these keys that the node has. Reads its keys once, because each block of each step is asked.
pub(super) fn see_first<S: Source>(node: &S, spot: Spot, keys: &[&'static Key], to: See<'_>) {
    let mut said = 0_u32;
    node.each_entry(|key, value| {
        if let Some(at) = keys.iter().position(|one| one.name == key) {
            let bit = 1 << at;
            // Of a key that comes twice, the last one counts.
            said = if value.kind() == NodeKind::Null { said & !bit } else { said | bit };
        }
    });
    if let Some(key) = keys.get(said.trailing_zeros() as usize) {
        see(spot, key.name, to);
    }
}

/// Reports a key with the value `null`. SDKs write out unset keys, so it decides only if no other sign does.
pub(super) fn see_null(spot: Spot, word: &str, to: See<'_>) {
    if let Some(sign) = Index::get().sign(spot, word) {
        to(Sign { spot: Spot::Mark, ..sign });
    }
}

/// Calls `each` for the node's keys that have a value.
pub(super) fn said<S: Source>(node: &S, mut each: impl FnMut(&str)) {
    node.each_entry(|key, value| {
        // `null` counts as absent: SDKs write out unset keys.
        if value.kind() != NodeKind::Null {
            each(key);
        }
    });
}

pub(super) fn element_signs<S: Source>(node: &S, head: bool, to: See<'_>) {
    let (mut role, mut id, mut typed, mut bare) = (false, false, false, false);
    let (mut tool, mut named, mut linked) = (false, false, false);
    let (mut called, mut call_id, mut system) = (false, false, false);
    // What the type of an item says counts before its keys, which may have other meanings elsewhere.
    let kind = if node.get(&k::ROLE).is_some() { None } else { node.get(&k::TYPE) };
    let kind = kind.and_then(|kind| Index::get().sign(Spot::Type, &kind.word()?)).map(|sign| sign.known_by);
    let is_elsewhere = |key: &str| {
        let known = || Index::get().sign(Spot::Key, key).map(|sign| sign.known_by);
        kind.is_some_and(|kind| known().is_some_and(|known| kind.and(known).is_empty()))
    };
    node.each_entry(|key, value| {
        if is_elsewhere(key) {
            return;
        }
        if value.kind() == NodeKind::Null {
            return see_null(Spot::Key, key, to);
        }
        match key {
            "id" => id = true,
            "role" | "from" => {
                role = true;
                if let Some(word) = value.word() {
                    tool = word == "tool";
                    system = word == "system";
                    see(Spot::Role, &word, to);
                    if head {
                        see(Spot::Head, &word, to);
                    }
                }
            }
            // Any dialect may have this key, so its value decides.
            "type" => {
                typed = true;
                let word = value.word().unwrap_or_default();
                called = word == "function_call";
                return see(Spot::Type, &word, to);
            }
            "content" => {
                // Blocks have ids of their own.
                linked |= !is_said(value);
                content_signs(value, answers(node), to);
            }
            "name" => named = true,
            "call_id" => call_id = true,
            // No format has both: the text belongs under `content`, and the error says so.
            "text" if node.get(&k::ROLE).is_some() => return,
            "tool_call_id" | "toolCallId" => linked = true,
            // Parts without a type are Gemini's.
            "parts" => {
                let mut untyped = !value.is_empty();
                for part in value.items() {
                    let is_typed = part.get(&k::TYPE).is_some();
                    bare |= !is_typed;
                    untyped &= !is_typed && part.kind() == NodeKind::Map;
                    if is_typed {
                        block(&part, to);
                    }
                }
                if untyped {
                    see(Spot::Untyped, "part", to);
                }
            }
            // All calls of a message have the same form, so only the first one is read.
            "tool_calls" | "toolCalls" => {
                if let Some(call) = value.items().next() {
                    see_first(&call, Spot::Call, &[&k::FUNCTION, &k::CUSTOM, &k::NAME], to);
                    args_sign(&call, to);
                    if call.get(&k::ID).is_none_or(|id| id.kind() == NodeKind::Null) {
                        see(Spot::NoId, "call", to);
                    }
                }
            }
            _ => {}
        }
        see(Spot::Key, key, to);
    });
    if system {
        see_first(node, Spot::Mark, &[&OUTPUT_CONFIG, &CLEAR_AT, &CONFIGURATION_UPDATE], to);
    }
    // Other formats have this key in the result only.
    if called && call_id {
        see(Spot::Mark, "call_id", to);
    }
    if tool && !linked && node.get(&k::CONTENT).is_some() {
        see(Spot::NoId, "result", to);
        if named {
            see(Spot::NoId, "named", to);
        }
    }
    // Where one person of several is named. A result's name is its tool's.
    if role && named && !tool {
        see(Spot::Mark, k::NAME.name, to);
    }
    // An element with a role and an id, and without a type, is a message of a front end. Other formats may have an id
    // beside their own signs.
    if role && id && !typed && !bare {
        see(Spot::Mark, k::ID.name, to);
    }
}

/// Whether content is text, or a list that begins with text.
fn is_said<S: Source>(content: &S) -> bool {
    let kind = content.items().next().and_then(|first| first.get(&k::TYPE)?.word().map(|word| word == "text"));
    content.kind() == NodeKind::Text || kind.unwrap_or(content.kind() == NodeKind::List)
}

fn args_sign<S: Source>(call: &S, to: See<'_>) {
    match call.get(&k::FUNCTION).and_then(|function| function.get(&k::ARGUMENTS)).map(|args| args.kind()) {
        Some(NodeKind::Text) => see(Spot::Args, "text", to),
        Some(NodeKind::Map) => see(Spot::Args, "object", to),
        _ => {}
    }
}

/// `answer`: whether it is that of a result, of which media say nothing.
fn content_signs<S: Source>(content: &S, answer: bool, to: See<'_>) {
    match content.kind() {
        NodeKind::Text => see(Spot::Content, "text", to),
        NodeKind::List => see(Spot::Content, "list", to),
        _ => {}
    }
    for item in content.items().filter(|item| item.kind() == NodeKind::Map && !(answer && is_sourced(item))) {
        block(&item, to);
    }
}
