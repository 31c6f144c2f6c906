//! Reading Gemini contents and system text.

use super::super::{
    frame::wrong_type,
    read::{Keys, args, join_extras, placed, unknown_role},
};
#[allow(clippy::wildcard_imports, reason = "the keys of this format, declared next door")]
use super::*;
use crate::{
    base64,
    handle::{Input, Raw, Text, Value},
    media::{Media, MediaClass, MediaData},
    node::NodeKind,
    part::{Extras, Flaw, Inner, Kind, Part, Parts, Reasoning},
    path::Place,
    tool::{Args, Call, Content, ToolResult},
    turn::Role,
    value::{Key, tree::Tree},
};

type Read<S> = Result<Kind<<S as Source>::H>, Error>;
type Beside<'a, S> = (&'a mut Within<S>, &'a mut Option<&'static Flaw>);
type Left<H> = (Option<Box<Extras<H>>>, Option<&'static Flaw>);
type Within<S> = Option<Box<Inner<<S as Source>::H>>>;

static TWICE: Flaw = Flaw("a key stands there in two spellings");
static PLAIN: Flaw = Flaw("a client takes text alone for what is said, and the wire does not");
static NO_SIGNATURE: Flaw = Flaw("a signature is base64 text");
static NO_FLAG: Flaw = Flaw("a thought is marked by true or false");
static NO_MODEL: Flaw = Flaw("the model alone signs what it says");
static NO_SPEAKER: Flaw = Flaw("a role is a word");
static NO_SYSTEM: Flaw = Flaw("system text is text, and nothing else");
static NO_TYPE: Flaw = Flaw("data says of what type it is");
static NO_ROLE: Flaw = Flaw("some servers want to be told whose content this is");
static OLD_ROLE: Flaw = Flaw("only the user and the model speak");
static MIXED: Flaw = Flaw("some servers want the results of tools alone in their content");
static NO_NAME: Flaw = Flaw("a result without the name of its tool");
static NO_RESPONSE: Flaw = Flaw("a result without a response");
static SEVERAL: Flaw = Flaw("a part says one thing");
static NO_DATA: Flaw = Flaw("a part that says nothing");

/// The value of a key in either spelling.
pub(super) fn either<S: Source>(keys: &mut Keys<'_, S>, camel: &'static Key, snake: &'static Key) -> Option<S> {
    keys.some(camel).or_else(|| keys.some(snake))
}

/// The keys that nobody took, without the other spelling of one that says something; with a flaw where there was one.
fn left<S: Source>(keys: Keys<'_, S>) -> Left<S::H> {
    let node = keys.node;
    let Some(mut extras) = keys.extras() else { return (None, None) };
    let says = |spelled: &str| {
        let mut entries = node.entries().filter(|(_, value)| value.kind() != NodeKind::Null);
        entries.any(|(key, _)| key.is(spelled, node.input()))
    };
    let all = extras.len();
    extras.retain(|(key, _)| other_spelling(&key.to_str(node.input())).is_none_or(|other| !says(&other)));
    let flaw = (extras.len() < all).then_some(&TWICE);
    ((!extras.is_empty()).then_some(extras), flaw)
}

/// How proto JSON spells the same key otherwise.
fn other_spelling(key: &str) -> Option<String> {
    let mut made = String::with_capacity(key.len() + 4);
    let mut letters = key.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => made.extend(letters.next().map(|next| next.to_ascii_uppercase())),
            'A'..='Z' => made.extend(['_', letter.to_ascii_lowercase()]),
            _ => made.push(letter),
        }
    }
    (made != key).then_some(made)
}

