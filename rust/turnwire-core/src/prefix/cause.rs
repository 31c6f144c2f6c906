//! Why two bodies differ: a closed list of codes.

macro_rules! causes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $edit:literal;)+) => {
        /// A stable name for each cause of a difference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Cause { $($(#[doc = $doc])+ $variant,)+ }

        impl Cause {
            /// Every code.
            pub const ALL: &'static [Cause] = &[$(Cause::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Cause::$variant => $name),+ } }

            /// Whether it changes content of the first body.
            #[must_use]
            pub fn is_edit(self) -> bool { match self { $(Cause::$variant => $edit),+ } }

            /// Its meaning, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Cause::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

causes! {
    /// Both requests are the same, except for cache marks.
    Equal = "equal", false;
    /// The second request repeats all of the first and adds to it.
    Append = "append", false;
    /// The second request ends earlier than the first.
    Rewound = "rewound", false;
    /// Both requests mean the same in different bytes: another order of keys, other white space, another spelling of a number.
    Respelled = "respelled", false;
    /// The second request begins with a compaction by the provider that the first did not have.
    Compacted = "compacted", false;
    /// The request goes to another model, which has a cache of its own.
    ModelChanged = "model_changed", false;
    /// A setting changed that the cache of the messages depends on: tool choice, thinking, effort.
    SettingsChanged = "settings_changed", false;
    /// The same tools are in another order.
    ToolsReordered = "tools_reordered", false;
    /// Reasoning was left out, and no later reasoning depends on it.
    ReasoningDropped = "reasoning_dropped", false;
    /// The system text changed.
    SystemChanged = "system_changed", true;
    /// A tool was added, removed or redefined.
    ToolsChanged = "tools_changed", true;
    /// The required format of replies changed.
    FormatChanged = "format_changed", true;
    /// Messages were left out.
    MessageDropped = "message_dropped", true;
    /// Messages were inserted between old ones.
    MessageInserted = "message_inserted", true;
    /// Messages were replaced by others, such as a summary.
    MessageReplaced = "message_replaced", true;
    /// A message has another role, name or other key.
    MessageChanged = "message_changed", true;
    /// Messages or blocks are in another order.
    Reordered = "reordered", true;
    /// Blocks of a message were left out.
    BlockDropped = "block_dropped", true;
    /// Blocks were inserted into a message.
    BlockInserted = "block_inserted", true;
    /// A block was replaced by another.
    BlockChanged = "block_changed", true;
    /// A text changed.
    TextChanged = "text_changed", true;
    /// A tool call has another name or other arguments.
    CallChanged = "call_changed", true;
    /// A call or result has another id.
    IdChanged = "id_changed", true;
    /// An image, a document or a file changed.
    MediaChanged = "media_changed", true;
    /// The result of a tool replaced the one that was made up for it.
    LateResult = "late_result", true;
    /// The result of a tool became shorter.
    ResultCut = "result_cut", true;
    /// The result of a tool changed.
    ResultChanged = "result_changed", true;
    /// Reasoning was left out between reasoning that is still there.
    ReasoningGap = "reasoning_gap", true;
    /// Reasoning is back where later reasoning was made without it.
    ReasoningPutBack = "reasoning_put_back", true;
    /// Reasoning moved to another place.
    ReasoningMoved = "reasoning_moved", true;
    /// Reasoning has another text or signature.
    ReasoningChanged = "reasoning_changed", true;
}
