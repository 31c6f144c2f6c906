//! Writes what only OpenAI has.

use super::keys as k;
use crate::{
    dialects::chat::{
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
    rules::MediaClass,
    value::{Host, Key, Piece, Raw, Sink, Text},
    wire::{
        plan::{BETWEEN_THOUGHTS, Item, Message, Outcome, Said, Shown, ShownData, lists},
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

/// Writes the reasoning of other makers, in the lists that carry it.
fn carried<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) {
    let listed = items.iter().flat_map(|item| if let Said::Listed(list) = &item.said { list.as_slice() } else { &[] });
    let is_there = |key: &Key| items.iter().any(|item| item.own_key() == Some(key.name));
    for (key, list) in lists(listed).into_iter().filter(|(key, _)| !is_there(key)) {
        w.out.key(key);
        w.out.sound(&Raw::Tree(list));
    }
}

/// Writes readable reasoning, and what stands for it. Each key comes once: several thoughts become one text.
fn thoughts<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) {
    for (at, item) in items.iter().enumerate() {
        let (key, is_said) = match item.said {
            Said::Thought(key, _) => (key, true),
            Said::NoReasoning(key, instead) => {
                w.out.key_text(&Text::own(key));
                w.out.pieces(&[Piece::Str(instead)]);
                continue;
            }
            _ => continue,
        };
        let is_under = |item: &Item<'_, H>| item.thought_under(key).is_some();
        if !is_said || items[..at].iter().any(is_under) {
            continue;
        }
        let mut said: Vec<Text<H>> = Vec::new();
        for one in items {
            let Some(text) = one.thought_under(key) else { continue };
            // Servers that have two keys repeat the text.
            if !said.iter().any(|known| known.wtf8(None) == text.wtf8(one.input)) {
                said.push(w.p.detached(text, one.input));
            }
        }
        w.out.key_text(&Text::own(key));
        let pieces: Vec<_> =
            said.iter().flat_map(|text| [Piece::Str(BETWEEN_THOUGHTS), Piece::Text(text)]).skip(1).collect();
        w.out.pieces(&pieces);
    }
}

/// Writes the parts of an assistant's or user's message, each under its key.
pub(super) fn spoken<H: Host, K: Sink<H>>(
    writes: &Writes<H, K>,
    w: &mut Writer<'_, '_, H, K>,
    message: &Message<'_, H>,
) -> Result<(), Error> {
    let items = &message.items;
    carried(w, items);
    thoughts(w, items);
    let calls_tools = items.iter().any(|item| is_call(item) || item.own_key() == Some(k::FUNCTION_CALL.name));
    let is_refusal = |item: &&Item<'_, H>| matches!(item.said, Said::Refusal(_));
    let refusals = items.iter().filter(is_refusal).count();
    // A single refusal has a key of the message. Several are parts.
    let inside = |item: &Item<'_, H>| is_content(item) && !(refusals == 1 && is_refusal(&item));
    let said: Vec<_> = items.iter().filter(|item| inside(item)).collect();
    let one_text = message.role.sends_one_text(w.p.target.limits);
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
    if let Some(detail) = &shown.detail {
        w.out.key(&k::DETAIL);
        w.out.raw(detail);
    }
    w.inner_extras(item);
    w.out.close();
}
