//! Decides in which form the target gets the arguments of a call.

use crate::{
    model::{Args, Call},
    rules::{ArgsForm, Limits},
    value::{Host, Input},
};

/// How the arguments of a call are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgsAs {
    /// Free text, unchanged.
    Free,
    /// Free text under a key of an object.
    Wrapped {
        /// Whether that object is JSON text.
        text: bool,
    },
    /// JSON text, whatever it holds.
    Text,
    /// JSON text that holds an object, or any value; anything else becomes an empty object.
    SoundText,
    /// An object; anything else becomes an empty one.
    Object,
    /// An object, or text that is none.
    Either,
}

/// Whether the target gets a call or a tool as one of free text.
#[inline]
pub(crate) fn is_free(limits: &Limits, custom: bool) -> bool {
    custom && limits.free_text
}

/// How the target writes the arguments of a call.
#[inline]
pub(crate) fn args_as<H: Host>(limits: &Limits, call: &Call<H>) -> ArgsAs {
    match (&call.args, limits.args) {
        (Args::Text(_), _) if is_free(limits, call.custom) => ArgsAs::Free,
        // A reader would take free text for arguments that are not JSON.
        (Args::Text(_), form) if call.custom => {
            ArgsAs::Wrapped { text: !matches!(form, ArgsForm::Object | ArgsForm::Either) }
        }
        (_, ArgsForm::Text | ArgsForm::TextOrObject) => ArgsAs::Text,
        (_, ArgsForm::ObjectText | ArgsForm::ObjectOrNullText | ArgsForm::JsonText) => ArgsAs::SoundText,
        (_, ArgsForm::Object) => ArgsAs::Object,
        (_, ArgsForm::Either) => ArgsAs::Either,
    }
}

/// Whether the arguments of a call may be sent back as they came.
pub(crate) fn args_stay<H: Host>(limits: &Limits, call: &Call<H>, input: Option<&Input>) -> bool {
    match (limits.args, &call.args) {
        // An item of its own kind has its own keys for them.
        _ if call.form.is_some() => true,
        _ if call.custom && !limits.free_text => false,
        (_, Args::Text(_)) if call.custom => true,
        (ArgsForm::Either, _) | (ArgsForm::TextOrObject, Args::Text(_)) => true,
        (form @ (ArgsForm::ObjectText | ArgsForm::ObjectOrNullText | ArgsForm::JsonText), Args::Text(text)) => {
            form.replays_text(text, input)
        }
        (ArgsForm::Text, args) => matches!(args, Args::Text(_)),
        (ArgsForm::Object | ArgsForm::TextOrObject, Args::Value(raw)) => raw.is_map(input),
        (ArgsForm::Object, Args::Text(_))
        | (ArgsForm::ObjectText | ArgsForm::ObjectOrNullText | ArgsForm::JsonText, Args::Value(_)) => false,
    }
}
