//! Columns about the settings of a body: keys that are refused, the key of the length, words for how much to think, formats.

use super::{
    lists::{forever, word},
    words::{NOTHING, each, flag, listed},
};
use crate::rules::{
    Cell, DialectId, Kind, Limits, Setting,
    settings::{
        WIRES, at,
        levels::{self, SCALE},
        row_settings, rows,
    },
};

pub(super) const LENGTHS: &[&str] = &["max_completion_tokens", "max_tokens"];
pub(super) const EFFORTS: &[&str] = &SCALE;
pub(super) const MODES: &[&str] = &["adaptive", "enabled", "disabled"];
pub(super) const FORMATS: &[&str] = row_settings::FORMATS;

const LENGTH: &str = "max_tokens";
const EFFORT: &str = "reasoning_effort";
const MODE: &str = "reasoning_mode";
const SWITCH: &[&str] = &["thinking.type"];

fn setting(name: &str) -> Option<&'static Setting> {
    rows().find(|row| row.name == name)
}

/// A setting as the format has it.
fn format_cell(id: DialectId, name: &str) -> Option<&'static Cell> {
    let wire = WIRES.iter().position(|wire| *wire == id.facts.name)?;
    setting(name).map(|row| &row.cells[wire])
}

/// A setting as the row has it.
fn cell(id: DialectId, limits: &Limits, name: &str) -> Option<&'static Cell> {
    limits.settings.cell(name).or_else(|| format_cell(id, name))
}

/// Puts a cell into the row, or takes it out.
fn put(limits: &mut Limits, name: &'static str, cell: Option<Cell>) {
    let others = limits.settings.cells.iter().filter(|(known, _)| *known != name).copied();
    let cells: Vec<_> = others.chain(cell.map(|cell| (name, cell))).collect();
    limits.settings.cells = forever(&cells);
}

pub(super) fn max_tokens(id: DialectId, limits: &Limits) -> String {
    let first = cell(id, limits, LENGTH).and_then(|cell| cell.places.first());
    first.copied().unwrap_or(LENGTHS[0]).to_owned()
}
pub(super) fn set_max_tokens(id: DialectId, limits: &mut Limits, value: &str) {
    let older = format_cell(id, LENGTH).filter(|_| value == LENGTHS[1]);
    put(limits, LENGTH, older.map(|cell| Cell { places: &["max_tokens"], ..*cell }));
}

pub(super) fn refuses(_: DialectId, limits: &Limits) -> String {
    let mut keys = limits.settings.refuses.to_vec();
    keys.sort_unstable();
    if keys.is_empty() { NOTHING.to_owned() } else { keys.join(",") }
}
pub(super) fn set_refuses(_: DialectId, limits: &mut Limits, value: &str) {
    limits.settings.refuses = forever(&each(value).map(word).collect::<Vec<_>>());
}

/// The words that mean themselves, in their order.
fn own_words(cell: Option<&Cell>, all: &'static [&'static str]) -> String {
    let Some(Cell { kind: Kind::Words(words), .. }) = cell else { return listed(std::iter::empty()) };
    // An empty list would be spelled like the word.
    listed(all.iter().copied().filter(|word| words.iter().any(|(wire, meant)| wire == word && meant == word)))
}

/// The words for effort, each that is missing as the nearest one.
fn levels(kept: &[&'static str]) -> Kind {
    let bits = SCALE.iter().enumerate().filter(|(_, word)| kept.contains(word)).map(|(at, _)| 1 << at);
    let words = levels::words(SCALE, bits.fold(0, |all, bit: u8| all | bit));
    Kind::Words(forever(&words))
}

/// The words of a switch, each that is missing as the one before it, else as the first.
fn nearest(kept: &[&'static str], all: &'static [&'static str]) -> Kind {
    let near = |at: usize| {
        let is_kept = |word: &&&'static str| kept.contains(*word);
        all[..at].iter().rev().find(is_kept).or_else(|| all[at..].iter().find(is_kept)).copied()
    };
    let own = kept.iter().map(|word| (*word, *word));
    let others = all.iter().enumerate().filter(|(_, word)| !kept.contains(word));
    let others = others.filter_map(|(at, word)| Some((near(at)?, *word)));
    Kind::Words(forever(&own.chain(others).collect::<Vec<_>>()))
}

fn chosen(value: &str, all: &'static [&'static str]) -> Vec<&'static str> {
    all.iter().copied().filter(|word| value.split(',').any(|one| one == *word)).collect()
}

pub(super) fn effort(id: DialectId, limits: &Limits) -> String {
    own_words(cell(id, limits, EFFORT), EFFORTS)
}
pub(super) fn set_effort(id: DialectId, limits: &mut Limits, value: &str) {
    let Some(format) = format_cell(id, EFFORT) else { return };
    let own = own_words(Some(format), EFFORTS) == value;
    put(limits, EFFORT, (!own).then(|| Cell { kind: levels(&chosen(value, EFFORTS)), ..*format }));
}

pub(super) fn with_tools(_: DialectId, limits: &Limits) -> String {
    if limits.settings.effort_with_tools { "any" } else { "none" }.to_owned()
}
pub(super) fn set_with_tools(_: DialectId, limits: &mut Limits, value: &str) {
    limits.settings.effort_with_tools = value == "any";
}

pub(super) fn thinking(id: DialectId, limits: &Limits) -> String {
    own_words(cell(id, limits, MODE), MODES)
}
pub(super) fn set_thinking(id: DialectId, limits: &mut Limits, value: &str) {
    let own = own_words(format_cell(id, MODE), MODES) == value;
    let words = chosen(value, MODES);
    let none = || at(&[], Kind::None);
    let made = || if words.is_empty() { none() } else { at(SWITCH, nearest(&words, MODES)) };
    put(limits, MODE, (!own).then(made));
}

pub(super) fn formats(_: DialectId, limits: &Limits) -> String {
    listed(limits.settings.formats.iter().copied())
}
pub(super) fn set_formats(_: DialectId, limits: &mut Limits, value: &str) {
    limits.settings.formats = forever(&chosen(value, FORMATS));
}

pub(super) fn format_with_tools(_: DialectId, limits: &Limits) -> String {
    flag(limits.settings.format_with_tools)
}
pub(super) fn set_format_with_tools(_: DialectId, limits: &mut Limits, value: &str) {
    limits.settings.format_with_tools = value == "yes";
}
