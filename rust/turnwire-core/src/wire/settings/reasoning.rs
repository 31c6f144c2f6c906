//! Translates how much the model thinks: the source's word, number or switch becomes the one that the target has.

use super::{
    said::Said,
    told::{Told, changed, lost},
    translation::Translation,
    values,
};
use crate::{
    report::{Settings, Step},
    rules::{
        Cell, Column, EFFORTS, Kind, Setting,
        settings::{budget_of, rows},
    },
    value::{Host, Value},
};

const NO_EFFORT: &str = "the target cannot set how much to reason";

/// How much thinking the source asks for.
enum Asked {
    /// No thinking.
    Off,
    /// An effort, as a word.
    Effort(String),
    /// A number of tokens.
    Budget(f64),
    /// The model decides.
    On,
}

/// The settings that say together how much the model thinks.
pub(super) const REASONING: [&str; 4] = ["reasoning_effort", "reasoning_budget", "reasoning_mode", "reasoning_shown"];

fn row(name: &str) -> Option<&'static Setting> {
    rows().find(|row| row.name == name)
}

/// Whether a setting switches reasoning off.
pub(super) fn is_off<H: Host>(said: &Said<H>) -> bool {
    let is = |word: &str| matches!(&said.value, Value::Text(text) if text.is(word, None));
    match said.setting.name {
        "reasoning_budget" => values::number(&said.value) == Some(0.0),
        "reasoning_effort" => is("none"),
        "reasoning_mode" => is("disabled"),
        _ => false,
    }
}

