//! Fuzzes the builder: the target accepts what it returns, so a second build has nothing to do.

use std::sync::Arc;

use turnwire_core::{
    convert::{self, Options},
    detect::Reading,
    model::conversation::Conversation,
    report::{Change, Edit, Receipt, error::Error},
    rules::dialect_id::DialectId,
    stage::{Budget, Inputs, build},
    value::{
        handle::{Input, NoHost},
        json::{tape::Tape, write::JsonSink},
    },
};

use super::named;

/// A byte of the input is the budget in steps of this size. 0 means no budget.
const STEP: usize = 64;

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((source, rest)) = named::dialect(bytes, |_| true) else { return };
    let Some((target, rest)) = named::dialect(rest, |_| true) else { return };
    let Some((&steps, payload)) = rest.split_first() else { return };
    let budget = (steps > 0).then(|| Budget::Bytes(usize::from(steps) * STEP));
    let inputs = Inputs { target: Some(target), budget, ..Inputs::default() };
    let Ok(given) = parse(payload, source) else { return };
    let Ok((first, receipt)) = built(&given, &inputs) else { return };
    let (sent, losses) = written(&first, target).expect("what cannot be sent was found before");
    // A text in the form of a call is read as a call, which the loss reports.
    if losses.iter().any(|loss| loss.code == Edit::AmbiguousCall) {
        return;
    }
    let text = String::from_utf8_lossy(&sent);
    let mut again = parse(&sent, target).expect("what was built reads as its own dialect");
    // The caller's own key says what the server has.
    let frame = Arc::get_mut(&mut again.frame).expect("nobody else has what was just read");
    frame.continues = given.frame.continues.filter(|_| source.same_wire(target));
    // The budget does not count what a target adds to a tool's definition.
    let (second, changes) = built(&again, &Inputs { budget: None, ..inputs })
        .unwrap_or_else(|error| panic!("what was built is refused: {error}\n{receipt}\n{text}"));
    assert!(changes.is_unchanged(), "what was built is changed: {changes}\nafter {receipt}\n{text}");
    assert_eq!(written(&second, target).expect("it was written before").0, sent);
}

/// The payload itself does not say whether a text in the form of a result is one.
fn parse(payload: &[u8], dialect: DialectId) -> Result<Conversation<NoHost>, Error> {
    convert::parse(&Tape::read(&Input::new(payload.to_vec()))?.view().root::<NoHost>(), Reading::WithResults(dialect))
}

fn built(given: &Conversation<NoHost>, inputs: &Inputs<'_, NoHost>) -> Result<(Conversation<NoHost>, Receipt), String> {
    build(given, inputs).map(|built| (built.conversation, built.receipt)).map_err(|error| error.to_string())
}

fn written(conversation: &Conversation<NoHost>, target: DialectId) -> Result<(Vec<u8>, Vec<Change>), Error> {
    let mut sink = JsonSink::default();
    let rendering = convert::render(conversation, target, &Options::default(), &mut sink)?;
    Ok((sink.into_bytes(), rendering.losses))
}
