//! Reads input items: messages, calls and their outputs, reasoning, and opaque ones.

use super::{OpenAiResponses, block_rules::ITEMS, forms, items, keys as k, tools};
use crate::{
    model::{
        Call, Choice, Content, Flaw, Frame, Kind, Media, MediaData, Part, Parts, Role, System, Tool, ToolResult, Turn,
        flaw,
    },
    report::{Error, Place, Trail},
    rules::{
        MediaClass,
        block_rule::{block_rule_of, without_key},
    },
    value::{Host, Key, NodeKind, Source, Text, Value},
    wire::{
        format::Read,
        read::{
            Keys, NULL, error_flag,
            keys::{args, each_part, placed, unknown_role, wrong_type},
        },
    },
};
pub(super) mod reasoning;
mod replies;

static NO_CONTENT: Flaw = Flaw::refused("a message without content");
static NO_ID: Flaw = Flaw::refused("only messages of the assistant have an id");
static NO_LIST: Flaw = Flaw::refused("a message with an id or a status has its content in a list");
static NO_ITEM_TYPE: Flaw = Flaw::refused("an item without its type");
static NO_ARGUMENTS: Flaw = Flaw::refused("a call without the text of its arguments");
static NO_OUTPUT: Flaw = Flaw::refused("an output without content");
static NO_STATUS: Flaw = Flaw::refused("an output of a tool that takes free text has no status");
static NO_TEXT: Flaw = Flaw::refused("an output is text, or a list of parts");
static OTHER_SIDE: Flaw = Flaw::refused("what the user says is input, and what the assistant says is output");
static NO_SOURCE: Flaw = Flaw::refused("an image must say where it is");
static NO_ITEM: Flaw = Flaw::refused("this is a part of a message, not an item");
static NO_PART: Flaw = Flaw::refused("this is an item, not a part of one");
static NO_DATA_URL: Flaw = Flaw::refused("the data of a file must be an address that holds them");

impl Read for OpenAiResponses {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        self::turn(element, at, turn)
    }
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        instructions(node, place).map(System::of)
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::read(tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tools::read_choice(choice, at)
    }
    fn settle<H: Host>(turns: &mut [Turn<H>], frame: &Frame<H>) {
        forms::settle::settle(turns, frame);
        reasoning::settle(turns);
        replies::settle(turns);
    }
    fn hosted<H: Host>(frame: &Frame<H>) -> Vec<&'static str> {
        forms::settle::hosted(frame)
    }
}

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    // The whole input may be the user's text.
    if let Some(text) = element.text().filter(|_| turn.lone) {
        if !text.is_empty() {
            turn.parts.push(Part::at(Place::default(), Kind::Text(text)));
        }
        return Ok(());
    }
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let bare = 1 + usize::from(element.get(&k::TYPE).is_some());
    let reference = kind.is_none() && element.get(&k::ID).is_some() && element.len() == bare;
    let word = match &kind {
        None if reference => Some("item_reference".into()),
        None => Some(k::MESSAGE.name.into()),
        Some(kind) => kind.word(),
    };
    if word.as_deref() == Some("") {
        turn.flaw = Some(&NO_ITEM_TYPE);
    }
    match word.as_deref() {
        Some("message" | "") => message(keys, turn),
        Some("function_call") => call(keys, false, turn),
        Some("custom_tool_call") => call(keys, true, turn),
        Some("function_call_output") => output(keys, Side::Output, turn),
        Some("custom_tool_call_output") => output(keys, Side::CustomOutput, turn),
        Some("reasoning") => reasoning::read(keys, turn),
        Some(other) if forms::read::item(other, element, at, turn)? => Ok(()),
        Some(other) => {
            opaque(other, turn);
            let flaw = items::is_part(other).then_some(&NO_ITEM);
            let mut part = Part { flaw, ..placed(Kind::Opaque(Text::own(other)), element, Place::default()) };
            for key in unset(other, element) {
                turn.flaw = Some(&NULL);
                part.origin = part.origin.as_ref().and_then(|origin| without_key(origin, key, element.input()));
            }
            turn.parts.push(part);
            Ok(())
        }
        None => {
            let kind = kind.as_ref().unwrap_or(element);
            Err(wrong_type("a string", kind, &at.key(k::TYPE.name)))
        }
    }
}

/// Says who speaks in an item that only this API knows, and what it depends on.
pub(super) fn opaque<H: Host>(kind: &str, turn: &mut Turn<H>) {
    turn.role = items::speaker(kind);
    turn.tie = items::tie(kind);
}

/// The optional keys of an opaque item that are `null`, where that is no value.
pub(super) fn unset<S: Source>(kind: &str, element: &S) -> Vec<&'static str> {
    let nulls: Vec<_> = element.entries().filter(|(_, value)| value.kind() == NodeKind::Null).collect();
    let given = |name: &str| nulls.iter().any(|(key, _)| key.is(name, element.input()));
    let may = block_rule_of(ITEMS, kind).filter(|_| !nulls.is_empty()).map_or(&[][..], |rule| rule.may);
    let unset = may.iter().filter(|(name, rule)| given(name) && !rule.allows::<S::H>(&Value::Null));
    unset.map(|(name, _)| *name).collect()
}

