//! Checks documents for a target that needs text beside each one and a unique name for each.

use crate::{
    model::{Content, Kind, Media, Part, Role, ToolResult, Turn},
    report::{Entry, Error, Step, error::Code, receipt::Change},
    rules::{DialectId, Limits, MediaClass, Target},
    stage::Draft,
    value::{HashSet, Host, Input, Text},
    wire::{
        plan::{free_name, hidden_name, is_valid, renamed, rules, takes as media_takes},
        write::says::is_written,
    },
};
use std::sync::Arc;

/// Refuses documents without text beside them, if the target does.
pub(super) fn apply<H: Host>(draft: &Draft<'_, H>, target: &Target<'_>) -> Result<(), Error> {
    if target.limits.media.text_beside { beside(draft, target) } else { Ok(()) }
}

/// Where a document is: the turn, the part, and the block of a result.
type Site = (usize, usize, Option<usize>);

/// Gives documents of the target's own format other names, if it refuses theirs. They keep everything else. An earlier
/// document keeps a name that a later one has, too, so that a list that grows keeps its names.
pub(super) fn rename<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) {
    let Some(rule) = &limits.media.names else { return };
    let mut taken: HashSet<String> = HashSet::default();
    let mut new: Vec<(Site, String, &'static str)> = Vec::new();
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            let blocks = part.blocks().iter().enumerate().map(|(block, one)| (Some(block), one));
            for (block, one) in blocks.chain([(None, part)]) {
                let Some(came) = name_of(one, input) else { continue };
                let name = free_name(Some(&came), rule, &mut taken);
                if name != came {
                    let why = if is_valid(&came, rule) { TWICE } else { REFUSED };
                    new.push(((at, place, block), name, why));
                }
            }
        }
    }
    let mut entries = Vec::new();
    for ((at, place, block), name, why) in new {
        let slot = &mut draft.slots()[at];
        let mut turn = slot.turn.touch();
        let Some(part) = turn.parts.get_mut(place) else { continue };
        let Some((one, path)) = (match (block, &mut part.kind) {
            (None, _) => Some((part, slot.path_of(place))),
            (Some(block), Kind::Result(ToolResult { content: Content::Blocks(blocks), .. })) => {
                part.touched = true;
                let path = blocks.get(block).map(|one| slot.turn.block_path(slot.index, place, one));
                blocks.get_mut(block).zip(path)
            }
            _ => None,
        }) else {
            continue;
        };
        let input = slot.turn.input.as_ref();
        let Some((origin, key)) = one.origin.as_ref().and_then(|origin| renamed(origin, input, &name)) else {
            continue;
        };
        one.origin = Some(origin);
        if let Kind::Media(media) = &mut one.kind {
            media.name = Some(Text::own(&name));
        }
        let path = path.then(Step::Name(key.into())).then(Step::Name("name".into()));
        entries.push(Entry::new(Change::Reshaped, slot.index, path, why));
        slot.turn = Arc::new(turn);
    }
    draft.receipt.entries.append(&mut entries);
}

const TWICE: &str = "the target refuses two documents with the same name";
const REFUSED: &str = "the target refuses this name of a document";

/// The name of a document that would be sent back unchanged.
fn name_of<H: Host>(part: &Part<H>, input: Option<&Input>) -> Option<String> {
    match &part.kind {
        Kind::Media(Media { class: MediaClass::Document, name: Some(name), .. })
            if !part.touched && part.origin.is_some() =>
        {
            Some(name.to_str(input).into_owned())
        }
        _ => hidden_name(part, input),
    }
}

/// Refuses a document without text beside it, because text cannot be made up.
fn beside<H: Host>(draft: &Draft<'_, H>, target: &Target<'_>) -> Result<(), Error> {
    let Target { id, limits, .. } = *target;
    // The first document of the current message, as long as no text is found beside it.
    let mut alone: Option<(usize, usize)> = None;
    let mut said = false;
    let mut side = None;
    let refused = |(at, part): (usize, usize)| {
        let (turn, index) = draft.at(at);
        Error::new(Code::Unsendable, rules::DOCUMENT_ALONE).at_path(turn.part_path(index, part))
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
            if alone.is_none() && is_document(turn, part, limits, id) {
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
        Kind::Result(result) => part.blocks().iter().any(|block| match &block.kind {
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
