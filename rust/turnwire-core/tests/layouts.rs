//! Layouts: each sample is claimed by one, no payload of a dialect is, and every word of the table changes what is read.

use std::{collections::BTreeMap, fs, path::PathBuf};

use turnwire_core::{
    detect::Reading,
    layouts::{Form, Layout},
    report::{Path, Step},
    rules::{
        RecordLayout,
        record_layout::{Claim, EMPTY, TABLE},
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
        Ok(made) => format!("{:?} {}", made.form, String::from_utf8_lossy(made.json.bytes())),
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

const COLUMNS: [Column; 7] = [
    ("system", |row| &mut row.system),
    ("history", |row| &mut row.history),
    ("answer", |row| &mut row.answer),
    ("better", |row| &mut row.better),
    ("worse", |row| &mut row.worse),
    ("given", |row| &mut row.given),
    ("answer_at", |row| &mut row.answer_at),
];

/// Every way to leave one word out of a row of the table.
fn flipped(row: &RecordLayout) -> Vec<(String, RecordLayout)> {
    let mut all = Vec::new();
    for (name, column) in
        COLUMNS.into_iter().chain([("lacks", (|row| &mut row.lacks) as fn(&mut RecordLayout) -> &mut _)])
    {
        let mut other = *row;
        for (word, rest) in without_each(column(&mut other)) {
            *column(&mut other) = rest;
            all.push((format!("{}.{name}: {word}", row.name), other));
        }
    }
    for (at, ways) in row.user.iter().enumerate() {
        for (word, rest) in without_each(ways) {
            let mut user = row.user.to_vec();
            user[at] = rest;
            all.push((format!("{}.user: {word}", row.name), RecordLayout { user: user.leak(), ..*row }));
        }
    }
    let mut with = |claims: Vec<Claim>, what: String| {
        all.push((format!("{}.claims: {what}", row.name), RecordLayout { claims: claims.leak(), ..*row }));
    };
    for (at, claim) in row.claims.iter().enumerate() {
        let others: Vec<_> = row.claims.iter().enumerate().filter(|(one, _)| *one != at).map(|(_, one)| *one).collect();
        with(others, format!("{at}"));
        for (part, (ways, is)) in claim.iter().enumerate() {
            let mut claims = row.claims.to_vec();
            let rest: Vec<_> = claim.iter().enumerate().filter(|(one, _)| *one != part).map(|(_, one)| *one).collect();
            claims[at] = rest.leak();
            with(claims.clone(), format!("{at}, {ways:?}"));
            for (word, rest) in without_each(ways) {
                let mut other = claim.to_vec();
                other[part] = (rest, *is);
                claims[at] = other.leak();
                with(claims.clone(), format!("{at}, {word}"));
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
            assert_eq!(layout.place(record, &Path::of(inside)).to_string(), wanted);
        }
    });
}
