//! Reads messages of the family.

mod result;
mod source;

pub(crate) use self::result::{answered, is_author, result};
use super::{
    keys as k,
    member::{Member, Reads, Usual},
    part::PartDraft,
};
use crate::{
    model::{Args, Call, Flaw, Inner, Kind, Media, MediaData, Part, Parts, Reasoning, Role, Served, Turn, flaw},
    report::{Error, Home, Place, Trail, sentence},
    rules::MediaClass,
    value::{Key, NodeKind, Source, Text},
    wire::read::{
        Keys,
        keys::{args, placed, unknown_role, wrong_type},
    },
};

pub(crate) static WRONG_ROLE: Flaw = Flaw::refused("calls are the assistant's and results a tool's");
static BARE: Flaw = Flaw::refused("a list of content holds objects, not strings");
static BARE_URL: Flaw = Flaw::refused("an address must be in an object");
static NO_CONTENT: Flaw = Flaw::refused("only a message with calls, a refusal or sound may do without content");
static NO_PARTS: Flaw = Flaw::refused("a list of content must hold a part");
static NO_CALLS: Flaw = Flaw::refused("a list of calls must hold one");
static NO_FREE_TEXT: Flaw = Flaw::refused(sentence::NO_FREE_TEXT);
static REPLY_ONLY: Flaw = Flaw { says: "keys that only replies have", served: Served::AsReplyKey };

pub(crate) fn turn<S: Source>(
    reads: &Reads<S>,
    element: &S,
    at: &Trail<'_>,
    turn: &mut Turn<S::H>,
) -> Result<(), Error> {
    let member = reads.member;
    let mut keys = Keys::of(element, at)?;
    // One look finds what nearly every message has. Only what its role reads is taken.
    let [role, content, id, calls] = keys.look([&k::ROLE, &k::CONTENT, &k::TOOL_CALL_ID, &k::TOOL_CALLS]);
    let node = keys.found(&k::ROLE, role).ok_or_else(|| keys.missing(&k::ROLE))?;
    let said = node.one_of(member.roles).ok_or_else(|| unknown(member, &node, &at.key(k::ROLE.name)))?;
    // Most messages have only a role and content, so no other key can contradict the role.
    let alone = said != Role::Tool && element.len() < 3 && (member.needs_content || content.is_some());
    turn.role = if alone { said } else { true_role(reads, element, said, (calls.as_ref(), id.as_ref())) };
    turn.flaw = (turn.role != said).then_some(&WRONG_ROLE);
    let flaw = match turn.role {
        Role::Tool => {
            let (said, flaw) = (reads.result)(&mut keys, Usual { role: node, content, id })?;
            turn.parts.push(Part::at(Place::key(k::CONTENT.name), Kind::Result(said)));
            flaw
        }
        Role::Assistant => assistant(reads, &mut keys, (content, calls), &mut turn.parts)?,
        _ => self::said(reads, &mut keys, content, &mut turn.parts)?,
    };
    turn.flaw = turn.flaw.or(flaw);
    turn.extras = keys.extras();
    Ok(())
}

#[cold]
fn unknown<S: Source>(member: &Member, node: &S, at: &Trail<'_>) -> Error {
    let Some(word) = node.word() else { return wrong_type("a string", node, at) };
    let known: Vec<_> = member.roles.iter().map(|(word, _)| *word).collect();
    unknown_role(&word, &known.join(", "), at)
}

/// The role that a message's calls and its call's id show: calls make it the assistant's, and a call's id makes it a tool's.
#[inline]
fn true_role<S: Source>(reads: &Reads<S>, element: &S, role: Role, shown: (Option<&S>, Option<&S>)) -> Role {
    let (calls, id) = shown;
    let calls = |some: bool| calls.is_some_and(|calls| some || !calls.is_empty());
    match role {
        Role::Tool => {
            let is_name = |key: &'static Key| element.get(key).is_some_and(|node| node.kind() != NodeKind::Null);
            let named = || reads.member.result_name.is_some_and(is_name);
            let answers = id.is_some_and(|id| id.kind() != NodeKind::Null);
            if !answers && calls(false) && !named() { Role::Assistant } else { Role::Tool }
        }
        Role::Assistant if calls(true) => role,
        _ if id.is_some_and(|id| id.kind() == NodeKind::Text) => Role::Tool,
        Role::Assistant => role,
        _ if calls(false) => Role::Assistant,
        _ => role,
    }
}

