//! Equality of values and calls: by content, in both directions, whatever their spelling or storage.

use std::{collections::BTreeMap, time::Instant};

use proptest::prelude::*;
use turnwire_core::{
    model::{Args, Call, Content, Kind, Part, ToolResult},
    report::Error,
    value::{NoHost, Text, Value, json::read},
};

/// Numbers. Those on one line are equal.
const NUMBERS: [&[&str]; 10] = [
    &["0", "-0", "0.00", "0e9", "0E-99999999999999999999999999999999999999999"],
    &["1", "1.0", "10e-1", "0.1e+1", "1E0", "1e-0", "1000e-3", "0.001e00003"],
    &["-1", "-1.0", "-10E-1"],
    &["1.5", "1.50", "15e-1", "0.15E1"],
    &["123456789012345678901234567890", "123456789012345678901234567890.0", "1.2345678901234567890123456789e29"],
    &["123456789012345678901234567891"],
    &["1e400", "10e399", "0.1e401"],
    &["1e-400"],
    &["1e99999999999999999999999999999999999999999", "1e+0099999999999999999999999999999999999999999"],
    &["1e99999999999999999999999999999999999999998"],
];

/// JSON text, and its value in one spelling.
#[derive(Clone, Debug)]
struct Said {
    text: String,
    canon: String,
}

fn said() -> impl Strategy<Value = Said> {
    let of = |text: &str, canon: &str| Just(Said { text: text.to_owned(), canon: canon.to_owned() });
    let number = (0..NUMBERS.len(), any::<prop::sample::Index>())
        .prop_map(|(line, at)| Said { text: at.get(NUMBERS[line]).to_string(), canon: format!("n{line}") });
    let word = prop_oneof![of("null", "null"), of("\"1\"", "t1"), of("\"\\u0031\"", "t1"), of("true", "true")];
    let leaf = prop_oneof![word, number];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let key = prop::sample::select(vec![("\"a\"", "a"), ("\"\\u0061\"", "a"), ("\"b\"", "b"), ("\"\"", "")]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| Said {
                text: format!("[{}]", joined(items.iter().map(|item| item.text.clone()))),
                canon: format!("[{}]", joined(items.iter().map(|item| item.canon.clone()))),
            }),
            prop::collection::vec((key, inner), 0..4).prop_map(|entries| {
                let last: BTreeMap<_, _> = entries.iter().map(|((_, key), value)| (*key, &value.canon)).collect();
                Said {
                    text: format!(
                        "{{{}}}",
                        joined(entries.iter().map(|((key, _), value)| format!("{key}: {}", value.text)))
                    ),
                    canon: format!("{last:?}"),
                }
            }),
        ]
    })
}

fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn value(text: &str) -> Result<Value<NoHost>, Error> {
    read::value(text.as_bytes())
}

fn call(args: &str, custom: bool) -> Call<NoHost> {
    let (id, name, args) = ("i".into(), "n".into(), Args::Text(args.into()));
    Call { id, made_up_id: false, name, args, custom, before: None, form: None, namespace: None }
}

proptest! {
    #[test]
    fn values_are_the_same_where_they_say_the_same(a in said(), b in said()) {
        let same = a.canon == b.canon;
        let (one, other) = (value(&a.text)?, value(&b.text)?);
        prop_assert_eq!(one.same(&other), same, "{} and {}", &a.text, &b.text);
        prop_assert_eq!(other.same(&one), same);
        prop_assert!(one.same(&value(&a.text)?));
        let (mine, theirs) = (call(&a.text, false), call(&b.text, false));
        prop_assert_eq!(mine.same(&theirs, (None, None)), same);
        let (mine, theirs) = (call(&a.text, true), call(&b.text, true));
        prop_assert_eq!(mine.same(&theirs, (None, None)), a.text == b.text);
    }
}

#[test]
fn keys_that_stand_twice_do_not_make_up_for_others() -> Result<(), Error> {
    let (twice, both, once) = (value(r#"{"x":1,"x":1}"#)?, value(r#"{"x":1,"y":2}"#)?, value(r#"{"x":1}"#)?);
    assert!(!twice.same(&both) && !both.same(&twice));
    assert!(twice.same(&once) && once.same(&twice), "as everybody reads it, the last one counts");
    Ok(())
}

/// No content, empty content, an empty text and a list of one: all are equal, in both directions.
#[test]
fn results_that_say_nothing_are_the_same() {
    let result = |content| ToolResult::<NoHost> {
        id: "i".into(),
        made_up_id: false,
        name: None,
        content,
        error: false,
        synthetic: false,
        custom: false,
        form: None,
    };
    let block = || Part::new(Kind::Text(Text::own("")));
    let contents = || [Content::Absent, Content::Text("".into()), Content::blocks(vec![]), Content::blocks([block()])];
    for one in contents() {
        let one = result(one);
        for other in contents() {
            assert!(one.same(&result(other), (None, None)));
        }
        assert!(!one.same(&result(Content::blocks(vec![block(), block()])), (None, None)));
    }
}

/// Ten times as many keys take about ten times as long, not a hundred times.
#[test]
fn many_keys_are_as_many_steps() -> Result<(), Error> {
    let of = |many: usize, first: usize| {
        value(&format!("{{{}}}", joined((0..many).map(|at| format!("\"k{}\": 1", (at + first) % many)))))
    };
    let (short, long) = ((of(1_000, 0)?, of(1_000, 500)?), (of(10_000, 0)?, of(10_000, 5_000)?));
    // The shortest of several runs: another program may take the time of some.
    let shortest = |(a, b): &(Value<NoHost>, Value<NoHost>)| -> f64 {
        let run = || {
            let start = Instant::now();
            assert!(a.same(b));
            start.elapsed().as_secs_f64()
        };
        (0..20).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let factor = shortest(&long) / shortest(&short);
    assert!(factor <= 60.0, "{factor}");
    Ok(())
}
