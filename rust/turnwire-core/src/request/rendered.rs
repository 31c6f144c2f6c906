//! The result of a request or a conversion: the JSON, its receipt, and what the caller needs beside both.

use crate::{
    report::{Error, Receipt, Rendering},
    rules::{DialectId, needs},
    value::{NoHost, Tree, json::read},
};

/// What is sent, and what was changed.
///
/// ```
/// let messages = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]"#;
/// let ready = turnwire_core::prepare(messages, "anthropic")?.run()?;
/// assert_eq!(ready.hoisted, [0]);
/// assert_eq!(ready.sources, [[1]]);
/// assert!(ready.receipt.is_unchanged());
/// # Ok::<(), turnwire_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The payload as compact JSON in UTF-8: a body, or a list if the target has no body.
    pub json: Vec<u8>,
    /// Every change, in the order of the messages.
    pub receipt: Receipt,
    /// For each message of the payload the indices of your messages that it was made of. Empty for one that was made up.
    pub sources: Vec<Vec<usize>>,
    /// The indices of your messages that stand beside the list, such as system text.
    pub hoisted: Vec<usize>,
    /// Each tool that was renamed: its name in the payload, and your own.
    pub names: Vec<(String, String)>,
    /// The HTTP headers that the payload needs, each once.
    pub headers: Vec<(String, String)>,
}

impl Rendered {
    /// The result of a rendering, whose losses are its receipt.
    pub(super) fn of(json: Vec<u8>, target: DialectId, rendering: Rendering) -> Result<Self, Error> {
        Ok(Self {
            headers: headers(&json, target)?,
            json,
            receipt: Receipt { changes: rendering.losses, ..Receipt::default() },
            sources: rendering.provenance.sources.into_iter().map(|one| one.to_vec()).collect(),
            hoisted: rendering.provenance.hoisted,
            names: rendering.names.iter().map(|(wire, own)| (wire.to_owned(), own.to_owned())).collect(),
        })
    }

    /// The same with the changes that were made before the rendering.
    pub(super) fn after(self, mut receipt: Receipt) -> Self {
        receipt.add(self.receipt.changes);
        receipt.sort();
        Self { receipt, ..self }
    }
}

/// The headers that a payload needs.
fn headers(json: &[u8], target: DialectId) -> Result<Vec<(String, String)>, Error> {
    if !needs::are_known(target) {
        return Ok(Vec::new());
    }
    let body = read::value::<NoHost>(json)?;
    Ok(needs::header(&Tree(&body), target).into_iter().map(|(name, values)| (name.to_owned(), values)).collect())
}
