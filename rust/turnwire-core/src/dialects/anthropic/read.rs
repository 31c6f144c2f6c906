//! Reads Anthropic messages and system text.

use std::borrow::Cow;

use super::{Anthropic, keys as k, tools};
use crate::{
    model::{
        Call, Choice, Content, Flaw, Inner, Kind, Media, MediaData, Part, Parts, Reasoning, Role, System, Texts, Tool,
        ToolResult, Turn, flaw,
    },
    report::{Error, Place, Trail},
    rules::{MediaClass, passage::lines},
    value::{NodeKind, Source, Text},
    wire::read::{
        Keys,
        keys::{NULL, args, each_part, keys_beside, placed, unknown_role, wrong_type},
    },
};

type ReadPart<S> = Result<Option<Kind<<S as Source>::H>>, Error>;

impl crate::wire::format::Read for Anthropic {
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
    // A message with other settings needs no system text.
    let says = element.get(&k::CONTENT);
    let sets = || element.get(&k::OUTPUT_CONFIG).is_some_and(|set| set.kind() == NodeKind::Map);
    let silent = turn.role.is_system()
        && says.as_ref().map_or(element.len() > 1, |says| says.kind() == NodeKind::Null && sets());
    if silent && says.is_some() {
        keys.pass(&[&k::CONTENT]);
        turn.flaw = Some(&NULL);
    }
    if !silent {
        turn.parts = content(&keys.needed(&k::CONTENT)?, k::CONTENT.name, &at.key(k::CONTENT.name))?;
    }
    // Only one role may send these, so they decide the role.
    if turn.role.is_system() && turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_) | Kind::Result(_))) {
        let calls = turn.parts.iter().any(|part| matches!(part.kind, Kind::Call(_)));
        turn.role = if calls { Role::Assistant } else { Role::User };
        turn.flaw = Some(&flaw::WRONG_SIDE);
    }
    turn.extras = keys.extras();
    Ok(())
}

/// Reads top-level system text. Servers accept only text blocks there.
pub(super) fn system<S: Source>(node: &S, place: &'static str) -> Result<Parts<S::H>, Error> {
    let mut parts = content(node, place, &Trail::ROOT)?;
    for part in parts.iter_mut().filter(|part| matches!(part.kind, Kind::Opaque(_))) {
        part.flaw = Some(&flaw::NO_TEXT_ONLY);
    }
    Ok(parts)
}

/// Reads a string, or a list of blocks, under `key`.
fn content<S: Source>(node: &S, key: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        // An empty string has no part; its turn's origin still replays it.
        if text.is_empty() {
            return Ok(Parts::new());
        }
        return Ok([Part::at(Place::key(key), Kind::Text(text))].into());
    }
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    each_part(node, key, at, block)
}

static NO_THOUGHT: Flaw = Flaw::refused("a thought without its words");
static NO_TYPE: Flaw = Flaw::refused("a block must say of which type it is");
static NO_DATA: Flaw = Flaw::refused("hidden reasoning must hold its data");
static NO_MEDIA_TYPE: Flaw = Flaw::refused("a source must say its media type as the target has it");
static NO_CONTENT: Flaw = Flaw::refused("the content of a document is a text, or a list of texts and images");
static NO_SOURCE: Flaw = Flaw::refused("media come as base64, text, blocks, an address or a file");
static SERVER_ID: Flaw = Flaw::refused("the id of a call that the provider ran begins with srvtoolu_");
static UNSIGNED: Flaw = Flaw::refused("the target requires its own signature on reasoning");

/// Reads one block. Unknown ones stay opaque, such as provider-run tools, uploads and compaction.
fn block<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let (mut inner, mut inner_flaw, mut signed): (_, Option<&'static Flaw>, _) = (None, None, false);
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&k::TEXT)?)),
        Some("thinking") => {
            let text = keys.text(&k::THINKING)?;
            inner_flaw = text.is_none().then_some(&NO_THOUGHT);
            signed = keys.text(&k::SIGNATURE)?.is_some_and(|signature| !signature.is_empty());
            Some(Kind::Reasoning(Reasoning { text }))
        }
        Some("redacted_thinking") => {
            signed = keys.text(&k::DATA)?.is_some_and(|data| !data.is_empty());
            Some(Kind::Reasoning(Reasoning { text: None }))
        }
        Some("tool_use") => Some(tool_use(&mut keys)?),
        Some("tool_result") => Some(tool_result(&mut keys)?),
        Some("image") => media(&mut keys, (MediaClass::Image, place), (&mut inner, &mut inner_flaw))?,
        Some("document") => media(&mut keys, (MediaClass::Document, place), (&mut inner, &mut inner_flaw))?,
        Some("server_tool_use") => {
            inner_flaw = server_id(element);
            None
        }
        _ => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("block").into()), element, place);
    made.flaw = word.as_deref().is_none_or(str::is_empty).then_some(&NO_TYPE).or(inner_flaw);
    if let Some(kind) = kind {
        (made.kind, made.signed) = (kind, signed);
        made.flaw = inner_flaw.or_else(|| keys.null_but(&[&k::TITLE]));
        if let Kind::Reasoning(thought) = &made.kind
            && !signed
        {
            made.flaw = Some(if thought.text.is_some() { &UNSIGNED } else { &NO_DATA });
        }
        made.extras = keys.extras();
        made.inner = inner;
    }
    Ok(made)
}