/// A string under a key in either spelling.
fn either_text<S: Source>(
    keys: &mut Keys<'_, S>,
    camel: &'static Key,
    snake: &'static Key,
) -> Result<Option<Text<S::H>>, Error> {
    match keys.text(camel)? {
        None => keys.text(snake),
        text => Ok(text),
    }
}

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    // A client takes a text alone for what the user says. On the wire it is a content like any other.
    if let Some(text) = element.text() {
        (turn.origin, turn.flaw) = (None, Some(&PLAIN));
        turn.parts.push(Part::new(Kind::Text(text)));
        return Ok(());
    }
    let mut keys = Keys::of(element, at)?;
    let node = keys.some(&ROLE);
    turn.role =
        match node.as_ref().map(|node| node.word().ok_or_else(|| wrong_type("a string", node, &at.key(ROLE.name)))) {
            None => {
                turn.flaw = Some(&NO_ROLE);
                Role::User
            }
            Some(word) => match word?.as_ref() {
                "user" => Role::User,
                "model" => Role::Assistant,
                "function" | "tool" => {
                    turn.flaw = Some(&OLD_ROLE);
                    Role::User
                }
                word => return Err(unknown_role(word, "user, model, function", &at.key(ROLE.name))),
            },
        };
    let model = turn.role == Role::Assistant;
    if let Some(list) = keys.some(&PARTS) {
        let at = at.key(PARTS.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        turn.parts.reserve_exact(list.len());
        for (item, element) in list.items().enumerate() {
            let (place, at) = (Place::item(PARTS.name, item), at.index(item));
            let read = part(&element, model, place, &at)?;
            if !says_several(&read, element.input()) {
                turn.parts.push(read);
                continue;
            }
            turn.flaw = Some(&SEVERAL);
            for one in apart(&element)? {
                turn.parts.push(part(&Tree(&one), model, place, &at)?);
            }
        }
    }
    let results = turn.results().count();
    if results > 0 && results < turn.parts.len() {
        turn.flaw = Some(&MIXED);
    }
    turn.extras = keys.extras();
    Ok(())
}

/// System text: a string, a content, or the parts of one.
pub(super) fn system<S: Source>(node: &S, place: &'static str) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        let said = |text| Part { flaw: Some(&PLAIN), ..Part::at(Place::key(place), Kind::Text(text)) };
        return Ok((!text.is_empty()).then(|| said(text)).into_iter().collect());
    }
    let plain = |mut parts: Parts<S::H>| {
        parts.iter_mut().for_each(|part| part.flaw = part.flaw.or(Some(&PLAIN)));
        parts
    };
    if node.kind() == NodeKind::List {
        if node.is_empty() {
            return Ok([Part { flaw: Some(&PLAIN), ..Part::at(Place::key(place), Kind::Text(Text::own(""))) }].into());
        }
        return parts(node, place, &Trail::ROOT).map(plain);
    }
    let mut keys = Keys::of(node, &Trail::ROOT)?;
    // Whoever it says speaks: servers do not look, as long as it is a word.
    let speaker = keys.some(&ROLE).filter(|role| role.kind() != NodeKind::Text);
    let Some(list) = keys.some(&PARTS) else {
        // A part alone.
        return Ok(plain([part(node, false, Place::key(place), &Trail::ROOT)?].into()));
    };
    let inside = if place == SYSTEM_INSTRUCTION.name { "systemInstruction.parts" } else { "system_instruction.parts" };
    let mut parts = parts(&list, inside, &Trail::ROOT.key(PARTS.name))?;
    if let Some(first) = parts.first_mut() {
        first.flaw = first.flaw.or(speaker.map(|_| &NO_SPEAKER));
        join_extras(&mut first.extras, keys.extras());
    }
    Ok(parts)
}

fn parts<S: Source>(list: &S, place: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if list.kind() != NodeKind::List {
        return Err(wrong_type("a list", list, at));
    }
    let items = list.items().enumerate();
    let mut parts: Parts<S::H> = items
        .map(|(item, element)| part(&element, false, Place::item(place, item), &at.index(item)))
        .collect::<Result<_, _>>()?;
    let signed = |(key, _): &(Text<S::H>, Raw<S::H>)| {
        [&THOUGHT_SIGNATURE, &THOUGHT_SIGNATURE_SNAKE].iter().any(|known| key.is(known.name, list.input()))
    };
    for part in &mut parts {
        if part.extras.iter().flat_map(|extras| extras.iter()).any(signed) {
            part.flaw = part.flaw.or(Some(&NO_MODEL));
        }
        if matches!(part.kind, Kind::Opaque(_)) {
            part.flaw = part.flaw.or(Some(&NO_SYSTEM));
        }
    }
    Ok(parts)
}

