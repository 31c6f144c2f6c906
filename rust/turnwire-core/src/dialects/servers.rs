//! Reads and writes the names that are rows: a shipped row, then each column that differs, as in `openai+system=one`.

mod columns;
mod lists;
mod media;
mod settings;
mod shape;
mod tools;
mod words;

use self::columns::{ALL, Column};
use super::table::ids;
use crate::{
    report::{Error, error::Code},
    rules::{
        Chosen, DialectId, Limits,
        dialect_id::{FIRST_SERVER, SERVERS, Server},
        interned::MOST,
    },
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// The formats whose rows have columns.
const WIRES: [&str; 3] = ["openai", "openai-responses", "anthropic"];
/// The longest name that is read.
const LONGEST: usize = 4096;

/// The canonical name of each short name.
static SHORT: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// A column of a row.
#[derive(Debug)]
pub struct Stated {
    /// Its name.
    pub column: &'static str,
    /// Its value.
    pub value: String,
    /// The value of the row that it is compared with.
    pub was: String,
    /// What it may be.
    pub words: String,
}

/// The row of a name with columns, or of a short name, if it is one.
pub(super) fn named(name: &str) -> Option<Result<DialectId, Error>> {
    let long = SHORT.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    let name = long.as_deref().unwrap_or(name);
    if let Some(number) = SERVERS.number(name) {
        return Some(Ok(id(number)));
    }
    match name.split_once('+') {
        Some((base, rest)) => Some(of(base, rest)),
        // A short name may be one of a shipped row.
        None => long.is_some().then(|| DialectId::named(name)),
    }
}

/// The row with this number.
fn id(number: u16) -> DialectId {
    let facts = SERVERS.at(number).map_or(DialectId::NONE.facts, |server| server.base.facts);
    DialectId { facts, profile: FIRST_SERVER + number }
}

/// The row that differs from `base` in these columns, each `name=value`. The base may differ from a shipped row itself.
pub fn stated<'c>(base: &str, columns: impl IntoIterator<Item = (&'c str, &'c str)>) -> Result<DialectId, Error> {
    let base = DialectId::named(base)?;
    has_columns(base, &base.name())?;
    let mut limits = *base.limits()?;
    for (name, value) in columns {
        let column = column(base, name)?;
        column.set(base, &mut limits, value)?;
    }
    kept(base.base(), &limits)
}

/// Gives a short name to a row, for messages and for the command line.
pub fn call(short: &str, id: DialectId) -> Result<(), Error> {
    let taken = ids().any(|id| id.name() == short);
    if short.is_empty() || taken || short.contains(['+', '=']) {
        let text = format!("expected a short name that is no dialect's and has no + and no =, got {short:?}");
        return Err(Error::new(Code::UnknownOption, text));
    }
    let (name, mut names) = (id.name(), SHORT.lock().unwrap_or_else(PoisonError::into_inner));
    let known = names.entry(short.to_owned()).or_insert_with(|| name.clone());
    if *known == name {
        return Ok(());
    }
    let text = format!("another server is called {short:?}: it is {known:?}");
    Err(Error::new(Code::ConflictingOptions, text))
}

/// The short name of a row, if it has one.
#[must_use]
pub fn short_name(id: DialectId) -> Option<String> {
    let (name, names) = (id.name(), SHORT.lock().unwrap_or_else(PoisonError::into_inner));
    names.iter().find(|(_, long)| **long == name).map(|(short, _)| short.clone())
}

/// Every column of a row, with the value that its base has: for a shipped row, the format itself.
pub fn row(id: DialectId) -> Result<Vec<Stated>, Error> {
    let mine = id.limits()?;
    let base = if id.server().is_some() { id.base() } else { DialectId { facts: id.facts, profile: 0 } };
    let theirs = base.limits()?;
    let of = |column: &'static Column| Stated {
        column: column.name,
        value: column.get(id, mine),
        was: column.get(base, theirs),
        words: column.words(id).say(),
    };
    Ok(ALL.iter().filter(|column| column.is_in(id)).map(of).collect())
}

/// The line of a shipped row: its format, and each column that differs.
pub fn line(id: DialectId) -> Result<String, Error> {
    let differs = row(id)?.into_iter().filter(|one| one.value != one.was);
    let base = if id.server().is_some() { id.base().name() } else { id.facts.name.to_owned() };
    Ok(differs.fold(base, |line, one| format!("{line}+{}={}", one.column, one.value)))
}

