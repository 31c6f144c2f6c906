//! Reading Converse messages and system text: blocks that are told by the one key they have.

use super::super::{
    frame::wrong_type,
    read::{Keys, args, join_extras, placed, unknown_role},
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    error::Code,
    handle::Text,
    node::NodeKind,
    part::{Extras, Flaw, Inner, Kind, Part, Parts, Reasoning},
    path::Place,
    tool::{Call, Content, ToolResult},
    turn::Role,
    value::Key,
};

/// What a block says, or nothing where only this service knows it.
pub(super) type Read<S> = Result<Option<Kind<<S as Source>::H>>, Error>;

/// What is found inside a block beside what it says.
pub(super) struct Inside<H: Host> {
    /// The key of the block.
    key: &'static str,
    /// Keys that nobody knows.
    extras: Option<Box<Extras<H>>>,
    /// A mark that stands around the whole block.
    mark: Option<Box<Extras<H>>>,
    /// What the servers would refuse.
    flaw: Option<&'static Flaw>,
    /// Whether there is a signature, or what nobody else can read.
    signed: bool,
}

impl<H: Host> Inside<H> {
    fn new() -> Self {
        Self { key: "", extras: None, mark: None, flaw: None, signed: false }
    }

    /// What is left of the keys of an object, once all known ones are taken.
    pub(super) fn add<S: Source<H = H>>(&mut self, keys: Keys<'_, S>) {
        self.flaw = self.flaw.or_else(|| keys.null_but(&[]));
        join_extras(&mut self.extras, keys.extras());
    }
}

static NO_KEY: Flaw = Flaw("a block must have the key that says what it is");
static WRONG_ROLE: Flaw = Flaw("calls are the assistant's and results the user's");
static NO_SYSTEM: Flaw = Flaw("system text is text, guarded or not, and cache points");
static NO_INPUT: Flaw = Flaw("a call without the key of its arguments");
static REPLY_ONLY: Flaw = Flaw("a key that only replies have");
static NO_CONTENT: Flaw = Flaw("a result without the key of its content");
static NO_OBJECT: Flaw = Flaw("JSON in a result is an object");

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let node = keys.needed(&ROLE)?;
    turn.role = match node.word().as_deref() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some(word) => return Err(unknown_role(word, "user, assistant, system", &at.key(ROLE.name))),
        None => return Err(wrong_type("a string", &node, &at.key(ROLE.name))),
    };
    turn.parts = blocks(&keys.needed(&CONTENT)?, CONTENT.name, &at.key(CONTENT.name))?;
    // Nobody else can say these: whoever says them is who may.
    if turn.role.is_system() && turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_) | Kind::Result(_))) {
        let calls = turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_)));
        turn.role = if calls { Role::Assistant } else { Role::User };
        turn.flaw = Some(&WRONG_ROLE);
    }
    turn.extras = keys.extras();
    Ok(())
}

/// Top-level system text, with marks in it.
pub(super) fn system<S: Source>(node: &S, place: &'static str) -> Result<Parts<S::H>, Error> {
    let mut parts = blocks(node, place, &Trail::ROOT)?;
    let strange =
        |part: &&mut Part<S::H>| matches!(&part.kind, Kind::Opaque(name) if !name.is("cachePoint", node.input()));
    parts.iter_mut().filter(strange).for_each(|part| part.flaw = Some(&NO_SYSTEM));
    Ok(parts)
}

/// A list of blocks, under `key`.
fn blocks<S: Source>(node: &S, key: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    let blocks = node.items().enumerate();
    blocks.map(|(item, element)| block(&element, Place::item(key, item), &at.index(item))).collect()
}

/// One block. What is not known is kept as it is, by the name of its key.
fn block<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let mut inside = Inside::new();
    let kind = match keys.text(&TEXT)? {
        Some(text) => Some(Kind::Text(text)),
        None => other(&mut keys, &mut inside)?,
    };
    let Some(kind) = kind else {
        let name = element.entries().next().map(|(key, _)| key);
        let flaw = name.is_none().then_some(&NO_KEY);
        return Ok(Part { flaw, ..placed(Kind::Opaque(name.unwrap_or_else(|| Text::own("block"))), element, place) });
    };
    let mut made = placed(kind, element, place);
    made.flaw = inside.flaw.or_else(|| keys.null_but(&[]));
    made.signed = inside.signed;
    made.inner = Inner::of(inside.key, inside.extras);
    made.extras = keys.extras();
    join_extras(&mut made.extras, inside.mark);
    Ok(made)
}

/// What a block says that is no text.
fn other<S: Source>(keys: &mut Keys<'_, S>, inside: &mut Inside<S::H>) -> Read<S> {
    let at = keys.at;
    let mut under = |key: &'static Key| {
        let found = keys.some(key);
        if found.is_some() {
            inside.key = key.name;
        }
        found.map(|node| (node, at.key(key.name)))
    };
    if let Some((node, at)) = under(&TOOL_USE) {
        return tool_use(&node, &at, inside);
    }
    if let Some((node, at)) = under(&TOOL_RESULT) {
        return tool_result(&node, &at, inside);
    }
    if let Some((node, at)) = under(&REASONING_CONTENT) {
        return reasoning(&node, &at, inside);
    }
    for (class, key) in media::classes() {
        if let Some((node, at)) = under(key) {
            return media::read(&node, class, &at, inside);
        }
    }
    if let Some((node, at)) = under(&GUARD_CONTENT) {
        return guarded(&node, &at, inside);
    }
    if let Some((node, at)) = under(&CITATIONS_CONTENT) {
        return cited(&node, &at, inside);
    }
    Ok(None)
}