/// One part. What is not known is kept as it is: code that ran, tools of the server. `model`: whether the model says it,
/// which alone signs.
fn part<S: Source>(element: &S, model: bool, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(Part { flaw: Some(&PLAIN), ..placed(Kind::Text(text), element, place) });
    }
    let mut keys = Keys::of(element, at)?;
    let (mut inner, mut flaw) = (None, None);
    let mut kind = data(&mut keys, &mut inner, &mut flaw)?;
    // What nearly every part is has no other key than that: all that is rarer is not even looked for.
    let called = matches!(kind, Some(Kind::Call(_)));
    let signature =
        if model || called { either(&mut keys, &THOUGHT_SIGNATURE, &THOUGHT_SIGNATURE_SNAKE) } else { None };
    let sound = |node: &S| match node.text() {
        Some(text) => base64::is_strict(&text.wtf8(node.input())),
        None => node.kind() == NodeKind::Blob,
    };
    if signature.as_ref().is_some_and(|node| !sound(node)) {
        flaw = Some(&NO_SIGNATURE);
    }
    let signed = signature.is_some_and(|node| node.text().is_none_or(|text| !text.is_empty()));
    let thinks = !called && !matches!(kind, Some(Kind::Result(_)));
    let marked = if thinks { keys.some(&THOUGHT) } else { None };
    if marked.as_ref().is_some_and(|mark| mark.kind() != NodeKind::Bool) {
        flaw = Some(&NO_FLAG);
    }
    let thought = marked.and_then(|mark| mark.bool()) == Some(true);
    kind = match kind {
        Some(Kind::Text(text)) if thought => Some(Kind::Reasoning(Reasoning { text: Some(text) })),
        // The signature is all that it says.
        Some(Kind::Text(text)) if signed && text.is_empty() => Some(Kind::Reasoning(Reasoning { text: None })),
        None if !says_more(element) && (thought || signed) => {
            flaw = Some(&NO_DATA);
            Some(Kind::Reasoning(Reasoning { text: None }))
        }
        _ if thought => Some(Kind::Reasoning(Reasoning { text: None })),
        kind => kind,
    };
    let mut made = match kind {
        Some(kind) => {
            let (extras, twice) = left(keys);
            flaw = flaw.or(twice);
            Part { extras, ..placed(kind, element, place) }
        }
        // No other key says anything either.
        None if !says_more(element) => {
            flaw = Some(&NO_DATA);
            placed(Kind::Text(Text::own("")), element, place)
        }
        None => opaque(element, place),
    };
    made.inner = inner;
    made.signed = signed;
    made.flaw = made.flaw.or(flaw);
    Ok(made)
}

/// The keys of what a part says, one of which it may have.
const DATA_KEYS: &str = "text functionCall function_call functionResponse function_response inlineData inline_data \
    fileData file_data executableCode executable_code codeExecutionResult code_execution_result \
    toolCall tool_call toolResponse tool_response";

fn is_data<H: Host>(key: &Text<H>, input: Option<&Input>) -> bool {
    DATA_KEYS.split(' ').any(|known| key.is(known, input))
}

/// Whether a part was left with a key of something else that it says.
fn says_several<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    part.extras.iter().flat_map(|extras| extras.iter()).any(|(key, _)| is_data(key, input))
}

/// A part that says several things, as several that say one: the first with all that stands beside.
fn apart<S: Source>(element: &S) -> Result<Vec<Value<S::H>>, Error> {
    let Value::Map(entries) = element.raw().to_value(element.input())? else { return Ok(Vec::new()) };
    let mut data = entries.iter().filter(|(key, value)| is_data(key, None) && !matches!(value, Value::Null));
    let beside = entries.iter().filter(|(key, _)| !is_data(key, None));
    let first: Vec<_> = data.next().into_iter().chain(beside).collect();
    let share = |(key, value): &(Text<S::H>, Value<S::H>)| (key.share(), value.share());
    let first = Value::Map(first.into_iter().map(share).collect());
    Ok(std::iter::once(first).chain(data.map(|one| Value::Map([share(one)].into()))).collect())
}

/// The one thing that a part says, where it is known here.
fn data<S: Source>(
    keys: &mut Keys<'_, S>,
    inner: &mut Within<S>,
    flaw: &mut Option<&'static Flaw>,
) -> Result<Option<Kind<S::H>>, Error> {
    if let Some(text) = keys.text(&TEXT)? {
        return Ok(Some(Kind::Text(text)));
    }
    for key in [&FUNCTION_CALL, &FUNCTION_CALL_SNAKE] {
        if let Some(node) = keys.some(key) {
            return call(&node, key, &keys.at.key(key.name), inner).map(Some);
        }
    }
    for (key, places) in [(&FUNCTION_RESPONSE, &CAMEL), (&FUNCTION_RESPONSE_SNAKE, &SNAKE)] {
        if let Some(node) = keys.some(key) {
            return result(&node, places, &keys.at.key(key.name), (inner, flaw)).map(Some);
        }
    }
    media(keys, (inner, flaw))
}

