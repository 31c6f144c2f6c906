//! Reads Mistral's chunk of reasoning, which its own servers and gateways to them have among the contents.

use super::{keys as k, part::PartDraft};
use crate::{
    model::{Flaw, Reasoning},
    report::Error,
    rules::{BlockRule, ValueRule},
    value::{NodeKind, Source},
    wire::read::keys::joined,
};

static THOUGHT: Flaw = Flaw::refused("what was thought is a list of chunks of text");

/// Chunks of text, and of other content quoted in a thought.
const THOUGHTS: ValueRule = ValueRule::ListOf(&ValueRule::Both(
    &ValueRule::Fields(&[("type", ValueRule::OneOf(&["text", "reference", "tool_reference"]))], &[]),
    &ValueRule::Shaped(&[
        BlockRule { types: "text", needs: &[("text", ValueRule::Word)], may: &[] },
        BlockRule { types: "reference", needs: &[("reference_ids", ValueRule::List)], may: &[] },
        BlockRule {
            types: "tool_reference",
            needs: &[("tool", ValueRule::Word), ("title", ValueRule::Word)],
            may: &[],
        },
    ]),
));

/// The model's reasoning: a list of text chunks, or one text.
pub(crate) fn read<S: Source>(draft: &mut PartDraft<'_, '_, S>) -> Result<Reasoning<S::H>, Error> {
    let node = draft.keys.needed(&k::THINKING)?;
    if node.kind() != NodeKind::Text && !THOUGHTS.allows_raw(&node.raw(), node.input()) {
        draft.flaw = Some(&THOUGHT);
    }
    let signature = draft.keys.node.get(&k::SIGNATURE);
    draft.signed = signature.is_some_and(|signature| signature.text().is_some());
    let texts: Vec<_> = node.items().filter_map(|chunk| chunk.get(&k::TEXT)?.text()).collect();
    Ok(Reasoning { text: node.text().or(joined(&texts, "", node.input())?) })
}
