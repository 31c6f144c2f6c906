//! Reads UIMessages.

use super::{AiSdkUi, keys as k, tool};
use crate::{
    dialects::ai_sdk::{UI, compacted, is_signed, share_proofs},
    model::{Flaw, Frame, Kind, Media, MediaData, Part, Parts, Reasoning, Role, Turn, flaw},
    report::{Error, Place, Trail},
    rules::MediaClass,
    value::{Host, NodeKind, Source, Text},
    wire::{
        format::Read,
        read::{
            Keys,
            keys::{placed, unknown_role, wrong_type},
        },
    },
};

static NO_ID: Flaw = Flaw::refused("each message has an id");
static NO_PARTS: Flaw = Flaw::refused("a message has at least one part");

/// The beginning of the type of a tool's part; the tool's name follows.
const TOOL: &str = "tool-";
const ROLES: &[(&str, Role)] = &[("system", Role::System), ("user", Role::User), ("assistant", Role::Assistant)];

impl Read for AiSdkUi {
    fn turn<S: Source>(element: &S, _: usize, at: &Trail<'_>, turn: &mut Turn<S::H>) -> Result<(), Error> {
        let mut keys = Keys::of(element, at)?;
        let node = keys.needed(&k::ROLE)?;
        let role_at = at.key(k::ROLE.name);
        let Some(word) = node.word() else { return Err(wrong_type("a string", &node, &role_at)) };
        let Some(role) = node.one_of(ROLES) else {
            return Err(unknown_role(&word, "system, user, assistant", &role_at));
        };
        turn.role = role;
        turn.id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
        turn.flaw = turn.id.is_none().then_some(&NO_ID);
        let list = keys.needed(&k::PARTS)?;
        let at = at.key(k::PARTS.name);
        if list.kind() != NodeKind::List {
            return Err(wrong_type("a list", &list, &at));
        }
        for (item, one) in list.items().enumerate() {
            part(&one, Place::item(k::PARTS.name, item), &at.index(item), &mut turn.parts)?;
        }
        share_proofs(&UI, &mut turn.parts, element.input());
        if turn.parts.is_empty() {
            turn.flaw = turn.flaw.or(Some(&NO_PARTS));
        }
        if role != Role::Assistant && turn.parts.iter().any(calls) {
            (turn.role, turn.flaw) = (Role::Assistant, Some(&flaw::CALLS_OF_OTHERS));
        }
        turn.extras = keys.extras();
        Ok(())
    }
    fn settle<H: Host>(turns: &mut [Turn<H>], _: &Frame<H>) {
        tool::settle(turns);
    }
}

/// Whether a part is a call, the provider's own and those of version 4 included.
fn calls<H: Host>(part: &Part<H>) -> bool {
    match &part.kind {
        Kind::Call(_) => true,
        Kind::Opaque(kind) => kind.is(k::DYNAMIC_TOOL.name, None) || kind.starts_with(TOOL, None),
        _ => false,
    }
}

/// Reads one wire part. A call with its result becomes two parts.
fn part<S: Source>(element: &S, place: Place, at: &Trail<'_>, parts: &mut Parts<S::H>) -> Result<(), Error> {
    let mut keys = Keys::of(element, at)?;
    let kind = keys.some(&k::TYPE);
    let word = kind.as_ref().and_then(Source::word).unwrap_or_default();
    let ran = element.get(&k::PROVIDER_EXECUTED).is_some_and(|mark| mark.bool() == Some(true));
    // Version 4 has the call under its own key.
    let old = element.get(&k::TOOL_INVOCATION).is_some();
    let name = match &*word {
        _ if ran || old => None,
        word if word == k::DYNAMIC_TOOL.name => Some(keys.needed_text(&k::TOOL_NAME)?),
        word if word.starts_with(TOOL) => {
            let whole = kind.as_ref().and_then(Source::text).unwrap_or_else(|| Text::own(word));
            Some(whole.after(TOOL.len(), element.input())?)
        }
        _ => None,
    };
    if let Some(name) = name {
        return tool::read(name, keys, place, parts);
    }
    let (mut flaw, mut signed) = (None, false);
    let kind = match &*word {
        "text" => {
            signed = is_signed(element, &k::PROVIDER_METADATA);
            Some(Kind::Text(keys.needed_text(&k::TEXT)?))
        }
        "reasoning" => {
            signed = is_signed(element, &k::PROVIDER_METADATA);
            Some(Kind::Reasoning(Reasoning { text: Some(keys.needed_text(&k::TEXT)?) }))
        }
        "file" => {
            let media = media(&mut keys)?;
            flaw = media.mime.is_none().then_some(&flaw::NO_MEDIA_TYPE);
            Some(Kind::Media(media))
        }
        "" => {
            flaw = Some(&flaw::NO_TYPE);
            None
        }
        _ => None,
    };
    let mut made = placed(Kind::Opaque(Text::own(if word.is_empty() { "part" } else { &word })), element, place);
    made.flaw = flaw;
    if let Some(kind) = kind {
        (made.kind, made.signed) = (kind, signed);
        made.flaw = made.flaw.or(keys.null_but(&[]));
        made.extras = keys.extras();
        compacted(&UI, &mut made, element.input());
    }
    parts.push(made);
    Ok(())
}

/// Reads a file by its address, which may hold its data.
fn media<S: Source>(keys: &mut Keys<'_, S>) -> Result<Media<S::H>, Error> {
    let url = keys.needed_text(&k::URL)?;
    let (mime, name) = (keys.text(&k::MEDIA_TYPE)?, keys.text(&k::FILENAME)?);
    let class = MediaClass::of(mime.as_ref().map(|mime| mime.to_str(keys.node.input())).as_deref());
    let is_data = url.starts_with("data:", keys.node.input());
    let data = if is_data { MediaData::DataUrl(url) } else { MediaData::Url(url) };
    Ok(Media { class, mime, data, name })
}
