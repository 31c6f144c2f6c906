//! Two requests in a row: what is an edit, what is not, what is stale, and what a cache reads again.

use turnwire_core::{
    detect::Reading,
    prefix::{Cause, Diff, Digest, diff, digest, go_on},
    report::Path,
    rules::DialectId,
    value::{NoHost, json::read::value},
};

fn compared(a: &str, b: &str) -> Diff {
    let read = |text: &str| value::<NoHost>(text.as_bytes()).expect("JSON");
    let source = Reading::named("anthropic", None).expect("a dialect");
    diff(&read(a), &read(b), source, None).expect("two bodies")
}

fn said(path: Option<&Path>) -> String {
    path.map(ToString::to_string).unwrap_or_default()
}

fn body(messages: &str) -> String {
    format!(
        r#"{{"model":"claude-opus-5-5","system":"s","tools":[{{"name":"f"}},{{"name":"g"}}],"messages":[{messages}]}}"#
    )
}

fn thinking(name: &str) -> String {
    format!(r#"{{"type":"thinking","thinking":"","signature":"{name}"}}"#)
}

fn step(number: usize, result: &str) -> String {
    let thought = thinking(&format!("s{number}"));
    format!(
        r#"{{"role":"assistant","content":[{thought},{{"type":"tool_use","id":"t{number}","name":"f","input":{{}}}}]}},
           {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"{result}"}}]}}"#
    )
}

const START: &str = r#"{"role":"user","content":"go"}"#;

#[test]
fn what_follows_is_no_edit() {
    let a = body(&[START.to_owned(), step(0, "one")].join(","));
    let b = body(&[START.to_owned(), step(0, "one"), step(1, "two")].join(","));
    let found = compared(&a, &b);
    assert_eq!((found.cause, found.edit, found.stale.len()), (Cause::Append, false, 0));
    assert_eq!(said(found.after.as_ref()), "$.messages[3]");
    assert!(found.cached > 0 && found.cached < found.total);
    let same = compared(&a, &a);
    assert_eq!((same.cause, same.cached), (Cause::Equal, same.total));
    let back = compared(&b, &a);
    assert_eq!((back.cause, back.edit, back.cached), (Cause::Rewound, false, back.total));
}

#[test]
fn another_spelling_is_no_edit() {
    let a = body(START);
    let b = r#"{"messages":[{"content":[{"text":" go ","type":"text","cache_control":{"type":"ephemeral"}},
        {"type":"text","text":"\n"}],"role":"user"}],"system":[{"type":"text","text":"s"}],
        "tools":[{"name":"g"},{"name":"f"},{"name":"late","defer_loading":true}],"model":"claude-opus-5-5"}"#;
    let found = compared(&a, b);
    assert_eq!((found.cause, found.edit, found.cached), (Cause::ToolsReordered, false, 0));
    assert!(found.tools.reordered && !found.tools.changed());
}

#[test]
fn the_byte_of_a_changed_result_and_what_is_stale_behind_it() {
    let a = body(&[START.to_owned(), step(0, "No result was recorded for this tool call."), step(1, "x")].join(","));
    let b = body(&[START.to_owned(), step(0, "3f1c"), step(1, "x")].join(","));
    let found = compared(&a, &b);
    assert_eq!((found.cause, found.edit), (Cause::LateResult, true));
    assert_eq!(said(found.after.as_ref()), "$.messages[2].content[0]");
    assert_eq!((found.kind.as_str(), found.id.as_deref()), ("tool_result", Some("t0")));
    let place = found.place.as_ref().expect("a place");
    assert_eq!((place.byte, place.length, place.after.as_str()), (0, 4, "3f1c"));
    assert_eq!(place.path.to_string(), "$.messages[2].content[0].content");
    assert_eq!(found.stale.iter().map(ToString::to_string).collect::<Vec<_>>(), ["$.messages[3].content[0]"]);
    assert!(found.to_string().contains("  edit: 1 reasoning block is stale"));
}

