//! Reads Gemini contents and system text.

use self::response::{CAMEL, SNAKE, result};
use super::{
    Gemini, keys as k,
    media::media,
    part::{ReadPart, Within, opaque, says_more},
    several::{SEVERAL, apart, says_several},
    spelling::{TWICE, is_twice, left},
    tools,
};
use crate::{
    model::{Args, Call, Choice, Flaw, Inner, Kind, Part, Parts, Reasoning, Role, System, Tool, Turn, flaw},
    report::{Error, Place, Trail},
    value::{Host, Input, Key, NodeKind, Raw, Source, Text, Tree, base64},
    wire::read::{
        Keys, SINGLE,
        keys::{args, placed, repeated, unknown_role, wrong_type},
    },
};
pub(super) mod response;

static PLAIN: Flaw = Flaw::refused("a client accepts plain text here, and the API does not");
static NO_SIGNATURE: Flaw = Flaw::refused("a signature is base64 text");
static NO_FLAG: Flaw = Flaw::refused("a thought is marked by true or false");
static NO_MODEL: Flaw = Flaw::refused("the model alone signs what it says");
static NO_ROLE: Flaw = Flaw::unsure("some servers require a role");
static OLD_ROLE: Flaw = Flaw::refused("only the user and the model speak");
static MIXED: Flaw = Flaw::unsure("some servers require results of tools to be alone in their content");
static NO_DATA: Flaw = Flaw::refused("a part that says nothing");

impl crate::wire::format::Read for Gemini {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        self::turn(element, at, turn)
    }
    /// Reads system text: a string, a content, or the parts of one.
    fn system<S: Source>(node: &S, place: &'static str) -> Result<System<S::H>, Error> {
        if let Some(text) = node.text() {
            let said = |text| Part { flaw: Some(&PLAIN), ..Part::at(Place::key(place), Kind::Text(text)) };
            return Ok(System::of((!text.is_empty()).then(|| said(text)).into_iter().collect::<Parts<_>>()));
        }
        let plain = |mut parts: Parts<S::H>| {
            parts.iter_mut().for_each(|part| part.flaw = part.flaw.or(Some(&PLAIN)));
            parts
        };
        if node.kind() == NodeKind::List {
            if node.is_empty() {
                return Ok(System::of([Part {
                    flaw: Some(&PLAIN),
                    ..Part::at(Place::key(place), Kind::Text(Text::own("")))
                }]));
            }
            return parts(node, place, &Trail::ROOT).map(plain).map(System::of);
        }
        let mut keys = Keys::of(node, &Trail::ROOT)?;
        // Servers accept any string as the role of system text.
        keys.pass_words(&k::ROLE, &["system", "user", "model"]);
        let Some(list) = keys.some(&k::PARTS) else {
            // System text as a single part.
            return Ok(System::of(plain([part(node, false, Place::key(place), &Trail::ROOT)?].into())));
        };
        let inside =
            if place == k::SYSTEM_INSTRUCTION.name { "systemInstruction.parts" } else { "system_instruction.parts" };
        let parts = parts(&list, inside, &Trail::ROOT.key(k::PARTS.name))?;
        Ok(System { extras: keys.extras(), ..System::of(parts) })
    }
    fn tools<S: Source>(list: &S, at: &Trail<'_>) -> Result<Vec<Tool<S::H>>, Error> {
        tools::read(list, at)
    }
    fn choice<S: Source>(choice: &S, at: &Trail<'_>) -> Result<Choice<S::H>, Error> {
        tools::read_choice(choice, at)
    }
}