/// The keys of a part that are what it says, or that nobody knows.
fn said<S: Source>(element: &S) -> impl Iterator<Item = Text<S::H>> {
    let input = element.input().cloned();
    let beside = [THOUGHT_SIGNATURE.name, THOUGHT_SIGNATURE_SNAKE.name];
    let beside = move || Gemini::KEYS.part.iter().map(|(name, _)| *name).chain(beside);
    let entries = element.entries().filter(|(_, value)| value.kind() != NodeKind::Null).map(|(key, _)| key);
    entries.filter(move |key| !beside().any(|known| key.is(known, input.as_ref())))
}

fn says_more<S: Source>(element: &S) -> bool {
    said(element).next().is_some()
}

/// A part that only this format knows, by the name of its first key.
fn opaque<S: Source>(element: &S, place: Place) -> Part<S::H> {
    let name = said(element).next().unwrap_or_else(|| "part".into());
    placed(Kind::Opaque(name), element, place)
}

fn call<S: Source>(node: &S, key: &'static Key, at: &Trail<'_>, inner: &mut Within<S>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    let name = keys.needed_text(&NAME)?;
    let args = match keys.some(&ARGS) {
        // A call without arguments has none of them.
        None => Args::Value(Raw::Own("{}".into())),
        given => args(given)?,
    };
    let id = keys.text(&ID)?.filter(|id| !id.is_empty());
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    *inner = Inner::of(key.name, keys.extras());
    Ok(Kind::Call(Call { id, made_up_id, name, args, custom: false, before: None }))
}

/// Where the content of a result stands in its part.
struct ResponsePlaces {
    key: &'static str,
    whole: &'static str,
    output: &'static str,
    error: &'static str,
    parts: &'static str,
}

static CAMEL: ResponsePlaces = ResponsePlaces {
    key: "functionResponse",
    whole: "functionResponse.response",
    output: "functionResponse.response.output",
    error: "functionResponse.response.error",
    parts: "functionResponse.parts",
};

static SNAKE: ResponsePlaces = ResponsePlaces {
    key: "function_response",
    whole: "function_response.response",
    output: "function_response.response.output",
    error: "function_response.response.error",
    parts: "function_response.parts",
};

