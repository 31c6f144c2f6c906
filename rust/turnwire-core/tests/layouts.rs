//! Layouts: each sample is claimed by one, no payload of a dialect is, and every word of the table changes what is read.

use std::{collections::BTreeMap, fs, path::PathBuf};

use turnwire_core::{
    detect::Reading,
    layouts::{Form, Layout},
    report::{Losses, Options, Path, Step},
    rules::{
        RecordLayout,
        record_layout::{Claim, EMPTY, Is, TABLE, TalkAt},
    },
    value::{Input, NoHost, Tape, TapeSource},
};

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// The samples: each with its record, and the name of its layout if it has one.
fn samples() -> Vec<(String, Option<String>, Input)> {
    let text = fs::read_to_string(tests().join("layouts/samples.jsonl")).expect("it is there");
    let sample = |line: &str| {
        let all: serde_json::Value = serde_json::from_str(line).expect("it is there");
        let layout = all["layout"].as_str().map(str::to_owned);
        (all["id"].to_string(), layout, Input::new(all["record"].to_string()))
    };
    text.lines().map(sample).collect()
}

fn on<T>(record: &Input, read: impl FnOnce(&TapeSource<'_, NoHost>) -> T) -> T {
    let tape = Tape::read(record).expect("it is there");
    read(&tape.view().root())
}

#[test]
fn each_sample_is_claimed_by_its_layout_alone() {
    let samples = samples();
    for (id, wanted, record) in &samples {
        let claiming = on(record, |record| {
            Layout::all().iter().filter(|layout| layout.claims(record)).map(Layout::name).collect::<Vec<_>>()
        });
        assert_eq!(claiming, wanted.as_deref().into_iter().collect::<Vec<_>>(), "{id}");
    }
    for layout in TABLE {
        assert!(
            samples.iter().any(|(_, name, _)| name.as_deref() == Some(layout.name)),
            "{} has no sample",
            layout.name
        );
    }
}

#[test]
fn no_payload_of_a_dialect_is_claimed() {
    let mut seen = 0;
    for file in fs::read_dir(tests().join("vectors")).expect("it is there") {
        let text = fs::read_to_string(file.expect("it is there").path()).expect("it is there");
        let all: serde_json::Value = serde_json::from_str(&text).expect("it is there");
        for vector in all.as_array().into_iter().flatten() {
            let Some(payload) = vector.get("payload").filter(|_| vector.get("error").is_none()) else { continue };
            let claimed = on(&Input::new(payload.to_string()), |payload| Layout::claiming(payload).map(Layout::name));
            assert_eq!(claimed, None, "{}: {payload}", vector["name"]);
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen} payloads");
}

/// What all samples are read as, by a layout.
fn read(layout: &Layout, samples: &[(String, Option<String>, Input)]) -> Vec<String> {
    let one = |record: &TapeSource<'_, NoHost>| match layout.read(record) {
        _ if !layout.claims(record) => "not claimed".to_owned(),
        Ok(made) => {
            let mut losses = Losses::new(&Options::default());
            made.report(&mut losses).expect("it is not strict");
            let lost: Vec<_> = losses.list.iter().map(|loss| format!("{} {}", loss.code.name(), loss.path)).collect();
            format!("{:?} {} {lost:?}", made.form, String::from_utf8_lossy(made.json.bytes()))
        }
        Err(error) => format!("{} {}", error.code().name(), error.path()),
    };
    samples.iter().map(|(_, _, record)| on(record, one)).collect()
}

/// The words of a column, each left out once.
fn without_each(words: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all: Vec<_> = words.split_ascii_whitespace().collect();
    (0..all.len()).map(move |at| {
        let rest: Vec<_> = all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, word)| *word).collect();
        (all[at], &*rest.join(" ").leak())
    })
}

type Column = (&'static str, fn(&mut RecordLayout) -> &mut &'static str);

