//! Declares the rules of a format as data, and the table row made from them.

use super::{
    answer_rule::AnswerRule,
    bound::{self, Checks},
    cache_rule::CacheRule,
    call_form::CallForm,
    carrier::{Carriers, Maker},
    citation::CitationRule,
    compaction::CompactionRule,
    deferred_rule::DeferredRule,
    extra_keys::ExtraKeys,
    limits::{Limits, Tell},
    mark_rule::MarkRule,
    needs::Needs,
    option_rule::OptionRule,
    passage::{PaperRule, PassageRule},
    plain_output::PlainOutput,
    ran_rule::{RanRule, RemadeRule},
    reference_rule::ReferenceRule,
    row_layout::RowLayout,
    served_rule::ServedRule,
    shared_block::SharedBlock,
    signs::Signs,
    slots::Slots,
    update_rule::UpdateRule,
};
use crate::value::Key;

/// Limits by the name of the profile.
pub(crate) type Profiles = &'static [(&'static str, Limits)];

/// A set of keys for each form of reply: a reply has all keys of one set.
pub(crate) type ReplySigns = &'static [&'static [&'static Key]];

/// The rules of a wire format as data.
pub(crate) trait Rules {
    /// Its public name.
    const NAME: &'static str;
    /// Whether its payloads are only stored, and never sent to a provider.
    const STORED: bool = false;
    /// The signs of its payloads.
    const SIGNS: Signs;
    /// The signs of profiles with more words, by their full names. Used if the profile is the target.
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[];
    /// Where the list, system text and tools are in a payload.
    const SLOTS: Slots;
    /// Its limits by profile. The first is the format itself and has no name.
    const PROFILES: Profiles;
    /// Profiles that spell the format differently. For all other profiles, their payloads count as another format's.
    const APART: &'static [&'static str] = &[];
    /// Whether tool definitions are JSON text.
    const TOOLS_AS_TEXT: bool = false;
    /// Where training rows keep a prompt and its two answers.
    const ROWS: &'static RowLayout = &RowLayout::TRL;
    /// Whether results are user text, which is read as results only if the caller asks for it.
    const RESULTS_IN_TEXT: bool = false;
    /// Allowed keys that no parser takes, and keys of its SDK's reply objects, which it refuses.
    const KEYS: ExtraKeys = ExtraKeys::ANY;
    /// The type of the block that only marks the beginning of an assistant's step. Empty if there is none.
    const STEP_MARK: &'static str = "";
    /// The signs of its replies. None if the format has no replies.
    const REPLY_SIGNS: ReplySigns = &[];
    /// Where the message is in a reply. Empty if the reply is the message.
    const REPLY_MESSAGE: &'static str = "";
    /// Whether a list is there, each item of which is a turn.
    const REPLIES_IN_ITEMS: bool = false;
    /// Which models bind reasoning to the system text beside the list.
    const SYSTEM_BINDS: Checks = bound::every_model;
    /// The compaction block of its provider.
    const COMPACTION: Option<&'static CompactionRule> = None;
    /// The blocks that another format of the same family of models also has.
    const SHARED: &'static [SharedBlock] = &[];
    /// Who made the reasoning of its own. `None` if its family of models, its rule of reasoning or nothing says that.
    const MAKER: Option<Maker> = None;
    /// The keys of an assistant's message for readable reasoning. Its servers have one or another.
    const THOUGHTS: &'static [&'static str] = &[];
    /// Where it carries the reasoning of others.
    const CARRIERS: Carriers = Carriers::NONE;
    /// Whether it can limit the choice of tools to some of them.
    const LIMITS_CHOICE: fn(&Limits) -> bool = |_| false;
    /// How it spells citations of documents. `None` if it has none.
    const CITES: Option<&'static CitationRule> = None;
    /// Which models of another family than its own accept reasoning that nobody signed. `None` if it serves one family, or
    /// nobody knows.
    const OTHERS_THINK: Option<fn(&str) -> bool> = None;
    /// The keys of a document. `None` if other formats have none of them.
    const PAPER: Option<&'static PaperRule> = None;
    /// Whether its client takes bytes where the wire has base64.
    const BLOBS: bool = false;
    /// Its search results. `None` if it has no such block.
    const PASSAGE: Option<&'static PassageRule> = None;
    /// The caller's marks at the end of the cached part of a prompt.
    const MARKS: &'static MarkRule = &MarkRule::NONE;
    /// The name of its provider in formats that speak to many. Empty if it has none.
    const PROVIDER: &'static str = "";
    /// What belongs to one provider, if it speaks to many.
    const OPTIONS: Option<&'static OptionRule> = None;
    /// How marks are made there, if the caller asks for them.
    const CACHE: Option<&'static CacheRule> = None;
    /// The calls that its provider runs. `None` if a result may come without its call.
    const RAN: Option<&'static RanRule> = None;
    /// How such calls are made again of other formats' records. `None` if they are lost.
    const REMADE: Option<&'static RemadeRule> = None;
    /// How it spells those calls and their results, for readers of other formats.
    const SERVED: &'static [ServedRule] = &[];
    /// What those have said in plain text.
    const PLAIN_OUTPUTS: &'static [PlainOutput] = &[];
    /// The items that ask the client for something, and their answers.
    const ANSWERS: &'static [AnswerRule] = &[];
    /// The calls that are items of their own kind.
    const FORMS: &'static [CallForm] = &[];
    /// The key of a call whose result may come in a later request. Empty if there is none.
    const WAITS: &'static str = "";
    /// Whether a result that names no call answers the only open one, and stays where there is not exactly one.
    const SOLE_ANSWERS: bool = false;
    /// How its list says that settings change from there on.
    const UPDATE: Option<&'static UpdateRule> = None;
    /// The end of the address to which a batch sends its requests. Empty if no such address tells its requests from others.
    const ENDPOINT: &'static str = "";
    /// The blocks that name a tool which the request must define.
    const REFERENCES: Option<&'static ReferenceRule> = None;
    /// What calls say of tools that the model finds by a search.
    const DEFERRED: Option<&'static DeferredRule> = None;
    /// The headers that its provider requires for some requests.
    const NEEDS: Option<&'static Needs> = None;
    /// Writes changes of tools and system text into its list. `None` if it cannot hold them.
    const TELL: Option<Tell> = None;
    /// The keys in which an element says something, the usual one first. An element with none of them is no message.
    const SAYS: &'static [&'static str] = &[];
    /// The keys of a call's arguments and of a result's content, where their absence means that they were not recorded.
    const RECORDED: &'static [&'static str] = &[];
}

