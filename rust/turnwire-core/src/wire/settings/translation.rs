//! Holds the settings of a body while they are translated: those that are left, those to write, and the reports.

use super::{
    entries::Entries,
    said::Said,
    told::{Report, Told},
};
use crate::{
    model::Frame,
    report::{Path, Step},
    rules::{Column, Target},
    value::Host,
};

/// A body's settings while they are translated.
pub(super) struct Translation<'a, H: Host> {
    pub(super) frame: &'a Frame<H>,
    pub(super) target: Target<'a>,
    pub(super) from: Option<Column>,
    pub(super) to: Column,
    pub(super) said: Vec<Said<H>>,
    pub(super) entries: Entries<H>,
    pub(super) reports: Vec<Report>,
    pub(super) parallel: Option<bool>,
}

impl<H: Host> Translation<'_, H> {
    /// Adds a report about a setting.
    pub(super) fn tell(&mut self, at: &[Step], told: Told) {
        if let Some((kind, why)) = told {
            self.reports.push(Report { kind, path: Path::of(at.iter().cloned()), why });
        }
    }

    /// Takes a setting out.
    pub(super) fn take(&mut self, name: &str) -> Option<Said<H>> {
        let at = self.said.iter().position(|said| said.setting.name == name)?;
        Some(self.said.remove(at))
    }
}
