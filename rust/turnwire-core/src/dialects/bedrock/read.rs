//! Reads Converse messages and system text: a block's only key is its type.

mod result;

use self::result::tool_result;
use super::{
    Bedrock,
    block_rules::{BLOCKS, GUARDED, MARK},
    keys as k, media,
    part::{Inside, ReadPart, left},
    tools,
};
use crate::{
    model::{Call, Choice, Flaw, Inner, Kind, Part, Parts, Reasoning, Role, System, Tool, Turn, flaw},
    report::{Error, Place, Trail},
    rules::{MediaClass, ValueRule},
    value::{Host, Input, Key, NodeKind, Source, Text, Tree, Value},
    wire::read::{
        Keys, NULL,
        keys::{args, join_extras, placed, unknown_role, wrong_type},
    },
};

impl crate::wire::format::Read for Bedrock {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        self::turn(element, at, turn)
    }
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        system(node, place).map(System::of)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::read(tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tools::read_choice(choice, at)
    }
}

static NO_KEY: Flaw = Flaw::refused("a block must have the key that says what it is");
static NO_SYSTEM: Flaw = Flaw::refused("system text is text, guarded or not, and cache points");
static REPLY_ONLY: Flaw = Flaw::refused("a key that only replies have");
static SEVERAL: Flaw = Flaw::refused("a block is one thing");
static NO_THOUGHT: Flaw = Flaw::refused("reasoning without text, or without the servers' signature");

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let node = keys.needed(&k::ROLE)?;
    turn.role = match node.word().as_deref() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some(word) => return Err(unknown_role(word, "user, assistant, system", &at.key(k::ROLE.name))),
        None => return Err(wrong_type("a string", &node, &at.key(k::ROLE.name))),
    };
    let model = turn.role == Role::Assistant;
    (turn.parts, turn.flaw) = blocks(&keys.needed(&k::CONTENT)?, k::CONTENT.name, &at.key(k::CONTENT.name), model)?;
    // Only one role may send these, so they decide the role.
    if turn.role.is_system() && turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_) | Kind::Result(_))) {
        let calls = turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_)));
        turn.role = if calls { Role::Assistant } else { Role::User };
        turn.flaw = Some(&flaw::WRONG_SIDE);
    }
    turn.extras = keys.extras();
    Ok(())
}

/// Reads top-level system text, with marks in it.
pub(super) fn system<S: Source>(node: &S, place: &'static str) -> Result<Parts<S::H>, Error> {
    let (mut parts, several) = blocks(node, place, &Trail::ROOT, false)?;
    let mark = |part: &Part<S::H>| {
        let value = part.origin.as_ref().and_then(|origin| origin.to_value(node.input()).ok());
        matches!(value, Some(value) if ValueRule::Union(&[("cachePoint", MARK)]).allows(&value))
    };
    let strange = |part: &&mut Part<S::H>| matches!(&part.kind, Kind::Opaque(name) if !name.is("cachePoint", node.input()) || !mark(part));
    parts.iter_mut().filter(strange).for_each(|part| part.flaw = Some(&NO_SYSTEM));
    let says = |part: &&mut Part<S::H>| matches!(part.kind, Kind::Text(_));
    parts.iter_mut().filter(says).for_each(|part| part.flaw = part.flaw.or(several));
    Ok(parts)
}

/// Reads a list of blocks under `key`. A block with several types has a flaw. `model`: whether it is the model's turn.
/// Only there are calls provider-run.
fn blocks<S: Source>(node: &S, key: &'static str, at: &Trail<'_>, model: bool) -> Result<Blocks<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    let (mut parts, mut flaw) = (Parts::with_capacity(node.len()), None);
    for (item, element) in node.items().enumerate() {
        let (place, at) = (Place::item(key, item), at.index(item));
        let read = block(&element, place, &at, model)?;
        if !says_several(&read, &element) {
            parts.push(read);
            continue;
        }
        flaw = Some(&SEVERAL);
        for one in apart(&element)? {
            parts.push(block(&Tree(&one), place, &at, model)?);
        }
    }
    Ok((parts, flaw))
}

