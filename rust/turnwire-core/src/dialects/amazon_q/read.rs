//! Reads Amazon Q messages.

use super::AmazonQ;
use super::keys as k;
use crate::{
    model::{Call, Content, Flaw, Inner, Kind, Media, MediaData, Part, Parts, Role, ToolResult, Turn},
    report::{Error, Place, Trail, error::Code},
    rules::MediaClass,
    value::{Extras, Host, Input, Key, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{args, placed, wrong_type},
        },
    },
};

/// The paths of the parts of a message.
struct Side {
    /// The key of the message.
    message: &'static str,
    content: &'static str,
    images: &'static str,
    context: &'static str,
    results: &'static str,
    calls: &'static str,
}

pub(super) const USER: &str = "userInputMessage";
pub(super) const ASSISTANT: &str = "assistantResponseMessage";

const OF_USER: Side = Side {
    message: USER,
    content: "userInputMessage.content",
    images: "userInputMessage.images",
    context: "userInputMessage.userInputMessageContext",
    results: "userInputMessage.userInputMessageContext.toolResults",
    calls: "userInputMessage.toolUses",
};

const OF_ASSISTANT: Side = Side {
    message: ASSISTANT,
    content: "assistantResponseMessage.content",
    images: "assistantResponseMessage.images",
    context: "assistantResponseMessage.userInputMessageContext",
    results: "assistantResponseMessage.userInputMessageContext.toolResults",
    calls: "assistantResponseMessage.toolUses",
};

/// Keys that the service takes beside content, images, calls and results, by its client's own types.
const USER_KEYS: &str = "userIntent origin modelId cachePoint clientCacheConfig";
const ASSISTANT_KEYS: &str = "supplementaryWebLinks references followupPrompt cachePoint reasoningContent";
const CONTEXT_KEYS: &str = "editorState shellState gitState envState appStudioContext diagnostic consoleState userSettings \
                            additionalContext tools";

static NO_CONTENT: Flaw = Flaw::refused("the content of a message is a string");
static BOTH_IN_ONE: Flaw = Flaw::refused("a block holds text or JSON, not both");
static WHOLE_TYPE: Flaw = Flaw::refused("the format of an image is the end of its media type");
static TYPED: Flaw = Flaw::refused("a block is told by its key, not by a type");

impl Read for AmazonQ {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let (user, assistant) = (keys.some(&k::USER_MESSAGE), keys.some(&k::ASSISTANT_MESSAGE));
        let (node, role, side) = match (user, assistant) {
            (Some(node), None) => (node, Role::User, OF_USER),
            (None, Some(node)) => (node, Role::Assistant, OF_ASSISTANT),
            (Some(_), Some(_)) => {
                let text =
                    "expected one message, got \"userInputMessage\" and \"assistantResponseMessage\" in one element";
                return Err(Error::new(Code::WrongType, text).at(at));
            }
            (None, None) => {
                let text =
                    "expected the key \"userInputMessage\" or \"assistantResponseMessage\", got an object without them";
                return Err(Error::new(Code::MissingKey, text).at(at));
            }
        };
        turn.role = role;
        turn.flaw = keys.null_but(&[]);
        message(&node, &side, &at.key(side.message), turn)?;
        turn.extras = keys.extras();
        Ok(())
    }
}

/// Reads a message of either side. Also reads parts that belong to the other side, so that a build can move them.
fn message<S: Source>(node: &S, side: &Side, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(node, at)?;
    let parts = &mut turn.parts;
    // Results come before the other parts.
    if let Some(context) = keys.some(&k::CONTEXT) {
        self::context(&context, side, &at.key(k::CONTEXT.name), parts)?;
    }
    match keys.text(&k::CONTENT)? {
        // Empty text has no part.
        Some(text) if text.is_empty() => {}
        Some(text) => parts.push(Part::at(Place::key(side.content), Kind::Text(text))),
        None => turn.flaw = turn.flaw.or(Some(&NO_CONTENT)),
    }
    let assistant = turn.role == Role::Assistant;
    if assistant {
        turn.id = keys.text(&k::MESSAGE_ID)?;
    }
    for (item, image) in items(&mut keys, &k::IMAGES)?.enumerate() {
        let at = at.key(k::IMAGES.name);
        parts.push(self::image(&image, Place::item(side.images, item), &at.index(item))?);
    }
    for (item, call) in items(&mut keys, &k::TOOL_USES)?.enumerate() {
        let at = at.key(k::TOOL_USES.name);
        parts.push(tool_use(&call, Place::item(side.calls, item), &at.index(item))?);
    }
    let known = if assistant { ASSISTANT_KEYS } else { USER_KEYS };
    known_here_only(keys.extras(), (side.message, known), node.input(), parts);
    Ok(())
}

/// The items of a list that may be missing.
fn items<S: Source>(keys: &mut Keys<'_, S>, key: &'static Key) -> Result<impl Iterator<Item = S>, Error> {
    let node = keys.some(key);
    if let Some(node) = node.as_ref().filter(|node| node.kind() != NodeKind::List) {
        return Err(wrong_type("a list", node, &keys.at.key(key.name)));
    }
    let items: Vec<S> = node.iter().flat_map(Source::items).collect();
    Ok(items.into_iter())
}

