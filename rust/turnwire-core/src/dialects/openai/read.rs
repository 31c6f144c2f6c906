//! Reads what only OpenAI has: refusals, audio, files, and calls of the legacy form, which pair by name.

use super::keys as k;
use crate::{
    dialects::chat::{
        member::{Reads, Usual},
        part::{Answer, PartDraft},
        read::{self, WRONG_ROLE, answered},
        thought,
    },
    model::{Call, Flaw, Inner, Kind, Media, MediaData, Part, Parts},
    pairing::unnamed::made_up,
    report::{Error, Place},
    rules::MediaClass,
    value::{Host, Input, NodeKind, Raw, Source, Text, json},
    wire::read::{
        Keys,
        keys::{args, placed},
    },
};

static NO_FILE: Flaw = Flaw::refused("pictures, sound and films are no files");
static CHUNK: Flaw = Flaw::refused("only Mistral has reasoning among the contents");
static NO_DATA_URL: Flaw = Flaw::refused("the data of a file are a data: URL");

/// What no recorded request has.
static WHOLE: Flaw = Flaw::unsure("keys that only replies have");

/// Reads a refusal, audio, or a call of the legacy form.
pub(super) fn beside<S: Source>(
    keys: &mut Keys<'_, S>,
    parts: &mut Parts<S::H>,
) -> Result<Option<&'static Flaw>, Error> {
    // An empty refusal has no part; its turn's origin still replays it.
    if let Some(words) = keys.text(&k::REFUSAL)?.filter(|words| !words.is_empty()) {
        parts.push(Part::at(Place::key(k::REFUSAL.name), Kind::Refusal(words)));
    }
    let mut flaw = None;
    if let Some(node) = keys.some(&k::AUDIO) {
        let mut sound = placed(Kind::Opaque(Text::own(k::AUDIO.name)), &node, Place::key(k::AUDIO.name));
        // A reply holds the audio itself; a request has its id.
        if let Some(id) = node.get(&k::ID).filter(|_| node.len() > 1) {
            let named = json::encode::to_string(&id.raw(), node.input())?;
            sound.origin = Some(Raw::Own(format!("{{\"id\":{named}}}").into()));
            flaw = Some(&WHOLE);
        }
        parts.push(sound);
    }
    if let Some(node) = keys.some(&k::FUNCTION_CALL) {
        let at = keys.at.key(k::FUNCTION_CALL.name);
        let mut function = Keys::of(&node, &at)?;
        let name = function.needed_text(&k::NAME)?;
        // Some servers write every possible key, with empty values.
        if name.is_empty() {
            flaw = Some(&WHOLE);
        } else {
            let id = legacy_id(&name, node.input());
            let args = args(function.take(&k::ARGUMENTS))?;
            let call =
                Call { id, made_up_id: true, name, args, custom: false, before: None, form: None, namespace: None };
            let mut part = placed(Kind::Call(call), &node, Place::key(k::FUNCTION_CALL.name));
            part.extras = function.extras();
            parts.push(part);
        }
    }
    Ok(flaw)
}

static ONE_TEXT: Flaw = Flaw::refused("the content of a function message is one text");

/// Reads a message of role `tool`, or of the legacy role `function`, which answers by name and not by id.
pub(super) fn result<S: Source>(
    reads: &Reads<S>,
    keys: &mut Keys<'_, S>,
    usual: Usual<S>,
) -> Result<Answer<S::H>, Error> {
    if usual.role.one_of(&[(k::FUNCTION.name, ())]).is_none() {
        return read::result(reads, keys, usual);
    }
    let name = keys.text(&k::NAME)?;
    let (by_id, kind) = (usual.id.is_some(), usual.content.as_ref().map(Source::kind));
    let id = match &name {
        Some(name) if !by_id => legacy_id(name, keys.node.input()),
        _ => keys.needed_text(&k::TOOL_CALL_ID)?,
    };
    let (result, flaw) = answered(reads, keys, usual.content, (id, !by_id), name)?;
    let said = kind.is_some_and(|kind| kind != NodeKind::Null);
    let listed = kind == Some(NodeKind::List);
    let own = if by_id && said { Some(&WRONG_ROLE) } else { listed.then_some(&ONE_TEXT) };
    Ok((result, own.or(flaw)))
}

