//! What a document is, judged by its first bytes and values, and the records in it.

mod items;
mod other;

use crate::k;
use std::sync::Arc;

pub use self::items::Items;
use self::other::{binary, text};
use super::{
    place::{At, is_object_row},
    scanner::{Found, Piece, Scanner},
};
use crate::{
    detect::detect,
    dialects::table::reply_of,
    layouts::Layout,
    value::{Input, NoHost, NodeKind, Source, Tape, TapeSource, door::keys},
};

keys! {
    LEDGER = "ledger";
}

/// How the records of a document are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each line is a record.
    Lines,
    /// The document is one record.
    Whole,
    /// Each item of the list under these keys is a record.
    Items(Vec<Arc<str>>),
    /// The document is one conversation, a message a line.
    Messages,
    /// The document is a stored history.
    History,
    /// The document is not JSON, but this.
    Other(&'static str),
}

/// The keys of lists of records.
const LISTS: [&str; 8] =
    ["requests", "samples", "simulations", "observations", "data", "rows", "items", "conversations"];
/// Keys of an object that is a record itself, whatever lists are beside them.
const OF_A_RECORD: [&str; 7] = ["messages", "contents", "conversations", "conversation", "traj", "custom_id", "chosen"];
/// How many lines are read to decide.
const LINES: usize = 20;
/// How many bytes of a text that is not JSON are read to decide.
const MOST: usize = 1 << 20;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Decides what a document is by its beginning. `None`: it takes more of it.
#[must_use]
pub fn kind(head: &[u8], is_end: bool, at: &At) -> Option<Kind> {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    if let Some(name) = binary(head, is_end) {
        return Some(Kind::Other(name));
    }
    let Some(first) = head.trim_ascii_start().first() else { return is_end.then_some(Kind::Lines) };
    let (lines, rest) = lines(head, is_end);
    let is_all = lines.len() == LINES || is_end;
    if !matches!(first, b'{' | b'[') {
        return match () {
            () if lines.iter().any(|line| is_row(line)) => Some(Kind::Lines),
            // A number or `null` is JSON: the error of its line says that it is no record.
            () if is_all && lines.iter().all(|line| tape(line.trim_ascii()).is_some()) => Some(Kind::Lines),
            () if !is_all && (head.len() < MOST || matches!(rest.first(), Some(b'{' | b'['))) => None,
            () => Some(Kind::Other(text(&lines))),
        };
    }
    let Some(first) = lines.first() else { return items(head, at) };
    let first = first.trim_ascii();
    if let Some(tape) = tape(first) {
        let is_found = matches!(at, At::Found);
        let is_one = lines.len() == 1 && rest.is_empty();
        let may_be_messages = is_found && (is_message(&tape) || is_of_history(&tape));
        return match () {
            () if !is_end && (is_one || may_be_messages && !is_all) => None,
            () if may_be_messages => Some(messages(&lines, is_end && !head.ends_with(b"\n"))),
            () if is_one => Some(items(head, at).unwrap_or(Kind::Lines)),
            () => Some(Kind::Lines),
        };
    }
    // A document over many lines begins with an incomplete line, and its lines are not rows, except in a list.
    if first.len() > 1 && lines.iter().skip(1).any(|line| is_row(line)) {
        return Some(Kind::Lines);
    }
    if let Some(kind) = items(head, at) {
        return Some(kind);
    }
    if !is_end {
        return None;
    }
    let is_indented = lines.get(1).is_some_and(|line| line.first().is_some_and(u8::is_ascii_whitespace));
    let is_whole = lines.len() > 1 && (is_indented || tape(head).is_some());
    Some(if is_whole { Kind::Whole } else { Kind::Lines })
}

/// The first lines that are whole and not empty, and what is behind them.
fn lines(head: &[u8], is_end: bool) -> (Vec<&[u8]>, &[u8]) {
    let (mut lines, mut rest) = (Vec::new(), head);
    while lines.len() < LINES && !rest.is_empty() {
        let (line, behind) = match memchr::memchr(b'\n', rest) {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None if is_end => (rest, &rest[rest.len()..]),
            None => break,
        };
        if !line.trim_ascii().is_empty() {
            lines.push(line);
        }
        rest = behind;
    }
    (lines, rest.trim_ascii_start())
}

