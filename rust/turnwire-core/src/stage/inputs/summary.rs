//! A summary of the older turns.

/// A summary of the older turns (spec 001).
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The text of the summary.
    pub text: String,
    /// Whether lone surrogates of the text were already replaced by U+FFFD.
    pub repaired: bool,
    /// The id of the first turn that is kept.
    pub start_id: String,
    /// The ids of the turns that it replaces.
    pub ids: Vec<String>,
    /// The indices of turns that it replaces, whatever their ids.
    pub indices: Vec<usize>,
}
