//! Keeps values that are made at run time for as long as the process lives, each once, by a number and by a name.

use std::{
    collections::BTreeMap,
    sync::{Mutex, OnceLock, PoisonError},
};

/// How many there may be. None is ever removed.
pub(crate) const MOST: usize = 1024;

/// Values that are made at run time. Reading one by its number takes no lock.
pub(crate) struct Interned<T> {
    values: [OnceLock<T>; MOST],
    numbers: Mutex<BTreeMap<String, u16>>,
}

impl<T> Interned<T> {
    /// None.
    pub(crate) const fn new() -> Self {
        Self { values: [const { OnceLock::new() }; MOST], numbers: Mutex::new(BTreeMap::new()) }
    }

    /// The value with this number.
    pub(crate) fn at(&self, number: u16) -> Option<&T> {
        self.values.get(usize::from(number))?.get()
    }

    /// The number of a name.
    pub(crate) fn number(&self, name: &str) -> Option<u16> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }

    /// Keeps a value, and returns its number. A name that is known keeps its value. `None` if there is no room left.
    pub(crate) fn keep(&self, name: &str, value: T) -> Option<u16> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(name) {
            return Some(*number);
        }
        let number = numbers.len();
        self.values.get(number)?.get_or_init(|| value);
        numbers.insert(name.to_owned(), number as u16);
        Some(number as u16)
    }
}
