//! The limits for replies.

use crate::{
    dialects::registry,
    report::Error,
    rules::{
        ArgsForm, BesideCalls, DialectId, FirstWord, LastWord, Limits, NameRule, PartOrder, ReasoningRule, ResultPlace,
        SilentCalls,
    },
    wire::response::Texts,
};

/// The assistant may speak first, and a reply does not continue anything.
pub(super) fn limits(target: DialectId) -> Result<Limits, Error> {
    let limits = target.limits()?;
    let apart = registry::response_rule(target)?.texts == Texts::Apart;
    Ok(Limits {
        alternates: !apart && limits.order != PartOrder::Elements,
        // Without results, calls need not be in one message.
        results: match limits.results {
            _ if apart => ResultPlace::OneTurn,
            ResultPlace::EachBehindCall => ResultPlace::OneEach,
            place => place,
        },
        blank_text: true,
        blank_answer: true,
        blank_replays: true,
        trailing_space: true,
        silent_calls: SilentCalls::Null,
        starts_with_assistant: FirstWord::Anybody,
        user_needed: false,
        ends_with_assistant: LastWord::Anybody,
        beside_calls: match limits.beside_calls {
            BesideCalls::Nothing => BesideCalls::All,
            other => other,
        },
        // A client reads arguments itself, whatever the model wrote.
        args: match limits.args {
            ArgsForm::ObjectText | ArgsForm::ObjectOrNullText | ArgsForm::JsonText => ArgsForm::Text,
            other => other,
        },
        reasoning: ReasoningRule::Replay,
        // The client itself chose the names of its tools.
        name: NameRule::ANY,
        order: match limits.order {
            PartOrder::Apart => PartOrder::Free,
            other => other,
        },
        ..*limits
    })
}
