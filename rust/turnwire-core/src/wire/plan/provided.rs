//! Finds the keys of the target's own that lie among another format's options, such as the id of an item.

use super::{item::Provided, options::all_named, planner::Planner};
use crate::{
    model::{Kind, Part, Role, Turn},
    report::ReasoningChoice,
    rules::{
        carrier::Maker,
        option_rule::{ID, Means},
    },
    value::{Host, Value},
};

impl<'a, H: Host> Planner<'a, H> {
    /// The keys of the target's own that lie among the options of a part of the assistant's.
    pub(super) fn provided(&mut self, turn: &'a Turn<H>, part: &Part<H>) -> Provided<H> {
        let said = matches!(part.kind, Kind::Text(_) | Kind::Call(_)) && turn.role == Role::Assistant;
        let facts = self.target.id.facts;
        let (Some(rule), Some(extras)) = (turn.from.facts.options, part.extras.as_deref().filter(|_| said)) else {
            return Vec::new();
        };
        if facts.maker != Some(Maker::OpenAi) {
            return Vec::new();
        }
        let keys: &[&str] = if matches!(part.kind, Kind::Call(_)) { &["namespace", "caller"] } else { &["phase"] };
        let given = rule.of_extras(extras, turn.input.as_ref());
        let id = rule.text(&given, Means::Item).filter(|_| self.ids_stay(turn));
        let named = id.map(|id| (ID, Value::Text(id)));
        let found = |key: &&'static str| {
            let (_, value) = rule.first_for(&given, Means::Key(key), facts.provider)?;
            Some((*key, value.share()))
        };
        named.into_iter().chain(keys.iter().filter_map(found)).collect()
    }

    /// Whether the items of a turn keep their ids. Servers want all ids of a reply, or none.
    pub(super) fn ids_stay(&mut self, turn: &'a Turn<H>) -> bool {
        if let Some((_, stay)) = self.ids.filter(|(known, _)| std::ptr::eq(*known, turn)) {
            return stay;
        }
        let takes = self.target.id.facts.maker == Some(Maker::OpenAi) && self.target.limits.has_items();
        let reasons = self.target.options.reasoning != ReasoningChoice::Drop;
        let rule = turn.from.facts.options.filter(|_| takes && reasons && !turn.touched);
        let stay = rule.is_some_and(|rule| all_named(rule, &turn.parts, turn.input.as_ref()));
        self.ids = Some((turn, stay));
        stay
    }
}
