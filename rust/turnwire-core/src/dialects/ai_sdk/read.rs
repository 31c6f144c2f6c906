//! Reads ModelMessages.

use super::{
    AiSdk, approvals, keys as k, media,
    options::{MODEL, compacted, setting, share_proofs},
    output::{self, OLD},
};
use std::borrow::Cow;

use crate::{
    model::{Call, Flaw, Frame, Kind, Part, Parts, Reasoning, Role, Turn, flaw},
    pairing::links::ran::text_of,
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{HashSet, Host, Input, Key, NodeKind, Source},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{args, each_part, placed, unknown_role, wrong_type},
        },
    },
};

static WRONG_ROLE: Flaw = Flaw::refused("calls are the assistant's, results a tool's, and a tool says nothing else");
static NO_TEXT: Flaw = Flaw::refused("system text is one string");
static NO_PART: Flaw = Flaw::refused("the target has no such part in this message");

/// The keys of a provider's signature or encrypted content, under its name among a part's options.
const SIGNATURES: [&str; 6] = [
    "signature",
    "redactedData",
    "redactedContent",
    "reasoningEncryptedContent",
    "thoughtSignature",
    "reasoning_details",
];

const ROLES: &[(&str, Role)] =
    &[("system", Role::System), ("user", Role::User), ("assistant", Role::Assistant), ("tool", Role::Tool)];

impl Read for AiSdk {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&k::ROLE)?;
        let role_at = at.key(k::ROLE.name);
        let Some(word) = node.word() else { return Err(wrong_type("a string", &node, &role_at)) };
        let Some(role) = node.one_of(ROLES) else {
            return Err(unknown_role(&word, "system, user, assistant, tool", &role_at));
        };
        let content = keys.needed(&k::CONTENT)?;
        let at = at.key(k::CONTENT.name);
        turn.role = role;
        turn.parts = parts(&content, role, &at)?;
        share_proofs(&MODEL, &mut turn.parts, element.input());
        pair_served(&mut turn.parts, element.input());
        turn.flaw = flaw(role, content.kind(), &turn.parts);
        if role.is_system() && turn.calls().next().is_some() {
            // Only the assistant may send these parts.
            turn.role = Role::Assistant;
        }
        turn.extras = keys.extras();
        setting(turn, element);
        Ok(())
    }
    fn settle<H: Host>(turns: &mut [Turn<H>], _: &Frame<H>) {
        approvals::settle(turns);
    }
    fn is_unsettled<H: Host>(turn: &Turn<H>) -> bool {
        turn.parts.iter().any(|part| approvals::answers(turn, part))
    }
}

/// The flaw of a message as a whole.
fn flaw<H: Host>(role: Role, content: NodeKind, parts: &[Part<H>]) -> Option<&'static Flaw> {
    let fits = |part: &Part<H>| match &part.kind {
        Kind::Call(_) | Kind::Reasoning(_) => role == Role::Assistant,
        Kind::Result(_) => role == Role::Tool,
        Kind::Opaque(_) => !role.is_system(),
        _ => role != Role::Tool,
    };
    match content {
        _ if !parts.iter().all(fits) => Some(&WRONG_ROLE),
        NodeKind::List if role.is_system() => Some(&NO_TEXT),
        _ => None,
    }
}

/// A string, or a list of parts.
fn parts<S: Source>(node: &S, role: Role, at: &Trail<'_>) -> Result<Parts<S::H>, Error> {
    if let Some(text) = node.text() {
        if role == Role::Tool {
            return Err(wrong_type("a list", node, at));
        }
        // An empty string has no part; its turn's origin still replays it.
        let text = Some(text).filter(|text| !text.is_empty());
        return Ok(text.map(|text| Part::at(Place::key(k::CONTENT.name), Kind::Text(text))).into_iter().collect());
    }
    if node.kind() != NodeKind::List {
        return Err(wrong_type("a string or a list", node, at));
    }
    // A result of a provider-run call is in the call's message or a later one. So it is a tool's only if its call is
    // here.
    let answers = role == Role::Assistant && node.items().any(|part| is_of(&part, &k::TOOL_RESULT));
    let calls = answers.then(|| node.items().filter(|part| is_of(part, &k::TOOL_CALL) && !by_provider(part)));
    let ours: Option<HashSet<String>> = calls.map(|calls| calls.filter_map(|call| id_of(&call)).collect());
    let is_ours = |result: &S| ours.as_ref().is_none_or(|ours| id_of(result).is_some_and(|id| ours.contains(&id)));
    each_part(node, k::CONTENT.name, at, |one, place, at| part(one, role, place, at, &is_ours))
}