const COLUMNS: [Column; 56] = [
    ("json", |row| &mut row.json),
    ("apart.texts", |row| &mut row.apart.texts),
    ("apart.mark", |row| &mut row.apart.mark),
    ("system", |row| &mut row.system),
    ("tools", |row| &mut row.tools),
    ("history", |row| &mut row.history),
    ("answer", |row| &mut row.answer),
    ("calls", |row| &mut row.calls),
    ("better", |row| &mut row.better),
    ("worse", |row| &mut row.worse),
    ("talk.text", |row| &mut row.talk.text),
    ("talk.ends", |row| &mut row.talk.ends),
    ("talk.call", |row| &mut row.talk.call),
    ("talk.tools", |row| &mut row.talk.tools),
    ("given", |row| &mut row.given),
    ("answer_at", |row| &mut row.answer_at),
    ("list", |row| &mut row.list),
    ("tree.nodes", |row| &mut row.tree.nodes),
    ("tree.leaf", |row| &mut row.tree.leaf),
    ("tree.id", |row| &mut row.tree.id),
    ("tree.parent", |row| &mut row.tree.parent),
    ("tree.message", |row| &mut row.tree.message),
    ("addressee", |row| &mut row.addressee),
    ("attached", |row| &mut row.attached),
    ("attached_text", |row| &mut row.attached_text),
    ("unwrap", |row| &mut row.unwrap),
    ("role", |row| &mut row.role),
    ("about", |row| &mut row.about),
    ("thought", |row| &mut row.thought),
    ("text", |row| &mut row.text),
    ("parts", |row| &mut row.parts),
    ("kind", |row| &mut row.kind),
    ("calls_at", |row| &mut row.calls_at),
    ("broken_at", |row| &mut row.broken_at),
    ("call.id", |row| &mut row.call.id),
    ("call.name", |row| &mut row.call.name),
    ("call.args", |row| &mut row.call.args),
    ("outcome.id", |row| &mut row.outcome.id),
    ("outcome.name", |row| &mut row.outcome.name),
    ("outcome.says", |row| &mut row.outcome.says),
    ("outcome.failed", |row| &mut row.outcome.failed),
    ("results_at", |row| &mut row.results_at),
    ("result.id", |row| &mut row.result.id),
    ("result.name", |row| &mut row.result.name),
    ("result.says", |row| &mut row.result.says),
    ("result.failed", |row| &mut row.result.failed),
    ("sent.failed", |row| &mut row.sent.failed),
    ("sent.stopped", |row| &mut row.sent.stopped),
    ("sent.mark", |row| &mut row.sent.mark),
    ("sent.tail", |row| &mut row.sent.tail),
    ("sent.id", |row| &mut row.sent.id),
    ("sent.summary", |row| &mut row.sent.summary),
    ("sent.done", |row| &mut row.sent.done),
    ("sent.parent", |row| &mut row.sent.parent),
    ("skips", |row| &mut row.skips),
    ("passes", |row| &mut row.passes),
];

/// A list without each of its items.
fn shorter<T: Copy>(list: &[T]) -> impl Iterator<Item = (usize, Vec<T>)> {
    (0..list.len())
        .map(|at| (at, list.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, item)| *item).collect()))
}

/// Every way to leave one word out of a row of the table.
fn flipped(row: &RecordLayout) -> Vec<(String, RecordLayout)> {
    let mut all = Vec::new();
    let mut with = |what: String, other: RecordLayout| all.push((format!("{}.{what}", row.name), other));
    let lacks: Column = ("lacks", |row| &mut row.lacks);
    for (name, column) in COLUMNS.into_iter().chain([lacks]) {
        let mut other = *row;
        for (word, rest) in without_each(column(&mut other)) {
            *column(&mut other) = rest;
            with(format!("{name}: {word}"), other);
        }
    }
    for (at, ways) in row.user.iter().enumerate() {
        for (word, rest) in without_each(ways) {
            let mut user = row.user.to_vec();
            user[at] = rest;
            with(format!("user: {word}"), RecordLayout { user: user.leak(), ..*row });
        }
    }
    for (at, words) in shorter(row.words) {
        with(format!("words: {}", row.words[at].0), RecordLayout { words: words.leak(), ..*row });
    }
    for (at, pair) in shorter(row.pair) {
        with(format!("pair: {}", row.pair[at].0), RecordLayout { pair: pair.leak(), ..*row });
    }
    for (at, marks) in row.talk.marks.iter().enumerate() {
        for (mark, less) in shorter(marks) {
            let mut all = row.talk.marks.to_vec();
            all[at] = less.leak();
            with(
                format!("marks: {}", marks[mark].0),
                RecordLayout { talk: TalkAt { marks: all.leak(), ..row.talk }, ..*row },
            );
        }
    }
    for (at, (words, piece, ways)) in row.kinds.iter().enumerate() {
        let mut kinds = row.kinds.to_vec();
        for (word, rest) in without_each(words) {
            kinds[at] = (rest, *piece, ways);
            with(format!("kinds: {word}"), RecordLayout { kinds: kinds.clone().leak(), ..*row });
        }
        for (way, rest) in without_each(ways) {
            kinds[at] = (words, *piece, rest);
            with(format!("kinds: {words}, {way}"), RecordLayout { kinds: kinds.clone().leak(), ..*row });
        }
    }
    for (claims, less) in flipped_claims(row.claims) {
        with(format!("claims: {claims}"), RecordLayout { claims: less.leak(), ..*row });
    }
    for (claims, less) in flipped_claims(row.first) {
        with(format!("first: {claims}"), RecordLayout { first: less.leak(), ..*row });
    }
    for (claims, less) in flipped_claims(row.some) {
        with(format!("some: {claims}"), RecordLayout { some: less.leak(), ..*row });
    }
    all
}

