//! Tests that each cell of the table of settings is read: changing any of its columns changes some translated body.

use std::sync::Arc;

use crate::{
    convert,
    detect::Reading,
    report::loss::{Options, Others, Settings},
    rules::{
        dialect_id::DialectId,
        settings::{Cell, Kind, Setting, WIRES, overriding, rows},
    },
    value::{
        handle::{Input, NoHost},
        json::{tape::Tape, write::JsonSink},
    },
};

/// Larger numbers are not bounds.
const MANY: f64 = 9_007_199_254_740_991.0;

/// A body of a wire with one setting and the settings that it needs.
fn body(wire: &str, settings: &[(&str, String)]) -> String {
    let list = match wire {
        "gemini" => {
            r#""contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}]"#
        }
        "bedrock" => {
            r#""messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}"#
        }
        "gemini-interactions" => {
            r#""input":[{"type":"user_input","content":[{"type":"text","text":"q"}]}],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]"#
        }
        "openai-responses" => {
            r#""input":[{"role":"user","content":"q"}],"tools":[{"type":"function","name":"f","parameters":null,"strict":false}]"#
        }
        "anthropic" => {
            r#""messages":[{"role":"user","content":"q"}],"tools":[{"name":"f","input_schema":{"type":"object"}}]"#
        }
        _ => {
            r#""messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]"#
        }
    };
    let entries = members(settings.iter().map(|(place, value)| (*place, value.as_str())).collect());
    format!("{{{list}{}{entries}}}", if entries.is_empty() { "" } else { "," })
}

