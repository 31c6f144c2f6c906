//! Finds items that ask for something other than the result of the client's calls, and their answers.

use super::links::ran::text_of;
use crate::{
    model::{Kind, Part, Turn},
    rules::{AnswerRule, DialectId},
    value::Host,
};

/// An item that asks or answers.
pub(crate) struct Item {
    /// The name by which an answer finds its item.
    pub(crate) name: Option<String>,
    /// Whether it is the one that asks.
    pub(crate) asks: bool,
    /// Whether it may stay open.
    pub(crate) may_wait: bool,
}

/// The item of a turn, if it goes back to its own format.
pub(crate) fn item_of<H: Host>(turn: &Turn<H>, target: Option<DialectId>) -> Option<Item> {
    let [Part { kind: Kind::Opaque(kind), origin: Some(origin), .. }] = turn.parts.as_slice() else { return None };
    let input = turn.input.as_ref();
    let about = |rule: &&AnswerRule| kind.is(rule.call, input) || kind.is(rule.result, input);
    let rule = turn.from.facts.answers.iter().find(about)?;
    let asks = kind.is(rule.call, input);
    let name = text_of(origin, if asks { rule.id } else { rule.name }, input);
    target.is_none_or(|target| target.same_wire(turn.from)).then_some(Item { name, asks, may_wait: rule.may_wait })
}
