//! Writes UIMessages.

use super::{AiSdkUi, keys as k, tool};
use crate::{
    dialects::ai_sdk::any_of,
    model::{Kind, MOVED_MEDIA, Part, Role},
    report::{Edit, Error},
    value::{HashMap, HashSet, Host, Key, Piece, Sink},
    wire::{
        format::Write,
        plan::{Item, Message, Said, Shown, ShownData, rules},
        write::{Writer, single_text},
    },
};

/// The turn and the part of an item.
type Site = (usize, usize);

impl Write for AiSdkUi {
    fn message<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, message: &Message<'_, H>) -> Result<(), Error> {
        let id = w.message_id(message);
        w.out.open_map();
        w.out.key(&k::ID);
        w.out.text(&id);
        w.out.key(&k::ROLE);
        w.out.literal(match message.role {
            Role::System | Role::Developer => &k::SYSTEM,
            Role::Assistant => &k::ASSISTANT,
            Role::User | Role::Tool => &k::USER,
        });
        w.out.key(&k::PARTS);
        w.out.open_list();
        let is_lost = |item: &Item<'_, H>| message.role.is_system() && item.is_media();
        if message.role == Role::Assistant {
            steps(w, &message.items)?;
        } else {
            for item in &message.items {
                if is_lost(item) {
                    w.p.losses.lost(Edit::Media, w.p.path_of(item), rules::SYSTEM_MEDIA.says)?;
                } else {
                    part(w, item)?;
                }
            }
        }
        // The SDK refuses a message without parts.
        if message.items.iter().all(is_lost) {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            w.out.pieces(&[]);
            w.out.close();
        }
        w.out.close();
        w.message_extras(message);
        w.out.close();
        Ok(())
    }
}

/// Writes the assistant's steps, each call with its result. In other formats, content after results begins a new step.
fn steps<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, items: &[Item<'_, H>]) -> Result<(), Error> {
    let mut results: HashMap<Site, &Item<'_, H>> = HashMap::default();
    for item in items.iter().filter(|item| is(item, |kind| matches!(kind, Kind::Result(_)))) {
        if let Some(call) = w.p.links.call_site(item.site) {
            results.entry(call).or_insert(item);
        }
    }
    let mut given: HashSet<Site> = HashSet::default();
    for item in items.iter().filter(|item| is(item, |kind| matches!(kind, Kind::Call(_)))) {
        given.extend(results.get(&item.site).map(|result| result.site));
    }
    let (mut last, mut answered) = (None, false);
    for item in items {
        if is(item, |kind| matches!(kind, Kind::Result(_))) {
            answered = true;
            if !given.contains(&item.site) {
                tool::write_alone(w, item)?;
            }
            continue;
        }
        let begins = match last {
            None => !item.own,
            Some(turn) => answered && turn != item.site.0,
        };
        if begins && !is_mark(item) {
            open(w, &k::STEP_START);
            w.out.close();
        }
        (last, answered) = (Some(item.site.0), false);
        if is(item, |kind| matches!(kind, Kind::Call(_))) {
            tool::write(w, item, results.get(&item.site).copied())?;
        } else {
            part(w, item)?;
        }
    }
    Ok(())
}

fn is<H: Host>(item: &Item<'_, H>, of: impl Fn(&Kind<H>) -> bool) -> bool {
    item.part.is_some_and(|Part { kind, .. }| of(kind))
}

/// Whether an item is the original beginning of a step.
fn is_mark<H: Host>(item: &Item<'_, H>) -> bool {
    item.own && is(item, |kind| matches!(kind, Kind::Opaque(name) if name.is(k::STEP_START.name, item.input)))
}

fn part<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>) -> Result<(), Error> {
    w.out.scope(item.input);
    match &item.said {
        Said::Origin(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Translated(raw) => {
            w.out.raw(raw);
            return Ok(());
        }
        Said::Media(shown) => media(w, item, shown),
        Said::MovedMedia(result) => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            let id = w.p.id_of(item, &result.id).share();
            w.out.pieces(&[Piece::Str(MOVED_MEDIA), Piece::Text(&id), Piece::Str(":")]);
        }
        _ => {
            open(w, &k::TEXT);
            w.out.key(&k::TEXT);
            single_text::write(w, "", &[item])?;
        }
    }
    w.item_options(item, &k::PROVIDER_METADATA);
    w.item_extras(item);
    w.out.close();
    Ok(())
}

/// Begins a file; the caller closes it.
fn media<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, item: &Item<'_, H>, shown: &Shown<'_, H>) {
    open(w, &k::FILE);
    w.out.key(&k::URL);
    let mime = match &shown.data {
        ShownData::Base64 { mime, data, .. } => {
            w.out.pieces(&[Piece::Str("data:"), Piece::Str(mime), Piece::Str(";base64,"), Piece::Text(data)]);
            mime.clone()
        }
        // The limits row sends a document's text as bytes and allows no files, so this does not occur.
        ShownData::Plain(words) | ShownData::File(words) => {
            w.out.pieces(&[Piece::Str("data:text/plain,"), Piece::Text(words)]);
            "text/plain".into()
        }
        ShownData::Url(url, _) => {
            w.out.text(url);
            item.type_of_address().map_or_else(|| any_of(shown.class).into(), |mime| mime.into_owned().into())
        }
    };
    w.out.key(&k::MEDIA_TYPE);
    w.out.pieces(&[Piece::Str(&mime)]);
    if let Some(name) = &shown.name {
        w.out.key(&k::FILENAME);
        w.out.text(name);
    }
}

fn open<H: Host, K: Sink<H>>(w: &mut Writer<'_, '_, H, K>, kind: &'static Key) {
    w.out.open_map();
    w.out.key(&k::TYPE);
    w.out.literal(kind);
}
