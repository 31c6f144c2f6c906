//! Finds the path of an offset in a JSON text by a second pass, so that the first pass need not keep track.

use super::{
    builder::{Body, Builder, Number},
    scan::{Stop, scan},
};
use crate::{
    report::path::{Path, Step},
    text::replace_surrogates,
};

/// The path of the place where reading `bytes` stops. `in_value`: of the value that was to come, not of its container.
pub(super) fn path_of_stop(bytes: &[u8], in_value: bool) -> Path {
    let mut place = Spot::default();
    // The pass stops where the first one did: that is all it is for.
    let _: Result<(), Stop> = scan(bytes, &mut place);
    let innermost = place.open.len();
    let steps = place.open.into_iter().enumerate().filter(|(depth, _)| in_value || depth + 1 < innermost);
    Path::of(steps.filter_map(|(_, step)| step))
}

/// For each open container, the step to the value that is read or comes next in it.
#[derive(Default)]
struct Spot {
    open: Vec<Option<Step>>,
}

impl Spot {
    /// A value has ended: in a list, the next one comes.
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
