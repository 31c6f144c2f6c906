//! Writes what stands in a result where it was cut: the caller's own marker, the caller's words for every cut, or the
//! usual suffix with the number of bytes that are left out.

use std::{borrow::Cow, cell::Cell};

use crate::{
    report::Error,
    text::{Keep, TRUNCATED_SUFFIX, Units},
    value::{Host, Input, Text},
};

/// What the caller's words have in place of the number.
const NUMBER: &str = "{bytes}";

/// The usual words.
const USUAL: &str = " ({bytes} bytes left out)";

/// How one result is marked.
#[derive(Clone, Debug, Default)]
pub(in crate::stage) struct Marking<'a> {
    /// The caller's own marker of this result.
    own: Option<&'a str>,
    /// The caller's words for every cut.
    words: Option<&'a str>,
    /// How many bytes an earlier step left out. The first marker counts them, too.
    before: Cell<usize>,
    /// Whether the next text that is cut gets the caller's marker beside all of its share.
    leads: Cell<bool>,
}

impl<'a> Marking<'a> {
    pub(in crate::stage) fn new(own: Option<&'a str>, words: Option<&'a str>, before: usize) -> Self {
        Self { own, words, before: Cell::new(before), leads: Cell::new(false) }
    }

    /// The most bytes that the marker takes in a result of this size.
    pub(in crate::stage) fn most(&self, size: usize) -> usize {
        match self.own {
            Some(own) => own.len(),
            None => self.most_of_words(size, true),
        }
    }

    /// The bytes of a marker that is never left out, as the usual one is where it has no room.
    pub(in crate::stage) fn must(&self, size: usize) -> usize {
        if self.is_the_callers() { self.most(size) } else { 0 }
    }

    /// The marker of a result of this size of which nothing else is left.
    pub(in crate::stage) fn alone<H: Host>(&self, size: usize) -> Text<H> {
        if self.is_the_callers() {
            Text::own(&self.callers(size + self.before.get()))
        } else {
            Text::own(TRUNCATED_SUFFIX)
        }
    }

    /// Gives the next text that is cut the caller's marker.
    pub(super) fn lead(&self) {
        self.leads.set(self.is_the_callers());
    }

    /// Whether a text is still to get the caller's marker.
    pub(super) fn is_awaited(&self) -> bool {
        self.leads.get()
    }

    /// The text cut to at most `max_bytes`, marker included; but the caller's marker comes on top.
    pub(super) fn text<H: Host>(
        &self,
        text: &Text<H>,
        max_bytes: usize,
        input: Option<&Input>,
    ) -> Result<Text<H>, Error> {
        let size = text.utf8_len(input);
        if size <= max_bytes {
            return Ok(text.share());
        }
        let cut = if self.leads.replace(false) {
            text.without_middle(max_bytes, &|gone| self.callers(gone + self.before.take()), input)?
        } else {
            let is_apart = self.words.is_none() && text.has_line_break(input);
            // Words that would take more than two thirds of the room say less than the text in their place.
            let most = self.most_of_words(size, is_apart);
            let fits = if self.words.is_some() { most <= max_bytes } else { most <= max_bytes / 3 * 2 };
            match fits.then(|| max_bytes - most) {
                Some(kept) => {
                    // What is left out has fewer digits than the whole. A character that does not fit takes up to 4 bytes.
                    let kept = max_bytes - self.most_of_words(size.min(size + 3 - kept), is_apart);
                    text.without_middle(kept, &|gone| self.said(gone + self.before.take(), is_apart), input)?
                }
                None => text.truncate(max_bytes, Units::from(self.short()), Keep::Middle, input)?,
            }
        };
        Ok(cut.unwrap_or_else(|| text.share()))
    }

    /// Whether the marker is not the usual one.
    pub(in crate::stage) fn is_the_callers(&self) -> bool {
        self.own.is_some() || self.words.is_some()
    }

    fn callers(&self, gone: usize) -> String {
        self.own.map_or_else(|| self.said(gone, false), str::to_owned)
    }

    /// The words for every cut. `apart`: whether the usual ones are on a line of their own.
    fn said(&self, gone: usize, apart: bool) -> String {
        let line = if apart { "\n" } else { "" };
        let words = self.words.map_or_else(|| [line, TRUNCATED_SUFFIX, USUAL, line].concat().into(), Cow::Borrowed);
        words.replace(NUMBER, &gone.to_string())
    }

    /// The most bytes of these words in a text of this size.
    fn most_of_words(&self, size: usize, apart: bool) -> usize {
        let digits = (size + self.before.get()).checked_ilog10().map_or(1, |tens| tens as usize + 1);
        let Some(words) = self.words else {
            return TRUNCATED_SUFFIX.len() + USUAL.len() - NUMBER.len() + digits + 2 * usize::from(apart);
        };
        let places = words.matches(NUMBER).count();
        words.len() + places * digits - places * NUMBER.len()
    }

    /// What marks a cut without room for the number.
    fn short(&self) -> &'static str {
        if self.words.is_some() { "" } else { TRUNCATED_SUFFIX }
    }
}
