//! Checks documents for a target that needs text beside each one and a unique name for each.

use crate::{
    model::{Content, Kind, Media, Part, ToolResult},
    report::{Change, Edit, Error, Step, error::Code},
    rules::{DialectId, Limits, MediaClass, Target},
    stage::Draft,
    value::{Host, Input, Text},
    wire::plan::{OwnNames, beside::lone_document, hidden_name, renamed, rules},
};
use std::sync::Arc;

/// Refuses documents without text beside them, if the target does.
pub(super) fn apply<H: Host>(draft: &Draft<'_, H>, target: &Target<'_>) -> Result<(), Error> {
    // Text cannot be made up.
    lone_document(target, draft.turns().map(|turn| &**turn)).map_or(Ok(()), |(at, part)| {
        let (turn, index) = draft.at(at);
        Err(Error::new(Code::Unsendable, rules::DOCUMENT_ALONE).at_path(turn.part_path(index, part)))
    })
}

/// What a check tells of a name that stays.
const UNUSUAL: &str = "the documentation forbids a character of this document's name, which servers have accepted";

/// Where a document is: the turn, the part, and the block of a result.
type Site = (usize, usize, Option<usize>);

/// Gives documents of the target's own format other names, if it refuses theirs. They keep everything else. An earlier
/// document keeps a name that a later one has, too, so that a list that grows keeps its names.
pub(super) fn rename<H: Host>(draft: &mut Draft<'_, H>, target: DialectId, limits: &Limits) {
    let Some(mut names) = OwnNames::of(limits) else { return };
    let mut new: Vec<(Site, String, &'static str)> = Vec::new();
    let mut unusual = Vec::new();
    for (at, turn) in draft.turns().enumerate().filter(|(_, turn)| turn.from.same_wire(target)) {
        let input = turn.input.as_ref();
        for (place, part) in turn.parts.iter().enumerate() {
            let blocks = part.blocks().iter().enumerate().map(|(block, one)| (Some(block), one));
            for (block, one) in blocks.chain([(None, part)]) {
                let Some(came) = name_of(one, input) else { continue };
                if names.is_unusual(&came) {
                    let (turn, index) = draft.at(at);
                    let path = match block {
                        Some(_) => turn.block_path(index, place, one),
                        None => turn.part_path(index, place),
                    };
                    unusual.push(Change::warning(Edit::Name, path, UNUSUAL));
                }
                new.extend(names.other(&came).map(|(name, why)| ((at, place, block), name, why)));
            }
        }
    }
    draft.taken.append(&mut unusual);
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
        entries.push(Change::new(Edit::Reshaped, slot.index, path, why));
        slot.turn = Arc::new(turn);
    }
    draft.receipt.changes.append(&mut entries);
}

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