/// A row of the table of dialects.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing about a format")]
pub(crate) struct Facts {
    /// The index of the row in the table.
    pub(crate) row: u8,
    pub(crate) name: &'static str,
    pub(crate) stored: bool,
    pub(crate) signs: Signs,
    pub(crate) profile_signs: &'static [(&'static str, Signs)],
    pub(crate) profiles: Profiles,
    pub(crate) apart: &'static [&'static str],
    pub(crate) keys: ExtraKeys,
    pub(crate) slots: Option<&'static Slots>,
    pub(crate) rows: &'static RowLayout,
    pub(crate) results_in_text: bool,
    pub(crate) step_mark: &'static str,
    pub(crate) reply_signs: ReplySigns,
    pub(crate) reply_message: &'static str,
    pub(crate) replies_in_items: bool,
    pub(crate) system_binds: Checks,
    pub(crate) compaction: Option<&'static CompactionRule>,
    pub(crate) shared: &'static [SharedBlock],
    pub(crate) maker: Option<Maker>,
    pub(crate) thoughts: &'static [&'static str],
    pub(crate) carriers: Carriers,
    /// Whether it can limit the choice of tools to some of them.
    pub(crate) limits_choice: fn(&Limits) -> bool,
    pub(crate) cites: Option<&'static CitationRule>,
    pub(crate) others_think: Option<fn(&str) -> bool>,
    pub(crate) paper: Option<&'static PaperRule>,
    pub(crate) blobs: bool,
    pub(crate) passage: Option<&'static PassageRule>,
    pub(crate) marks: &'static MarkRule,
    pub(crate) provider: &'static str,
    pub(crate) options: Option<&'static OptionRule>,
    pub(crate) cache: Option<&'static CacheRule>,
    pub(crate) ran: Option<&'static RanRule>,
    pub(crate) remade: Option<&'static RemadeRule>,
    pub(crate) served: &'static [ServedRule],
    pub(crate) plain_outputs: &'static [PlainOutput],
    pub(crate) answers: &'static [AnswerRule],
    pub(crate) forms: &'static [CallForm],
    pub(crate) waits: &'static str,
    pub(crate) sole_answers: bool,
    pub(crate) update: Option<&'static UpdateRule>,
    pub(crate) endpoint: &'static str,
    pub(crate) references: Option<&'static ReferenceRule>,
    pub(crate) deferred: Option<&'static DeferredRule>,
    pub(crate) needs: Option<&'static Needs>,
    pub(crate) tell: Option<Tell>,
    pub(crate) says: &'static [&'static str],
    pub(crate) recorded: &'static [&'static str],
}