fn result<S: Source>(node: &S, places: &ResponsePlaces, at: &Trail<'_>, (inner, flaw): Beside<'_, S>) -> Read<S> {
    let mut keys = Keys::of(node, at)?;
    let name = keys.text(&NAME)?.filter(|name| !name.is_empty());
    if name.is_none() {
        *flaw = Some(&NO_NAME);
    }
    let id = keys.text(&ID)?.filter(|id| !id.is_empty());
    let (mut said, mut error) = (None, false);
    let response = keys.some(&RESPONSE);
    if response.is_none() {
        *flaw = Some(&NO_RESPONSE);
    }
    if let Some(response) = response {
        if response.kind() != NodeKind::Map {
            return Err(wrong_type("an object", &response, &at.key(RESPONSE.name)));
        }
        let value;
        (value, error) = value_of(&response);
        let place = match &value {
            None => places.whole,
            Some(_) if error => places.error,
            Some(_) => places.output,
        };
        said = value.or(Some(response)).map(|node| (node, Place::key(place)));
    }
    let said =
        said.filter(|(node, _)| node.kind() != NodeKind::Null && !(node.kind() == NodeKind::Map && node.is_empty()));
    let mut blocks: Parts<S::H> = said
        .iter()
        .map(|(node, place)| Part::at(*place, node.text().map_or_else(|| Kind::Json(node.raw()), Kind::Text)))
        .collect();
    let words = blocks.len();
    if let Some(list) = keys.some(&PARTS) {
        let at = at.key(PARTS.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        for (item, element) in list.items().enumerate() {
            blocks.push(media_part(&element, Place::item(places.parts, item), &at.index(item))?);
        }
    }
    let content = match blocks.as_slice() {
        [] => Content::Absent,
        [Part { kind: Kind::Text(text), .. }] if words == 1 => Content::Text(text.share()),
        _ => Content::blocks(blocks),
    };
    *inner = Inner::of(places.key, keys.extras());
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    Ok(Kind::Result(ToolResult { id, made_up_id, name: name.map(Box::new), content, error, synthetic: false }))
}

/// What a response says: its value under `output` or `error`, where it is made as the reference asks, or `None` for the
/// whole of it; and whether the tool failed.
pub(super) fn value_of<S: Source>(response: &S) -> (Option<S>, bool) {
    let error = response.get(&ERROR);
    if response.len() == 1 {
        if let Some(value) = response.get(&OUTPUT) {
            return (Some(value), false);
        }
        if error.as_ref().is_some_and(|node| node.kind() != NodeKind::Null && node.bool() != Some(false)) {
            return (error, true);
        }
    }
    // Beside other keys, an error that says nothing is none.
    let failed = response.len() > 1
        && error.is_some_and(|node| match node.kind() {
            NodeKind::Text => node.text().is_some_and(|text| !text.is_empty()),
            NodeKind::Bool => node.bool() == Some(true),
            NodeKind::List | NodeKind::Map => !node.is_empty(),
            _ => false,
        });
    (None, failed)
}

/// Media inside a result; what is none is kept as it is.
fn media_part<S: Source>(element: &S, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let (mut inner, mut flaw) = (None, None);
    let mut made = match media(&mut keys, (&mut inner, &mut flaw))? {
        Some(kind) => Part { extras: keys.extras(), ..placed(kind, element, place) },
        None => opaque(element, place),
    };
    (made.inner, made.flaw) = (inner, flaw);
    Ok(made)
}

/// Media by their bytes or their address.
fn media<S: Source>(keys: &mut Keys<'_, S>, beside: Beside<'_, S>) -> Result<Option<Kind<S::H>>, Error> {
    for key in [&INLINE_DATA, &INLINE_DATA_SNAKE] {
        if let Some(node) = keys.some(key) {
            let at = keys.at.key(key.name);
            let mut blob = Keys::of(&node, &at)?;
            let data = blob.needed(&DATA)?;
            let data = match data.text() {
                Some(text) => MediaData::Base64(text),
                None if data.kind() == NodeKind::Blob => MediaData::Bytes(data.raw()),
                None => return Err(wrong_type("base64 text or bytes", &data, &at.key(DATA.name))),
            };
            return described(blob, data, key, beside).map(Some);
        }
    }
    for key in [&FILE_DATA, &FILE_DATA_SNAKE] {
        if let Some(node) = keys.some(key) {
            let at = keys.at.key(key.name);
            let mut file = Keys::of(&node, &at)?;
            let uri = either_text(&mut file, &FILE_URI, &FILE_URI_SNAKE)?.ok_or_else(|| file.missing(&FILE_URI))?;
            let typed = [&MIME_TYPE, &MIME_TYPE_SNAKE].iter().any(|key| node.get(key).is_some());
            let public = typed && is_public(&uri.head(256, node.input()));
            let data = if public { MediaData::Url(uri) } else { MediaData::File(uri) };
            return described(file, data, key, beside).map(Some);
        }
    }
    Ok(None)
}

/// Whether anybody can fetch from this address: not a file of the service, nor a film that only Google plays.
fn is_public(uri: &str) -> bool {
    let host = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"));
    let host = host.and_then(|rest| rest.split(['/', '?', ':']).next()).unwrap_or_default();
    let private = ["generativelanguage.googleapis.com", "youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be"];
    !host.is_empty() && !private.contains(&host)
}

fn described<S: Source>(
    mut keys: Keys<'_, S>,
    data: MediaData<S::H>,
    key: &'static Key,
    (inner, flaw): Beside<'_, S>,
) -> Read<S> {
    let mime = either_text(&mut keys, &MIME_TYPE, &MIME_TYPE_SNAKE)?;
    let name = either_text(&mut keys, &DISPLAY_NAME, &DISPLAY_NAME_SNAKE)?;
    let class = MediaClass::of(mime.as_ref().map(|mime| mime.to_str(keys.node.input())).as_deref());
    let (extras, twice) = left(keys);
    let inline = [&INLINE_DATA, &INLINE_DATA_SNAKE].iter().any(|known| std::ptr::eq(*known, key));
    let untyped = inline && mime.as_ref().is_none_or(Text::is_empty);
    *flaw = flaw.or(twice).or(untyped.then_some(&NO_TYPE));
    *inner = Inner::of(key.name, extras);
    Ok(Kind::Media(Media { class, mime, data, name }))
}
