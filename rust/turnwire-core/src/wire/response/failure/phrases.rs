//! Finds numbers in the sentences of servers by templates.

use std::ops::Range;

/// The numbers of a request that is too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// The tokens of the prompt.
    pub(crate) prompt: Option<u64>,
    /// The tokens asked for as the answer.
    pub(crate) answer: Option<u64>,
    /// The most that the model takes.
    pub(crate) most: Option<u64>,
}

impl Numbers {
    /// How many are known.
    pub(super) fn known(self) -> usize {
        [self.prompt, self.answer, self.most].iter().flatten().count()
    }

    /// These, and for the unknown ones those of another.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            prompt: self.prompt.or(other.prompt),
            answer: self.answer.or(other.answer),
            most: self.most.or(other.most),
        }
    }
}

/// A place in a text where a template fits.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The text in place of each `*`.
    pub(super) between: Vec<Range<usize>>,
}

/// Finds a template in a text, both in lower case. `{N}`, `{A}`, `{T}` and `{M}` are numbers, `*` is any text.
pub(super) fn find(template: &str, text: &str) -> Option<Found> {
    let first = template.split(['{', '*']).next().unwrap_or_default();
    text.match_indices(first).find_map(|(start, _)| {
        let mut between = Vec::new();
        let (numbers, end) = read(template, text, start, &mut between)?;
        Some(Found { numbers, start, end, between })
    })
}

/// Matches a template against a text from a place on. Returns its numbers and where it ends, and adds the text in place of
/// each `*`.
fn read(template: &str, text: &str, start: usize, between: &mut Vec<Range<usize>>) -> Option<(Numbers, usize)> {
    let (mut numbers, mut left, mut at) = (Numbers::default(), template, start);
    while !left.is_empty() {
        let rest = &text[at..];
        if let Some(behind) = left.strip_prefix('*') {
            let word = behind.split(['{', '*']).next().unwrap_or_default();
            // A template continues with a word, or with a number.
            let starts = |at: &usize| {
                let rest = &rest[*at..];
                rest.starts_with(word) && (!word.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_digit()))
            };
            let places = rest.char_indices().map(|(at, _)| at).filter(starts);
            return places.into_iter().find_map(|skipped| {
                let before = between.len();
                between.push(at..at + skipped);
                let Some((more, end)) = read(behind, text, at + skipped, between) else {
                    between.truncate(before);
                    return None;
                };
                Some((numbers.or(more), end))
            });
        }
        if let Some((mark, behind)) = left.strip_prefix('{').and_then(|mark| mark.split_once('}')) {
            let (number, length) = number(rest)?;
            let mut total = None;
            let place = match mark {
                "N" => &mut numbers.prompt,
                "A" => &mut numbers.answer,
                "T" => &mut total,
                _ => &mut numbers.most,
            };
            *place = Some(number);
            (left, at) = (behind, at + length);
            continue;
        }
        let word = left.split(['{', '*']).next().unwrap_or_default();
        rest.strip_prefix(word)?;
        (left, at) = (&left[word.len()..], at + word.len());
    }
    Some((numbers, at))
}

/// The number at the beginning of a text, perhaps with commas, and its length.
fn number(text: &str) -> Option<(u64, usize)> {
    let length = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b',').count();
    let digits = text[..length].trim_end_matches(',');
    Some((digits.replace(',', "").parse().ok()?, digits.len()))
}

#[cfg(test)]
mod tests {
    use super::{Numbers, find};

    #[test]
    fn a_template_is_found_anywhere() {
        let numbers = |prompt, answer, most| Numbers { prompt, answer, most };
        for (template, text, wanted) in [
            ("a {N} b", "x a 1 a 12 b", Some(numbers(Some(12), None, None))),
            ("limit is {M}*of {N}", "limit is 8,192, 一 of of 9", Some(numbers(Some(9), None, Some(8192)))),
            ("{N}*{A}", "x 1", None),
            ("a*b", "b a", None),
            ("a {N}", "a 99999999999999999999999", None),
            ("max*", "max", None),
        ] {
            assert_eq!(find(template, text).map(|found| found.numbers), wanted, "{template} {text}");
        }
    }
}