fn of(base: &str, rest: &str) -> Result<DialectId, Error> {
    if rest.len() > LONGEST {
        return Err(Error::new(
            Code::UnknownDialect,
            format!("expected at most {LONGEST} characters in the name of a server, got {}", rest.len()),
        ));
    }
    let base = DialectId::named(base)?;
    has_columns(base, &base.name())?;
    let mut limits = *base.limits()?;
    let mut seen: Vec<&str> = Vec::new();
    for item in rest.split('+') {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        let column = column(base, name)?;
        if value.is_empty() {
            let (words, own) = (column.words(base).say(), column.get(base, &limits));
            let text = format!("{name}: expected a value, as in {name}={own}, got none; it may be {words}");
            return Err(Error::new(Code::UnknownDialect, text));
        }
        if seen.contains(&name) {
            return Err(Error::new(
                Code::UnknownDialect,
                format!("{name} is there twice: expected each column once in the name of a server"),
            ));
        }
        seen.push(name);
        column.set(base, &mut limits, value)?;
    }
    kept(base.base(), &limits)
}

/// Keeps a row under its canonical name. A row that does not differ is the shipped one.
fn kept(base: DialectId, limits: &Limits) -> Result<DialectId, Error> {
    contradicts(base, limits)?;
    let theirs = base.limits()?;
    let differs = ALL.iter().filter(|column| column.is_in(base));
    let differs = differs.map(|column| (column.name, column.get(base, limits), column.get(base, theirs)));
    let differs: Vec<_> = differs.filter(|(_, value, was)| value != was).collect();
    if differs.is_empty() {
        return Ok(base);
    }
    let name = differs.iter().fold(base.name(), |name, (column, value, _)| format!("{name}+{column}={value}"));
    let server = Server { base, limits: *limits, name: name.clone() };
    SERVERS.keep(&name, server).map(id).ok_or_else(|| {
        let text = format!("expected at most {MOST} servers in one process: a name is made once and used again");
        Error::new(Code::UnknownDialect, text)
    })
}

fn has_columns(base: DialectId, name: &str) -> Result<(), Error> {
    if WIRES.contains(&base.facts.name) {
        return Ok(());
    }
    let text = format!(
        "no server can be based on {name:?}: expected a row of {} as base, as `turnwire dialects` lists them",
        WIRES.map(|wire| format!("{wire:?}")).join(", ")
    );
    Err(Error::new(Code::UnknownDialect, text))
}

fn column(base: DialectId, name: &str) -> Result<&'static Column, Error> {
    let found = ALL.iter().find(|column| column.name == name);
    if let Some(column) = found.filter(|column| column.is_in(base)) {
        return Ok(column);
    }
    let known = || ALL.iter().filter(|column| column.is_in(base)).map(|column| column.name);
    let whose = if found.is_some() { format!(" of {:?}", base.facts.name) } else { String::new() };
    let meant = if found.is_some() { None } else { super::suggest::meant(name, known().map(str::to_owned)) };
    let meant = meant.map(|one| format!(": did you mean {one:?}?")).unwrap_or_default();
    let columns = known().collect::<Vec<_>>().join(", ");
    let text = format!("{name:?} is no column{whose}{meant} (expected one of {columns}: {})", look(base));
    Err(Error::new(Code::UnknownDialect, text))
}

/// Where a reader finds the columns of a row.
fn look(base: DialectId) -> String {
    format!("`turnwire dialects {}` lists them with their values", base.name())
}

/// Fails for columns that do not go together.
fn contradicts(base: DialectId, limits: &Limits) -> Result<(), Error> {
    let refused = |text: String| Err(Error::new(Code::UnknownDialect, text));
    for (column, chooses) in [("tool_choice", limits.chooses), ("tool_choice_thinking", limits.chooses_thinking)] {
        if !chooses.contains(&Chosen::Auto) {
            let given = tools::said(chooses);
            return refused(format!(
                "{column} needs auto, which every server takes: expected {column}=auto,…, got {column}={given}"
            ));
        }
    }
    let text = shape::contradicts(base, limits);
    text.map_or(Ok(()), |text| refused(format!("{text}; {}", look(base))))
}