/// The flaw in the id of a provider-run call.
fn server_id<S: Source>(element: &S) -> Option<&'static Flaw> {
    let id = element.get(&k::ID).and_then(|id| id.word().map(Cow::into_owned));
    let rest = id.as_deref().and_then(|id| id.strip_prefix("srvtoolu_"));
    let sound =
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    (!sound).then_some(&SERVER_ID)
}

fn tool_use<S: Source>(keys: &mut Keys<'_, S>) -> Result<Kind<S::H>, Error> {
    let id = keys.needed_text(&k::ID)?;
    let name = keys.needed_text(&k::NAME)?;
    let args = args(keys.take(&k::INPUT))?;
    Ok(Kind::Call(Call { id, made_up_id: false, name, args, custom: false, before: None, form: None, namespace: None }))
}

fn tool_result<S: Source>(keys: &mut Keys<'_, S>) -> Result<Kind<S::H>, Error> {
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let error = keys.some(&k::IS_ERROR);
    let error = match error {
        None => false,
        Some(node) => node.bool().ok_or_else(|| wrong_type("a boolean", &node, &keys.at.key(k::IS_ERROR.name)))?,
    };
    let content = match keys.some(&k::CONTENT) {
        None => Content::Absent,
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks(said(&node, &keys.at.key(k::CONTENT.name))?),
        },
    };
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id: false,
        name: None,
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}

/// Reads the content of a result. An object without a type is the tool's answer, not a block.
fn said<S: Source>(node: &S, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    let bare = |item: &S| item.kind() == NodeKind::Map && item.get(&k::TYPE).is_none();
    let mut parts = Parts::new();
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    for (index, item) in node.items().enumerate() {
        let place = Place::item(k::CONTENT.name, index);
        if bare(&item) {
            let mut json = placed(Kind::Json(item.raw()), &item, place);
            json.flaw = Some(&NO_TYPE);
            parts.push(json);
        } else {
            parts.push(block(&item, place, &at.index(index))?);
        }
    }
    Ok(parts)
}

/// The content of a document: a text, or texts and images. `None` if there is anything else.
fn said_in<S: Source>(content: &S, place: Place, at: &Trail<'_>) -> Result<Option<MediaData<S::H>>, Error> {
    if let Some(text) = content.text() {
        return Ok(Some(MediaData::Plain(text)));
    }
    let (mut each, mut images, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    for (index, item) in content.items().enumerate() {
        match item.get(&k::TYPE).and_then(|kind| kind.word().map(Cow::into_owned)).as_deref() {
            Some("text") => match item.get(&k::TEXT).and_then(|text| text.text()) {
                Some(text) => {
                    each.push(text);
                    keys.extend(keys_beside(&item, &[&k::TYPE, &k::TEXT]));
                }
                None => return Ok(None),
            },
            // It has the place of its document.
            Some("image") => images.push(block(&item, place, &at.index(index))?),
            _ => return Ok(None),
        }
    }
    if each.is_empty() && images.is_empty() {
        return Ok(None);
    }
    let texts = Texts { whole: lines(&each, content.input()), each, has_images: !images.is_empty(), images, keys };
    Ok(Some(MediaData::Texts(Box::new(texts))))
}

/// Unknown keys of an object inside a block, and its flaw.
type Told<'t, H> = (&'t mut Option<Box<Inner<H>>>, &'t mut Option<&'static Flaw>);

/// Reads an image or a document by its source; other kinds stay opaque.
fn media<S: Source>(
    keys: &mut Keys<'_, S>,
    (class, place): (MediaClass, Place),
    (inner, flaw): Told<'_, S::H>,
) -> ReadPart<S> {
    let node = keys.needed(&k::SOURCE)?;
    let at = keys.at.key(k::SOURCE.name);
    let mut source = Keys::of(&node, &at)?;
    let kind = source.needed(&k::TYPE)?;
    let mime = source.text(&k::MEDIA_TYPE)?;
    let data = match kind.word().as_deref() {
        Some("base64") => MediaData::Base64(source.needed_text(&k::DATA)?),
        Some("text") => MediaData::Plain(source.needed_text(&k::DATA)?),
        Some("url") => MediaData::Url(source.needed_text(&k::URL)?),
        Some("file") => MediaData::File(source.needed_text(&k::FILE_ID)?),
        // `content` is a list of blocks, or a string.
        Some("content") => {
            let Some(content) = source.take(&k::CONTENT) else { return Ok(None) };
            if !matches!(content.kind(), NodeKind::Text | NodeKind::List) {
                *flaw = Some(&NO_CONTENT);
            }
            match said_in(&content, place, &at.key(k::CONTENT.name))? {
                Some(data) => data,
                None => return Ok(None),
            }
        }
        _ => {
            *flaw = Some(&NO_SOURCE);
            return Ok(None);
        }
    };
    let named = |word: &str| mime.as_ref().is_some_and(|mime| mime.is(word, node.input()));
    let sound = match &data {
        MediaData::Base64(_) => mime.is_some(),
        MediaData::Plain(_) => named("text/plain") || kind.word().as_deref() == Some("content"),
        _ => true,
    };
    *flaw = if sound { source.null_but(&[]) } else { Some(&NO_MEDIA_TYPE) };
    *inner = Inner::of(k::SOURCE.name, source.extras());
    let name: Option<Text<S::H>> = if class == MediaClass::Document { keys.text(&k::TITLE)? } else { None };
    Ok(Some(Kind::Media(Media { class, mime, data, name })))
}
