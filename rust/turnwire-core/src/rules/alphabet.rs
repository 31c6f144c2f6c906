//! Lists the bytes that a target accepts in an id or a name.

/// A set of bytes: a table, because every byte of every id is looked up.
#[derive(Debug, PartialEq, Eq)]
pub struct Alphabet([bool; 256]);

impl Alphabet {
    /// Any byte.
    pub const ANY: &'static Self = &Self([true; 256]);
    /// ASCII letters and digits.
    pub const ALPHANUMERIC: &'static Self = &Self::of(b"");
    /// Letters, digits, `_` and `-`.
    pub const WORD: &'static Self = &Self::of(b"_-");

    /// Letters and `_`: the first characters of names in most languages.
    pub const FIRST: &'static Self = &Self::of(b"_").without(b"0123456789");

    /// ASCII letters, digits, and `more`.
    #[must_use]
    pub const fn of(more: &[u8]) -> Self {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        let mut at = 0;
        while at < more.len() {
            table[more[at] as usize] = true;
            at += 1;
        }
        Self(table)
    }

    /// The set without these bytes.
    #[must_use]
    pub const fn without(self, less: &[u8]) -> Self {
        let mut table = self.0;
        let mut at = 0;
        while at < less.len() {
            table[less[at] as usize] = false;
            at += 1;
        }
        Self(table)
    }

    /// Whether `byte` is allowed.
    #[must_use]
    pub const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// Whether all of `bytes` are allowed.
    #[must_use]
    pub fn has_all(&self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| self.has(*byte))
    }
}
