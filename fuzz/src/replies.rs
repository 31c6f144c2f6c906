//! Shared by the targets for replies and streams: the dialects that have replies, and what is true of every reply.

use turnwire_core::{
    dialects,
    model::{
        part::{Kind, Part},
        reply::Reply,
        tool::Args,
    },
    replies::assembler::Assembler,
    report::error::Code,
    rules::dialect_id::DialectId,
    value::{
        door::Source,
        handle::{Input, NoHost},
        json::{tape::Tape, write::JsonSink},
    },
};

/// Whether a dialect has replies.
pub fn answers(id: DialectId) -> bool {
    Assembler::<NoHost>::new(id).is_ok()
}

/// Each turn's own dialect can read it.
pub fn replays(id: DialectId, reply: &Reply<NoHost>) {
    for turn in &reply.turns {
        let mut sink = JsonSink::default();
        let losses = dialects::registry::render_turn(turn, id, &mut sink).expect("it goes back to its own dialect");
        assert!(losses.is_empty());
        let written = Input::new(sink.into_bytes());
        let tape = match Tape::read(&written) {
            // A value nested as deep as allowed is now inside a list.
            Err(error) if error.code() == Code::TooDeep => return,
            tape => tape.expect("what was written is JSON"),
        };
        let view = tape.view();
        let element = view.root::<NoHost>().items().next().expect("one element");
        let again = dialects::registry::parse_turn(&element, 0, id).expect("it reads as its own dialect");
        // What servers would not take of it is settled where the whole list is read.
        let settled = turn.flaw.is_some() && again.flaw.is_none();
        assert!(settled || turn.same(&again) || turn.parts.iter().any(is_open));
    }
}

/// Whether a call has lost its arguments to a broken stream, so that no program runs it. Its wire value stays as it came.
fn is_open(part: &Part<NoHost>) -> bool {
    let Kind::Call(call) = &part.kind else { return false };
    matches!(&call.args, Args::Text(text) if &*text.to_str(None) == "{")
}