/// Marks the calls that a provider ran, and their results, where both are there: only together they mean something to it.
fn pair_served<H: Host>(parts: &mut Parts<H>, input: Option<&Input>) {
    let is = |part: &Part<H>, key: &Key| matches!(&part.kind, Kind::Opaque(kind) if kind.is(key.name, input));
    if !parts.iter().any(|part| is(part, &k::TOOL_RESULT)) {
        return;
    }
    let ids: Vec<_> = parts.iter().map(|part| text_of(part.origin.as_ref()?, k::TOOL_CALL_ID.name, input)).collect();
    for (at, id) in ids.iter().enumerate() {
        let calls = id.is_some() && is(&parts[at], &k::TOOL_CALL);
        let answers = |other: &usize| calls && ids[*other] == *id && is(&parts[*other], &k::TOOL_RESULT);
        if let Some(other) = (at + 1..ids.len()).find(answers) {
            (parts[at].signed, parts[other].signed) = (true, true);
        }
    }
}

fn is_of<S: Source>(part: &S, kind: &'static Key) -> bool {
    part.get(&k::TYPE).is_some_and(|word| word.word().as_deref() == Some(kind.name))
}

fn id_of<S: Source>(part: &S) -> Option<String> {
    part.get(&k::TOOL_CALL_ID)?.word().map(Cow::into_owned)
}

fn by_provider<S: Source>(part: &S) -> bool {
    is_set(part, &k::PROVIDER_EXECUTED)
}

fn is_set<S: Source>(part: &S, key: &'static Key) -> bool {
    part.get(key).is_some_and(|mark| mark.bool() == Some(true))
}

fn part<S: Source>(
    element: &S,
    role: Role,
    place: Place,
    at: &Trail<'_>,
    is_ours: &dyn Fn(&S) -> bool,
) -> Result<Part<S::H>, Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word);
    let (mut inner, mut flaw) = (None, None);
    let kind = match word.as_deref() {
        Some("text") => Some(Kind::Text(keys.needed_text(&k::TEXT)?)),
        Some("reasoning") => Some(Kind::Reasoning(Reasoning { text: Some(keys.needed_text(&k::TEXT)?) })),
        Some("image") => {
            flaw = (role == Role::Assistant).then_some(&NO_PART);
            media::read(&mut keys, &k::IMAGE, Some(MediaClass::Image), &mut inner)?
        }
        Some("file") => {
            flaw = element.get(&k::MEDIA_TYPE).is_none_or(|mime| mime.text().is_none()).then_some(&flaw::NO_MEDIA_TYPE);
            media::read(&mut keys, &k::DATA, None, &mut inner)?
        }
        Some("tool-call") if !by_provider(element) => {
            let (id, name) = (keys.needed_text(&k::TOOL_CALL_ID)?, keys.needed_text(&k::TOOL_NAME)?);
            // Version 4 uses another key.
            let input = keys.take(&k::INPUT);
            flaw = input.is_none().then_some(&OLD);
            let args = args(input.or_else(|| keys.take(&k::ARGS)))?;
            Some(Kind::Call(Call {
                id,
                made_up_id: false,
                name,
                args,
                custom: false,
                before: None,
                form: None,
                namespace: None,
            }))
        }
        Some("tool-result") if is_ours(element) => {
            let (result, rest, wrong) = output::read(&mut keys)?;
            // What a tool says before it is done answers nothing.
            flaw = if is_set(element, &k::PRELIMINARY) { Some(&flaw::PROGRESS) } else { wrong };
            inner = rest;
            Some(Kind::Result(result))
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
        made.signed = is_signed(element, &k::PROVIDER_OPTIONS);
        made.extras = keys.extras();
        made.inner = inner;
        compacted(&MODEL, &mut made, element.input());
    }
    Ok(made)
}

/// Whether the options under this key hold a provider's signature.
pub(in crate::dialects) fn is_signed<S: Source>(part: &S, key: &'static Key) -> bool {
    let Some(options) = part.get(key) else { return false };
    options.entries().any(|(_, of_one)| {
        of_one.entries().any(|(key, value)| {
            value.kind() != NodeKind::Null && SIGNATURES.iter().any(|name| key.is(name, part.input()))
        })
    })
}
