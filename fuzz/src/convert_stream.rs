//! Fuzzes the conversion of streams between all dialects that have replies. No panic; the same bytes however they are
//! split; a stream that the target can read, and that reports no success if the source did not.

use turnwire_core::{
    model::{finish::Finish, reply::Reply},
    replies::{assembler::Assembler, converter::Converter, frames::ByteFrames},
    report::{register::Edit, tool_names::ToolNames},
    rules::dialect_id::DialectId,
    value::{
        handle::{Host, NoHost},
        node::ArgsState,
    },
};

use super::{named, replies};

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((source, rest)) = named::dialect(bytes, replies::answers) else { return };
    let Some((target, rest)) = named::dialect(rest, replies::answers) else { return };
    let Some((&step, body)) = rest.split_first() else { return };
    let whole = run(source, target, [body]);
    let split = run(source, target, body.chunks(usize::from(step) + 1));
    assert_eq!(whole, split, "the stream depends on the split");
    if source.name().split(':').next() == target.name().split(':').next() {
        // It is replayed, whatever it is.
        assert!(whole.bytes.starts_with(body));
        return;
    }
    let mut again = Assembler::<NoHost>::new(target).expect("it has replies");
    again.feed_bytes(&whole.bytes).expect("the target reads what was written for it");
    let again = again.finish().expect("a reply");
    replies::replays(target, &again);
    match read(source, body) {
        Some(reply) if reply.finish != Finish::Error => {
            // Cohere's only word for an answer that was withheld is an error, and a loss says so.
            let good = again.finish != Finish::Error || reply.finish == Finish::Filtered && target.name() == "cohere";
            assert!(good, "a good end is one");
            let kept = text(&again).len() >= text(&reply).len() || text(&reply).contains('\u{FFFD}');
            assert!(kept || whole.is_late, "text is lost");
            // In the chat family, a reader takes two objects in one call's arguments for two calls.
            if reply.calls().all(|call| call.args.state(None) != ArgsState::Invalid) {
                assert_eq!(named_calls(&again), named_calls(&reply), "a call is lost");
            }
        }
        _ => {
            assert!(again.finish == Finish::Error || whole.abort || whole.failed, "nobody notices that the reply broke")
        }
    }
}

fn text<H: Host>(reply: &Reply<H>) -> String {
    reply.texts().map(|text| text.to_str(None).into_owned()).collect()
}

/// A call that never got a name does not count as a tool call.
fn named_calls<H: Host>(reply: &Reply<H>) -> usize {
    reply.calls().filter(|call| !call.name.is_empty()).count()
}

/// The source's reply, up to its end: a converter has finished by then. `None` if some of it could not be read.
fn read(source: DialectId, body: &[u8]) -> Option<Reply<NoHost>> {
    let mut assembler = Assembler::new(source).expect("it has replies");
    for byte in body.chunks(1) {
        if assembler.is_over() {
            break;
        }
        assembler.feed_bytes(byte).ok()?;
    }
    assembler.finish().ok()
}

/// What a converter wrote and reported.
#[derive(Debug, PartialEq)]
struct Written {
    bytes: Vec<u8>,
    abort: bool,
    /// Whether an event could not be read.
    failed: bool,
    /// Whether a loss says that text came too late.
    is_late: bool,
}

fn run<'a>(source: DialectId, target: DialectId, pieces: impl IntoIterator<Item = &'a [u8]>) -> Written {
    let mut converter =
        Converter::<NoHost>::new(source, target, ToolNames::default(), None).expect("both have replies");
    let mut out = ByteFrames::new(converter.framing());
    let mut failed = false;
    for mut piece in pieces {
        // Each event that cannot be read is an error, and the next call continues after it.
        while converter.feed_bytes(piece, &mut out).is_err_and(|error| error.code().name() != "finished") {
            failed = true;
            piece = &[];
        }
    }
    let _ = converter.finish(&mut out);
    let is_late = converter.losses().iter().any(|loss| loss.code == Edit::LateText);
    Written { bytes: out.into_bytes(), abort: converter.abort(), failed, is_late }
}