pub(super) fn turn<S: Source>(element: &S, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
    // A client takes a bare text as the user's. On the wire it is a content like any other.
    if let Some(text) = element.text() {
        (turn.origin, turn.flaw) = (None, Some(&PLAIN));
        turn.parts.push(Part::new(Kind::Text(text)));
        return Ok(());
    }
    let mut keys = Keys::of(element, at)?;
    let node = keys.some(&k::ROLE);
    turn.role = match node
        .as_ref()
        .map(|node| node.word().ok_or_else(|| wrong_type("a string", node, &at.key(k::ROLE.name))))
    {
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
            word => return Err(unknown_role(word, "user, model, function", &at.key(k::ROLE.name))),
        },
    };
    let model = turn.role == Role::Assistant;
    if let Some(list) = keys.some(&k::PARTS) {
        let at = at.key(k::PARTS.name);
        let parts = repeated(&list, k::PARTS.name, &at)?;
        if list.kind() == NodeKind::List {
            turn.parts.reserve_exact(list.len());
        } else {
            turn.flaw = Some(&SINGLE);
        }
        for (element, place, at) in parts {
            let read = part(&element, model, place, &at)?;
            if !says_several(&read, &element) {
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

fn parts<S: Source>(list: &S, place: &'static str, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    let items = repeated(list, place, at)?;
    let mut parts = Parts::new();
    for (element, place, at) in items {
        parts.push(part(&element, false, place, &at)?);
    }
    let signed = |(key, _): &(Text<S::H>, Raw<S::H>)| is_signature(key, list.input());
    for part in &mut parts {
        if list.kind() != NodeKind::List {
            part.flaw = Some(&SINGLE);
        }
        if part.extras.iter().flat_map(|extras| extras.iter()).any(signed) {
            part.flaw = part.flaw.or(Some(&NO_MODEL));
        }
        if matches!(part.kind, Kind::Opaque(_)) {
            part.flaw = part.flaw.or(Some(&flaw::NO_TEXT_ONLY));
        }
    }
    Ok(parts)
}

/// Whether a key holds a signature, which only the model's parts may have.
pub(super) fn is_signature<H: Host>(key: &Text<H>, input: Option<&Input>) -> bool {
    [&k::THOUGHT_SIGNATURE, &k::THOUGHT_SIGNATURE_SNAKE].iter().any(|known| key.is(known.name, input))
}

/// Reads one part. Unknown ones stay opaque, such as executed code and provider-run tools. `model`: whether it is the
/// model's turn. Only there may parts have signatures.
fn part<S: Source>(element: &S, model: bool, place: Place, at: &Trail<'_>) -> Result<Part<S::H>, Error> {
    if let Some(text) = element.text() {
        return Ok(Part { flaw: Some(&PLAIN), ..placed(Kind::Text(text), element, place) });
    }
    let mut keys = Keys::of(element, at)?;
    let (mut inner, mut flaw) = (None, None);
    let mut kind = data(&mut keys, &mut inner, &mut flaw)?;
    // Most parts have a single key, so rarer keys are looked up only if there are more.
    let called = matches!(kind, Some(Kind::Call(_)));
    let spellings = [&k::THOUGHT_SIGNATURE, &k::THOUGHT_SIGNATURE_SNAKE];
    let signatures = if model || called { spellings.map(|key| keys.some(key)) } else { [None, None] };
    if signatures.iter().all(Option::is_some) {
        flaw = Some(&TWICE);
    }
    let signature = signatures.into_iter().flatten().next();
    let sound = |node: &S| match node.text() {
        Some(text) => base64::is_strict(&text.wtf8(node.input())),
        None => node.kind() == NodeKind::Blob,
    };
    if signature.as_ref().is_some_and(|node| !sound(node)) {
        flaw = Some(&NO_SIGNATURE);
    }
    let signed = signature.is_some_and(|node| node.text().is_none_or(|text| !text.is_empty()));
    let thinks = !called && !matches!(kind, Some(Kind::Result(_)));
    let thought = thinks && keys.flag(&k::THOUGHT);
    if thinks && element.get(&k::THOUGHT).is_some_and(|mark| !matches!(mark.kind(), NodeKind::Bool | NodeKind::Null)) {
        flaw = Some(&NO_FLAG);
    }
    kind = match kind {
        Some(Kind::Text(text)) if thought => Some(Kind::Reasoning(Reasoning { text: Some(text) })),
        // A part with only a signature.
        Some(Kind::Text(text)) if signed && text.is_empty() => Some(Kind::Reasoning(Reasoning { text: None })),
        None if says_more(element) => None,
        None if thought || signed => {
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
        // No other key has content, either.
        None if !says_more(element) => {
            flaw = Some(&NO_DATA);
            Part { extras: keys.extras(), ..placed(Kind::Text(Text::own("")), element, place) }
        }
        None => {
            flaw = flaw.or(is_twice(element).then_some(&TWICE));
            opaque(element, place)
        }
    };
    made.inner = inner;
    made.signed = signed;
    made.flaw = made.flaw.or(flaw);
    Ok(made)
}

/// Reads the content of a part, if it is known here.
fn data<S: Source>(
    keys: &mut Keys<'_, S>,
    inner: &mut Within<S>,
    flaw: &mut Option<&'static Flaw>,
) -> Result<Option<Kind<S::H>>, Error> {
    if let Some(text) = keys.text(&k::TEXT)? {
        return Ok(Some(Kind::Text(text)));
    }
    for key in [&k::FUNCTION_CALL, &k::FUNCTION_CALL_SNAKE] {
        if let Some(node) = keys.some(key) {
            return call(&node, key, &keys.at.key(key.name), inner).map(Some);
        }
    }
    for (key, places) in [(&k::FUNCTION_RESPONSE, &CAMEL), (&k::FUNCTION_RESPONSE_SNAKE, &SNAKE)] {
        if let Some(node) = keys.some(key) {
            return result(&node, places, &keys.at.key(key.name), (inner, flaw)).map(Some);
        }
    }
    media(keys, (inner, flaw))
}

fn call<S: Source>(node: &S, key: &'static Key, at: &Trail<'_>, inner: &mut Within<S>) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let name = keys.needed_text(&k::NAME)?;
    let args = match keys.some(&k::ARGS) {
        // A call without arguments has an empty object.
        None => Args::Value(Raw::Own("{}".into())),
        given => args(given)?,
    };
    let id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    *inner = Inner::of(key.name, keys.extras());
    Ok(Kind::Call(Call { id, made_up_id, name, args, custom: false, before: None, form: None, namespace: None }))
}
