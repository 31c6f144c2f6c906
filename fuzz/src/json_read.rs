//! Fuzzes the reading of JSON: it never panics, and accepts exactly what `serde_json` accepts.

use serde::de::IgnoredAny;
use turnwire_core::{
    report::error::Code,
    value::{
        door::Source,
        handle::{Input, NoHost, Raw},
        json::{encode, read, tape::Tape},
        node::ArgsState,
    },
};

/// One input.
pub fn try_input(bytes: &[u8]) {
    let state = read::args_state(bytes);
    let tape = match Tape::read(&Input::new(bytes.to_vec())) {
        Ok(tape) => tape,
        Err(error) => {
            let theirs = str::from_utf8(bytes).is_ok() && serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
            assert!(!theirs || error.code() == Code::TooDeep, "{error}");
            assert!(state != ArgsState::Object || bytes.trim_ascii().is_empty() || str::from_utf8(bytes).is_err());
            return;
        }
    };
    assert!(serde_json::from_slice::<IgnoredAny>(bytes).is_ok());
    let view = tape.view();
    let root = view.root::<NoHost>();
    let text = encode::to_string(&root.raw(), root.input()).expect("it was UTF-8");
    assert_eq!(text.as_bytes(), bytes.trim_ascii());
    assert_eq!(state == ArgsState::Object, text.starts_with('{'));
    // The tape and the frozen value are two readings of one text.
    let frozen = read::value::<NoHost>(bytes).expect("the tape was read");
    assert!(walked(&root) == count(&frozen));
    let written = encode::to_string(&Raw::Tree(frozen), None).expect("no host can fail");
    let again = encode::to_string(&Raw::Tree(read::value::<NoHost>(written.as_bytes()).expect("we wrote it")), None);
    assert_eq!(again.expect("no host can fail"), written);
}

fn walked<S: Source>(node: &S) -> usize {
    let inside = node.items().chain(node.entries().map(|(_, value)| value));
    let count = 1 + inside.map(|value| walked(&value)).sum::<usize>();
    assert_eq!(node.len(), node.items().count() + node.entries().count());
    count
}

fn count(value: &turnwire_core::value::handle::Value<NoHost>) -> usize {
    use turnwire_core::value::handle::Value;
    1 + match value {
        Value::List(items) => items.iter().map(count).sum(),
        Value::Map(entries) => entries.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    }
}