impl Facts {
    /// For turns that were not read from a payload, and so have no format.
    pub(crate) const NONE: &'static Self = &Self {
        row: u8::MAX,
        name: "none",
        stored: false,
        signs: &[],
        profile_signs: &[],
        profiles: &[],
        apart: &[],
        keys: ExtraKeys::ANY,
        slots: None,
        rows: &RowLayout::TRL,
        results_in_text: false,
        step_mark: "",
        reply_signs: &[],
        reply_message: "",
        replies_in_items: false,
        system_binds: bound::every_model,
        compaction: None,
        shared: &[],
        maker: None,
        thoughts: &[],
        carriers: Carriers::NONE,
        limits_choice: |_| false,
        cites: None,
        others_think: None,
        paper: None,
        blobs: false,
        passage: None,
        marks: &MarkRule::NONE,
        provider: "",
        options: None,
        cache: None,
        ran: None,
        remade: None,
        served: &[],
        plain_outputs: &[],
        answers: &[],
        forms: &[],
        waits: "",
        sole_answers: false,
        update: None,
        endpoint: "",
        references: None,
        deferred: None,
        needs: None,
        tell: None,
        says: &[],
        recorded: &[],
    };

    /// The separator between its name and a profile's. A name that looks like a profile's has its colon already.
    pub(crate) fn between(&self) -> char {
        if self.name.contains(':') { '-' } else { ':' }
    }

    /// The row of a format.
    pub(crate) const fn of<R: Rules>(row: u8) -> Self {
        Self {
            row,
            name: R::NAME,
            stored: R::STORED,
            signs: R::SIGNS,
            profile_signs: R::PROFILE_SIGNS,
            profiles: R::PROFILES,
            apart: R::APART,
            keys: R::KEYS,
            slots: Some(&R::SLOTS),
            rows: R::ROWS,
            results_in_text: R::RESULTS_IN_TEXT,
            step_mark: R::STEP_MARK,
            reply_signs: R::REPLY_SIGNS,
            reply_message: R::REPLY_MESSAGE,
            replies_in_items: R::REPLIES_IN_ITEMS,
            system_binds: R::SYSTEM_BINDS,
            compaction: R::COMPACTION,
            shared: R::SHARED,
            maker: R::MAKER,
            thoughts: R::THOUGHTS,
            carriers: R::CARRIERS,
            limits_choice: R::LIMITS_CHOICE,
            cites: R::CITES,
            others_think: R::OTHERS_THINK,
            paper: R::PAPER,
            blobs: R::BLOBS,
            passage: R::PASSAGE,
            marks: R::MARKS,
            provider: R::PROVIDER,
            options: R::OPTIONS,
            cache: R::CACHE,
            ran: R::RAN,
            remade: R::REMADE,
            served: R::SERVED,
            plain_outputs: R::PLAIN_OUTPUTS,
            answers: R::ANSWERS,
            forms: R::FORMS,
            waits: R::WAITS,
            sole_answers: R::SOLE_ANSWERS,
            update: R::UPDATE,
            endpoint: R::ENDPOINT,
            references: R::REFERENCES,
            deferred: R::DEFERRED,
            needs: R::NEEDS,
            tell: R::TELL,
            says: R::SAYS,
            recorded: R::RECORDED,
        }
    }
}
