//! Why a reply ended.

/// Why a reply ended, in the same words for all providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The model asks for its calls to be run.
    ToolCalls,
    /// The limit of tokens was reached.
    Length,
    /// The model refused to answer.
    Refusal,
    /// The provider withheld the answer.
    Filtered,
    /// The provider waits for another request, in which the reply continues.
    Paused,
    /// There was an error, or a stream broke off.
    Error,
    /// The provider's word is unknown, or there is none.
    Other,
}

impl Finish {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Stop,
        Self::ToolCalls,
        Self::Length,
        Self::Refusal,
        Self::Filtered,
        Self::Paused,
        Self::Error,
        Self::Other,
    ];

    /// Whether the model was stopped before it was done.
    #[must_use]
    pub fn is_cut(self) -> bool {
        matches!(self, Self::Length | Self::Filtered | Self::Error)
    }

    /// The name of the reason.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::Refusal => "refusal",
            Self::Filtered => "filtered",
            Self::Paused => "paused",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}
