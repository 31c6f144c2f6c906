//! Finds where a prompt is long enough for a cache. A model caches nothing below a number of tokens, so a mark there
//! would be wasted. A token has at least one byte, so fewer bytes than that are too short for any tokenizer.

use super::body::{Body, Place};
use crate::k;
use crate::value::{NodeKind, Source};

/// The first position at which a prompt may have this many tokens. `None` if it is shorter.
pub(super) fn reaches<S: Source>(body: &Body<'_, S>, tokens: usize) -> Option<Place> {
    let mut left = tokens;
    let mut counts = |block: &S, place: Place| {
        left = left.saturating_sub(bytes(block, left));
        (left == 0).then_some(place)
    };
    let shown = body.tools.iter().flat_map(S::items).enumerate().filter(|(_, tool)| !body.is_hidden(tool));
    let tools = shown.map(|(index, tool)| (tool, Place::Tool(index)));
    let system = body.system.iter().flat_map(blocks).enumerate().map(|(index, one)| (one, Place::System(index)));
    let in_message = |(message, said): (usize, &S)| {
        let content: Vec<_> = said.get(&k::CONTENT).iter().flat_map(blocks).collect();
        content.into_iter().enumerate().map(move |(index, one)| (one, Place::Block(message, index)))
    };
    let messages = body.messages.iter().enumerate().flat_map(in_message);
    tools.chain(system).chain(messages).find_map(|(block, place)| counts(&block, place))
}

/// The blocks of a list. A text counts as one block.
fn blocks<S: Source>(content: &S) -> Vec<S> {
    if content.kind() == NodeKind::Text { vec![content.clone()] } else { content.items().collect() }
}

/// The bytes of a value, up to `most`. Media count as `most`, because their tokens do not depend on their bytes.
fn bytes<S: Source>(node: &S, most: usize) -> usize {
    match node.kind() {
        NodeKind::Text => node.text().map_or(0, |text| text.utf8_len(node.input())),
        NodeKind::List => {
            let mut sum = 0;
            for item in node.items() {
                if sum >= most {
                    break;
                }
                sum += bytes(&item, most - sum);
            }
            sum
        }
        NodeKind::Map if node.get(&k::SOURCE).is_some() => most,
        NodeKind::Map => {
            let mut sum = 0;
            node.each_entry(|key, value| {
                if sum < most {
                    sum += key.len() + bytes(value, most.saturating_sub(sum));
                }
            });
            sum
        }
        NodeKind::Number => NUMBER,
        NodeKind::Null | NodeKind::Bool | NodeKind::Blob | NodeKind::Other => 1,
    }
}

/// An upper bound for the size of a number in any spelling.
const NUMBER: usize = 24;
