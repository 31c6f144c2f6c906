//! Finds items that ask the client for something, and that only their own format knows, and their answers.

use crate::{
    model::{Kind, Part, Turn},
    rules::{AnswerRule, DialectId, Open},
    value::{HashSet, Host, Text, Value},
};

/// Whether the format of a turn has such items, and they go back to it.
pub(crate) fn has_rules<H: Host>(turn: &Turn<H>, target: Option<DialectId>) -> bool {
    !turn.from.facts.answers.is_empty() && is_home(turn.from, target)
}

fn is_home(from: DialectId, target: Option<DialectId>) -> bool {
    target.is_none_or(|target| target.same_wire(from))
}

/// The ids of the calls in these turns that a plain result may answer.
#[cold]
pub(crate) fn ids<'a, H: Host>(turns: impl Iterator<Item = &'a Turn<H>>, target: Option<DialectId>) -> HashSet<String> {
    let named = |turn: &Turn<H>| {
        let (rule, item) = item_of(turn, target)?;
        (item.is(rule.call) && rule.open != Open::Stays).then(|| item.text(&["call_id"]))?
    };
    turns.filter_map(named).collect()
}

/// The members of an item that a rule is about.
pub(crate) struct Item<'a, H: Host> {
    kind: &'a Text<H>,
    turn: &'a Turn<H>,
    value: Value<H>,
}

/// The item of a turn, and its rule.
pub(crate) fn item_of<H: Host>(
    turn: &Turn<H>,
    target: Option<DialectId>,
) -> Option<(&'static AnswerRule, Item<'_, H>)> {
    let [Part { kind: Kind::Opaque(kind), origin: Some(origin), .. }] = turn.parts.as_slice() else { return None };
    let input = turn.input.as_ref();
    let about = |rule: &&AnswerRule| kind.is(rule.call, input) || kind.is(rule.result, input);
    let rule = turn.from.facts.answers.iter().find(about).filter(|_| is_home(turn.from, target))?;
    Some((rule, Item { kind, turn, value: origin.to_value(input).ok()? }))
}

impl<H: Host> Item<'_, H> {
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.is(kind, self.turn.input.as_ref())
    }

    pub(crate) fn is_hosted(&self, rule: &AnswerRule) -> bool {
        rule.hosted.is_some_and(|(path, value)| self.text(path).is_some_and(|text| text == value))
    }

    /// The text at these keys, from the item inwards.
    pub(crate) fn text(&self, path: &[&str]) -> Option<String> {
        let mut value = self.value.share();
        for key in path {
            let Value::Map(entries) = &value else { return None };
            let found = entries.iter().find(|(name, _)| name.is(key, None))?.1.share();
            value = found;
        }
        match value {
            Value::Text(text) => Some(text.to_str(None).into_owned()),
            _ => None,
        }
    }
}
