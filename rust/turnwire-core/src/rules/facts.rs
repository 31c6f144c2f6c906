//! Declares the rules of a wire format as data, and the table row that is made from them.

use super::{
    bound::{self, Checks},
    cache_rule::CacheRule,
    compaction::CompactionRule,
    extra_keys::ExtraKeys,
    limits::{Limits, Tell},
    needs::Needs,
    row_layout::RowLayout,
    shared_block::SharedBlock,
    signs::Signs,
    slots::Slots,
};
use crate::value::door::Key;

/// Limits by the name of the profile.
pub(crate) type Profiles = &'static [(&'static str, Limits)];

/// A set of keys for each form of reply: a reply has all keys of one set.
pub(crate) type ReplySigns = &'static [&'static [&'static Key]];

/// The rules of a wire format as data.
pub(crate) trait Rules {
    /// Its public name.
    const NAME: &'static str;
    /// The signs of its payloads.
    const SIGNS: Signs;
    /// The signs of profiles with more words, by their full names; used where the profile is the target.
    const PROFILE_SIGNS: &'static [(&'static str, Signs)] = &[];
    /// The places of the list, system text and tools in a payload.
    const SLOTS: Slots;
    /// Its limits by profile; the first is the format itself and has no name.
    const PROFILES: Profiles;
    /// Profiles that spell the format differently: everywhere else, their payloads count as another format's.
    const APART: &'static [&'static str] = &[];
    /// Whether tool definitions are JSON text.
    const TOOLS_AS_TEXT: bool = false;
    /// Where training rows keep a prompt and its two answers.
    const ROWS: &'static RowLayout = &RowLayout::TRL;
    /// Whether results are user text, which is read as results only where the caller asks for it.
    const RESULTS_IN_TEXT: bool = false;
    /// Allowed keys that no parser takes, and keys of its SDK's reply objects, which it refuses.
    const KEYS: ExtraKeys = ExtraKeys::ANY;
    /// The type of the block that only says where a step of the assistant begins; empty where there is none.
    const STEP_MARK: &'static str = "";
    /// The signs of its replies; none where the format has no replies.
    const REPLY_SIGNS: ReplySigns = &[];
    /// The place of the message in a reply; empty where the reply is the message.
    const REPLY_MESSAGE: &'static str = "";
    /// Whether the place holds a list, each item being a turn.
    const REPLIES_IN_ITEMS: bool = false;
    /// Which models bind reasoning to the system text beside the list.
    const SYSTEM_BINDS: Checks = bound::every_model;
    /// The compaction block of its provider.
    const COMPACTION: Option<&'static CompactionRule> = None;
    /// The blocks that another wire of the same family of models has, too.
    const SHARED: &'static [SharedBlock] = &[];
    /// The marks at the end of the cached part of a prompt.
    const CACHE: Option<&'static CacheRule> = None;
    /// The headers that its provider wants beside some requests.
    const NEEDS: Option<&'static Needs> = None;
    /// Writes changes of tools and system text into its list; `None` where it cannot.
    const TELL: Option<Tell> = None;
}

/// A row of the table of dialects.
pub(crate) struct Facts {
    /// The index of the row in the table.
    pub(crate) row: u8,
    pub(crate) name: &'static str,
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
    pub(crate) cache: Option<&'static CacheRule>,
    pub(crate) needs: Option<&'static Needs>,
    pub(crate) tell: Option<Tell>,
}

impl Facts {
    /// For turns that were made here, without a format.
    pub(crate) const NONE: &'static Self = &Self {
        row: u8::MAX,
        name: "none",
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
        cache: None,
        needs: None,
        tell: None,
    };

    /// What is between its name and that of a profile. A name that looks like a profile's has its colon already.
    pub(crate) fn between(&self) -> char {
        if self.name.contains(':') { '-' } else { ':' }
    }

    /// The row of a format.
    pub(crate) const fn of<R: Rules>(row: u8) -> Self {
        Self {
            row,
            name: R::NAME,
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
            cache: R::CACHE,
            needs: R::NEEDS,
            tell: R::TELL,
        }
    }
}