/// Reads the parts of a message by its role.
fn said<S: Source>(
    reads: &Reads<S>,
    keys: &mut Keys<'_, S>,
    given: Option<S>,
    parts: &mut Parts<S::H>,
) -> Result<Option<&'static Flaw>, Error> {
    let is_given = given.is_some();
    let said = keys.found(&k::CONTENT, given);
    if !is_given && reads.member.needs_content {
        // The key may be misspelt, so this must not count as an empty message.
        return Err(keys.missing(&k::CONTENT));
    }
    let flaw =
        if said.is_none() && reads.member.needs_content { Some(&NO_CONTENT) } else { null(reads.member, keys, &[]) };
    content(reads, said, keys.at, parts)?;
    Ok(flaw.or((reads.around)(keys, parts)?))
}

/// The flaw of a `null` that servers refuse.
fn null<S: Source>(member: &Member, keys: &Keys<'_, S>, nullable: &[&'static Key]) -> Option<&'static Flaw> {
    if member.strict { keys.null_but(nullable) } else { None }
}

/// Reads an assistant message: reasoning, content, calls. Returns its flaw.
fn assistant<S: Source>(
    reads: &Reads<S>,
    keys: &mut Keys<'_, S>,
    (content, calls): (Option<S>, Option<S>),
    parts: &mut Parts<S::H>,
) -> Result<Option<&'static Flaw>, Error> {
    let (said, calls) = (keys.found(&k::CONTENT, content), keys.found(&k::TOOL_CALLS, calls));
    let silent = said.is_none();
    let no_calls =
        reads.member.strict && calls.as_ref().is_some_and(|calls| calls.kind() == NodeKind::List && calls.is_empty());
    parts.reserve_exact(usize::from(said.is_some()) + calls.as_ref().map_or(0, Source::len));
    for key in reads.member.thoughts.iter().chain(reads.member.carriers) {
        if let Some(node) = keys.some(key) {
            let signed = node.kind() != NodeKind::Text;
            let thought = Kind::Reasoning(Reasoning { text: node.text() });
            let flaw = reads.member.thought_flaw;
            parts.push(Part { flaw, signed, ..placed(thought, &node, Place::key(key.name)) });
        }
    }
    let no_parts = reads.member.strict
        && said.as_ref().is_some_and(|content| content.kind() == NodeKind::List && content.is_empty());
    let is_text = said.as_ref().is_some_and(|content| content.kind() == NodeKind::Text);
    let mut flaw = no_calls.then_some(&NO_CALLS).or(no_parts.then_some(&NO_PARTS));
    let before = parts.len();
    self::content(reads, said, keys.at, parts)?;
    let empty = is_text && parts.len() == before;
    flaw = (reads.beside)(keys, parts)?.or((reads.around)(keys, parts)?).or(flaw);
    if let Some(node) = calls {
        let at = keys.at.key(k::TOOL_CALLS.name);
        if node.kind() != NodeKind::List {
            return Err(wrong_type("a list", &node, &at));
        }
        let legacy = parts.iter().position(|part| matches!(part.kind, Kind::Call(_)));
        for (item, call) in node.items().enumerate() {
            tool_call(reads, &call, item, &at.index(item), parts)?;
        }
        // Results of calls with ids must directly follow them, so a call of the legacy form is answered last.
        if let Some(at) = legacy {
            let call = parts.remove(at);
            parts.push(call);
        }
    }
    // Reasoning alone is not enough, nor is an empty list.
    let says = parts.iter().any(|part| !matches!(part.kind, Kind::Reasoning(_)));
    if flaw.is_none() && silent && !says && reads.member.needs_content {
        flaw = Some(&NO_CONTENT);
    }
    let flaw = flaw.or_else(|| null(reads.member, keys, reads.member.nullable));
    Ok(flaw.or_else(|| (empty && says).then_some(&flaw::EMPTY_TEXT)))
}

