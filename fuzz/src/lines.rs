//! Fuzzes blocks of lines. No panic; each row equals the result of a single call, wherever the block was cut; and
//! everything around a payload is replayed byte for byte.

use turnwire_core::{
    batch::{
        At, Budget, Build, Check, Job, Limit, Note, RecordOptions, Task, Truncate, Work,
        lines::{self, LinesDone},
    },
    convert::{self, Options},
    detect::Reading,
    report::{
        ReasoningChoice,
        error::{Code, Error},
    },
    rules::dialect_id::DialectId,
    stage::front::Front,
    text::{TRUNCATED_SUFFIX, budget::Split},
    value::{
        handle::{Input, NoHost},
        json::{tape::Tape, write::JsonSink},
    },
};

use super::named;

/// One input.
pub fn try_input(bytes: &[u8]) {
    let Some((from, rest)) = named::dialect(bytes, |_| true) else { return };
    let Some((target, rest)) = named::dialect(rest, |_| true) else { return };
    let Some((&[what, budget], block)) = rest.split_first_chunk::<2>() else { return };
    let task = || task(from, target, what, budget);
    let job = Job { task: task(), at: At::Found };
    each_line(&job, block);
    cut_anywhere(&job, block, budget);
    if let Task::Convert { source, target, options, .. } = task() {
        let texts: Vec<_> = block.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
        if let [aside, payload, ..] = texts[..] {
            envelopes(&|payload| single(payload, source, target, &options), &task, aside, payload);
        }
    }
}

fn task(from: DialectId, target: DialectId, what: u8, budget: u8) -> Task<NoHost> {
    let source = if what & 4 == 0 { Reading::Auto(Some(target)) } else { Reading::As(from) };
    let reasoning = if what & 16 == 0 { ReasoningChoice::Valid } else { ReasoningChoice::Text };
    let options = Options { strict: what & 8 != 0, reasoning, ..Options::default() };
    // What a single call does.
    let records = RecordOptions { row: Some(false), rest: Some(options.rest) };
    let max_bytes = usize::from(budget) * 8;
    let build = |target, options| Build {
        source,
        target,
        front: Front::none(),
        summary: None,
        budget: Budget {
            limit: if what & 64 == 0 { Limit::None } else { Limit::Bytes(max_bytes) },
            result_cap: if what & 16 == 0 { Limit::None } else { Limit::Bytes(max_bytes / 8) },
            ..Budget::default()
        },
        omitted: None,
        missing_result: None,
        cut_words: None,
        pinned: Vec::new(),
        opening: None,
        bridge: None,
        keep_open: what & 128 != 0,
        model: None,
        prefill: what & 8 != 0,
        options,
        records,
    };
    match what & 3 {
        0 => Task::Convert { source, target, options, records },
        1 => {
            let (target, own) = ((what & 32 != 0).then_some(target), what & 64 != 0);
            Task::Check(Box::new(Check { build: build(target, Options::default()), own }))
        }
        2 => Task::Truncate(Truncate {
            source,
            max_bytes,
            suffix: TRUNCATED_SUFFIX.to_owned(),
            split: if what & 32 == 0 { Split::Even } else { Split::Fair },
            options,
            records,
        }),
        _ => Task::Build(Box::new(build((what & 32 == 0).then_some(target), options))),
    }
}

/// The parts of an error that are compared.
fn said(error: &Error) -> (Code, String, String) {
    (error.code(), error.path().to_string(), error.text().to_owned())
}

/// The result of a block.
fn done(job: &Job<NoHost>, block: &[u8], first: usize) -> LinesDone {
    lines::lines(&Input::new(block.to_vec()), &lines::ends(block), first, Vec::new(), job)
}

/// Compares a block with its lines, which are found in another way and processed one by one.
fn each_line(job: &Job<NoHost>, block: &[u8]) {
    let done = done(job, block, 1);
    let mut written = done.bytes.as_slice();
    let mut notes = done.notes.iter().peekable();
    let whole = block.strip_suffix(b"\n").unwrap_or(block);
    let all = if block.is_empty() { Vec::new() } else { whole.split(|byte| *byte == b'\n').collect() };
    let is_white = |byte: &u8| b" \t\r\n".contains(byte);
    let trimmed = |line: &'_ [u8]| {
        let start = line.iter().take_while(|byte| is_white(byte)).count();
        let end = line.iter().rev().take_while(|byte| is_white(byte)).count();
        line.get(start..line.len() - end).unwrap_or_default().to_vec()
    };
    // A form feed is white space too, but not to JSON.
    let says = |row: &Vec<u8>| !row.trim_ascii().is_empty();
    let said_something = all.iter().map(|line| trimmed(line)).enumerate().filter(|(_, row)| says(row));
    let mut rows = 0;
    for (at, row) in said_something {
        rows += 1;
        let mut out = Vec::new();
        let alone = job.row(at, &Input::new(row), &mut out);
        let note = notes.next_if(|(line, _)| *line == at).map(|(_, note)| note);
        match (alone, note) {
            (Ok(losses), None) => assert!(losses.is_empty()),
            (Ok(losses), Some(Note::Losses(told))) => assert_eq!(format!("{losses:?}"), format!("{told:?}")),
            (Err(error), Some(Note::Failed(told))) => {
                assert_eq!(said(&error), said(told));
                continue;
            }
            (alone, note) => panic!("alone {alone:?}, in a block {note:?}"),
        }
        Tape::read(&Input::new(out.clone())).expect("what was written is JSON");
        assert!(!out.contains(&b'\n'), "a row is a line");
        if matches!(job.task, Task::Check(_)) {
            let listed: Vec<serde_json::Value> = serde_json::from_slice(&out).expect("a list of findings");
            for finding in listed {
                let line = line(&mut written);
                let mut line: serde_json::Value = serde_json::from_slice(line).expect("a finding");
                let number = line.as_object_mut().and_then(|line| line.remove("line"));
                assert_eq!(number, Some(serde_json::Value::from(at + 1)));
                assert_eq!(line, finding);
            }
        } else {
            assert_eq!(line(&mut written), out);
        }
    }
    assert!(written.is_empty() && notes.next().is_none());
    assert_eq!((done.lines, done.rows), (all.len(), rows));
}

