//! Puts texts that stand elsewhere in the record to where they are said.

use std::collections::HashMap;

use super::ways::Ways;
use crate::{
    report::Error,
    rules::record_layout::ApartAt,
    value::{Input, NodeKind, Source, Text, json::encode},
};

/// Texts that stand elsewhere, ready to be found.
#[derive(Debug)]
pub(super) struct Apart {
    texts: Ways,
    mark: &'static str,
}

impl Apart {
    pub(super) fn of(at: ApartAt) -> Self {
        Self { texts: Ways::of(at.texts), mark: at.mark }
    }

    /// The record with each text in its place in the messages, which begin under these keys. `None` if all are there. The
    /// texts stay where they stand, too, because other keys may name them.
    pub(super) fn put<S: Source>(&self, record: &S, messages: &Ways) -> Result<Option<Input>, Error> {
        let Some((texts, _)) = self.texts.find_if(record, |texts| texts.kind() == NodeKind::Map) else {
            return Ok(None);
        };
        let named = |(name, text): (Text<S::H>, S)| (name.to_str(texts.input()).into_owned(), text);
        let all: HashMap<String, S> =
            texts.entries().filter(|(_, text)| text.kind() == NodeKind::Text).map(named).collect();
        let (mut out, mut found) = (Vec::new(), false);
        for (index, (key, value)) in record.entries().enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"{" });
            encode::text(&key, record.input(), &mut out);
            out.push(b':');
            if messages.tops().any(|top| key.is(top.name, record.input())) {
                self.write(&value, &all, &mut out, &mut found)?;
            } else {
                encode::raw(&value.raw(), value.input(), &mut out)?;
            }
        }
        out.push(b'}');
        Ok(found.then(|| Input::new(out)))
    }

    fn write<S: Source>(
        &self,
        node: &S,
        all: &HashMap<String, S>,
        out: &mut Vec<u8>,
        found: &mut bool,
    ) -> Result<(), Error> {
        match node.kind() {
            NodeKind::Map => {
                out.push(b'{');
                for (index, (key, value)) in node.entries().enumerate() {
                    out.extend_from_slice(if index > 0 { b"," } else { b"" });
                    encode::text(&key, node.input(), out);
                    out.push(b':');
                    self.write(&value, all, out, found)?;
                }
                out.push(b'}');
                return Ok(());
            }
            NodeKind::List => {
                out.push(b'[');
                for (index, item) in node.items().enumerate() {
                    out.extend_from_slice(if index > 0 { b"," } else { b"" });
                    self.write(&item, all, out, found)?;
                }
                out.push(b']');
                return Ok(());
            }
            _ => {}
        }
        let name = node.text().filter(|text| text.starts_with(self.mark, node.input()));
        let name = name.map(|text| text.to_str(node.input()).into_owned());
        let text = name.as_deref().and_then(|name| all.get(name.get(self.mark.len()..)?));
        *found |= text.is_some();
        let node = text.unwrap_or(node);
        encode::raw(&node.raw(), node.input(), out).map(|_| ())
    }
}
