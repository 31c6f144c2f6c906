//! Reads GenAI messages, system instructions and their parts, in the spellings of every version.

use super::{
    Otel, keys as k,
    media::{self, Form},
};
use crate::{
    model::{Call, Content, Flaw, Kind, Part, Parts, Reasoning, Role, System, Tool, ToolResult, Turn, flaw},
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{Host, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys, error_flag,
            keys::{args, each_part, placed, unknown_role, wrong_type},
            tools,
        },
    },
};

static OLD: Flaw = Flaw::unsure("newer conventions use another name for this");
static NO_CONTENT: Flaw = Flaw::refused("this part was recorded without its content");
static WRONG_ROLE: Flaw = Flaw::refused("calls and reasoning are the assistant's, results are not");

const ROLES: &[(&str, Role)] = &[
    ("system", Role::System),
    ("developer", Role::Developer),
    ("user", Role::User),
    ("assistant", Role::Assistant),
    ("tool", Role::Tool),
];

impl Read for Otel {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&k::ROLE)?;
        let role_at = at.key(k::ROLE.name);
        let Some(word) = node.word() else { return Err(wrong_type("a string", &node, &role_at)) };
        let Some(role) = node.one_of(ROLES) else {
            let known: Vec<_> = ROLES.iter().map(|(word, _)| *word).collect();
            return Err(unknown_role(&word, &known.join(", "), &role_at));
        };
        turn.role = role;
        turn.parts = parts(&keys.needed(&k::PARTS)?, k::PARTS.name, &at.key(k::PARTS.name))?;
        if !turn.parts.iter().all(|part| fits(part, role)) {
            turn.flaw = Some(&WRONG_ROLE);
            if turn.calls().next().is_some() {
                // A message with calls is the assistant's.
                turn.role = Role::Assistant;
            }
        }
        turn.extras = keys.extras();
        Ok(())
    }
    /// Reads the list of parts.
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        parts(node, place, &Trail::ROOT).map(System::of)
    }
    /// Reads one definition: a function, or a tool of another type, which the provider runs.
    fn tool<S: Source>(tool: &S, at: &Trail<'_>) -> Result<Tool<S::H>, Error> {
        tools::given(tool, at)
    }
}

/// Whether this role may have this part. Some providers put results into a user's message.
fn fits<H: Host>(part: &Part<H>, role: Role) -> bool {
    match &part.kind {
        Kind::Call(_) | Kind::Reasoning(_) => role == Role::Assistant,
        Kind::Result(_) => matches!(role, Role::Tool | Role::User),
        _ => true,
    }
}

fn parts<S: Source>(list: &S, place: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", list, at));
    }
    each_part(list, place, at, part)
}

fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let mut flaw = None;
    let kind = match word.as_deref() {
        Some("text") => said(&mut keys, Kind::Text)?,
        Some("reasoning") => said(&mut keys, thought)?,
        Some("thinking") => {
            let said = said(&mut keys, thought)?;
            flaw = said.is_some().then_some(&OLD);
            said
        }
        Some("tool_call") if !is_builtin(element) => Some(Kind::Call(call(&mut keys)?)),
        Some("tool_call_response") if !is_builtin(element) => Some(Kind::Result(result(&mut keys, &mut flaw)?)),
        Some("blob") => Some(media::read(&mut keys, Form::Data)?),
        Some("uri") => Some(media::read(&mut keys, Form::Address)?),
        Some("file") => Some(media::read(&mut keys, Form::File)?),
        Some(word @ ("binary" | "image-url" | "audio-url" | "video-url" | "document-url")) => {
            flaw = Some(&OLD);
            Some(media::read(&mut keys, old_form(word))?)
        }
        Some("") | None => {
            flaw = Some(&flaw::NO_TYPE);
            None
        }
        Some(_) => None,
    };
    let mut made = placed(Kind::Opaque(word.as_deref().unwrap_or("part").into()), element, place);
    made.flaw = flaw;
    if let Some(kind) = kind {
        made.kind = kind;
        made.extras = keys.extras();
    }
    Ok(made)
}

/// Reads the content of a part. Instrumentations can be set to leave it out. Such a part stays as it is.
fn said<S: Source>(keys: &mut Keys<'_, S>, kind: fn(Text<S::H>) -> Kind<S::H>) -> Result<Option<Kind<S::H>>, Error> {
    Ok(keys.text(&k::CONTENT)?.map(kind))
}

fn thought<H: Host>(text: Text<H>) -> Kind<H> {
    Kind::Reasoning(Reasoning { text: Some(text) })
}

fn old_form(word: &str) -> Form {
    match word {
        "image-url" => Form::Old(MediaClass::Image),
        "audio-url" => Form::Old(MediaClass::Audio),
        "video-url" => Form::Old(MediaClass::Video),
        "document-url" => Form::Old(MediaClass::Document),
        _ => Form::Binary,
    }
}

/// Whether the provider ran this call, by pydantic-ai's mark.
fn is_builtin<S: Source>(part: &S) -> bool {
    part.get(&k::BUILTIN).is_some_and(|mark| mark.bool() == Some(true))
}

fn call<S: Source>(keys: &mut Keys<'_, S>) -> Result<Call<S::H>, Error> {
    let (id, made_up_id) = id(keys)?;
    let name = keys.needed_text(&k::NAME)?;
    let args = args(keys.take(&k::ARGUMENTS))?;
    Ok(Call { id, made_up_id, name, args, custom: false, before: None, form: None, namespace: None })
}

/// An id, and whether it is missing.
fn id<S: Source>(keys: &mut Keys<'_, S>) -> Result<(Text<S::H>, bool), Error> {
    let id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
    let missing = id.is_none();
    Ok((id.unwrap_or_else(|| Text::own("")), missing))
}

/// Reads a result: text, or any JSON value.
fn result<S: Source>(keys: &mut Keys<'_, S>, flaw: &mut Option<&'static Flaw>) -> Result<ToolResult<S::H>, Error> {
    let (id, made_up_id) = id(keys)?;
    let name = keys.text(&k::NAME)?.map(Box::new);
    let (mut key, mut value) = (&k::RESPONSE, keys.take(&k::RESPONSE));
    if value.is_none() {
        (key, value) = (&k::RESULT, keys.take(&k::RESULT));
        *flaw = if value.is_some() { Some(&OLD) } else { Some(&NO_CONTENT) };
    }
    let mut content = match value {
        Some(value) if value.kind() != NodeKind::Null => match value.text() {
            Some(text) => Content::Text(text),
            None => Content::blocks([Part::at(Place::key(key.name), Kind::Json(value.raw()))]),
        },
        _ => Content::Absent,
    };
    let error = error_flag::take(&mut content, keys.node.input())?;
    Ok(ToolResult { id, made_up_id, name, content, error, synthetic: false, custom: false, form: None })
}