fn tape(json: &[u8]) -> Option<Tape> {
    Tape::read(&Input::new(json.to_vec())).ok()
}

/// Whether a line is an object or a list that is not empty. In a document over many lines, such a line is indented.
fn is_row(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'{' | b'[')) && line.trim_ascii().len() > 2 && tape(line).is_some()
}

type Node<'t> = TapeSource<'t, NoHost>;

/// Whether JSON is a message of some dialect and not a record.
fn is_message(tape: &Tape) -> bool {
    is_element(&tape.view().root())
}

fn is_element(node: &Node<'_>) -> bool {
    if node.kind() != NodeKind::Map || is_object_row(node) || reply_of(node).is_some() {
        return false;
    }
    let is_text = |key| node.get(key).is_some_and(|value| value.kind() == NodeKind::Text);
    is_text(&k::ROLE)
        || is_text(&k::FROM)
        || (is_text(&k::TYPE) && detect(node, None).is_ok())
        || is_message_of_a_layout(node)
}

/// Whether a layout claims a list of nothing but this.
fn is_message_of_a_layout(node: &Node<'_>) -> bool {
    let list = tape(&[b"[", node.json(), b"]"].concat());
    list.is_some_and(|list| Layout::claiming(&list.view().root::<NoHost>()).is_some())
}

/// Whether JSON is a line of a stored history.
fn is_of_history(tape: &Tape) -> bool {
    let view = tape.view();
    let root = view.root::<NoHost>();
    let has = |key| root.get(key).is_some();
    root.kind() == NodeKind::Map
        && (has(&k::DIALECT) && has(&k::ELEMENT) || (has(&k::CLEAR) || has(&LEDGER)) && root.len() == 1)
}

/// Whether JSON may be a line of a later version of turnwire in a stored history.
fn is_later(tape: &Tape) -> bool {
    let view = tape.view();
    let root = view.root::<NoHost>();
    root.kind() == NodeKind::Map && !is_object_row(&root) && root.get(&k::ROLE).is_none()
}

/// What lines are, the first of which is a message, or a line of a stored history. `is_torn`: whether the last one has no
/// line end.
fn messages(lines: &[&[u8]], is_torn: bool) -> Kind {
    let all = |is: fn(&Tape) -> bool| lines.iter().all(|line| tape(line).is_some_and(|tape| is(&tape)));
    // A history may be read while its last line is written, or after that was interrupted.
    let mut of_history = lines.iter().enumerate().filter_map(|(at, line)| match tape(line) {
        Some(tape) => Some(is_of_history(&tape) || at > 0 && is_later(&tape)),
        None => (at == 0 || at + 1 < lines.len() || !is_torn).then_some(false),
    });
    match () {
        () if all(is_message) => Kind::Messages,
        () if of_history.all(|is| is) => Kind::History,
        () => Kind::Lines,
    }
}

/// Whether the document is a list of records, or has one, as far as its beginning tells.
fn items(head: &[u8], at: &At) -> Option<Kind> {
    let is_list = head.trim_ascii_start().first() == Some(&b'[');
    match at {
        At::Keys(keys) if keys.is_empty() => None,
        At::Keys(keys) => {
            let is_of_records = match first_item(head, keys)? {
                First::Empty => is_list,
                First::Item(found, item) => found.matched < keys.len() || is_record(&item),
            };
            is_of_records.then(|| Kind::Items(keys.clone()))
        }
        At::Found if is_list => {
            let is_of_records = match first_item(head, &[])? {
                First::Empty => true,
                First::Item(_, item) => is_record(&item) || item.trim_ascii_start().first() == Some(&b'['),
            };
            is_of_records.then(|| Kind::Items(Vec::new()))
        }
        At::Found => {
            let key = LISTS.iter().filter_map(|key| Some((list_of_records(head, key)?, *key))).min()?.1;
            let is_record = top_keys(head).any(|other| other != key.as_bytes() && is_of_a_record(other));
            (!is_record).then(|| Kind::Items(vec![key.into()]))
        }
    }
}

