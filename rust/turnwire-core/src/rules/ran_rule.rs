//! Describes a format's calls that the provider runs, and the blocks with their results.

/// The blocks of calls that the provider runs. Its servers refuse a result without its call, and a call without its result
/// once the user has said something else.
pub(crate) struct RanRule {
    /// The type of a call.
    pub(crate) call: &'static str,
    /// The types of results, with blanks between them.
    pub(crate) results: &'static str,
    /// The key of a result that names its call.
    pub(crate) answers: &'static str,
    /// The key of a call of the client's tools, and the key inside it, that name the provider's call which made it.
    pub(crate) caller: (&'static str, &'static str),
}
