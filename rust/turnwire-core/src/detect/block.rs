//! Collects the signs of one content block.

use super::{
    look::{See, said, see, see_first},
    sourced::is_data,
};
use crate::{
    k,
    rules::Spot,
    value::{NodeKind, Source, door::keys},
};

keys! {
    VIDEO_URL = "video_url";
    AUDIO_URL = "audio_url";
    MEDIA_TYPE = "mediaType";
}

/// Reports the signs of one content block.
pub(super) fn block<S: Source>(node: &S, to: See<'_>) {
    let kind = node.get(&k::TYPE);
    let Some(word) = kind.as_ref().and_then(Source::word) else {
        said(node, |key| see(Spot::Bare, key, to));
        return;
    };
    // A film as a list of frames is not the entry of another column.
    if word == "video" && node.get(&k::VIDEO).is_some_and(|frames| frames.kind() == NodeKind::List) {
        return see(Spot::Mark, "frames", to);
    }
    see(Spot::Block, &word, to);
    see_first(node, Spot::Mark, &[&k::CACHE_CONTROL, &k::CITATIONS, &VIDEO_URL, &AUDIO_URL], to);
    match &*word {
        "thinking" => see(Spot::Mark, thought(node), to),
        "text" => see_first(node, Spot::Text, &[&k::TEXT, &k::CONTENT], to),
        "image" if is_data(node) => see(Spot::Mark, "image:data", to),
        "image" | "file" => {
            see_first(node, Spot::Mark, &[&MEDIA_TYPE, &k::IMAGE], to);
            if word == "image" {
                source_sign(node, &word, to);
            }
        }
        "audio" | "video" | "document" => source_sign(node, &word, to),
        "tool_result" => {
            for key in [&k::TOOL_USE_ID, &k::TOOL_NAME, &k::TOOL_CALL_ID, &k::NAME] {
                see_first(node, Spot::Result, &[key], to);
            }
        }
        _ => {}
    }
}

/// The form of a thinking block: several texts, one signed text, or one text.
fn thought<S: Source>(node: &S) -> &'static str {
    match node.get(&k::THINKING) {
        Some(said) if said.kind() == NodeKind::List => "thoughts",
        _ if node.get(&k::SIGNATURE).is_some() => "signature",
        _ => "thought",
    }
}

/// Reports the source of media, which has the data under `value` in some formats. Images, audio and video may have none:
/// then their data are beside the type, or in another column of a table.
fn source_sign<S: Source>(node: &S, word: &str, to: See<'_>) {
    let said = |key| node.get(key).filter(|value: &S| value.kind() != NodeKind::Null);
    match said(&k::SOURCE) {
        Some(source) if source.kind() == NodeKind::Map => {
            see(Spot::Source, if source.get(&k::VALUE).is_some() { k::VALUE.name } else { k::SOURCE.name }, to);
        }
        None if word != "document" && said(&MEDIA_TYPE).is_none() && said(&k::IMAGE).is_none() => {
            see(Spot::Source, "none", to);
        }
        _ => {}
    }
}