/// Top-level instructions are one text.
pub(super) fn instructions<S: Source>(node: &S, place: &'static str) -> Result<Parts<S::H>, Error> {
    match node.text() {
        Some(text) if text.is_empty() => Ok(Parts::new()),
        Some(text) => Ok([Part::at(Place::key(place), Kind::Text(text))].into()),
        None => Err(wrong_type("a string", node, &Trail::ROOT)),
    }
}

/// The item's id if servers accept it. Otherwise it stays among the extras.
pub(super) fn id<S: Source>(keys: &mut Keys<'_, S>, kind: &str) -> Result<Option<Text<S::H>>, Error> {
    let given = keys.node.get(&k::ID);
    let word = given.as_ref().and_then(Source::word);
    if word.is_some_and(|id| !items::fits(kind, &id)) { Ok(None) } else { keys.text(&k::ID) }
}

fn message<S: Source>(mut keys: Keys<'_, S>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let node = keys.needed(&k::ROLE)?;
    turn.role = match node.word().as_deref() {
        Some("system") => Role::System,
        Some("developer") => Role::Developer,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some(word) => {
            return Err(unknown_role(word, "system, developer, user, assistant", &keys.at.key(k::ROLE.name)));
        }
        None => return Err(wrong_type("a string", &node, &keys.at.key(k::ROLE.name))),
    };
    let side = if turn.role == Role::Assistant { Side::Assistant } else { Side::User };
    turn.id = id(&mut keys, k::MESSAGE.name)?;
    if turn.id.is_some() && turn.role != Role::Assistant {
        turn.flaw = turn.flaw.or(Some(&NO_ID));
    }
    match keys.some(&k::CONTENT) {
        None => turn.flaw = turn.flaw.or(Some(&NO_CONTENT)),
        Some(node) => match node.text() {
            Some(text) if turn.id.is_some() || keys.node.get(&k::STATUS).is_some() => {
                turn.flaw = turn.flaw.or(Some(&NO_LIST));
                let text = Some(text).filter(|text| !text.is_empty());
                turn.parts.extend(text.map(|text| Part::at(Place::key(k::CONTENT.name), Kind::Text(text))));
            }
            // An empty string has no part; its turn's origin still replays it.
            Some(text) if text.is_empty() => {}
            Some(text) => turn.parts.push(Part::at(Place::key(k::CONTENT.name), Kind::Text(text))),
            None => turn.parts = parts(&node, &k::CONTENT, side, &keys.at.key(k::CONTENT.name))?,
        },
    }
    turn.flaw = turn.flaw.or_else(|| keys.null_but(&[]));
    turn.extras = keys.extras();
    Ok(())
}

/// Where a part is: in a message of this role, or in an output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    User,
    Assistant,
    /// The output of a function.
    Output,
    /// The output of a custom tool, with the same parts as a message.
    CustomOutput,
}

/// The parts of a message or an output.
fn parts<S: Source>(node: &S, key: &'static Key, side: Side, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    each_part(node, key.name, at, |one, place, at| part(one, place, side, at))
}

fn part<S: Source>(element: &S, place: Place, side: Side, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let assistant = side == Side::Assistant;
    let (kind, mut flaw) = match word.as_deref() {
        Some("input_text") => (Some(Kind::Text(keys.needed_text(&k::TEXT)?)), assistant.then_some(&OTHER_SIDE)),
        Some("output_text") => {
            let notes = element.get(&k::ANNOTATIONS);
            // Drops an empty list. It is written again if the type requires it.
            if notes.is_some_and(|notes| notes.kind() == NodeKind::List && notes.is_empty()) {
                let _ = keys.take(&k::ANNOTATIONS);
            }
            (Some(Kind::Text(keys.needed_text(&k::TEXT)?)), (!assistant).then_some(&OTHER_SIDE))
        }
        // The type of Chat Completions.
        Some("text") => (Some(Kind::Text(keys.needed_text(&k::TEXT)?)), Some(&OTHER_SIDE)),
        Some("refusal") => (Some(Kind::Refusal(keys.needed_text(&k::REFUSAL)?)), None),
        Some("input_image") => match image(&mut keys)? {
            None => (None, Some(&NO_SOURCE)),
            found => (found, None),
        },
        Some("input_file") => file(&mut keys)?,
        Some("") | None => (None, Some(&flaw::NO_TYPE)),
        Some(kind) => (None, items::is_item(kind).then_some(&NO_PART)),
    };
    let Some(kind) = kind else {
        let name = word.as_deref().unwrap_or("part");
        return Ok(Part { flaw, ..placed(Kind::Opaque(name.into()), element, place) });
    };
    flaw = flaw.or_else(|| keys.null_but(&[]));
    Ok(Part { flaw, extras: keys.extras(), ..placed(kind, element, place) })
}

