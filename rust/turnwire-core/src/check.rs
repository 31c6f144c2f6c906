//! Checks a conversation: makes the request that a build would send, and keeps only its receipt.

mod after;

pub use self::after::after;
use crate::{
    convert,
    model::Conversation,
    report::{Change, Receipt},
    stage::{self, Inputs},
    value::{Host, JsonSink},
};

/// The receipt of the request. What would be refused is a change, too, and so is what is unusual and stays, because the
/// target accepts it: a warning of severity info.
pub fn check<H: Host>(conversation: &Conversation<H>, inputs: &Inputs<'_, H>) -> Receipt {
    let (outcome, mut taken) = stage::build_noting(conversation, inputs);
    let (mut receipt, refused) = match outcome {
        Ok(built) => {
            let mut out = JsonSink::new(Vec::new());
            let render = |target| convert::render(&built.conversation, target, inputs.rendering, &mut out);
            let mut receipt = built.receipt;
            match inputs.target.map(render).transpose() {
                Ok(rendering) => {
                    receipt.add(rendering.map(|rendering| rendering.losses).unwrap_or_default());
                    (receipt, None)
                }
                Err(error) => (receipt, Some(error)),
            }
        }
        Err(failed) => (*failed.receipt, Some(failed.error)),
    };
    receipt.changes.append(&mut taken);
    receipt.sort();
    receipt.changes.extend(refused.as_ref().map(Change::refused));
    receipt
}