/// Reads `content`: a string, a list of parts, `null`, or absent.
fn content<S: Source>(reads: &Reads<S>, node: Option<S>, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let Some(node) = node else { return Ok(()) };
    if let Some(text) = node.text() {
        // An empty string has no part; its turn's origin still replays it.
        if !text.is_empty() {
            parts.push(Part::at(Place::key(k::CONTENT.name), Kind::Text(text)));
        }
        return Ok(());
    }
    content_list(reads, &node, at, parts, false)
}

/// Reads a list of parts. In a result, an object without a type is the tool's answer, not a part.
fn content_list<S: Source>(
    reads: &Reads<S>,
    node: &S,
    at: &Trail<'_>,
    parts: &mut Parts<S::H>,
    result: bool,
) -> Result<(), Error> {
    let at = at.key(k::CONTENT.name);
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, &at));
    }
    parts.reserve_exact(node.len());
    for (index, element) in node.items().enumerate() {
        let place = Place::item(k::CONTENT.name, index);
        let bare = result && element.kind() == NodeKind::Map && element.get(&k::TYPE).is_none();
        parts.push(if bare {
            Part { flaw: Some(&flaw::NO_TYPE_OF_CALL), ..placed(Kind::Json(element.raw()), &element, place) }
        } else {
            one_part(reads, &element, place, &at.index(index))?
        });
    }
    Ok(())
}

/// Reads one part of a content list. Unknown ones stay opaque.
fn one_part<S: Source>(reads: &Reads<S>, element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(Part { flaw: Some(&BARE), ..placed(Kind::Text(text), element, place) });
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let mut draft = PartDraft { keys: &mut keys, inner: None, flaw: None, signed: false };
    let read = match word.as_deref() {
        Some(word) => (reads.part)(word, &mut draft)?,
        None => None,
    };
    let PartDraft { inner, flaw, signed, .. } = draft;
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    // A stored format may hold any part and sends it back unchanged.
    made.flaw =
        (!reads.keys.any && word.as_deref().is_none_or(str::is_empty)).then_some(&flaw::NO_TYPE_OF_CALL).or(flaw);
    if let Some(kind) = read {
        made.kind = kind;
        made.flaw = flaw.or_else(|| null(reads.member, &keys, &[]));
        made.extras = keys.extras();
        made.inner = inner;
        made.signed = signed;
    }
    Ok(made)
}

/// Reads the parts that all members have: text and images. Images and documents may be in Claude's form.
pub(crate) fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
    Ok(match kind {
        "text" => Some(Kind::Text(draft.keys.needed_text(&k::TEXT)?)),
        "image_url" => Some(by_url(draft, &k::IMAGE_URL, MediaClass::Image)?),
        "image" => source::read(MediaClass::Image, draft)?,
        "document" => source::read(MediaClass::Document, draft)?,
        _ => None,
    })
}

/// `{"image_url": {"url": …}}`, or only the URL, as some servers write it.
pub(crate) fn by_url<S: Source>(
    draft: &mut PartDraft<'_, '_, S>,
    key: &'static Key,
    class: MediaClass,
) -> Result<Kind<S::H>, Error> {
    let node = draft.keys.needed(key)?;
    let at = draft.keys.at.key(key.name);
    let url = if let Some(url) = node.text() {
        draft.flaw = Some(&BARE_URL);
        url
    } else {
        let mut inside = Keys::of(&node, &at)?;
        let url = inside.needed_text(&k::URL)?;
        draft.inner = Inner::of(key.name, inside.extras());
        url
    };
    Ok(addressed(class, url, draft, None))
}

/// Media by their URL, which may hold their data.
pub(crate) fn addressed<S: Source>(
    class: MediaClass,
    url: Text<S::H>,
    draft: &PartDraft<'_, '_, S>,
    name: Option<Text<S::H>>,
) -> Kind<S::H> {
    let inside = url.starts_with("data:", draft.keys.node.input());
    let data = if inside { MediaData::DataUrl(url) } else { MediaData::Url(url) };
    Kind::Media(Media { class, mime: None, data, name })
}

