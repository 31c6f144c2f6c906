//! Why two bodies differ: a closed list of codes.

macro_rules! causes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $edit:literal;)+) => {
        /// A stable name for each thing that can stand between two bodies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Cause { $($(#[doc = $doc])+ $variant,)+ }

        impl Cause {
            /// Every code there is.
            pub const ALL: &'static [Cause] = &[$(Cause::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Cause::$variant => $name),+ } }

            /// Whether it changes what the first body said.
            #[must_use]
            pub fn is_edit(self) -> bool { match self { $(Cause::$variant => $edit),+ } }

            /// What it means, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Cause::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

causes! {
    /// Both say the same, byte for byte but for marks.
    Equal = "equal", false;
    /// The second says all of the first, and more behind it.
    Append = "append", false;
    /// The second ends where the first went on.
    Rewound = "rewound", false;
    /// Both say the same in other bytes: another order of keys, other white space, another spelling of a number.
    Respelled = "respelled", false;
    /// The second begins with a compaction by the provider that the first did not have.
    Compacted = "compacted", false;
    /// The request goes to another model, which has a cache of its own.
    ModelChanged = "model_changed", false;
    /// A setting is another on which a cache of the messages depends: the choice of tools, thinking, effort.
    SettingsChanged = "settings_changed", false;
    /// The same tools stand in another order.
    ToolsReordered = "tools_reordered", false;
    /// Reasoning was left out where no kept reasoning follows that was made behind it.
    ReasoningDropped = "reasoning_dropped", false;
    /// The system text is another.
    SystemChanged = "system_changed", true;
    /// A tool was added, removed or defined otherwise.
    ToolsChanged = "tools_changed", true;
    /// The format that replies must have is another.
    FormatChanged = "format_changed", true;
    /// Messages were left out.
    MessageDropped = "message_dropped", true;
    /// Messages were put between old ones.
    MessageInserted = "message_inserted", true;
    /// Messages have made way for others, such as a summary.
    MessageReplaced = "message_replaced", true;
    /// A message has another role, name or key of its own.
    MessageChanged = "message_changed", true;
    /// Messages or blocks stand in another order.
    Reordered = "reordered", true;
    /// Blocks of a message were left out.
    BlockDropped = "block_dropped", true;
    /// Blocks were put into a message.
    BlockInserted = "block_inserted", true;
    /// A block is another one.
    BlockChanged = "block_changed", true;
    /// A text says something else.
    TextChanged = "text_changed", true;
    /// A tool call has another name or other arguments.
    CallChanged = "call_changed", true;
    /// A call or result has another id.
    IdChanged = "id_changed", true;
    /// An image, a document or a file is another.
    MediaChanged = "media_changed", true;
    /// The result of a tool has taken the place of the one that was made up for it.
    LateResult = "late_result", true;
    /// The result of a tool has become shorter.
    ResultCut = "result_cut", true;
    /// The result of a tool says something else.
    ResultChanged = "result_changed", true;
    /// Reasoning was left out between kept reasoning.
    ReasoningGap = "reasoning_gap", true;
    /// Reasoning stands again where reasoning was made without it.
    ReasoningPutBack = "reasoning_put_back", true;
    /// Reasoning stands in another place.
    ReasoningMoved = "reasoning_moved", true;
    /// Reasoning says something else, or has another signature.
    ReasoningChanged = "reasoning_changed", true;
}
