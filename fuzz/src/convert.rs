//! Fuzzes every pair of dialects on JSON text: no panic, the output is JSON, and it reads as its own dialect.

use turnwire_core::{
    convert::{self, Options},
    report::{ChangeKind, ReasoningChoice},
    value::{
        handle::{Input, NoHost},
        json::{tape::Tape, write::JsonSink},
    },
};

use super::named;

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((source, rest)) = named::dialect(bytes, |_| true) else { return };
    let Some((target, rest)) = named::dialect(rest, |_| true) else { return };
    let Some((&flags, payload)) = rest.split_first() else { return };
    let Ok(tape) = Tape::read(&Input::new(payload.to_vec())) else { return };
    let options = Options {
        strict: flags & 8 != 0,
        reasoning: ReasoningChoice::ALL[usize::from(flags & 3)],
        raw_blobs: flags & 4 != 0,
        ..Options::default()
    };
    let mut sink = JsonSink::default();
    let Ok(rendering) = convert::convert(&tape.view().root::<NoHost>(), source, target, &options, &mut sink) else {
        return;
    };
    assert!(
        !options.strict || rendering.losses.iter().all(|loss| loss.kind != ChangeKind::Lost),
        "strict let a loss pass"
    );
    let written = sink.into_bytes();
    let tape = Tape::read(&Input::new(written.clone())).expect("what was written is JSON");
    let again =
        convert::parse(&tape.view().root::<NoHost>(), target).expect("what was written reads as its own dialect");
    let mut sink = JsonSink::default();
    let kept = convert::render(&again, target, &Options::default(), &mut sink).expect("and goes back to it");
    assert_eq!(sink.into_bytes(), written);
    assert!(kept.losses.is_empty(), "going home is no conversion");
}
