//! Describes a wire format as data: limits, signs, keys, and the values that they may have.

pub(crate) mod alphabet;
pub(crate) mod answer_rule;
pub(crate) mod block_rule;
pub mod bound;
pub(crate) mod cache_rule;
pub mod call_form;
pub(crate) mod carrier;
pub mod chosen;
pub(crate) mod citation;
pub mod compaction;
pub(crate) mod deferred_rule;
pub(crate) mod details;
pub mod dialect_id;
pub(crate) mod extra_keys;
pub(crate) mod facts;
pub mod family;
pub(crate) mod interned;
pub mod limits;
pub(crate) mod mark_rule;
pub mod media_class;
pub(crate) mod model_names;
pub mod needs;
pub(crate) mod option_rule;
pub(crate) mod passage;
mod plain_output;
pub(crate) mod presets;
pub(crate) mod ran_rule;
pub mod record_layout;
pub(crate) mod reference_rule;
pub(crate) mod refused_content;
pub mod request_keys;
pub mod result_keys;
pub(crate) mod row_layout;
pub(crate) mod served_rule;
pub mod settings;
pub(crate) mod shared_block;
pub(crate) mod signs;
pub(crate) mod slots;
pub(crate) mod target;
pub(crate) mod tool_name;
pub mod tool_rule;
pub(crate) mod unknown_kind;
mod update_rule;
pub(crate) mod value_rule;

pub(crate) use self::tool_name::ToolName;
pub(crate) use self::{
    alphabet::Alphabet,
    answer_rule::AnswerRule,
    block_rule::BlockRule,
    cache_rule::{CacheMark, CacheRule},
    chosen::Chosen,
    citation::CitationRule,
    compaction::CompactionRule,
    deferred_rule::DeferredRule,
    extra_keys::{ExtraKeys, Verdict},
    facts::{Facts, ReplySigns, Rules},
    mark_rule::{MarkForm, MarkRule, Marks},
    needs::{Feature, Needs},
    passage::{PaperRule, Passage, PassageRule},
    plain_output::PlainOutput,
    presets::{BLOCKS, CHAT},
    ran_rule::RanRule,
    reference_rule::{ChangeRule, ReferenceRule},
    row_layout::{RowLayout, Side},
    served_rule::{Named, Readable, ServedCall, ServedRule},
    settings::{Cell, Column, EFFORTS, FormatShape, Kind, Setting},
    shared_block::{Shared, SharedBlock},
    signs::{SHARED, Signs, Spot, Words},
    slots::{Slot, Slots, Spelling},
    target::Target,
    update_rule::{UpdateForm, UpdateRule},
    value_rule::{KeyRule, ValueRule},
};
pub use self::{
    bound::Checks,
    call_form::CallForm,
    compaction::Asked,
    dialect_id::DialectId,
    family::Family,
    limits::{
        ArgsForm, BesideCalls, CarriedKeys, Carries, Files, FirstWord, IdRule, InTexts, JoinedTexts, JsonPlace, Judged,
        LastWord, LaterRule, LaterTools, Limits, MediaInResult, MediaRule, MessageId, MuteError, NameRule, News, Once,
        OneText, PartOrder, PlainDocument, ROW_FILES, ReasoningRule, ResultPlace, STORED_ELSEWHERE, SilentCalls,
        SystemPlace, Tell, Thoughts, TypedUrls,
    },
    media_class::MediaClass,
    record_layout::RecordLayout,
    result_keys::ResultKeys,
    tool_rule::{Draft, References, StrictFlag},
};