/// A call; one with a type of its own is run by the service.
fn tool_use<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    // Replies also name the type of the caller's own calls, for which a request has no word.
    let kind = keys.some(&TYPE);
    if kind.as_ref().is_some_and(|kind| kind.word().as_deref() != Some("tool_use")) {
        return Ok(None);
    }
    let id = keys.needed_text(&TOOL_USE_ID)?;
    let name = keys.needed_text(&NAME)?;
    let input = keys.some(&INPUT);
    inside.flaw = input.is_none().then_some(&NO_INPUT).or(kind.map(|_| &REPLY_ONLY));
    let args = args(input)?;
    inside.add(keys);
    Ok(Some(Kind::Call(Call { id, made_up_id: false, name, args, custom: false, before: None })))
}

/// A result; one with a type of its own was made by the service.
fn tool_result<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    if keys.some(&TYPE).is_some() {
        return Ok(None);
    }
    let id = keys.needed_text(&TOOL_USE_ID)?;
    let error = match keys.text(&STATUS)? {
        None => false,
        Some(status) if status.is(SUCCESS.name, node.input()) => false,
        Some(status) if status.is(ERROR.name, node.input()) => true,
        Some(status) => {
            let got = status.to_str(node.input()).into_owned();
            let text = format!("expected \"success\" or \"error\", got {got:?}");
            return Err(Error::new(Code::WrongType, text).at(&at.key(STATUS.name)));
        }
    };
    let content = match keys.some(&CONTENT) {
        None => {
            inside.flaw = Some(&NO_CONTENT);
            Content::Absent
        }
        Some(list) => Content::blocks(said(&list, &at.key(CONTENT.name))?),
    };
    inside.add(keys);
    Ok(Some(Kind::Result(ToolResult { id, made_up_id: false, name: None, content, error, synthetic: false })))
}

/// The blocks of a result: those of a message, and JSON.
fn said<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    let mut parts = Parts::new();
    for (item, element) in node.items().enumerate() {
        let (place, at) = (Place::item(TOOL_RESULT_CONTENT, item), at.index(item));
        let mut keys = Keys::of(&element, &at)?;
        parts.push(match keys.take(&JSON) {
            Some(value) => {
                let mut part = placed(Kind::Json(value.raw()), &element, place);
                part.flaw = (value.kind() != NodeKind::Map).then_some(&NO_OBJECT);
                part.extras = keys.extras();
                part
            }
            None => block(&element, place, &at)?,
        });
    }
    Ok(parts)
}

/// Where the blocks of a result stand in the block of the message.
const TOOL_RESULT_CONTENT: &str = "toolResult.content";

/// `{"reasoningText": {"text", "signature"?}}`, or `{"redactedContent"}`, which nobody else can read.
fn reasoning<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    if let Some(thought) = keys.some(&REASONING_TEXT) {
        let thought_at = at.key(REASONING_TEXT.name);
        let mut inner = Keys::of(&thought, &thought_at)?;
        let text = inner.text(&TEXT)?;
        inside.signed = inner.text(&SIGNATURE)?.is_some_and(|signature| !signature.is_empty());
        inside.add(inner);
        inside.add(keys);
        return Ok(Some(Kind::Reasoning(Reasoning { text })));
    }
    if keys.some(&REDACTED_CONTENT).is_none() {
        return Ok(None);
    }
    inside.add(keys);
    inside.signed = true;
    Ok(Some(Kind::Reasoning(Reasoning { text: None })))
}

/// `{"text": {"text", "qualifiers"?}}` or `{"image"}`: what the guardrail looks at. Others have no such mark.
fn guarded<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    let kind = if let Some(text) = keys.some(&TEXT) {
        let text_at = at.key(TEXT.name);
        Some(Kind::Text(Keys::of(&text, &text_at)?.needed_text(&TEXT)?))
    } else if let Some(image) = keys.some(&IMAGE) {
        media::read(&image, MediaClass::Image, &at.key(IMAGE.name), &mut Inside::new())?
    } else {
        None
    };
    // All of it is kept, so that it is written inside the mark again.
    inside.mark = Some(Box::new(vec![(Text::own(GUARD_CONTENT.name), node.raw())]));
    Ok(kind)
}

/// `{"content": [{"text"}], "citations"}`: what the model said about documents.
fn cited<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    let Some(list) = keys.some(&CONTENT) else { return Ok(None) };
    let list_at = at.key(CONTENT.name);
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", &list, &list_at));
    }
    let mut texts = Vec::new();
    for (item, element) in list.items().enumerate() {
        let item_at = list_at.index(item);
        let mut inner = Keys::of(&element, &item_at)?;
        texts.extend(inner.text(&TEXT)?);
        inside.add(inner);
    }
    let text = match texts.as_slice() {
        [] => return Ok(None),
        [one] => one.share(),
        several => {
            let whole: Vec<u8> = several.iter().flat_map(|text| text.wtf8(node.input()).into_owned()).collect();
            <S::H as Host>::text(&whole)?
        }
    };
    inside.add(keys);
    Ok(Some(Kind::Text(text)))
}
