//! Describes a difference in words: its place, each cost, and its cause, each on its own line.

use std::fmt;

use super::{Cause, Diff};

impl Diff {
    /// The cause, as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let more = |one: &str, several: &str| match self.count {
            0 | 1 => format!("1 {one} was"),
            count => format!("{} {several} were", grouped(count)),
        };
        match self.cause {
            Cause::ToolsChanged => self.tools_sentence(),
            Cause::MessageDropped => format!("{} left out", more("message", "messages")),
            Cause::MessageInserted => format!("{} put between old ones", more("message", "messages")),
            Cause::MessageReplaced => format!("{} replaced, as by a summary", more("message", "messages")),
            Cause::BlockDropped => format!("{} left out of a message", more("block", "blocks")),
            Cause::BlockInserted => format!("{} put into a message", more("block", "blocks")),
            cause => {
                let meaning = cause.meaning().trim_end_matches('.');
                let mut letters = meaning.chars();
                letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
            }
        }
    }

    fn tools_sentence(&self) -> String {
        let named = |names: &[String], what: &str| (!names.is_empty()).then(|| format!("{} {what}", names.join(", ")));
        let tools = &self.tools;
        let said =
            [named(&tools.added, "added"), named(&tools.removed, "removed"), named(&tools.redefined, "redefined")];
        let said = said.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if said.is_empty() {
            "a tool that an earlier message added has another definition now".to_owned()
        } else {
            format!("tools: {said}")
        }
    }

    /// The effect on later reasoning.
    #[must_use]
    pub fn effect(&self) -> String {
        match (self.edit, &self.stale[..]) {
            (false, _) => "none: everything before is unchanged".to_owned(),
            (true, []) if self.checks => "no reasoning is bound to it".to_owned(),
            (true, []) => "no reasoning is bound to it: this model does not check, or it has no signature".to_owned(),
            (true, [one]) => format!("1 reasoning block is stale ({one}): a model that checks refuses or drops it"),
            (true, [first, ..]) => {
                let count = grouped(self.stale.len());
                format!("{count} reasoning blocks are stale ({first} …): a model that checks refuses or drops them")
            }
        }
    }

    /// The piece that differs, as a line.
    #[must_use]
    pub fn headline(&self) -> String {
        let Some(path) = self.path() else { return format!("{}: {}", self.cause.name(), self.sentence()) };
        let named = match (&self.kind[..], &self.id) {
            ("", _) => String::new(),
            (kind, Some(id)) => format!(" ({kind} {id})"),
            (kind, None) => format!(" ({kind})"),
        };
        let Some(place) = &self.place else { return format!("{path}{named}: {}", self.sentence()) };
        let what = match (&self.before, &self.after) {
            (Some(_), None) => "is gone".to_owned(),
            (None, Some(_)) => "is new".to_owned(),
            (Some(before), Some(after)) if before != after => format!("was at {before}"),
            _ => format!("byte {} of {} differs", grouped(place.byte), grouped(place.length)),
        };
        format!("{path}{named}: {what}   | {:?} | {:?}", place.before, place.after)
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.headline())?;
        writeln!(out, "  edit: {}", self.effect())?;
        let (cached, total) = (grouped(self.cached), grouped(self.total));
        let share = (100.0 * self.share()).floor();
        write!(out, "  cache: {cached} of {total} bytes ({share} %) can be read again")?;
        match &self.anew {
            Some(path) => writeln!(out, ", up to {path}")?,
            None => writeln!(out)?,
        }
        write!(out, "  cause: {}: {}", self.cause.name(), self.sentence())
    }
}

/// A number with thousands separated by commas.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
