//! Columns about tools: their schemas, their names, their arguments, and the choice of them.

use super::{
    lists::forever,
    words::{flag, listed},
};
use crate::rules::{ArgsForm, Chosen, DialectId, Limits, StrictFlag, limits::ToolRule};

pub(super) const ARGUMENTS: &[&str] = &["text", "json", "object"];
pub(super) const STRICT: &[&str] = &["kept", "alike", "left_out"];
pub(super) const SCHEMAS: &[&str] = &["openai", "moonshot", "draft7", "gemini", "any"];
pub(super) const CHOICES: &[&str] = &["auto", "none", "required", "named"];

const FORMS: [ArgsForm; 3] = [ArgsForm::Text, ArgsForm::JsonText, ArgsForm::ObjectText];
pub(super) fn arguments(_: DialectId, limits: &Limits) -> String {
    ARGUMENTS[FORMS.iter().position(|form| *form == limits.args).unwrap_or_default()].to_owned()
}
pub(super) fn set_arguments(_: DialectId, limits: &mut Limits, value: &str) {
    limits.args = FORMS[ARGUMENTS.iter().position(|word| *word == value).unwrap_or_default()];
}

pub(super) fn parameters(_: DialectId, limits: &Limits) -> String {
    if limits.tool.needed { "always" } else { "optional" }.to_owned()
}
pub(super) fn set_parameters(_: DialectId, limits: &mut Limits, value: &str) {
    limits.tool.needed = value == "always";
}

const FLAGS: [StrictFlag; 3] = [StrictFlag::Kept, StrictFlag::Alike, StrictFlag::LeftOut];
pub(super) fn strict(_: DialectId, limits: &Limits) -> String {
    STRICT[FLAGS.iter().position(|one| *one == limits.tool.strict_flag).unwrap_or_default()].to_owned()
}
pub(super) fn set_strict(_: DialectId, limits: &mut Limits, value: &str) {
    limits.tool.strict_flag = FLAGS[STRICT.iter().position(|word| *word == value).unwrap_or_default()];
}

const RULES: [ToolRule; 5] = [ToolRule::OPENAI, ToolRule::MOONSHOT, ToolRule::MISTRAL, ToolRule::GEMINI, ToolRule::ANY];
/// Whether two rules ask the same of a schema.
fn is_same(one: &ToolRule, other: &ToolRule) -> bool {
    let of = |rule: &ToolRule| (rule.draft, rule.keys, rule.refused, rule.references, rule.typed);
    of(one) == of(other)
}
pub(super) fn schema(_: DialectId, limits: &Limits) -> String {
    SCHEMAS[RULES.iter().position(|rule| is_same(rule, &limits.tool)).unwrap_or_default()].to_owned()
}
pub(super) fn set_schema(_: DialectId, limits: &mut Limits, value: &str) {
    let rule = RULES[SCHEMAS.iter().position(|word| *word == value).unwrap_or_default()];
    let ToolRule { needed, strict, strict_flag, .. } = limits.tool;
    limits.tool = ToolRule { needed, strict, strict_flag, ..rule };
}

/// A number, or no limit.
fn count(limit: usize) -> String {
    if limit == usize::MAX { "any".to_owned() } else { limit.to_string() }
}
pub(super) fn tools_max(_: DialectId, limits: &Limits) -> String {
    count(limits.tools_max)
}
pub(super) fn set_tools_max(_: DialectId, limits: &mut Limits, value: &str) {
    limits.tools_max = value.parse().unwrap_or(usize::MAX);
}
pub(super) fn name_length(_: DialectId, limits: &Limits) -> String {
    count(limits.name.max)
}
pub(super) fn set_name_length(_: DialectId, limits: &mut Limits, value: &str) {
    limits.name.max = value.parse().unwrap_or(usize::MAX);
}

pub(super) fn custom(_: DialectId, limits: &Limits) -> String {
    flag(limits.free_text)
}
pub(super) fn set_custom(_: DialectId, limits: &mut Limits, value: &str) {
    limits.free_text = value == "yes";
}

const CHOSEN: [Chosen; 4] = [Chosen::Auto, Chosen::None, Chosen::Required, Chosen::One];
/// The words of choices.
pub(super) fn said(chosen: &[Chosen]) -> String {
    listed(CHOICES.iter().copied().zip(CHOSEN).filter(|(_, one)| chosen.contains(one)).map(|(word, _)| word))
}
fn meant(value: &str) -> &'static [Chosen] {
    let places = value.split(',').filter_map(|word| CHOICES.iter().position(|known| *known == word));
    forever(&places.map(|at| CHOSEN[at]).collect::<Vec<_>>())
}
pub(super) fn choice(_: DialectId, limits: &Limits) -> String {
    said(limits.chooses)
}
pub(super) fn set_choice(_: DialectId, limits: &mut Limits, value: &str) {
    limits.chooses = meant(value);
}
pub(super) fn thinking(_: DialectId, limits: &Limits) -> String {
    said(limits.chooses_thinking)
}
pub(super) fn set_thinking(_: DialectId, limits: &mut Limits, value: &str) {
    limits.chooses_thinking = meant(value);
}
