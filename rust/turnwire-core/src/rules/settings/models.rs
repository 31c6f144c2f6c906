//! Lists how versions of a wire, and models on it, differ from the wire's column, and finds what differs for one model.

mod claude;
mod gemini;
mod openai;
mod rule;
mod servers;

use self::rule::ModelRule;
use super::cell::Cell;
use crate::rules::model_names;

/// The rules, by maker.
const MAKERS: [&[ModelRule]; 4] = [openai::RULES, claude::RULES, gemini::RULES, servers::RULES];

/// Every rule. For each setting, the one with the longest prefix decides, of those that apply and have its cell.
pub(crate) fn all() -> impl Iterator<Item = &'static ModelRule> {
    MAKERS.into_iter().flatten()
}

/// How many rules may apply to one model.
const MOST: usize = 12;

/// The rules that apply to one model, those with the longest prefix first.
#[derive(Clone, Copy)]
pub(crate) struct Applying([Option<&'static ModelRule>; MOST]);

impl Applying {
    /// Those of a wire for one version and perhaps a model.
    pub(crate) fn to(wire: &str, version: &str, model: Option<&str>) -> Self {
        let mut found = [const { None::<(usize, &'static ModelRule)> }; MOST];
        let mut count = 0;
        for rule in all().filter(|rule| rule.wire == wire && (rule.version.is_empty() || rule.version == version)) {
            let length = || model_names::longest(model?, rule.names, rule.but).map(str::len);
            let Some(length) = (if rule.names.is_empty() { Some(0) } else { length() }) else { continue };
            if let Some(free) = found.get_mut(count) {
                *free = Some((length, rule));
                count += 1;
            }
        }
        found[..count].sort_by_key(|one| std::cmp::Reverse(one.map(|(length, _)| length)));
        Self(found.map(|one| one.map(|(_, rule)| rule)))
    }

    /// The cell of a setting, with whether it is for some models. `on_servers`: by the rules for the models of certain
    /// servers, or by all others.
    pub(crate) fn cell(&self, setting: &str, on_servers: bool) -> Option<(&'static Cell, bool)> {
        let is_on_servers = |rule: &ModelRule| !rule.version.is_empty() && !rule.names.is_empty();
        let mut rules = self.0.iter().map_while(|rule| *rule).filter(|rule| is_on_servers(rule) == on_servers);
        rules.find_map(|rule| Some((rule.cell(setting)?, !rule.names.is_empty())))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, all};
    use crate::rules::model_names;

    /// Every name that a rule knows.
    fn names() -> impl Iterator<Item = &'static str> {
        all().flat_map(|rule| rule.names.iter().chain(rule.but)).copied()
    }

    #[test]
    fn no_model_has_more_rules_than_fit() {
        for name in names() {
            for wire in super::super::WIRES {
                let on_wire = all().filter(|rule| rule.wire == wire);
                let applying = on_wire
                    .filter(|rule| rule.names.is_empty() || model_names::is_among(name, rule.names, rule.but))
                    .count();
                assert!(applying <= MOST, "{applying} rules for {name} on {wire}");
            }
        }
    }

    #[test]
    fn no_two_rules_with_the_same_prefix_have_the_same_cell() {
        for (at, one) in all().enumerate() {
            for other in all().skip(at + 1).filter(|other| (other.wire, other.version) == (one.wire, one.version)) {
                let shared = one.cells.iter().find(|(name, _)| other.cell(name).is_some());
                let both = |name: &str| {
                    let of = |rule: &super::ModelRule| model_names::longest(name, rule.names, rule.but);
                    of(one).is_some() && of(one) == of(other)
                };
                assert!(
                    shared.is_none() || !names().any(both),
                    "{:?} and {:?} both have {:?}",
                    one.names,
                    other.names,
                    shared.map(|(name, _)| name)
                );
            }
        }
    }
}
