//! What the targets of replies and streams share: the dialects that have replies, and what holds of every reply.

use turnwire_core::{
    dialect::{self, DialectId, names},
    error::Code,
    handle::{Input, NoHost},
    json::{read, write::JsonSink},
    reply::Reply,
    stream::Assembler,
    value::Source,
};

/// The dialect that a byte stands for: formats first, then their profiles.
pub fn dialect_of(which: u8) -> DialectId {
    let which = usize::from(which);
    let answers = |name: &String| Assembler::<NoHost>::new(DialectId::named(name).expect("a name")).is_ok();
    let (formats, profiles): (Vec<_>, Vec<_>) = names().filter(answers).partition(|name| !name.contains(':'));
    let all: Vec<_> = formats.into_iter().chain(profiles).collect();
    DialectId::named(&all[which % all.len()]).expect("it is in the table")
}

/// Every turn is what its own dialect reads.
pub fn replays(id: DialectId, reply: &Reply<NoHost>) {
    for turn in &reply.turns {
        let mut sink = JsonSink::default();
        let losses = dialect::render_turn(turn, id, &mut sink).expect("it goes back to its own dialect");
        assert!(losses.is_empty());
        let written = Input::new(sink.into_bytes());
        let tape = match read::tape(&written) {
            // What was nested as deep as may be stands in a list now.
            Err(error) if error.code() == Code::TooDeep => return,
            tape => tape.expect("what was written is JSON"),
        };
        let element = tape.root::<NoHost>().items().next().expect("one element");
        let again = dialect::parse_turn(&element, 0, id).expect("it reads as its own dialect");
        assert!(turn.same(&again));
    }
}