/// Reads a part of OpenAI's own types.
pub(super) fn part<S: Source>(kind: &str, draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
    Ok(match kind {
        "refusal" => Some(Kind::Refusal(draft.keys.needed_text(&k::REFUSAL)?)),
        "input_audio" => Some(audio(draft)?),
        "file" => file(draft)?,
        // A gateway's chunk of Mistral's, not a block of another format with this type.
        "thinking" if draft.keys.node.get(&k::THINKING).is_some_and(|chunks| chunks.kind() == NodeKind::List) => {
            let thought = thought::read(draft)?;
            (draft.signed, draft.flaw) = (true, Some(&CHUNK));
            Some(Kind::Reasoning(thought))
        }
        "video_url" => Some(read::by_url(draft, &k::VIDEO_URL, MediaClass::Video)?),
        "audio_url" => Some(read::by_url(draft, &k::AUDIO_URL, MediaClass::Audio)?),
        "video" => frames(draft),
        _ => read::part(kind, draft)?,
    })
}

fn audio<S: Source>(draft: &mut PartDraft<'_, '_, S>) -> Result<Kind<S::H>, Error> {
    let node = draft.keys.needed(&k::INPUT_AUDIO)?;
    let at = draft.keys.at.key(k::INPUT_AUDIO.name);
    let mut audio = Keys::of(&node, &at)?;
    let data = MediaData::Base64(audio.needed_text(&k::DATA)?);
    let mime = audio.text(&k::FORMAT)?.map(|format| Text::own(&format!("audio/{}", format.to_str(node.input()))));
    draft.inner = Inner::of(k::INPUT_AUDIO.name, audio.extras());
    Ok(Kind::Media(Media { class: MediaClass::Audio, mime, data, name: None }))
}

/// Reads a film that is a list of frames.
fn frames<S: Source>(draft: &mut PartDraft<'_, '_, S>) -> Option<Kind<S::H>> {
    let is_list = |node: &S| node.kind() == NodeKind::List && !node.is_empty();
    let node = draft.keys.node.get(&k::VIDEO).filter(is_list)?;
    let frames = node.items().map(|frame| frame.text()).collect::<Option<Vec<_>>>()?;
    draft.keys.take(&k::VIDEO);
    let data = MediaData::Frames(frames);
    Some(Kind::Media(Media { class: MediaClass::Video, mime: None, data, name: None }))
}

/// Reads a file by its data or id; one with neither stays opaque.
fn file<S: Source>(draft: &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error> {
    let node = draft.keys.needed(&k::FILE)?;
    let at = draft.keys.at.key(k::FILE.name);
    let mut file = Keys::of(&node, &at)?;
    let name = file.text(&k::FILENAME)?;
    let data = file.text(&k::FILE_DATA)?;
    // With data present, the id is an extra, which no other format can hold.
    let id = if data.is_none() { file.text(&k::FILE_ID)? } else { None };
    let data = match (data, id) {
        (Some(data), _) if data.starts_with("data:", node.input()) => MediaData::DataUrl(data),
        (Some(address), _) if address.starts_with("http", node.input()) => MediaData::Url(address),
        (Some(data), _) => {
            draft.flaw = Some(&NO_DATA_URL);
            MediaData::Base64(data)
        }
        (None, Some(id)) => MediaData::File(id),
        (None, None) => {
            draft.flaw = Some(&NO_DATA_URL);
            return Ok(None);
        }
    };
    draft.flaw = draft.flaw.or_else(|| file.null_but(&[]));
    draft.inner = Inner::of(k::FILE.name, file.extras());
    let mut media = Media { class: MediaClass::Document, mime: None, data, name };
    // Servers take a PDF here, but pictures, sound and films are no documents for any other format.
    let class = media.class_of_file(node.input());
    if class != MediaClass::Document {
        (media.class, draft.flaw) = (class, draft.flaw.or(Some(&NO_FILE)));
    }
    Ok(Some(Kind::Media(media)))
}

/// The id that a legacy call and its result share, made from the function's name, which pairs them.
fn legacy_id<H: Host>(name: &Text<H>, input: Option<&Input>) -> Text<H> {
    Text::own(&made_up(&name.to_str(input), 0))
}
