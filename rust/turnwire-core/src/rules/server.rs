//! Keeps the rows that programs state at run time: each is a shipped row with other columns, and its name says which.

use std::{
    collections::BTreeMap,
    sync::{Mutex, OnceLock, PoisonError},
};

use super::{dialect_id::DialectId, limits::Limits};
use crate::report::{Error, error::Code};

/// A row that was stated at run time.
#[derive(Debug)]
pub(crate) struct Server {
    /// The shipped row that it differs from.
    pub(crate) base: DialectId,
    pub(crate) limits: Limits,
    /// Its canonical name: the base and the columns that differ.
    pub(crate) name: String,
}

/// The number of the first one.
pub(crate) const FIRST: u16 = 256;
/// How many there may be. A name is made once and used again, and none is ever removed.
pub(crate) const MOST: usize = 1024;

static ROWS: [OnceLock<Server>; MOST] = [const { OnceLock::new() }; MOST];
/// The number of each, by its canonical name.
static NUMBERS: Mutex<BTreeMap<String, u16>> = Mutex::new(BTreeMap::new());
/// The canonical name of each short name.
static SHORT: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// The row with this number.
pub(crate) fn at(number: u16) -> Option<&'static Server> {
    ROWS.get(usize::from(number.checked_sub(FIRST)?))?.get()
}

/// The row with this canonical name, if it was stated before.
pub(crate) fn known(name: &str) -> Option<DialectId> {
    let number = *NUMBERS.lock().unwrap_or_else(PoisonError::into_inner).get(name)?;
    at(number).map(|server| DialectId { facts: server.base.facts, profile: number })
}

/// Keeps a row, and returns its id. Equal names have one id.
pub(crate) fn keep(server: Server) -> Result<DialectId, Error> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
    let facts = server.base.facts;
    if let Some(number) = numbers.get(&server.name) {
        return Ok(DialectId { facts, profile: *number });
    }
    let place = numbers.len();
    let Some(row) = ROWS.get(place) else {
        let text = format!("expected at most {MOST} servers in one process: a name is made once and used again");
        return Err(Error::new(Code::UnknownDialect, text));
    };
    let number = FIRST + place as u16;
    numbers.insert(server.name.clone(), number);
    row.get_or_init(|| server);
    Ok(DialectId { facts, profile: number })
}

/// The canonical name of a short name.
pub(crate) fn long(short: &str) -> Option<String> {
    SHORT.lock().unwrap_or_else(PoisonError::into_inner).get(short).cloned()
}

/// Gives a short name to a row. Fails if another row has it.
pub(crate) fn call(short: &str, name: &str) -> Result<(), Error> {
    let mut names = SHORT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = names.entry(short.to_owned()).or_insert_with(|| name.to_owned());
    if known == name {
        return Ok(());
    }
    let text = format!("another server is called {short:?}: it is {known:?}");
    Err(Error::new(Code::ConflictingOptions, text))
}

/// The short name of a row, if it has one.
pub(crate) fn short(name: &str) -> Option<String> {
    let names = SHORT.lock().unwrap_or_else(PoisonError::into_inner);
    names.iter().find(|(_, long)| *long == name).map(|(short, _)| short.clone())
}
