//! Fuzzes streams of every dialect that has replies. No panic; no text lost; the same reply however the bytes are
//! split; turns that go back to their own dialect and read as the same.

use std::collections::HashMap;

use turnwire_core::{
    model::{event::Event, finish::Finish, reply::Reply},
    replies::assembler::Assembler,
    report::error::{Code, Error},
    rules::dialect_id::DialectId,
    value::{
        handle::{Input, NoHost, Text},
        json::write::JsonSink,
        node::ArgsState,
    },
};

use super::{named, replies};

type Outcome = (Vec<u8>, Result<Reply<NoHost>, Error>);

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((id, rest)) = named::dialect(bytes, replies::answers) else { return };
    let Some((&step, body)) = rest.split_first() else { return };
    if id.name() == "bedrock" {
        // The body is binary, and random bytes are almost never valid. So events are fed line by line, as clients
        // decode them.
        let by_line = run(id, body.split(|byte| *byte == b'\n'), |assembler, line| {
            let _ = assembler.feed_json(&Input::new(line.to_vec()));
        });
        let _ = by_line.1.map(|reply| replies::replays(id, &reply));
    }
    let by_bytes = |assembler: &mut Assembler<NoHost>, piece: &[u8]| {
        // Each event that cannot be read is an error, and the next call continues after it.
        let mut fed = assembler.feed_bytes(piece);
        while fed.is_err() {
            fed = assembler.feed_bytes(&[]);
        }
    };
    let whole = run(id, [body], by_bytes);
    let split = run(id, body.chunks(usize::from(step) + 1), by_bytes);
    assert_eq!(whole.0, split.0, "the events depend on the split");
    match (&whole.1, &split.1) {
        (Ok(one), Ok(other)) => assert!(one.same(other), "the reply depends on the split"),
        (Err(one), Err(other)) => assert_eq!(one, other),
        _ => panic!("the outcome depends on the split"),
    }
    if let Ok(reply) = whole.1 {
        replies::replays(id, &reply);
    }
}

fn open(id: DialectId) -> Assembler<NoHost> {
    Assembler::new(id).expect("it has replies")
}

fn run<'a>(
    id: DialectId,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    feed: impl Fn(&mut Assembler<NoHost>, &[u8]),
) -> Outcome {
    let mut assembler = open(id);
    let (mut told, mut texts) = (Vec::new(), Vec::new());
    let mut take = |events: &[Event<NoHost>]| {
        for event in events {
            let mut sink = JsonSink::new(std::mem::take(&mut told));
            event.write(&mut sink);
            told = sink.into_bytes();
            match event {
                Event::Text(text) => texts.push(text.share()),
                Event::Call { args, .. } => {
                    assert_eq!(args.state(None), ArgsState::Object, "a call that cannot be run")
                }
                _ => {}
            }
        }
    };
    for piece in pieces {
        feed(&mut assembler, piece);
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
        has_all(reply, &texts);
        assert!(reply.calls().count() > 0 || reply.finish != Finish::ToolCalls);
    }
    (told, reply)
}

/// The reply has all text that was reported. A server may send more in ways that are not reported.
fn has_all(reply: &Reply<NoHost>, told: &[Text<NoHost>]) {
    let texts: Vec<_> = reply.texts().map(halves).collect();
    if reply.from.name() == "openai-responses" {
        // There, a text that comes whole replaces its pieces, unless it is shorter.
        let all: usize = texts.iter().flatten().map(|c| c.len_utf8()).sum();
        assert!(all >= told.iter().map(|text| text.utf8_len(None)).sum(), "text is lost");
        return;
    }
    let mut left = HashMap::new();
    texts.iter().flatten().for_each(|c| *left.entry(*c).or_insert(0) += 1);
    for piece in told.iter().map(halves) {
        let is_there = piece.is_empty() || texts.iter().any(|text| text.windows(piece.len()).any(|part| part == piece));
        assert!(is_there, "a piece is lost");
        piece.iter().for_each(|c| *left.entry(*c).or_insert(0) -= 1);
    }
    assert!(left.values().all(|count| *count >= 0), "text is lost");
}

/// The characters, with U+FFFD for each half of a character with two. A reply joins halves that came in two pieces.
fn halves(text: &Text<NoHost>) -> Vec<char> {
    let half = |c| if c > '\u{FFFF}' { [Some('\u{FFFD}'); 2] } else { [Some(c), None] };
    text.to_str(None).chars().flat_map(half).flatten().collect()
}