fn is_of_a_record(key: &[u8]) -> bool {
    OF_A_RECORD.iter().any(|known| known.as_bytes() == key)
}

/// Where the first record begins under a key of the document, if it has such a list.
fn list_of_records(head: &[u8], key: &str) -> Option<usize> {
    memchr::memmem::find(head, format!("\"{key}\"").as_bytes())?;
    match first_item(head, &[key.into()])? {
        First::Item(found, item) if is_claimed(&item) => Some(found.start),
        _ => None,
    }
}

/// The first item of a list, with its bytes.
enum First {
    Empty,
    Item(Found, Vec<u8>),
}

fn first_item(head: &[u8], keys: &[Arc<str>]) -> Option<First> {
    let mut scanner = Scanner::new(keys.to_vec());
    scanner.read(head, 1);
    match scanner.pieces.first() {
        Some(found) if found.piece == Piece::Item(0) => {
            Some(First::Item(*found, head.get(found.start..found.end)?.to_vec()))
        }
        None if scanner.has_empty_list() => Some(First::Empty),
        _ => None,
    }
}

/// Whether JSON is an object and not a message.
fn is_record(json: &[u8]) -> bool {
    match tape(json) {
        Some(tape) => tape.view().root::<NoHost>().kind() == NodeKind::Map && !is_message(&tape),
        // One that is damaged fails by itself.
        None => json.first() == Some(&b'{'),
    }
}

/// Whether JSON is an object that is read as a whole.
fn is_claimed(json: &[u8]) -> bool {
    let Some(tape) = tape(json) else { return false };
    let view = tape.view();
    let root = view.root::<NoHost>();
    root.kind() == NodeKind::Map
        && !is_element(&root)
        && (is_object_row(&root) || Layout::claiming(&root).is_some() || detect(&root, None).is_ok())
}

/// The keys of the document's object, without escapes, as far as its beginning shows them.
fn top_keys(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut depth, mut at, mut awaits) = (0_usize, 0, false);
    std::iter::from_fn(move || {
        while let Some(byte) = head.get(at) {
            at += 1;
            match byte {
                b'{' | b'[' => {
                    depth += 1;
                    awaits = depth == 1;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => awaits = depth == 1,
                b'"' => {
                    let start = at;
                    while let Some(found) = memchr::memchr2(b'"', b'\\', head.get(at..)?) {
                        at += found + 1;
                        if head.get(at - 1) == Some(&b'"') {
                            break;
                        }
                        at += 1;
                    }
                    if std::mem::take(&mut awaits) {
                        return head.get(start..at.saturating_sub(1));
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// The messages of a document of messages, a line each, or of a stored history: a list, and how many lines are left out
/// that were torn or are from a later version.
#[must_use]
pub fn conversation(document: &[u8], is_history: bool) -> (Vec<u8>, usize) {
    let (mut list, mut left) = (vec![b'['], 0);
    for line in document.split_inclusive(|byte| *byte == b'\n') {
        let bare = line.trim_ascii();
        if bare.is_empty() {
            continue;
        }
        let add = |list: &mut Vec<u8>, json: &[u8]| {
            list.extend_from_slice(if list.len() > 1 { b"," } else { b"" });
            list.extend_from_slice(json);
        };
        let Some(tape) = tape(bare).filter(|_| is_history) else {
            // What was torn off while it was written is not a message yet. Other damage is an error.
            if is_history && !line.ends_with(b"\n") {
                left += 1;
            } else {
                add(&mut list, bare);
            }
            continue;
        };
        let view = tape.view();
        let root = view.root::<NoHost>();
        if let Some(element) = root.get(&k::ELEMENT).filter(|_| root.get(&k::DIALECT).is_some()) {
            add(&mut list, element.json());
        } else if root.get(&k::CLEAR).is_some() {
            list.truncate(1);
        } else if root.get(&k::ROLE).is_some() {
            add(&mut list, bare);
        } else {
            left += usize::from(root.get(&LEDGER).is_none());
        }
    }
    list.push(b']');
    (list, left)
}
