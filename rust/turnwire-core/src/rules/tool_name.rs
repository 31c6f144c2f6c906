//! Checks the names of tools, and makes a legal name from a refused one.

use super::{alphabet::Alphabet, limits::Limits};
use crate::value::{Host, Input, Text};

/// The form of a tool's name.
#[derive(Clone, Copy, Debug)]
pub struct NameRule {
    /// The largest number of characters.
    pub max: usize,
    /// The allowed bytes.
    pub alphabet: &'static Alphabet,
    /// The allowed first bytes.
    pub first: &'static Alphabet,
}

/// What a target makes of the name of a tool.
pub(crate) enum ToolName {
    Fine,
    /// It needs this one.
    Legal(String),
    /// No legal one can be made of it.
    Refused,
}

impl Limits {
    /// What it makes of the name of a tool.
    pub(crate) fn tool_name<H: Host>(&self, name: &Text<H>, input: Option<&Input>) -> ToolName {
        if self.name.allows(&name.wtf8(input)) {
            return ToolName::Fine;
        }
        self.name.legal(&name.to_str(input)).map_or(ToolName::Refused, ToolName::Legal)
    }

    /// The name that it gets of this one. A name that it refuses stays.
    pub(crate) fn legal_name<H: Host>(&self, name: &Text<H>, input: Option<&Input>) -> String {
        match self.tool_name(name, input) {
            ToolName::Legal(name) => name,
            ToolName::Fine | ToolName::Refused => name.to_str(input).into_owned(),
        }
    }
}

/// How many hexadecimal digits distinguish a new name.
const DIGITS: usize = 8;

impl NameRule {
    /// Any text except the empty one.
    pub(crate) const ANY: Self = Self { max: usize::MAX, alphabet: Alphabet::ANY, first: Alphabet::ANY };

    /// Whether `name` is allowed.
    #[must_use]
    #[inline]
    pub fn allows(&self, name: &[u8]) -> bool {
        name.first().is_some_and(|first| self.first.has(*first)) && fits(name, self.max) && self.alphabet.has_all(name)
    }

    /// The legal name for a refused one. `None` if the rule leaves no room for it.
    ///
    /// It depends on the name alone, so other tools do not change it. A hash at its end distinguishes it from similar
    /// legal names and from other long ones.
    #[must_use]
    pub fn legal(&self, name: &str) -> Option<String> {
        if self.allows(name.as_bytes()) {
            return Some(name.to_owned());
        }
        let filler = ['_', '-'].into_iter().find(|filler| self.alphabet.has(*filler as u8));
        let mut made = String::with_capacity(name.len() + DIGITS + 2);
        for character in name.chars() {
            let mut bytes = [0; 4];
            if self.alphabet.has_all(character.encode_utf8(&mut bytes).as_bytes()) {
                made.push(character);
            } else {
                made.extend(filler);
            }
        }
        if !made.bytes().next().is_some_and(|first| self.first.has(first)) {
            made.insert(0, ['_', 't'].into_iter().find(|letter| self.first.has(*letter as u8))?);
        }
        let tail: String = filler.into_iter().chain(format!("{:08x}", hash(name)).chars()).collect();
        let kept = self.max.checked_sub(tail.len())?;
        let mut made: String = made.chars().take(kept).collect();
        made.push_str(&tail);
        self.allows(made.as_bytes()).then_some(made)
    }
}

/// FNV-1a, folded to 32 bits: the same on every machine and in every version.
fn hash(name: &str) -> u32 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let whole = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (whole >> 32) as u32 ^ whole as u32
}

/// Whether a WTF-8 text has at most this many characters. Usually its number of bytes decides.
pub(super) fn fits(text: &[u8], max: usize) -> bool {
    text.len() <= max || characters(text) <= max
}

pub(super) fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, NameRule};
    use crate::value::hash::HashSet;

    const RULE: NameRule = NameRule { max: 64, alphabet: Alphabet::WORD, first: Alphabet::FIRST };

    #[test]
    fn a_new_name_is_legal_stable_and_its_own() {
        let names = ["a.b", "a/b", "a b", "a:b", "é", "", "9a", "-", &"x".repeat(65), &"x".repeat(66), "_a.b"];
        let made: Vec<_> = names.iter().map(|name| RULE.legal(name).expect("there is room")).collect();
        for name in &made {
            assert!(RULE.allows(name.as_bytes()), "{name}");
            assert_eq!(RULE.legal(name).as_ref(), Some(name));
        }
        let others: HashSet<_> = made.iter().collect();
        assert_eq!(others.len(), made.len(), "{made:?}");
        assert_eq!(made[0], "a_b_e27bcb35");
    }
}
