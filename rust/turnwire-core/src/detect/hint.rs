//! Advises what to do with a payload that no dialect claims: says what it is, or where in it a conversation is.

use crate::k;
use std::collections::VecDeque;

use super::{
    Seen,
    index::{Index, Set},
    input, is_element, list_of, messages, reply,
};
use crate::{
    dialects::table::reply_of,
    rules::DialectId,
    value::{Input, NoHost, NodeKind, Source, Tape, door::keys},
};

keys! {
    TREE = "message_tree_id";
    INTERACTIONS = "interactions";
    REQUEST = "request";
}

/// The most keys on the way to a conversation.
const DEEPEST: usize = 5;
/// The most values that are looked at.
const MOST: usize = 200;

/// The advice for a payload; `None` if nothing is known of it.
#[cold]
pub(super) fn way_out<S: Source>(payload: &S) -> Option<String> {
    let first = || payload.items().find(|element| element.kind() == NodeKind::Map);
    let element = if payload.kind() == NodeKind::List { first() } else { None };
    let one = element.as_ref().unwrap_or(payload);
    let reply = reply::way_out(payload).or_else(|| payload.items().find_map(|element| reply::way_out(&element)));
    reply.or_else(|| input::kind(one)).or_else(|| by_keys(one)).or_else(|| inside(payload))
}

/// What an object is by its keys.
fn by_keys<S: Source>(node: &S) -> Option<String> {
    let is_text = |value: S| value.kind() == NodeKind::Text;
    if node.get(&k::TEXT).is_some_and(is_text) && node.get(&k::ROLE).is_none() && node.get(&k::TYPE).is_none() {
        return Some(", which is plain text without speakers".to_owned());
    }
    if node.get(&TREE).is_some() {
        return Some(", which is an OASST tree: choose one branch of it".to_owned());
    }
    let call = node.get(&INTERACTIONS)?.items().next()?;
    (call.get(&REQUEST).is_some() && call.get(&k::RESPONSE).is_some())
        .then(|| ", which is an HTTP recording (VCR): take the bodies of its requests".to_owned())
}

/// Where a conversation is, or else a reply.
fn inside<S: Source>(payload: &S) -> Option<String> {
    let (mut left, mut reply) = (MOST, None);
    let Some((path, dialect)) = search(payload, &mut left, &mut reply) else {
        let (path, dialect) = reply?;
        let (shown, name) = (path.join("."), dialect.name());
        return Some(format!(", which no dialect claims; {shown:?} holds a reply of {name}, and no conversation"));
    };
    let (shown, at) = (path.join("."), path.iter().all(|key| !key.contains('.')));
    let way = if at { format!(": pass that, or read a file with --at {shown}") } else { String::new() };
    Some(format!(", which no dialect claims; {shown:?} holds a conversation of {}{way}", dialect.name()))
}

/// The path and the dialect of what was found.
type Place = (Vec<String>, DialectId);

/// Where a conversation is, breadth first: through keys, the first item of a list, and text that is JSON. A reply is
/// noted, and nothing in it is a conversation.
fn search<S: Source>(payload: &S, left: &mut usize, reply: &mut Option<Place>) -> Option<Place> {
    let mut waiting = VecDeque::from([(Vec::new(), payload.clone(), false)]);
    while let Some((path, node, listed)) = waiting.pop_front() {
        *left = left.checked_sub(1)?;
        if !path.is_empty()
            && let Some(dialect) = claim(&node)
        {
            return Some((named(path, &node, listed), dialect));
        }
        if let Some(dialect) = reply_of(&node).filter(|_| node.kind() == NodeKind::Map) {
            reply.get_or_insert((path, dialect));
            continue;
        }
        match node.kind() {
            NodeKind::List => waiting.extend(node.items().next().map(|first| (path, first, true))),
            NodeKind::Map if path.len() < DEEPEST => waiting.extend(node.entries().map(|(key, value)| {
                let key = key.to_str(node.input()).into_owned();
                (path.iter().cloned().chain([key]).collect(), value, listed)
            })),
            NodeKind::Text if !path.is_empty() => {
                if let Some((inner, dialect)) = in_text(&node, path.len(), left) {
                    return Some((path.into_iter().chain(inner).collect(), dialect));
                }
            }
            _ => {}
        }
    }
    None
}

/// The path of what was found. The list of a body that is in a list is named, because each body there has one.
fn named<S: Source>(mut path: Vec<String>, node: &S, listed: bool) -> Vec<String> {
    if listed && node.kind() == NodeKind::Map {
        path.extend(list_of(node).map(|(key, _)| key.name.to_owned()));
    }
    path
}

/// What JSON in a text holds.
fn in_text<S: Source>(node: &S, deep: usize, left: &mut usize) -> Option<(Vec<String>, DialectId)> {
    let word = node.word()?;
    let json = word.trim_start();
    if !json.starts_with(['{', '[']) || deep >= DEEPEST {
        return None;
    }
    let tape = Tape::read(&Input::new(json.to_owned())).ok()?;
    let (view, all) = (tape.view(), Set::ALL);
    let root = view.root::<NoHost>();
    match claim_of(&root, all) {
        Some(dialect) => Some((Vec::new(), dialect)),
        None => search(&root, left, &mut None),
    }
}

fn claim<S: Source>(node: &S) -> Option<DialectId> {
    claim_of(node, Index::get().taking_part(None))
}

/// The dialect of a body or a list. An element alone is no conversation.
fn claim_of<S: Source>(node: &S, all: Set) -> Option<DialectId> {
    let first = messages(node)?.items().find(|one| one.kind() == NodeKind::Map)?;
    let seen = Seen::of(node, all).ok().filter(|seen| is_element(&first) && seen.is_signed())?;
    Index::get().choose(seen.whole(), None)
}
