//! Defines what reading a block gives: its content, and what is beside it.

use crate::{
    model::{Flaw, Kind},
    report::Error,
    value::{Extras, Host, Source, Value},
    wire::read::{Keys, NULL, keys::join_extras},
};

/// The content of a block; `None` where only this service knows it.
pub(super) type ReadPart<S> = Result<Option<Kind<<S as Source>::H>>, Error>;

/// What reading finds in a block beside its content.
pub(super) struct Inside<H: Host> {
    /// The key of the block.
    pub(super) key: &'static str,
    /// Unknown keys.
    pub(super) extras: Option<Box<Extras<H>>>,
    /// A mark around the whole block.
    pub(super) mark: Option<Box<Extras<H>>>,
    /// Why the servers would refuse it.
    pub(super) flaw: Option<&'static Flaw>,
    /// Whether it has a signature, or content that only its provider can read.
    pub(super) signed: bool,
    /// Whether it is in the model's turn.
    pub(super) model: bool,
}

impl<H: Host> Inside<H> {
    pub(super) fn new() -> Self {
        Self { key: "", extras: None, mark: None, flaw: None, signed: false, model: false }
    }

    /// The same for an object at `key`, deeper in the block. Its keys are reported there, but at the block where several
    /// objects have some.
    pub(super) fn add_at<S: Source<H = H>>(&mut self, key: &'static str, block: &'static str, keys: Keys<'_, S>) {
        let (extras, flaw) = left(keys);
        self.flaw = self.flaw.or(flaw);
        if extras.is_some() {
            self.key = if self.extras.is_none() { key } else { block };
            join_extras(&mut self.extras, extras);
        }
    }

    /// Adds the keys of an object that no parser took.
    pub(super) fn add<S: Source<H = H>>(&mut self, keys: Keys<'_, S>) {
        let (extras, flaw) = left(keys);
        self.flaw = self.flaw.or(flaw);
        join_extras(&mut self.extras, extras);
    }
}

type Left<H> = (Option<Box<Extras<H>>>, Option<&'static Flaw>);

/// The keys that no parser took, except those that are `null`, which clients write for absent ones.
pub(super) fn left<S: Source>(keys: Keys<'_, S>) -> Left<S::H> {
    let (input, flaw) = (keys.node.input().cloned(), keys.null_but(&[]));
    let Some(mut extras) = keys.extras() else { return (None, flaw) };
    let all = extras.len();
    extras.retain(|(_, value)| !matches!(value.to_value(input.as_ref()), Ok(Value::Null)));
    let flaw = if extras.len() < all { Some(&NULL) } else { flaw };
    ((!extras.is_empty()).then_some(extras), flaw)
}
