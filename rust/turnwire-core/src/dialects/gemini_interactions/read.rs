//! Reads steps: messages of the user and the model, thoughts, calls and their results, and opaque steps.

use super::{GeminiInteractions, keys as k, tools};
use crate::{
    model::{
        Call, Choice, Content, Flaw, Kind, Media, MediaData, Part, Parts, Reasoning, Role, System, Tool, ToolResult,
        Turn, flaw,
    },
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{Host, Key, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{args, each_part, joined, placed, wrong_type},
        },
    },
};

static BARE: Flaw = Flaw::refused("contents and steps never mix in one list: a content goes into a step");
static OLD: Flaw = Flaw::refused("a turn of the API before May 2026: what it holds are steps now");
static NO_CONTENT: Flaw = Flaw::refused("what is said is a list of contents");
static NO_STEP: Flaw = Flaw::refused("calls and results are steps, and no contents");
static NO_RESULT: Flaw = Flaw::refused("a result is text, an object or a list of contents");

const ROLES: &[(&str, Role)] = &[("user", Role::User), ("model", Role::Assistant)];

impl Read for GeminiInteractions {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        // The whole input may be the user's text.
        if let Some(text) = element.text().filter(|_| turn.lone) {
            if !text.is_empty() {
                turn.parts.push(Part::at(Place::default(), Kind::Text(text)));
            }
            return Ok(());
        }
        step(element, at, turn)
    }
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        match node.text() {
            Some(text) if text.is_empty() => Ok(System::of(Parts::new())),
            Some(text) => Ok(System::of([Part::at(Place::key(place), Kind::Text(text))])),
            None => Err(wrong_type("a string", node, &Trail::ROOT)),
        }
    }
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::read(tool, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tools::read_choice(choice, at)
    }
}

pub(super) fn step<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    if element.get(&k::TYPE).is_none()
        && let Some(role) = element.get(&k::ROLE).and_then(|role| role.one_of(ROLES))
    {
        return old(keys, role, turn);
    }
    let kind = keys.needed(&k::TYPE)?;
    let Some(word) = kind.word() else { return Err(wrong_type("a string", &kind, &at.key(k::TYPE.name))) };
    turn.role = Role::Assistant;
    match &*word {
        "user_input" => {
            said(keys, turn)?;
            turn.role = speaker(turn);
            Ok(())
        }
        "model_output" => said(keys, turn),
        "thought" => {
            turn.parts.push(thought(keys)?);
            Ok(())
        }
        "function_call" => {
            turn.parts.push(call(keys, Place::default())?);
            Ok(())
        }
        "function_result" => {
            turn.role = Role::Tool;
            let part = result(keys, Place::default())?;
            turn.parts.push(part);
            Ok(())
        }
        "text" | "image" | "audio" | "video" | "document" => {
            (turn.role, turn.flaw) = (Role::User, Some(&BARE));
            let part = content(element, Place::default(), at)?;
            // The part moves into a step, so it is written from its content.
            let known = !matches!(part.kind, Kind::Opaque(_));
            turn.parts.push(if known { Part { origin: None, ..part } } else { part });
            Ok(())
        }
        "" => Err(wrong_type("a type that is not empty", &kind, &at.key(k::TYPE.name))),
        other => {
            turn.parts.push(placed(Kind::Opaque(Text::own(other)), element, Place::default()));
            Ok(())
        }
    }
}

/// Reads one output of a reply before May 2026: the contents among them are the model's.
pub(super) fn output<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    step(element, at, turn)?;
    if turn.role == Role::User {
        turn.role = Role::Assistant;
    }
    Ok(())
}

/// Reads a turn of the API before May 2026, which has thoughts, calls and results among its contents.
fn old<S: Source>(mut keys: Keys<'_, S>, role: Role, turn: &mut Turn<S::H>) -> Result<(), Error> {
    keys.some(&k::ROLE);
    said(keys, turn)?;
    turn.role = if role == Role::User { speaker(turn) } else { role };
    turn.flaw = Some(&OLD);
    Ok(())
}

/// Who says what a user's step holds: some clients still put the results of tools into it.
fn speaker<H: Host>(turn: &Turn<H>) -> Role {
    let is_results = !turn.parts.is_empty() && turn.results().count() == turn.parts.len();
    if is_results { Role::Tool } else { Role::User }
}

/// Reads a step of the user or the model.
fn said<S: Source>(mut keys: Keys<'_, S>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    match keys.some(&k::CONTENT) {
        None => turn.flaw = Some(&NO_CONTENT),
        Some(node) => {
            if let Some(text) = node.text() {
                turn.flaw = Some(&NO_CONTENT);
                let text = Some(text).filter(|text| !text.is_empty());
                turn.parts.extend(text.map(|text| Part::at(Place::key(k::CONTENT.name), Kind::Text(text))));
            } else {
                turn.parts = contents(&node, &k::CONTENT, &keys.at.key(k::CONTENT.name))?;
            }
        }
    }
    turn.extras = keys.extras();
    Ok(())
}

