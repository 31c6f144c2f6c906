//! Fuzzes the builder: what it gives back is what the target takes, so that a second build has nothing to do.
//!
//! The first line of an input names the source, the target and perhaps a budget; the payload follows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire_core::{
    conversation::Conversation,
    convert::{self, Options},
    detect::Reading,
    dialect::DialectId,
    error::Error,
    handle::{Input, NoHost},
    json::{read, write::JsonSink},
    receipt::Receipt,
    stage::{Budget, Inputs, build},
};

fuzz_target!(|bytes: &[u8]| {
    let Some((head, payload)) = head_and_rest(bytes) else { return };
    let mut words = head.split(' ');
    let mut dialect = || DialectId::named(words.next()?).ok();
    let (Some(source), Some(target)) = (dialect(), dialect()) else { return };
    let budget = words.next().and_then(|word| word.parse().ok());
    let Ok(given) = parse(payload, source) else { return };
    let Ok((first, receipt)) = built(&given, target, budget) else { return };
    let Ok(sent) = written(&first, target) else { return };
    let again = parse(&sent, target).expect("what was built reads as its own dialect");
    let (second, changes) = built(&again, target, budget).unwrap_or_else(|error| {
        panic!("what was built is refused: {error}\n{receipt}\n{}", String::from_utf8_lossy(&sent))
    });
    assert!(
        changes.is_empty(),
        "what was built is changed: {changes}\nafter {receipt}\n{}",
        String::from_utf8_lossy(&sent)
    );
    assert_eq!(written(&second, target).expect("it was written before"), sent);
});

fn head_and_rest(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

fn parse(payload: &[u8], dialect: DialectId) -> Result<Conversation<NoHost>, Error> {
    // What a text in the form of a result is, the payload itself does not say.
    convert::parse(&read::tape(&Input::new(payload.to_vec()))?.root::<NoHost>(), Reading::WithResults(dialect))
}

fn built(
    given: &Conversation<NoHost>,
    target: DialectId,
    budget: Option<usize>,
) -> Result<(Conversation<NoHost>, Receipt), String> {
    let inputs = Inputs { target: Some(target), budget: budget.map(Budget::Bytes), ..Inputs::default() };
    build(given, &inputs).map(|built| (built.conversation, built.receipt)).map_err(|error| error.to_string())
}

fn written(conversation: &Conversation<NoHost>, target: DialectId) -> Result<Vec<u8>, Error> {
    let mut sink = JsonSink::default();
    convert::render(conversation, target, &Options::default(), &mut sink)?;
    Ok(sink.into_bytes())
}
