//! Holds the end of a reply in a format's own terms: why it ended and its tokens, or its error.

use super::{
    end::EndWord,
    failure::{Failure, FailureRow},
    rule::ResponseRule,
};
use crate::{
    model::reply::{Finish, Tokens},
    report::{
        loss::{Loss, LossCode, LossKind},
        path::Path,
    },
    value::{
        door::Sink,
        handle::{Host, Raw, Text, Value},
    },
};

/// The end of a whole reply.
pub(crate) struct Closing<H: Host> {
    rule: &'static ResponseRule,
    /// Why it ended.
    pub(crate) finish: Finish,
    /// The format's word for it.
    pub(crate) word: Text<H>,
    counts: Option<Value<H>>,
    /// Losses: a finish that the format has no word for, and missing counts.
    pub(crate) losses: Vec<Loss>,
}

impl<H: Host> Closing<H> {
    /// The end. `None` if the format has no word for it, so that it becomes an error.
    pub(crate) fn of(finish: Finish, tokens: &Tokens, rule: &'static ResponseRule) -> Option<Self> {
        let mut losses = Vec::new();
        let mut tell = |(kind, code): (LossKind, LossCode), at: &'static str, reason: String| {
            losses.push(Loss { kind, code, path: Path::written(at), reason: reason.into() });
        };
        let word = match rule.words.of(finish) {
            EndWord::Says(word) => word,
            EndWord::Nearest(word) => {
                let reason = format!("the target does not have the stop reason {:?}", finish.name());
                tell((LossKind::Lost, LossCode::Finish), rule.end, reason);
                word
            }
            EndWord::Fails => return None,
        };
        let written = rule.usage.write::<H>(tokens);
        let made_up = written.iter().flat_map(|written| &written.made_up);
        made_up.for_each(|key| {
            let reason = "the target requires a count that the reply does not have: it is 0".to_owned();
            tell((LossKind::Changed, LossCode::StandIn), key, reason);
        });
        let counts = written.map(|written| written.counts.value());
        Some(Self { rule, finish, word: Text::own(word), counts, losses })
    }

    /// Writes the tokens under their key, or each under its own key. Writes nothing if they are unknown.
    pub(crate) fn write_usage<K: Sink<H>>(&self, out: &mut K) {
        match (&self.counts, self.rule.usage.key) {
            (Some(counts), Some(key)) => {
                out.key(key);
                out.raw(&Raw::Tree(counts.share()));
            }
            (Some(Value::Map(entries)), None) => {
                for (key, count) in entries.iter() {
                    out.key_text(key);
                    out.raw(&Raw::Tree(count.share()));
                }
            }
            _ => {}
        }
    }

    /// The tokens.
    pub(crate) fn counts(&self) -> Option<&Value<H>> {
        self.counts.as_ref()
    }
}

/// An error in a format's own terms.
pub(crate) struct FailureWords<H: Host> {
    pub(crate) message: Text<H>,
    /// The status that the response would have.
    pub(crate) status: u16,
    /// The format's own type of error.
    pub(crate) kind: Text<H>,
    /// Its code, or the type if it has no code.
    pub(crate) code: Text<H>,
}

impl<H: Host> FailureWords<H> {
    pub(crate) fn of(failure: &Failure<H>, rule: &ResponseRule) -> Self {
        let (FailureRow(_, kind, code), status) = failure.row(rule.failures);
        let code = Text::own(if code.is_empty() { kind } else { code });
        Self { message: failure.message.share(), status, kind: Text::own(kind), code }
    }
}