/// Reads results, and opaque parts: the state of the environment, tool definitions.
fn context<S: Source>(node: &S, side: &Side, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(node, at)?;
    let results = at.key(k::TOOL_RESULTS.name);
    for (item, result) in items(&mut keys, &k::TOOL_RESULTS)?.enumerate() {
        parts.push(tool_result(&result, Place::item(side.results, item), &results.index(item))?);
    }
    known_here_only(keys.extras(), (side.context, CONTEXT_KEYS), node.input(), parts);
    Ok(())
}

/// Reads the service's own keys, each as an opaque part with the key as its name. A key that the service does not know
/// becomes an extra of its part, so that it is reported.
fn known_here_only<H: Host>(
    extras: Option<Box<Extras<H>>>,
    (place, known): (&'static str, &str),
    input: Option<&Input>,
    parts: &mut Parts<H>,
) {
    parts.extend(extras.into_iter().flat_map(|extras| *extras).map(|(key, raw)| {
        let known = known.split(' ').any(|known| key.is(known, input));
        let extras = (!known).then(|| Box::new(vec![(key.share(), raw.share())]));
        Part { origin: Some(raw), extras, ..Part::at(Place::key(place), Kind::Opaque(key)) }
    }));
}

fn image<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let format = keys.needed_text(&k::FORMAT)?;
    let source = keys.needed(&k::SOURCE)?;
    let inner_at = at.key(k::SOURCE.name);
    let mut inner = Keys::of(&source, &inner_at)?;
    let node = inner.needed(&k::BYTES)?;
    let data = match node.text() {
        Some(data) => MediaData::Base64(data),
        None if node.kind() == NodeKind::Blob => MediaData::Bytes(node.raw()),
        None => return Err(wrong_type("base64 text or bytes", &node, &inner_at.key(k::BYTES.name))),
    };
    // Some clients write the whole media type.
    let name = format.to_str(element.input());
    let whole = name.starts_with("image/");
    let mime = Some(if whole { format.share() } else { Text::own(&format!("image/{name}")) });
    let media = Media { class: MediaClass::Image, mime, data, name: None };
    let mut part = placed(Kind::Media(media), element, place);
    part.flaw = if whole { Some(&WHOLE_TYPE) } else { None };
    part.extras = keys.extras();
    part.inner = Inner::of(k::SOURCE.name, inner.extras());
    Ok(part)
}

fn tool_use<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let name = keys.needed_text(&k::NAME)?;
    let args = args(keys.take(&k::INPUT))?;
    let call = Call { id, made_up_id: false, name, args, custom: false, before: None, form: None, namespace: None };
    let mut part = placed(Kind::Call(call), element, place);
    part.extras = keys.extras();
    Ok(part)
}

fn tool_result<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let id = keys.needed_text(&k::TOOL_USE_ID)?;
    let error = match keys.text(&k::STATUS)? {
        None => false,
        Some(status) if status.is(k::SUCCESS.name, element.input()) => false,
        Some(status) if status.is(k::ERROR.name, element.input()) => true,
        Some(status) => {
            let got = status.to_str(element.input()).into_owned();
            let text = format!("expected \"success\" or \"error\", got {got:?}");
            return Err(Error::new(Code::WrongType, text).at(&at.key(k::STATUS.name)));
        }
    };
    let flaw = keys.null_but(&[]);
    let blocks = at.key(k::CONTENT.name);
    let mut parts = Parts::new();
    for (item, element) in items(&mut keys, &k::CONTENT)?.enumerate() {
        block(&element, Place::item(k::CONTENT.name, item), &blocks.index(item), &mut parts)?;
    }
    let result = ToolResult {
        id,
        made_up_id: false,
        name: None,
        content: Content::blocks(parts),
        error,
        synthetic: false,
        custom: false,
        form: None,
    };
    let mut part = placed(Kind::Result(result), element, place);
    part.flaw = flaw.or_else(|| keys.null_but(&[]));
    part.extras = keys.extras();
    Ok(part)
}

/// Reads one block of a result: text or JSON. A block with both becomes two.
fn block<S: Source>(element: &S, place: Place, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let (text, json) = (keys.text(&k::TEXT)?, keys.take(&k::JSON));
    let word =
        element.get(&k::TYPE).as_ref().and_then(Source::word).map(|word| word == k::TEXT.name || word == k::JSON.name);
    let typed = word == Some(true) && keys.take(&k::TYPE).is_some();
    let flaw = if typed { Some(&TYPED) } else { keys.null_but(&[]) };
    let kind = match (text, json) {
        (Some(text), None) => Kind::Text(text),
        (None, Some(json)) => Kind::Json(json.raw()),
        (None, None) => return Err(keys.missing(&k::TEXT)),
        (Some(text), Some(json)) => {
            // Neither equals the original block, so neither may be sent back unchanged.
            parts.push(Part { flaw: Some(&BOTH_IN_ONE), ..Part::at(place, Kind::Text(text)) });
            parts.push(Part { extras: keys.extras(), ..Part::at(place, Kind::Json(json.raw())) });
            return Ok(());
        }
    };
    parts.push(Part { flaw, extras: keys.extras(), ..placed(kind, element, place) });
    Ok(())
}