type Blocks<H> = (Parts<H>, Option<&'static Flaw>);

/// Whether a key is the type of a block.
fn is_member<H: Host>(key: &Text<H>, input: Option<&Input>) -> bool {
    key.is(k::JSON.name, input) || BLOCKS.iter().any(|(known, _)| key.is(known, input))
}

/// Whether a block has several keys that are types.
fn says_several<S: Source>(part: &Part<S::H>, element: &S) -> bool {
    let input = element.input();
    let member = |(key, value): &(Text<S::H>, S)| value.kind() != NodeKind::Null && is_member(key, input);
    (part.extras.is_some() || matches!(part.kind, Kind::Opaque(_))) && element.entries().filter(member).count() > 1
}

/// Splits a block with several types into blocks with one type each. The first keeps the other keys.
fn apart<S: Source>(element: &S) -> Result<Vec<Value<S::H>>, Error> {
    let Value::Map(entries) = element.raw().to_value(element.input())? else { return Ok(Vec::new()) };
    let mut members = entries.iter().filter(|(key, value)| is_member(key, None) && !matches!(value, Value::Null));
    let beside = entries.iter().filter(|(key, _)| !is_member(key, None));
    let share = |(key, value): &(Text<S::H>, Value<S::H>)| (key.share(), value.share());
    let first = members.next().into_iter().chain(beside).map(share).collect();
    Ok(std::iter::once(Value::Map(first)).chain(members.map(|one| Value::Map([share(one)].into()))).collect())
}

/// Reads one block. An unknown one stays opaque, with its key as its name.
fn block<S: Source>(element: &S, place: Place, at: &Trail<'_>, model: bool) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let mut inside = Inside::new();
    inside.model = model;
    let kind = match keys.text(&k::TEXT)? {
        Some(text) => Some(Kind::Text(text)),
        None => other(&mut keys, &mut inside)?,
    };
    let Some(kind) = kind else {
        let input = element.input();
        let said = || element.entries().filter(|(_, value)| value.kind() != NodeKind::Null).map(|(key, _)| key);
        let name = said().find(|key| is_member(key, input)).or_else(|| said().next());
        let name = name.or_else(|| element.entries().next().map(|(key, _)| key));
        let null = element.entries().any(|(_, value)| value.kind() == NodeKind::Null).then_some(&NULL);
        let flaw = if name.is_none() { Some(&NO_KEY) } else { null };
        return Ok(Part { flaw, ..placed(Kind::Opaque(name.unwrap_or_else(|| Text::own("block"))), element, place) });
    };
    let mut made = placed(kind, element, place);
    let (extras, flaw) = left(keys);
    made.flaw = inside.flaw.or(flaw);
    made.signed = inside.signed;
    made.inner = Inner::of(inside.key, inside.extras);
    made.extras = extras;
    join_extras(&mut made.extras, inside.mark);
    Ok(made)
}

/// Reads the content of a block that is not text.
fn other<S: Source>(keys: &mut Keys<'_, S>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let at = keys.at;
    let mut under = |key: &'static Key| {
        let found = keys.some(key);
        if found.is_some() {
            inside.key = key.name;
        }
        found.map(|node| (node, at.key(key.name)))
    };
    if let Some((node, at)) = under(&k::TOOL_USE) {
        return tool_use(&node, &at, inside);
    }
    if let Some((node, at)) = under(&k::TOOL_RESULT) {
        return tool_result(&node, &at, inside);
    }
    if let Some((node, at)) = under(&k::REASONING_CONTENT) {
        return reasoning(&node, &at, inside);
    }
    for (class, key) in media::classes() {
        if let Some((node, at)) = under(key) {
            return media::read(&node, class, &at, inside);
        }
    }
    if let Some((node, at)) = under(&k::GUARD_CONTENT) {
        return guarded(&node, &at, inside);
    }
    if let Some((node, at)) = under(&k::CITATIONS_CONTENT) {
        return cited(&node, &at, inside);
    }
    Ok(None)
}