/// Every way to leave one word out of claims.
fn flipped_claims(claims: &'static [Claim]) -> Vec<(String, Vec<Claim>)> {
    // Without any claim, every record is claimed.
    let mut all: Vec<_> =
        shorter(claims).filter(|_| claims.len() > 1).map(|(at, less)| (at.to_string(), less)).collect();
    for (at, claim) in claims.iter().enumerate() {
        let mut less = claims.to_vec();
        for (part, rest) in shorter(claim) {
            less[at] = rest.leak();
            all.push((format!("{at}, {:?}", claim[part].0), less.clone()));
        }
        for (part, (ways, is)) in claim.iter().enumerate() {
            let mut with = |what: &str, one: (&'static str, Is)| {
                let mut other = claim.to_vec();
                other[part] = one;
                less[at] = other.leak();
                all.push((format!("{at}, {what}"), less.clone()));
            };
            for (word, rest) in without_each(ways) {
                with(word, (rest, *is));
            }
            if let Is::Word(words) = is {
                for (word, rest) in without_each(words) {
                    with(word, (ways, Is::Word(rest)));
                }
            }
        }
    }
    all
}

#[test]
fn every_word_of_the_table_changes_what_is_read() {
    let samples = samples();
    let mut unseen = Vec::new();
    for row in TABLE {
        let before = read(&Layout::of(row), &samples);
        for (what, other) in flipped(row) {
            if read(&Layout::of(Box::leak(Box::new(other))), &samples) == before {
                unseen.push(what);
            }
        }
    }
    assert_eq!(unseen, Vec::<String>::new());
}

#[test]
fn every_column_is_flipped() {
    let mut named = BTreeMap::new();
    for row in TABLE {
        named.extend(row.columns());
    }
    let known: Vec<_> = COLUMNS.iter().map(|(name, _)| *name).chain(["user"]).collect();
    assert_eq!(named.keys().filter(|name| !known.contains(name)).collect::<Vec<_>>(), Vec::<&&str>::new());
    assert_eq!(EMPTY.columns().count(), 0);
}

#[test]
fn paths_lead_to_the_record() {
    let record =
        Input::new(r#"{"id": 1, "instruction": "Hi", "history": [["a", "b"]], "system": "S", "output": {"no": 1}}"#);
    let layout = Layout::ready(RecordLayout::named("alpaca").expect("it is there")).expect("it is there");
    let error = on(&record, |record| layout.read(record).expect_err("it is broken"));
    assert_eq!(error.path().to_string(), "$.output");

    let record = Input::new(
        r#"{"id": [{"x": 1}], "instruction": "Hi", "history": [["a", "b"]], "system": "S", "output": "Yo"}"#,
    );
    let (list, index) = (Step::Key("gen_ai.input.messages"), Step::Index);
    let system = Step::Key("gen_ai.system_instructions");
    let parts = || [Step::Key("parts"), index(0), Step::Key("content")];
    let places = [
        (vec![Step::Key("id"), index(0), Step::Key("x")], "$.id[0].x"),
        ([list.clone(), index(1)].into_iter().chain(parts()).collect(), "$.history[0][1]"),
        (vec![list.clone(), index(2), Step::Key("role")], "$.instruction"),
        (vec![list.clone(), index(3)], "$.output"),
        (vec![list], "$"),
        (vec![system, index(0)], "$.system"),
        (vec![Step::Key("gone")], "$"),
    ];
    on(&record, |record| {
        let made = layout.read(record).expect("it is there");
        assert_eq!(made.form, Form::Whole);
        assert_eq!(made.reading(None).expect("it is there"), Reading::named("otel", None).expect("it is there"));
        for (inside, wanted) in places {
            assert_eq!(layout.places(record).of(&Path::of(inside)).to_string(), wanted);
        }
    });
}
