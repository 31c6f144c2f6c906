//! Checks documents for a target that needs text beside each one and a unique name for each.

use super::keys::{blocks, with_blocks};
use crate::{
    model::{
        media::Media,
        part::{Kind, Part},
        tool::Content,
        turn::{Role, Turn},
    },
    report::{
        error::{Code, Error},
        receipt::{Change, Entry},
    },
    rules::{dialect_id::DialectId, limits::Limits, media_class::MediaClass},
    stage::draft::Draft,
    value::{
        handle::{Host, Input},
        hash::HashSet,
    },
    wire::{
        plan::{hidden_name, takes as media_takes},
        write::says::is_written,
    },
};
use std::sync::Arc;

pub(super) fn apply<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    if limits.media.names.is_some() {
        name(draft, target)?;
    }
    if limits.media.text_beside { beside(draft, target, limits) } else { Ok(()) }
}

/// Marks a document whose name an earlier one has. It gets another name when it is rewritten. Opaque documents keep
/// their names.
fn name<H: Host>(draft: &mut Draft<'_, H>, target: DialectId) -> Result<(), Error> {
    let mut names: HashSet<String> = HashSet::default();
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            for name in with_blocks(part).filter_map(|part| hidden_name(part, input)) {
                if !names.insert(name) {
                    let (turn, index) = draft.at(at);
                    let text = "the target refuses two documents with the same name, and these cannot be read";
                    return Err(Error::new(Code::Unsendable, text).at_path(turn.part_path(index, place)));
                }
            }
        }
    }
    let mut taken = |part: &Part<H>, input: Option<&Input>| match &part.kind {
        Kind::Media(Media { class: MediaClass::Document, name: Some(name), .. }) if !part.touched => {
            !names.insert(name.to_str(input).into_owned())
        }
        _ => false,
    };
    // The documents with a repeated name, by turn, part and block.
    let mut twice: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            let blocks = blocks(part).iter().enumerate().filter(|(_, block)| taken(block, input));
            let blocks: Vec<_> = blocks.map(|(block, _)| (at, place, Some(block))).collect();
            twice.extend(blocks);
            twice.extend(taken(part, input).then_some((at, place, None)));
        }
    }
    if twice.is_empty() {
        return Ok(());
    }
    let mut entries = Vec::new();
    let slots = draft.slots();
    for (at, place, block) in twice {
        let slot = &mut slots[at];
        let mut new = slot.turn.touch();
        let part = &mut new.parts[place];
        part.touched = true;
        if let (Some(block), Kind::Result(result)) = (block, &mut part.kind)
            && let Content::Blocks(blocks) = &mut result.content
        {
            blocks[block].touched = true;
        }
        let why = "the target refuses two documents with the same name";
        entries.push(Entry::new(Change::WrongMedia, slot.index, slot.path_of(place), why));
        slot.turn = Arc::new(new);
    }
    draft.receipt.entries.append(&mut entries);
    Ok(())
}

/// Refuses a document without text beside it, because text cannot be made up.
fn beside<H: Host>(draft: &Draft<'_, H>, target: DialectId, limits: &Limits) -> Result<(), Error> {
    // The first document of the current message, as long as no text is found beside it.
    let mut alone: Option<(usize, usize)> = None;
    let mut said = false;
    let mut side = None;
    let refused = |(at, part): (usize, usize)| {
        let (turn, index) = draft.at(at);
        Error::new(Code::Unsendable, "the target requires text beside a document").at_path(turn.part_path(index, part))
    };
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| !turn.role.is_system()) {
        if !is_written(turn, target) {
            continue;
        }
        let assistant = turn.speaker() == Role::Assistant;
        if side.replace(assistant) != Some(assistant) || !limits.alternates {
            if let Some(document) = alone.take() {
                return Err(refused(document));
            }
            said = false;
        }
        for (place, part) in turn.parts.iter().enumerate() {
            said |= is_text(turn, part, limits);
            if alone.is_none() && is_document(turn, part, limits, target) {
                alone = Some((at, place));
            }
        }
        if said {
            alone = None;
        }
    }
    alone.map_or(Ok(()), |document| Err(refused(document)))
}

fn is_text<H: Host>(turn: &Turn<H>, part: &Part<H>, limits: &Limits) -> bool {
    let input = turn.input.as_ref();
    match &part.kind {
        Kind::Text(text) | Kind::Refusal(text) => limits.blank_text || !text.is_blank(input),
        // JSON is written as text here. So is the line before media that are moved out of a result.
        Kind::Json(_) => true,
        Kind::Result(result) => blocks(part).iter().any(|block| match &block.kind {
            Kind::Media(media) => {
                let mime = media.media_type(input);
                !limits.media_in_result.holds(media.class, mime.as_deref(), result.error)
                    && media_takes(&limits.media, media, turn.from, input)
            }
            _ => false,
        }),
        _ => false,
    }
}

fn is_document<H: Host>(turn: &Turn<H>, part: &Part<H>, limits: &Limits, target: DialectId) -> bool {
    let Kind::Media(media) = &part.kind else { return false };
    let stays = turn.from.same_wire(target) && !part.touched && part.origin.is_some();
    let taken = || turn.role == Role::User && media_takes(&limits.media, media, turn.from, turn.input.as_ref());
    media.class == MediaClass::Document && (stays || taken())
}