/// Reads a call; one with a type is run by the service.
fn tool_use<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let (theirs, reply_only) = own_type(&mut keys, "tool_use", |kind| kind == "server_tool_use")?;
    if theirs {
        return Ok(None);
    }
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let name = keys.needed_text(&k::NAME)?;
    let input = keys.some(&k::INPUT);
    inside.flaw = input.is_none().then_some(&flaw::NO_ARGUMENTS).or(reply_only);
    let args = args(input)?;
    inside.add(keys);
    Ok(Some(Kind::Call(Call {
        id,
        made_up_id: false,
        name,
        args,
        custom: false,
        before: None,
        form: None,
        namespace: None,
    })))
}

/// Whether the service runs this tool. Replies also have a type for the caller's tools, `plain`, which a request must
/// not have. Any other type stays among the unknown keys.
fn own_type<S: Source>(
    keys: &mut Keys<'_, S>,
    plain: &str,
    theirs: impl Fn(&str) -> bool,
) -> Result<(bool, Option<&'static Flaw>), Error> {
    let node = keys.node.get(&k::TYPE);
    match node.as_ref().and_then(Source::word).as_deref() {
        Some(word) if theirs(word) => Ok((true, None)),
        Some(word) if word != plain => Ok((false, None)),
        _ => Ok((false, keys.text(&k::TYPE)?.map(|_| &REPLY_ONLY))),
    }
}

/// `{"reasoningText": {"text", "signature"?}}`, or `{"redactedContent"}`, which only the provider can read.
fn reasoning<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    if let Some(thought) = keys.some(&k::REASONING_TEXT) {
        let thought_at = at.key(k::REASONING_TEXT.name);
        let mut inner = Keys::of(&thought, &thought_at)?;
        let text = inner.text(&k::TEXT)?;
        inside.signed = inner.text(&k::SIGNATURE)?.is_some_and(|signature| !signature.is_empty());
        inside.flaw = text.is_none().then_some(&NO_THOUGHT);
        inside.add(inner);
        inside.flaw = inside.flaw.or(keys.some(&k::REDACTED_CONTENT).map(|_| &SEVERAL));
        inside.add(keys);
        return Ok(Some(Kind::Reasoning(Reasoning { text })));
    }
    let hidden = keys.some(&k::REDACTED_CONTENT);
    let sound = hidden.as_ref().is_some_and(|hidden| ValueRule::Blob.allows_raw(&hidden.raw(), node.input()));
    inside.flaw = (!sound).then_some(&NO_THOUGHT);
    inside.add(keys);
    inside.signed = true;
    Ok(Some(Kind::Reasoning(Reasoning { text: None })))
}

/// `{"text": {"text", "qualifiers"?}}` or `{"image"}`: content for the guardrail. Other formats have no such mark.
fn guarded<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let kind = if let Some(text) = keys.some(&k::TEXT) {
        let text_at = at.key(k::TEXT.name);
        Some(Kind::Text(Keys::of(&text, &text_at)?.needed_text(&k::TEXT)?))
    } else if let Some(image) = keys.some(&k::IMAGE) {
        media::read(&image, MediaClass::Image, &at.key(k::IMAGE.name), &mut Inside::new())?
    } else {
        None
    };
    // Content with an invalid mark stays opaque, because it must not be sent unguarded.
    if !GUARDED.allows_raw(&node.raw(), node.input()) {
        return Ok(None);
    }
    // The whole mark is kept, so that the content is written inside it again.
    inside.mark = Some(Box::new(vec![(Text::own(k::GUARD_CONTENT.name), node.raw())]));
    Ok(kind)
}

/// `{"content": [{"text"}], "citations"}`: the model's text about documents.
fn cited<S: Source>(node: &S, at: &Trail<'_>, inside: &mut Inside<S::H>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let Some(list) = keys.some(&k::CONTENT) else { return Ok(None) };
    let list_at = at.key(k::CONTENT.name);
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", &list, &list_at));
    }
    let mut texts = Vec::new();
    for (item, element) in list.items().enumerate() {
        let item_at = list_at.index(item);
        let mut inner = Keys::of(&element, &item_at)?;
        texts.extend(inner.text(&k::TEXT)?);
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
