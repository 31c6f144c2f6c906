//! Reads the messages of a run.

use super::{AgUi, keys as k};
use crate::{
    model::{Call, Content, Flaw, Inner, Kind, Media, MediaData, Part, Parts, Reasoning, Role, ToolResult, Turn, flaw},
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{args, each_part, placed, unknown_role, wrong_type},
        },
    },
};

static NO_ID: Flaw = Flaw::refused("each message has an id");
static NO_CONTENT: Flaw = Flaw::refused("this message must have content");
static NO_STRING: Flaw = Flaw::refused("what this speaker says is one string");
static NO_ARGUMENTS: Flaw = Flaw::refused("a call has its arguments as JSON text");
static NO_SOURCE: Flaw = Flaw::refused("media come as data, an address or a file");
static OLD: Flaw = Flaw::unsure("version 1.0 has no binary parts");

/// The roles. A message for front ends only is an opaque part.
const ROLES: &[(&str, (Role, Says))] = &[
    ("system", (Role::System, Says::Words)),
    ("developer", (Role::Developer, Says::Words)),
    ("user", (Role::User, Says::Parts)),
    ("assistant", (Role::Assistant, Says::Words)),
    ("tool", (Role::Tool, Says::Parts)),
    ("reasoning", (Role::Assistant, Says::Thought)),
    ("activity", (Role::User, Says::Activity)),
];

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Words,
    Parts,
    Thought,
    Activity,
}

impl Read for AgUi {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&k::ROLE)?;
        let role_at = at.key(k::ROLE.name);
        let Some(word) = node.word() else { return Err(wrong_type("a string", &node, &role_at)) };
        let Some((role, says)) = node.one_of(ROLES) else {
            let known: Vec<_> = ROLES.iter().map(|(word, _)| *word).collect();
            return Err(unknown_role(&word, &known.join(", "), &role_at));
        };
        turn.role = role;
        turn.id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
        let mut flaw = turn.id.is_none().then_some(&NO_ID);
        match says {
            Says::Thought => {
                let text = keys.text(&k::CONTENT)?;
                let signed = keys.take(&k::ENCRYPTED_VALUE).is_some_and(|value| value.kind() != NodeKind::Null);
                flaw = flaw.or(text.is_none().then_some(&NO_CONTENT));
                let thought = Kind::Reasoning(Reasoning { text });
                turn.parts.push(Part { signed, ..placed(thought, element, Place::default()) });
            }
            Says::Activity => {
                let _ = (keys.take(&k::CONTENT), keys.take(&k::ACTIVITY_TYPE));
                turn.parts.push(placed(Kind::Opaque(word.as_ref().into()), element, Place::default()));
            }
            _ => {
                let said = keys.some(&k::CONTENT);
                let silent = said.is_none();
                let listed = said.as_ref().is_some_and(|said| said.kind() == NodeKind::List);
                let parts = said.map_or_else(|| Ok(Parts::new()), |said| content(&said, &at.key(k::CONTENT.name)))?;
                turn.parts = if role == Role::Tool { [result(&mut keys, parts)?].into() } else { parts };
                calls(&mut keys, &mut turn.parts)?;
                let called = turn.calls().next().is_some();
                if called && role != Role::Assistant {
                    // A message with calls is the assistant's.
                    turn.role = Role::Assistant;
                }
                flaw = flaw
                    .or((silent && !(called || role == Role::Assistant)).then_some(&NO_CONTENT))
                    .or((listed && says == Says::Words || called && role != Role::Assistant).then_some(&NO_STRING));
            }
        }
        turn.flaw = flaw;
        turn.extras = keys.extras();
        Ok(())
    }
}

/// A string, or a list of parts.
fn content<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        // An empty string has no part; its turn's origin still replays it.
        let text = Some(text).filter(|text| !text.is_empty());
        return Ok(text.map(|text| Part::at(Place::key(k::CONTENT.name), Kind::Text(text))).into_iter().collect());
    }
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    each_part(node, k::CONTENT.name, at, part)
}

fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let (mut inner, mut flaw) = (None, None);
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&k::TEXT)?)),
        Some("image") => media(&mut keys, MediaClass::Image, (&mut inner, &mut flaw))?,
        Some("audio") => media(&mut keys, MediaClass::Audio, (&mut inner, &mut flaw))?,
        Some("video") => media(&mut keys, MediaClass::Video, (&mut inner, &mut flaw))?,
        Some("document") => media(&mut keys, MediaClass::Document, (&mut inner, &mut flaw))?,
        Some("binary") => {
            flaw = Some(&OLD);
            binary(&mut keys)?
        }
        Some("") | None => {
            flaw = Some(&flaw::NO_TYPE_OF_CALL);
            None
        }
        Some(_) => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    made.flaw = flaw;
    if let Some(kind) = kind {
        made.kind = kind;
        made.extras = keys.extras();
        made.inner = inner;
    }
    Ok(made)
}

/// Unknown keys of an object inside a part, and its flaw.
type Told<'t, H> = (&'t mut Option<Box<Inner<H>>>, &'t mut Option<&'static Flaw>);