impl<H: Host> Translation<'_, H> {
    /// Writes how much the model thinks, and whether it shows its thoughts.
    pub(super) fn write_reasoning(&mut self, given: Option<&Settings>) {
        let all = ["reasoning_effort", "reasoning_budget", "reasoning_mode"].map(|name| self.take(name));
        self.shown();
        let [effort, tokens, mode] = all;
        let word = |said: &Said<H>| match &said.value {
            Value::Text(word) => word.to_str(None).into_owned(),
            _ => String::new(),
        };
        // A budget below zero leaves the budget to the model.
        let is_number = |said: &Said<H>| values::number(&said.value).is_some_and(|number| number > 0.0);
        let off = [&effort, &tokens, &mode].into_iter().flatten().find(|said| is_off(said)).map(|said| said.at.clone());
        let (asked, at) = if let Some(at) = off {
            (Asked::Off, at)
        } else if let Some(said) = &effort {
            (Asked::Effort(word(said)), said.at.clone())
        } else if let Some(said) = tokens.as_ref().filter(|said| is_number(said)) {
            (Asked::Budget(values::number(&said.value).unwrap_or_default()), said.at.clone())
        } else if let Some(said) = mode.as_ref().or(tokens.as_ref()) {
            (Asked::On, said.at.clone())
        } else {
            return;
        };
        let alone = row("reasoning_effort").and_then(|row| self.to.cell(row).with_tools).and_then(why_refused);
        let alone = alone.or((!self.to.row().effort_with_tools).then_some("the target does not think beside tools"));
        let alone = alone.filter(|_| self.has_tools());
        let told = match asked {
            Asked::Effort(_) | Asked::Budget(_) | Asked::On if alone.is_some() => {
                let _ = self.off(&at);
                lost(alone.unwrap_or_default())
            }
            Asked::Off => {
                let others = [&effort, &tokens, &mode].into_iter().flatten().filter(|said| !is_off(said));
                for other in others {
                    self.tell(&other.at, lost("the request turns reasoning off: its effort is left out"));
                }
                self.off(&at)
            }
            Asked::Effort(word) => {
                if let Some(other) = tokens.as_ref().filter(|said| is_number(said)) {
                    self.tell(&other.at, lost("the target accepts a word or a number, not both"));
                }
                self.effort(&word, &at, given)
            }
            Asked::Budget(number) => self.budget(number, &at, given),
            Asked::On => self.on(&at),
        };
        self.tell(&at, told);
    }

    /// Whether the target can be told not to think.
    pub(super) fn can_rest(&self) -> bool {
        let has = |name: &str, word: &str| match row(name).map(|row| self.to.cell(row).kind) {
            Some(Kind::Words(words)) => {
                let wire = words.iter().find(|(_, meant)| *meant == word).map(|(wire, _)| *wire);
                wire.is_some_and(|wire| {
                    words.iter().find(|(other, _)| *other == wire).is_some_and(|(_, back)| *back == word)
                })
            }
            Some(Kind::Switch(_, off)) => off == word,
            Some(Kind::Integer(least, _)) => least <= 0.0,
            _ => false,
        };
        has("reasoning_mode", "disabled") || has("reasoning_effort", "none") || has("reasoning_budget", "")
    }

    /// Writes whether thoughts are shown.
    fn shown(&mut self) {
        let Some(said) = self.take("reasoning_shown") else { return };
        let cell = self.to.cell(said.setting);
        let (value, told) = values::written(&said, cell);
        self.tell(&said.at, told);
        if let Some(value) = value {
            self.entries.add(said.setting, cell, value, Some(said.at));
        }
    }

    fn cell(&self, name: &str) -> Option<(&'static Setting, &'static Cell)> {
        let setting = row(name)?;
        Some((setting, self.to.cell(setting))).filter(|(_, cell)| cell.is_said())
    }

    /// Writes a word for a setting. Reports nothing if the target has another setting under the same key.
    fn word(&mut self, name: &str, word: &str, at: &[Step]) -> Option<Told> {
        let (setting, cell) = self.cell(name)?;
        if cell.places.first().is_some_and(|place| self.entries.is_taken(place)) {
            return Some(None);
        }
        let said = Said { setting, value: values::word(word), at: at.to_vec() };
        let (value, told) = values::written(&said, cell);
        self.entries.add(setting, cell, value?, Some(at.to_vec()));
        Some(told)
    }

    /// Writes a number of tokens.
    fn tokens(&mut self, number: f64, at: &[Step]) -> Option<Told> {
        let (setting, cell) = self.cell("reasoning_budget")?;
        let Kind::Integer(least, most) = cell.kind else { return None };
        let (value, told) = values::within(&values::numeral(number), least, most);
        self.entries.add(setting, cell, value?, Some(at.to_vec()));
        Some(told)
    }

    /// Switches thinking on, if the target has a switch beside the word or the number. Reports nothing itself.
    fn switched_on(&mut self, number: bool, at: &[Step]) -> Option<Told> {
        // Anthropic accepts either adaptive thinking or a number, never both.
        let first = if number { "enabled" } else { "adaptive" };
        self.word("reasoning_mode", first, at).or_else(|| self.word("reasoning_mode", "enabled", at))
    }

    fn off(&mut self, at: &[Step]) -> Told {
        let said = self
            .word("reasoning_mode", "disabled", at)
            .or_else(|| self.word("reasoning_effort", "none", at))
            .or_else(|| self.tokens(0.0, at));
        said.unwrap_or_else(|| self.no_word("the target cannot turn reasoning off"))
    }

    fn effort(&mut self, word: &str, at: &[Step], given: Option<&Settings>) -> Told {
        if let Some(told) = self.word("reasoning_effort", word, at) {
            let is_apart =
                self.cell("reasoning_mode").is_some_and(|(_, cell)| cell.excludes.contains(&"reasoning_effort"));
            if !is_apart {
                self.switched_on(false, at);
            }
            return told;
        }
        if self.cell("reasoning_budget").is_none() {
            return match self.switched_on(false, at) {
                Some(_) => changed(format!("the target can turn reasoning on, but not set how much: {word:?}")),
                None => self.no_word(NO_EFFORT),
            };
        }
        let Some(number) = budget(word, self.to.wire(), given) else {
            self.switched_on(true, at);
            return changed(format!("the target has no number for {word:?}, and decides how much to reason"));
        };
        let told = self.tokens(f64::from(number), at).flatten();
        self.switched_on(true, at);
        told.or_else(|| changed(format!("the target counts tokens: {word:?} is {number}")))
    }

    fn budget(&mut self, number: f64, at: &[Step], given: Option<&Settings>) -> Told {
        if self.cell("reasoning_effort").is_some() {
            let wire = self.from.map_or("", Column::wire);
            let below =
                |word: &&str| budget(word, wire, given).is_some_and(|tokens| tokens > 0 && f64::from(tokens) <= number);
            let words = EFFORTS.iter().map(|effort| effort.word);
            // Two words may have the same number. Then the plainer word wins.
            let word = words.filter(below).fold("minimal", |best, word| {
                if budget(word, wire, given) == budget(best, wire, given) && best != "minimal" { best } else { word }
            });
            let told = self.word("reasoning_effort", word, at);
            self.switched_on(false, at);
            let said = changed(format!("the target requires a word: {number} tokens are about {word:?}"));
            return if told.is_some() { said } else { lost("the target cannot express so few tokens") };
        }
        let told = self.tokens(number, at);
        let switched = self.switched_on(true, at);
        match (told, switched) {
            (Some(told), _) => told,
            (None, Some(_)) => changed("the target can turn reasoning on, but not set how much"),
            (None, None) => self.no_word(NO_EFFORT),
        }
    }

    fn on(&mut self, at: &[Step]) -> Told {
        if self.cell("reasoning_effort").is_none()
            && self.cell("reasoning_mode").is_none()
            && self.cell("reasoning_budget").is_none()
        {
            return self.no_word("the target cannot turn reasoning on");
        }
        // If a budget has a minimum, the target refuses the switch alone.
        let least = self.cell("reasoning_budget").map(|(_, cell)| cell.kind);
        let needs_number = matches!(least, Some(Kind::Integer(least, _)) if least > 0.0)
            && self.cell("reasoning_mode").is_some()
            && self.cell("reasoning_effort").is_none();
        if needs_number {
            let told = self.effort("medium", at, None);
            return told.and(changed("the target requires a number of tokens: as many as for medium"));
        }
        match self.switched_on(false, at) {
            Some(told) => told,
            None => changed("the request does not say how much to reason, so the target decides"),
        }
    }

    /// Why the target has no word for it.
    fn no_word(&self, reason: &'static str) -> Told {
        let refused = ["reasoning_effort", "reasoning_budget", "reasoning_mode"].into_iter().filter_map(row);
        lost(refused.map(|row| self.to.cell(row).kind).find_map(why_refused).unwrap_or(reason))
    }
}

fn why_refused(kind: Kind) -> Option<&'static str> {
    if let Kind::Refused(why) = kind { Some(why) } else { None }
}

/// The number of tokens for an effort word. The caller's own number wins.
fn budget(word: &str, wire: &str, given: Option<&Settings>) -> Option<u32> {
    let own = given.and_then(|given| given.effort_budgets.iter().find(|(known, _)| known == word));
    own.map(|(_, tokens)| *tokens).or_else(|| {
        let effort = EFFORTS.iter().find(|effort| effort.word == word)?;
        budget_of(effort, wire)
    })
}
