//! The dialect of an input: its name on the first line, which stays valid when the table changes.

use std::sync::LazyLock;

use turnwire_core::{dialects::table::names, rules::dialect_id::DialectId};

static ALL: LazyLock<Vec<String>> = LazyLock::new(|| names().collect());

/// The dialect that an input begins with, if `may_be` allows it, and the rest of the input. If the fuzzer has changed
/// the name, its first byte selects a dialect.
pub fn dialect(input: &[u8], may_be: impl Fn(DialectId) -> bool) -> Option<(DialectId, &[u8])> {
    let id = |name: &[u8]| std::str::from_utf8(name).ok().and_then(|name| DialectId::named(name).ok());
    if let Some(end) = input.iter().position(|byte| *byte == b'\n')
        && let Some(id) = id(&input[..end]).filter(|id| may_be(*id))
    {
        return Some((id, &input[end + 1..]));
    }
    let (first, rest) = input.split_first()?;
    let all: Vec<_> = ALL.iter().filter_map(|name| id(name.as_bytes())).filter(|id| may_be(*id)).collect();
    Some((all[usize::from(*first) % all.len()], rest))
}