/// The next line of the output.
fn line<'a>(written: &mut &'a [u8]) -> &'a [u8] {
    let end = written.iter().position(|byte| *byte == b'\n').expect("a line for each that is there");
    let (line, rest) = written.split_at(end);
    *written = &rest[1..];
    line
}

/// Two blocks of whole lines give the same as one block of both.
fn cut_anywhere(job: &Job<NoHost>, block: &[u8], near: u8) {
    let Some(end) = block.iter().skip(usize::from(near)).position(|byte| *byte == b'\n') else { return };
    let (one, two) = block.split_at(usize::from(near) + end + 1);
    let whole = done(job, block, 1);
    let one = done(job, one, 1);
    let two = done(job, two, 1 + one.lines);
    assert_eq!(whole.bytes, [one.bytes, two.bytes].concat());
    assert_eq!((whole.lines, whole.rows), (one.lines + two.lines, one.rows + two.rows));
    assert_eq!(whole.notes.len(), one.notes.len() + two.notes.len());
}

/// The result of the call for one payload.
fn single(payload: &[u8], source: Reading, target: DialectId, options: &Options) -> Result<Vec<u8>, Error> {
    let tape = Tape::read(&Input::new(payload.to_vec()))?;
    let mut sink = JsonSink::default();
    convert::convert(&tape.view().root::<NoHost>(), source, target, options, &mut sink)?;
    Ok(sink.into_bytes())
}

/// The call for one payload.
type Single<'a> = dyn Fn(&[u8]) -> Result<Vec<u8>, Error> + 'a;

/// Everything around a payload keeps its spelling, in known envelopes and under named keys.
fn envelopes(single: &Single<'_>, task: &dyn Fn() -> Task<NoHost>, aside: &[u8], payload: &[u8]) {
    if Tape::read(&Input::new(payload.to_vec())).is_err() {
        return;
    }
    let aside = if Tape::read(&Input::new(aside.to_vec())).is_ok() { aside } else { b" 1.50 " };
    let known: &[&[&str]] = match payload.first() {
        Some(b'{') => &[&["custom_id", "x", "*body"], &["custom_id", "*params", "y"]],
        // A prompt with its completions is a row of its own kind, not only a list.
        Some(b'[') => &[&["x", "*conversation"], &["*traj", "y"]],
        _ => &[],
    };
    for keys in known {
        envelope(&At::Found, keys, "", single, task, aside, payload);
    }
    let named = At::named("a.b").expect("a path");
    envelope(&named, &["x", "*b", "y"], "a", single, task, aside, payload);
}

fn envelope(
    at: &At,
    keys: &[&str],
    outer: &str,
    single: &Single<'_>,
    task: &dyn Fn() -> Task<NoHost>,
    aside: &[u8],
    payload: &[u8],
) {
    let around = |inner: &[u8]| {
        let mut row = if outer.is_empty() { Vec::new() } else { format!("{{\"{outer}\" : ").into_bytes() };
        for (at, key) in keys.iter().enumerate() {
            row.extend_from_slice(if at == 0 { b"{" } else { b" ," });
            row.extend_from_slice(format!("\"{}\":\t", key.trim_start_matches('*')).as_bytes());
            row.extend_from_slice(if key.starts_with('*') { inner } else { aside });
        }
        row.extend_from_slice(if outer.is_empty() { b"}" } else { b"}}" });
        row
    };
    let job = Job { task: task(), at: at.clone() };
    let mut out = b"before".to_vec();
    let written = job.row(0, &Input::new(around(payload)), &mut out);
    match (written, single(payload)) {
        (Ok(_), Ok(made)) => assert_eq!(out, [b"before".as_slice(), &around(&made)].concat()),
        // A payload nested as deep as allowed is deeper inside its envelope.
        (Err(error), _) if error.code() == Code::TooDeep => {}
        (Err(error), Err(alone)) => {
            assert_eq!((error.code(), error.text()), (alone.code(), alone.text()));
            let inner = alone.path().to_string();
            assert!(error.path().to_string().ends_with(inner.trim_start_matches('$')));
        }
        (written, alone) => panic!("in its envelope {written:?}, alone {alone:?}"),
    }
}
