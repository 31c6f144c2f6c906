//! Finds the path of an offset in a JSON text by a second pass, so that the first pass does not have to track it.

use super::{
    builder::{Body, Builder, Number},
    scan::{Stop, scan},
};
use crate::{
    report::{Path, Step},
    text::replace_surrogates,
};

/// The path at which reading `bytes` stops. `in_value`: whether the value that was expected counts, and not its
/// container.
pub(super) fn path_of_stop(bytes: &[u8], in_value: bool) -> Path {
    let mut place = Spot::default();
    // This pass fails in the same place as the first one.
    let _: Result<(), Stop> = scan(bytes, &mut place);
    let innermost = place.open.len();
    let steps = place.open.into_iter().enumerate().filter(|(depth, _)| in_value || depth + 1 < innermost);
    Path::of(steps.filter_map(|(_, step)| step))
}

/// For each open container, the step to its current or next value.
#[derive(Default)]
struct Spot {
    open: Vec<Option<Step>>,
}

impl Spot {
    /// A value has ended. In a list, the next one follows.
    fn passed(&mut self) {
        match self.open.last_mut() {
            Some(Some(Step::Index(index))) => *index += 1,
            Some(step) => *step = None,
            None => {}
        }
    }
}

impl Builder for Spot {
    fn null(&mut self, _: usize) {
        self.passed();
    }
    fn bool(&mut self, _: bool, _: usize) {
        self.passed();
    }
    fn number(&mut self, _: Number<'_>, _: usize) {
        self.passed();
    }
    fn text(&mut self, _: Body<'_>) {
        self.passed();
    }
    fn key(&mut self, body: Body<'_>) {
        if let Some(step) = self.open.last_mut() {
            *step = Some(Step::Name(replace_surrogates(&body.wtf8()).into()));
        }
    }
    fn open_list(&mut self, _: usize) {
        self.open.push(Some(Step::Index(0)));
    }
    fn open_map(&mut self, _: usize) {
        self.open.push(None);
    }
    fn close(&mut self, _: usize) {
        self.open.pop();
        self.passed();
    }
}
