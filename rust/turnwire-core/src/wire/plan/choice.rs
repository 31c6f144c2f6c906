//! Decides which choice of tools the target gets: what it takes depends on whether the model thinks.

use super::of_model;
use crate::{
    model::{Among, Choice, ChoiceKind, Frame, RestKey, choice},
    rules::{Chosen, Target},
    value::{Host, Text, Value},
};

/// Why a choice is another one, or is left out.
pub(crate) const WHY: &str = "the target does not take this choice of tools";
/// The same while the model thinks.
pub(crate) const WHILE_THINKING: &str = "the target does not take this choice of tools while the model thinks";

/// Why a choice names fewer tools.
pub(crate) const GONE: &str = "the chosen tool is left out";
const NO_LIMIT: &str = "the target cannot limit the choice to some of the tools";
/// The same of a model.
const BY_MODEL: &str = "the model does not take this choice of tools";
/// The same of a model that takes none.
const NO_CHOICE: &str = "the model takes no choice of tools";

/// A choice as the table of limits names it. `None` for one that only its own format knows.
pub(crate) fn named<H: Host>(kind: &ChoiceKind<H>) -> Option<Chosen> {
    match kind {
        ChoiceKind::Required | ChoiceKind::Among(Among { must: true, .. }) => Some(Chosen::Required),
        ChoiceKind::Auto | ChoiceKind::Among(_) => Some(Chosen::Auto),
        ChoiceKind::None => Some(Chosen::None),
        ChoiceKind::Tool(_) => Some(Chosen::One),
        ChoiceKind::Opaque => None,
    }
}

/// What becomes of a choice among some tools.
pub(crate) enum Limited<H: Host> {
    /// It stays.
    Stays,
    /// This choice means the same: there is only one tool, which must be called.
    Same(ChoiceKind<H>),
    /// Some of it is lost: what is left, and why.
    Less(ChoiceKind<H>, &'static str),
}

/// What becomes of a choice among some of the tools of a request.
pub(crate) fn limited<H: Host>(target: &Target<'_>, frame: &Frame<H>, among: &Among<H>) -> Limited<H> {
    let takes = (target.id.facts.limits_choice)(target.limits);
    let left: Vec<_> = among.tools.iter().filter(|one| is_chosen(frame, one)).collect();
    let whole = left.len() == among.tools.len();
    match left.as_slice() {
        _ if takes && whole => Limited::Stays,
        [only] if whole && among.must && only.group.is_none() => Limited::Same(ChoiceKind::Tool(only.name.share())),
        [_, ..] if takes => {
            let tools = left.iter().map(|one| one.share()).collect();
            Limited::Less(ChoiceKind::Among(Among { must: among.must, tools }), GONE)
        }
        _ => {
            let all = if among.must { ChoiceKind::Required } else { ChoiceKind::Auto };
            Limited::Less(all, if left.is_empty() { GONE } else { NO_LIMIT })
        }
    }
}

/// Whether a chosen tool is there: by itself, or in its group.
fn is_chosen<H: Host>(frame: &Frame<H>, one: &choice::Chosen<H>) -> bool {
    let Some(group) = &one.group else { return is_there(frame, &one.name) };
    let input = frame.input.as_ref();
    let is = |own: &Text<H>, other: &Text<H>| own.wtf8(input) == other.wtf8(input);
    let mut members = frame.tools.iter().flatten().flat_map(|tool| &tool.functions);
    members.any(|tool| is(&tool.name, &one.name) && tool.namespace.as_ref().is_some_and(|own| is(own, group)))
}

/// Whether a tool of the caller's has this name.
pub(crate) fn is_there<H: Host>(frame: &Frame<H>, name: &Text<H>) -> bool {
    let input = frame.input.as_ref();
    let mut tools = frame.tools.iter().flatten().filter(|tool| !tool.by_provider);
    tools.any(|tool| tool.name.wtf8(input) == name.wtf8(input))
}

/// What becomes of a choice.
pub(crate) enum Fate {
    /// It stays.
    Stays,
    /// Another one means the same: there is only one tool.
    Required(&'static str),
    /// It is left out.
    LeftOut(&'static str),
}

/// What becomes of a choice among the tools of a request.
pub(crate) fn fate<H: Host>(target: &Target<'_>, frame: &Frame<H>, choice: &Choice<H>) -> Fate {
    let Some(chosen) = named(&choice.kind) else { return Fate::Stays };
    let limits = target.limits;
    let of_model = of_model::choices(target, frame);
    if of_model.is_some_and(<[_]>::is_empty) {
        return Fate::LeftOut(NO_CHOICE);
    }
    let takes = |chosen| limits.chooses.contains(&chosen) && of_model.is_none_or(|model| model.contains(&chosen));
    // Few rows differ while the model thinks.
    let apart = limits.chooses_thinking.len() < Chosen::ALL.len() && thinks(frame);
    let takes_now = |chosen| takes(chosen) && (!apart || limits.chooses_thinking.contains(&chosen));
    if takes_now(chosen) || chosen == Chosen::Auto {
        return Fate::Stays;
    }
    let why = match (takes(chosen), limits.chooses.contains(&chosen)) {
        (true, _) => WHILE_THINKING,
        (false, true) => BY_MODEL,
        (false, false) => WHY,
    };
    let mut tools = frame.tools.iter().flatten().filter(|tool| !tool.by_provider);
    let is_only = tools.next().is_some() && tools.next().is_none();
    if chosen == Chosen::One && is_only && takes_now(Chosen::Required) {
        Fate::Required(why)
    } else {
        Fate::LeftOut(why)
    }
}

/// Whether the model thinks, as far as the body says: most models that may think do so by default.
fn thinks<H: Host>(frame: &Frame<H>) -> bool {
    let input = frame.input.as_ref();
    let value = |name: &str| {
        let mut keys = frame.rest.iter().flat_map(|rest| &rest.keys);
        keys.find(|one: &&RestKey<H>| one.key.is(name, input)).and_then(|one| one.value.to_value(input).ok())
    };
    let word = |value: &Value<H>, word: &str| matches!(value, Value::Text(text) if text.is(word, None));
    let inside = |value: &Value<H>, name: &str| match value {
        Value::Map(entries) => {
            entries.iter().find(|(key, _): &&(Text<H>, Value<H>)| key.is(name, None)).map(|(_, value)| value.share())
        }
        _ => None,
    };
    if let Some(kind) = value("thinking").and_then(|value| inside(&value, "type")) {
        return !word(&kind, "disabled");
    }
    let flag = value("enable_thinking").or_else(|| {
        value("chat_template_kwargs")
            .and_then(|all| inside(&all, "enable_thinking").or_else(|| inside(&all, "thinking")))
    });
    if let Some(Value::Bool(flag)) = flag {
        return flag;
    }
    value("reasoning_effort").is_none_or(|effort| !word(&effort, "none"))
}