/// The members of an object with these values at these paths.
fn members(mut settings: Vec<(&str, &str)>) -> String {
    let mut written: Vec<String> = Vec::new();
    while let Some((place, value)) = settings.first().copied() {
        let Some((top, _)) = place.split_once('.') else {
            written.push(format!("\"{place}\":{value}"));
            settings.remove(0);
            continue;
        };
        let below =
            |(place, value): &(&'_ str, _)| place.strip_prefix(top)?.strip_prefix('.').map(|rest| (rest.len(), *value));
        let inner: Vec<_> = settings
            .iter()
            .filter_map(|one| below(one).map(|(len, value)| (&one.0[one.0.len() - len..], value)))
            .collect();
        settings.retain(|one| below(one).is_none());
        written.push(format!("\"{top}\":{{{}}}", members(inner)));
    }
    written.join(",")
}

/// Values that show where a cell's bounds are.
fn samples(kind: Kind) -> Vec<String> {
    let text = |text: &str| format!("\"{text}\"");
    match kind {
        Kind::Integer(least, most) | Kind::Number(least, most) => {
            let around = [least - 1.0, least, least + 0.5, -9.0, 1.0, 7.0, 1023.0, 3000.0, most, most + 1.0];
            let bounded = around.iter().filter(|number| number.abs() < MANY);
            bounded.map(f64::to_string).collect()
        }
        Kind::Words(words) => words.iter().map(|(word, _)| text(word)).collect(),
        Kind::Member(word) => vec![format!("[\"{word}\"]")],
        Kind::Flag | Kind::Switch(..) | Kind::InChoice | Kind::Always => vec!["true".to_owned(), "false".to_owned()],
        Kind::Text(_) | Kind::Elsewhere(_) => vec![text("word"), text(&"x".repeat(300)), "true".to_owned()],
        Kind::Texts(_) | Kind::VisibleTexts(_) => {
            let many: Vec<_> = (0..2600).map(|at| text(&at.to_string())).collect();
            vec![
                text("a"),
                format!("[{}]", many[..9].join(",")),
                format!("[{}]", many.join(",")),
                r#"["a"," "]"#.to_owned(),
            ]
        }
        Kind::Labels(..) => {
            let many: Vec<_> = (0..20).map(|at| format!("\"{at}\":\"x\"")).collect();
            vec![
                r#"{"a":"b"}"#.to_owned(),
                format!("{{{}}}", many.join(",")),
                format!("{{\"a\":\"{}\"}}", "x".repeat(300)),
                format!("{{\"a\":\"{}\"}}", "x".repeat(600)),
            ]
        }
        Kind::Format(_) => [
            r#"{"type":"text"}"#,
            r#"{"type":"json_schema","schema":{"type":"object"},"name":"n"}"#,
            r#"{"type":"json_schema","json_schema":{"schema":{"type":"object"},"name":"n"}}"#,
            r#"{"type":"json_object","json_schema":{"type":"object"}}"#,
            r#"{"type":"json_schema","structure":{"jsonSchema":{"schema":"{\"type\":\"object\"}"}}}"#,
            r#"{"type":"text","mime_type":"application/json"}"#,
            r#"{"type":"object"}"#,
            r#""json""#,
            r#""application/json""#,
        ]
        .map(str::to_owned)
        .into(),
        _ => vec![text("word"), "0.5".to_owned()],
    }
}

fn needed(name: &str, wire: usize) -> Option<(&'static str, String)> {
    let row = rows().find(|row| row.name == name)?;
    let value = samples(row.cells[wire].kind).into_iter().next()?;
    Some((row.cells[wire].places.first()?, value))
}

/// Bodies of a wire that have a setting, or do not have it.
fn bodies(row: &Setting, wire: usize) -> Vec<String> {
    let name = WIRES[wire];
    let cell = &row.cells[wire];
    let with = |place: &'static str, value: &str| {
        let own = (place, value.to_owned());
        let beside = cell.needs.iter().chain(cell.excludes).filter_map(|other| needed(other, wire));
        body(name, &std::iter::once(own).chain(beside).collect::<Vec<_>>())
    };
    let mut all = vec![body(name, &[]), body(name, &[("flipped", "1".to_owned())])];
    all.extend(["true", "\"word\""].map(|value| body(name, &[("flipped", value.to_owned())])));
    for place in cell.places.iter().filter(|_| cell.kind != Kind::InChoice) {
        all.extend(samples(cell.kind).iter().map(|value| with(place, value)));
        all.push(with(place, r#"{"odd":1}"#));
        all.extend(samples(cell.kind).iter().take(1).map(|value| body(name, &[(place, value.clone())])));
    }
    if cell.kind == Kind::InChoice {
        let choice = r#"{"type":"auto","disable_parallel_tool_use":true}"#;
        all.push(body(name, &[("tool_choice", choice.to_owned())]));
    }
    if row.cells.iter().any(|cell| cell.excludes.contains(&"forced_choice")) {
        let forced = match name {
            "anthropic" => r#"{"type":"any"}"#,
            "cohere" => r#""REQUIRED""#,
            _ => r#""required""#,
        };
        let values = cell
            .places
            .first()
            .into_iter()
            .flat_map(|place| samples(cell.kind).into_iter().map(move |value| (place, value)));
        all.extend(values.map(|(place, value)| body(name, &[(place, value), ("tool_choice", forced.to_owned())])));
    }
    if row.name == "stream_usage" {
        all.extend(["true", "false"].map(|flag| body(name, &[("stream", flag.to_owned())])));
    }
    all
}

/// The translation of a body, without a model and with one that takes a thinking budget.
fn outcome(body: &str, from: &str, to: &str) -> String {
    let with = |model: Option<&str>| converted(body, from, to, model, None);
    with(None) + &with(Some("claude-sonnet-4-5"))
}

fn converted(body: &str, from: &str, to: &str, model: Option<&str>, settings: Option<Settings>) -> String {
    let (Ok(source), Ok(target)) = (DialectId::named(from), DialectId::named(to)) else { return String::new() };
    let options = Options {
        rest: Others::Convert,
        model: model.map(Into::into),
        settings: settings.map(Arc::new),
        ..Options::default()
    };
    let mut sink = JsonSink::new(Vec::new());
    let tape = Tape::read(&Input::new(body.as_bytes().to_vec())).expect("JSON");
    let view = tape.view();
    let done = convert::convert(&view.root::<NoHost>(), Reading::As(source), target, &options, &mut sink);
    match done {
        Ok(done) => format!("{} {:?}", String::from_utf8_lossy(&sink.into_bytes()), done.losses),
        Err(error) => error.text().to_owned(),
    }
}

/// Every body with the setting, with its wire and the one that it is translated to: from this wire and to it.
fn translations(row: &Setting, wire: usize) -> Vec<(String, usize, usize)> {
    let mut all = Vec::new();
    for other in (0..WIRES.len()).filter(|other| *other != wire) {
        all.extend(bodies(row, wire).into_iter().map(|body| (body, wire, other)));
        all.extend(bodies(row, other).into_iter().map(|body| (body, other, wire)));
    }
    all
}

/// The cell with each of its columns changed, one at a time.
fn flipped(cell: &Cell) -> Vec<(&'static str, Cell)> {
    let mut all = vec![match cell.kind {
        Kind::None => ("kind", Cell { places: &["flipped"], kind: Kind::Any, ..*cell }),
        _ => ("kind", Cell { kind: Kind::None, ..*cell }),
    }];
    if !cell.places.is_empty() && cell.kind != Kind::InChoice {
        all.push(("places", Cell { places: &["flipped"], ..*cell }));
    }
    let mut kinds = Vec::new();
    match cell.kind {
        Kind::Integer(least, most) => {
            kinds.extend((least.abs() < MANY).then_some(Kind::Integer(least - 1.0, most)));
            kinds.extend((most.abs() < MANY).then_some(Kind::Integer(least, most + 1.0)));
        }
        Kind::Number(least, most) => {
            kinds.extend((least.abs() < MANY).then_some(Kind::Number(least - 1.0, most)));
            kinds.extend((most.abs() < MANY).then_some(Kind::Number(least, most + 1.0)));
        }
        Kind::Words(words) => {
            for at in 0..words.len() {
                let others: Vec<_> =
                    words.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, pair)| *pair).collect();
                kinds.push(Kind::Words(Box::leak(others.into_boxed_slice())));
            }
        }
        Kind::Text(_) => kinds.push(Kind::Text(0)),
        Kind::Texts(_) => kinds.extend([Kind::Texts(0), Kind::VisibleTexts(usize::MAX)]),
        Kind::VisibleTexts(most) => kinds.extend([Kind::VisibleTexts(0), Kind::Texts(most)]),
        Kind::Labels(most, characters) => kinds.extend([Kind::Labels(0, characters), Kind::Labels(most, 0)]),
        Kind::Elsewhere(_) => kinds.push(Kind::Elsewhere("flipped")),
        Kind::Refused(_) => kinds.push(Kind::Refused("flipped")),
        Kind::Switch(on, off) => kinds.push(Kind::Switch(off, on)),
        Kind::Member(_) => kinds.push(Kind::Member("flipped")),
        _ => {}
    }
    all.extend(kinds.into_iter().map(|kind| ("bounds", Cell { kind, ..*cell })));
    let none = |some: Option<&'static str>| if some.is_some() { None } else { Some("7") };
    if cell.absent.is_none()
        && !matches!(
            cell.kind,
            Kind::None
                | Kind::Own
                | Kind::Payload
                | Kind::InChoice
                | Kind::Always
                | Kind::Refused(_)
                | Kind::Elsewhere(_)
        )
    {
        all.push(("needed", Cell { needed: none(cell.needed), ..*cell }));
    }
    if cell.absent.is_some() {
        all.push(("absent", Cell { absent: None, ..*cell }));
    }
    if !cell.excludes.is_empty() {
        all.push(("excludes", Cell { excludes: &[], ..*cell }));
    }
    if !cell.needs.is_empty() {
        all.push(("needs", Cell { needs: &[], ..*cell }));
    }
    all
}

#[test]
fn another_value_in_any_column_of_any_cell_changes_what_some_body_becomes() {
    let mut unread = Vec::new();
    for row in rows() {
        for (wire, name) in WIRES.iter().enumerate() {
            let cell = &row.cells[wire];
            // Keys among the tools belong to the payload; the table lists them for readers only.
            if cell.kind == Kind::Payload
                || row.name == "tool_choice"
                || row.name == "strict_tools" && cell.kind == Kind::None
            {
                continue;
            }
            let asked = translations(row, wire);
            let outcome_of = |at: usize| outcome(&asked[at].0, WIRES[asked[at].1], WIRES[asked[at].2]);
            let mut before: Vec<Option<String>> = vec![None; asked.len()];
            for (column, other) in flipped(cell) {
                let other: &'static Cell = Box::leak(Box::new(other));
                let read = (0..asked.len()).any(|at| {
                    let before = before[at].get_or_insert_with(|| outcome_of(at));
                    overriding(row.name, name, other, || outcome_of(at)) != *before
                });
                if !read {
                    unread.push(format!("{} of {name}: {column} as {:?}", row.name, other));
                }
            }
        }
    }
    assert!(unread.is_empty(), "nothing depends on these:\n{}", unread.join("\n"));
}