fn contents<S: Source>(node: &S, key: &'static Key, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a list", node, at));
    }
    each_part(node, key.name, at, content)
}

/// Reads one content. Before May 2026 calls and results were contents, and some clients still send results in that
/// form.
fn content<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.needed(&k::TYPE)?;
    let Some(word) = kind.word() else { return Err(wrong_type("a string", &kind, &at.key(k::TYPE.name))) };
    let class = match &*word {
        "text" => {
            let kind = Kind::Text(keys.needed_text(&k::TEXT)?);
            return Ok(Part { extras: keys.extras(), ..placed(kind, element, place) });
        }
        "thought" if place.key == Some(k::CONTENT.name) => return Ok(Part { place, ..thought(keys)? }),
        "function_call" if place.key == Some(k::CONTENT.name) => {
            return Ok(Part { flaw: Some(&NO_STEP), ..call(keys, place)? });
        }
        "function_result" if place.key == Some(k::CONTENT.name) => {
            return Ok(Part { flaw: Some(&NO_STEP), ..result(keys, place)? });
        }
        "image" => MediaClass::Image,
        "audio" => MediaClass::Audio,
        "video" => MediaClass::Video,
        "document" => MediaClass::Document,
        "" => return Err(wrong_type("a type that is not empty", &kind, &at.key(k::TYPE.name))),
        other => return Ok(placed(Kind::Opaque(Text::own(other)), element, place)),
    };
    let (data, uri) = (keys.text(&k::DATA)?, if element.get(&k::DATA).is_some() { None } else { keys.text(&k::URI)? });
    let mime = keys.text(&k::MIME_TYPE)?;
    let data = match (data, uri) {
        (Some(data), _) if data.starts_with("data:", element.input()) => MediaData::DataUrl(data),
        (Some(data), _) => MediaData::Base64(data),
        (None, Some(uri)) => MediaData::Url(uri),
        (None, None) => MediaData::Base64(Text::own("")),
    };
    let kind = Kind::Media(Media { class, mime, data, name: None });
    Ok(Part { extras: keys.extras(), ..placed(kind, element, place) })
}

/// Reads a thought. It is sent back only as a whole, because its summary may be missing.
fn thought<S: Source>(mut keys: Keys<'_, S>) -> Result<Part<S::H>, Error> {
    let element = keys.node.clone();
    let mut texts = Vec::new();
    if let Some(list) = keys.some(&k::SUMMARY) {
        let at = keys.at.key(k::SUMMARY.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        for (index, one) in list.items().enumerate() {
            texts.extend(Keys::of(&one, &at.index(index))?.text(&k::TEXT)?);
        }
    }
    let text = joined(&texts, "\n\n", element.input())?;
    let signed = keys.text(&k::SIGNATURE)?.is_some_and(|signature| !signature.is_empty());
    let kind = Kind::Reasoning(Reasoning { text });
    Ok(Part { signed, ..placed(kind, &element, Place::default()) })
}

fn call<S: Source>(mut keys: Keys<'_, S>, place: Place) -> Result<Part<S::H>, Error> {
    // A missing id is read as the empty one, so that a call and its result still pair and `build` gives them an id.
    let id = keys.text(&k::ID)?.unwrap_or_else(|| Text::own(""));
    let name = keys.needed_text(&k::NAME)?;
    let given = keys.some(&k::ARGUMENTS);
    let flaw = given.as_ref().is_none_or(|given| given.kind() != NodeKind::Map).then_some(&flaw::NO_OBJECT);
    let args = args(given)?;
    let element = keys.node.clone();
    let call = Kind::Call(Call {
        id,
        made_up_id: false,
        name,
        args,
        custom: false,
        before: None,
        form: None,
        namespace: None,
    });
    Ok(Part { flaw, extras: keys.extras(), ..placed(call, &element, place) })
}

fn result<S: Source>(mut keys: Keys<'_, S>, place: Place) -> Result<Part<S::H>, Error> {
    let id = keys.text(&k::CALL_ID)?.unwrap_or_else(|| Text::own(""));
    let name = keys.text(&k::NAME)?.map(Box::new);
    let error = keys.flag(&k::IS_ERROR);
    let given = keys.some(&k::RESULT);
    let mut flaw = None;
    let content = match &given {
        None => {
            flaw = Some(&NO_RESULT);
            Content::Absent
        }
        Some(node) => match (node.text(), node.kind()) {
            (Some(text), _) => Content::Text(text),
            (None, NodeKind::List) => {
                let parts = contents(node, &k::RESULT, &keys.at.key(k::RESULT.name))?;
                if parts.is_empty() { Content::Absent } else { Content::blocks(parts) }
            }
            (None, kind) => {
                flaw = (kind != NodeKind::Map).then_some(&NO_RESULT);
                Content::blocks([Part::at(Place::key(k::RESULT.name), Kind::Json(node.raw()))])
            }
        },
    };
    let element = keys.node.clone();
    let result =
        ToolResult { id, made_up_id: false, name, content, error, synthetic: false, custom: false, form: None };
    Ok(Part { flaw, extras: keys.extras(), ..placed(Kind::Result(result), &element, place) })
}
