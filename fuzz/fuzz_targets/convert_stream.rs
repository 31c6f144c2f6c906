//! Fuzzes the conversion of streams between all dialects that have replies: no panic, the same bytes however they are split, and
//! a stream that the target reads and that says no good end where the source had none.
#![no_main]

mod named;
mod replies;

use libfuzzer_sys::fuzz_target;
use turnwire_core::{
    model::reply::{Finish, Reply},
    replies::{assembler::Assembler, converter::Converter, frames::ByteFrames},
    report::tool_names::ToolNames,
    rules::dialect_id::DialectId,
    value::handle::{Host, NoHost},
    wire::stream::out::Wanted,
};

fuzz_target!(|bytes: &[u8]| {
    let Some((source, rest)) = named::dialect(bytes, replies::answers) else { return };
    let Some((target, rest)) = named::dialect(rest, replies::answers) else { return };
    let Some((&step, body)) = rest.split_first() else { return };
    let whole = run(source, target, [body]);
    let split = run(source, target, body.chunks(usize::from(step) + 1));
    assert_eq!(whole, split, "the stream depends on the split");
    let (written, abort) = whole;
    if source.name().split(':').next() == target.name().split(':').next() {
        // It is replayed, whatever it is.
        assert!(written.starts_with(body));
        return;
    }
    let mut again = Assembler::<NoHost>::new(target).expect("it has replies");
    again.feed_bytes(&written).expect("the target reads what was written for it");
    let again = again.finish().expect("a reply");
    replies::replays(target, &again);
    match read(source, body) {
        Some(reply) if reply.finish != Finish::Error => {
            assert_ne!(again.finish, Finish::Error, "a good end is one");
            assert!(text(&again).len() >= text(&reply).len() || text(&reply).contains('\u{FFFD}'), "text is lost");
            assert_eq!(again.calls().count(), reply.calls().count(), "a call is lost");
        }
        _ => assert!(again.finish == Finish::Error || abort, "nobody notices that the reply broke"),
    }
});

fn text<H: Host>(reply: &Reply<H>) -> String {
    reply.texts().map(|text| text.to_str(None).into_owned()).collect()
}

/// What the source said; `None` where some of it could not be read.
fn read(source: DialectId, body: &[u8]) -> Option<Reply<NoHost>> {
    let mut assembler = Assembler::new(source).expect("it has replies");
    assembler.feed_bytes(body).ok()?;
    assembler.finish().ok()
}

fn run<'a>(source: DialectId, target: DialectId, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<u8>, bool) {
    let mut converter =
        Converter::<NoHost>::new(source, target, ToolNames::default(), Wanted::unknown()).expect("both have replies");
    let mut out = ByteFrames::new(converter.framing());
    for mut piece in pieces {
        // An event that cannot be read is an error each, and the next call goes on behind it.
        while converter.feed_bytes(piece, &mut out).is_err_and(|error| error.code().name() != "finished") {
            piece = &[];
        }
    }
    let _ = converter.finish(&mut out);
    (out.into_bytes(), converter.abort())
}