/// Reads media by their source: data, a URL, or a provider's file.
fn media<S: Source>(
    keys: &mut Keys<'_, S>,
    class: MediaClass,
    (inner, flaw): Told<'_, S::H>,
) -> Result<Option<Kind<S::H>>, Error> {
    let node = keys.needed(&k::SOURCE)?;
    let at = keys.at.key(k::SOURCE.name);
    let mut source = Keys::of(&node, &at)?;
    let kind = source.needed(&k::TYPE)?;
    let value = source.needed_text(&k::VALUE)?;
    let mime = source.text(&k::MIME_TYPE)?;
    let data = match kind.word().as_deref() {
        Some("data") => MediaData::Base64(value),
        Some("url") if value.starts_with("data:", node.input()) => MediaData::DataUrl(value),
        Some("url") => MediaData::Url(value),
        Some("file") => MediaData::File(value),
        _ => {
            *flaw = Some(&NO_SOURCE);
            return Ok(None);
        }
    };
    *inner = Inner::of(k::SOURCE.name, source.extras());
    Ok(Some(Kind::Media(Media { class, mime, data, name: None })))
}

/// Reads media of any kind from older clients.
fn binary<S: Source>(keys: &mut Keys<'_, S>) -> Result<Option<Kind<S::H>>, Error> {
    let (mime, name) = (keys.text(&k::MIME_TYPE)?, keys.text(&k::FILENAME)?);
    let class = MediaClass::of(mime.as_ref().map(|mime| mime.to_str(keys.node.input())).as_deref());
    let data = match (keys.text(&k::DATA)?, keys.text(&k::URL)?, keys.text(&k::ID)?) {
        (Some(data), ..) => MediaData::Base64(data),
        (None, Some(url), _) => MediaData::Url(url),
        (None, None, Some(id)) => MediaData::File(id),
        (None, None, None) => return Ok(None),
    };
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}

/// Reads a tool's answer. A failed one has its error beside it. If that error repeats the answer, it is dropped.
fn result<S: Source>(keys: &mut Keys<'_, S>, mut parts: Parts<S::H>) -> Result<Part<S::H>, Error> {
    let id = keys.needed_text(&k::TOOL_CALL_ID)?;
    let input = keys.node.input();
    let error = keys.text(&k::ERROR)?;
    let failed = error.is_some();
    let twice = |why: &Text<S::H>| {
        why.is_empty()
            || parts.iter().any(|part| matches!(&part.kind, Kind::Text(text) if text.wtf8(input) == why.wtf8(input)))
    };
    if let Some(why) = error.filter(|why| !twice(why)) {
        parts.push(Part::at(Place::key(k::ERROR.name), Kind::Text(why)));
    }
    let content = match parts.as_slice() {
        [] => Content::Absent,
        [Part { kind: Kind::Text(text), origin: None, .. }] => Content::Text(text.share()),
        _ => Content::blocks(parts),
    };
    let result = ToolResult {
        id,
        made_up_id: false,
        name: None,
        content,
        error: failed,
        synthetic: false,
        custom: false,
        form: None,
    };
    Ok(Part::at(Place::key(k::CONTENT.name), Kind::Result(result)))
}

/// Reads the calls.
fn calls<S: Source>(keys: &mut Keys<'_, S>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let Some(list) = keys.some(&k::TOOL_CALLS) else { return Ok(()) };
    let at = keys.at.key(k::TOOL_CALLS.name);
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", &list, &at));
    }
    for (item, call) in list.items().enumerate() {
        parts.push(self::call(&call, Place::item(k::TOOL_CALLS.name, item), &at.index(item))?);
    }
    Ok(())
}

fn call<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.needed_text(&k::ID)?;
    let kind = element.get(&k::TYPE).filter(|kind| kind.kind() != NodeKind::Null);
    let typed = kind.as_ref().is_some_and(|kind| kind.word().as_deref() == Some(k::FUNCTION.name));
    if typed {
        keys.pass(&[&k::TYPE]);
    }
    let function = keys.needed(&k::FUNCTION)?;
    let inner_at = at.key(k::FUNCTION.name);
    let mut inner = Keys::of(&function, &inner_at)?;
    let name = inner.needed_text(&k::NAME)?;
    let given = inner.take(&k::ARGUMENTS);
    let as_text = given.as_ref().is_some_and(|given| given.kind() == NodeKind::Text);
    let args = args(given)?;
    let signed = element.get(&k::ENCRYPTED_VALUE).is_some_and(|value| value.kind() != NodeKind::Null);
    let call = Call { id, made_up_id: false, name, args, custom: false, before: None, form: None, namespace: None };
    Ok(Part {
        flaw: (!typed).then_some(&flaw::NO_TYPE_OF_CALL).or((!as_text).then_some(&NO_ARGUMENTS)),
        extras: keys.extras(),
        inner: Inner::of(k::FUNCTION.name, inner.extras()),
        signed,
        ..placed(Kind::Call(call), element, place)
    })
}
