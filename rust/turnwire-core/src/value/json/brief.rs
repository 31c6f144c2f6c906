//! Writes the beginning of a value's JSON text, as much of it as a budget needs.

use super::encode;
use crate::{
    report::Error,
    text::{Keep, Units},
    value::{Host, Raw, Text, Value},
};

/// The compact JSON text of a value in UTF-8. Stops soon after `enough` bytes: a longer text is cut off, but still
/// longer than `enough`.
pub fn of<H: Host>(raw: &Raw<H>, enough: usize) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    match raw {
        Raw::Own(text) => out.extend_from_slice(text.trim_ascii().as_bytes()),
        Raw::Tree(value) => begin(value, enough, &mut out)?,
        Raw::Loan(_) | Raw::Span(_) => begin(&raw.to_value(None)?, enough, &mut out)?,
    }
    Ok(out)
}

fn begin<H: Host>(value: &Value<H>, enough: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(digits) => out.extend_from_slice(digits.as_bytes()),
        Value::Leaf(leaf) => H::write_leaf(leaf, out)?,
        Value::Text(text) => string(text, enough, out)?,
        Value::List(items) => {
            let mut before = b'[';
            for item in items.iter() {
                if out.len() > enough {
                    return Ok(());
                }
                out.push(before);
                begin(item, enough, out)?;
                before = b',';
            }
            out.extend_from_slice(if before == b'[' { b"[]" } else { b"]" });
        }
        Value::Map(entries) => {
            let mut before = b'{';
            for (key, value) in entries.iter() {
                if out.len() > enough {
                    return Ok(());
                }
                out.push(before);
                string(key, enough, out)?;
                out.push(b':');
                begin(value, enough, out)?;
                before = b',';
            }
            out.extend_from_slice(if before == b'{' { b"{}" } else { b"}" });
        }
    }
    Ok(())
}

/// Writes a string. Reads only the part that can matter.
fn string<H: Host>(text: &Text<H>, enough: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let left = enough.saturating_sub(out.len()).saturating_add(4);
    let head = text.truncate(left, Units::Ascii(""), Keep::Head, None)?;
    encode::text(head.as_ref().unwrap_or(text), None, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{handle::NoHost, json::read};

    #[test]
    fn a_true_beginning_and_longer_than_enough() {
        for json in [
            r#"{"a":[1,2,{"b":null}],"日本語":"é\n\"🚧","c":[],"d":{},"e":[[[[true,false]]]]}"#,
            r#""日本語日本語日本語日本語日本語""#,
            r#"["",{"":""},-0.0,1e400,12345678901234567890]"#,
        ] {
            let tree = Raw::<NoHost>::Tree(read::value(json.as_bytes()).expect(json));
            for enough in (0..json.len() + 3).chain([usize::MAX]) {
                let brief = of(&tree, enough).expect(json);
                if json.len() > enough {
                    assert!(brief.len() > enough, "{json} at {enough}");
                    assert_eq!(brief[..=enough], json.as_bytes()[..=enough], "{json} at {enough}");
                } else {
                    assert_eq!(brief, json.as_bytes());
                }
            }
        }
    }
}
