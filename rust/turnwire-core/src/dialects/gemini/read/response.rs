//! Reads the response of a function: its text or value, and the media beside it.

use super::super::keys as k;
use crate::{
    dialects::gemini::{
        RESULT_KEYS,
        media::media_part,
        part::{Beside, ReadPart},
        several::{SEVERAL, apart, says_several},
    },
    model::{Content, Flaw, Inner, Kind, Part, Parts, ToolResult, flaw},
    report::{Place, Trail},
    value::{NodeKind, Source, Text, Tree},
    wire::read::{Keys, SINGLE, keys::repeated},
};

static NO_OBJECT: Flaw = Flaw::refused("a response is an object");
static NO_RESPONSE: Flaw = Flaw::refused("a result without a response");

/// The paths of a result's content in its part.
pub(crate) struct ResponsePlaces {
    key: &'static str,
    whole: &'static str,
    result: &'static str,
    output: &'static str,
    error: &'static str,
    parts: &'static str,
}

pub(crate) static CAMEL: ResponsePlaces = ResponsePlaces {
    key: "functionResponse",
    whole: "functionResponse.response",
    result: "functionResponse.response.result",
    output: "functionResponse.response.output",
    error: "functionResponse.response.error",
    parts: "functionResponse.parts",
};

pub(crate) static SNAKE: ResponsePlaces = ResponsePlaces {
    key: "function_response",
    whole: "function_response.response",
    result: "function_response.response.result",
    output: "function_response.response.output",
    error: "function_response.response.error",
    parts: "function_response.parts",
};

pub(crate) fn result<S: Source>(
    node: &S,
    places: &ResponsePlaces,
    at: &Trail<'_>,
    (inner, flaw): Beside<'_, S>,
) -> ReadPart<S> {
    let mut keys = Keys::of(node, at)?;
    let name = keys.text(&k::NAME)?.filter(|name| !name.is_empty());
    if name.is_none() {
        *flaw = Some(&flaw::NO_RESULT_NAME);
    }
    let id = keys.text(&k::ID)?.filter(|id| !id.is_empty());
    let (mut said, mut error) = (None, false);
    let response = keys.some(&k::RESPONSE);
    if response.is_none() {
        *flaw = Some(&NO_RESPONSE);
    }
    if let Some(response) = response {
        let mut value = None;
        if response.kind() == NodeKind::Map {
            (value, error) = RESULT_KEYS.value_of(&response);
        } else {
            // The response is the tool's answer itself, although an object is expected.
            *flaw = Some(&NO_OBJECT);
        }
        said = Some(match value {
            None => (response, Place::key(places.whole)),
            Some((_, value)) if error => (value, Place::key(places.error)),
            Some((key, value)) if key.name == k::RESULT.name => (value, Place::key(places.result)),
            Some((_, value)) => (value, Place::key(places.output)),
        });
    }
    let said =
        said.filter(|(node, _)| node.kind() != NodeKind::Null && !(node.kind() == NodeKind::Map && node.is_empty()));
    let mut blocks: Parts<S::H> = said
        .iter()
        .map(|(node, place)| Part::at(*place, node.text().map_or_else(|| Kind::Json(node.raw()), Kind::Text)))
        .collect();
    let words = blocks.len();
    if let Some(list) = keys.some(&k::PARTS) {
        let at = at.key(k::PARTS.name);
        if list.kind() != NodeKind::List {
            *flaw = Some(&SINGLE);
        }
        for (element, place, at) in repeated(&list, places.parts, &at)? {
            let read = media_part(&element, place, &at)?;
            if !says_several(&read, &element) {
                blocks.push(read);
                continue;
            }
            // Media may move out of the result, and must not take other content with them.
            *flaw = Some(&SEVERAL);
            for one in apart(&element)? {
                let one = Tree(&one);
                let mut keys = Keys::of(&one, &at)?;
                blocks.push(match keys.text(&k::TEXT)? {
                    Some(text) => Part { extras: keys.extras(), ..Part::at(place, Kind::Text(text)) },
                    None => media_part(&one, place, &at)?,
                });
            }
        }
    }
    let content = match blocks.as_slice() {
        [] => Content::Absent,
        [Part { kind: Kind::Text(text), .. }] if words == 1 => Content::Text(text.share()),
        _ => Content::blocks(blocks),
    };
    *inner = Inner::of(places.key, keys.extras());
    let made_up_id = id.is_none();
    let id = id.unwrap_or_else(|| Text::own(""));
    Ok(Kind::Result(ToolResult {
        id,
        made_up_id,
        name: name.map(Box::new),
        content,
        error,
        synthetic: false,
        custom: false,
        form: None,
    }))
}
