//! Fuzzes streams of every dialect that has replies: no panic, no text lost, the same reply however the bytes are split, and
//! turns that go back to their own dialect and read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwire_core::{
    dialect::{self, DialectId, names},
    error::{Code, Error},
    handle::{Input, NoHost, Text},
    json::{read, write::JsonSink},
    node::ArgsState,
    reply::{Finish, Reply},
    stream::{Assembler, Event},
    value::Source,
};

type Outcome = (Vec<u8>, Result<Reply<NoHost>, Error>);

fuzz_target!(|bytes: &[u8]| {
    let Some((&[which, step], body)) = bytes.split_first_chunk::<2>() else { return };
    let all: Vec<_> =
        names().filter_map(|name| DialectId::named(&name).ok()).filter(|id| open(*id).is_some()).collect();
    let id = all[usize::from(which) % all.len()];
    let whole = run(id, &[body]);
    let pieces: Vec<&[u8]> = body.chunks(usize::from(step) + 1).collect();
    let split = run(id, &pieces);
    assert_eq!(whole.0, split.0, "the events depend on the split");
    match (&whole.1, &split.1) {
        (Ok(one), Ok(other)) => assert!(one.same(other), "the reply depends on the split"),
        (Err(one), Err(other)) => assert_eq!(one, other),
        _ => panic!("the outcome depends on the split"),
    }
    if let Ok(reply) = whole.1 {
        replays(id, &reply);
    }
});

fn open(id: DialectId) -> Option<Assembler<NoHost>> {
    Assembler::new(id).ok()
}

fn run(id: DialectId, pieces: &[&[u8]]) -> Outcome {
    let mut assembler = open(id).expect("it has replies");
    let (mut told, mut texts) = (Vec::new(), 0);
    let mut take = |events: &[Event<NoHost>]| {
        for event in events {
            let mut sink = JsonSink::new(std::mem::take(&mut told));
            event.write(&mut sink);
            told = sink.into_bytes();
            match event {
                Event::Text(text) => texts += text.utf8_len(None),
                Event::Call { args, .. } => {
                    assert_eq!(args.state(None), ArgsState::Object, "a call that cannot be run")
                }
                Event::Reasoning(_) => {}
            }
        }
    };
    for piece in pieces {
        // An event that cannot be read is an error each, and the next call goes on behind it.
        let mut fed = assembler.feed_bytes(piece);
        while fed.is_err() {
            fed = assembler.feed_bytes(&[]);
        }
        take(&assembler.events());
    }
    let reply = loop {
        match assembler.finish() {
            Err(error) if error.code() != Code::Finished && assembler.check_open().is_ok() => {}
            finished => break finished,
        }
    };
    take(&assembler.events());
    if let Ok(reply) = &reply {
        take(&reply.events);
        // What was told is there; a server may say more in ways that nobody tells of.
        assert!(reply.texts().map(|text: &Text<NoHost>| text.utf8_len(None)).sum::<usize>() >= texts || shrinks(reply));
        assert!(reply.calls().count() > 0 || reply.finish != Finish::ToolCalls);
    }
    (told, reply)
}

/// Halves of a character are three bytes each, and four together; an emptied turn is dropped.
fn shrinks(reply: &Reply<NoHost>) -> bool {
    reply.turns.is_empty()
        || reply.texts().any(|text| text.to_str(None).chars().any(|c| c.len_utf8() == 4 || c == '\u{FFFD}'))
}

/// Every turn is what its own dialect reads.
fn replays(id: DialectId, reply: &Reply<NoHost>) {
    for turn in &reply.turns {
        let mut sink = JsonSink::default();
        let lossless = dialect::render_turn(turn, &mut sink).expect("it goes back to its own dialect");
        assert!(lossless);
        let written = Input::new(sink.into_bytes());
        let tape = match read::tape(&written) {
            // What was nested as deep as may be stands in a list now.
            Err(error) if error.code() == Code::TooDeep => return,
            tape => tape.expect("what was written is JSON"),
        };
        let element = tape.root::<NoHost>().items().next().expect("one element");
        let again = dialect::parse_turn(&element, id).expect("it reads as its own dialect");
        assert!(turn.same(&again));
    }
}
