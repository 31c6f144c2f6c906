//! Keeps the lists of rows that were stated at run time for as long as the process lives, each once.

use std::{
    any::Any,
    sync::{Mutex, PoisonError},
};

static KEPT: Mutex<Vec<&'static (dyn Any + Send + Sync)>> = Mutex::new(Vec::new());

/// A list that lives as long as the process. Equal lists are one, so that no caller can make them without end.
pub(super) fn forever<T: Copy + PartialEq + Send + Sync + 'static>(list: &[T]) -> &'static [T] {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |known: &&'static (dyn Any + Send + Sync)| {
        known.downcast_ref::<&'static [T]>().copied().filter(|known| *known == list)
    };
    if let Some(known) = kept.iter().find_map(same) {
        return known;
    }
    let new: &'static [T] = Box::leak(list.to_vec().into_boxed_slice());
    kept.push(Box::leak(Box::new(new)));
    new
}

/// A word that lives as long as the process.
pub(super) fn word(word: &str) -> &'static str {
    std::str::from_utf8(forever(word.as_bytes())).unwrap_or_default()
}
