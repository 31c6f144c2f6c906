//! Reads again the form that a tool's part had, to write it in the same.

use super::keys as k;
use crate::{
    dialects::ai_sdk::reason_or_default,
    model::{Part, ToolResult},
    pairing::links::ran::text_of,
    rules::value_rule::member,
    value::{Host, Input, Key, Text, Value},
    wire::plan::Item,
};

/// The state of a call that the user has allowed or denied.
pub(super) const APPROVAL_RESPONDED: &str = "approval-responded";

/// The form of a part, read from its origin.
pub(super) struct Form<H: Host> {
    pub(super) dynamic: bool,
    pub(super) state: Option<String>,
    /// Whether its output only says how far its tool is.
    pub(super) early: bool,
    /// What its result says if the user denied the call.
    denial: Option<Text<H>>,
    /// The original arguments.
    pub(super) given: Vec<(Text<H>, Value<H>)>,
}

impl<H: Host> Form<H> {
    pub(super) fn of(item: &Item<'_, H>) -> Option<Self> {
        let origin = item.part.filter(|_| item.own)?.origin.as_ref()?;
        let Ok(Value::Map(entries)) = origin.to_value(item.input) else { return None };
        let word = |name: &str| {
            entries.iter().find(|(key, _)| key.is(name, None)).and_then(|(_, value)| match value {
                Value::Text(text) => Some(text.to_str(None).into_owned()),
                _ => None,
            })
        };
        let is_input = |key: &Text<H>| key.is(k::INPUT.name, None) || key.is(k::RAW_INPUT.name, None);
        let given = entries.iter().filter(|(key, _)| is_input(key));
        let early = matches!(member(&entries, k::PRELIMINARY.name), Some(Value::Bool(true)));
        let state = word(k::STATE.name);
        let is = |known: &str| state.as_deref() == Some(known);
        let approval = member(&entries, k::APPROVAL.name);
        let refused =
            || approval.is_some_and(|approval| matches!(under(approval, &k::APPROVED), Some(Value::Bool(false))));
        let reason = || match under(approval?, &k::REASON) {
            Some(Value::Text(reason)) => Some(reason.share()),
            _ => None,
        };
        let denied = is(k::OUTPUT_DENIED.name) || is(APPROVAL_RESPONDED) && refused();
        Some(Self {
            dynamic: word(k::TYPE.name).is_some_and(|word| word == k::DYNAMIC_TOOL.name),
            early: early && is(k::OUTPUT_AVAILABLE.name),
            denial: denied.then(|| reason_or_default(reason())),
            given: given.map(|(key, value)| (key.share(), value.share())).collect(),
            state,
        })
    }

    pub(super) fn is(&self, state: &str) -> bool {
        self.state.as_deref() == Some(state)
    }

    pub(super) fn is_denied(&self) -> bool {
        self.denial.is_some()
    }

    /// Whether a result still says why the user denied the call.
    pub(super) fn denies(&self, result: &ToolResult<H>, input: Option<&Input>) -> bool {
        let both = self.denial.as_ref().zip(result.only_text());
        both.is_some_and(|(reason, said)| *reason.wtf8(None) == *said.wtf8(input))
    }
}

/// Whether a part is in the state of a call that the user has allowed or denied.
pub(super) fn is_answered<H: Host>(part: &Part<H>, input: Option<&Input>) -> bool {
    let state = part.origin.as_ref().and_then(|origin| text_of(origin, k::STATE.name, input));
    state.as_deref() == Some(APPROVAL_RESPONDED)
}

/// The value under a key of an object.
fn under<'v, H: Host>(object: &'v Value<H>, key: &Key) -> Option<&'v Value<H>> {
    if let Value::Map(entries) = object { member(entries, key.name) } else { None }
}
