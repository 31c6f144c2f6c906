//! Says what happens to reasoning that another server made, and where a reply shows it.

use crate::value::Key;

/// How a target treats an assistant turn whose reasoning it did not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningRule {
    /// The target has no reasoning, and refuses it.
    None,
    /// It accepts its own reasoning back, and a turn without any.
    Replay,
    /// It accepts reasoning back under this key, and refuses reasoning under other keys.
    Own(&'static str),
    /// It needs this key on each assistant turn, with this text if there is nothing to send back.
    Key(&'static str, &'static str),
    /// It takes readable reasoning of any origin, without a signature. If there is a text, it needs some on each assistant turn, and
    /// takes this text in its place.
    Unsigned(Option<&'static str>),
    /// It takes readable reasoning of any origin, and none that is encrypted.
    Text,
    /// It needs this signature on the first call of each step that it did not sign itself.
    Signature(&'static str),
}

/// Where a reply shows the reasoning of another model.
#[derive(Clone, Copy, Debug)]
pub enum Thoughts {
    /// Nowhere: it is lost.
    Nowhere,
    /// Under this key beside the content.
    Key(&'static Key),
    /// As a block of the content, or as an item.
    Block,
}
