//! Writes what only OpenAI has.

use super::keys as k;
use crate::{
    dialects::chat::{
        keys::REASONING_DETAILS,
        member::Writes,
        write::{
            call::{calls, is_call, named_args},
            content::{content, is_content, is_words, keys_lost},
            own_keys,
            part::{self, open},
            result,
        },
    },
    report::Error,
    rules::{MediaClass, details},
    value::{Host, Piece, Raw, Sink},
    wire::{
        plan::{Item, Message, Outcome, Said, Shown, ShownData},
        write::{Writer, single_text},
    },
};

/// Writes a message of role `tool`, or of the legacy role `function`, which has no id and answers the legacy call of a
/// message by its name.
pub(super) fn answer<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    item: &Item<'_, H>,
    outcome: &Outcome<'_, H>,
) -> Result<(), Error> {
    let is_legacy = |(turn, part): (usize, usize)| {
        let turn = w.p.conversation.turns[turn];
        turn.from.same_wire(w.p.target.id) && turn.parts[part].place.key == Some(k::FUNCTION_CALL.name)
    };
    // Without its call, it stays what it was.
    let was_legacy = || outcome.result.made_up_id && item.own && outcome.result.name.is_some();
    match w.p.links.call_site(item.site).map(is_legacy) {
        Some(true) => {
            w.out.literal(&k::FUNCTION);
            w.out.key(&k::NAME);
            w.write_result_name(item, outcome.result);
        }
        None if was_legacy() => {
            w.out.literal(&k::FUNCTION);
            result::name(writes.member, w, item, outcome)?;
        }
        _ => return result::answer(writes, w, item, outcome),
    }
    result::outcome_as_text(w, outcome)
}

/// Writes the details of reasoning from other formats in one list.
fn reasoning<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) {
    let listed = |item: &Item<'_, H>| item.own_key() == Some(REASONING_DETAILS.name);
    let mut all = items
        .iter()
        .flat_map(|item| if let Said::Details(list) = &item.said { list.as_slice() } else { &[] })
        .peekable();
    if all.peek().is_some() && !items.iter().any(listed) {
        w.out.key(&REASONING_DETAILS);
        w.out.sound(&Raw::Tree(details::numbered(all)));
    }
}

/// Writes the parts of an assistant's or user's message, each under its key.
pub(super) fn spoken<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    let items = &message.items;
    reasoning(w, items);
    if items.iter().any(|item| matches!(item.said, Said::NoReasoning)) {
        w.out.key(&k::REASONING_CONTENT);
        w.out.literal(&k::EMPTY);
    }
    let calls_tools = items.iter().any(|item| is_call(item) || item.own_key() == Some(k::FUNCTION_CALL.name));
    let is_refusal = |item: &&Item<'_, H>| matches!(item.said, Said::Refusal(_));
    let refusals = items.iter().filter(is_refusal).count();
    // A single refusal has a key of the message. Several are parts.
    let inside = |item: &Item<'_, H>| is_content(item) && !(refusals == 1 && is_refusal(&item));
    let said: Vec<_> = items.iter().filter(|item| inside(item)).collect();
    let one_text = message.role.sends_one_text(w.p.target.limits.one_text);
    if one_text && !said.is_empty() && said.iter().all(|item| is_words(item)) {
        keys_lost(w, &said)?;
        w.out.key(&k::CONTENT);
        single_text::joined(w, &said)?;
    } else {
        content(writes, w, items, inside, !calls_tools && refusals == 0)?;
    }
    if let Some(Item { said: Said::Refusal(words), input, .. }) = items.iter().find(is_refusal)
        && refusals == 1
    {
        w.out.scope(*input);
        w.out.key(&k::REFUSAL);
        w.out.text(words);
    }
    own_keys(w, items);
    // A call of the legacy form keeps that form, because its result pairs by name too. A message has one key for it.
    let is_legacy = |item: &&Item<'_, H>| is_call(item) && item.own_key() == Some(k::FUNCTION_CALL.name);
    let mut legacy = items.iter().filter(is_legacy);
    match (legacy.next(), legacy.next()) {
        (Some(item @ Item { said: Said::Call(call), .. }), None) => {
            w.out.scope(item.input);
            w.out.key(&k::FUNCTION_CALL);
            named_args(w, item, call, &k::ARGUMENTS)?;
            calls(w, items.iter().filter(|item| !is_legacy(item)))
        }
        _ => calls(w, items),
    }
}

/// Begins a film that is a list of frames; the caller closes it.
fn frames<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, shown: &Shown<'_, H>) {
    open(w, &k::VIDEO);
    w.out.open_list();
    shown.frames.iter().for_each(|frame| w.out.text(frame));
    w.out.close();
}

/// Begins a part of media; the caller closes it.
pub(super) fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    let kind = match shown.class {
        MediaClass::Audio if matches!(shown.data, ShownData::Url(..)) => {
            return part::by_url(w, item, shown, &k::AUDIO_URL);
        }
        MediaClass::Audio => &k::INPUT_AUDIO,
        MediaClass::Document => &k::FILE,
        MediaClass::Image => return part::by_url(w, item, shown, &k::IMAGE_URL),
        MediaClass::Video if !shown.frames.is_empty() => return frames(w, shown),
        MediaClass::Video => return part::by_url(w, item, shown, &k::VIDEO_URL),
    };
    open(w, kind);
    w.out.open_map();
    match (&shown.data, shown.class) {
        (ShownData::Base64 { mime, data, .. }, MediaClass::Audio) => {
            w.out.key(&k::DATA);
            w.out.text(data);
            w.out.key(&k::FORMAT);
            w.out.literal(if mime.ends_with('3') || mime.ends_with("mpeg") { &k::MP3 } else { &k::WAV });
        }
        (ShownData::Base64 { mime, data, .. }, _) => {
            if let Some(name) = &shown.name {
                w.out.key(&k::FILENAME);
                w.out.text(name);
            }
            w.out.key(&k::FILE_DATA);
            w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
        }
        (ShownData::File(id), _) => {
            if let Some(name) = &shown.name {
                w.out.key(&k::FILENAME);
                w.out.text(name);
            }
            w.out.key(&k::FILE_ID);
            w.out.text(id);
        }
        (ShownData::Url(words, _), _) => {
            if let Some(name) = &shown.name {
                w.out.key(&k::FILENAME);
                w.out.text(name);
            }
            w.out.key(&k::FILE_DATA);
            w.out.text(words);
        }
        (ShownData::Plain(words), _) => {
            w.out.key(&k::TEXT);
            w.out.text(words);
        }
    }
    if let Some(detail) = shown.detail {
        w.out.key(&k::DETAIL);
        w.out.raw(detail);
    }
    w.inner_extras(item);
    w.out.close();
}