/// One entry of `tool_calls`.
fn tool_call<S: Source>(
    reads: &Reads<S>,
    element: &S,
    item: usize,
    at: &Trail<'_>,
    parts: &mut Parts<S::H>,
) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let [said, kind, function] = keys.look([&k::ID, &k::TYPE, &k::FUNCTION]);
    let said = keys.found_text(&k::ID, said)?;
    let (id, made_up_id) = id(reads, said);
    let is_given = kind.is_some();
    let kind = keys.found(&k::TYPE, kind);
    let told = kind.is_some() || !reads.member.null_tools && is_given;
    let custom = kind.as_ref().and_then(|kind| kind.one_of(&[("function", false), ("custom", true)]));
    let (custom, typed) = (custom == Some(true), custom.is_some());
    let (outer, args_key) = if custom { (&k::CUSTOM, &k::INPUT) } else { (&k::FUNCTION, &k::ARGUMENTS) };
    let function = if custom { keys.some(outer) } else { keys.found(outer, function) };
    let function = function.ok_or_else(|| keys.missing(outer))?;
    let inner_at = at.key(outer.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let [name, given] = inner.some_each([&k::NAME, args_key]);
    let name = inner.text_of(&name.ok_or_else(|| inner.missing(&k::NAME))?, &k::NAME)?;
    let mut flaw = match &given {
        None => Some(&flaw::NO_ARGUMENTS),
        Some(given) if given.kind() != NodeKind::Text && given.kind() != NodeKind::Map => Some(&flaw::NO_ARGUMENTS),
        Some(_) if custom && !reads.limits.free_text => Some(&NO_FREE_TEXT),
        Some(_) if !typed && (reads.member.strict || told && !reads.keys.any) => Some(&flaw::NO_TYPE_OF_CALL),
        Some(_) => None,
    };
    // A function that is called without arguments has none.
    let args = if given.is_none() && !custom { Args::Text(Text::own("{}")) } else { args(given)? };
    // Pieces of a stream have an index; a message's calls do not.
    if keys.are_left()
        && let Some(index) = element.get(&k::INDEX)
    {
        let number = is_number(&index);
        if number {
            keys.pass(&[&k::INDEX]);
        }
        if !reads.member.numbers_calls || !reads.keys.any && !number {
            flaw = Some(&REPLY_ONLY);
        }
    }
    if !reads.member.strict && inner.are_left() && function.get(&k::INDEX).is_some_and(|index| is_number(&index)) {
        inner.pass(&[&k::INDEX]);
    }
    flaw = flaw.or_else(|| null(reads.member, &keys, &[])).or_else(|| null(reads.member, &inner, &[]));
    let mut extras = keys.extras();
    // Another type is told like an unknown key. Its place among the keys is written anew.
    if let Some(kind) = kind.filter(|_| !typed) {
        extras.get_or_insert_default().push((Text::own(k::TYPE.name), kind.raw()));
    }
    let within = Inner::of(outer.name, inner.extras());
    let call = Call { id, made_up_id, name, args, custom, before: None, form: None, namespace: None };
    parts.push(Part {
        kind: Kind::Call(call),
        origin: Some(element.raw()),
        extras,
        inner: within,
        place: Place::item(k::TOOL_CALLS.name, item),
        home: Home::NONE,
        flaw,
        touched: false,
        signed: false,
    });
    Ok(())
}

/// Whether this is the number of a call. Any other value stays among the unknown keys.
fn is_number<S: Source>(index: &S) -> bool {
    index.count().is_some() || index.kind() == NodeKind::Null
}

/// The id of a call or result, and whether it is missing and optional. Where ids are required, a missing id is read as
/// the empty one, so that a call and its result still pair and `build` gives them an id.
#[inline]
fn id<S: Source>(reads: &Reads<S>, id: Option<Text<S::H>>) -> (Text<S::H>, bool) {
    let id = id.unwrap_or_else(|| Text::own(""));
    let none = id.is_empty() && !reads.limits.needs_ids();
    (id, none)
}