#[test]
fn kept_reasoning_is_one_run() {
    let steps: Vec<_> = (0..4).map(|number| step(number, "x")).collect();
    let a = body(&[START.to_owned(), steps.join(",")].join(","));
    let without = |gone: &[usize]| {
        gone.iter().fold(a.clone(), |text, number| text.replace(&(thinking(&format!("s{number}")) + ","), ""))
    };
    let stale = |found: &Diff| found.stale.iter().map(ToString::to_string).collect::<Vec<_>>();
    let gap = compared(&a, &without(&[1]));
    assert_eq!((gap.cause, gap.edit), (Cause::ReasoningGap, true));
    assert_eq!(said(gap.before.as_ref()), "$.messages[3].content[0]");
    assert_eq!(stale(&gap), ["$.messages[5].content[0]", "$.messages[7].content[0]"]);
    for gone in [&[0][..], &[3], &[0, 3], &[0, 1, 2, 3]] {
        let found = compared(&a, &without(gone));
        assert_eq!((found.cause, found.edit, stale(&found).len()), (Cause::ReasoningDropped, false, 0), "{gone:?}");
    }
    let back = compared(&without(&[1]), &a);
    assert_eq!((back.cause, stale(&back).len()), (Cause::ReasoningPutBack, 2));
    let other = compared(&a, &a.replace(r#""signature":"s1""#, r#""signature":"s9""#));
    assert_eq!((other.cause, stale(&other).len()), (Cause::ReasoningChanged, 3));
}

#[test]
fn every_cause_has_a_name_of_its_own() {
    let names: std::collections::HashSet<_> = Cause::ALL.iter().map(|cause| cause.name()).collect();
    assert_eq!(names.len(), Cause::ALL.len());
    assert!(Cause::ALL.iter().all(|cause| !cause.meaning().is_empty()));
}

fn digested(body: &str) -> Digest {
    let dialect = DialectId::named("anthropic").expect("a dialect");
    digest(&value::<NoHost>(body.as_bytes()).expect("JSON"), dialect, None).expect("a body")
}

#[test]
fn a_digest_goes_on_where_a_body_does() {
    let steps: Vec<_> = (0..4).map(|number| step(number, "r")).collect();
    let whole = digested(&body(&format!("{START},{}", steps.join(","))));
    for count in 0..4 {
        let shorter = digested(&body(&[&[START.to_owned()], &steps[..count]].concat().join(",")));
        let length = 1 + 2 * count;
        assert_eq!(shorter.messages[..], whole.messages[..length]);
        assert_eq!(shorter.blocks[..], whole.blocks[..count]);
        // The next reply is bound to all of the shorter body.
        let dialect = DialectId::named("anthropic").expect("a dialect");
        let next = value::<NoHost>(format!("[{}]", steps[count]).as_bytes()).expect("JSON");
        let behind = go_on(&next, dialect, (shorter.base, shorter.all)).expect("elements");
        assert_eq!(behind.blocks[0].before, whole.blocks[count].before);
    }
}

#[test]
fn a_digest_knows_another_spelling_and_tells_every_edit() {
    let plain = digested(&body(&format!("{START},{},{START}", step(1, "r"))));
    let same = [
        // Differences that do not count: a string for one text block, marks, the order of keys, white space around
        // text, the order of tools.
        body(&format!(
            r#"{{"content":[{{"text":"go ","type":"text","cache_control":{{"type":"ephemeral"}}}}],"role":"user"}},{},{START}"#,
            step(1, "r")
        )),
        body(&format!("{START},{},{START}", step(1, "r")))
            .replace(r#"[{"name":"f"},{"name":"g"}]"#, r#"[{"name":"g"},{"name":"f"}]"#),
        body(&format!("{START},{},{START}", step(1, "r"))).replace(&format!("{},", thinking("s1")), ""),
    ];
    for other in &same {
        assert_eq!(digested(other).all, plain.all, "{other}");
    }
    let edits = [
        (0, body(&format!("{START},{},{START}", step(1, "r"))).replace(r#""system":"s""#, r#""system":"t""#)),
        (0, body(&format!("{START},{},{START}", step(1, "r"))).replace(r#"{"name":"g"}"#, r#"{"name":"h"}"#)),
        (0, body(&format!("{},{},{START}", START.replace("go", "ho"), step(1, "r")))),
        (1, body(&format!("{START},{},{START}", step(1, "R")))),
        (1, body(&format!("{START},{},{START}", step(1, " r")))),
        (1, body(&format!("{START},{},{}", step(1, "r"), START.replace("user", "assistant")))),
        // Joined messages differ from separate ones.
        (1, body(&format!("{START},{}", step(1, "r"))).replace("]}]}", r#"]},{"type":"text","text":"go"}]}"#)),
    ];
    for (holds, other) in &edits {
        let new = digested(other);
        let same = plain.blocks.iter().zip(&new.blocks).take_while(|(a, b)| a.before == b.before).count();
        assert_eq!((same, new.all == plain.all), (*holds, false), "{other}");
    }
}
