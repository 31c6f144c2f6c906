//! Formats whose elements say one thing each: a text, a call or a result, whatever stood together elsewhere.
//!
//! Such a format pairs calls and results by their order, so ids have no place in it.

use super::{by_order, writer::Writer};
use crate::{
    model::turn::Role,
    report::error::Error,
    value::{
        door::Sink,
        handle::{Host, Text},
    },
    wire::plan::{Item, Message, Outcome, Said},
};

/// What one element says.
pub(crate) enum One<'i, 'a, H: Host> {
    /// Texts, to be joined.
    Text(&'i [Item<'a, H>]),
    /// One call, or several that stand together; and the texts before them, where those stand with them.
    Calls(&'i [Item<'a, H>], &'i [Item<'a, H>]),
    Result(&'i Item<'a, H>, &'i Outcome<'a, H>),
    /// Several of one run.
    Results(&'i [Item<'a, H>]),
}

/// What may stand together in one element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Together {
    /// Nothing but texts.
    Texts,
    /// Calls that stood so in the target's own.
    OwnCalls,
    /// All calls side by side, with what the assistant says before them, and all their results.
    Runs,
}

/// What a format's elements hold.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// What one may hold several of.
    pub(crate) together: Together,
    /// Whether a result names its tool.
    pub(crate) named: bool,
}

/// Gives what a message says to `write`, one after the other, and what nobody knows of its turn behind the first.
pub(crate) fn each<'w, 'a, H: Host, K: Sink<H>>(
    w: &mut Writer<'w, H, K>,
    message: &Message<'a, H>,
    form: Form,
    mut write: impl FnMut(&mut Writer<'w, H, K>, &One<'_, 'a, H>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rest = message.items.as_slice();
    let mut first = true;
    while first || !rest.is_empty() {
        let (one, count) = match rest.first().map(|item| (item, &item.said)) {
            Some((item, Said::Call(_))) => {
                let count = match form.together {
                    Together::Texts => 1,
                    Together::OwnCalls => rest.iter().take_while(|next| stood_with(item, next)).count().max(1),
                    Together::Runs => calls(rest),
                };
                (One::Calls(&rest[..count], &[]), count)
            }
            Some((_, Said::Result(_))) if form.together == Together::Runs && results(rest) > 1 => {
                let count = results(rest);
                (One::Results(&rest[..count]), count)
            }
            Some((item, Said::Result(outcome))) => (One::Result(item, outcome), 1),
            _ => {
                let count = rest.iter().take_while(|item| is_text(item)).count();
                let (said, behind) = rest.split_at(count);
                match calls(behind) {
                    some if some > 0 && form.together == Together::Runs && !is_blank(said) => {
                        (One::Calls(&behind[..some], said), count + some)
                    }
                    _ => (One::Text(said), count),
                }
            }
        };
        if let One::Text(texts) = one
            && message.role == Role::Assistant
            && count < message.items.len()
            && is_blank(texts)
        {
            for item in texts {
                w.silent_lost(item.text().is_some_and(Text::is_empty), w.path_of(item))?;
            }
            rest = &rest[count..];
            continue;
        }
        w.provenance.sources.push(message.sources_of(&rest[..count]));
        w.out.scope(rest.first().and_then(|item| item.input));
        w.out.open_map();
        for item in rest[..count].iter().filter(|_| !form.named) {
            if let Said::Result(outcome) = &item.said {
                w.result_name_lost(item, outcome.result)?;
            }
        }
        write(w, &one)?;
        if first {
            w.message_extras(message);
        }
        w.out.close();
        let calls = message.role == Role::Assistant || matches!(one, One::Calls(..));
        by_order::wrote(w, &rest[..count], calls, form.named)?;
        (rest, first) = (&rest[count..], false);
    }
    Ok(())
}

/// How many calls stand side by side.
fn calls<H: Host>(items: &[Item<'_, H>]) -> usize {
    items.iter().take_while(|item| matches!(item.said, Said::Call(_))).count()
}

fn is_blank<H: Host>(texts: &[Item<'_, H>]) -> bool {
    texts.iter().all(|item| item.text().is_some_and(|text| text.is_blank(item.input)))
}

/// How many results stand side by side.
fn results<H: Host>(items: &[Item<'_, H>]) -> usize {
    items.iter().take_while(|item| matches!(item.said, Said::Result(_))).count()
}

fn is_text<H: Host>(item: &Item<'_, H>) -> bool {
    !matches!(item.said, Said::Call(_) | Said::Result(_))
}

/// Whether both are calls of one element of the target's own.
fn stood_with<H: Host>(item: &Item<'_, H>, next: &Item<'_, H>) -> bool {
    matches!(next.said, Said::Call(_)) && item.own && next.own && item.site.0 == next.site.0
}
