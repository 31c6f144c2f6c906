//! Finds content that the model of a body refuses, although the body's format has it.

use crate::{
    model::{Content, Conversation, Kind, MediaData, Part},
    report::{Change, Edit, Path, Severity},
    rules::refused_content::{self, MediaPlace, RefusedContent, S3, What},
    stage::inputs::Inputs,
    value::{Host, Input},
};

/// The content that the model refuses: of the body, if it stays with its provider, or the caller's.
pub(super) fn refused<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Vec<Change> {
    let frame = &conversation.frame;
    let target = inputs.target.unwrap_or(frame.from);
    let of_body = || frame.model().filter(|_| frame.from.same_wire(target));
    let Some(model) = inputs.model.map(str::to_owned).or_else(of_body) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for rule in refused_content::of(target, &model) {
        let severity = if rule.is_recorded_for(&model) { Severity::Error } else { Severity::Warning };
        let warning = |path| Change::warning(Edit::RefusedContent, path, rule.why).graded(severity);
        found.extend(places(conversation, rule).into_iter().map(warning));
    }
    found
}

/// Where a conversation has what a rule is about.
fn places<H: Host>(conversation: &Conversation<H>, rule: &RefusedContent) -> Vec<Path> {
    let mut places = Vec::new();
    if rule.what == What::System && conversation.frame.system.is_some() {
        places.push(conversation.frame.system_path());
    }
    let frame = &conversation.frame;
    if rule.what == What::Tools && frame.tools.iter().flatten().any(|tool| !tool.by_provider) {
        places.push(frame.tools_path());
    }
    if rule.what == What::Everything {
        let named = frame.model().map(|_| Path::key("model"));
        places.push(named.unwrap_or_default());
    }
    for (index, turn) in conversation.turns().iter().enumerate() {
        if rule.what == What::System && turn.role.is_system() {
            places.push(turn.path(index));
            continue;
        }
        let input = turn.input.as_ref();
        for (at, part) in turn.parts.iter().enumerate() {
            if is_meant(part, rule.what, MediaPlace::Beside, input) {
                places.push(turn.part_path(index, at));
            }
            let Kind::Result(result) = &part.kind else { continue };
            let Content::Blocks(blocks) = &result.content else { continue };
            let meant = blocks.iter().filter(|block| is_meant(block, rule.what, MediaPlace::InResult, input));
            places.extend(meant.map(|block| turn.block_path(index, at, block)));
        }
    }
    places
}

fn is_meant<H: Host>(part: &Part<H>, what: What, spot: MediaPlace, input: Option<&Input>) -> bool {
    let Kind::Media(media) = &part.kind else { return false };
    match what {
        What::System | What::Tools | What::Everything => false,
        What::Media(class) => media.class == class,
        What::InS3(class, at) => {
            let is_there = media.class == class && (at == MediaPlace::Anywhere || at == spot);
            is_there && matches!(&media.data, MediaData::Url(url) if url.to_str(input).starts_with(S3))
        }
    }
}
