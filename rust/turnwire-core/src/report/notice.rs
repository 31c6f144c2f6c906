//! What a caller should know although nothing was changed: one closed list of codes.

macro_rules! notices {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal;)+) => {
        /// A stable name for each warning of a build, and for what `check` finds when it compares a request with the
        /// one before it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Notice { $($(#[doc = $doc])+ $variant,)+ }

        impl Notice {
            /// Every code.
            pub const ALL: &'static [Notice] = &[$(Notice::$variant),+];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Notice::$variant => $name),+ } }

            /// What it means, in a sentence or two.
            #[must_use]
            pub fn meaning(self) -> &'static str { match self { $(Notice::$variant => concat!($($doc),+).trim_ascii()),+ } }
        }
    };
}

notices! {
    /// The target needs the definitions of the tools that these messages call.
    ToolsMissing = "tools_missing";
    /// A message was read as a dialect that does not know what is in it. Another dialect does.
    WrongDialect = "wrong_dialect";
    /// A key that the target does not list. The target may refuse it.
    UnknownKey = "unknown_key";
    /// A block of a type that the target does not list. The target may refuse it.
    UnknownBlock = "unknown_block";
    /// A tool run by the provider, of a type that the target does not list. The target may refuse it.
    UnknownTool = "unknown_tool";
    /// A setting of a body, in the words of another dialect than the target. The target refuses or ignores it.
    ForeignSetting = "foreign_setting";
    /// A setting of a body that its own provider refuses: its value, or the setting for this model or beside another one.
    RefusedSetting = "refused_setting";
    /// Content that the model of this body refuses, although its format has it: system text, or media of a kind.
    RefusedContent = "refused_content";
    /// A result is an item of another kind than the one that answers its call, and cannot be written as that one. The
    /// target may refuse it.
    OtherKind = "other_kind";
    /// The compression summary names a start id that no message has, so all messages stay.
    StartIdMissing = "start_id_missing";
    /// The budget is in tokens, and images, sound and documents count as 0 tokens.
    MediaNotCounted = "media_not_counted";
    /// The budget was so small that text of a user or of the assistant was cut.
    TextsCut = "cut_text";
    /// This request changes something that the last one had already said.
    HistoryEdited = "history_edited";
    /// From here on, the provider's cache cannot read what it kept of the last request.
    CacheBreak = "cache_break";
    /// The system text is different now, but this ledger keeps what was sent.
    SystemFrozen = "system_frozen";
    /// The tools are different now, but this ledger keeps what was sent.
    ToolsFrozen = "tools_frozen";
    /// What the model thought before the calls whose results it waits for is left out: by a cut, or because the caller asked for
    /// no reasoning.
    OpenTurnReasoning = "open_turn_reasoning";
}
