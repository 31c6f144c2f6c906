//! Reads and writes results that are one JSON object, by the keys that hold the tool's answer.

use crate::value::{
    Key, MAX_DEPTH, NoHost, NodeKind, Numbers, Source, Tree, Value,
    json::{compact, read},
};

/// Many programs, such as Python, refuse numbers with more digits.
const MOST_DIGITS: usize = 4300;

/// The deepest nesting that can still be read back inside a payload.
const DEEPEST: usize = MAX_DEPTH - 16;

/// The keys of a result that is one JSON object.
#[derive(Debug)]
pub struct ResultKeys {
    /// The keys of the tool's answer; the first is written.
    pub said: &'static [&'static Key],
    /// The key of a failed tool's answer.
    pub failed: &'static Key,
}

impl PartialEq for ResultKeys {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for ResultKeys {}

impl ResultKeys {
    /// The answer in an object, and whether the tool failed. The answer is the value of one of the keys, if the object
    /// has only that key. Otherwise it is `None`, for the whole object.
    pub fn value_of<S: Source>(&self, response: &S) -> (Option<(&'static Key, S)>, bool) {
        for key in self.said {
            if let Some(value) = alone(response, key) {
                return (Some((key, value)), false);
            }
        }
        if let Some(error) = alone(response, self.failed) {
            let failed = error.kind() != NodeKind::Null && error.bool() != Some(false);
            return (failed.then_some((self.failed, error)), failed);
        }
        // Beside other keys, an empty error does not count.
        let failed = response.get(self.failed).is_some_and(|node| match node.kind() {
            NodeKind::Text => node.text().is_some_and(|text| !text.is_empty()),
            NodeKind::Bool => node.bool() == Some(true),
            NodeKind::List | NodeKind::Map => !node.is_empty(),
            _ => false,
        });
        (None, failed)
    }

    /// The object that a text spells, as compact JSON, if it can be the whole of a result: every reader reads it as the
    /// same. Repeated keys and numbers or escapes that do not survive prevent that. So does an object that is empty,
    /// nested too deep, or has one of the keys as its only key.
    #[must_use]
    pub fn object_of(&self, text: &[u8], failed: bool) -> Option<String> {
        if !text.trim_ascii_end().ends_with(b"}") {
            return None;
        }
        let value = read::value::<NoHost>(text).ok()?;
        let Value::Map(entries) = &value else { return None };
        if entries.is_empty()
            || !is_alike(&value, DEEPEST)
            || !matches!(self.value_of(&Tree(&value)), (None, same) if same == failed)
        {
            return None;
        }
        // A reader would lose an empty error.
        if matches!(&entries[..], [(key, _)] if key.is(self.failed.name, None)) {
            return None;
        }
        let mut out = Vec::new();
        let replaced = compact::text(text, Numbers::Alike, &mut out).ok()?;
        String::from_utf8(out).ok().filter(|_| replaced == 0)
    }
}

/// The value of a key if it is the only key. A repeated key counts as one, with its last value.
fn alone<S: Source>(response: &S, key: &'static Key) -> Option<S> {
    let value = response.get(key)?;
    let only = || response.entries().all(|(name, _)| name.is(key.name, response.input()));
    (response.len() == 1 || only()).then_some(value)
}

/// Whether every program reads the same value: no repeated key, no rounded number, no deeper nesting than this.
fn is_alike(value: &Value<NoHost>, levels: usize) -> bool {
    let inside = levels.saturating_sub(1);
    match value {
        Value::List(_) | Value::Map(_) if levels == 0 => false,
        Value::Number(spelled) => is_exact(spelled),
        Value::List(items) => items.iter().all(|item| is_alike(item, inside)),
        Value::Map(entries) => {
            let mut keys: Vec<_> = entries.iter().map(|(key, _)| key.wtf8(None)).collect();
            keys.sort_unstable();
            keys.windows(2).all(|two| two[0] != two[1]) && entries.iter().all(|(_, value)| is_alike(value, inside))
        }
        Value::Null | Value::Bool(_) | Value::Leaf(_) | Value::Text(_) => true,
    }
}

/// Whether programs read a number exactly.
fn is_exact(spelled: &str) -> bool {
    if !spelled.contains(['.', 'e', 'E']) {
        return spelled.len() <= MOST_DIGITS;
    }
    let mut out = Vec::new();
    spelled.parse::<f64>().is_ok_and(f64::is_finite)
        && compact::text(spelled.as_bytes(), Numbers::Alike, &mut out).is_ok()
        && Value::<NoHost>::Number(spelled.into()).same(&Value::Number(String::from_utf8_lossy(&out).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::door::keys;

    keys! {
        RESULT = "result";
        OUTPUT = "output";
        ERROR = "error";
    }

    static KEYS: ResultKeys = ResultKeys { said: &[&RESULT, &OUTPUT], failed: &ERROR };

    #[test]
    fn text_of_an_object_is_that_object_where_nothing_of_it_is_lost() {
        for (text, expected) in [
            (r#" { "a" : [ 1.50 , "\u00e9" ] } "#, Some(r#"{"a":[1.5,"é"]}"#)),
            (r#"{"result": 1, "more": 2}"#, Some(r#"{"result":1,"more":2}"#)),
            (r#"{"error": "", "more": 2}"#, Some(r#"{"error":"","more":2}"#)),
            (r#"{"a": 12345678901234567890123}"#, Some(r#"{"a":12345678901234567890123}"#)),
            (r#"{"error": "e", "more": 2}"#, None),
            (r#"{"result": 1}"#, None),
            (r#"{"result": 1, "result": 2}"#, None),
            (r#"{"output": {}}"#, None),
            (r#"{"error": null}"#, None),
            (r#"{"error": "e"}"#, None),
            ("{}", None),
            (r#"{"a": {"b": 1, "b": 2}}"#, None),
            (r#"{"a": 1e400}"#, None),
            (r#"{"a": 0.1000000000000000055511151231257827}"#, None),
            (r#"{"a": "\ud83d"}"#, None),
            ("[1]", None),
            ("null", None),
            (r#"{"a": 1"#, None),
            ("{a}", None),
        ] {
            assert_eq!(KEYS.object_of(text.as_bytes(), false).as_deref(), expected, "{text}");
        }
        assert_eq!(KEYS.object_of(br#"{"a": 1}"#, true), None);
        let told = br#"{"error": "e", "code": 1}"#;
        assert_eq!(KEYS.object_of(told, true).as_deref(), Some(r#"{"error":"e","code":1}"#));
    }
}
