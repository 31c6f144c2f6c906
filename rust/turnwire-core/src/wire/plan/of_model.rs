//! Says which rules of the target depend on the model that a request is for.

use crate::{
    model::Frame,
    report::Others,
    rules::{Chosen, Column, Limits, SystemPlace, Target},
    value::Host,
};

/// The model: the caller's, or that of a body whose settings stay or are converted.
fn model<H: Host>(target: &Target<'_>, frame: &Frame<H>) -> Option<String> {
    let stays = || frame.settings_from().same_wire(target.id) || target.options.rest != Others::Caller;
    target.options.model.as_deref().map(str::to_owned).or_else(|| frame.model().filter(|_| stays()))
}

/// Where system text may be: some models take it only beside the list.
pub(crate) fn system<H: Host>(target: &Target<'_>, frame: &Frame<H>) -> SystemPlace {
    let Limits { system, later, .. } = target.limits;
    let depends = *system == SystemPlace::Top && later.text;
    if depends && !(later.models)(model(target, frame).as_deref()) { SystemPlace::Beside } else { *system }
}

/// Which choices of tools the model takes. `None` for those of the target.
pub(super) fn choices<H: Host>(target: &Target<'_>, frame: &Frame<H>) -> Option<&'static [Chosen]> {
    Column::of(target.id, Some(&model(target, frame)?))?.choices()
}
