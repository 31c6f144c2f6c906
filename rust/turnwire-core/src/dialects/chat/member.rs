//! Holds what differs between members as data and functions, so that the family's code is compiled only once.

use super::keys as k;
use super::{
    end::meaning,
    part::{Answer, PartDraft},
    response,
};
use crate::{
    model::{Finish, Flaw, Kind, Parts, Role},
    report::Error,
    rules::{ExtraKeys, Limits},
    value::{Host, Key, Raw, Sink, Source},
    wire::{
        plan::{Item, Message, Outcome, Shown},
        read::Keys,
        response::ResponseRule,
        write::Writer,
    },
};

/// The constants of a member.
#[expect(clippy::struct_excessive_bools, reason = "a row of a table: each flag is a column of its own")]
pub(crate) struct Member {
    /// How its replies are written around their turns.
    pub(crate) response: &'static ResponseRule,
    /// Its names of the roles on the wire.
    pub(crate) roles: &'static [(&'static str, Role)],
    /// Whether its servers refuse redundant keys: one that is `null`, an empty list of calls, a call with its index or without
    /// its type.
    pub(crate) strict: bool,
    /// Whether keys of a tool's definition may be `null`.
    pub(crate) null_tools: bool,
    /// Whether a message must have content, unless it has other parts.
    pub(crate) needs_content: bool,
    /// The keys of a message for reasoning.
    pub(crate) thoughts: &'static [&'static Key],
    /// What its own servers refuse about reasoning under these keys.
    pub(crate) thought_flaw: Option<&'static Flaw>,
    /// The keys in which gateways carry the reasoning of others.
    pub(crate) carriers: &'static [&'static Key],
    /// The key under which a result names its tool.
    pub(crate) result_name: Option<&'static Key>,
    /// Keys of the assistant that may be `null` even where `strict` is set.
    pub(crate) nullable: &'static [&'static Key],
    /// Its words for the choice of tools: the model decides, at least one, none.
    pub(crate) choices: [&'static Key; 3],
    /// Other words that it accepts for at least one.
    pub(crate) also_required: &'static [&'static str],
    /// Whether a choice may allow only some of the tools.
    pub(crate) allows_tools: bool,
    /// The key of the finish reason.
    pub(crate) end: &'static Key,
    /// The key that ends a stream.
    pub(crate) ended: &'static Key,
    /// The meaning of a finish reason.
    pub(crate) meaning: fn(&str) -> Finish,
    /// Keys of a streamed message, beside its content, that hold text for the user.
    pub(crate) told: &'static [&'static Key],
    /// Whether a call of a message may have its index.
    pub(crate) numbers_calls: bool,
    /// Whether each call of a stream is sent whole.
    pub(crate) whole_calls: bool,
    /// Whether a stream sends its calls whole at its end.
    pub(crate) calls_at_end: bool,
}

impl Member {
    /// A server that refuses redundant keys.
    pub(crate) const STRICT: Self = Self {
        response: &response::RULE,
        roles: &[("system", Role::System), ("user", Role::User), ("assistant", Role::Assistant), ("tool", Role::Tool)],
        strict: true,
        null_tools: false,
        needs_content: true,
        thoughts: &[],
        thought_flaw: None,
        carriers: &[],
        result_name: Some(&k::NAME),
        nullable: &[&k::CONTENT],
        choices: [&k::AUTO, &k::REQUIRED, &k::NONE],
        also_required: &[],
        allows_tools: false,
        end: &k::FINISH_REASON,
        ended: &k::FINISH_REASON,
        meaning,
        told: &[],
        numbers_calls: false,
        whole_calls: false,
        calls_at_end: false,
    };
    /// A server that takes redundant keys.
    pub(crate) const LENIENT: Self = Self { strict: false, null_tools: true, numbers_calls: true, ..Self::STRICT };
}

/// What was found under the usual keys of a message with a result. None of them but the role is taken.
pub(crate) struct Usual<S> {
    pub(crate) role: S,
    pub(crate) content: Option<S>,
    /// The id of the call.
    pub(crate) id: Option<S>,
}

/// How a member reads from one kind of source: see the functions of [`Chat`](super::hooks::Chat).
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Chat`")]
pub(crate) struct Reads<S: Source> {
    pub(crate) member: &'static Member,
    pub(crate) limits: &'static Limits,
    pub(crate) keys: &'static ExtraKeys,
    pub(crate) beside: fn(&mut Keys<'_, S>, &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error>,
    pub(crate) around: fn(&mut Keys<'_, S>, &mut Parts<S::H>) -> Result<Option<&'static Flaw>, Error>,
    pub(crate) result: fn(&mut Keys<'_, S>, Usual<S>) -> Result<Answer<S::H>, Error>,
    pub(crate) part: fn(&str, &mut PartDraft<'_, '_, S>) -> Result<Option<Kind<S::H>>, Error>,
}

/// How a member writes into one kind of sink: see the functions of [`Chat`](super::hooks::Chat).
#[expect(clippy::type_complexity, reason = "each is the signature of one function of `Chat`")]
pub(crate) struct Writes<H: Host, K: Sink<H>> {
    pub(crate) member: &'static Member,
    pub(crate) spoken: fn(&mut Writer<'_, '_, H, K>, &Message<'_, H>) -> Result<(), Error>,
    pub(crate) answer: fn(&mut Writer<'_, '_, H, K>, &Item<'_, H>, &Outcome<'_, H>) -> Result<(), Error>,
    pub(crate) around: fn(&mut Writer<'_, '_, H, K>, &[Item<'_, H>]),
    pub(crate) value: fn(&mut Writer<'_, '_, H, K>, &Item<'_, H>, &Raw<H>) -> Result<(), Error>,
    pub(crate) media: fn(&mut Writer<'_, '_, H, K>, &Item<'_, H>, &Shown<'_, H>),
}