/// An image by its URL or id; one with neither stays opaque.
fn image<S: Source>(keys: &mut Keys<'_, S>) -> Result<Option<Kind<S::H>>, Error> {
    let data = match (keys.text(&k::IMAGE_URL)?, file_id(keys)?) {
        (Some(url), _) if url.starts_with("data:", keys.node.input()) => MediaData::DataUrl(url),
        (Some(url), _) => MediaData::Url(url),
        (None, Some(id)) => MediaData::File(id),
        (None, None) => return Ok(None),
    };
    Ok(Some(Kind::Media(Media { class: MediaClass::Image, mime: None, data, name: None })))
}

/// The id of a file, unless another key has the content: then the id is an ordinary key.
fn file_id<S: Source>(keys: &mut Keys<'_, S>) -> Result<Option<Text<S::H>>, Error> {
    let others = [&k::IMAGE_URL, &k::FILE_DATA, &k::FILE_URL].into_iter();
    let told = others.filter_map(|key| keys.node.get(key)).any(|node| node.kind() != NodeKind::Null);
    if told { Ok(None) } else { keys.text(&k::FILE_ID) }
}

type Found<H> = (Option<Kind<H>>, Option<&'static Flaw>);

/// A file by its data, its URL or its id; one with none stays opaque.
fn file<S: Source>(keys: &mut Keys<'_, S>) -> Result<Found<S::H>, Error> {
    let input = keys.node.input();
    let name = keys.text(&k::FILENAME)?;
    let (data, flaw) = match keys.text(&k::FILE_DATA)? {
        Some(data) if data.starts_with("data:", input) => (MediaData::DataUrl(data), None),
        Some(data) => (MediaData::Base64(data), Some(&NO_DATA_URL)),
        None => match (keys.text(&k::FILE_URL)?, file_id(keys)?) {
            (Some(url), _) => (MediaData::Url(url), None),
            (None, Some(id)) => (MediaData::File(id), None),
            (None, None) => return Ok((None, Some(&NO_DATA_URL))),
        },
    };
    Ok((Some(Kind::Media(Media { class: MediaClass::Document, mime: None, data, name })), flaw))
}

/// Reads a call, which is the whole item.
fn call<S: Source>(mut keys: Keys<'_, S>, custom: bool, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Assistant;
    turn.id = id(&mut keys, if custom { k::CUSTOM_TOOL_CALL.name } else { k::FUNCTION_CALL.name })?;
    // A missing id is read as the empty one, so that a call and its output still pair and `build` gives them an id.
    let id = keys.text(&k::CALL_ID)?.unwrap_or_else(|| Text::own(""));
    let name = keys.needed_text(&k::NAME)?;
    // A value of another type stays among the unknown keys.
    let grouped = keys.node.get(&k::NAMESPACE).is_some_and(|name| name.kind() == NodeKind::Text);
    let namespace = if grouped { keys.text(&k::NAMESPACE)?.map(Box::new) } else { None };
    let given = keys.some(if custom { &k::INPUT } else { &k::ARGUMENTS });
    let told = given.as_ref().is_some_and(|given| matches!(given.kind(), NodeKind::Text | NodeKind::Map));
    let args = args(given)?;
    let flaw = if told { keys.null_but(&[]) } else { Some(&NO_ARGUMENTS) };
    let element = keys.node.clone();
    let call = Kind::Call(Call { id, made_up_id: false, name, args, custom, before: None, form: None, namespace });
    turn.parts.push(Part { flaw, extras: keys.extras(), ..placed(call, &element, Place::default()) });
    Ok(())
}

/// Reads the output of a call: a result.
fn output<S: Source>(mut keys: Keys<'_, S>, side: Side, turn: &mut Turn<S::H>) -> Result<(), Error> {
    turn.role = Role::Tool;
    turn.id = id(&mut keys, k::FUNCTION_CALL_OUTPUT.name)?;
    let id = keys.text(&k::CALL_ID)?.unwrap_or_else(|| Text::own(""));
    let name = keys.text(&k::NAME)?.map(Box::new);
    let mut content = match keys.some(&k::OUTPUT) {
        None => {
            turn.flaw = Some(&NO_OUTPUT);
            Content::Absent
        }
        Some(node) => match node.text() {
            Some(text) => Content::Text(text),
            // The output is the tool's answer itself, although text is expected.
            None if node.kind() != NodeKind::List => {
                turn.flaw = Some(&NO_TEXT);
                Content::blocks([Part::at(Place::key(k::OUTPUT.name), Kind::Json(node.raw()))])
            }
            None => {
                let parts = parts(&node, &k::OUTPUT, side, &keys.at.key(k::OUTPUT.name))?;
                if parts.is_empty() { Content::Absent } else { Content::blocks(parts) }
            }
        },
    };
    let error = error_flag::take(&mut content, keys.node.input())?;
    let custom = side == Side::CustomOutput;
    if custom && keys.take(&k::STATUS).is_some() {
        turn.flaw = turn.flaw.or(Some(&NO_STATUS));
    }
    turn.flaw = turn.flaw.or_else(|| keys.null_but(&[]));
    let result = ToolResult { id, made_up_id: false, name, content, error, synthetic: false, custom, form: None };
    turn.parts.push(Part { extras: keys.extras(), ..Part::at(Place::default(), Kind::Result(result)) });
    Ok(())
}
